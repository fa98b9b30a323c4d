"""From a plain function, a game and a memory to machine code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numba
from numba.core import errors, types
from numba.core.typing.templates import signature

from prunus.game import Game
from prunus.kernel import cache
from prunus.kernel.calling import arguments_for, parameters_of
from prunus.kernel.digest import Digest
from prunus.kernel.dispatch import compiling
from prunus.kernel.gametype import is_importable, type_of_game
from prunus.kernel.memory import Memory
from prunus.kernel.messages import explain
from prunus.kernel.native_memory import MemoryType, ViewType, type_of_memory
from prunus.kernel.shapes import one_shape
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
        kinds = tuple(map(_type_of, arguments_for(function, arguments)))
        key = (function, kinds)
        if key not in _compiled:
            _compiled[key] = _compile(function, game, kinds)
        return _compiled[key]
    except Exception as error:  # the compiler raises many kinds for code that it does not know
        raise explain(error, game) from error


def _compile(function: Callable[..., int], game: Game, kinds: tuple[Any, ...]) -> Callable[..., int]:
    wanted = signature(types.int64, *kinds)
    place = cache.folder()
    digest = _digest(function, game, kinds)
    entry = _entry(function, digest)
    states = [kind.instance_class for kind in kinds if isinstance(kind, types.BaseNamedTuple)]
    if place is not None and all(map(is_importable, [type(game), *states])):
        entry._cache = cache.DiskCache(f"{function.__name__}-{type(game).__name__}", digest, place)
    with compiling(), one_shape(_states_in(kinds)):
        entry.compile(wanted)
    return entry.overloads[wanted.args].entry_point


def _states_in(kinds: tuple[Any, ...]) -> Iterator[Any]:
    """The types of the States that a call hands over, and of those that its memory holds."""
    for kind in kinds:
        members = [item.state for _, item in kind.fields.values() if isinstance(item, ViewType)] if isinstance(kind, MemoryType) else [kind]
        yield from (member for member in members if isinstance(member, types.BaseNamedTuple))


def _digest(function: Callable[..., int], game: Game, kinds: tuple[Any, ...]) -> str:
    """The name of everything that the machine code of this call depends on."""
    digest = Digest()
    digest.function(function)
    # Types print with numbers that hold for one process; the digests stand for what they mean.
    digest.text(type_of_game(game).digest, re.sub(r"#\d+|:\d+\)", "", ", ".join(map(str, kinds))))
    return digest.hexdigest()


def _entry(function: Callable[..., int], digest: str) -> Any:
    """A new dispatcher of a function that only calls the given one: a function that calls itself cannot be entered from Python directly.

    The digest is part of its name, and so of its symbol: pieces of code from several processes may meet in one.
    """
    name = f"entry_{digest[:32]}"
    parameters = ", ".join(parameters_of(function))
    namespace: dict[str, Any] = {"function": function, "__name__": __name__}
    exec(f"def {name}({parameters}):\n    return function({parameters})\n", namespace)  # noqa: S102
    return numba.jit(nopython=True, nogil=True)(namespace[name])
