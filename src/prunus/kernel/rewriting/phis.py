"""Single assignment, with phis that fit the blocks: each names the blocks that lead to its own.

Numba builds the phis and then gives every loop a single back edge once more, by a new block that
gathers several edges. A phi that does not know such a block would make Numba refuse the function
when it removes dead branches later ("2967 is not in list").
"""

from __future__ import annotations

from typing import Any

from numba.core import errors, ir, ir_utils
from numba.core.compiler_machinery import register_pass
from numba.core.untyped_passes import ReconstructSSA


@register_pass(mutates_CFG=True, analysis_only=False)
class SingleAssignment(ReconstructSSA):
    """Numba's pass, after which the phis are repaired where blocks were added."""

    _name = "prunus_single_assignment"

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        changed: bool = super().run_pass(state)
        if repair_phis(state.func_ir):
            state.func_ir._definitions = ir_utils.build_definitions(state.func_ir.blocks)
        return changed


def repair_phis(func_ir: Any) -> bool:
    """Make all phis name the blocks that lead to theirs; true if one did not."""
    blocks, changed = func_ir.blocks, False
    phis = [
        (label, statement.value)
        for label, block in blocks.items()
        for statement in block.find_insts(ir.Assign)
        if _is_phi(statement)
    ]
    if not phis:
        return False
    cfg = ir_utils.compute_cfg_from_blocks(blocks)
    dead = cfg.dead_nodes()
    for label, phi in phis:
        before = [place for place, _ in cfg.predecessors(label)]
        if label in dead or set(before) == set(phi.incoming_blocks):
            continue
        known = dict(zip(phi.incoming_blocks, phi.incoming_values, strict=True))
        phi.incoming_values[:] = [_coming(blocks, cfg, place, known, phi.loc) for place in before]
        phi.incoming_blocks[:] = before
        changed = True
    return changed


def _is_phi(statement: Any) -> bool:
    value = statement.value if isinstance(statement, ir.Assign) else None
    return isinstance(value, ir.Expr) and value.op == "phi"


def _coming(blocks: Any, cfg: Any, label: int, known: dict[int, Any], loc: Any) -> Any:
    """The value that comes to a phi from a block. A block that only gathers edges of known blocks
    gets a phi of its own."""
    if label in known:
        return known[label]
    block, before = blocks[label], [place for place, _ in cfg.predecessors(label)]
    if not before or not all(map(_is_phi, block.body[:-1])):
        raise errors.UnsupportedError("the paths to this line do not fit together", loc=loc)
    phi = ir.Expr.phi(loc)
    phi.incoming_blocks += before
    phi.incoming_values += [_coming(blocks, cfg, place, known, loc) for place in before]
    made = block.scope.redefine(ir_utils.mk_unique_var("$gathered"), loc=loc)
    block.body.insert(0, ir.Assign(phi, made, loc))
    known[label] = made
    return made
