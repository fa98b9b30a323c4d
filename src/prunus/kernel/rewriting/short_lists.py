"""Which lists of any length never leave the function that makes them (`stack_lists.py`).

The conditions are those of `escapes.py`; besides, such a list may become longer and shorter.
"""

from __future__ import annotations

import operator
from typing import Any

from numba.core import ir, ir_utils
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.registry import cpu_target

from prunus.kernel.containers.sequences import call_instead
from prunus.kernel.containers.stack_lists import stack_list
from prunus.kernel.rewriting.escapes import (
    DEPTH,
    Watch,
    are_latest,
    come_from,
    is_in_loop,
    names_of,
    statements,
)
from prunus.kernel.rewriting.marks import catches


@register_pass(mutates_CFG=False, analysis_only=False)
class ShortLists(FunctionPass):
    """Makes lists that stay by `stack_list`."""

    _name = "prunus_short_lists"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir = state.func_ir
        made = [found for found in statements(func_ir) if _builds_list(found[2])]
        if not made or func_ir.is_generator or catches(func_ir):
            return False
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        changed = False
        for label, block, statement in made:
            if _stays(func_ir, label, statement, state.args):
                _begin(block, statement)
                func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
                changed = True
        return changed


def _builds_list(statement: Any) -> bool:
    value = statement.value if isinstance(statement, ir.Assign) else None
    return isinstance(value, ir.Expr) and value.op == "build_list"


def _stays(func_ir: Any, label: int, statement: Any, args: Any) -> bool:
    names, joined = _names(func_ir, statement.target.name)
    again = is_in_loop(func_ir, label)
    if not come_from(func_ir, names, [statement.value, *joined]):
        return False
    if again and not are_latest(func_ir, names):
        return False
    watch = Growing(func_ir, names, args, False, DEPTH)
    return watch.stays() and (bool(statement.value.items) or watch.grows())


def _names(func_ir: Any, name: str) -> tuple[set[str], list[Any]]:
    """All names of a list, also those that it gets by `items += others`, and these expressions."""
    names, joined = names_of(func_ir, [name]), list[Any]()
    while True:
        more = [
            statement
            for _, _, statement in statements(func_ir)
            if _joins(getattr(statement, "value", None), names)
            and not any(statement.value is known for known in joined)
        ]
        if not more:
            return names, joined
        joined += [statement.value for statement in more]
        names |= names_of(func_ir, [statement.target.name for statement in more])


def _joins(value: Any, names: set[str]) -> bool:
    """Whether an expression is `items += others` for a list with one of these names."""
    is_iadd = isinstance(value, ir.Expr) and value.op == "inplace_binop"
    return is_iadd and value.fn is operator.iadd and value.lhs.name in names


class Growing(Watch):
    """Follows what one function does with the values of some names, which may be made longer and
    shorter."""

    METHODS: tuple[str, ...] = (
        "count",
        "index",
        "append",
        "pop",
        "extend",
        "clear",
        "insert",
        "remove",
    )

    def grows(self) -> bool:
        """Whether something is added to it here: the items of other lists may have no type."""
        values = [getattr(statement, "value", None) for _, _, statement in statements(self.func_ir)]
        found = [value for value in values if isinstance(value, ir.Expr)]
        return any(_joins(value, self.names) for value in found) or any(
            value.attr in ("append", "extend", "insert")
            for value in found
            if value.op == "getattr" and self._is(value.value)
        )

    def keeps_nothing(self, statement: Any) -> bool:
        """Whether a statement that uses the list keeps no reference to it."""
        value = statement.value if isinstance(statement, ir.Assign) else None
        if isinstance(value, ir.Expr) and value.op == "inplace_binop":
            return value.fn is operator.iadd and not (self._is(value.lhs) and self._is(value.rhs))
        return super().keeps_nothing(statement)

    def _helper(self, called: Any) -> tuple[Any, int]:
        """The function in the rules that is called. What a function does that Numba was taught is
        not what its source says."""
        function, first = super()._helper(called)
        is_taught = (
            function is not None and cpu_target.typing_context._lookup_global(function) is not None
        )
        return (None, 0) if is_taught else (function, first)


def _begin(block: Any, statement: Any) -> None:
    """Make the list empty, and add its first items one by one."""
    add_first_items(block, statement, "append", statement.value.items)
    call_instead(block, statement, stack_list)


def add_first_items(block: Any, statement: Any, name: str, items: Any) -> None:
    """After a statement that makes a container, call a method of it for each of some variables."""
    loc, place = statement.loc, block.body.index(statement) + 1
    for item in items:
        method, nothing = (
            block.scope.redefine(ir_utils.mk_unique_var(mark), loc=loc)
            for mark in ("$method", "$nothing")
        )
        block.body[place:place] = [
            ir.Assign(ir.Expr.getattr(statement.target, name, loc), method, loc),
            ir.Assign(ir.Expr.call(method, [item], (), loc), nothing, loc),
        ]
        place += 2
