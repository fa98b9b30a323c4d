"""Which sets never leave the function that makes them, and are never asked for their items
(`stack_sets.py`): only what is in them, how many there are, and whether two are equal.

The conditions are those of `escapes.py` and `short_lists.py`. Sets that are compared are looked at
together.
"""

from __future__ import annotations

import operator
from typing import Any

from numba.core import ir, ir_utils
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.kernel.containers import set_functions  # noqa: F401 - what is done with them
from prunus.kernel.containers.empties import HOLDS, empty_set
from prunus.kernel.containers.sequences import call_instead
from prunus.kernel.containers.stack_sets import stack_set
from prunus.kernel.rewriting.escapes import (
    DEPTH,
    are_latest,
    assigns_call,
    come_from,
    definition,
    function_of,
    is_in_loop,
    names_of,
    statements,
)
from prunus.kernel.rewriting.marks import catches
from prunus.kernel.rewriting.short_lists import Growing, add_first_items

_MAKING = (set, frozenset, empty_set)


@register_pass(mutates_CFG=False, analysis_only=False)
class ShortSets(FunctionPass):
    """Makes sets that stay by `stack_set`."""

    _name = "prunus_short_sets"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir = state.func_ir
        if func_ir.is_generator or not any(map(_may_build_set, statements(func_ir))):
            return False
        if catches(func_ir):
            return False
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        made = [found for found in statements(func_ir) if _builds_set(func_ir, found[2])]
        changed = False
        while made:
            group = _compared_with(func_ir, made[0], made)
            made = [found for found in made if found not in group]
            if _stay(func_ir, group, state.args):
                for _, block, statement in group:
                    _begin(func_ir, block, statement)
                func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
                changed = True
        return changed


def _may_build_set(found: Any) -> bool:
    value = getattr(found[2], "value", None)
    if isinstance(value, ir.Global | ir.FreeVar):
        return any(value.value is maker for maker in _MAKING)
    return isinstance(value, ir.Expr) and value.op == "build_set"


def _builds_set(func_ir: Any, statement: Any) -> bool:
    value = statement.value if isinstance(statement, ir.Assign) else None
    if not isinstance(value, ir.Expr):
        return False
    if value.op == "build_set":
        return True
    is_call = any(assigns_call(func_ir, statement, maker) for maker in _MAKING)
    return is_call and not value.kws and value.vararg is None and len(value.args) < 2


def _compared_with(func_ir: Any, first: Any, made: list[Any]) -> list[Any]:
    """The makers of the sets that are compared with one, of those and so on."""
    group = [first]
    while True:
        names = names_of(func_ir, [found[2].target.name for found in group])
        compared = {
            side.name
            for _, _, statement in statements(func_ir)
            if _compares(getattr(statement, "value", None), names)
            for side in (statement.value.lhs, statement.value.rhs)
        }
        compared = names_of(func_ir, [*compared]) - names
        more = [found for found in made if found[2].target.name in compared]
        if not more:
            return group
        group += more


def _compares(value: Any, names: set[str]) -> bool:
    is_comparison = isinstance(value, ir.Expr) and value.op == "binop"
    return (
        is_comparison
        and value.fn in (operator.eq, operator.ne)
        and (value.lhs.name in names or value.rhs.name in names)
    )


def _stay(func_ir: Any, group: list[Any], args: Any) -> bool:
    """Whether some sets stay in the function, and their order is not asked."""
    names = names_of(func_ir, [statement.target.name for _, _, statement in group])
    values = [statement.value for _, _, statement in group]
    if not come_from(func_ir, names, values):
        return False
    for label, _, statement in group:
        own = names_of(func_ir, [statement.target.name])
        if is_in_loop(func_ir, label) and not are_latest(func_ir, own):
            return False
        is_told = _tells_items(statement.value)
        if not is_told and not GrowingSet(func_ir, own, args, False, DEPTH).grows():
            return False
    are_frozen = any(assigns_call(func_ir, found[2], frozenset) for found in group)
    follow = _FrozenSet if are_frozen else GrowingSet
    return follow(func_ir, names, args, False, DEPTH).stays()


def _tells_items(value: Any) -> bool:
    """Whether what makes a set tells the type of its items."""
    if value.op == "build_set":
        return bool(value.items)
    return bool(value.args)


class GrowingSet(Growing):
    """Follows what one function does with the sets of some names."""

    METHODS: tuple[str, ...] = ("add", "discard", "remove", "clear", "update", HOLDS)
    READ = (len, bool)
    GO_THROUGH = ()

    def grows(self) -> bool:
        """Whether something is added to it here, which tells the type of its items."""
        return any(
            value.attr in ("add", "update", HOLDS)
            for block in self.func_ir.blocks.values()
            for value in block.find_exprs("getattr")
            if self._is(value.value)
        )

    def keeps_nothing(self, statement: Any) -> bool:
        """Whether a statement that uses the set keeps no reference to it, and does not depend on
        the order of its items."""
        if isinstance(statement, ir.Del):
            return True
        value = statement.value if isinstance(statement, ir.Assign) else None
        if not isinstance(value, ir.Expr) or value.op not in ("call", "binop", "unary", "getattr"):
            return False
        if value.op == "binop" and value.fn in (operator.eq, operator.ne):
            return self._is(value.lhs) and self._is(value.rhs)
        return super().keeps_nothing(statement)


class _FrozenSet(GrowingSet):
    """A set that never changes."""

    METHODS = (HOLDS,)


def _begin(func_ir: Any, block: Any, statement: Any) -> None:
    """Make a set by `stack_set`, and put its first items into it."""
    value = statement.value
    if value.op == "build_set":
        add_first_items(block, statement, "add", value.items)
        example = None
    elif function_of(func_ir, value.func) is empty_set:
        parts = definition(func_ir, value.args[0]).value
        example = (0,) * parts if parts > 1 else 0
    else:
        add_first_items(block, statement, "update", value.args)
        example = None
    call_instead(block, statement, stack_set, example)
