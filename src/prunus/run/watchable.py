"""What can be watched: the registry's algorithms, and one that is there for its lesson only."""

from __future__ import annotations

from typing import Final

from prunus.algorithms.alphabeta_strict import alphabeta_strict
from prunus.run.algorithm import Algorithm
from prunus.run.lines import sources_of
from prunus.run.registry import algorithm_named
from prunus.run.watching import Calls

STRICT: Final = Algorithm(
    name="alphabeta-strict",
    function=alphabeta_strict,
    summary="alpha-beta that cuts off above beta only",
    source="Knuth & Moore 1975, F2, with the other rule for ties",
    watch=Calls(nodes=(alphabeta_strict,)),
)
"""Shows what the rule for ties costs. It never visits less than alphabeta, so nobody searches with
it."""


def watched_named(name: str) -> Algorithm:
    """The algorithm of that name, STRICT included. Raises UnknownAlgorithm."""
    return STRICT if name == STRICT.name else algorithm_named(name)


def sources_named(name: str) -> dict[str, str]:
    """The texts of an algorithm's files by their names, the one with its entrance first. Raises
    UnknownAlgorithm."""
    chosen = watched_named(name)
    watched = () if chosen.watch is None else chosen.watch.procedures
    return sources_of((chosen.function, *watched))
