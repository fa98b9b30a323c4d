"""Constant dictionaries with texts in them, such as the names of directions, `for name, (dr, dc) in
DIRECTIONS.items()`, or the letters of the players, `MARKS[state.player]`. Their keys, values and
items are constant tuples; a key is found by comparing the keys one by one."""

from __future__ import annotations

import operator
from typing import Any

from numba import typeof
from numba.core import types
from numba.core.imputils import lower_constant
from numba.core.typing.templates import signature
from numba.extending import (
    lower_builtin,
    make_attribute_wrapper,
    models,
    overload,
    overload_method,
    register_model,
)

from prunus.kernel.boards.texts import is_string
from prunus.kernel.containers.known_tables import Constant, Known, TableType
from prunus.kernel.containers.type_keys import keyed_by
from prunus.kernel.numbers.wide import constant

MOST = 64
"""The most keys of such a dictionary."""


@keyed_by("keys", "values", "items")
class TextsType(types.IterableType):
    """The type of such a dictionary: `keys`, `values` and `items` are the types of tuples."""

    def __init__(self, keys: Any, values: Any, items: Any) -> None:
        self.keys, self.values, self.items = keys, values, items
        super().__init__(f"Texts({keys}, {values})")

    @property
    def iterator_type(self) -> Any:
        """The type of its iterator, which gives the keys."""
        return types.UniTupleIter(self.keys)


_PARTS = ("keys", "values", "items")


@register_model(TextsType)
class _TextsModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [(part, getattr(kind, part)) for part in _PARTS])


for _part in _PARTS:
    make_attribute_wrapper(TextsType, _part, f"_{_part}")


def type_of_texts(value: dict[Any, Any], row: Any) -> TextsType | None:
    """The type of a dictionary whose keys are texts and whose values are of one kind, integers,
    texts or tuples of integers, or whose keys are integers and whose values are texts; None for
    others. `row` is the type of tables of any length for values that are tuples or lists, which may
    then differ in length, or the type of values that are sets or dictionaries; None if there is
    none."""
    if not 0 < len(value) <= MOST:
        return None
    keys, items = (set(map(type, each)) for each in (value, value.values()))
    if not (keys == {str} or (keys in ({int}, {bool}) and items == {str})):
        return None
    is_short = items == {tuple} and len(set(map(len, value.values()))) == 1
    if row is not None and not is_short:
        return TextsType(*(typeof(each) for each in _parts(value, row)))
    if not all(map(_is_plain, value)) or not all(map(_is_plain, value.values())):
        return None
    made = TextsType(*(typeof(each) for each in _parts(value, None)))
    return made if isinstance(made.values, types.UniTuple) else None


def _parts(value: dict[Any, Any], row: Any) -> tuple[Any, Any, Any]:
    """The keys, values and items of a dictionary, with values that are tables of a type if one is
    given."""
    values = [each if row is None else Constant(each, row) for each in value.values()]
    return tuple(value), tuple(values), tuple(zip(value, values, strict=True))


def _is_plain(item: Any) -> bool:
    """Whether a value is an integer, a truth value or a text, or a tuple of the first two."""
    if type(item) is tuple:
        return bool(item) and all(type(each) is not str and _is_plain(each) for each in item)
    return type(item) in (bool, str) or (type(item) is int and constant(item) is item)


@lower_constant(TextsType)
def _constant(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    made = context.make_helper(builder, kind)
    row = kind.values.dtype if isinstance(kind.values.dtype, Known) else None
    for part, items in zip(_PARTS, _parts(value.value, row), strict=True):
        setattr(made, part, context.get_constant_generic(builder, getattr(kind, part), items))
    return made._getvalue()


@lower_builtin("getiter", TextsType)
def _iterator(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.args[0]
    keys = context.make_helper(builder, kind, value=args[0]).keys
    iterate = context.get_function("getiter", signature(sig.return_type, kind.keys))
    return iterate(builder, [keys])


def _find(texts, key):
    """Numba's overload below: the place of a key; -1 if it is absent."""
    raise NotImplementedError


@overload(_find)
def _find_overload(texts, key):
    if is_string(key) != is_string(texts.keys.dtype):
        return lambda texts, key: -1

    def find(texts, key):
        for place, known in enumerate(texts._keys):
            if known == key:
                return place
        return -1

    return find


@overload(len)
def _length(texts):
    return (lambda texts: len(texts._keys)) if isinstance(texts, TextsType) else None


@overload(operator.contains)
def _contains(texts, key):
    return (lambda texts, key: _find(texts, key) >= 0) if isinstance(texts, TextsType) else None


@overload(operator.getitem)
def _getitem(texts, key):
    if not isinstance(texts, TextsType):
        return None

    def getitem(texts, key):
        place = _find(texts, key)
        if place < 0:
            raise KeyError("the dictionary has no such key")
        return texts._values[place]

    return getitem


@overload_method(TextsType, "get")
def _get(self, key, default):
    if isinstance(self.values.dtype, TableType) and default == types.Tuple(()):

        def get_row(self, key, default):
            place = _find(self, key)
            return self._values[0][:0] if place < 0 else self._values[place]

        return get_row

    def get(self, key, default):
        place = _find(self, key)
        if place < 0:
            return default
        return self._values[place]

    return get


@overload_method(TextsType, "keys")
def _keys(self):
    return lambda self: self._keys


@overload_method(TextsType, "values")
def _values(self):
    return lambda self: self._values


@overload_method(TextsType, "items")
def _items(self):
    return lambda self: self._items
