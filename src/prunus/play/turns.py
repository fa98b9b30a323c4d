"""Which of the two players is to move, for games whose States may not say it."""

from __future__ import annotations

from prunus.core.game import Game
from prunus.core.position import Position


def first_to_move(game: Game, state: object) -> int:
    """The player (0 or 1) to move in the State in which a game begins. If the rules do not tell, it
    is player 0, unless the State's text is like a FEN and says that black is to move."""
    if not game.alternates:
        return int(game.to_move(state))
    fields = game.format(state).split()
    return int(fields[1:2] == ["b"] and "/" in fields[0])


def player_to_move(game: Game, position: Position) -> int:
    """The player to move in a position whose past is complete."""
    path = position.path
    if not game.alternates:
        return int(game.to_move(path[-1]))
    return (first_to_move(game, path[0]) + len(path) - 1) % 2
