"""The openings of a match: drawn at random, or read from a file."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from prunus.algorithms.repetition import allowed_actions, is_over
from prunus.core.game import Game, PositionError
from prunus.play.pgn import PgnError, games_in, names_of
from prunus.play.players import MatchError
from prunus.run.random_play import play_at_random

TRIES: Final = 100
"""The number of times that an opening is drawn if it came up before or ended the game."""


@dataclass(frozen=True)
class Opening:
    """Actions from a State; None: from the start of the game."""

    actions: tuple[int, ...] = ()
    state: object = None


class Openings:
    """The openings of a match, by the number of the pair; the same for the same seed, however many
    pairs are played. `given` are those of a file, in an order that the seed decides; each is used
    again only after all the others. Then `plies` random plies follow."""

    def __init__(self, game: Game, plies: int, seed: int, given: Sequence[Opening] = ()) -> None:
        self.game, self.plies, self.seed = game, plies, seed
        self.given, self.found = tuple(given), list[Opening]()
        self.seen: set[object] = set()
        self.are_new_ones = True

    def __getitem__(self, pair: int) -> Opening:
        """The opening of a pair; those before the first are that of the first. Raises MatchError
        for a game that is always over by then."""
        while len(self.found) <= max(0, pair):
            self.found.append(self._next(len(self.found)))
        return self.found[max(0, pair)]

    def _next(self, number: int) -> Opening:
        rng = random.Random(f"{self.seed}:{number}")  # noqa: S311 - a sample, not a secret
        base = self._base(number)
        best: tuple[Opening, object] | None = None
        for _ in range(TRIES):
            best = self._drawn(base, rng) or best
            is_new = best is not None and (best[1] not in self.seen or not self.are_new_ones)
            if is_new or (best is not None and not self.plies):
                break
        if best is None:
            raise MatchError(
                f"{self.game.title()} is over after {self.plies} random plies or less: ask for "
                f"shorter openings"
            )
        # Once no new opening has come up there are hardly any left: looking for them again and
        # again would take long.
        self.are_new_ones = self.are_new_ones and best[1] not in self.seen
        self.seen.add(best[1])
        return best[0]

    def _base(self, number: int) -> Opening:
        """The opening of the file that is used here."""
        if not self.given:
            return Opening()
        count = len(self.given)
        order = list(range(count))
        random.Random(f"{self.seed}/{number // count}").shuffle(order)  # noqa: S311
        return self.given[order[number % count]]

    def _drawn(self, base: Opening, rng: random.Random) -> tuple[Opening, object] | None:
        """The opening followed by random plies, and the State that it leads to; None if the game
        is over by then."""
        game = self.game
        if base.state is None and not base.actions:
            played = play_at_random(game, self.plies, rng)
            return None if played.is_over else (Opening(tuple(played.actions)), played.states[-1])
        actions, path = list(base.actions), list(path_of(game, base))
        for _ in range(self.plies):
            if is_over(game, path):
                return None
            actions.append(rng.choice(list(allowed_actions(game, path))))
            path.append(game.result(path[-1], actions[-1]))
        return None if is_over(game, path) else (Opening(tuple(actions), base.state), path[-1])


def openings(game: Game, plies: int, count: int, seed: int) -> list[list[int]]:
    """`count` random openings of `plies` plies, none of which ends the game. No two of them reach
    the same State as long as there are others. The first ones do not depend on the count. Raises
    MatchError for a game that is always over by then."""
    drawn = Openings(game, plies, seed)
    return [list(drawn[number].actions) for number in range(count)]


def path_of(game: Game, opening: Opening) -> Iterator[object]:
    """The States that an opening passes through, its first one included."""
    state = game.initial() if opening.state is None else opening.state
    yield state
    for action in opening.actions:
        state = game.result(state, action)
        yield state


def read_openings(game: Game, path: Path, plies: int | None = None) -> list[Opening]:
    """The openings of a file: a PGN (`.pgn`), an EPD (`.epd`: the operations after a position are
    passed over), or any other text with a position in each line, written as for `prunus analyze`
    (`moves d3 c3`; empty lines, and those that begin with #, are passed over). Of each, at most
    `plies` plies are kept. Raises MatchError, which names the line."""
    game.view_arrays()
    found = []
    for number, text in places_in(path):
        try:
            opening = opening_of(game, text, plies)
        except PositionError as error:
            raise MatchError(f"{path}, {number}: {error}") from None
        if is_over(game, list(path_of(game, opening))):
            raise MatchError(f"{path}, {number}: the game is over there")
        found.append(opening)
    if not found:
        raise MatchError(f"{path}: there is no opening in this file")
    return found


def places_in(path: Path) -> list[tuple[str, str]]:
    """The places and the texts of the positions in a file, those of a PGN with the moves from
    there. Raises MatchError."""
    return list(_pgn(path) if path.suffix.lower() == ".pgn" else _lines(path))


def opening_of(game: Game, text: str, plies: int | None) -> Opening:
    """The opening that a text describes. Raises PositionError."""
    before, names = game.split_moves(text)
    start = game.parse(before) if before else game.initial()
    actions, state = [], start
    for number, name in enumerate(names[:plies], 1):
        actions.append(game.action_named(state, name, number))
        state = game.result(state, actions[-1])
    return Opening(tuple(actions), None if start == game.initial() else start)


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """The places and the texts of the positions in a file."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        text = line.strip()
        if text and not text.startswith("#"):
            yield f"line {number}", _fen(text) if path.suffix.lower() == ".epd" else text


def _fen(epd: str) -> str:
    """The FEN of a line of EPD: its first four fields, and the counters if they follow."""
    fields = epd.split()
    numbers = fields[4:6] if all(word.isdigit() for word in fields[4:6]) else []
    return " ".join(fields[:4] + (numbers if len(numbers) == 2 else ["0", "1"]))


def _pgn(path: Path) -> Iterator[tuple[str, str]]:
    """The same for a PGN, read by python-chess."""
    try:
        import chess
    except ImportError:
        raise MatchError(
            f"{path}: reading PGN needs python-chess (pip install 'prunus[chess]')"
        ) from None
    with path.open(encoding="utf-8", errors="replace") as file:
        try:
            for number, found in enumerate(games_in(file), 1):
                fen = found.board().fen()
                start = "start" if fen == chess.STARTING_FEN else fen
                yield f"game {number}", f"{start} moves {' '.join(names_of(found))}".strip()
        except PgnError as error:
            raise MatchError(f"{path}, {error}") from None
