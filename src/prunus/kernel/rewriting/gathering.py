"""A loop that adds one item per iteration to a list, at one of several places (`if x:
found.append(a)`, `else: found.append(b)`), adds it at the end of the iteration instead: without
branches the loop can be vectorised."""

from __future__ import annotations

from typing import Any

from numba.core import ir, ir_utils

from prunus.kernel.containers.lengths import loop_around
from prunus.kernel.rewriting.consumers import new_label
from prunus.kernel.rewriting.escapes import names_of


def gathered(func_ir: Any, adding: list[tuple[int, Any]]) -> list[int]:
    """Make the loop do so. `adding` are the statements that look up the list's `append`, one of
    which each iteration passes, with the labels of their blocks. Returns the labels of the blocks
    that add items afterwards. Nothing else in the loop may use the list."""
    if len(adding) == 1:
        return [adding[0][0]]
    cfg = ir_utils.compute_cfg_from_blocks(func_ir.blocks)
    inner = loop_around(cfg, [label for label, _ in adding])
    lookup = adding[0][1]
    block = func_ir.blocks[inner.header]
    item = block.scope.redefine(ir_utils.mk_unique_var("$item"), loc=lookup.loc)
    methods = names_of(func_ir, [statement.target.name for _, statement in adding])
    for label in inner.body:
        func_ir.blocks[label].body = [
            kept
            for statement in func_ir.blocks[label].body
            for kept in _instead(statement, methods, item)
        ]
    last = ir.Block(block.scope, lookup.loc)
    method, nothing = (
        block.scope.redefine(ir_utils.mk_unique_var(name), loc=lookup.loc)
        for name in ("$append", "$nothing")
    )
    last.body = [
        ir.Assign(lookup.value, method, lookup.loc),
        ir.Assign(ir.Expr.call(method, [item], (), lookup.loc), nothing, lookup.loc),
        ir.Jump(inner.header, lookup.loc),
    ]
    label = new_label(func_ir.blocks)
    for place, _ in list(cfg.predecessors(inner.header)):
        if place in inner.body:
            _redirect(func_ir.blocks[place], inner.header, label)
    func_ir.blocks[label] = last
    func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
    return [label]


def _instead(statement: Any, methods: set[str], item: Any) -> list[Any]:
    """The statements that replace a statement: where the list got an item, this becomes the
    iteration's."""
    value = statement.value if isinstance(statement, ir.Assign) else None
    if isinstance(value, ir.Expr) and value.op == "call" and value.func.name in methods:
        return [
            ir.Assign(value.args[0], item, statement.loc),
            ir.Assign(ir.Const(None, statement.loc), statement.target, statement.loc),
        ]
    names = isinstance(statement, ir.Assign) and statement.target.name in methods
    return [] if names or isinstance(statement, ir.Del) else [statement]


def _redirect(block: Any, old: int, new: int) -> None:
    """Make a block continue at another label."""
    end = block.terminator
    targets = {
        name: new if getattr(end, name) == old else getattr(end, name)
        for name in ("target", "truebr", "falsebr")
        if hasattr(end, name)
    }
    block.body[-1] = (
        ir.Jump(targets["target"], end.loc)
        if "target" in targets
        else ir.Branch(end.cond, targets["truebr"], targets["falsebr"], end.loc)
    )


__all__ = ["gathered"]
