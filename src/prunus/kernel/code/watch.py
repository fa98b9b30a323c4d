"""What was seen of a program when something was made from it, and whether all of it is still so.

Names are compared by the identity of what they stand for, containers by the identity of their
items, arrays by their bytes: a look takes some microseconds, so that every search can afford it.
"""

from __future__ import annotations

import copyreg
import types
from collections.abc import Mapping
from itertools import chain
from operator import attrgetter, is_
from typing import Any

_GONE = object()
_FACTS = attrgetter("__code__", "__defaults__", "__kwdefaults__")

Bindings = tuple[Mapping[str, Any], dict[str, Any]]


class Watch:
    """Names, functions, containers and arrays as they were when they were added."""

    def __init__(self) -> None:
        self._scopes: dict[int, Bindings] = {}
        self._functions: list[types.FunctionType] = []
        self._facts: list[Any] = []
        self._cells: list[tuple[Any, Any]] = []
        # Containers, how many items each had, and the items of all of them one after the other.
        self._live: list[Any] = []
        self._lengths: list[int] = []
        self._items: list[Any] = []
        self._arrays: list[tuple[Any, bytes, Any]] = []

    def name(self, scope: dict[str, Any], name: str, value: Any) -> None:
        """Add a name of a module and what it stands for."""
        self._scopes.setdefault(id(scope), (scope, {}))[1][name] = value

    def function(self, function: types.FunctionType) -> None:
        """Add a function: its code, its defaults and what its closure holds."""
        self._functions.append(function)
        self._facts += _FACTS(function)
        self._cells += [(cell, content(cell)) for cell in function.__closure__ or ()]

    def cls(self, cls: type) -> None:
        """Add a class: its bases, and all that is defined in it."""
        # Pickling leaves a member in a class (`__slotnames__`); made now, it is no change later.
        copyreg._slotnames(cls)
        self._see(cls.__dict__.keys(), cls.__dict__.values())

    def _see(self, *containers: Any) -> None:
        for live in containers:
            items = list(live)
            self._live.append(live)
            self._lengths.append(len(items))
            self._items += items

    def container(self, value: Any) -> None:
        """Add what may change inside: a list, a dictionary, a set, a NumPy array. Other values
        stand for themselves."""
        if isinstance(value, dict):
            self._see(value.keys(), value.values())
        elif isinstance(value, list | set | bytearray):
            self._see(value)
        elif hasattr(value, "tobytes") and hasattr(value, "dtype") and not isinstance(value, type):
            self._arrays.append((value, value.tobytes(), (value.shape, value.dtype)))

    def is_current(self) -> bool:
        """Whether everything is still as it was added."""
        try:
            if not all(map(is_, chain.from_iterable(map(_FACTS, self._functions)), self._facts)):
                return False
            for scope, names in self._scopes.values():
                if not all(map(is_, map(scope.get, names), names.values())):
                    return False
            if list(map(len, self._live)) != self._lengths or not all(
                map(is_, chain.from_iterable(self._live), self._items)
            ):
                return False
        except RuntimeError:  # another thread changes a container at this moment
            return False
        return all(content(cell) is value for cell, value in self._cells) and all(
            (array.shape, array.dtype) == form and array.tobytes() == data
            for array, data, form in self._arrays
        )


def content(cell: Any) -> Any:
    """What a closure's cell holds; a value of its own where it is empty."""
    try:
        return cell.cell_contents
    except ValueError:
        return _GONE
