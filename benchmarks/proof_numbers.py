"""Proof-number searches against the engine: `python -m benchmarks.proof_numbers [--quick]`.

Each set has positions of one game, which every algorithm solves to the end with nothing remembered:
mates in chess, openings of Hex, Domineering, Breakthrough and Hexapawn, and endings of Connect
Four, where a score has many values. Compared are nodes expanded, each time they are: the engine
makes the children of a node together and counts those alone that it searches, so that numbers of
all positions met cannot be compared. Each figure is the median of a set; a ratio is the median of
the ratios of single positions. Values must agree. A search that `NODES` nodes or the memory do not
suffice for counts with what it had expanded. Compiled, one thread, without the time for compiling.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import prunus
from benchmarks.common import Mismatch, NotMeasured, Progress, after_random_plies, say, table
from prunus.games import Breakthrough, ConnectFour, Domineering, Hex, Hexapawn
from prunus.games.chess import Chess
from prunus.games.chess.moves import Board
from prunus.games.chess.notation import ChessNotation
from prunus.games.chess.rules import ChessRules
from prunus.games.chess.tactics import ChessTactics

NAMES: Final = ("pn", "pn2", "df-pn", "engine")
NODES: Final = 20_000_000
ROOM: Final = 1 << 21

MATES: Final = {
    2: (4, 5, 12, 27, 54, 84, 154, 156, 188),
    3: (50, 57, 64, 97, 143, 173, 197, 219, 295),
    4: (35, 103, 134, 139, 215, 263, 298),
    5: (88, 212, 260, 267, 278),
    6: (266,),
}
"""The numbers of positions of Win at Chess in which the player to move can mate in so many moves,
and no fewer, if each of them is a check; of those mates that 300,000 nodes of df-pn find."""

LAST: Final = 40
"""The ply after which the defender of a problem is safe."""


class Mates(ChessNotation, ChessTactics, prunus.Game):
    """Chess problems: the player with an odd number of plies left mates, or has lost when they are
    over. With `checks` each of his moves must be a check. `quiet` counts the plies up to LAST."""

    key = Chess.key
    repetition = "none"

    def __init__(self, checks: bool) -> None:
        super().__init__()
        self.checks = checks

    def problem(self, board: Board, moves: int) -> Board:
        """The State of a board from which the player to move is to mate within `moves` moves."""
        return board._replace(quiet=LAST - 2 * moves + 1)

    def attacks(self, state: Board) -> bool:
        """Whether the player to move is the one to mate."""
        return (LAST - state.quiet) % 2 == 1

    def actions(self, state: Board) -> Iterator[int]:
        for action in ChessRules.actions(self, state):
            if self.checks and self.attacks(state):
                if self.in_check(ChessRules.result(self, state, action)):
                    yield action
            else:
                yield action

    def action_count(self, state: Board) -> int:
        if self.checks and self.attacks(state):
            return sum(1 for _ in self.actions(state))
        return ChessRules.action_count(self, state)

    def result(self, state: Board, action: int) -> Board:
        return ChessRules.result(self, state, action)._replace(quiet=state.quiet + 1)

    def is_terminal(self, state: Board) -> bool:
        return state.quiet >= LAST or not any(True for _ in self.actions(state))

    def utility(self, state: Board) -> int:
        is_mate = self.in_check(state) and not self.can_move(state)
        return -1 if is_mate or self.attacks(state) else 1

    def bounds(self, state: Board) -> tuple[int, int]:
        return (-1, 1)

    def plies_left(self, state: Board) -> int:
        return LAST - state.quiet

    def timeless(self, state: Board) -> Board:
        return state

    def remembered(self, state: Board, plies: int) -> Board:
        return state


@dataclass(frozen=True)
class Set:
    """Positions of one game."""

    title: str
    game: Any
    states: list[Any]


class Found(NamedTuple):
    """What a search took; `value` is None if it did not finish."""

    value: int | None
    expanded: int
    seconds: float


def openings(title: str, game: Any) -> Set:
    """All positions after one action."""
    start = game.initial()
    return Set(title, game, [game.result(start, action) for action in game.actions(start)])


def endings(title: str, game: Any, plies: int, count: int) -> Set:
    """Positions after so many random actions."""
    rng, states = random.Random(5), []
    while len(states) < count:
        state = after_random_plies(game, plies, rng)
        if not game.is_terminal(state):
            states.append(state)
    return Set(title, game, states)


def problems() -> list[Set]:
    """The mates, from the folder that PRUNUS_REFERENCE names. Raises NotMeasured without it."""
    path = Path(os.environ.get("PRUNUS_REFERENCE", "../shared/reference")) / "chess"
    try:
        lines = (path / "wac-revised.epd").read_text().splitlines()
    except OSError as error:
        raise NotMeasured(f"there are no positions of chess: {error}") from None
    boards = {}
    for line in lines:
        board = Chess().parse(" ".join(line.split()[:4]) + " 0 1")
        boards[int(line.split('"WAC.')[1].split('"')[0])] = board
    found = []
    for checks in (True, False):
        game, how = Mates(checks), "by checks" if checks else "by any moves"
        for moves, numbers in MATES.items():
            if checks or moves < 5:
                states = [game.problem(boards[number], moves) for number in numbers]
                found.append(Set(f"chess, mate in {moves} {how}", game, states))
    return found


def games() -> list[Set]:
    """The other sets."""
    return [
        openings("Hex 3x3, openings", Hex(3)),
        openings("Hex 4x4, openings", Hex(4)),
        openings("Hex 5x5, openings", Hex(5)),
        openings("Domineering 5x5, openings", Domineering(5, 5)),
        openings("Breakthrough 4x5, openings", Breakthrough(4, 5, 1)),
        openings("Hexapawn 4x5, openings", Hexapawn(4, 5)),
        endings("Connect Four, 16 stones", ConnectFour(), 16, 15),
    ]


def solved(game: Any, state: Any, name: str) -> Found:
    """A position solved by an algorithm."""
    try:
        found = prunus.solve(
            game, state, name, compile=True, nodes=NODES, room=ROOM, book=False, table=64
        )
    except MemoryError:
        return Found(None, NODES, 0.0)
    done = found.statistics
    value = found.value if found.proved else None
    return Found(value, done.nodes - done.leaves, done.seconds)


def measure(work: Set, names: tuple[str, ...]) -> tuple[str, ...]:
    """The row of a set: its title, the number of its positions, nodes expanded and seconds of each
    algorithm, how many times as many nodes and seconds the engine needs as df-pn. Raises Mismatch
    if values differ."""
    every: dict[str, list[Found]] = {name: [] for name in names}
    progress = Progress(work.title, len(work.states) * len(names))
    for name in names:
        for number, state in enumerate(work.states, 1):
            every[name].append(solved(work.game, state, name))
            progress.at(names.index(name) * len(work.states) + number)
    for each in zip(*every.values(), strict=True):
        if len({found.value for found in each if found.value is not None}) > 1:
            raise Mismatch(f"{work.title}: {dict(zip(names, each, strict=True))}")
    pairs = list(zip(every["engine"], every["df-pn"], strict=True))
    return (
        work.title,
        str(len(work.states)),
        *(in_short(every[name], lambda found: found.expanded) for name in names),
        *(f"{statistics.median(f.seconds for f in every[name]):.3f}" for name in names),
        f"{statistics.median(engine.expanded / df_pn.expanded for engine, df_pn in pairs):.2f}",
        f"{sum(e.expanded for e, _ in pairs) / sum(d.expanded for _, d in pairs):.2f}",
    )


def in_short(found: list[Found], figure: Callable[[Found], int]) -> str:
    """The median of a figure, and how many searches did not finish."""
    missing = sum(each.value is None for each in found)
    return f"{statistics.median(map(figure, found)):,.0f}" + (f" ({missing} not)" * (missing > 0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--quick", action="store_true", help="without pn and the slow sets")
    options = parser.parse_args()
    names = NAMES[2:] if options.quick else NAMES
    try:
        sets = [*problems(), *games()]
    except NotMeasured as reason:
        say(f"without chess: {reason}")
        sets = games()
    rows = [
        (
            "set",
            "positions",
            *(f"{name}, nodes" for name in names),
            *(f"{name}, s" for name in names),
            "engine / df-pn, median",
            "of the sums",
        )
    ]
    for work in sets[:3] if options.quick else sets:
        say(f"proof_numbers: {work.title}")
        rows.append(measure(work, names))
        say(" | ".join(rows[-1]))
    print(table(rows))


if __name__ == "__main__":
    main()
