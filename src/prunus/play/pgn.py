"""Games in PGN, read by python-chess."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, TextIO

from prunus.core.errors import PrunusError

if TYPE_CHECKING:
    import chess.pgn


SLIP: Final = re.compile("(illegal|ambiguous|invalid) san: '(.*)' in (.*)")
"""What python-chess says of a move that cannot be made: the fault, the move, and the FEN."""


class PgnError(PrunusError, ValueError):
    """What is no PGN; the message says which game of the text and why."""


def games_in(file: TextIO) -> Iterator[chess.pgn.Game]:
    """The games of a text, one after the other. Raises PgnError, also for a game with an illegal
    move, and ImportError without python-chess."""
    import chess.pgn

    class Quiet(chess.pgn.GameBuilder[chess.pgn.Game]):
        """Keeps the errors of a game, which python-chess also writes into a log."""

        def handle_error(self, error: Exception) -> None:
            """Keep an error."""
            self.game.errors.append(error)

    number = 0
    while True:
        number += 1
        try:
            found = chess.pgn.read_game(file, Visitor=Quiet)
        except Exception as error:  # python-chess stumbles over brackets without a partner
            said = str(error) or type(error).__name__
            raise PgnError(f"game {number}: this is not PGN ({said})") from None
        if found is None:
            return
        if found.errors:
            said = SLIP.sub(r"the move \2 is \1 in \3", str(found.errors[0]))
            raise PgnError(f"game {number}: {said}")
        yield found


def names_of(game: chess.pgn.Game) -> list[str]:
    """The moves of a game's main line, in SAN."""
    board, names = game.board(), []
    for move in game.mainline_moves():
        names.append(board.san(move))
        board.push(move)
    return names
