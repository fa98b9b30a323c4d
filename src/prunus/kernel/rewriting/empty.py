"""Loops over what is certainly empty, such as a game's `blocked = ()`: they do nothing.

A type has to be found for each variable, and an empty tuple has no items from which a loop's
variable could get one. So before types are inferred the loop is taken out: what follows it, or its
`else`, comes next.
"""

from __future__ import annotations

from typing import Any

from numba.core import ir, ir_utils, types
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.kernel.boards.packed import Packed
from prunus.kernel.rewriting.escapes import (
    come_from,
    definition,
    function_of,
    names_of,
    statements,
)
from prunus.kernel.rewriting.inlining import global_value, used_variables
from prunus.kernel.rewriting.slices import UNKNOWN, field_type, sliced_length

_EMPTY = (tuple, frozenset, set, list, dict)
_THROUGH = (enumerate, reversed, zip, iter, tuple)
_RESULTS = {sum: 0, any: False, all: True}


@register_pass(mutates_CFG=True, analysis_only=False)
class EmptyLoops(FunctionPass):
    """Takes out loops over what is empty, and gives `sum`, `any`, `all`, `min` and `max` of it
    their results."""

    _name = "prunus_empty_loops"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir = state.func_ir
        changed = _give_results(func_ir, state.args)
        if func_ir.is_generator:
            return changed
        for _, _, statement in list(statements(func_ir)):
            value = getattr(statement, "value", None)
            if (
                isinstance(value, ir.Expr)
                and value.op == "getiter"
                and _is_empty(func_ir, value.value, state.args)
            ):
                changed = _take_out(func_ir, statement) or changed
        return changed


def _give_results(func_ir: Any, kinds: Any) -> bool:
    changed = False
    for _, _, statement in statements(func_ir):
        value = statement.value if isinstance(statement, ir.Assign) else None
        if not isinstance(value, ir.Expr) or value.op != "call" or value.vararg is not None:
            continue
        function = function_of(func_ir, value.func)
        named = dict(value.kws)
        if len(value.args) != 1 or not _is_empty(func_ir, value.args[0], kinds):
            continue
        if any(function is known for known in _RESULTS) and not named:
            statement.value = ir.Const(_RESULTS[function], value.loc)
        elif (function is min or function is max) and "default" in named:
            statement.value = named["default"]
        else:
            continue
        changed = True
    if changed:
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
    return changed


def _is_empty(func_ir: Any, variable: Any, kinds: Any) -> bool:
    """Whether a variable certainly holds a sequence without items; `kinds` are the types of the
    function's arguments."""
    found = definition(func_ir, variable)
    if isinstance(found, ir.Arg):
        kind = kinds[found.index] if found.index < len(kinds) else None
        if isinstance(kind, types.Omitted):
            return type(kind.value) is tuple and not kind.value
        return bool(kind == types.Tuple(()))
    if isinstance(found, ir.Const | ir.Global | ir.FreeVar):
        return type(found.value) in _EMPTY and not found.value
    if not isinstance(found, ir.Expr):
        return False
    if found.op == "build_tuple":
        return not found.items
    if found.op == "getattr":
        held = global_value(func_ir, found)
        owner = definition(func_ir, found.value)
        if isinstance(owner, ir.Arg) and owner.index < len(kinds):
            kind = kinds[owner.index]
            if field_type(kind, found.attr) == types.Tuple(()):
                return True
            if hasattr(kind, "game") and found.attr not in kind.places:
                held = getattr(kind.game, found.attr, None)
        return type(held) in _EMPTY and not held
    if found.op == "call" and not found.kws and found.vararg is None:
        function = function_of(func_ir, found.func)
        if function is zip:
            return _is_empty_zip(func_ir, found.args, kinds)
        return (
            any(function is known for known in _THROUGH)
            and len(found.args) > 0
            and _is_empty(func_ir, found.args[0], kinds)
        )
    return sliced_length(func_ir, found, kinds) == 0


def _is_empty_zip(func_ir: Any, given: Any, kinds: Any) -> bool:
    """Whether `zip` of these has no items. It takes one from each before the empty one, which does
    nothing only if that is no iterator."""
    for each in given:
        if _is_empty(func_ir, each, kinds):
            return True
        if not _is_kept(func_ir, each, kinds):
            return False
    return False


def _is_kept(func_ir: Any, variable: Any, kinds: Any) -> bool:
    """Whether a variable certainly holds items that are there already, in a tuple or a list."""
    found = definition(func_ir, variable)
    if isinstance(found, ir.Arg):
        kind = kinds[found.index] if found.index < len(kinds) else None
        return isinstance(kind, types.BaseTuple | types.List | Packed)
    if isinstance(found, ir.Const | ir.Global | ir.FreeVar):
        return isinstance(found.value, tuple | list | range)
    if not isinstance(found, ir.Expr):
        return False
    if found.op == "getattr":
        owner = definition(func_ir, found.value)
        kind = (
            kinds[owner.index] if isinstance(owner, ir.Arg) and owner.index < len(kinds) else None
        )
        held = getattr(getattr(kind, "game", None), found.attr, None)
        return field_type(kind, found.attr) is not None or isinstance(held, tuple | list)
    return found.op in ("build_tuple", "build_list") or (
        sliced_length(func_ir, found, kinds) is not UNKNOWN
    )


def _take_out(func_ir: Any, begun: Any) -> bool:
    """Let the loops that begin with this iterator end at once. False if something else uses the
    iterator, or what only the loop assigns."""
    names = names_of(func_ir, [begun.target.name])
    if not come_from(func_ir, names, [begun.value]):
        return False
    names |= _only_gone_through(func_ir, begun.value.value)
    heads = {}
    for label, block in func_ir.blocks.items():
        gone = set(names)
        for statement in block.body:
            value = getattr(statement, "value", None)
            if isinstance(value, ir.Expr) and value.op == "iternext" and value.value.name in names:
                heads[label] = gone
            if label in heads and isinstance(statement, ir.Assign):
                used = [value] if isinstance(value, ir.Var) else getattr(value, "list_vars", list)()
                if any(each.name in gone for each in used):
                    gone.add(statement.target.name)
    before = dict(func_ir.blocks)
    for label, gone in heads.items():
        block = func_ir.blocks[label]
        last = block.body[-1]
        if not isinstance(last, ir.Branch) or last.cond.name not in gone:
            func_ir.blocks = before
            return False
        made = ir.Block(block.scope, block.loc)
        made.body = [
            each
            for each in block.body[:-1]
            if not (isinstance(each, ir.Assign) and each.target.name in gone)
        ] + [ir.Jump(last.falsebr, last.loc)]
        func_ir.blocks[label] = made
    if not heads or not _leave_out_the_rest(func_ir, names):
        func_ir.blocks = before
        return False
    func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
    return True


def _only_gone_through(func_ir: Any, variable: Any) -> set[str]:
    """The names of an `enumerate(...)` or the like, and of those in it, that only the loop uses."""
    names: set[str] = set()
    while True:
        made = definition(func_ir, variable)
        uses = sum(name == variable.name for name in used_variables(func_ir))
        if (
            not isinstance(made, ir.Expr)
            or made.op != "call"
            or not any(function_of(func_ir, made.func) is known for known in _THROUGH)
            or uses != 1
        ):
            return names
        names.add(variable.name)
        variable = made.args[0]


def _leave_out_the_rest(func_ir: Any, names: set[str]) -> bool:
    """Leave out the blocks that nothing leads to, and the iterator. False if something that is left
    reads what they assign."""
    for label in ir_utils.compute_cfg_from_blocks(func_ir.blocks).dead_nodes():
        del func_ir.blocks[label]
    for label, block in func_ir.blocks.items():
        made = ir.Block(block.scope, block.loc)
        made.body = [
            each
            for each in block.body
            if not (isinstance(each, ir.Assign) and each.target.name in names)
            and not (isinstance(each, ir.Del) and each.value in names)
        ]
        func_ir.blocks[label] = made
    assigned = {
        statement.target.name
        for _, _, statement in statements(func_ir)
        if isinstance(statement, ir.Assign)
    }
    used = {
        variable.name
        for _, _, statement in statements(func_ir)
        if not isinstance(statement, ir.Del)
        for variable in statement.list_vars()
    }
    return used <= assigned
