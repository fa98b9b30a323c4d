"""A pass for functions that read text fields of their arguments: a field that is read in a loop, or
at several places, is read once, where the function begins.

Each read makes a string with memory of its own, which a loop over the cells of a board would do for
every cell.
"""

from __future__ import annotations

from typing import Any

from numba.core import ir, postproc, types
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import build_definitions, mk_unique_var, replace_vars

from prunus.kernel.boards.texts import holds_text


@register_pass(mutates_CFG=False, analysis_only=False)
class TextReads(FunctionPass):
    """Read such fields once."""

    _name = "prunus_text_reads"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code, which is in single-assignment form; true if
        anything changed."""
        func_ir, kinds = state.func_ir, state.args
        if not any(map(_has_texts, kinds)):
            return False
        arguments = _arguments(func_ir)
        found: dict[tuple[int, str], list[tuple[int, Any]]] = {}
        for label, block in func_ir.blocks.items():
            for statement in block.find_insts(ir.Assign):
                place = _place(statement, func_ir, arguments, kinds)
                if place is not None:
                    found.setdefault(place, []).append((label, statement))
        in_loops = _labels_in_loops(func_ir.blocks)
        often = {
            place: reads
            for place, reads in found.items()
            if len(reads) > 1 or reads[0][0] in in_loops
        }
        for place, reads in often.items():
            _read_first(func_ir, place, [statement for _, statement in reads])
        if often:
            func_ir._definitions = build_definitions(func_ir.blocks)
            postproc.PostProcessor(func_ir).run(emit_dels=False)
        return bool(often)


def _has_texts(kind: Any) -> bool:
    return isinstance(kind, types.BaseNamedTuple) and any(map(holds_text, kind.types))


def _arguments(func_ir: Any) -> dict[str, int]:
    """The variables that are an argument, or another name of one, and nothing else: each with the
    argument's place."""
    found: dict[str, int] = {}
    while True:
        before = len(found)
        for block in func_ir.blocks.values():
            for statement in block.find_insts(ir.Assign):
                name, value = statement.target.name, statement.value
                if len(func_ir._definitions[name]) != 1:
                    continue
                if isinstance(value, ir.Arg):
                    found[name] = value.index
                elif isinstance(value, ir.Var) and value.name in found:
                    found[name] = found[value.name]
        if len(found) == before:
            return found


def _place(
    statement: Any, func_ir: Any, arguments: dict[str, int], kinds: Any
) -> tuple[int, str] | None:
    """The argument and the name of the text field that a statement reads; None for others."""
    value = statement.value
    if not (isinstance(value, ir.Expr) and value.op == "getattr"):
        return None
    if len(func_ir._definitions[statement.target.name]) != 1:
        return None
    index = arguments.get(value.value.name)
    kind = None if index is None else kinds[index]
    if not _has_texts(kind) or value.attr not in kind.fields:
        return None
    is_text = holds_text(kind.types[kind.fields.index(value.attr)])
    return (index, value.attr) if is_text and index is not None else None


def _labels_in_loops(blocks: Any) -> set[int]:
    loops = compute_cfg_from_blocks(blocks).loops().values()
    return {label for loop in loops for label in loop.body}


def _read_first(func_ir: Any, place: tuple[int, str], reads: list[Any]) -> None:
    """Let one statement where the function begins take the place of these."""
    block = func_ir.blocks[min(func_ir.blocks)]
    at, argument = next(
        (i, statement.target)
        for i, statement in enumerate(block.body)
        if isinstance(statement, ir.Assign)
        and isinstance(statement.value, ir.Arg)
        and statement.value.index == place[0]
    )
    loc = reads[0].loc
    name = block.scope.redefine(mk_unique_var(f"$prunus_text_{place[1]}"), loc=loc)
    read = ir.Assign(ir.Expr.getattr(argument, place[1], loc), name, loc)
    for other in func_ir.blocks.values():
        other.body = [statement for statement in other.body if statement not in reads]
    block.body.insert(at + 1, read)
    replace_vars(func_ir.blocks, {statement.target.name: name for statement in reads})
