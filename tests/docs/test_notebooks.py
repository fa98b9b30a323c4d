"""The notebooks of `examples/notebooks/`: every cell runs, and every exercise has a folded
solution."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))

RUN = """
import json, sys
cells = json.load(open(sys.argv[1], encoding="utf-8"))["cells"]
scope = {"__name__": "__main__"}
for number, cell in enumerate(cells):
    if cell["cell_type"] == "code":
        exec(compile("".join(cell["source"]), f"cell {number}", "exec"), scope)
"""
"""What a kernel does with the cells of a notebook that are plain Python, without one."""


def cells_of(path):
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def test_there_is_one_a_lecture():
    assert [path.stem for path in NOTEBOOKS] == [
        "1-minimax",
        "2-alphabeta",
        "3-theorems",
        "4-engines",
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_runs(path):
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(path)],
        cwd=path.parent,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_exercises_are_followed_by_their_folded_solutions(path):
    cells = cells_of(path)
    exercises = [n for n, cell in enumerate(cells) if "**Exercise" in "".join(cell["source"])]
    assert len(exercises) >= 3
    for number in exercises:
        question, solution = cells[number + 1], cells[number + 2]
        assert question["cell_type"] == "code"
        assert "your answer" in "".join(question["source"])
        assert "solution" in solution["metadata"]["tags"]
        assert solution["metadata"]["jupyter"]["source_hidden"]
        assert "assert " in "".join(solution["source"])
    solutions = [
        n for n, cell in enumerate(cells) if "solution" in cell["metadata"].get("tags", ())
    ]
    assert solutions == [number + 2 for number in exercises]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_clean(path):
    """Version 4.5 of the format, cells with names of their own, nothing executed."""
    content = json.loads(path.read_text(encoding="utf-8"))
    assert (content["nbformat"], content["nbformat_minor"]) == (4, 5)
    names = [cell["id"] for cell in content["cells"]]
    assert len(set(names)) == len(names)
    for cell in content["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert cell["execution_count"] is None
