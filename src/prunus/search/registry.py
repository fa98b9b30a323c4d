"""The algorithms by their names."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from prunus.kernel.memory import Spec
from prunus.search.alphabeta import alphabeta
from prunus.search.alphabeta_hard import alphabeta_hard
from prunus.search.alphabeta_maxmin import max_value as alphabeta_max_value
from prunus.search.branch_and_bound import branch_and_bound
from prunus.search.cached_minimax import cached_minimax, complete_line
from prunus.search.labelling import labelling
from prunus.search.minimax import minimax
from prunus.search.minimax_extreme import minimax_extreme
from prunus.search.minimax_maxmin import max_value as minimax_max_value
from prunus.search.open_list_alphabeta import open_list_alphabeta
from prunus.search.open_list_minimax import open_list_minimax
from prunus.tables.cache import WAYS


class UnknownAlgorithm(ValueError):
    """No algorithm has this name; the message lists those that there are."""


@dataclass(frozen=True)
class Algorithm:
    """An algorithm: its `function`, called with those of game, state, depth, alpha, beta, bound and memory that it names. `windowed` says
    that a root action other than the best may get only a bound. `fields` gives the memory it needs beyond `driver.COMMON` for `depth`
    plies and at most `room` remembered or open nodes; `complete` finishes the principal variation."""

    name: str
    summary: str
    source: str
    function: Callable[..., int]
    windowed: bool = False
    fields: Callable[[int, int], Spec] | None = None
    complete: Callable[..., None] | None = None
    room: int = 0


def _tree_fields(depth: int, room: int) -> Spec:
    return {
        "node": ("state", room),
        "left": ("i32", room),
        "parent": ("i32", room),
        "action": ("i64", room),
        "label": ("i64", room),
        "choice": ("i32", room),
        "keeps": ("bool", room),
    }


def _open_fields(depth: int, room: int) -> Spec:
    return {
        "open_state": ("state", room),
        "open_depth": ("i32", room),
        "open_parent": ("i32", room),
        "open_first": ("i32", room),
        "open_action": ("i64", room),
        "open_label": ("i64", room),
        "open_keeps": ("bool", room),
        "open_labelled": ("bool", room),
    }


def _cache_fields(depth: int, room: int) -> Spec:
    return {
        "cache_state": ("state", room + WAYS),
        "cache_depth": ("i32", room + WAYS),
        "cache_value": ("i64", room + WAYS),
        "cache_action": ("i64", room + WAYS),
        "cache_limited": ("bool", room + WAYS),
    }


_KNUTH_MOORE = "Knuth & Moore 1975"

ALGORITHMS: dict[str, Algorithm] = {
    a.name: a
    for a in (
        Algorithm("minimax", "every position, one procedure for both players", f"{_KNUTH_MOORE}, F", minimax),
        Algorithm("minimax-maxmin", "every position, MAX and MIN apart", f"{_KNUTH_MOORE}, F and G", minimax_max_value),
        Algorithm("minimax-extreme", "minimax that stops where a value cannot be improved", "Di Lena 2022", minimax_extreme),
        Algorithm(
            "labelling", "the whole tree in memory, labelled from the leaves up", "source 001", labelling, False, _tree_fields, None, 10**7
        ),
        Algorithm("branch-and-bound", "one bound, no deep cut-offs", f"{_KNUTH_MOORE}, F1", branch_and_bound, True),
        Algorithm("alphabeta", "alpha-beta, fail-soft", f"{_KNUTH_MOORE}, F2; Fishburn 1983", alphabeta, True),
        Algorithm("alphabeta-hard", "alpha-beta, fail-hard", f"{_KNUTH_MOORE}, F2", alphabeta_hard, True),
        Algorithm("alphabeta-maxmin", "alpha-beta, MAX and MIN apart", f"{_KNUTH_MOORE}, F2 and G2", alphabeta_max_value, True),
        Algorithm(
            "open-list-minimax", "minimax on an open list, no recursion", "source 001", open_list_minimax, False, _open_fields, None, 10**6
        ),
        Algorithm(
            "open-list-alphabeta",
            "alpha-beta on an open list, no recursion",
            "source 001",
            open_list_alphabeta,
            True,
            _open_fields,
            None,
            10**6,
        ),
        Algorithm(
            "cached-minimax",
            "minimax that searches each position once",
            "Boldi 2002",
            cached_minimax,
            False,
            _cache_fields,
            complete_line,
            1 << 20,
        ),
    )
}


def algorithm_named(name: str) -> Algorithm:
    """The algorithm of that name. Raises UnknownAlgorithm."""
    if name not in ALGORITHMS:
        close = difflib.get_close_matches(name, ALGORITHMS, 1)
        hint = f"; did you mean {close[0]}?" if close else "."
        raise UnknownAlgorithm(f"there is no algorithm {name!r}{hint} There are: {', '.join(ALGORITHMS)}")
    return ALGORITHMS[name]


def arguments_of(game: Any, state: Any, depth: int, memory: Any) -> dict[str, Any]:
    """Everything that a search from the root may name among its parameters, with the open window."""
    from prunus.game import INFINITY

    return {"game": game, "state": state, "depth": depth, "alpha": -INFINITY, "beta": INFINITY, "bound": INFINITY, "memory": memory}
