"""The algorithms by their names."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from prunus.algorithms.alphabeta import alphabeta
from prunus.algorithms.alphabeta_hard import alphabeta_hard
from prunus.algorithms.alphabeta_maxmin import max_value as alphabeta_max_value
from prunus.algorithms.alphabeta_table import alphabeta_table
from prunus.algorithms.branch_and_bound import branch_and_bound
from prunus.algorithms.cached_minimax import cached_minimax, complete_line
from prunus.algorithms.labelling import labelling
from prunus.algorithms.maxn import maxn, maxn_shallow, payoff_fields
from prunus.algorithms.minimax import minimax
from prunus.algorithms.minimax_extreme import extreme_fields, minimax_extreme
from prunus.algorithms.minimax_maxmin import max_value as minimax_max_value
from prunus.algorithms.mtdf import dual, mtdf, sss
from prunus.algorithms.open_list_alphabeta import open_list_alphabeta
from prunus.algorithms.open_list_minimax import open_list_minimax
from prunus.algorithms.paranoid import paranoid, protagonist_fields
from prunus.algorithms.pvs import pvs
from prunus.algorithms.sss_stockman import sss_stockman
from prunus.algorithms.visiting import visiting, visiting_fields
from prunus.core.errors import PrunusError
from prunus.engine.options import FIT_WORDS, Options
from prunus.engine.picking import ordering_fields
from prunus.engine.search import engine
from prunus.kernel.memory import Spec
from prunus.solving.prove import answer, prove_fields
from prunus.tables.cache import WAYS


class UnknownAlgorithm(PrunusError, ValueError):
    """No algorithm has this name; the message lists those that there are."""


@dataclass(frozen=True)
class Algorithm:
    """An algorithm: its `function`, called with those of game, state, depth, alpha, beta, bound and memory that it names. `windowed` says
    that a root action other than the best may get only a bound. `fields` gives the memory it needs beyond `session.new_memory`'s own for
    `depth` plies and at most `room` remembered or open nodes; `complete` finishes the principal variation. `table` says that it works
    with a transposition table, `strategy` how its searches follow one another: "once", "deepen" or "aspiration".
    `extra` plies of memory let it go deeper than it is asked to; then it counts plies in `memory.ply`. `parallel` algorithms have use for
    several threads. `heeds`: it does what the rules say of a position that comes again, and needs `repetition.path_fields` for that."""

    name: str
    summary: str
    source: str
    function: Callable[..., int]
    windowed: bool = False
    fields: Callable[[int, int], Spec] | None = None
    complete: Callable[..., None] | None = None
    room: int = 0
    table: bool = False
    strategy: str = "once"
    extra: int = 0
    parallel: bool = False
    heeds: bool = False


def _passes(depth: int, room: int) -> Spec:
    return {"guess": "i64", "passes": "i64"}


def _researches(depth: int, room: int) -> Spec:
    return {"researches": "i64"}


EXTRA = 64
"""The plies by which quiescence and extensions may go beyond the depth limit."""


def _engine_fields(depth: int, room: int) -> Spec:
    return {
        **_researches(depth, room),
        **ordering_fields(depth),
        "budget": ("i64", depth + 2),
        "fit": ("i64", FIT_WORDS),
        "busy": ("u64", 0),
        **Options().settings(),
    }


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


def _best_first_fields(depth: int, room: int) -> Spec:
    return {
        "node": ("state", room),
        "left": ("i32", room),
        "parent": ("i32", room),
        "action": ("i64", room),
        "merit": ("i64", room),
        "status": ("u8", room),
        "choice": ("i32", room),
        "is_max": ("bool", room),
        "is_last": ("bool", room),
        "heap": ("i32", room),
        "stored": "i64",
        "waiting": "i64",
    }


_KNUTH_MOORE = "Knuth & Moore 1975"

ALGORITHMS: dict[str, Algorithm] = {
    a.name: a
    for a in (
        Algorithm("minimax", "every position, one procedure for both players", f"{_KNUTH_MOORE}, F", minimax, heeds=True),
        Algorithm("minimax-maxmin", "every position, MAX and MIN apart", f"{_KNUTH_MOORE}, F and G", minimax_max_value),
        Algorithm(
            "minimax-extreme", "minimax that stops where a value cannot be improved", "Di Lena 2022", minimax_extreme, False, extreme_fields
        ),
        Algorithm(
            "labelling", "the whole tree in memory, labelled from the leaves up", "source 001", labelling, False, _tree_fields, None, 10**7
        ),
        Algorithm("branch-and-bound", "one bound, no deep cut-offs", f"{_KNUTH_MOORE}, F1", branch_and_bound, True),
        Algorithm("alphabeta", "alpha-beta, fail-soft", f"{_KNUTH_MOORE}, F2; Fishburn 1983", alphabeta, True, heeds=True),
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
        Algorithm(
            "iterative-deepening",
            "alpha-beta with a table, one ply deeper each time",
            "Slate & Atkin 1977",
            alphabeta_table,
            True,
            table=True,
            strategy="deepen",
            heeds=True,
        ),
        Algorithm(
            "aspiration",
            "iterative deepening with a window around the last value",
            "Slate & Atkin 1977",
            alphabeta_table,
            True,
            table=True,
            strategy="aspiration",
            heeds=True,
        ),
        Algorithm(
            "engine",
            "all that helps: deepening, PVS, table, ordering, options",
            "see each part",
            engine,
            True,
            _engine_fields,
            table=True,
            strategy="aspiration",
            extra=EXTRA,
            parallel=True,
            heeds=True,
        ),
        Algorithm("visiting", "minimax without repetitions; no proof", "Boldi 2002", visiting, False, visiting_fields),
        Algorithm("pvs", "principal variation search (NegaScout)", "Reinefeld 1983", pvs, True, _researches, table=True, heeds=True),
        Algorithm(
            "mtdf", "null windows from a first guess", "Plaat et al. 1996", mtdf, True, _passes, table=True, strategy="deepen", heeds=True
        ),
        Algorithm(
            "sss", "SSS*, as null windows from above", "Stockman 1979; Plaat et al. 1996", sss, True, _passes, table=True, heeds=True
        ),
        Algorithm(
            "sss-stockman",
            "SSS* as a best-first search with an OPEN list",
            "Stockman 1979; Pearl 1984",
            sss_stockman,
            True,
            _best_first_fields,
            None,
            10**7,
        ),
        Algorithm(
            "dual",
            "DUAL*, as null windows from below",
            "Marsland et al. 1987; Plaat et al. 1996",
            dual,
            True,
            _passes,
            table=True,
            heeds=True,
        ),
    )
}


PROVE = Algorithm("prove", "null windows to the end of the game", "Pearl 1984", answer, True, prove_fields, parallel=True)
"""How the engine solves what deepening does not finish cheaply; it has no depth and so no name to be called by."""

SEVERAL: dict[str, Algorithm] = {
    a.name: a
    for a in (
        Algorithm("maxn", "more than two players, each for himself", "Luckhardt & Irani 1986", maxn, False, payoff_fields),
        Algorithm("maxn-shallow", "max^n with shallow pruning", "Korf 1991", maxn_shallow, True, payoff_fields),
        Algorithm("paranoid", "all others against the root's player", "Sturtevant & Korf 2000", paranoid, True, protagonist_fields),
    )
}
"""The algorithms for games of more than two players."""


def algorithm_named(name: str) -> Algorithm:
    """The algorithm of that name. Raises UnknownAlgorithm."""
    known = ALGORITHMS | SEVERAL
    if name not in known:
        close = difflib.get_close_matches(name, known, 1)
        hint = f"; did you mean {close[0]}?" if close else "."
        raise UnknownAlgorithm(f"there is no algorithm {name!r}{hint} There are: {', '.join(known)}")
    return known[name]


def arguments_of(game: Any, state: Any, depth: int, memory: Any) -> dict[str, Any]:
    """Everything that a search from the root may name among its parameters, with the open window."""
    from prunus.core.game import INFINITY

    return {"game": game, "state": state, "depth": depth, "alpha": -INFINITY, "beta": INFINITY, "bound": INFINITY, "memory": memory}
