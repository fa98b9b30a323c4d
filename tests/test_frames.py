"""One frame a ply: the path from the root to the current node is written in one place."""

from __future__ import annotations

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "prunus"

WRITERS = {
    "ply": {"engine/frames.py", "solving/together.py"},
    "path_action": {"engine/frames.py"},
    "path": {"algorithms/repetition.py"},
    "path_length": {"algorithms/repetition.py"},
    "lowest_repeat": {"algorithms/repetition.py"},
    "played": {"algorithms/repetition.py"},
    "path_state": {"solving/together.py"},
    "path_key": {"solving/together.py"},
    "path_alpha": {"solving/together.py"},
    "path_choices": {"solving/together.py"},
}
"""The fields of a memory that say where a search is, and the only files that may write them."""


def written(path):
    """The fields of memories that a file assigns to, whole or in part."""
    for node in ast.walk(ast.parse(path.read_text())):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        while targets:
            target = targets.pop()
            if isinstance(target, ast.Tuple | ast.List):
                targets += target.elts
            elif isinstance(target, ast.Subscript | ast.Starred):
                targets.append(target.value)
            elif isinstance(target, ast.Attribute):
                owner = target.value
                if "memory" in (getattr(owner, "id", None), getattr(owner, "attr", None)):
                    yield target.attr
                # `memory.path.array[:] = ...`
                targets.append(target.value)


def test_only_frames_write_where_a_search_is():
    found = {name: set() for name in WRITERS}
    for room in ("algorithms", "engine", "solving", "run", "tables", "learn"):
        for path in (SOURCE / room).rglob("*.py"):
            for name in written(path):
                if name in found:
                    found[name].add(str(path.relative_to(SOURCE)))
    assert found == WRITERS
