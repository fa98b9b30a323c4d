"""Ending games of a match before the rules do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from prunus.core.game import Game
from prunus.core.position import Position
from prunus.play.players import Choice, MatchError
from prunus.tables.book import installed_book

if TYPE_CHECKING:
    from prunus.databases.folder import Database

LONGEST_GAME: Final = 1000
"""The plies after which a game is scored as a draw, unless something else is asked for."""

EXAMPLE: Final = "write it as proof,book,resign=600/4,draw=10/8/40,length=300 (some of these)"


@dataclass(frozen=True)
class Adjudication:
    """What ends a game early. `proof`: a search of Prunus has proved the value of its move, or the
    match's database proves that of the position. `book`: the opening book or database installed for
    the game knows the position. `resign` (value, moves): for this number of moves in a row, the
    player to move has judged its position to be worth minus this value or less, and the opponent,
    if it says what it thinks, this value or more. `draw` (value, moves, ply): from this ply on,
    both have found no more than this value for either side, for this number of moves in a row.
    `length`: after this many plies the game is a draw."""

    proof: bool = False
    book: bool = False
    resign: tuple[int, int] | None = None
    draw: tuple[int, int, int] | None = None
    length: int = LONGEST_GAME

    def __str__(self) -> str:
        parts = [name for name in ("proof", "book") if getattr(self, name)]
        for name in ("resign", "draw"):
            numbers: Sequence[int] | None = getattr(self, name)
            parts += [] if numbers is None else [f"{name}={'/'.join(map(str, numbers))}"]
        return ",".join(parts + ([f"length={self.length}"] if self.length != LONGEST_GAME else []))


def read_adjudication(text: str) -> Adjudication:
    """The rules that a text describes (`EXAMPLE`). Raises MatchError."""
    found: dict[str, bool | int | tuple[int, ...]] = {}
    for word in filter(None, (piece.strip() for piece in text.split(","))):
        name, _, value = word.partition("=")
        wanted = {"proof": 0, "book": 0, "resign": 2, "draw": 3, "length": 1}.get(name)
        try:
            numbers = tuple(int(number) for number in value.split("/")) if value else ()
        except ValueError:
            numbers = ()
        if wanted is None or len(numbers) != wanted or min(numbers, default=1) < 0:
            raise MatchError(f"--adjudicate {text}: {word!r} is not understood; {EXAMPLE}")
        found[name] = True if wanted == 0 else numbers[0] if wanted == 1 else numbers
    made = Adjudication(**found)  # type: ignore[arg-type]
    if made.length < 1 or (made.resign or made.draw or (0, 1))[1] < 1:
        raise MatchError(f"--adjudicate {text}: numbers of plies and moves are 1 or more")
    return made


@dataclass(frozen=True)
class Verdict:
    """The end of a game by adjudication: `sign` is that of the game's value for the player who has
    just moved, `value` the value itself if it is proved, `end` the reason for the record."""

    sign: int
    end: str
    value: int | None = None


class Adjudicator:
    """Judges one game, move after move."""

    def __init__(self, game: Game, rules: Adjudication, database: Database | None = None) -> None:
        """`database`: where proved values are looked up too, if the rules accept proofs."""
        self.game, self.rules = game, rules
        self.database = database if rules.proof else None
        self.book = installed_book(game) if rules.book else None
        self.values: tuple[list[int | None], list[int | None]] = ([], [])

    def judge(self, mover: int, choice: Choice, after: Position, plies: int) -> Verdict | None:
        """The verdict after a move of a player (0 or 1), which has led to this position and is
        number `plies` of the game; None: the game goes on. It is not over by its rules."""
        rules = self.rules
        self.values[mover].append(choice.value)
        if self.database is not None:
            said = self._by_database(self.database, after)
            if said is not None:
                return said
        if rules.proof and choice.proved and choice.value is not None:
            return Verdict(_sign(choice.value), "adjudicated: proof", choice.value)
        if self.book is not None and self.game.repetition == "none":
            known = self.book.find(after.state)
            if known is not None:
                same = self.game.keeps_turn(after.past[-1], after.state)
                value = known.value if same else -known.value
                return Verdict(_sign(value), "adjudicated: book", value)
        if rules.resign is not None and self._is_lost(mover, *rules.resign):
            return Verdict(-1, "adjudicated: score")
        if rules.draw is not None and plies >= rules.draw[2] and self._is_level(*rules.draw[:2]):
            return Verdict(0, "adjudicated: score")
        return Verdict(0, "drawn by length") if plies >= rules.length else None

    def _by_database(self, database: Database, after: Position) -> Verdict | None:
        """The verdict of a database that proves the value of a position and its past."""
        from prunus.databases.past import value_after

        known = value_after(database, after.path)
        if known is None or not known.proved:
            return None
        same = self.game.keeps_turn(after.past[-1], after.state)
        value = known.value if same else -known.value
        return Verdict(_sign(value), "adjudicated: database", value)

    def _is_lost(self, mover: int, value: int, moves: int) -> bool:
        """Whether both players agree that the mover has lost."""
        own, other = self.values[mover][-moves:], self.values[1 - mover][-moves:]
        silent = all(each is None for each in other)
        return (
            len(own) == moves
            and all(each is not None and each <= -value for each in own)
            and (
                silent or (len(other) == moves and all(e is not None and e >= value for e in other))
            )
        )

    def _is_level(self, value: int, moves: int) -> bool:
        recent = [values[-moves:] for values in self.values]
        said = [each for values in recent for each in values]
        return all(len(values) == moves for values in recent) and all(
            each is not None and abs(each) <= value for each in said
        )


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
