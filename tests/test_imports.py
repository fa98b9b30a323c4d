"""Imports go down only, and each room knows what it may know."""

from __future__ import annotations

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "prunus"

# From the ground up; a module may import from its own row and from rows before it.
ROWS = [
    {"bits", "copies", "errors", "rng"},
    {"arrays", "state"},
    {"values"},
    {"game"},
    {"position"},
    {"grids"},
    {"evaluation"},
    {"analysis", "kernel", "games"},
    {"tables", "traces", "drawing"},
    {"search"},
    {"solving", "checking", "adapters"},
    {"play", "cluster"},
    {"theory"},
    {"cli", "studio"},
]
RANK = {name: rank for rank, row in enumerate(ROWS) for name in row}
FORBIDDEN = [("kernel", "games"), ("games", "kernel"), ("kernel", "analysis"), ("games", "analysis")]


def imports(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room(module):
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def modules():
    for path in SOURCE.rglob("*.py"):
        name = ".".join(("prunus", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__")
        yield name, path


def test_every_room_has_a_row():
    assert {room(name) for name, _ in modules()} - {"", *RANK} == set()


def test_imports_go_down():
    wrong = []
    for name, path in modules():
        for imported in imports(path):
            if room(name) and imported.startswith("prunus.") and room(imported) in RANK:
                own, other = room(name), room(imported)
                if RANK[other] > RANK[own] or (own, other) in FORBIDDEN:
                    wrong.append(f"{name} imports {imported}")
    assert wrong == []


def test_search_knows_neither_games_nor_numba():
    for name, path in modules():
        # The laboratory's experiments are done on games; the theory itself knows none.
        if room(name) in ("search", "tables", "theory") and not name.startswith("prunus.theory.lab.experiments."):
            assert not [i for i in imports(path) if i.startswith(("prunus.games", "numba", "llvmlite"))], name


def test_only_the_kernel_knows_numba():
    for name, path in modules():
        if room(name) != "kernel":
            assert not [i for i in imports(path) if i.split(".")[0] in ("numba", "llvmlite")], name


def test_games_do_not_import_each_other():
    shared = {"boards", "errors", "files", "tree"}
    for name, path in modules():
        parts = name.split(".")
        if room(name) == "games" and len(parts) >= 3 and parts[2] not in ("catalogue", *shared):
            others = [i.split(".")[2] for i in imports(path) if i.startswith("prunus.games.") and len(i.split(".")) > 2]
            assert set(others) <= shared | {parts[2]}, name


def test_files_and_functions_are_short():
    """Files of at most 400 lines, functions of at most 40 (search kernels 70)."""
    for name, path in modules():
        text = path.read_text()
        assert len(text.splitlines()) <= 400, name
        limit = 70 if room(name) == "search" else 40
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                assert node.end_lineno - node.lineno < limit, f"{name}.{node.name}"
