"""Which statements of a function certainly come before which others."""

from __future__ import annotations

from typing import Any

from numba.core import ir, ir_utils


class Precedence:
    """The statements of one function, as it is now."""

    def __init__(self, func_ir: Any) -> None:
        self.dominators = ir_utils.compute_cfg_from_blocks(func_ir.blocks).dominators()
        self.places: dict[int, tuple[int, int]] = {}
        self.assigned: dict[str, list[Any]] = {}
        for label, block in func_ir.blocks.items():
            for i, statement in enumerate(block.body):
                self.places[id(statement)] = label, i
                if isinstance(statement, ir.Assign):
                    self.assigned.setdefault(statement.target.name, []).append(statement)

    def comes_first(self, one: Any, other: Any) -> bool:
        """Whether a statement has certainly been run before each run of another one."""
        (label, i), (other_label, j) = self.places[id(one)], self.places[id(other)]
        if label == other_label:
            return i < j
        return label in self.dominators.get(other_label, ())

    def is_known(self, name: str, at: Any) -> bool:
        """Whether the one assignment of a name comes before a statement."""
        assigned = self.assigned.get(name, [])
        return len(assigned) == 1 and self.comes_first(assigned[0], at)
