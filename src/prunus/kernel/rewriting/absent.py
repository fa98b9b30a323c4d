"""Lists that begin with None and get numbers: `owner = [None] * 9`, `[None for _ in range(n)]`,
`[[None] * 3 for _ in range(3)]`.

Numba takes what a list begins with for all that it ever holds. Where the function stores something
else into such a list, or into one that is in it, the None becomes that of "an integer or None".
Texts and tuples are refused as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from numba.core import ir, ir_utils, types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.extending import intrinsic

from prunus.kernel.containers.resizing import origin_of, reached, values_of
from prunus.kernel.rewriting.consumers import Code


@intrinsic
def no_number(typingctx):
    """None where an integer may come."""
    kind = types.Optional(types.int64)

    def make(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.make_optional_none(builder, types.int64)

    return kind(), make


@register_pass(mutates_CFG=False, analysis_only=False)
class AbsentNumbers(FunctionPass):
    """Tells the types of such lists."""

    _name = "prunus_absent_numbers"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir = state.func_ir
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        if not any(True for _ in _nones(func_ir)):
            return False
        lists = _Lists(func_ir)
        found = [
            (block, statement, place)
            for block, statement, made, place in _nones(func_ir)
            if lists.gets_numbers(made)
        ]
        for block, statement, place in found:
            _put_absent(block, statement, place)
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        return bool(found)


def _nones(func_ir: Any) -> Iterator[tuple[Any, Any, Any, int]]:
    """Where a list is made of None, or gets None by `append`: the block, the statement, the
    expression that makes the list, and the place among the items."""
    for block in func_ir.blocks.values():
        for statement in list(block.find_insts(ir.Assign)):
            value = statement.value
            if not isinstance(value, ir.Expr):
                continue
            if value.op == "build_list":
                for place, item in enumerate(value.items):
                    if _is_none(func_ir, item):
                        yield block, statement, value, place
            elif value.op == "call" and len(value.args) == 1 and _is_none(func_ir, value.args[0]):
                holder = _appended_to(func_ir, value)
                if holder is not None:
                    yield block, statement, holder, 0


def _is_none(func_ir: Any, variable: Any) -> bool:
    found = origin_of(func_ir, variable)
    return isinstance(found, ir.Const) and found.value is None


def _appended_to(func_ir: Any, call: Any) -> Any:
    """The expression that makes the list to which a call appends; None for other calls."""
    method = origin_of(func_ir, call.func)
    is_append = isinstance(method, ir.Expr) and method.op == "getattr" and method.attr == "append"
    return origin_of(func_ir, method.value) if is_append else None


def _put_absent(block: Any, statement: Any, place: int) -> None:
    before = Code(block.scope, statement.loc, [])
    absent = before.call(no_number)
    at = block.body.index(statement)
    block.body[at:at] = before.body
    value = statement.value
    if value.op == "build_list":
        value.items = [absent if i == place else item for i, item in enumerate(value.items)]
    else:
        value.args = (absent,)


class _Lists:
    """What the function stores into lists."""

    def __init__(self, func_ir: Any) -> None:
        self._func_ir = func_ir
        self._appended: list[tuple[Any, Any]] = []
        self._stored: list[tuple[Any, Any]] = []
        for block in func_ir.blocks.values():
            for statement in block.body:
                if isinstance(statement, ir.SetItem | ir.StaticSetItem):
                    self._stored.append((statement.target, statement.value))
            for call in block.find_exprs("call"):
                holder = _appended_to(func_ir, call) if len(call.args) == 1 else None
                if holder is not None:
                    self._appended.append((holder, call.args[0]))

    def gets_numbers(self, made: Any) -> bool:
        """Whether something other than None, which may be a number, is stored into a list."""
        values = [value for holder, value in self._appended if holder is made]
        values += [value for target, value in self._stored if self._may_be(target, made)]
        others = [value for value in values if not _is_none(self._func_ir, value)]
        return bool(others) and all(self._may_be_number(value) for value in others)

    def _may_be(self, variable: Any, made: Any) -> bool:
        return any(found is made for found in reached(self._func_ir, variable, self._within))

    def _within(self, value: Any) -> Iterable[Any]:
        """The variables from which a list, or what is in it, may come into an expression."""
        if not isinstance(value, ir.Expr):
            return ()
        if value.op in ("getitem", "static_getitem", "cast", "getiter", "iternext", "pair_first"):
            return (value.value,)
        if value.op == "call":
            method = origin_of(self._func_ir, value.func)
            of = [method.value] if isinstance(method, ir.Expr) and method.op == "getattr" else []
            return [*value.args, *of]
        appended = [item for holder, item in self._appended if holder is value]
        return [*value.list_vars(), *appended]

    def _may_be_number(self, variable: Any) -> bool:
        return not any(
            (isinstance(found, ir.Const) and isinstance(found.value, str | tuple))
            or (isinstance(found, ir.Expr) and found.op in ("build_tuple", "build_list"))
            for found in values_of(self._func_ir, variable)
        )
