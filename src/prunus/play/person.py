"""A game between a person at the terminal and a search."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from prunus.algorithms.repetition import allowed_actions, final_value, is_over
from prunus.core.errors import SearchError
from prunus.core.game import Game
from prunus.core.generic import Keywords
from prunus.core.position import Position, position_of
from prunus.engine.options import Options
from prunus.play.advice.library import Library
from prunus.play.levels import Level
from prunus.play.players import Choice, Player, PlayerFailure, Turn
from prunus.run.background import Ponder
from prunus.run.driver import analyze
from prunus.run.limits import Limit, Stop
from prunus.run.registry import algorithm_named
from prunus.run.task import MEGABYTES
from prunus.tables.book import Book, installed_book
from prunus.tables.transposition import TranspositionTable


@dataclass(frozen=True)
class Computer:
    """How the computer plays: it looks `depth` plies ahead, or takes at most `seconds` a move;
    `seed` draws among equal moves. `book`: it plays from it as long as it knows the position; None
    takes the book installed for the game, False takes none. A `level` takes the place of depth and
    seconds, and takes no book; its move takes at most `patience` seconds, waiting for the game's
    code included (None: as long as it takes). The `library` has other books and tables;
    `megabytes` is the size of the table in which the computer remembers what it has searched."""

    depth: int = 8
    seconds: float | None = None
    algorithm: str = "engine"
    seed: int | None = None
    compile: bool | None = None
    book: Book | Literal[False] | None = None
    level: Level | None = None
    library: Library = Library()
    patience: float | None = None
    megabytes: float = MEGABYTES


class Table:
    """A game between a person and the computer, from any position that `analyze` takes. `ask` reads
    a line (EOFError or KeyboardInterrupt ends the game), `say` prints one. Raises SearchError for a
    game of more than two players."""

    def __init__(
        self,
        game: Game,
        state: object,
        computer: Computer = Computer(),
        *,
        ask: Callable[[str], str] = input,
        say: Callable[[str], None] = print,
    ) -> None:
        if game.players > 2:
            raise SearchError(
                f"{game.title()} has {game.players} players, and only two can play here; "
                f"`prunus analyze` with --algorithm maxn or paranoid says what to play"
            )
        self.game, self.ask, self.say = game, ask, say
        algorithm, seconds, book = (
            algorithm_named(computer.algorithm),
            computer.seconds,
            computer.book,
        )
        self.limit = Limit(
            computer.depth if seconds is None or not algorithm.deepens else None,
            seconds=seconds,
            adaptive=seconds is not None,
            single=True,
        )
        self.level, self.shelf = computer.level, computer.library.opened(game)
        if self.level is not None:
            self.limit = Limit(nodes=self.level.nodes, seconds=computer.patience, single=True)
            book = False
        self.algorithm, self.compile = algorithm.name, computer.compile
        game.freeze()
        takes_installed = book is None and algorithm.name == "engine"
        self.book = installed_book(game) if takes_installed else book or None
        self.random = random.Random(computer.seed)  # noqa: S311 - a game, not a secret
        self.before: list[tuple[Position, bool]] = []
        # From move to move, the table keeps what the search has learnt.
        self.position = position_of(game, state)
        self.table = (
            TranspositionTable(computer.megabytes, game, self.state) if algorithm.table else None
        )
        self.expected: tuple[object, int] | None = None

    @property
    def state(self) -> object:
        """The State on the board."""
        return self.position.state

    def run(self, person_first: bool) -> None:
        """Play to the end."""
        self.say("Type the name of a move, or: moves, hint, undo, quit.")
        is_person = person_first
        while not is_over(self.game, self.position.path):
            self.say(self.game.format(self.state))
            action = self._persons_action(is_person) if is_person else self._computers_action()
            if action is None:
                return
            if action == UNDO:
                is_person = self._undo(is_person)
                continue
            after = self.position.after(self.game, action)
            self.before.append((self.position, is_person))
            is_person = is_person == self.game.keeps_turn(self.state, after.state)
            self.position = after
        self.say(self.game.format(self.state))
        self._announce(is_person)

    def _names(self) -> dict[str, int]:
        return {
            self.game.action_name(self.state, action): int(action)
            for action in allowed_actions(self.game, self.position.path)
        }

    def _persons_action(self, is_person: bool) -> int | None:
        ponder = self._ponder()
        try:
            return self._asked()
        finally:
            if ponder is not None:
                ponder.miss()

    def _how(self) -> Keywords:
        """How the computer searches."""
        options = Options.for_play(self.game) if algorithm_named(self.algorithm).options else None
        return {"compile": self.compile, "prefer_faster": True, "options": options}

    def _ponder(self) -> Ponder | None:
        """A search of the position after the expected reply, while the person thinks; the table
        keeps what it learns. None if no reply is expected, or the search would be of no use."""
        if (
            self.expected is None
            or self.expected[0] != self.state
            or self.table is None
            or self.level is not None
            or self.game.interpreted_only
            or self.compile is False
        ):
            return None
        if is_over(self.game, self.position.after(self.game, self.expected[1]).path):
            return None
        options = {**self._how(), "table": self.table}
        return Ponder(
            self.game,
            self.position,
            self.expected[1],
            self.algorithm,
            Limit(self.limit.depth),
            **options,
        )

    def _asked(self) -> int | None:
        names = self._names()
        while True:
            try:
                word = self.ask("your move: ").strip()
            except (EOFError, KeyboardInterrupt):
                self.say("\nGoodbye.")
                return None
            if word in names:
                return names[word]
            if word in ("quit", "exit", "q"):
                self.say("Goodbye.")
                return None
            if word == "undo" and any(was_person for _, was_person in self.before):
                return UNDO
            if word == "hint":
                self.say(f"hint: {self.game.action_name(self.state, self.choose())}")
            else:
                self.say(f"moves: {' '.join(names)}")

    def _computers_action(self) -> int:
        action = self.choose()
        self.say(f"my move: {self.game.action_name(self.state, action)}")
        return action

    def choose(self, stop: Stop | None = None) -> int:
        """A best action for the player to move, drawn among those proved equal. With `stop`,
        another thread can end the search; the action is then the best so far."""
        known = (
            self.book.find(self.state)
            if self.book is not None and self.game.repetition == "none"
            else None
        )
        if known is not None:
            self.expected = None
            return self.random.choice(known.best)
        drawn = self._unsearched()
        if drawn is not None:
            self.expected = None
            return drawn
        timed = self.limit.seconds is not None or self.level is not None
        found = analyze(
            self.game,
            self.position,
            self.algorithm,
            limit=self.limit,
            all_moves=not timed,
            table=self.table,
            stop=stop,
            **self._how(),
        )
        self.expected = (
            (self.game.result(self.state, found.pv[0]), int(found.pv[1]))
            if len(found.pv) > 1
            else None
        )
        if not found.best_moves and timed:
            return self.random.choice(list(self._names().values()))
        if not found.best_moves:
            raise KeyboardInterrupt
        if found.value is not None and found.distance is not None and found.value != 0:
            # The search's own choice is the fastest of several wins, or the slowest of several
            # losses.
            return int(found.pv[0])
        return self.random.choice(found.best_moves)

    def _unsearched(self) -> int | None:
        """An action that a level draws by lot, or that a book or a table of endings knows."""
        if self.level is not None:
            return self.level.draws(self.game, self.position, self.random)
        advice = self.shelf.advise(self.position, self.random)
        return None if advice is None else self.random.choice(advice.actions)

    def _undo(self, is_person: bool) -> bool:
        """Take moves back until it is the person's turn again."""
        while self.before:
            self.position, is_person = self.before.pop()
            if is_person:
                break
        return is_person

    def _announce(self, is_person: bool) -> None:
        value = final_value(self.game, self.position.path)
        if value == 0:
            self.say("A draw.")
        else:
            self.say("You win." if (value > 0) == is_person else "I win.")


class PersonPlayer(Player):
    """A person at the terminal as a player of a match."""

    name = "person"

    def __init__(self) -> None:
        self.ask: Callable[[str], str] = input
        self.say: Callable[[str], None] = print

    def begin(self, game: Game, seat: int, state: object = None) -> None:
        self.game = game
        self.say(f"A new game of {game.title()}: you make the {('first', 'second')[seat]} move.")

    def observe(self, state: object, action: int, seat: int) -> None:
        self.say(f"move: {self.game.action_name(state, action)}")

    def choose(self, position: Position, turn: Turn) -> Choice:
        state = position.state
        names = {
            self.game.action_name(state, action): int(action)
            for action in allowed_actions(self.game, position.path)
        }
        self.say(self.game.format(state))
        while True:
            try:
                word = self.ask("your move: ").strip()
            except EOFError:
                raise PlayerFailure("resigned", "the person left") from None
            if word in names:
                return Choice(names[word])
            if word == "resign":
                raise PlayerFailure("resigned", "the person resigned")
            self.say(f"moves: {' '.join(names)} (or: resign)")


UNDO = -(1 << 60)
"""Stands for "take back" where an action is expected."""
