"""From a plain function, a game and a memory to machine code."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any

import numba
from numba.core import errors, types
from numba.core.typing.templates import signature

from prunus.game import Game
from prunus.kernel import cache
from prunus.kernel.digest import Digest
from prunus.kernel.dispatch import compiling
from prunus.kernel.gametype import is_importable, type_of_game
from prunus.kernel.memory import Memory
from prunus.kernel.messages import explain
from prunus.kernel.native_memory import MemoryType, type_of_memory
from prunus.kernel.states import type_of_state
from prunus.state import is_state_class


def _type_of(value: Any) -> Any:
    if isinstance(value, Game):
        return type_of_game(value)
    if isinstance(value, Memory):
        return type_of_memory(value)
    if is_state_class(type(value)):
        return type_of_state(value)
    if isinstance(value, int):
        return types.int64
    raise errors.TypingError(f"a value of {type(value).__name__} cannot be handed to compiled code")


_compiled: dict[Any, Callable[..., int]] = {}


def compile_function(function: Callable[..., int], arguments: Mapping[str, Any]) -> Callable[..., int]:
    """Machine code of a function for arguments of these types (a game, States, integers, a Memory), in the order of its parameters.

    The code calls nothing of Python and runs without the GIL. Raises CannotCompile, which says where and why in plain words.
    """
    game = arguments["game"]
    try:
        kinds = tuple(_type_of(arguments[name]) for name in inspect.signature(function).parameters)
        key = (function, kinds)
        if key not in _compiled:
            _compiled[key] = _compile(function, game, kinds)
        return _compiled[key]
    except Exception as error:  # the compiler raises many kinds for code that it does not know
        raise explain(error, game) from error


def _compile(function: Callable[..., int], game: Game, kinds: tuple[Any, ...]) -> Callable[..., int]:
    entry = _entry(function)
    wanted = signature(types.int64, *kinds)
    place = cache.folder()
    states = [kind.instance_class for kind in kinds if isinstance(kind, types.BaseNamedTuple)]
    if place is not None and all(map(is_importable, [type(game), *states])):
        digest = Digest()
        digest.function(function)
        # Types print with numbers that hold for one process; the digests stand for what they mean.
        shape = re.sub(r"#\d+|:\d+\)", "", ", ".join(map(str, kinds)))
        digest.text(type_of_game(game).digest, shape, *(kind.fields for kind in kinds if isinstance(kind, MemoryType)))
        entry._cache = _Named(f"{function.__name__}-{type(game).__name__}", digest.hexdigest(), place)
    with compiling():
        entry.compile(wanted)
    return entry.overloads[wanted.args].entry_point


class _Named(cache.DiskCache):
    """A disk cache whose digest already covers the signature."""

    def _path(self, signature: Any, codegen: Any) -> Any:
        return super()._path("", codegen)


def _entry(function: Callable[..., int]) -> Any:
    """A new dispatcher of a function that only calls the given one: a function that calls itself cannot be entered from Python directly."""
    parameters = ", ".join(inspect.signature(function).parameters)
    namespace: dict[str, Any] = {"function": function, "__name__": __name__}
    exec(f"def entry({parameters}):\n    return function({parameters})\n", namespace)  # noqa: S102
    return numba.jit(nopython=True, nogil=True)(namespace["entry"])
