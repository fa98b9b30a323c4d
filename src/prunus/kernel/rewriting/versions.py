"""A pass for variables that hold long tuples: all versions of a variable share one place.

In single-assignment form a board that is changed in a loop has several versions, which would each
get storage of their own and be copied from one to the other in every iteration. At any time only
one of them is needed, so that the loop can work on one board where it lies.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from numba.core import ir, ir_utils, postproc
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.kernel.boards.packed import Packed
from prunus.kernel.rewriting.marks import catches


@register_pass(mutates_CFG=False, analysis_only=False)
class JoinedVersions(FunctionPass):
    """Gives the versions of such a variable one name again, once types are known and phis are
    assignments."""

    _name = "prunus_joined_versions"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir = state.func_ir
        families = _families(func_ir, state.typemap)
        if not families or func_ir.is_generator or catches(func_ir):
            return False
        alive = _alive_after(func_ir, {name for family in families for name in family})
        renamed: dict[str, Any] = {}
        for family in families:
            if not _meet(func_ir, set(family), alive):
                first = next(iter(family.values()))
                renamed |= {name: first for name in family if name != first.name}
        if not renamed:
            return False
        for block in func_ir.blocks.values():
            for statement in block.body:
                ir_utils.replace_vars_stmt(statement, renamed)
            block.body = [statement for statement in block.body if not _says_nothing(statement)]
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        postproc.PostProcessor(func_ir).run(emit_dels=False)
        return True


def _families(func_ir: Any, kinds: Any) -> list[dict[str, Any]]:
    """The versions of each variable with long tuples of one type: their variables by name."""
    found: dict[Any, dict[str, Any]] = defaultdict(dict)
    for _, statement in _assignments(func_ir):
        target = statement.target
        kind = kinds.get(target.name)
        is_made = not (target.is_temp or isinstance(statement.value, ir.Arg))
        if isinstance(kind, Packed) and is_made:
            found[target.unversioned_name, kind][target.name] = target
    return [family for family in found.values() if len(family) > 1]


def _assignments(func_ir: Any) -> Iterator[tuple[Any, Any]]:
    for block in func_ir.blocks.values():
        for statement in block.find_insts(ir.Assign):
            yield block, statement


def _says_nothing(statement: Any) -> bool:
    """Whether a statement assigns a variable to itself."""
    value = statement.value if isinstance(statement, ir.Assign) else None
    return isinstance(value, ir.Var) and value.name == statement.target.name


def _alive_after(func_ir: Any, names: set[str]) -> dict[int, set[str]]:
    """Those of some variables that are still read after each block, by the blocks' labels."""
    blocks = func_ir.blocks
    cfg = ir_utils.compute_cfg_from_blocks(blocks)
    before: dict[int, set[str]] = {label: set() for label in blocks}
    after: dict[int, set[str]] = {label: set() for label in blocks}
    grown = True
    while grown:
        grown = False
        for label, block in blocks.items():
            read = set().union(*(before[place] for place, _ in cfg.successors(label)))
            after[label] = read
            for statement in reversed(block.body):
                read = _alive_before(statement, read, names)
            if read != before[label]:
                before[label], grown = read, True
    return after


def _alive_before(statement: Any, after: set[str], names: set[str]) -> set[str]:
    """The variables that are read from a statement on, of those read after it."""
    if isinstance(statement, ir.Del):
        return after
    made = statement.target.name if isinstance(statement, ir.Assign) else None
    source = statement.value if made is not None else statement
    used = [source] if isinstance(source, ir.Var) else []
    if isinstance(source, ir.Inst):
        used = source.list_vars()
    return (after - {made}) | {each.name for each in used if each.name in names}


def _meet(func_ir: Any, family: set[str], alive: dict[int, set[str]]) -> bool:
    """Whether one version is made while another one is still to be read."""
    for label, block in func_ir.blocks.items():
        after = alive[label]
        for statement in reversed(block.body):
            if isinstance(statement, ir.Assign) and statement.target.name in family:
                others = (after & family) - {statement.target.name}
                value = statement.value
                if others - ({value.name} if isinstance(value, ir.Var) else set()):
                    return True
            after = _alive_before(statement, after, family)
    return False
