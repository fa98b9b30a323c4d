"""The parts of a program that something was made from, and whether they are unchanged.

Names are compared by the identity of their values, containers by the identity of their items,
arrays by their bytes. A check takes some microseconds, so that every search can afford it.
"""

from __future__ import annotations

import copyreg
import ctypes
import struct
import types
from array import array
from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any, Final

_GONE = object()


def _addresses_read(values: tuple[Any, ...]) -> bytes:
    """The addresses of a tuple's items, read from CPython's own memory: ten times as fast as asking
    for each."""
    return ctypes.string_at(id(values) + tuple.__basicsize__, struct.calcsize("P") * len(values))


def _addresses_asked(values: tuple[Any, ...]) -> bytes:
    """The same in any Python."""
    return array("Q", map(id, values)).tobytes()


_PROBE: Final = (None, True, "probe")
_addresses: Final[Callable[[tuple[Any, ...]], bytes]] = (
    _addresses_read
    if _addresses_read(_PROBE) == struct.pack("PPP", *map(id, _PROBE))
    else _addresses_asked
)


class _Scope:
    """The names that were looked up in a module: those that it defined, and those that it did
    not."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self.names = names
        self.found: dict[str, Any] = {}
        self.absent: set[str] = set()


class Watch:
    """Names, functions, containers and arrays as they were when added."""

    def __init__(self) -> None:
        self._scopes: dict[int, _Scope] = {}
        self._functions: list[types.FunctionType] = []
        self._facts: list[Any] = []
        self._cells: list[types.CellType] = []
        self._contents: list[Any] = []
        # Classes, and the order in which each looks through its bases.
        self._classes: list[type] = []
        self._orders: list[tuple[type, ...]] = []
        # Containers, the number of items in each, and the items of all of them in sequence.
        self._live: list[Any] = []
        self._lengths: list[int] = []
        self._items: list[Any] = []
        self._arrays: list[tuple[Any, bytes, Any]] = []
        # Everything added, in the order of `_look`, and its addresses; filled in when first needed.
        self._seen: tuple[Any, ...] | None = None
        self._known = b""

    def name(self, scope: Mapping[str, Any], name: str) -> None:
        """Add a name in a module: its value, or the fact that it is undefined."""
        self._seen = None
        entry = self._scopes.setdefault(id(scope), _Scope(scope))
        if name in scope:
            entry.found[name] = scope[name]
        else:
            entry.absent.add(name)

    def function(self, function: types.FunctionType) -> None:
        """Add a function: its code, its defaults and the contents of its closure."""
        self._seen = None
        self._functions.append(function)
        self._facts += (function.__code__, function.__defaults__, function.__kwdefaults__)
        self._cells += function.__closure__ or ()
        self._contents += map(content, function.__closure__ or ())

    def cls(self, cls: type) -> None:
        """Add a class: its bases and everything defined in it."""
        # Pickling adds the member `__slotnames__` to a class; adding it now keeps it from counting
        # as a change later.
        copyreg._slotnames(cls)
        self._classes.append(cls)
        self._orders.append(cls.__mro__)
        self._see(cls.__dict__.keys(), cls.__dict__.values())

    def _see(self, *containers: Any) -> None:
        self._seen = None
        for live in containers:
            items = list(live)
            self._live.append(live)
            self._lengths.append(len(items))
            self._items += items

    def container(self, value: Any) -> None:
        """Add a value that may change inside: a list, a dictionary, a set, a NumPy array. Any other
        value needs no watching."""
        if isinstance(value, dict):
            self._see(value.keys(), value.values())
        elif isinstance(value, list | set | bytearray):
            self._see(value)
        elif hasattr(value, "tobytes") and hasattr(value, "dtype") and not isinstance(value, type):
            self._arrays.append((value, value.tobytes(), (value.shape, value.dtype)))

    def is_current(self) -> bool:
        """Whether everything is still as it was added."""
        if self._seen is None:
            found = (scope.found.values() for scope in self._scopes.values())
            # Keeping these objects makes sure that no new object gets one of their addresses.
            self._seen = (
                *self._facts,
                *chain.from_iterable(found),
                *self._items,
                *self._contents,
                *self._orders,
            )
            self._known = _addresses(self._seen)
        try:
            if (
                self._lengths != [len(live) for live in self._live]
                or _addresses(self._look()) != self._known
            ):
                return False
        except (
            KeyError,
            RuntimeError,
        ):  # a name is gone, or another thread is changing a container
            return False
        for scope in self._scopes.values():
            if not scope.names.keys().isdisjoint(scope.absent):
                return False
        return (
            all(
                (of.shape, of.dtype) == form and of.tobytes() == data
                for of, data, form in self._arrays
            )
            if self._arrays
            else True
        )

    def _look(self) -> tuple[Any, ...]:
        """The current values of everything in `_seen`, in the same order. (Every search waits for
        this: these loops are the fastest known.)"""
        seen: list[Any] = []
        for function in self._functions:
            seen += (function.__code__, function.__defaults__, function.__kwdefaults__)
        for scope in self._scopes.values():
            names = scope.names
            seen += [names[name] for name in scope.found]
        for live in self._live:
            seen += live
        for cell in self._cells:
            seen.append(content(cell))
        seen += [cls.__mro__ for cls in self._classes]
        return tuple(seen)


def content(cell: Any) -> Any:
    """The content of a closure's cell; a special value if it is empty."""
    try:
        return cell.cell_contents
    except ValueError:
        return _GONE
