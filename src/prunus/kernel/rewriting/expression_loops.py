"""Loops over the items of a generator expression, `for v in (f(w) for w in t)`, perhaps numbered by
`enumerate`, in Numba's intermediate code: both become one loop, in which each item is computed when
the loop wants it, as in Python."""

from __future__ import annotations

from collections import Counter
from typing import Any

from numba.core import errors, ir, ir_utils

from prunus.kernel.rewriting.consuming import items_of
from prunus.kernel.rewriting.inlining import global_value, insert_inner, used_variables
from prunus.kernel.rewriting.marks import catches
from prunus.kernel.rewriting.woven import (
    Head,
    Numbers,
    enter_directly,
    head_of,
    is_reducible,
    weave_loop,
)


def merge_loop(func_ir: Any, label: int, i: int) -> bool:
    """Merge the loop for which statement `i` of a block makes an iterator with the generator
    expression that it goes over; false if it is something else. Raises UnsupportedError if they
    cannot be merged."""
    statement = func_ir.blocks[label].body[i]
    value = statement.value if isinstance(statement, ir.Assign) else None
    if not (isinstance(value, ir.Expr) and value.op == "getiter"):
        return False
    found, numbered = _source(func_ir, label, i, value.value)
    if found is None:
        return False
    if not catches(func_ir):
        enter_directly(func_ir.blocks)
    last = _entering(func_ir, label, statement.target)
    if last is None:
        return False
    gone = {id(value), id(found[1]), id(numbered)}
    _merge(func_ir, last, found, numbered, statement.loc)
    for block in func_ir.blocks.values():
        block.body = [_without(other, gone) for other in block.body]
    if not is_reducible(func_ir.blocks):
        raise errors.UnsupportedError(
            "this loop over a generator expression cannot be compiled: write its loops out",
            statement.loc,
        )
    return True


def _source(func_ir: Any, label: int, i: int, taken: Any) -> tuple[Any, Any]:
    """The generator expression whose items an iterator gives, None for others; and the call of
    `enumerate` that numbers them, if there is one."""
    found = items_of(func_ir, label, i, taken)
    call = ir_utils.guard(ir_utils.get_definition, func_ir, taken)
    if found is not None or not (isinstance(call, ir.Expr) and call.op == "call"):
        return found, None
    if global_value(func_ir, call.func) is not enumerate or call.kws or len(call.args) > 2:
        return None, None
    body = func_ir.blocks[label].body[:i]
    places = [n for n, other in enumerate(body) if getattr(other, "value", None) is call]
    alone = len(places) == 1 and Counter(used_variables(func_ir))[taken.name] == 1
    if not alone or any(len(func_ir._definitions[start.name]) != 1 for start in call.args[1:]):
        return None, None
    return items_of(func_ir, label, places[0], call.args[0]), call


def _entering(func_ir: Any, label: int, iterator: Any) -> int | None:
    """The label of the block that enters the loop over an iterator, which a block makes; None if
    the iterator is used in another way."""
    names, uses = {iterator.name}, Counter(used_variables(func_ir))
    cfg = ir_utils.compute_cfg_from_blocks(func_ir.blocks)
    while True:
        block = func_ir.blocks[label]
        for statement in block.body:
            copied = statement.value if isinstance(statement, ir.Assign) else None
            if (
                isinstance(copied, ir.Expr)
                and copied.op == "getiter"
                and copied.value.name in names
            ):
                copied = statement.value = copied.value  # the iterator of an iterator is itself
            if isinstance(copied, ir.Var) and copied.name in names:
                names.add(statement.target.name)
        if any(uses[name] != 1 or len(func_ir._definitions[name]) != 1 for name in names):
            return None
        if not isinstance(block.terminator, ir.Jump):
            return None
        target = block.terminator.target
        outside = [
            before
            for before, _ in cfg.predecessors(target)
            if target not in cfg.dominators().get(before, ())
        ]
        if outside != [label]:
            return None
        head = head_of(func_ir.blocks[target])
        if head is not None:
            return label if head.iterator.name in names else None
        label = target


def _merge(func_ir: Any, label: int, found: Any, numbered: Any, loc: Any) -> None:
    """Merge the loop that a block enters with a generator expression."""
    block = func_ir.blocks[label]
    head_label = block.terminator.target
    head = head_of(func_ir.blocks[head_label])
    assert isinstance(head, Head)
    made, call, _ = found
    numbers, nothing = None, block.scope.redefine(ir_utils.mk_unique_var("$nothing"), loc=loc)
    if numbered is not None:
        numbers = Numbers(block.scope.redefine(ir_utils.mk_unique_var("$number"), loc=loc))
        start = numbered.args[1] if len(numbered.args) == 2 else ir.Const(0, loc)
        block.body.insert(-1, ir.Assign(start, numbers.variable, loc))
    block.body.insert(-1, ir.Assign(call, nothing, loc))
    after, blocks = insert_inner(func_ir, label, len(block.body) - 2, made, call)
    del func_ir.blocks[after.label]
    weave_loop(func_ir, head_label, head, blocks, numbers)


def _without(statement: Any, gone: set[int]) -> Any:
    """A statement that no longer makes a generator, or something of one."""
    if isinstance(statement, ir.Assign) and id(statement.value) in gone:
        return ir.Assign(ir.Const(None, statement.loc), statement.target, statement.loc)
    return statement
