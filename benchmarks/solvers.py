"""Connect Four solved exactly by Prunus and by BitBully: `python -m benchmarks.solvers [--quick]
[--positions N] [--no-empty]`.

Random positions without a book on either side, each solved by both in turn, with empty tables; the
scores must be equal. One call is timed, `prunus.solve(...)` here and `mtdf(...)` there, in
processor time; both search with one thread. Unless `--quick` or `--no-empty` is given, each also
solves the empty board once, which takes minutes.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from dataclasses import dataclass
from typing import Any

from benchmarks.common import Mismatch, NotMeasured, Progress, say, table
from benchmarks.peers import Peer, environment
from prunus.games.connect_four import ConnectFour
from prunus.run.driver import solve
from prunus.run.random_play import play_at_random
from prunus.tables.transposition import TranspositionTable

MEGABYTES = 64
LEAST, MOST = 10, 29
"""The fewest and the most stones on the board of a position."""


@dataclass(frozen=True)
class Pair:
    """One position solved by both."""

    stones: int
    value: int
    ours: float
    theirs: float
    our_nodes: int
    their_nodes: int


def random_position(game: ConnectFour, stones: int, draw: random.Random) -> tuple[int, ...]:
    """The columns of a random game of `stones` stones that is not over and cannot be won with the
    next stone."""
    while True:
        actions, states, is_over = play_at_random(game, stones, draw)
        children = () if is_over else (game.result(states[-1], a) for a in game.actions(states[-1]))
        if not is_over and not any(map(game.is_terminal, children)):
            return tuple(actions)


class Solver:
    """Prunus's side: one table, emptied before each position."""

    def __init__(self) -> None:
        self.game = ConnectFour()
        self.table = TranspositionTable(MEGABYTES, self.game, self.game.initial())

    def solve(self, played: tuple[int, ...]) -> tuple[Any, float]:
        """The result and the seconds of processor time."""
        state = self.game.initial()
        for column in played:
            state = self.game.result(state, column)
        self.table.clear()
        began = time.process_time()
        found = solve(
            self.game, state, algorithm="engine", table=self.table, compile=True, book=False
        )
        return found, time.process_time() - began


def compare(peer: Peer, solver: Solver, played: tuple[int, ...]) -> Pair:
    """Solve a position with both. Raises Mismatch if the scores differ."""
    theirs = peer.ask({"actions": played})
    found, seconds = solver.solve(played)
    if found.interrupted:
        raise KeyboardInterrupt
    if found.value != theirs["value"] or not found.proved:
        raise Mismatch(
            f"{''.join(str(column + 1) for column in played)}: Prunus {found.value}, BitBully "
            f"{theirs['value']}"
        )
    return Pair(
        len(played),
        found.value,
        seconds,
        theirs["seconds"],
        found.statistics.nodes,
        theirs["nodes"],
    )


def measure(positions: int, seed: int = 1) -> tuple[str, list[Pair]]:
    """BitBully's version and the pairs. Raises NotMeasured if it cannot be installed."""
    peer, solver, draw = Peer(environment(), "bitbully"), Solver(), random.Random(seed)
    try:
        # The first calls compile and touch the tables; they do not count.
        compare(peer, solver, random_position(solver.game, LEAST, draw))
        progress, pairs = Progress("solvers", positions), []
        for number in range(positions):
            stones = LEAST + number % (MOST - LEAST + 1)
            pairs.append(compare(peer, solver, random_position(solver.game, stones, draw)))
            progress.at(number + 1)
        return peer.version, pairs
    finally:
        peer.close()


def show(version: str, pairs: list[Pair]) -> str:
    """The ratios by the number of stones, and over all."""
    rows = [
        (
            "stones",
            "positions",
            "BitBully, ms",
            "Prunus, ms",
            "BitBully nodes",
            "Prunus nodes",
            "BitBully / Prunus, median (range)",
            "of sums",
        )
    ]
    step = 5
    groups = [
        [p for p in pairs if first <= p.stones < first + step]
        for first in range(LEAST, MOST + 1, step)
    ]
    for group in [*filter(None, groups), pairs]:
        ratios = [p.theirs / p.ours for p in group]
        ours, theirs = (
            statistics.mean(getattr(p, side) for p in group) for side in ("ours", "theirs")
        )
        nodes = [
            f"{statistics.mean(getattr(p, side) for p in group):,.0f}"
            for side in ("their_nodes", "our_nodes")
        ]
        label = (
            "all"
            if group is pairs
            else f"{min(p.stones for p in group)}-{max(p.stones for p in group)}"
        )
        spread = f"{statistics.median(ratios):.3g} ({min(ratios):.2g} - {max(ratios):.2g})"
        rows.append(
            (
                label,
                str(len(group)),
                f"{1000 * theirs:.2f}",
                f"{1000 * ours:.2f}",
                *nodes,
                spread,
                f"{theirs / ours:.3g}",
            )
        )
    return (
        f"BitBully {version}, all {len(pairs)} scores equal; means of processor time a "
        f"position\n\n{table(rows)}"
    )


def empty_board() -> str:
    """Both solve the empty board, once."""
    peer, solver = Peer(environment(), "bitbully"), Solver()
    try:
        solver.solve(tuple(int(column) - 1 for column in "742234173564774116613357"))
        say("solvers: the empty board")
        pair = compare(peer, solver, ())
    finally:
        peer.close()
    return (
        f"empty board, value {pair.value}: BitBully {pair.theirs:.1f} s, {pair.their_nodes:,} "
        f"nodes; Prunus {pair.ours:.1f} s, {pair.our_nodes:,} nodes; ratio "
        f"{pair.theirs / pair.ours:.3g}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--quick", action="store_true", help="40 positions")
    parser.add_argument(
        "--positions", type=int, default=0, help="how many positions (200; quick: 40)"
    )
    parser.add_argument(
        "--empty",
        action=argparse.BooleanOptionalAction,
        help="also the empty board, some minutes (yes; quick: no)",
    )
    options = parser.parse_args()
    try:
        print(show(*measure(options.positions or (40 if options.quick else 200))), flush=True)
        if not options.quick if options.empty is None else options.empty:
            print(empty_board())
    except NotMeasured as reason:
        print(f"not measured: {reason}")


if __name__ == "__main__":
    main()
