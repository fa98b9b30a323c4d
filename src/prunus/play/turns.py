"""Which of the two players is to move, for games whose States may not say it."""

from __future__ import annotations

from prunus.core.game import Game
from prunus.core.position import Position


def to_move_after(game: Game, state: object, plies: int) -> int:
    """The player (0 or 1) to move in a State, so many moves after the position that a game begins
    with. Where States do not tell, player 0 is to move in that one."""
    if not game.alternates:
        return int(game.to_move(state))
    told = int(game.whose_turn(state))
    return told if told in (0, 1) else plies % 2


def player_to_move(game: Game, position: Position) -> int:
    """The player to move in a position whose past is complete."""
    return to_move_after(game, position.state, len(position.past))
