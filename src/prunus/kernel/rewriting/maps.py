"""Loops that look up the items of a board in a small constant table: `tuple(OTHER[cell] for cell in
state.cells)`.

The test whether an index is in range, at each look-up, is an exit of the loop, which the processor
then cannot run for many items at once. So one test of the whole board stands before the loop.
Inside it, a flag that does not change chooses between a look-up without a test, made of
comparisons, and the ordinary one; LLVM makes two loops of this. If some item is no key of the
table, the ordinary one raises at its place. `looking_up.py` has these look-ups.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numba.core import ir, ir_utils, types
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.kernel.containers.known_tables import Constant
from prunus.kernel.containers.lengths import loop_around
from prunus.kernel.containers.sequences import call_instead
from prunus.kernel.rewriting.displays import constant_in
from prunus.kernel.rewriting.escapes import definition, function_of, statements
from prunus.kernel.rewriting.filling import filled_list
from prunus.kernel.rewriting.fitting import fitted
from prunus.kernel.rewriting.inlining import used_variables
from prunus.kernel.rewriting.looking_up import (
    LARGEST,
    ContentType,
    all_keys,
    first_items,
    got_item,
    looked_up_item,
)


@register_pass(mutates_CFG=False, analysis_only=False)
class Maps(FunctionPass):
    """Finds such look-ups, and puts the test before their loops."""

    _name = "prunus_maps"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir = state.func_ir
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        changed = [
            _get_directly(func_ir, block, statement, state.args)
            for _, block, statement in list(statements(func_ir))
            if _is(getattr(statement, "value", None), "call") and len(statement.value.args) == 2
        ]
        found = [
            (label, block, statement)
            for label, block, statement in statements(func_ir)
            if _is(getattr(statement, "value", None), "getitem")
        ]
        if func_ir.is_generator or not found:
            return any(changed)
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        cfg = ir_utils.compute_cfg_from_blocks(func_ir.blocks)
        changed += [
            _quicken(func_ir, cfg, label, block, statement, state.args)
            for label, block, statement in found
        ]
        if any(changed):
            func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        return any(changed)


def _get_directly(func_ir: Any, block: Any, statement: Any, args: Any) -> bool:
    """Let a call of `get` of a small constant dictionary be made of comparisons; false for any
    other call."""
    call = statement.value
    method = definition(func_ir, call.func)
    if not _is(method, "getattr") or method.attr != "get" or call.kws or call.vararg is not None:
        return False
    table = constant_in(func_ir, method.value, args)
    content = _content(table) if type(table) is dict and len(table) <= LARGEST else None
    if content is None:
        return False
    call_instead(block, statement, got_item, method.value, *call.args, content)
    return True


def _quicken(func_ir: Any, cfg: Any, label: int, block: Any, statement: Any, args: Any) -> bool:
    """Do so for one look-up; false if it is of another kind."""
    table, item = statement.value.value, statement.value.index
    loop = loop_around(cfg, [label])
    board = _board_of(func_ir, item) if loop is not None and _ends_once(cfg, loop) else None
    before = [] if board is None else _entries(cfg, loop)
    if len(before) != 1:
        return False
    content = _content(_constant_in(func_ir, table, args))
    entry = func_ir.blocks[before[0]]
    known = _at(func_ir, entry, loop, table, args) if content is None else content
    board = _at(func_ir, entry, loop, board, args)
    if board is None or known is None:
        return False
    safe = entry.scope.redefine(ir_utils.mk_unique_var("$safe"), loc=statement.loc)
    test = ir.Assign(ir.Const(None, statement.loc), safe, statement.loc)
    entry.body.insert(-1, test)
    call_instead(entry, test, all_keys, board, known)
    if content is None:
        items = entry.scope.redefine(ir_utils.mk_unique_var("$items"), loc=statement.loc)
        reading = ir.Assign(ir.Const(None, statement.loc), items, statement.loc)
        entry.body.insert(-1, reading)
        call_instead(entry, reading, first_items, known)
        known = items
    how = _list_arguments(func_ir, block, statement)
    call_instead(block, statement, looked_up_item, table, item, safe, known, *how)
    return True


def _constant_in(func_ir: Any, table: Any, args: Any) -> Any:
    """The constant that a variable holds, perhaps a row of one; None for others."""
    known = constant_in(func_ir, table, args)
    row = definition(func_ir, table)
    if known is not None or not _is(row, "static_getitem") or type(row.index) is not int:
        return known
    rows = constant_in(func_ir, row.value, args)
    is_row = type(rows) in (list, tuple) and -len(rows) <= row.index < len(rows)
    return rows[row.index] if is_row else None


def _list_arguments(func_ir: Any, block: Any, statement: Any) -> list[Any]:
    """The arguments of `filled_list` for the list that gets the value of a statement; none if it is
    used otherwise. A call of `fitted` in between is taken out."""
    uses = Counter(used_variables(func_ir))
    name, users = statement.target.name, []
    for other in block.body[block.body.index(statement) + 1 :]:
        value = other.value if isinstance(other, ir.Assign) else None
        if isinstance(value, ir.Var) and value.name == name and uses[name] == 1:
            name = other.target.name
        elif _is(value, "call") and name in [given.name for given in value.args]:
            users.append(other)
    if uses[name] != 1 or len(users) != 1:
        return []
    call = users[0].value
    if function_of(func_ir, call.func) is fitted:
        users[0].value = call.args[0]
        return call.args[1:]
    method = definition(func_ir, call.func)
    items = definition(func_ir, method.value) if _is(method, "getattr") else None
    is_list = _is(items, "call") and function_of(func_ir, items.func) is filled_list
    return items.args if is_list and method.attr == "append" else []


def _ends_once(cfg: Any, loop: Any) -> bool:
    """Whether only the header of a loop leaves it."""
    after = {place for label in loop.body - {loop.header} for place, _ in cfg.successors(label)}
    return bool(after <= loop.body)


def _entries(cfg: Any, loop: Any) -> list[int]:
    """The blocks from which a loop is entered."""
    return [place for place, _ in cfg.predecessors(loop.header) if place not in loop.body]


def _at(func_ir: Any, entry: Any, loop: Any, variable: Any, args: Any) -> Any:
    """A variable with the same value at the end of block `entry`, where a loop is entered; None if
    there is none. A field of a State is read again there."""
    inside = {
        statement.target.name
        for label in loop.body
        for statement in func_ir.blocks[label].find_insts(ir.Assign)
    }
    while variable.name in inside:
        made = func_ir._definitions[variable.name]
        if len(made) != 1:
            return None
        if not isinstance(made[0], ir.Var):
            return _field_at(func_ir, entry, made[0], args)
        (variable,) = made
    return variable if len(func_ir._definitions[variable.name]) == 1 else None


def _field_at(func_ir: Any, entry: Any, read: Any, args: Any) -> Any:
    """A field of a State, or an array of the game, read at the end of a block."""
    owner = definition(func_ir, read.value) if _is(read, "getattr") else None
    kind = args[owner.index] if isinstance(owner, ir.Arg) else None
    is_array = owner is not None and read.attr in getattr(kind, "places", ())
    if not isinstance(kind, types.BaseNamedTuple) and not is_array:
        return None
    state, field = (
        entry.scope.redefine(ir_utils.mk_unique_var(name), loc=read.loc)
        for name in ("$state", "$field")
    )
    again = ir.Expr.getattr(state, read.attr, read.loc)
    entry.body[-1:-1] = [ir.Assign(owner, state, read.loc), ir.Assign(again, field, read.loc)]
    return field


def _board_of(func_ir: Any, item: Any) -> Any:
    """The variable with the items that a loop goes over, or that one is taken from, if a variable
    is one of them; None for others."""
    found = definition(func_ir, item)
    if _is(found, "getitem"):
        return found.value
    if _is(found, "static_getitem"):
        row = definition(func_ir, found.value)
        items = (
            _gone_over(func_ir, definition(func_ir, row.value))
            if _is(row, "exhaust_iter")
            else None
        )
        call = None if items is None else definition(func_ir, items)
        if not _is(call, "call") or call.kws or call.vararg is not None:
            return None
        function = function_of(func_ir, call.func)
        if function is enumerate and found.index == 1:
            return call.args[0]
        is_part = function is zip and 0 <= found.index < len(call.args)
        return call.args[found.index] if is_part else None
    return _gone_over(func_ir, found)


def _gone_over(func_ir: Any, first: Any) -> Any:
    """What a `for` loop goes over that assigns the value of an expression."""
    following = definition(func_ir, first.value) if _is(first, "pair_first") else None
    iterator = definition(func_ir, following.value) if _is(following, "iternext") else None
    if not _is(iterator, "getiter"):
        return None
    call = definition(func_ir, iterator.value)
    is_range = _is(call, "call") and function_of(func_ir, call.func) is range
    return None if is_range else iterator.value


def _content(table: Any) -> Any:
    """What a constant table holds, as a constant of its own; None if it is long, or holds something
    else than plain integers or truth values."""
    if isinstance(table, np.ndarray) and table.dtype in (np.int64, np.bool_) and table.ndim == 1:
        table = table.tolist()
    if type(table) in (list, tuple):
        places = range(-len(table), len(table))
        table = {place: table[place] for place in places} if len(table) <= LARGEST else None
    if type(table) is not dict or not 0 < len(table) <= 2 * LARGEST:
        return None
    kinds = {type(value) for value in table.values()}
    if {type(key) for key in table} != {int} or kinds not in ({int}, {bool}):
        return None
    if not all(-(1 << 63) <= number < 1 << 63 for pair in table.items() for number in pair):
        return None
    return Constant(None, ContentType(table))


def _is(value: Any, operation: str) -> bool:
    return isinstance(value, ir.Expr) and value.op == operation
