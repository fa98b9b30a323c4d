"""Tuples whose length is not known at compile time and that stay in their function: in compiled
code they are lists.

Examples are `tuple(v for v in t if v > 3)`, if it is only asked for its length, its items and so
on, and a tuple that grows in a loop (`found += (v,)`): a list gives the same answers.
"""

from __future__ import annotations

import operator
from typing import Any

from numba.core import ir, ir_utils
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.kernel.boards.joining import joined
from prunus.kernel.containers.empties import empty_list
from prunus.kernel.containers.resizing import origin_of
from prunus.kernel.containers.sequences import call_instead, loose_tuple, tuple_of
from prunus.kernel.numbers.operators import meant
from prunus.kernel.rewriting.escapes import (
    Watch,
    come_from,
    definition,
    function_of,
    names_of,
    statements,
)


@register_pass(mutates_CFG=False, analysis_only=False)
class LooseTuples(FunctionPass):
    """Turns such tuples into lists."""

    _name = "prunus_loose_tuples"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir = state.func_ir
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        changed = False
        for _, block, statement in list(statements(func_ir)):
            value = statement.value if isinstance(statement, ir.Assign) else None
            if (
                isinstance(value, ir.Expr)
                and value.op == "call"
                and function_of(func_ir, value.func) is tuple_of
                and stays_here(func_ir, statement)
            ):
                call_instead(block, statement, loose_tuple, *value.args)
                changed = True
        changed |= _grown(func_ir)
        if changed:
            func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        return changed


def stays_here(func_ir: Any, statement: Any) -> bool:
    """Whether a tuple that a statement makes stays in its function, where it may be a list."""
    names = names_of(func_ir, [statement.target.name])
    is_one = come_from(func_ir, names, [statement.value])
    return is_one and _Compared(func_ir, names).stays()


class _Compared(Watch):
    """Follows a tuple of one function. It may be compared with tuples only: no list is equal to
    one, but the list that it becomes would be."""

    READ = (*Watch.READ, joined)

    def __init__(self, func_ir: Any, names: set[str]) -> None:
        super().__init__(func_ir, names, (), False, 0)

    def keeps_nothing(self, statement: Any) -> bool:
        """Whether a statement that uses the tuple keeps no reference to it."""
        value = statement.value if isinstance(statement, ir.Assign) else None
        if isinstance(value, ir.Expr) and value.op == "binop" and meant(value) in _COMPARISONS:
            return all(self._is(side) or self._is_tuple(side) for side in (value.lhs, value.rhs))
        return super().keeps_nothing(statement)

    def _is_tuple(self, variable: Any) -> bool:
        found = origin_of(self.func_ir, variable)
        return _items(found) is not None or (
            isinstance(found, ir.Expr)
            and found.op == "call"
            and function_of(self.func_ir, found.func) in (tuple_of, loose_tuple)
        )


_COMPARISONS = (operator.eq, operator.ne)


def _grown(func_ir: Any) -> bool:
    """Turn tuples that grow in loops into lists; true if there was one."""
    loops = ir_utils.compute_cfg_from_blocks(func_ir.blocks).loops().values()
    looping = {label for loop in loops for label in loop.body}
    changed = False
    for label, _, statement in list(statements(func_ir)):
        if (
            label in looping
            and _adds(func_ir, statement)
            and _made_of(func_ir, statement.value.lhs) is None
        ):
            changed |= _loosen(func_ir, statement)
    return changed


def _adds(func_ir: Any, statement: Any) -> bool:
    """Whether a statement adds a written-out tuple to something."""
    value = statement.value if isinstance(statement, ir.Assign) else None
    if not isinstance(value, ir.Expr) or value.op not in ("binop", "inplace_binop"):
        return False
    is_sum = (
        value.immutable_fn is operator.add
        if value.op == "inplace_binop"
        else meant(value) is operator.add
    )
    return is_sum and _made_of(func_ir, value.rhs) is not None


def _made_of(func_ir: Any, variable: Any) -> Any:
    """The items of a written-out tuple; None for others."""
    found = definition(func_ir, variable)
    return _items(found)


def _items(value: Any) -> Any:
    if isinstance(value, ir.Const) and value.value == ():
        return []
    return value.items if isinstance(value, ir.Expr) and value.op == "build_tuple" else None


def _loosen(func_ir: Any, grows: Any) -> bool:
    names = names_of(func_ir, [grows.target.name, grows.value.lhs.name])
    named = [
        (block, statement)
        for _, block, statement in statements(func_ir)
        if isinstance(statement, ir.Assign) and statement.target.name in names
    ]
    sums = [
        (block, statement)
        for block, statement in named
        if _adds(func_ir, statement) and statement.value.lhs.name in names
    ]
    makers = [pair for pair in named if _items(pair[1].value) is not None]
    added = {statement.value.rhs.name for _, statement in sums}
    known = [statement.value for _, statement in (*sums, *makers)]
    if added & names or not come_from(func_ir, names, known):
        return False
    watch = _Compared(func_ir, names)
    others = [
        statement
        for _, _, statement in statements(func_ir)
        if all(statement is not known for _, known in sums)
    ]
    if not all(watch.keeps_nothing(statement) for statement in others if watch.uses(statement)):
        return False
    for block, statement in makers:
        items = _items(statement.value)
        if items:
            statement.value = ir.Expr.build_list(items, statement.loc)
        else:
            call_instead(block, statement, empty_list, 0)
    for block, statement in sums:
        more = block.scope.redefine(ir_utils.mk_unique_var("$more"), loc=statement.loc)
        items = _made_of(func_ir, statement.value.rhs)
        block.body.insert(
            block.body.index(statement),
            ir.Assign(ir.Expr.build_list(list(items), statement.loc), more, statement.loc),
        )
        statement.value = ir.Expr.binop(operator.add, statement.value.lhs, more, statement.loc)
    func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
    return True
