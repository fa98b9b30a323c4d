"""The slips that `prunus errata` shows, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Final

from prunus.core.errors import SearchError
from prunus.theory.errata import as_printed, cured
from prunus.theory.errata.cases import (
    INF,
    Case,
    Graph,
    Tree,
    graphs_by_size,
    smallest,
    trees_by_size,
)
from prunus.theory.errata.tracing import Run, watched

Attempt = Callable[[Case], object]
"""Runs one of the two programs on a case; the result is what is compared."""


@dataclass(frozen=True)
class Slip:
    """A passage of a source that is wrong as printed. `says` and `right` tell what it prints and
    what it should; `printed` and `cured` run it; `cases` are tried for the first on which `printed`
    gives another result; those for which `counts` is false are passed over. `watch` names the
    functions whose calls are shown, `asks` says what is asked of them, beside the case."""

    name: str
    where: str
    says: str
    right: str
    printed: Attempt
    cured: Attempt
    watch: tuple[str, ...]
    asks: str = ""
    cases: Callable[[], Iterator[Case]] = trees_by_size
    counts: Callable[[Case], bool] = lambda case: True

    def smallest(self, watch: Callable[[int], None] | None = None) -> Case:
        """The smallest case on which the two differ; `watch` as in `cases.smallest`."""
        return smallest(self.cases(), self.differs, watch)

    def differs(self, case: Case) -> bool:
        """Whether the two give different results, or the printed one an error, in a case that
        counts."""
        try:
            found = bool(self.printed(case) != self.cured(case))
        except IndexError:
            return True
        return found and self.counts(case)

    def runs(self, case: Case) -> tuple[Run, Run]:
        """Both programs on a case, with their calls."""
        functions = [
            getattr(module, name)
            for module in (as_printed, cured)
            for name in self.watch
            if hasattr(module, name)
        ]
        return (
            watched(partial(self.printed, case), functions),
            watched(partial(self.cured, case), functions),
        )


def slip_named(name: str) -> Slip:
    """A slip by its name. Raises SearchError."""
    for slip in SLIPS:
        if slip.name == name:
            return slip
    names = ", ".join(slip.name for slip in SLIPS)
    raise SearchError(f"there is no slip {name!r}; there are {names}")


def _end_of_line(program: Callable[..., float], tree: Tree) -> str:
    """The value that a program with a line finds, and the leaf to which the line leads."""
    line: list[int] = []
    value, at = program(tree, -INF, INF, line), tree
    for i in line:
        if not isinstance(at, list) or i >= len(at):
            return f"value {value}, line {line}, which is none of the tree"
        at = at[i]
    return f"value {value}, line {line}, which ends at {at}"


def _value_of_move(choose: Callable[[list[Tree]], int], tree: list[Tree]) -> float:
    """The value of the move that a program chooses."""
    return cured.minimize(tree[choose(tree)], -INF, INF)


def is_decided(graph: Graph) -> bool:
    """Whether someone can force the end of the game from a: it has the same value whatever endless
    play is worth."""
    return _endless(graph, 1) == _endless(graph, -1)


def _endless(graph: Graph, worth: int) -> int:
    """The value of a, MAX to move, if endless play is worth this: minimax to more plies than there
    are configurations."""
    names = [name for name, below in graph.items() if isinstance(below, list)]
    values = {
        (name, is_max): below if isinstance(below, int) else worth
        for name, below in graph.items()
        for is_max in (True, False)
    }
    for _ in range(2 * len(names)):
        values |= {
            (name, is_max): (max if is_max else min)(
                values[below, not is_max]
                for below in graph[name]  # type: ignore[union-attr]
            )
            for name in names
            for is_max in (True, False)
        }
    return values["a", True]


SLIPS: Final = (
    Slip(
        "000-f1",
        "source 000, algorithm 2 (branch and bound)",
        "the result is assigned inside the test for an improvement, after the break",
        "it is assigned after the loop",
        lambda tree: as_printed.f1(tree, INF),
        lambda tree: cured.f1(tree, INF),
        ("f1",),
    ),
    Slip(
        "000-f2",
        "source 000, algorithm 3 (alpha-beta)",
        "the result is assigned inside the test for an improvement, after the break",
        "it is assigned after the loop",
        lambda tree: as_printed.f2(tree, -INF, INF),
        lambda tree: cured.f2(tree, -INF, INF),
        ("f2",),
    ),
    Slip(
        "000-g2",
        "source 000, algorithm 4, the procedure of MIN",
        "it starts from alpha",
        "it starts from beta: from alpha nothing is an improvement for MIN",
        lambda tree: as_printed.f2_maxmin(tree, -INF, INF),
        lambda tree: cured.f2_maxmin(tree, -INF, INF),
        ("f2_maxmin", "g2"),
    ),
    Slip(
        "001-loop",
        "source 001, maxValue and minValue",
        "the counter of the loop runs up to the number of moves",
        "it stays below",
        as_printed.max_value,
        cured.max_value,
        ("max_value",),
    ),
    Slip(
        "001-ab",
        "source 001, AB",
        "it calls the procedure of MAX for both players",
        "it calls the one of MIN if MIN is to move",
        lambda tree: as_printed.ab(tree, False),
        lambda tree: cured.minimize(tree, -INF, INF),
        ("ab", "maximize", "minimize"),
        "MIN to move",
    ),
    Slip(
        "001-window",
        "source 001, negamax, the prose",
        "alpha and beta are both -infinity at first",
        "beta is infinity",
        lambda tree: cured.f2(tree, -INF, -INF),
        lambda tree: cured.f2(tree, -INF, INF),
        ("f2",),
    ),
    Slip(
        "001-pvs",
        "source 001, PVS",
        "the second search has the window (val, a + 1), which is empty",
        "it has (val, b)",
        lambda tree: as_printed.pvs(tree, -INF, INF),
        lambda tree: cured.pvs(tree, -INF, INF),
        ("pvs",),
    ),
    Slip(
        "001-depth",
        "source 001, PVS",
        "the search stops at depth < 0",
        "it stops at depth 0",
        as_printed.deepest_ply,
        cured.deepest_ply,
        ("deepest_ply",),
        "the ply at which a search of an endless tree stops",
        lambda: count(0),
    ),
    Slip(
        "001-path",
        "source 001, PVS across iterations",
        "one path below serves all children, and is never cleared",
        "it is cleared for each child",
        partial(_end_of_line, as_printed.pvs_line),
        partial(_end_of_line, cured.pvs_line),
        ("pvs_line",),
        "the value and the line to it",
    ),
    Slip(
        "001-open-list",
        "source 001, alpha-beta on an open list, step 3",
        "the bound comes from the labels of the same player's ancestors and of the whole level",
        "it comes from the labels of the other player's ancestors",
        as_printed.list_alphabeta,
        partial(as_printed.list_alphabeta, cured=True),
        ("cuts",),
        "cuts: does the node at this place, with this label, cut off its parent?",
    ),
    Slip(
        "003-level",
        "source 003, bounded lookahead",
        "MIN's branch calls without the level, which starts at 0 again",
        "MIN hands the level on",
        lambda tree: as_printed.lookahead(tree, 0, 2),
        lambda tree: cured.lookahead(tree, 0, 2),
        ("lookahead",),
        "2 plies; an unfinished position counts its children",
    ),
    Slip(
        "003-cycles",
        "source 003, games with cycles",
        "a position with nothing but repetitions below it is worth -infinity to MAX",
        "+infinity if MAX moves, -infinity if MIN does, so that its parent ignores it",
        lambda graph: as_printed.visit(graph, "a", True, {}),
        lambda graph: cured.visit(graph, "a", True),
        ("visit",),
        "MAX to move in a",
        graphs_by_size,
        is_decided,
    ),
    Slip(
        "003-cache",
        "source 003, games with cycles",
        "every value is noted when its visit ends, and used on other paths",
        "a value found while a cycle was cut off belongs to its path",
        lambda graph: cured.visit(graph, "a", True, cache={}),
        lambda graph: cured.visit(graph, "a", True),
        ("visit",),
        "MAX to move in a",
        graphs_by_size,
        is_decided,
    ),
    Slip(
        "003-move",
        "source 003, choosing the move under alpha-beta",
        "a move whose value equals the maximum (here the last of them)",
        "the first strict improvement: others may return the same number as a bound",
        partial(_value_of_move, as_printed.move_equal_to_maximum),
        partial(_value_of_move, cured.move_of_first_improvement),
        ("minimize_hard", "maximize_hard"),
        "the value of the move that is chosen",
    ),
)
