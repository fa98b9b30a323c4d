"""Opening books of chess in Polyglot's format, read by python-chess."""

from __future__ import annotations

import random

from prunus.core.game import Game
from prunus.core.position import Position
from prunus.play.advice.advice import Advice, AdviceError, action_of, existing
from prunus.play.advice.chess_board import board_of, expect_chess


class PolyglotBook:
    """A book; its moves are drawn by their weights. Raises AdviceError for a file that is none, or
    a game that is not chess."""

    def __init__(self, game: Game, path: str) -> None:
        expect_chess(game, f"book {path}")
        import chess.polyglot

        try:
            self.reader = chess.polyglot.open_reader(existing(path, "book"))
        except (OSError, ValueError) as error:
            if isinstance(error, AdviceError):
                raise
            raise AdviceError(f"book {path}: {error}") from None
        if not len(self.reader):
            raise AdviceError(f"book {path}: there is no position in it")

    def advise(self, game: Game, position: Position, rng: random.Random) -> Advice | None:
        found = list(self.reader.find_all(board_of(game, position.state), minimum_weight=1))
        while found:
            drawn = rng.choices(found, [entry.weight for entry in found])[0]
            action = action_of(game, position.state, drawn.move.uci())
            if action is not None:
                return Advice((action,), source="book")
            found.remove(drawn)
        return None

    def close(self) -> None:
        self.reader.close()
