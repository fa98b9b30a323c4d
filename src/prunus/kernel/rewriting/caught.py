"""Whether an error in a function of the rules may be caught by one that calls it.

Compiled code takes the items of some lists and generators at other times than Python: the items
behind the last one that a loop wants are never made, or all are made first. An error among them is
then raised in one of both only, and if a handler catches it the rules go on with another value.

No types are known here. A function is taken to call all those whose names stand in its code; and
one that calls what has no such name, such as a parameter, is taken to call every other.
"""

from __future__ import annotations

import dis
import functools
import sys
import types
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from typing import Any

from prunus.core.values import raw

_FOREIGN = frozenset(sys.stdlib_module_names) | {"numpy", "numba", "llvmlite"}
_OWN = ("builtins", "prunus.core.", "prunus.kernel.")

_UNCOMPILED = frozenset(
    (
        "action_name",
        "action_named",
        "attributes",
        "clicks",
        "drawn_lines",
        "format",
        "freeze",
        "initial",
        "note_methods",
        "parse",
        "picture",
        "play",
        "prepare",
        "probcut_file",
        "protocol_name",
        "solving_game",
        "split_moves",
        "title",
        "view_arrays",
        "whose_turn",
        "with_parts",
    )
)
"""Methods that begin, or read and write texts, and often catch errors. Unless the rules call them,
they are never compiled."""

_CALLING = frozenset(
    (
        "accumulate",
        "dropwhile",
        "filter",
        "filterfalse",
        "groupby",
        "map",
        "partial",
        "reduce",
        "starmap",
        "takewhile",
    )
)
"""What calls a function that it is given; others do with the argument `key`."""

_MAKING = frozenset(
    (
        "__format__",
        "__getnewargs__",
        "__init__",
        "__init_subclass__",
        "__new__",
        "__post_init__",
        "__reduce__",
        "__repr__",
        "__set_name__",
        "__str__",
    )
)
"""Special methods that make objects or texts; compiled rules call none of them."""


def may_be_caught(game: Any, function: types.FunctionType) -> bool:
    """Whether an error in this function may be caught by the function itself, or by one of the
    game's rules that calls it."""
    code = raw(function).__code__
    return _handles(code) or _Rules(game).may_catch(code)


def _handles(code: types.CodeType) -> bool:
    """Whether a function, or one inside it, has a handler of errors that is written in it."""
    begins = code.co_exceptiontable and dis.opmap["PUSH_EXC_INFO"] in code.co_code[::2]
    return bool(begins) or any(map(_handles, _inner(code)))


def _calls_unknown(code: types.CodeType) -> bool:
    """Whether a function, or one inside it, calls something that is neither a name of its module
    nor an attribute, or something else may call what it is given."""
    return (
        dis.opmap["PUSH_NULL"] in code.co_code[::2]
        or not _CALLING.isdisjoint(code.co_names)
        or any(isinstance(names, tuple) and "key" in names for names in code.co_consts)
        or any(map(_calls_unknown, _inner(code)))
    )


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    yield from code.co_freevars
    yield from (text for text in code.co_consts if isinstance(text, str))  # getattr(self, "name")
    for inner in _inner(code):
        yield from _names(inner)


def _globals(code: types.CodeType) -> Iterator[str]:
    yield from (step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL")
    for inner in _inner(code):
        yield from _globals(inner)


def _inner(code: types.CodeType) -> list[types.CodeType]:
    return [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]


class _Rules:
    """The functions that a game's rules can reach, by the names under which they are called. What
    is usually not compiled is put aside until a name leads to it."""

    def __init__(self, game: Any) -> None:
        self._named: dict[str, set[types.CodeType]] = defaultdict(set)
        self._operators: set[types.CodeType] = set()
        self._aside: dict[str, list[Any]] = defaultdict(list)
        self._seen: set[int] = set()
        self._add("", type(game))
        for name, value in vars(game).items():
            self._add(name, value)
        while wanted := self._aside.keys() & set(chain.from_iterable(map(_names, self._every()))):
            for name in wanted:
                for held in self._aside.pop(name):
                    self._add(name, held)

    def _every(self) -> set[types.CodeType]:
        return set().union(*self._named.values())

    def may_catch(self, code: types.CodeType) -> bool:
        """Whether a function that has handlers may call this code, or something that calls it."""
        work = [code for code in self._every() if _handles(code)]
        if work:
            work += self._operators  # they are called without a name
        found = set(work)
        while work:
            caller = work.pop()
            if _calls_unknown(caller):
                return True
            for name in _names(caller):
                more = self._named.get(name, set()) - found
                found |= more
                work += more
        return code in found

    def _add(self, name: str, value: Any) -> None:
        """Add whatever functions a value has; `name` leads to it."""
        value = _unwrapped(value)
        if isinstance(value, types.FunctionType):
            self._named[name].add(value.__code__)
            self._named[value.__name__].add(value.__code__)
            if _is_operator(value.__name__):
                self._operators.add(value.__code__)
            if self._is_new(value):
                self._reach(value)
        elif isinstance(value, type):
            if self._is_new(value):
                self._add_members(value)
        elif isinstance(value, tuple | list | dict):
            if not self._is_new(value):
                return
            for item in value.values() if isinstance(value, dict) else value:
                if not isinstance(item, int):
                    self._add(name, item)
            for field in getattr(value, "_fields", ()):
                self._add(field, getattr(value, field))
            self._seen.discard(id(value))  # another name may lead to it, too
            self._add(name, type(value))
        else:
            self._add(name, type(value))

    def _add_members(self, value: type) -> None:
        for cls in value.__mro__:
            for member, held in () if _is_foreign(cls) else vars(cls).items():
                if getattr(_unwrapped(held), "__module__", "") == "enum":
                    continue  # a function of the library's own, which calls no rules
                if member in _UNCOMPILED or (member.startswith("__") and not _is_operator(member)):
                    self._aside[member].append(held)
                else:
                    self._add(member, held)

    def _reach(self, function: types.FunctionType) -> None:
        if _is_foreign(function):
            return
        for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
            self._add("", value)
        names = sorted(set(_names(function.__code__)))
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        held = {name: cell.cell_contents for name, cell in cells if cell != types.CellType()}
        read = set(_globals(function.__code__))
        for name in names:
            value = held.get(name, function.__globals__.get(name) if name in read else None)
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


def _is_operator(name: str) -> bool:
    """Whether methods of this name are called without it."""
    return name.startswith("__") and name not in _MAKING


def _is_foreign(thing: Any) -> bool:
    """Whether a class, function or module is none of the rules, and calls none of them."""
    name = thing.__name__ if isinstance(thing, types.ModuleType) else thing.__module__
    return not name or name.partition(".")[0] in _FOREIGN or name.startswith(_OWN)
