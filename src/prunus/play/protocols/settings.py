"""What can be set while an engine runs, and what it begins with."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from prunus import __version__
from prunus.core.errors import PrunusError
from prunus.play.advice.library import Library

if TYPE_CHECKING:
    from prunus.core.game import Game
    from prunus.engine.options import Options, OptionValue
    from prunus.play.levels import Level
    from prunus.play.protocols.brain import Brain

MOST_MEGABYTES: Final = 1 << 16
MOST_LINES: Final = 256
MOST_OVERHEAD: Final = 5000
MOST_AMOUNT: Final = 1_000_000

CHESS: Final = "chess"
EMPTY: Final = "<empty>"
"""UCI's word for an empty text."""


class SettingError(PrunusError, ValueError):
    """A setting that does not exist, or a value that it cannot have."""


@dataclass
class Settings:
    """The game and the settings of an engine. `options` are those of the engine that differ from
    what suits its players. `overhead` is in milliseconds; `compile` as in `prunus.analyze`;
    `level` 0 and `rating` None are full strength; the
    books of the `library` are used if `own_book` says so."""

    game: str = CHESS
    evaluation: str = ""
    threads: int = 1
    megabytes: int = 64
    lines: int = 1
    overhead: int = 10
    ponders: bool = False
    chess960: bool = False
    options: dict[str, OptionValue] = field(default_factory=dict)
    compile: bool | None = None
    level: int = 0
    library: Library = Library()
    own_book: bool = False
    rating: int | None = None
    is_limited: bool = False
    """Whether `rating` counts."""
    is_other_game: bool = False
    """Set when a setting has changed the game."""

    def __post_init__(self) -> None:
        self.accepted = dict(self.options)
        """The options of the engine that are known to suit the game."""

    @property
    def title(self) -> str:
        """The engine's name."""
        other = "" if self.game == CHESS else f" ({self.game})"
        return f"Prunus {__version__}{other}"

    def described(self) -> Iterator[str]:
        """The settings as UCI describes them."""
        from prunus.play.levels import LEVELS, ratings_of

        cores = max(os.cpu_count() or 1, self.threads)
        yield f"name Hash type spin default {self.megabytes} min 1 max {MOST_MEGABYTES}"
        yield "name Clear Hash type button"
        yield f"name Threads type spin default {self.threads} min 1 max {cores}"
        yield f"name MultiPV type spin default {self.lines} min 1 max {MOST_LINES}"
        yield f"name Move Overhead type spin default {self.overhead} min 0 max {MOST_OVERHEAD}"
        yield f"name Ponder type check default {_written(self.ponders)}"
        if self.game == CHESS:
            yield f"name UCI_Chess960 type check default {_written(self.chess960)}"
        yield f"name OwnBook type check default {_written(self.own_book)}"
        if self.game == CHESS:
            yield f"name Book type string default {self.library.book or EMPTY}"
            yield f"name SyzygyPath type string default {self.library.syzygy or EMPTY}"
        yield f"name Level type spin default {self.level} min 0 max {len(LEVELS)}"
        ratings = ratings_of(self.game)
        if ratings:
            least, most = ratings[0], ratings[-1]
            yield f"name UCI_LimitStrength type check default {_written(self.is_limited)}"
            yield f"name UCI_Elo type spin default {most} min {least} max {most}"
        options = self.engine_options()
        for name, value in options.values().items():
            if name in options.SWITCHES:
                yield f"name {name} type check default {_written(bool(value))}"
            else:
                yield f"name {name} type spin default {value} min 0 max {MOST_AMOUNT}"

    def engine_options(self, game: Game | None = None) -> Options:
        """The options of the engine. Of chess they are known before the game is loaded; of other
        games, it is loaded."""
        from prunus.engine.options import Options
        from prunus.games.recommended import CHESS as PLAYING

        if game is None and self.game == CHESS and "probcut" not in self.options:
            usual = Options.recommended(PLAYING, True, bool(self.evaluation))
            return Options(**(usual | self.options))  # type: ignore[arg-type]
        return Options.for_play(game or self.opened(), self.options)

    def set(self, name: str, value: str) -> bool:
        """Change a setting; names are compared without regard to case. Whether the table is to be
        emptied. Raises SettingError."""
        low = name.lower()
        if low == "clear hash":
            return True
        if low == "hash":
            self.megabytes = _number(name, value, 1, MOST_MEGABYTES)
        elif low == "threads":
            self.threads = _number(name, value, 1, max(os.cpu_count() or 1, 1024))
        elif low == "multipv":
            self.lines = _number(name, value, 1, MOST_LINES)
        elif low == "move overhead":
            self.overhead = _number(name, value, 0, MOST_OVERHEAD)
        elif low == "ponder":
            self.ponders = _switch(name, value)
        elif low == "uci_chess960" and self.game == CHESS:
            before, self.chess960 = self.chess960, _switch(name, value)
            self.is_other_game = before != self.chess960
        elif low == "ownbook":
            self.own_book = _switch(name, value)
        elif low in ("book", "syzygypath") and self.game == CHESS:
            path = "" if value == EMPTY else value
            if low == "book":
                self.library = replace(self.library, book=path)
            else:
                self.library = replace(self.library, syzygy=path)
        elif not self._set_strength(name, value):
            return self._set_option(name, value)
        return False

    def _set_strength(self, name: str, value: str) -> bool:
        """Change a setting of the strength; whether it is one."""
        from prunus.play.levels import LEVELS, ratings_of

        low, ratings = name.lower(), ratings_of(self.game)
        if low == "level":
            self.level = _number(name, value, 0, len(LEVELS))
        elif low == "uci_limitstrength" and ratings:
            self.is_limited = _switch(name, value)
        elif low == "uci_elo" and ratings:
            self.rating = _number(name, value, ratings[0], ratings[-1])
        else:
            return False
        return True

    def _set_option(self, name: str, value: str) -> bool:
        """Change an option of the engine. What the table holds was found with the others, so it is
        to be emptied."""
        from prunus.engine.options import Options

        low = name.lower()
        if low not in Options().values():
            raise SettingError(f"there is no option {name[:60]!r}")
        is_switch = low in Options.SWITCHES
        self.options[low] = (
            _switch(name, value) if is_switch else _number(name, value, 0, MOST_AMOUNT)
        )
        return True

    def strength(self) -> Level | None:
        """What weakens the engine; None: nothing does."""
        from prunus.play.levels import level_of, level_with

        if self.is_limited and self.rating is not None:
            return level_with(self.game, self.rating)
        return level_of(self.level) if self.level else None

    def opened(self) -> Game:
        """The game. Raises the errors of games, and SettingError if it is not for two."""
        from prunus.adapters import open_any
        from prunus.games.evaluations import with_evaluation

        spec = f"{CHESS}:chess960=true" if self.chess960 else self.game
        game = with_evaluation(open_any(spec)[0], self.evaluation)
        if game.players != 2:
            raise SettingError(
                f"{game.title()} has {game.players} players; the protocol is for two"
            )
        return game

    def brain(self) -> Brain:
        """A brain for the game with the options that it had at first; `apply` tells it what has
        been set since, and of books. Raises the errors of games and options."""
        from prunus.engine.options import Options
        from prunus.play.protocols.brain import Brain

        game = self.opened()
        options = Options.for_play(game, self.accepted)
        options.suits(game)
        made = Brain(game, options, self.threads, self.megabytes, self.compile)
        made.multi_pv, made.level = self.lines, self.strength()
        return made

    def apply(self, brain: Brain) -> bool:
        """Let a brain search by these settings from now on. Whether it needs other machine code
        than before: an option was switched on or off. An option that does not suit the game, and a
        book that cannot be read, are taken back; their error is raised at last."""
        brain.threads, brain.megabytes, brain.multi_pv = self.threads, self.megabytes, self.lines
        brain.level = self.strength()
        failed = self._apply_library(brain)
        before = brain.options
        try:
            options = self.engine_options(brain.game)
            options.suits(brain.game)
        except PrunusError:
            self.options = dict(self.accepted)
            raise
        brain.options, self.accepted = options, dict(self.options)
        if failed is not None:
            raise failed
        return options.switches() != before.switches()

    def _apply_library(self, brain: Brain) -> PrunusError | None:
        """Open the books and tables that are wanted; the error if that is not possible."""
        wanted = replace(self.library, installed=self.own_book)
        if not self.own_book:
            wanted = replace(wanted, book="")
        try:
            brain.consult(wanted)
        except PrunusError as error:
            self.library = replace(brain.library, installed=False)
            return error
        return None


def _number(name: str, text: str, least: int, most: int) -> int:
    try:
        value = int(text) if len(text) < 20 else most + 1
    except ValueError:
        raise SettingError(f"option {name}: {text[:40]!r} is not a whole number") from None
    if not least <= value <= most:
        raise SettingError(f"option {name}: {value} is not between {least} and {most}")
    return value


def _switch(name: str, text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise SettingError(f"option {name}: write true or false, not {text[:40]!r}")
    return text.lower() == "true"


def _written(value: bool) -> str:
    return str(value).lower()
