"""Other calls that take all items of a generator expression, in Numba's intermediate code.

`items.extend(f(v) for v in t)` and `found.update(...)` become loops that add one item after the
other, as in Python. `"".join(...)`, `deque(...)`, `Counter(...)` and `dict(...)` get a list of the
items, which Python makes too, or which nothing can tell from it.
"""

from __future__ import annotations

import collections
from typing import Any

from numba.core import ir, ir_utils

from prunus.kernel.rewriting.consumers import Blocks, Code, Consumer
from prunus.kernel.rewriting.consuming import items_of, weave
from prunus.kernel.rewriting.inlining import global_value

_ADDING = {"extend": "append", "update": "add", "extendleft": "appendleft"}
"""The methods that add several items, and those that add one."""

_TAKING = (collections.deque, collections.Counter, dict)
"""The classes that take a list as well."""


class _Add(Consumer):
    """A method that adds items to the container that it belongs to."""

    method: Any = None

    def __init__(self, container: Any, name: str) -> None:
        super().__init__(list, [], {})
        self.container, self.name = container, name

    def start(self, code: Code) -> None:
        """The method that adds one item."""
        super().start(code)
        found = ir.Expr.getattr(self.container, self.name, code.loc)
        self.method = code.assign(code.variable("method"), found)
        code.constant(self.held, None)

    def step(self, code: Code, item: Any, go_on: int, done: int, blocks: Blocks) -> None:
        """Add an item."""
        code.call(self.method, item)
        code.jump(go_on)


def take_items(func_ir: Any, label: int, i: int) -> bool:
    """Replace a generator expression in such a call, which is statement `i` of a block; false if
    the statement is something else."""
    block = func_ir.blocks[label]
    call = block.body[i].value
    if call.vararg is not None or call.varkwarg is not None or not call.args:
        return False
    method = ir_utils.guard(ir_utils.get_definition, func_ir, call.func)
    if isinstance(method, ir.Expr) and method.op == "getattr":
        if len(call.args) != 1 or call.kws or method.attr not in (*_ADDING, "join"):
            return _take_lists(func_ir, label, i)
        found = items_of(func_ir, label, i, call.args[0])
        if found is None:
            return False
        if method.attr == "join":
            return _make_lists(func_ir, label, i, [call.args[0]])
        weave(func_ir, label, i, _Add(method.value, _ADDING[method.attr]), found)
        return True
    return _take_lists(func_ir, label, i)


def _take_lists(func_ir: Any, label: int, i: int) -> bool:
    """The same for functions that get a list instead."""
    call = func_ir.blocks[label].body[i].value
    function = global_value(func_ir, call.func)
    known = function in _TAKING if _is_plain(function) else False
    if not known:
        return False
    found = [(given, items_of(func_ir, label, i, given)) for given in call.args]
    taken = [(given, source) for given, source in found if source is not None]
    return bool(taken) and _make_lists(func_ir, label, i, [given for given, _ in taken])


def _is_plain(function: Any) -> bool:
    return isinstance(function, type)


def _make_lists(func_ir: Any, label: int, i: int, taken: list[Any]) -> bool:
    """Give the call lists of the items of generator expressions."""
    block = func_ir.blocks[label]
    call = block.body[i].value
    code = Code(block.scope, block.body[i].loc, [])
    lists = {given.name: code.call(list, given) for given in taken}
    call.args = [lists.get(given.name, given) for given in call.args]
    block.body[i:i] = code.body
    func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
    return True


def by_position(func_ir: Any) -> bool:
    """`enumerate(items, start=1)` as `enumerate(items, 1)`; true if there was such a call."""
    changed = False
    for block in func_ir.blocks.values():
        for statement in block.find_insts(ir.Assign):
            call = statement.value
            is_call = isinstance(call, ir.Expr) and call.op == "call"
            if not is_call or [name for name, _ in call.kws] != ["start"] or len(call.args) != 1:
                continue
            if global_value(func_ir, call.func) is enumerate:
                call.args, call.kws = [*call.args, dict(call.kws)["start"]], ()
                changed = True
    return changed
