"""What tells the compiler's types apart.

Numba takes two types of a kind for one if their names are equal, unless they have a `key`. But two
records that are called the same, such as a class before and after the cell of a notebook that
defines it was run again, have the same name and may have other fields, and a function that was
translated again is called as before. So the types that hold others are told apart by these, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from numba.core import types

from prunus.kernel.pipeline.inference import is_ours

Kind = TypeVar("Kind", bound=type)


def keyed_by(*parts: str) -> Callable[[Kind], Kind]:
    """A decorator for a class of types: they are equal if their names and these attributes are."""

    def decorate(cls: Kind) -> Kind:
        cls.key = property(lambda self: (self.name, *(getattr(self, part) for part in parts)))
        return cls

    return decorate


HOLDERS: Final[dict[Any, str]] = {
    types.DictItemsIterableType: "parent",
    types.DictKeysIterableType: "parent",
    types.DictValuesIterableType: "parent",
    types.DictIteratorType: "iterable",
    types.ListTypeIterableType: "parent",
    types.ListTypeIteratorType: "iterable",
}
"""Those of Numba's own types that hold others and have no key."""

for _cls, _part in HOLDERS.items():
    keyed_by(_part)(_cls)


_plain_dictionary = types.DictType.__init__


def _dictionary(self: Any, keyty: Any, valty: Any, initial_value: Any = None) -> None:
    """Numba's type of a dictionary tells the constant items that it began with, until something is
    put into it; a loop before that and one after it would be of two types."""
    _plain_dictionary(self, keyty, valty, None if is_ours() else initial_value)


types.DictType.__init__ = _dictionary
