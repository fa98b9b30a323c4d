"""From a plain function, a game and a memory to machine code."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import numba
from numba.core import errors, types
from numba.core.typing.templates import signature

from prunus.core.game import Game
from prunus.core.state import is_state_class
from prunus.kernel.boards.shapes import one_shape
from prunus.kernel.boards.states import type_of_state
from prunus.kernel.calling import arguments_for, parameters_of
from prunus.kernel.code import cache, engines, hand, learnt
from prunus.kernel.code.digest import Digest
from prunus.kernel.code.dispatchers import forget_changed
from prunus.kernel.code.recent import Recent
from prunus.kernel.compiling.dispatch import compiling
from prunus.kernel.compiling.gametype import is_importable, type_of_game
from prunus.kernel.compiling.trial import text_fault, try_texts
from prunus.kernel.containers.memory import MemoryType, type_of_memory
from prunus.kernel.containers.views import ViewType
from prunus.kernel.memory import Memory
from prunus.kernel.numbers.intrinsics import as_signed
from prunus.kernel.reporting.messages import explain
from prunus.kernel.reporting.special import check_special
from prunus.kernel.rewriting.passes import EntryCompiler


def _type_of(value: Any) -> Any:
    if type(value) is int:
        return types.int64
    if isinstance(value, Game):
        return type_of_game(value)
    if isinstance(value, Memory):
        return type_of_memory(value)
    if is_state_class(type(value)):
        if fault := text_fault(value):
            raise errors.TypingError(fault)
        return type_of_state(value)
    if isinstance(value, int):
        return types.int64
    raise errors.TypingError(
        f"its State is {_described(value)}: describe a position by a class State(NamedTuple) with "
        f"fields int, u8 ... u64, ..."
    )


def _described(value: Any) -> str:
    """The kind of object that the user took for a State, in words."""
    if dataclasses.is_dataclass(value):
        return "a dataclass"
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return "a NamedTuple that is not the class's own State"
    return f"a plain {type(value).__name__}"


ATTEMPTS: Final = 3
"""The number of attempts at compiling rules that change while they are compiled."""

KEPT: Final = 64
"""The number of pieces of machine code kept ready, those used last; each is an algorithm for a
game."""

_digests: Recent[Callable[..., int], tuple[Digest, str]] = Recent(KEPT)
_compiled: Recent[Any, tuple[Any, Callable[..., int]]] = Recent(KEPT)
"""Each with the types of its arguments. Equal types are one object while anyone holds them, so
their addresses identify them; hashing them takes longer than the whole look-up."""
_since = [0]
"""The number of pieces made since `learnt.forget`."""
_turn = [threading.RLock()]
"""The lock that a thread holds while it compiles."""

if hasattr(os, "register_at_fork"):
    # The thread that held the lock does not exist in the new process.
    os.register_at_fork(after_in_child=lambda: _turn.__setitem__(0, threading.RLock()))


def compile_function(
    function: Callable[..., int], arguments: Mapping[str, Any]
) -> Callable[..., int]:
    """Machine code of a function for arguments of these types (a game, States, integers, a Memory),
    in the order of its parameters, by the current rules.

    The code never calls Python and runs without the GIL. Threads compile one at a time. Raises
    CannotCompile, which says where and why in plain words.
    """
    game = arguments["game"]
    try:
        with _turn[0]:
            for _ in range(ATTEMPTS):
                key, kinds = _key(function, arguments)
                found = _compiled.get(key)
                if found is not None:
                    return found[1]
                try_texts(game, list(arguments.values()))
                made = _compile(function, game, kinds)
                if _key(function, arguments)[0] == key:
                    return _compiled.put(key, (kinds, made))[1]
        raise errors.TypingError("its rules change while they are compiled")
    except Exception as error:  # the compiler raises many kinds of errors for code it does not know
        raise explain(error, game) from error


def ready(function: Callable[..., int], arguments: Mapping[str, Any]) -> Callable[..., int] | None:
    """The code that `compile_function` has already made for these arguments and the current rules;
    None also if it would refuse them."""
    try:
        found = _compiled.get(_key(function, arguments)[0])
        return None if found is None else found[1]
    except Exception:  # for the same reason
        return None


def _key(
    function: Callable[..., int], arguments: Mapping[str, Any]
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The key of a piece of code (the function as it is now, and the types of its arguments, a
    game's by its current rules), and these types."""
    kinds = tuple([_type_of(value) for value in arguments_for(function, arguments)])
    return (function, _digest_of(function), *map(id, kinds)), kinds


def _digest_of(function: Callable[..., int]) -> str:
    """The digest of a function, and of everything it reaches by name, as it is now."""
    known = _digests.get(function)
    # Prunus's own algorithms do not change while it runs; checking would take longer than a short
    # search.
    own = (function.__module__ or "").startswith("prunus.")
    if known is None or not (own or known[0].is_current()):
        digest = Digest()
        digest.value(function)
        known = _digests.put(function, (digest, digest.hexdigest()))
    return known[1]


def _compile(
    function: Callable[..., int], game: Game, kinds: tuple[Any, ...]
) -> Callable[..., int]:
    wanted = signature(types.int64, *kinds)
    place = hand.folder()
    digest = _digest(function, game, kinds)
    entry = _entry(function, digest)
    states = [kind.instance_class for kind in kinds if isinstance(kind, types.BaseNamedTuple)]
    if place is not None and all(map(is_importable, [type(game), *states])):
        entry._cache = cache.DiskCache(hand.file_prefix(function, game), digest, place)
    for state in _states_in(kinds):
        check_special(state.instance_class)
    forget_changed()
    _since[0] += 1
    if _since[0] > learnt.GAMES:
        learnt.forget()
        _since[0] = 1
    engines.give_back()
    with compiling(), one_shape(_states_in(kinds)):
        entry.compile(wanted)
    made = entry.overloads[wanted.args]
    made.library.drop_text()
    return made.entry_point


def _states_in(kinds: tuple[Any, ...]) -> Iterator[Any]:
    """The types of the States that a call passes, and of those that its memory holds."""
    for kind in kinds:
        members = (
            [item.state for _, item in kind.fields.values() if isinstance(item, ViewType)]
            if isinstance(kind, MemoryType)
            else [kind]
        )
        yield from (member for member in members if isinstance(member, types.BaseNamedTuple))


def _digest(function: Callable[..., int], game: Game, kinds: tuple[Any, ...]) -> str:
    """The name of everything that the machine code of this call depends on."""
    # Types print with numbers that are only valid in one process; the digests stand for their
    # meaning.
    written = (kind.made_of if isinstance(kind, MemoryType) else str(kind) for kind in kinds)
    shown = re.sub(r"#\d+|:\d+\)", "", ", ".join(written))
    return hashlib.sha256(
        f"{_digest_of(function)} {type_of_game(game).digest} {shown}".encode()
    ).hexdigest()


def _entry(function: Callable[..., int], digest: str) -> Any:
    """A new dispatcher for a function that only calls the given one: Python cannot directly enter a
    function that calls itself.

    The digest is part of its name, and so of its symbol: code from several processes may meet in
    one.
    """
    name = f"entry_{digest[:32]}"
    parameters = ", ".join(parameters_of(function))
    namespace: dict[str, Any] = {"function": function, "as_signed": as_signed, "__name__": __name__}
    exec(f"def {name}({parameters}):\n    return as_signed(function({parameters}))\n", namespace)  # noqa: S102
    return numba.jit(
        nopython=True, nogil=True, pipeline_class=EntryCompiler, no_cfunc_wrapper=True
    )(namespace[name])
