"""Games of chess as PGN, by python-chess."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from prunus.core.game import Game
from prunus.play.players import MatchError
from prunus.play.tournament.schedule import Played

if TYPE_CHECKING:
    import chess.pgn

    import chess


def pgn_of(game: Game, played: Played, names: Sequence[str], event: str) -> str:
    """A game as PGN; `names` are those of all players. Raises MatchError for a game other than
    chess, or if python-chess is not installed."""
    try:
        import chess.pgn
    except ImportError:
        raise MatchError("writing PGN needs python-chess: pip install 'prunus[chess]'") from None
    record, slot = played.record, played.slot
    try:
        board = chess.Board(record.start or game.format(game.initial()))
        made = _line(board, [*record.opening, *record.moves])
    except ValueError:
        raise MatchError(f"PGN is for chess; {game.title()} cannot be written in it") from None
    first_is_white = slot.first_begins == board.turn
    first, second = names[slot.first], names[slot.second]
    score = record.score if first_is_white else 1 - record.score
    made.headers["Event"] = event
    made.headers["Round"] = str(slot.round + 1)
    made.headers["White"], made.headers["Black"] = (
        (first, second) if first_is_white else (second, first)
    )
    made.headers["Result"] = {1.0: "1-0", 0.0: "0-1"}.get(score, "1/2-1/2")
    made.headers["Termination"] = "normal" if record.end == "finished" else record.end
    if record.note:
        made.comment = record.note
    return f"{made}\n\n"


def _line(board: chess.Board, names: Sequence[str]) -> chess.pgn.Game:
    """The game of the moves, in SAN or UCI notation, from the board. Raises ValueError."""
    import chess.pgn

    made = chess.pgn.Game()
    made.setup(board)
    node: chess.pgn.GameNode = made
    at = board.copy()
    for name in names:
        try:
            move = at.parse_san(name)
        except ValueError:
            move = at.parse_uci(name)
        node = node.add_variation(move)
        at.push(move)
    return made
