"""Positions of chess for python-chess."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prunus.core.game import Game
from prunus.core.knowledge.combining import original
from prunus.games.chess import Chess
from prunus.play.advice.advice import AdviceError

if TYPE_CHECKING:
    import chess


def is_chess(game: Game) -> bool:
    """Whether the game is chess, in whosever rules: its start is a whole FEN, with six fields."""
    try:
        import chess

        fen = game.format(game.initial())
        chess.Board(fen)
        return len(fen.split()) == 6
    except (ImportError, ValueError):
        return isinstance(original(game), Chess)


def expect_chess(game: Game, what: str) -> None:
    """Raise AdviceError unless the game is chess and python-chess is installed."""
    try:
        import chess
    except ImportError:
        raise AdviceError(f"{what}: needs python-chess: pip install 'prunus[chess]'") from None
    try:
        chess.Board(game.format(game.initial()))
    except ValueError:
        raise AdviceError(f"{what}: it is for chess, not for {game.title()}") from None


def board_of(game: Game, state: object) -> chess.Board:
    """The board of a State, without its past."""
    import chess

    return chess.Board(game.format(state), chess960=bool(getattr(game, "chess960", False)))
