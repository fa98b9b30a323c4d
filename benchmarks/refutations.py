"""What a refutation table is worth (Akl & Newborn 1977): `python -m benchmarks.refutations`.

Iterative deepening remembers little of one iteration for the next if there is no memory for
positions. The principal line alone is one path. A refutation table keeps another path for each move
at the root: the line that showed it to be no improvement, to be followed first the next time.
Against it stands a table of all positions, which keeps the best action of each. All of these only
order actions here, and no value is used again; so what is compared is the order. Actions come as
the rules give them otherwise. Interpreted; the nodes are those of all iterations, and are the same
on every machine.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import prunus
from benchmarks.common import Mismatch, Progress, after_random_plies, table
from prunus.core.game import INFINITY
from prunus.games import Kalah, Othello

Line = tuple[int, ...]

WAYS: Final = ("nothing", "line", "refutations", "positions")
"""What is kept from one iteration to the next."""

GAMES: Mapping[str, tuple[Any, int]] = {
    "othello 6 x 6": (Othello(size=6), 6),
    "kalah": (Kalah(), 6),
}
"""Games, and how many plies the last iteration searches."""

DEEPER: Final = {"othello 6 x 6": 12, "kalah": 16}
"""How many plies the engine searches to fill a small table."""

PLIES: Final = 8
"""The random plies before each position."""


@dataclass
class Search:
    """Alpha-beta one ply deeper each time. `lines` has the last line of each move at the root,
    `best` the best action of each position; `way` says what of them is used."""

    game: Any
    way: str
    nodes: int = 0
    lines: dict[int, Line] = field(default_factory=dict)
    best: dict[object, int] = field(default_factory=dict)
    principal: Line = ()

    def deepen(self, state: object, depth: int) -> int:
        """The value of a State, `depth` plies deep."""
        value = 0
        for plies in range(1, depth + 1):
            value, self.principal = self.at_root(state, plies)
        return value

    def at_root(self, state: object, depth: int) -> tuple[int, Line]:
        """The value of the root and the line to it."""
        best, line = -INFINITY, Line()
        for action in self.ordered(state, self.principal):
            known = self.principal if self.principal[:1] == (action,) else ()
            if self.way == "refutations":
                known = self.lines.get(action, ())
            value, below = self.step(state, action, depth, best, INFINITY, known)
            self.lines[action] = below
            if value > best:
                best, line = value, below
        self.best[state] = line[0]
        return best, line

    def search(
        self, state: object, depth: int, alpha: int, beta: int, known: Line
    ) -> tuple[int, Line]:
        """Fail-soft alpha-beta: the value, or a bound, and the line that shows it."""
        self.nodes += 1
        if self.game.is_terminal(state):
            return self.game.utility(state), ()
        if depth == 0:
            return self.game.evaluate(state), ()
        best, line = -INFINITY, Line()
        for action in self.ordered(state, known):
            below = known if known[:1] == (action,) else ()
            value, found = self.step(state, action, depth, max(alpha, best), beta, below)
            if value > best:
                best, line = value, found
            if value >= beta:
                break
        self.best[state] = line[0]
        return best, line

    def step(
        self, state: object, action: int, depth: int, alpha: int, beta: int, known: Line
    ) -> tuple[int, Line]:
        """The value of an action for the player who makes it; `known` begins with it."""
        child = self.game.result(state, action)
        if self.game.keeps_turn(state, child):
            value, line = self.search(child, depth - 1, alpha, beta, known[1:])
            return value, (action, *line)
        value, line = self.search(child, depth - 1, -beta, -alpha, known[1:])
        return -value, (action, *line)

    def ordered(self, state: object, known: Line) -> Sequence[int]:
        """The actions, the one that is remembered first."""
        actions = list(self.game.actions(state))
        first = known[0] if known and self.way != "nothing" else None
        if self.way == "positions":
            first = self.best.get(state)
        return actions if first is None else [first, *(a for a in actions if a != first)]


def shares_of(game: Any, state: object, depth: int) -> list[float]:
    """The nodes of each way relative to the first."""
    searches = [Search(game, way) for way in WAYS]
    values = {search.deepen(state, depth) for search in searches}
    if len(values) != 1:
        raise Mismatch(f"the ways find {values}")
    return [search.nodes / searches[0].nodes for search in searches]


def forgetting(name: str, count: int, less: int) -> float:
    """How many times as many nodes the engine visits with a table of 1 MB as with 64: the median
    over positions. What it has forgotten is all that a refutation table could give back to it."""
    game, depth = GAMES[name][0], DEEPER[name] - less
    draw, ratios = random.Random(1), []
    for _ in range(count):
        state = after_random_plies(game, PLIES, draw)
        small, large = (
            prunus.analyze(game, state, depth=depth, table=megabytes).statistics.nodes
            for megabytes in (1, 64)
        )
        ratios.append(small / large)
    return statistics.median(ratios)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=20, help="of each game, by default 20")
    parser.add_argument("--games", nargs="+", choices=list(GAMES), default=list(GAMES))
    parser.add_argument("--less", type=int, default=0, help="plies less than usual")
    parser.add_argument(
        "--forgetting", action="store_true", help="instead: the engine with a small table"
    )
    given = parser.parse_args()
    if given.forgetting:
        for name in given.games:
            ratio = forgetting(name, given.positions, given.less)
            print(f"{name}: {ratio:.3f} times the nodes with a table of 1 MB instead of 64")
        return
    progress = Progress("refutations", len(given.games) * given.positions)
    rows = [("game", "plies", *WAYS)]
    for name in given.games:
        game, depth = GAMES[name]
        depth -= given.less
        draw, shares = random.Random(1), []
        for _ in range(given.positions):
            shares.append(shares_of(game, after_random_plies(game, PLIES, draw), depth))
            progress.at((len(rows) - 1) * given.positions + len(shares))
        medians = (statistics.median(column) for column in zip(*shares, strict=True))
        rows.append((name, str(depth), *(f"{share:.2f}" for share in medians)))
    print(table(rows))


if __name__ == "__main__":
    main()
