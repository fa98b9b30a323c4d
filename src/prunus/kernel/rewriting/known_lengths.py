"""Lists, tuples and `*` after a list or tuple that is written out, in Numba's pipeline: which of
them have a length that compiled code may rely on (`containers/sequences.py`).

A list that something makes longer or shorter, here or in a function that it is passed to, has an
unknown length (`aliases.py`), also where it comes from elsewhere.
"""

from __future__ import annotations

import operator
from types import FunctionType, ModuleType
from typing import Any

from numba.core import ir, ir_utils
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.kernel.containers.lengths import witness_of
from prunus.kernel.containers.resizing import origin_of
from prunus.kernel.containers.reversing import backwards
from prunus.kernel.containers.sequences import (
    call_instead,
    expecting,
    repeated,
    sized_list,
    tuple_of,
    unsized,
)
from prunus.kernel.numbers.operators import meant
from prunus.kernel.rewriting.aliases import Aliases, is_of_search
from prunus.kernel.rewriting.called import METHODS
from prunus.kernel.rewriting.escapes import statements
from prunus.kernel.rewriting.inlining import global_value


@register_pass(mutates_CFG=False, analysis_only=False)
class Sequences(FunctionPass):
    """Puts the functions above in place of `list`, `tuple`, and of `*` after a list or tuple that
    is written out."""

    _name = "prunus_sequences"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir = state.func_ir
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        if not _may_matter(func_ir):
            return False
        aliases = Aliases(func_ir, state.args)
        changed = _keep_iterators(func_ir)
        changed |= _forget_lengths(func_ir, aliases)
        for rewrite in (_rewrite_list, _rewrite_row, _rewrite_tuple):
            for label, block, statement in list(statements(func_ir)):
                if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Expr):
                    changed |= rewrite(func_ir, label, block, statement, aliases)
        if changed:
            func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        return changed


def _may_matter(func_ir: Any) -> bool:
    """Whether a function may make a list or tuple, or, in the rules, pass on a list whose length
    changes."""
    values = [getattr(statement, "value", None) for _, _, statement in statements(func_ir)]
    found = [value for value in values if isinstance(value, ir.Expr)]
    return (not is_of_search(func_ir.func_id.func) and any(v.op == "call" for v in found)) or any(
        _converts(func_ir, value, list)
        or _converts(func_ir, value, tuple)
        or _multiplied(func_ir, value) is not None
        for value in found
    )


def _forget_lengths(func_ir: Any, aliases: Aliases) -> bool:
    """Where a list that comes from elsewhere may be made longer or shorter, forget its length; true
    if there was one."""
    changed = False
    for _, block, statement in list(statements(func_ir)):
        value = statement.value if isinstance(statement, ir.Assign) else None
        comes = isinstance(value, ir.Arg) or (
            isinstance(value, ir.Expr)
            and value.op in ("call", "getitem", "static_getitem", "pair_first", "getattr")
            and not (value.op == "call" and global_value(func_ir, value.func) is list)
            and not (value.op == "getattr" and value.attr in METHODS)
        )
        if not comes or not aliases.is_resized(statement.target):
            continue
        if aliases.is_sized(statement.target):
            held = block.scope.redefine(ir_utils.mk_unique_var("$sized"), loc=statement.loc)
            after = ir.Assign(held, statement.target, statement.loc)
            block.body.insert(block.body.index(statement) + 1, after)
            statement.target = held
            call_instead(block, after, unsized, held)
            changed = True
    return changed


def _rewrite_list(func_ir: Any, label: int, block: Any, statement: Any, aliases: Aliases) -> bool:
    value = statement.value
    if _converts(func_ir, value, list):
        _take_backwards(func_ir, value.args[0])
        if aliases.is_resized(statement.target):
            return False
        call_instead(block, statement, sized_list, value.args[0])
        return True
    written = _multiplied(func_ir, value)
    if written is None or (written.op == "build_list" and aliases.is_resized(statement.target)):
        return False
    call_instead(block, statement, repeated, value.lhs, value.rhs, len(written.items))
    return True


def _rewrite_row(func_ir: Any, label: int, block: Any, statement: Any, aliases: Aliases) -> bool:
    """A list as an item of another one: from there only its type tells its length."""
    value = statement.value
    is_append = value.op == "call" and _is_append(func_ir, value)
    if not is_append and value.op != "build_list":
        return False
    rows = list(value.args if is_append else value.items)
    changed = False
    for i, row in enumerate(rows):
        witness = _row_length(func_ir, label, row, aliases)
        if witness is not None and witness is not False:
            held = block.scope.redefine(ir_utils.mk_unique_var("$row"), loc=statement.loc)
            call = ir.Assign(row, held, statement.loc)
            block.body.insert(block.body.index(statement), call)
            call_instead(block, call, expecting, row, witness)
            rows[i], changed = held, True
    if is_append:
        value.args = rows
    else:
        value.items = rows
    return changed


def _row_length(func_ir: Any, label: int, row: Any, aliases: Aliases) -> Any:
    """A witness of the length of a list that is written out or filled by a loop here; None or False
    for others."""
    made = origin_of(func_ir, row)
    if not isinstance(made, ir.Expr) or made.op != "build_list":
        return None
    if aliases.is_put_in_place(row) and not aliases.becomes_tuple(row):
        return None
    if made.items:
        return None if aliases.is_resized(row) else len(made.items)
    witness = _witness(func_ir, label, row, aliases)
    if witness is not None and witness is not False:
        aliases.take_as_made(row, _filling(func_ir, row))
    return witness


def _is_append(func_ir: Any, call: Any) -> bool:
    called = ir_utils.guard(ir_utils.get_definition, func_ir, call.func)
    return isinstance(called, ir.Expr) and called.op == "getattr" and called.attr == "append"


def _rewrite_tuple(func_ir: Any, label: int, block: Any, statement: Any, aliases: Aliases) -> bool:
    if not _converts(func_ir, statement.value, tuple):
        return False
    items = statement.value.args[0]
    _take_backwards(func_ir, items)
    call_instead(block, statement, tuple_of, items, _witness(func_ir, label, items, aliases))
    return True


def _converts(func_ir: Any, value: Any, kind: Any) -> bool:
    """Whether an expression is `list(items)` or `tuple(items)`."""
    if value.op != "call" or len(value.args) != 1 or value.kws or value.vararg is not None:
        return False
    called = ir_utils.guard(ir_utils.get_definition, func_ir, value.func)
    return isinstance(called, ir.Global) and called.value is kind


def _witness(func_ir: Any, label: int, items: Any, aliases: Aliases) -> Any:
    """A witness of the number of items in a list, as `witness_of` finds it: False also if anything
    but the loop that fills the list changes its length."""
    found = witness_of(func_ir, label, items)
    return found if aliases.changes(items) <= _filling(func_ir, items) else False


def _filling(func_ir: Any, items: Any) -> set[int]:
    """The expressions that fill a list, by their `id`."""
    made = origin_of(func_ir, items)
    return {
        id(value)
        for block in func_ir.blocks.values()
        for value in block.find_exprs("getattr")
        if value.attr == "append" and origin_of(func_ir, value.value) is made
    }


def _multiplied(func_ir: Any, value: Any) -> Any:
    """The list or tuple that is written out before a `*`; None for others."""
    if value.op != "binop" or meant(value) is not operator.mul or not _is_unnamed(value.lhs):
        return None
    written = ir_utils.guard(ir_utils.get_definition, func_ir, value.lhs)
    is_written = isinstance(written, ir.Expr) and written.op in ("build_list", "build_tuple")
    return written if is_written else None


def _is_unnamed(variable: Any) -> bool:
    """Whether a variable has no name in the source, where it may stand in a comprehension."""
    return "$" in variable.name


def _take_backwards(func_ir: Any, items: Any) -> None:
    """Where a list or tuple is made of `reversed(...)` at once, let no iterator be made."""
    made = ir_utils.guard(ir_utils.get_definition, func_ir, items)
    if not items.is_temp or not isinstance(made, ir.Expr) or made.op != "call":
        return
    if _function(func_ir, ir_utils.guard(ir_utils.get_definition, func_ir, made.func)) is reversed:
        for block in func_ir.blocks.values():
            for statement in block.find_insts(ir.Assign):
                if statement.value is made:
                    call_instead(block, statement, backwards, *made.args)
                    return


def _keep_iterators(func_ir: Any) -> bool:
    """Where `reversed(...)` gets a name, or is given to a function of the rules, let it be an
    iterator, which is gone over once, and not the tuple, range or table that it is in compiled
    code; true if anything changed."""
    made = {
        statement.target.name: (block, statement)
        for _, block, statement in statements(func_ir)
        if isinstance(statement, ir.Assign) and _calls(func_ir, statement.value) is reversed
    }
    kept = [
        name
        for name, (_, statement) in made.items()
        if not statement.target.is_temp or _is_kept(func_ir, name)
    ]
    for name in kept:
        block, statement = made[name]
        items = block.scope.redefine(ir_utils.mk_unique_var("$items"), loc=statement.loc)
        block.body.insert(
            block.body.index(statement), ir.Assign(statement.value, items, statement.loc)
        )
        call_instead(block, statement, iter, items)
    return bool(kept)


def _is_kept(func_ir: Any, name: str) -> bool:
    """Whether a value is assigned to a name, put into a tuple or list, returned, yielded, or given
    to a function that is written in Python."""
    for _, _, statement in statements(func_ir):
        value = getattr(statement, "value", None)
        if isinstance(value, ir.Var) and value.name == name:
            return True
        if not isinstance(value, ir.Expr | ir.Yield):
            continue
        if name in {each.name for each in value.list_vars()} and (
            isinstance(value, ir.Yield)
            or value.op.startswith("build_")
            or (value.op == "call" and _is_written(_calls(func_ir, value)))
        ):
            return True
    return False


def _is_written(called: Any) -> bool:
    """Whether a function is written in Python: a method, if it is unknown here."""
    return called is None or isinstance(called, FunctionType)


def _calls(func_ir: Any, value: Any) -> Any:
    """The function that an expression calls, None if it is unknown or none is called."""
    if not isinstance(value, ir.Expr) or value.op != "call":
        return None
    return _function(func_ir, ir_utils.guard(ir_utils.get_definition, func_ir, value.func))


def _function(func_ir: Any, called: Any) -> Any:
    """The function that a global name, or a name in a module, refers to."""
    if isinstance(called, ir.Expr) and called.op == "getattr":
        module = _function(func_ir, ir_utils.guard(ir_utils.get_definition, func_ir, called.value))
        return getattr(module, called.attr, None) if isinstance(module, ModuleType) else None
    return called.value if isinstance(called, ir.Global) else None
