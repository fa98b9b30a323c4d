"""Searches of small graphs with cycles, each position compared with backward analysis."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from prunus.theory.errata.cases import INF, Configuration
from prunus.theory.errata.cured import visit
from prunus.theory.lab.experiment import Experiment, Figure, LabError, Moments, Point, Value

Graph = Mapping[str, Sequence[str]]
"""The successors of each position, which lead to the other player. MAX moves at capital letters,
MIN at small ones. The finished games are called won and lost, as MAX sees them."""

ENDS: Final = {"won": 1, "lost": -1}
METHODS: Final = ("visiting", "visiting-cached", "any-table", "path-safe-table")


def backward(graph: Graph) -> dict[str, int]:
    """The value of every position for MAX, labelled backwards from the ends. A position that is
    never labelled is a draw."""
    known = dict(ENDS)
    while True:
        before = len(known)
        for node, below in graph.items():
            mine = 1 if node.isupper() else -1
            values = [known.get(child, 0) for child in below]
            if node not in known and mine in values:
                known[node] = mine
            elif node not in known and all(value == -mine for value in values):
                known[node] = -mine
        if len(known) == before:
            return {node: known.get(node, 0) for node in graph}


def visiting(graph: Graph, cache: dict[Configuration, float] | None) -> dict[str, int | None]:
    """The value of every position with steps back to the path left out; None if all are. With a
    cache, which is wrong, values are used on other paths too."""
    steps = {node: list(below) for node, below in graph.items()}
    said = {node: visit({**steps, **ENDS}, node, node.isupper(), cache=cache) for node in graph}
    return {node: int(value) if abs(value) < INF else None for node, value in said.items()}


def with_table(
    graph: Graph, node: str, path: tuple[str, ...], table: dict[str, int], safe: bool
) -> tuple[int, int]:
    """The value for MAX where a repetition is a draw, and the lowest ply of the path that a
    repetition below has referred to. A safe table keeps a value only if that ply is not above the
    node."""
    ply, free = len(path), len(graph) + 1
    if node in ENDS:
        return ENDS[node], free
    if node in path:
        return 0, path.index(node)
    if node in table:
        return table[node], free
    found = [with_table(graph, child, (*path, node), table, safe) for child in graph[node]]
    values, plies = zip(*found, strict=True)
    best = max(values) if node.isupper() else min(values)
    lowest = min(plies)
    if lowest >= ply or not safe:
        table[node] = best
    return best, lowest if lowest < ply else free


def answers(graph: Graph, method: str) -> dict[str, int | None]:
    """What a method says about every position, asked in their order with one table for all."""
    if method in ("visiting", "visiting-cached"):
        return visiting(graph, None if method == "visiting" else {})
    kept: dict[str, int] = {}
    safe = method == "path-safe-table"
    return {node: with_table(graph, node, (), kept, safe)[0] for node in graph}


def wrong(graph: Graph, method: str) -> list[str]:
    """The positions about which a method is wrong, or knows no value."""
    truth = backward(graph)
    return [node for node, value in answers(graph, method).items() if value != truth[node]]


def random_graph(positions: int, rng: random.Random) -> dict[str, tuple[str, ...]]:
    """A graph with one to three successors everywhere; half of the positions, or one more, are
    MAX's."""
    half = (positions + 1) // 2
    upper, lower = _names(half, positions - half)
    return {
        node: tuple(rng.sample([*others, *ENDS], min(rng.randint(1, 3), len(others) + 2)))
        for side, others in ((upper, lower), (lower, upper))
        for node in side
    }


def _names(mine: int, other: int) -> tuple[str, str]:
    letters = "abcdefghijklmnopqrstuvwxyz"
    return letters[:mine].upper(), letters[mine : mine + other]


def small_graphs(positions: int) -> Iterator[Graph]:
    """All graphs with this many positions, each with one or two successors in either order, and A
    for MAX to move."""
    for mine in range(1, positions):
        upper, lower = _names(mine, positions - mine)
        choices = [
            [some for size in (1, 2) for some in itertools.permutations([*others, *ENDS], size)]
            for others in (*[lower] * len(upper), *[upper] * len(lower))
        ]
        for below in itertools.product(*choices):
            yield dict(zip(upper + lower, below, strict=True))


def errors(graph: Graph, method: str) -> list[str]:
    """The positions to which a method gives a wrong value; of `visiting-cached` those where
    `visiting` is right, so that the cache is to blame."""
    said = answers(graph, method)
    shared = wrong(graph, "visiting") if method == "visiting-cached" else []
    return [node for node in wrong(graph, method) if said[node] is not None and node not in shared]


def smallest(methods: Sequence[str], most: int = 4) -> Graph | None:
    """A graph with the fewest positions, at most `most`, where each of the methods errs."""
    every = (graph for positions in range(2, most + 1) for graph in small_graphs(positions))
    return next((graph for graph in every if all(errors(graph, each) for each in methods)), None)


def common_graph(positions: int) -> Graph:
    """The first random graph where each method but the sound one errs."""
    rng = random.Random(0)  # noqa: S311 - graphs, not secrets
    while True:
        graph = random_graph(positions, rng)
        if all(errors(graph, method) for method in METHODS[:3]):
            return graph


def marked(graph: Graph, method: str) -> str:
    """The graph with every wrong position marked by what is said and what is true."""
    said, truth = answers(graph, method), backward(graph)
    return "; ".join(
        f"{node} -> {', '.join(below)}"
        + (f" (said {_word(said[node])}, is {_word(truth[node])})") * (said[node] != truth[node])
        for node, below in graph.items()
    )


def _word(value: int | None) -> str:
    return "nothing" if value is None else {1: "won", 0: "draw", -1: "lost"}[value]


def cycle_points(quick: bool) -> list[Point]:
    """Each method on graphs of several sizes."""
    sizes = (4, 6) if quick else (2, 4, 6, 8, 10)
    return [{"positions": size, "method": method} for method in METHODS for size in sizes]


def cycle_samples(point: Point, quick: bool) -> int:
    """The number of graphs."""
    return 100 if quick else 2_000


def check_cycles(point: Point) -> None:
    """Raise LabError unless the graph can be made and searched."""
    if point["method"] not in METHODS:
        raise LabError(f"method is one of {', '.join(METHODS)}, not {point['method']}")
    if not 2 <= int(point["positions"]) <= 12:
        raise LabError(f"positions are 2 to 12, not {point['positions']}: paths grow too many")


def measure_cycles(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """The share of graphs with a wrong position, and the share of wrong positions."""
    rng = random.Random(seed)  # noqa: S311 - graphs, not secrets
    positions = int(point["positions"])
    each = [len(wrong(random_graph(positions, rng), str(point["method"]))) for _ in range(count)]
    graphs = sum(map(bool, each))
    shares = [number / positions for number in each]
    return {
        "graphs": Moments(count, graphs, graphs),
        "wrong": Moments(count, sum(shares), sum(share * share for share in shares)),
    }


def cycle_theory(point: Point) -> Mapping[str, float]:
    """A path-safe table is never wrong."""
    return {"graphs": 0.0, "wrong": 0.0} if point["method"] == "path-safe-table" else {}


def cycle_finding(rows: Sequence[Mapping[str, Value | None]]) -> str:
    """The smallest graph with an error of each method, and one where all err."""
    said = []
    for method in METHODS[:3]:
        graph = smallest((method,))
        if graph is not None:
            said.append(f"`{method}`, {len(graph)} positions: `{marked(graph, method)}`.")
    common = common_graph(5)
    said.append("One graph in which all three err, searched by each method:")
    said += [f"`{method}`: `{marked(common, method)}`." for method in METHODS]
    return (
        "Of graphs with one or two successors everywhere these are the smallest with a wrong "
        f"value. {' '.join(said)}"
    )


EXPERIMENTS: Final = (
    Experiment(
        name="cycles",
        title="Searches of graphs with cycles, and how often they are wrong",
        source="Boldi 2002, games with cycles",
        says="Backward analysis gives the value of every position; who can force no end has a draw "
        "(see [games with cycles](cycles.md)). `visiting` leaves out steps back to the path, and "
        "knows no draws. `visiting-cached` keeps its values in a cache, as if they did not belong "
        "to a path. The tables count a repetition as a draw: `any-table` keeps every value, "
        "`path-safe-table` only those that refer to no position above. Every position of a random "
        "graph is asked in turn. `graphs` is the share of graphs with a wrong position, `wrong` "
        "the share of wrong positions; a position without any value counts as wrong. In the "
        "graphs below MAX moves at capital letters, and the wrong positions are marked.",
        points=cycle_points,
        samples=cycle_samples,
        block=250,
        measure=measure_cycles,
        theory=cycle_theory,
        check=check_cycles,
        finding=cycle_finding,
        figure=Figure(
            "positions",
            ("graphs", "wrong"),
            ("method",),
            x_label="positions of the graph",
            y_label="share that is wrong",
            apart=True,
            aside=0.2,
            names={"graphs": "graphs with a wrong position", "wrong": "wrong positions"},
        ),
    ),
)
