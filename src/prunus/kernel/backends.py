"""Choosing how a function runs: compiled where it can be, interpreted where it cannot or where that is asked for."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

from prunus.kernel.calling import arguments_for
from prunus.kernel.messages import CannotCompile
from prunus.kernel.threads import keeping_interrupts

Backend = Literal["interpreted", "compiled"]

COMPILE: Final[Mapping[str, bool | None]] = {"auto": None, "compiled": True, "interpreted": False}
"""What the backends that people name mean for `prepare`."""

_warned: set[tuple[type, str]] = set()


class InterpretedWarning(UserWarning):
    """A game cannot be compiled and runs interpreted."""


def prepare(function: Callable[..., int], arguments: Mapping[str, Any], compile: bool | None = None) -> tuple[Callable[..., int], Backend]:
    """The function ready to be called with arguments of these types (by position), and how it will run.

    compile: True compiles and raises CannotCompile where that fails, False interprets, None compiles if it can and otherwise warns once
    for each class of games, with the method, the line and the reason.
    """
    arguments["game"].freeze()
    if compile is False or (arguments["game"].interpreted_only and not compile):
        return function, "interpreted"
    from prunus.kernel.compiled import compile_function

    try:
        with keeping_interrupts():
            return compile_function(function, arguments), "compiled"
    except CannotCompile as error:
        if compile:
            raise
        key = (type(arguments["game"]), error.reason)
        if key not in _warned:
            _warned.add(key)
            warnings.warn(f"{error}; it runs interpreted, some hundred times slower", InterpretedWarning, stacklevel=3)
        return function, "interpreted"


def call(function: Callable[..., int], arguments: Mapping[str, Any], compile: bool | None = None) -> tuple[int, Backend]:
    """Prepare a function and run it once on the arguments, given by name."""
    ready, backend = prepare(function, arguments, compile)
    return ready(*arguments_for(function, arguments)), backend
