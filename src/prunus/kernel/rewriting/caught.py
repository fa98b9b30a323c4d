"""Whether an error in a function of the rules may be caught by one that calls it.

Compiled code takes the items of some lists and generators at other times than Python: the items
behind the last one that a loop wants are never made, or all are made first. An error among them is
then raised in one of both only, and if a handler catches it the rules go on with another value.

No types are known here. A function is taken to call all those whose names stand in its code.
"""

from __future__ import annotations

import dis
import functools
import sys
import types
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from prunus.core.values import raw

_FOREIGN = frozenset(sys.stdlib_module_names) | {"numpy", "numba", "llvmlite"}
_OWN = ("builtins", "prunus.core.", "prunus.kernel.")

_FOR_PEOPLE = frozenset(
    (
        "parse",
        "split_moves",
        "format",
        "picture",
        "clicks",
        "play",
        "action_name",
        "action_named",
        "protocol_name",
    )
)
"""Methods that read and write texts: they are never compiled, and often catch errors."""


def may_be_caught(game: Any, function: types.FunctionType) -> bool:
    """Whether an error in this function may be caught by the function itself, or by one of the
    game's rules that calls it."""
    code = raw(function).__code__
    return _handles(code) or code in _Rules(game).within_handlers()


def _handles(code: types.CodeType) -> bool:
    """Whether a function, or one inside it, has a handler of errors that is written in it."""
    begins = code.co_exceptiontable and dis.opmap["PUSH_EXC_INFO"] in code.co_code[::2]
    return bool(begins) or any(map(_handles, _inner(code)))


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    yield from code.co_freevars
    yield from (text for text in code.co_consts if isinstance(text, str))  # getattr(self, "name")
    for inner in _inner(code):
        yield from _names(inner)


def _inner(code: types.CodeType) -> list[types.CodeType]:
    return [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]


class _Rules:
    """The functions that a game's rules can reach, by the names under which they are called."""

    def __init__(self, game: Any) -> None:
        self._named: dict[str, set[types.CodeType]] = defaultdict(set)
        self._seen: set[int] = set()
        self._add("", type(game))
        for name, value in vars(game).items():
            self._add(name, value)

    def within_handlers(self) -> set[types.CodeType]:
        """The code that has handlers, and all that it may call."""
        every = set().union(*self._named.values())
        work = [code for code in every if _handles(code)]
        found = set(work)
        while work:
            for name in _names(work.pop()):
                more = self._named.get(name, set()) - found
                found |= more
                work += more
        return found

    def _add(self, name: str, value: Any) -> None:
        """Add whatever functions a value has; `name` leads to it."""
        value = _unwrapped(value)
        if isinstance(value, types.FunctionType):
            self._named[name].add(value.__code__)
            self._named[value.__name__].add(value.__code__)
            if self._is_new(value):
                self._reach(value)
        elif isinstance(value, type):
            if self._is_new(value):
                for cls in value.__mro__:
                    for member, held in () if _is_foreign(cls) else vars(cls).items():
                        if member not in _FOR_PEOPLE and not member.startswith("__"):
                            self._add(member, held)
        elif isinstance(value, tuple | list | dict):
            if not self._is_new(value):
                return
            for item in value.values() if isinstance(value, dict) else value:
                if not isinstance(item, int):
                    self._add(name, item)
            self._seen.discard(id(value))  # another name may lead to it, too
            self._add(name, type(value))
        else:
            self._add(name, type(value))

    def _reach(self, function: types.FunctionType) -> None:
        if _is_foreign(function):
            return
        names = sorted(set(_names(function.__code__)))
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        held = {name: cell.cell_contents for name, cell in cells if cell != types.CellType()}
        for name in names:
            value = held.get(name, function.__globals__.get(name))
            if isinstance(value, types.ModuleType) and not _is_foreign(value):
                for attribute in names:
                    self._add(attribute, vars(value).get(attribute))
            else:
                self._add(name, value)

    def _is_new(self, value: Any) -> bool:
        is_new = id(value) not in self._seen
        self._seen.add(id(value))
        return is_new


def _unwrapped(value: Any) -> Any:
    """The function itself, as the user wrote it."""
    while True:
        if isinstance(value, property):
            value = value.fget
        elif isinstance(value, staticmethod | classmethod | types.MethodType):
            value = value.__func__
        elif isinstance(value, functools._lru_cache_wrapper):
            value = value.__wrapped__
        elif isinstance(value, functools.partial):
            value = value.func
        else:
            return raw(value)


def _is_foreign(thing: Any) -> bool:
    """Whether a class, function or module is none of the rules, and calls none of them."""
    name = thing.__name__ if isinstance(thing, types.ModuleType) else thing.__module__
    return not name or name.partition(".")[0] in _FOREIGN or name.startswith(_OWN)
