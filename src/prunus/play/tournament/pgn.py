"""Games of chess as PGN, by python-chess."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from prunus.core.game import Game
from prunus.play.players import MatchError, PlayerLimits
from prunus.play.referee import CRASHES, Record
from prunus.play.timing import TimeControl
from prunus.play.tournament.schedule import Played

if TYPE_CHECKING:
    import chess.pgn

    import chess

ENDS: Final = {
    "finished": "normal",
    "resigned": "normal",
    "time": "time forfeit",
    "illegal move": "rules infraction",
    "drawn by length": "adjudication",
}
"""The words of PGN's tag Termination."""


def pgn_of(
    game: Game,
    played: Played,
    names: Sequence[str],
    event: str,
    limits: Sequence[PlayerLimits] = (),
) -> str:
    """A game as PGN, with what the players thought of their moves and the clocks as comments;
    `names` and `limits` are those of all players. Raises MatchError for a game other than chess, or
    if python-chess is not installed."""
    try:
        import chess.pgn
    except ImportError:
        raise MatchError("writing PGN needs python-chess: pip install 'prunus[chess]'") from None
    record, slot = played.record, played.slot
    try:
        start = record.start or game.format(game.initial())
        board = chess.Board(start, chess960=bool(getattr(game, "chess960", False)))
        made = _line(board, record)
    except ValueError:
        raise MatchError(f"PGN is for chess; {game.title()} cannot be written in it") from None
    first_is_white = slot.first_begins == board.turn
    white, black = (slot.first, slot.second) if first_is_white else (slot.second, slot.first)
    score = record.score if first_is_white else 1 - record.score
    made.headers.update(
        Event=event,
        Site="?",
        Date=record.begun[:10].replace("-", ".") or "????.??.??",
        Round=f"{slot.round + 1}.{1 if slot.first_begins else 2}",
        White=names[white],
        Black=names[black],
        Result={1.0: "1-0", 0.0: "0-1"}.get(score, "1/2-1/2"),
        PlyCount=str(len(record.opening) + len(record.moves)),
        Termination=_termination(record),
    )
    if record.begun:
        made.headers["UTCDate"] = record.begun[:10].replace("-", ".")
        made.headers["UTCTime"] = record.begun[11:]
    if limits:
        made.headers.update(_controls(limits[white], limits[black]))
    made.comment = "; ".join(filter(None, (record.end.removeprefix("finished"), record.note)))
    return f"{made}\n\n"


def _termination(record: Record) -> str:
    if record.end.startswith("adjudicated"):
        return "adjudication"
    return ENDS.get(record.end, "abandoned" if record.end in CRASHES else "unterminated")


def _controls(white: PlayerLimits, black: PlayerLimits) -> dict[str, str]:
    """The tags about the players' time."""
    texts = [
        "-" if each.clock is None else str(TimeControl(each.clock, each.increment, each.moves))
        for each in (white, black)
    ]
    if texts[0] == texts[1]:
        return {"TimeControl": texts[0]}
    return {"TimeControl": "?", "WhiteTimeControl": texts[0], "BlackTimeControl": texts[1]}


def _line(board: chess.Board, record: Record) -> chess.pgn.Game:
    """The game of the moves, in SAN or UCI notation, from the board. Raises ValueError."""
    import chess.engine
    import chess.pgn

    made = chess.pgn.Game()
    made.setup(board)
    node: chess.pgn.GameNode = made
    at = board.copy()
    for number, name in enumerate([*record.opening, *record.moves], -len(record.opening)):
        try:
            move = at.parse_san(name)
        except ValueError:
            move = at.parse_uci(name)
        node = node.add_variation(move)
        if 0 <= number < len(record.thoughts):
            value, seconds, left = record.thoughts[number]
            if value is not None:
                score = chess.engine.PovScore(chess.engine.Cp(int(value)), at.turn)
                node.set_eval(score)
            if left is not None:
                node.set_clock(max(0.0, left))
            if seconds is not None:
                node.set_emt(seconds)
        elif number < 0:
            node.comment = "book"
        at.push(move)
    return made
