"""Imports only go down, no files import each other in a circle, and each room knows only what it
may know."""

from __future__ import annotations

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "prunus"

# From the ground up; a module may import from its own row and from rows before it.
ROWS = [
    {"core"},
    {"evaluation"},
    {"kernel", "games"},
    {"tables", "view"},
    {"algorithms"},
    {"engine"},
    {"solving"},
    {"run"},
    {"learn", "books", "checking", "adapters", "databases", "certificates"},
    {"play", "cluster"},
    {"theory"},
    {"cli", "studio"},
    {"__main__"},
]
RANK = {name: rank for rank, row in enumerate(ROWS) for name in row}
FORBIDDEN = [("kernel", "games"), ("games", "kernel"), ("kernel", "view")]

KERNEL = [
    "pipeline",
    "reporting",
    "code",
    "numbers",
    "boards",
    "containers",
    "rewriting",
    "compiling",
]
"""The rooms of the kernel, from the ground up. Files in none of them are its interface to the other
rooms, which may otherwise only import GROUND."""
EXPLICIT_TREE = [
    "prunus.games.tree",
    *(f"prunus.games.tree.{name}" for name in ("ExplicitTree", "TreeNode", "coordinates")),
]
GROUND = {"columns", "memory", "threads", "waiting", "calling"}


def imports(path, running=False):
    """The imports of a file; with `running`, only those that it needs to run, not those for types
    alone."""
    nodes = [ast.parse(path.read_text())]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        if not (running and isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)):
            nodes += ast.iter_child_nodes(node)


def room(module):
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def modules():
    for path in SOURCE.rglob("*.py"):
        name = ".".join(("prunus", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(
            ".__init__"
        )
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


def test_imports_go_down_inside_the_kernel():
    wrong = []
    for name, path in modules():
        parts = name.split(".")
        if parts[1:2] == ["kernel"] and len(parts) > 3:
            for imported in imports(path):
                others = imported.split(".")
                if others[:2] == ["prunus", "kernel"] and len(others) > 2:
                    below = KERNEL[: KERNEL.index(parts[2]) + 1]
                    if others[2] not in GROUND and others[2] not in below:
                        wrong.append(f"{name} imports {imported}")
    assert wrong == []


def test_no_circles():
    files = dict(modules())
    graph = {
        name: {other for other in imports(path, running=True) if other in files} - {name, "prunus"}
        for name, path in files.items()
    }
    while True:
        # A file without remaining imports cannot be part of a circle.
        free = {name for name, others in graph.items() if not others & graph.keys()}
        if not free:
            break
        graph = {name: others for name, others in graph.items() if name not in free}
    assert {name: sorted(others & graph.keys()) for name, others in graph.items()} == {}


def test_the_kernel_and_games_know_no_answers():
    for name, path in modules():
        if room(name) in ("kernel", "games"):
            assert "prunus.core.analysis" not in imports(path), name


def test_searches_know_neither_games_nor_numba():
    for name, path in modules():
        # The laboratory's experiments use games; the theory itself knows only trees written out.
        searches = ("algorithms", "engine", "solving", "run", "tables", "theory")
        known = EXPLICIT_TREE if room(name) == "theory" else ()
        if room(name) in searches and not name.startswith("prunus.theory.lab.experiments."):
            assert not [
                i
                for i in imports(path)
                if i.startswith(("prunus.games", "numba", "llvmlite")) and i not in known
            ], name


def test_only_the_kernel_knows_numba():
    for name, path in modules():
        if room(name) != "kernel":
            assert not [i for i in imports(path) if i.split(".")[0] in ("numba", "llvmlite")], name


def test_games_do_not_import_each_other():
    shared = {"boards", "entry", "errors", "files", "recommended", "tree"}
    for name, path in modules():
        parts = name.split(".")
        if (
            room(name) == "games"
            and len(parts) >= 3
            and parts[2] not in ("catalogue", "entries", *shared)
        ):
            others = [
                i.split(".")[2]
                for i in imports(path)
                if i.startswith("prunus.games.") and len(i.split(".")) > 2
            ]
            assert set(others) <= shared | {parts[2]}, name


def test_files_and_functions_are_short():
    """Files of at most 400 lines, functions of at most 40 (searches, and the calls that users make,
    70) below their signatures and docstrings."""
    for name, path in modules():
        text = path.read_text()
        assert len(text.splitlines()) <= 400, name
        limit = 70 if room(name) in ("algorithms", "engine", "solving", "run") else 40
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                body = node.body[1:] if ast.get_docstring(node) and node.body[1:] else node.body
                assert body[-1].end_lineno - body[0].lineno < limit, f"{name}.{node.name}"


MOST_PARAMETERS = 7
ASKED_BY_NAME = {"analyze", "solve", "iterations", "compare", "trace"}
"""The calls that users make. After position, algorithm and depth, all their arguments have defaults
and can only be given by name, so that nobody has to know more of them than they need."""


def parameters(function):
    """A function's parameters, without `self` and `cls`."""
    given = function.args
    names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    names += [each.arg for each in (given.vararg, given.kwarg) if each]
    return names[names[:1] in (["self"], ["cls"]) :]


def is_command(function):
    """Whether a function is a command of the command line: its parameters are the command's
    options."""
    return any(
        isinstance(mark, ast.Call) and getattr(mark.func, "attr", "") == "command"
        for mark in function.decorator_list
    )


def test_functions_have_few_parameters():
    asked = set()
    for name, path in modules():
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.FunctionDef | ast.Lambda)
                and len(parameters(node)) > MOST_PARAMETERS
            ):
                assert isinstance(node, ast.FunctionDef), f"{name}, line {node.lineno}"
                if room(name) == "run" and node.name in ASKED_BY_NAME:
                    by_position = [*node.args.posonlyargs, *node.args.args]
                    assert len(by_position) <= 4, node.name
                    assert None not in node.args.kw_defaults, node.name
                    asked.add(node.name)
                elif not (room(name) == "cli" and is_command(node)):
                    raise AssertionError(f"{name}.{node.name}: {len(parameters(node))} parameters")
    assert asked == ASKED_BY_NAME


UNTYPED = {
    "core.generic": 3,  # what a game's States are if it does not say; keyword arguments; JSON
    "core.fields": 1,  # what the fields of a State hold
    "core.arrays": 1,  # the items of an array, or its rows
    "core.memory": 1,  # an array of States
    "core.knowledge.evaluation": 2,  # rows and weights: of the evaluation's own types
    "games.connect_four.rules": 1,  # a State: of the class for a board's size
    "run.background": 2,  # the keyword arguments of `iterations`
    "checking.walk": 1,  # the result of any method of a game
    "cli.searching": 1,  # further keyword arguments of `analyze`
    "adapters.values": 1,  # objects of other libraries
    "theory.errata.cases": 1,  # a tree, a graph or a depth
    "theory.sampling": 1,  # a game that is also `Trees`
    "theory.lab.plots": 1,  # objects of Matplotlib
    "theory.lab.workers": 1,  # objects of Dask
}
"""Where `Any` may stand outside the kernel, and how often; mostly one name for all such values."""


def test_any_stands_in_few_places():
    """Everything else has a type: States are those of a `Game[S]`, or an `object` where they are
    only handed on; memories have protocols, so that the type checker finds a misspelt field."""
    found = {}
    for name, path in modules():
        if room(name) == "kernel":
            continue
        nodes = ast.walk(ast.parse(path.read_text()))
        count = sum(isinstance(node, ast.Name) and node.id == "Any" for node in nodes)
        if count:
            found[name.removeprefix("prunus.")] = count
    assert found == UNTYPED
