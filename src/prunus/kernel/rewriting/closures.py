"""Functions written inside functions, in Numba's pipeline: they are inlined into the function
around them.

Numba does this for functions and list comprehensions, and refuses generator expressions, which
`consuming.py` supports.
"""

from __future__ import annotations

import functools
from typing import Any, Final

from numba.core import errors, ir, ir_utils
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.inline_closurecall import _replace_returns

from prunus.kernel.containers.classes import resolve_super
from prunus.kernel.rewriting.annotations import drop_annotations
from prunus.kernel.rewriting.closing import expect_nothing_to_close
from prunus.kernel.rewriting.consuming import GENERATOR, consume, unpack
from prunus.kernel.rewriting.expression_loops import merge_loop
from prunus.kernel.rewriting.generators import return_generator
from prunus.kernel.rewriting.inlining import (
    INLINERS,
    global_value,
    insert_inner,
    made_by,
    used_by,
)
from prunus.kernel.rewriting.mapped import write_out_maps
from prunus.kernel.rewriting.marks import catches
from prunus.kernel.rewriting.nonlocals import assign_again, forget_again, has_nonlocals
from prunus.kernel.rewriting.partials import call_partial, hold_arguments, is_used_up
from prunus.kernel.rewriting.putting import put_first
from prunus.kernel.rewriting.recursive import is_recursive, lift_call
from prunus.kernel.rewriting.repairs import READ
from prunus.kernel.rewriting.self_calls import call_itself
from prunus.kernel.rewriting.sorting import sort_in_place
from prunus.kernel.rewriting.taking import by_position, take_items
from prunus.kernel.rewriting.tries import lead_to_handlers

MOST: Final = 500
"""The most calls that are replaced by the bodies of inner functions."""


@register_pass(mutates_CFG=True, analysis_only=False)
class Closures(FunctionPass):
    """Replaces calls of inner functions by their bodies, and resolves `super()`."""

    _name = "prunus_closures"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        changed = inline_closures(state.func_ir)
        if return_generator(state.func_ir, insert_inner, made_by):
            changed = inline_closures(state.func_ir, always=True)
        changed |= resolve_super(state.func_ir)
        return call_itself(state.func_ir, state.args) or changed


def inline_closures(func_ir: Any, always: bool = False) -> bool:
    """Replace calls of inner functions by their bodies until no such call is left; true if anything
    changed, or if the function is to be tidied up `always`."""
    expect_nothing_to_close(func_ir)
    changed = drop_annotations(func_ir) | always
    # A function that is never called is made nevertheless, of variables that may have no value yet.
    changed |= any(
        next(block.find_exprs("make_function"), None) for block in func_ir.blocks.values()
    )
    if has_nonlocals(func_ir):
        _forget_unused(func_ir)
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        assign_again(func_ir)
    changed |= write_out_maps(func_ir) | by_position(func_ir) | hold_arguments(func_ir)
    while _inline_one(func_ir):
        changed = True
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        assign_again(func_ir)
    forget_again(func_ir)
    if changed:
        for label in ir_utils.compute_cfg_from_blocks(func_ir.blocks).dead_nodes():
            del func_ir.blocks[label]
        _forget_unused(func_ir)
        if catches(func_ir):
            lead_to_handlers(func_ir)
        else:
            func_ir.blocks = ir_utils.simplify_CFG(func_ir.blocks)
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
    return changed


def _forget_unused(func_ir: Any) -> None:
    """Remove the names and the makers of functions that are no longer called, and what only served
    them, also where functions use each other."""
    names: dict[str, list[Any]] = {}
    around = func_ir.func_id.func.__code__.co_freevars
    work: list[str] = []
    for block in func_ir.blocks.values():
        for statement in block.body:
            if _only_names(func_ir, statement):
                names.setdefault(statement.target.name, []).append(statement.value)
                # What is assigned of the functions around this one, under any of the names that
                # Numba gives a variable, they may read.
                if statement.target.name.partition(".")[0] in around:
                    work.append(statement.target.name)
            else:
                work += used_by(statement)
    used = set(work)
    while work:
        for value in names.get(work.pop(), ()):
            inside = value.list_vars() if isinstance(value, ir.Expr) else [value]
            new = {each.name for each in inside if isinstance(each, ir.Var)} - used
            used |= new
            work += new
    for block in func_ir.blocks.values():
        block.body = [
            statement
            for statement in block.body
            if not _only_names(func_ir, statement) or statement.target.name in used
        ]


def _only_names(func_ir: Any, statement: Any) -> bool:
    """Whether a statement only gives an existing value another name, or makes a function."""
    value = statement.value if isinstance(statement, ir.Assign) else None
    if isinstance(value, ir.Expr):
        return value.op in ("make_function", "build_tuple") or is_used_up(func_ir, value)
    if isinstance(value, ir.Var):
        return not _reads(statement.target) or _may_be_function(func_ir, value, set())
    return isinstance(value, ir.Global)


def _reads(target: Any) -> bool:
    """Whether to assign a variable is to read what it is assigned, as the rules do: that may have
    no value, which is an error."""
    # In front of the names of inlined functions' variables stands that of the function.
    return "$" not in target.name or any(mark in target.name for mark in READ)


def _may_be_function(func_ir: Any, variable: Any, seen: set[str]) -> bool:
    """Whether a variable may hold a function, or a tuple with one."""
    if variable.name in seen:
        return False
    seen.add(variable.name)
    for made in func_ir._definitions.get(variable.name, ()):
        if isinstance(made, ir.Var):
            if _may_be_function(func_ir, made, seen):
                return True
        elif isinstance(made, ir.Global | ir.FreeVar | ir.Arg):
            return True
        elif isinstance(made, ir.Expr):
            if made.op in ("make_function", "build_tuple") or is_used_up(func_ir, made):
                return True
            if made.op == "call" and (
                global_value(func_ir, made.func) is functools.partial
                or made_by(func_ir, made.func) is not None
            ):
                return True
    return False


def _inline_one(func_ir: Any) -> bool:
    for label, block in list(func_ir.blocks.items()):
        if label not in func_ir.blocks:  # a block that only jumped to a loop
            continue
        for i, statement in enumerate(block.body):
            is_call = (
                isinstance(statement, ir.Assign)
                and isinstance(statement.value, ir.Expr)
                and statement.value.op == "call"
            )
            if merge_loop(func_ir, label, i) or unpack(func_ir, label, i):
                return True
            if is_call and (
                sort_in_place(func_ir, label, i)
                or consume(func_ir, label, i)
                or put_first(func_ir, label, i)
                or take_items(func_ir, label, i)
                or call_partial(func_ir, label, i)
                or _inline_call(func_ir, label, i)
            ):
                return True
    return False


def _inline_call(func_ir: Any, label: int, i: int) -> bool:
    call = func_ir.blocks[label].body[i].value
    made = made_by(func_ir, call.func)
    if made is None or made.code.co_flags & GENERATOR:
        return False
    if is_recursive(func_ir, made):
        lift_call(func_ir, label, i, made)
        return True
    _count(func_ir, call)
    after, blocks = insert_inner(func_ir, label, i, made, call)
    _replace_returns(blocks, after.target, after.label)
    func_ir.blocks.update(blocks)
    return True


def _count(func_ir: Any, call: Any) -> None:
    """Raise UnsupportedError if calls of inner functions, which call others, have become so many
    that it would take minutes to compile them."""
    counted = func_ir.__dict__.setdefault("prunus_inlined", [])
    counted.append(call)
    if len(counted) > MOST:
        raise errors.UnsupportedError(
            f"inner functions call each other in more than {MOST} ways, and each is compiled by "
            "itself: make them functions of the module",
            counted[0].loc,
        )


INLINERS.append(inline_closures)
