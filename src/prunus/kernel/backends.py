"""Choosing how a function runs: compiled if it can be, interpreted if it cannot or if the caller
asks for that."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

from prunus.kernel.calling import arguments_for
from prunus.kernel.code import hand
from prunus.kernel.code.rules import fix
from prunus.kernel.pipeline.garbage import little_garbage
from prunus.kernel.reporting.messages import CannotCompile
from prunus.kernel.waiting import Patience, waited_for

Backend = Literal["interpreted", "compiled"]

COMPILE: Final[Mapping[str, bool | None]] = {"auto": None, "compiled": True, "interpreted": False}
"""The backends by the names that users give, and their meaning for `prepare`."""

_ENDLESS: Final = Patience()

_warned: set[tuple[type, str]] = set()


class InterpretedWarning(UserWarning):
    """Warns that a game cannot be compiled and runs interpreted."""


def prepare(
    function: Callable[..., int],
    arguments: Mapping[str, Any],
    compile: bool | None = None,
    patience: Patience = _ENDLESS,
) -> tuple[Callable[..., int], Backend]:
    """The function ready to be called with arguments of these types (by position), and the backend
    it runs on.

    compile: True compiles and raises CannotCompile if that fails, False interprets, None compiles
    if it can and otherwise warns once per class of games, with the method, the line and the reason.
    patience: how long to wait for the compiler, and whom to tell in the meantime; raises NotReady
    when the time is up. After NotReady or Ctrl-C, compiling goes on in the background.
    """
    game = arguments["game"]
    fix(game)
    if compile is False or (game.interpreted_only and not compile):
        return function, "interpreted"
    try:
        code = _ready(function, arguments)
        if code is None:
            code = waited_for(
                hand.arguments_key(function, arguments),
                lambda: _compiled(function, arguments),
                patience,
            )
            hand.tell_unkept(3)
        return code, "compiled"
    except CannotCompile as error:
        if compile:
            raise
        key = (type(game), error.reason)
        if key not in _warned:
            _warned.add(key)
            warnings.warn(
                f"{error}; it runs interpreted, about a hundred times slower",
                InterpretedWarning,
                stacklevel=3,
            )
        return function, "interpreted"


def _ready(function: Callable[..., int], arguments: Mapping[str, Any]) -> Callable[..., int] | None:
    """The code if it is in memory. Loading the compiler takes long too, so that is left to a caller
    that can wait."""
    loaded = sys.modules.get("prunus.kernel.compiling.compiled")
    return (
        loaded.ready(function, arguments)
        if loaded is not None and hasattr(loaded, "ready")
        else None
    )


def _compiled(function: Callable[..., int], arguments: Mapping[str, Any]) -> Callable[..., int]:
    with little_garbage():
        from prunus.kernel.compiling.compiled import compile_function

        made = compile_function(function, arguments)
    hand.note_made(function, arguments["game"])
    return made


def call(
    function: Callable[..., int], arguments: Mapping[str, Any], compile: bool | None = None
) -> tuple[int, Backend]:
    """Prepare a function and run it once on the arguments, given by name."""
    ready, backend = prepare(function, arguments, compile)
    return ready(*arguments_for(function, arguments)), backend
