"""What the slips are shown on, all of them, the smallest first: trees as nested lists, graphs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import permutations, product
from typing import Any, Final, TypeAlias, TypeVar

Tree: TypeAlias = "int | list[Tree]"
"""A leaf, worth a number for MAX, or the list of the trees below an inner node."""

Shape: TypeAlias = "tuple[Shape, ...]"
"""A tree without values: a leaf is ()."""

Graph = dict[str, list[str] | int]
"""A node leads to a list of nodes, or is a leaf with its value for MAX. The turn changes with every
step."""

Configuration = tuple[str, bool]
"""A node of a graph, and whether MAX moves in it."""

Case: TypeAlias = Any
"""What a slip is shown on: a tree, a graph or a depth."""

INF: Final = math.inf

LEAVES: Final[Graph] = {"win": 1, "loss": -1}

T = TypeVar("T")


def estimate(tree: list[Tree]) -> int:
    """An evaluation for MAX of a node that is not a leaf, for searches that stop at a depth: the
    number of its children."""
    return len(tree)


@lru_cache(maxsize=256)
def shapes(nodes: int) -> tuple[Shape, ...]:
    """All ordered trees of this many nodes."""
    return tuple(tuple(forest) for forest in _forests(nodes - 1))


def _forests(nodes: int) -> Iterator[list[Shape]]:
    """All rows of trees that have this many nodes together."""
    if nodes == 0:
        yield []
    for first in range(1, nodes + 1):
        for tree in shapes(first):
            for others in _forests(nodes - first):
                yield [tree, *others]


def leaves_in(shape: Shape) -> int:
    """The number of leaves of a shape."""
    return sum(map(leaves_in, shape)) if shape else 1


def filled(shape: Shape, values: Iterator[int]) -> Tree:
    """The tree of a shape, with these values at the leaves."""
    return [filled(child, values) for child in shape] if shape else next(values)


def trees_by_size(values: tuple[int, ...] = (0, 1, 2, 3), most: int = 9) -> Iterator[Tree]:
    """All trees with an inner root and up to `most` nodes, those with fewer nodes first; among
    equals, those with few different values."""
    for nodes in range(2, most + 1):
        for count in range(1, len(values) + 1):
            for shape in shapes(nodes):
                for chosen in product(values[:count], repeat=leaves_in(shape)):
                    if count == 1 or values[count - 1] in chosen:
                        yield filled(shape, iter(chosen))


def graphs_by_size(most: int = 8) -> Iterator[Graph]:
    """All graphs of up to four inner nodes and `most` steps, those with fewer steps first."""
    for steps in range(1, most + 1):
        for count in range(1, min(4, steps) + 1):
            names = "abcd"[:count]
            for degrees in product(range(1, 4), repeat=count):
                if sum(degrees) == steps:
                    ends = [
                        permutations([n for n in (*names, *LEAVES) if n != name], degree)
                        for name, degree in zip(names, degrees, strict=True)
                    ]
                    for chosen in product(*ends):
                        graph = dict(zip(names, map(list, chosen), strict=True)) | LEAVES
                        if _is_in_order(graph, names):
                            yield graph


def _is_in_order(graph: Graph, names: str) -> bool:
    """Whether the inner nodes are met in the order of their names from the first one on, breadth
    first: of graphs that differ in names alone one is."""
    met = ["a"]
    for name in met:
        below = graph[name]
        assert isinstance(below, list)
        met += [other for other in below if other in names and other not in met]
        if not names.startswith("".join(met)):
            return False
    return len(met) == len(names)


def text_of(graph: Graph) -> str:
    """A graph as text: `a -> b win; b -> a`."""
    return "; ".join(
        f"{name} -> {' '.join(below)}" for name, below in graph.items() if isinstance(below, list)
    )


def smallest(
    cases: Iterator[T], differs: Callable[[T], bool], watch: Callable[[int], None] | None = None
) -> T:
    """The first case that differs; `watch` is told now and then how many were tried. Raises
    LookupError if none does."""
    for number, case in enumerate(cases):
        if watch is not None and number % 1000 == 0:
            watch(number)
        if differs(case):
            return case
    raise LookupError("no case of the sizes that were tried differs")
