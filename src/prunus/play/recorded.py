"""Games that have been played, with their results, read from files of several kinds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from prunus.core.errors import PrunusError
from prunus.core.game import Game, PositionError
from prunus.games.catalogue import make_game
from prunus.games.files import split_file
from prunus.play.openings import Opening, opening_of, places_in
from prunus.play.pgn import PgnError, names_of
from prunus.play.pgn import games_in as games_of_pgn
from prunus.play.players import MatchError
from prunus.play.tournament.store import game_of, games_in
from prunus.tables.identity import identity

SQLITE: Final = b"SQLite format 3\0"
"""The first bytes of a database."""

RESULTS: Final = {"1-0": 1.0, "0-1": 0.0}
"""White's results in a PGN; others are taken for a draw."""


class Recorded(NamedTuple):
    """A game: its `moves`, and the `score` of whoever made the first of them (1, 1/2, 0; 1/2 also
    if it is not known)."""

    moves: Opening
    score: float


class _Text(NamedTuple):
    """The same as text, with its `place` in the file."""

    place: str
    text: str
    score: float


def read_games(
    game: Game, path: Path, plies: int | None = None, from_start: bool = False
) -> list[Recorded]:
    """The games of a file: a PGN (`.pgn`), the file of a match or tournament, or a text with a game
    in each line, written as for `prunus analyze` (`moves d3 c3`). Of each, at most `plies` plies
    are kept. With `from_start`, all must be games of these very rules that begin at their start.
    Raises MatchError, which names the place, and OSError."""
    game.view_arrays()
    with path.open("rb") as file:
        is_database = file.read(len(SQLITE)) == SQLITE
    if is_database:
        if from_start:
            _expect_rules(game, path)
        texts = _stored(path)
    elif path.suffix.lower() == ".pgn":
        texts = _pgn(path)
    else:
        texts = (_Text(place, text, 0.5) for place, text in places_in(path))
    found = []
    for place, text, score in texts:
        try:
            found.append(Recorded(opening_of(game, text, plies), score))
        except PositionError as error:
            raise MatchError(f"{path}, {place}: {error}") from None
        if from_start and found[-1].moves.state is not None:
            raise MatchError(
                f"{path}, {place}: it begins with another position than the start of {game.title()}"
            )
    if not found:
        raise MatchError(f"{path}: there is no game in this file")
    return found


def _expect_rules(game: Game, path: Path) -> None:
    """Raise MatchError if the file of a match names a game of the catalogue with other rules. (A
    game from somebody's file is not opened here: that would run the file.)"""
    name = game_of(path)
    try:
        if split_file(name) is not None:
            return
        other = make_game(name)
    except PrunusError:
        return
    if identity(other) != identity(game):
        raise MatchError(f"{path}: its games are of {identity(other)}, not of {identity(game)}")


def _stored(path: Path) -> Iterator[_Text]:
    """The games in the file of a match."""
    for number, played in enumerate(games_in(path), 1):
        record = played.record
        names = " ".join([*record.opening, *record.moves])
        score = record.score if record.first_begins else 1 - record.score
        yield _Text(f"game {number}", f"{record.start or 'start'} moves {names}", score)


def _pgn(path: Path) -> Iterator[_Text]:
    """Those of a PGN."""
    with path.open(encoding="utf-8", errors="replace") as file:
        try:
            for number, found in enumerate(games_of_pgn(file), 1):
                board = found.board()
                start = board.fen() if "FEN" in found.headers else "start"
                score = RESULTS.get(found.headers.get("Result", "*"), 0.5)
                text = f"{start} moves {' '.join(names_of(found))}"
                yield _Text(f"game {number}", text, score if board.turn else 1 - score)
        except ImportError:
            raise MatchError(
                f"{path}: reading PGN needs python-chess (pip install 'prunus[chess]')"
            ) from None
        except PgnError as error:
            raise MatchError(f"{path}, {error}") from None
