"""The family of search algorithms on the same trees: how many leaves each examines."""

from __future__ import annotations

from typing import Final, NamedTuple

from prunus.core.game import Game, S
from prunus.run.configuration import Configuration
from prunus.run.registry import algorithm_named
from prunus.run.session import Session
from prunus.run.task import Course, Root
from prunus.tables.transposition import TranspositionTable

FAMILY: Final = ("minimax", "branch-and-bound", "alphabeta", "pvs", "mtdf", "sss", "dual")
"""The algorithms compared by default. The last four remember positions in a table."""


class Examined(NamedTuple):
    """One search: the value of the root, and the leaves and nodes that it took."""

    value: int
    leaves: int
    nodes: int


class Disagreement(AssertionError):
    """Two algorithms found different values of one position."""


class Comparison:
    """Searches of a game's positions by different algorithms, each directly to the depth, without
    deepening, and with a table of `megabytes` that is empty at the start. Evaluated positions are
    not kept in the table: a leaf that is reached again is counted again. `room`: the nodes that
    algorithms without a table, such as `sss-stockman`, may keep."""

    def __init__(
        self, game: Game, megabytes: float = 4, compile: bool | None = None, room: int = 100_000
    ) -> None:
        self.compile, self.room = compile, room
        self.table = TranspositionTable(megabytes, game, game.initial())

    def examine(
        self, game: Game[S], state: S, algorithm: str, depth: int, guess: int = 0
    ) -> Examined:
        """One search; `guess` is where MTD(f) begins. The game is the one given to the constructor,
        or another of its class."""
        chosen = algorithm_named(algorithm)
        if chosen.table:
            self.table.clear()
        how = Configuration(chosen, self.compile, room=self.room)
        course = Course(table=self.table if chosen.table else None)
        outcome = Session(game, Root(state), how, depth, course).run(depth, guess=guess)
        assert outcome.value is not None
        return Examined(outcome.value, outcome.counts["leaves"], outcome.counts["nodes"])

    def family(
        self, game: Game[S], state: S, depth: int, names: tuple[str, ...] = FAMILY, guess: int = 0
    ) -> dict[str, Examined]:
        """One search by each algorithm. Raises Disagreement if their values differ."""
        found = {name: self.examine(game, state, name, depth, guess) for name in names}
        if len({each.value for each in found.values()}) > 1:
            raise Disagreement(
                f"{game!r}, {game.format(state)}: "
                f"{', '.join(f'{name} {each.value}' for name, each in found.items())}"
            )
        return found
