"""The blocks of a function that is rewritten: labels are new, and phis fit the paths."""

from __future__ import annotations

from pathlib import Path

from numba.core import ir, ir_utils, untyped_passes

import prunus.kernel
from prunus.kernel.rewriting.consumers import new_label
from tests.kernel.battery import Idiom, outcome

BODY = """
r, last = 0, 0
for i, v in enumerate(t):
    if v % 2:
        continue
    for w in t:
        if w > v:
            r = r * 3 + w
            continue
        if w == i:
            break
        r ^= v + last
        last = w
    r &= 0xFFFFF
return r * 16 + last
"""


def gather(func_ir):
    """Let all edges to a block with a phi go through a new block, as canonicalization does."""
    cfg = ir_utils.compute_cfg_from_blocks(func_ir.blocks)
    found = 0
    for label, block in list(func_ir.blocks.items()):
        if not any(
            isinstance(statement.value, ir.Expr) and statement.value.op == "phi"
            for statement in block.find_insts(ir.Assign)
        ):
            continue
        new = max(func_ir.blocks) + 1
        for place, _ in list(cfg.predecessors(label)):
            ending = func_ir.blocks[place].terminator
            for name in ("target", "truebr", "falsebr"):
                if getattr(ending, name, None) == label:
                    setattr(ending, name, new)
        func_ir.blocks[new] = ir.Block(block.scope, block.loc)
        func_ir.blocks[new].body = [ir.Jump(label, block.loc)]
        found += 1
    return found


def test_phis_are_repaired_where_blocks_were_added(monkeypatch, tmp_path):
    plain, gathered = untyped_passes.reconstruct_ssa, []

    def reconstruct(func_ir):
        made = plain(func_ir)
        if made.func_id.func_name == "utility":
            gathered.append(gather(made))
        return made

    monkeypatch.setenv("PRUNUS_CACHE", "off")
    monkeypatch.setattr(untyped_passes, "reconstruct_ssa", reconstruct)
    found = outcome(Idiom("gathered_paths", BODY, "", "", "", "", False), tmp_path)
    assert found.kind == "agrees", found
    assert gathered and gathered[0] > 1


def test_labels_are_new(monkeypatch):
    monkeypatch.setattr(ir_utils._the_max_label, "_value", 3)
    assert new_label({0: None, 4: None, 70: None}) == 71
    assert new_label({0: None}) == 72


def test_labels_come_from_one_place():
    rooms = Path(prunus.kernel.__file__).parent
    asking = [path.name for path in rooms.rglob("*.py") if "next_label" in path.read_text()]
    assert asking == ["consumers.py"]
