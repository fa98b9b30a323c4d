"""Games as texts: JSON for any game, PGN for chess. A text that comes in is measured, read and
played through before anything of it is used; nothing here reads or writes a file."""

from __future__ import annotations

import json
from importlib.util import find_spec
from io import StringIO
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from prunus.algorithms.repetition import final_value, is_over
from prunus.core.errors import PrunusError
from prunus.core.game import Game
from prunus.core.generic import Json
from prunus.core.position import Position
from prunus.games.chess import Chess
from prunus.play.pgn import PgnError, games_in, names_of
from prunus.studio.boards import mover_of
from prunus.studio.messages import Record
from prunus.studio.offer import Offer

if TYPE_CHECKING:
    import chess.pgn

    import chess

CHESS: Final = "chess"
CHESS960: Final = "chess:chess960=true"


class NoRecord(PrunusError, ValueError):
    """A text that is no game, or a game that cannot be written in a format; the message says
    why."""


def has_pgn() -> bool:
    """Whether PGN can be read and written: it needs python-chess."""
    return find_spec("chess") is not None


def read(text: str, offer: Offer) -> Json:
    """The game that a text describes, as the fields of `Record`; its moves have the names that the
    game gives them. Raises NoRecord and what `Offer.position` raises."""
    start = text.lstrip("\ufeff \t\r\n")
    try:
        record = Record.model_validate_json(start) if start.startswith("{") else _from_pgn(start)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise NoRecord(f"{where}: {first['msg']}" if where else str(first["msg"])) from None
    game, positions, actions = offer.position(record)
    names = [
        game.action_name(position.state, action)
        for position, action in zip(positions, actions, strict=False)
    ]
    return {**record.model_dump(), "moves": names}


def write(record: Record, form: str, offer: Offer) -> Json:
    """The text of a game, and a name for its file. `form`: `json` or `pgn`. Raises NoRecord and
    what `Offer.position` raises."""
    game, positions, actions = offer.position(record)
    name = "".join(each if each.isalnum() or each == "-" else "-" for each in record.game)[:40]
    if form == "json":
        text = json.dumps(record.model_dump(), ensure_ascii=False, indent=1)
    else:
        text = _to_pgn(record, game, positions, actions)
    return {"text": text + "\n", "name": f"{name}.{form}"}


def _from_pgn(text: str) -> Record:
    if not has_pgn():
        raise NoRecord("reading PGN needs python-chess: pip install 'prunus[chess]'")
    try:
        found = next(games_in(StringIO(text)), None)
    except PgnError as error:
        raise NoRecord(str(error)) from None
    if found is None:
        raise NoRecord("this is neither a game saved here (JSON) nor a game of chess (PGN)")
    return _record_of(found)


def _record_of(found: chess.pgn.Game) -> Record:
    """The record of a game of chess or Chess960. Raises NoRecord for another variant."""
    import chess

    board = found.board()
    if type(board) is not chess.Board:
        raise NoRecord(f"this PGN is of {type(board).aliases[0]}; the studio plays chess")
    names, fen = names_of(found), board.fen()
    if not names and fen == chess.STARTING_FEN:
        raise NoRecord("there are no moves in this text: is it a game saved here, or PGN?")
    # A PGN is checked like any other message: its length by the maxima, its moves by the rules.
    return Record.model_validate(
        {
            "game": CHESS960 if board.chess960 else CHESS,
            "position": "" if fen == chess.STARTING_FEN else fen,
            "moves": names,
        }
    )


def _to_pgn(record: Record, game: Game, positions: list[Position], actions: list[int]) -> str:
    if not isinstance(game, Chess):
        raise NoRecord(f"PGN is for chess; {game.title()} is saved as JSON")
    if not has_pgn():
        raise NoRecord("writing PGN needs python-chess: pip install 'prunus[chess]'")
    import chess.pgn

    import chess

    start = game.format(positions[0].state)
    board = chess.Board(start, chess960=bool(game.chess960))
    made = chess.pgn.Game()
    made.setup(board)
    node: chess.pgn.GameNode = made
    for position, action in zip(positions, actions, strict=False):
        move = board.parse_san(game.action_name(position.state, action))
        board.push(move)
        node = node.add_variation(move)
    white, black = _players(record)
    clock, result = record.clock, _result(game, positions)
    if clock is not None:
        made.headers["TimeControl"] = f"{60 * clock.minutes:g}+{clock.increment:g}"
        if clock.flag is not None and result == "*":
            result = ("0-1", "1-0")[clock.flag]
            made.headers["Termination"] = "time forfeit"
    made.headers.update(Event="Prunus studio", Site="?", White=white, Black=black, Result=result)
    return str(made)


def _players(record: Record) -> tuple[str, str]:
    """Who plays White and who plays Black."""
    person, computer = "Person", f"Prunus, level {record.level}"
    return {
        "first": (person, computer),
        "second": (computer, person),
        "two": (person, person),
        "none": (computer, computer),
    }[record.who]


def _result(game: Game, positions: list[Position]) -> str:
    path = positions[-1].path
    if not is_over(game, path):
        return "*"
    value = final_value(game, path) * (1 if mover_of(game, positions) == 0 else -1)
    return "1/2-1/2" if value == 0 else "1-0" if value > 0 else "0-1"
