"""What can be set while an engine runs, and what it begins with."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from prunus import __version__
from prunus.core.errors import PrunusError

if TYPE_CHECKING:
    from prunus.engine.options import OptionValue
    from prunus.play.protocols.thinking import Brain

MOST_MEGABYTES: Final = 1 << 16
MOST_LINES: Final = 256
MOST_OVERHEAD: Final = 5000
MOST_AMOUNT: Final = 1_000_000

CHESS: Final = "chess"


class SettingError(PrunusError, ValueError):
    """A setting that does not exist, or a value that it cannot have."""


@dataclass
class Settings:
    """The game and the settings of an engine. `options` are those of the engine that are switched
    on; their amounts can be changed at any time, because amounts are not compiled in. `overhead` is
    in milliseconds; `compile` as in `prunus.analyze`."""

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
    is_other_game: bool = False
    """Set when a setting has changed the game."""

    @property
    def title(self) -> str:
        """The engine's name."""
        other = "" if self.game == CHESS else f" ({self.game})"
        return f"Prunus {__version__}{other}"

    def described(self) -> Iterator[str]:
        """The settings as UCI describes them."""
        cores = max(os.cpu_count() or 1, self.threads)
        yield f"name Hash type spin default {self.megabytes} min 1 max {MOST_MEGABYTES}"
        yield "name Clear Hash type button"
        yield f"name Threads type spin default {self.threads} min 1 max {cores}"
        yield f"name MultiPV type spin default {self.lines} min 1 max {MOST_LINES}"
        yield f"name Move Overhead type spin default {self.overhead} min 0 max {MOST_OVERHEAD}"
        yield f"name Ponder type check default {str(self.ponders).lower()}"
        if self.game == CHESS:
            yield f"name UCI_Chess960 type check default {str(self.chess960).lower()}"
        for name, value in self.options.items():
            if self._is_amount(name):
                yield f"name {name} type spin default {value} min 1 max {MOST_AMOUNT}"

    def _is_amount(self, name: str) -> bool:
        value = self.options.get(name)
        return isinstance(value, int) and not isinstance(value, bool) and value > 0

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
        elif self._is_amount(low):
            self.options[low] = _number(name, value, 1, MOST_AMOUNT)
        else:
            raise SettingError(f"there is no option {name[:60]!r}")
        return False

    def brain(self) -> Brain:
        """A brain for the game with these settings. Raises the errors of games and options."""
        from prunus.adapters import open_any
        from prunus.engine.options import Options
        from prunus.games.evaluations import with_evaluation
        from prunus.play.protocols.thinking import Brain

        spec = f"{CHESS}:chess960=true" if self.chess960 else self.game
        game = with_evaluation(open_any(spec)[0], self.evaluation)
        if game.players != 2:
            raise SettingError(
                f"{game.title()} has {game.players} players; the protocol is for two"
            )
        options = Options.for_play(game, self.options)
        made = Brain(game, options, self.threads, self.megabytes, self.compile)
        made.multi_pv = self.lines
        return made

    def apply(self, brain: Brain) -> None:
        """Let a brain search by these settings from now on."""
        from dataclasses import replace

        brain.threads, brain.megabytes, brain.multi_pv = self.threads, self.megabytes, self.lines
        brain.options = replace(brain.options, **self.options)  # type: ignore[arg-type]


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
