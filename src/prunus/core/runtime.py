"""The attributes of a game that are data, not constants: those annotated `Runtime[...]`."""

from __future__ import annotations

import typing
from weakref import WeakKeyDictionary

from prunus.core.bits import RUNTIME

_runtime: WeakKeyDictionary[type, dict[str, type]] = WeakKeyDictionary()


def runtime_attributes(cls: type) -> dict[str, type]:
    """The attributes annotated `Runtime[...]` in a class and its bases, with their scalar types."""
    if cls not in _runtime:
        _runtime[cls] = _annotated_runtime(cls)
    return _runtime[cls]


def _annotated_runtime(cls: type) -> dict[str, type]:
    found: dict[str, type] = {}
    for base in reversed(cls.__mro__):
        if "__annotations__" not in base.__dict__ or base is object:
            continue
        try:
            hints = typing.get_type_hints(base, include_extras=True)
        except NameError:
            continue
        for name, hint in hints.items():
            if RUNTIME in getattr(hint, "__metadata__", ()):
                found[name] = typing.get_args(hint)[0]
    return found
