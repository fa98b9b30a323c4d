"""Positions of games that are kept somewhere, whoever played them, with the results of these games
and the values that the engine finds there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from prunus.algorithms.repetition import is_over
from prunus.core.game import Game
from prunus.learn.results import Found, Thinker, is_quiet, side


@dataclass(frozen=True)
class Line:
    """A game as it was played: the position in which it starts (empty: the game's own), the names
    of the actions, the number of those that belong to the opening, and the result (1, 0, -1) for
    whoever made the first of them."""

    start: str
    names: Sequence[str]
    opening: int
    outcome: int


@dataclass(frozen=True)
class Recorded:
    """Games from `file`, in the order in which they stand there. Of each, every position number
    `every` after the opening is searched with this many nodes; those with a value beyond `most` are
    left out."""

    file: str
    lines: Sequence[Line]
    nodes: int = 2000
    every: int = 3
    most: int = 1400

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.lines)

    def plan(self) -> dict[str, object]:
        """What distinguishes these positions from those of other files and searches."""
        return {"file": self.file, "nodes": self.nodes, "every": self.every, "most": self.most}

    def positions(self, player: Thinker, number: int) -> list[Found]:
        """The State, result and value of quiet positions of a game; games begin with different
        ones."""
        line, found = self.lines[number], list[Found]()
        path = states_of(player.game, line)
        player.begin()
        for place in range(line.opening + number % self.every, len(path), self.every):
            before = path[: place + 1]
            if is_over(player.game, before):
                break
            action, value = player.think(before, self.nodes)
            if abs(value) < self.most and is_quiet(player.game, path[place], action):
                outcome = line.outcome * side(player.game, path, place)
                found.append((path[place], outcome, value))
        return found


def states_of(game: Game, line: Line) -> list[object]:
    """The States of a game from its start on. Raises ValueError if an action is not one."""
    path: list[object] = [game.parse(line.start) if line.start else game.initial()]
    for number, name in enumerate(line.names, 1):
        path.append(game.result(path[-1], game.action_named(path[-1], name, number)))
    return path
