"""A player of a level (`levels.py`): a search with few nodes, some of whose moves are drawn."""

from __future__ import annotations

import random
from dataclasses import replace

from prunus.core.game import Game
from prunus.core.position import Position
from prunus.play.levels import Level
from prunus.play.players import Choice, Player, SearchPlayer, Turn


class LevelPlayer(Player):
    """A search that a level weakens. `seed` draws; it is set again for each match, not for each
    game."""

    def __init__(self, search: SearchPlayer, level: Level, seed: int = 0) -> None:
        self.search, self.level = search, level
        self.name, self.limits = search.name, search.limits
        self.clocked = search.clocked
        self.random = random.Random(seed)  # noqa: S311 - a game, not a secret

    def warm_up(self, game: Game) -> None:
        self.search.warm_up(game)

    def begin(self, game: Game, seat: int, state: object = None) -> None:
        self.game = game
        self.search.begin(game, seat, state)

    def observe(self, state: object, action: int, seat: int) -> None:
        self.search.observe(state, action, seat)

    def choose(self, position: Position, turn: Turn) -> Choice:
        drawn = self.level.draws(self.game, position, self.random)
        return self.search.choose(position, turn) if drawn is None else Choice(drawn)

    def close(self) -> None:
        self.search.close()


def levelled(search: SearchPlayer, level: Level, seed: int = 0) -> LevelPlayer:
    """The player of a level, from a search without a limit of nodes or with a higher one."""
    nodes = min(search.limits.nodes or level.nodes, level.nodes)
    search.limits = replace(search.limits, nodes=nodes)
    return LevelPlayer(search, level, seed)
