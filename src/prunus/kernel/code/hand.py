"""Whether machine code is at hand, in this process or on disk; finding out needs no compiler."""

from __future__ import annotations

import hashlib
import os
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from prunus.core.game import Game
from prunus.kernel.code.recent import Recent
from prunus.kernel.code.rules import rules_of

Function = Callable[..., int]

KNOWN: Final = 256
"""The number of games whose code is remembered to be at hand; for others it is looked up again."""

_unkept: dict[Path, str] = {}
"""Why machine code could not be kept, by folder; empty once it has been told."""

_made: Recent[tuple[Function, type, str], bool] = Recent(KNOWN)


def folder() -> Path | None:
    """The folder where machine code is kept between processes; None if it is not kept."""
    if os.environ.get("PRUNUS_CACHE", "").lower() in ("off", "0", "no"):
        return None
    given = os.environ.get("PRUNUS_CACHE_DIR")
    if given:
        return Path(given)
    home = (
        os.environ.get("LOCALAPPDATA")
        if sys.platform == "win32"
        else os.environ.get("XDG_CACHE_HOME")
    )
    try:
        return Path(home or Path.home() / ".cache") / "prunus"
    except RuntimeError:
        return None


def file_prefix(function: Function, game: Game) -> str:
    """The prefix of the names of files with code of a function for a game by its current rules,
    whatever the types of its other arguments."""
    parts = (
        sys.version,
        function.__module__ or "",
        function.__qualname__,
        type(game).__module__,
        rules_of(game).name,
    )
    digest = hashlib.sha256("|".join(parts).encode()).hexdigest()[:16]
    return f"{function.__name__}-{type(game).__name__}-{digest}-"


def is_loaded(function: Function, game: Game) -> bool:
    """Whether code of a function for a game with these rules is in this process. Code on disk has
    to be read first, which takes up to a second or two."""
    return bool(_made.get((function, type(game), rules_of(game).name)))


def is_at_hand(function: Function, game: Game) -> bool:
    """Whether a function was compiled for a game with these rules, by this process or another. The
    code may be for other arguments, or its file unusable; then the function is compiled after
    all."""
    if is_loaded(function, game):
        return True
    place = folder()
    if place is None:
        return False
    try:
        names = os.listdir(place)
    except OSError:
        return False
    prefix = file_prefix(function, game)
    return any(name.startswith(prefix) and name.endswith(".bin") for name in names)


def note_made(function: Function, game: Game) -> None:
    """Record that machine code of a function for a game is ready to be called."""
    _made.put((function, type(game), rules_of(game).name), True)


def note_unkept(place: Path, reason: str) -> None:
    """Record why machine code could not be kept in a folder."""
    _unkept.setdefault(place, reason)


def tell_unkept(level: int) -> None:
    """Warn, once for each folder, that machine code cannot be kept there. `level`: how many calls
    above this one the warning is for."""
    for place, reason in list(_unkept.items()):
        if reason:
            _unkept[place] = ""
            warnings.warn(
                f"machine code cannot be kept in {place} ({reason}), so that each process compiles "
                f"anew; let PRUNUS_CACHE_DIR name a folder that can be written",
                stacklevel=level + 1,
            )


def arguments_key(function: Function, arguments: Any) -> tuple[Any, ...]:
    """Identifies a running compilation; the key keeps the game alive."""
    return function, arguments["game"], type(arguments.get("memory"))
