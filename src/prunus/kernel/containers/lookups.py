"""Operations of rules on constant lists, dictionaries and sets besides indexing and iteration: see
`tables.py`."""

from __future__ import annotations

import operator

from numba.core import errors, types
from numba.extending import overload, overload_method

from prunus.kernel.boards.packed import Packed
from prunus.kernel.containers.deques import DequeType
from prunus.kernel.containers.known_tables import MappingType, TableType
from prunus.kernel.containers.local_lists import LocalList
from prunus.kernel.containers.table_types import FunctionsType
from prunus.kernel.numbers.integers import Number


def _find(mapping, key):
    """Numba's overload below: the place of a key; -1 if it is absent."""
    raise NotImplementedError


@overload(_find)
def _find_overload(mapping, key):
    if isinstance(mapping.key_type, Number) and isinstance(key, Number):

        def find(mapping, key):
            places = mapping._places
            if len(places) > 0:
                if key < mapping._low or key >= mapping._low + len(places):
                    return -1
                return places[key - mapping._low]
            for place, known in enumerate(mapping._keys):
                if known == key:
                    return place
            return -1

    else:

        def find(mapping, key):
            for place, known in enumerate(mapping._keys):
                if known == key:
                    return place
            return -1

    return find


@overload(len)
def _length(mapping):
    if isinstance(mapping, FunctionsType):
        return lambda mapping: len(mapping._functions)
    return (lambda mapping: len(mapping._keys)) if isinstance(mapping, MappingType) else None


@overload(operator.contains)
def _contains(items, value):
    if isinstance(items, MappingType):
        return lambda items, value: _find(items, value) >= 0
    if isinstance(items, FunctionsType):
        return lambda items, value: _find(items._places, value) >= 0
    if isinstance(items, TableType):

        def contains(items, value):
            for item in items:  # noqa: SIM110 - Numba compiles the loop
                if item == value:
                    return True
            return False

        return contains
    return None


@overload(operator.getitem)
def _getitem(mapping, key):
    if isinstance(mapping, FunctionsType):

        def function(mapping, key):
            place = _find(mapping._places, key)
            if place < 0:
                raise KeyError("the dictionary has no such key")
            return mapping._functions[place]

        return function
    if isinstance(mapping, MappingType) and mapping.value_type is not None:

        def getitem(mapping, key):
            place = _find(mapping, key)
            if place < 0:
                raise KeyError("the dictionary has no such key")
            return mapping._values[place]

        return getitem
    return None


@overload_method(FunctionsType, "get")
def _get_function(self, key, default=None):
    if default is None or isinstance(default, types.NoneType | types.Omitted):
        raise errors.TypingError(
            "d.get(k) of a dictionary of functions may be None: test `if k in d`, or give a "
            "function as the default"
        )

    def get(self, key, default=None):
        place = _find(self._places, key)
        found = (*self._functions, default)
        return found[place]  # -1 is the last, the default

    return get


@overload_method(FunctionsType, "keys")
def _keys_of_functions(self):
    return lambda self: self._places._keys


@overload_method(FunctionsType, "values")
def _functions_alone(self):
    return lambda self: self._functions


@overload_method(FunctionsType, "items")
def _keys_and_functions(self):
    return lambda self: self._items


_GET_LIST = (
    "d.get(k, []) of a constant dictionary of lists would give a constant or a new list: write its "
    "lists as tuples, and d.get(k, ())"
)


def _get_items(self, key, default=None):
    place = _find(self, key)
    if place < 0:
        return self._values[0][:0]
    return self._values[place][:]


@overload_method(MappingType, "get")
def _get(self, key, default=None):
    if self.value_type is None:
        return None
    if isinstance(self.value_type, TableType):
        is_nothing = isinstance(default, types.BaseTuple) and len(default) == 0
        if is_nothing and self.value_type.origin == "tuple":
            return _get_items
        if is_nothing or isinstance(default, types.List):
            raise errors.TypingError(_GET_LIST)

    def get(self, key, default=None):
        place = _find(self, key)
        if place < 0:
            return default
        return self._values[place]

    return get


@overload_method(MappingType, "keys")
def _keys(self):
    return (lambda self: self._keys) if self.value_type is not None else None


@overload_method(MappingType, "values")
def _values(self):
    return (lambda self: self._values) if self.value_type is not None else None


@overload_method(MappingType, "items")
def _items(self):
    return (lambda self: self._items) if self.value_type is not None else None


@overload_method(TableType, "index")
def _index(self, value):
    def index(self, value):
        for place, item in enumerate(self):
            if item == value:
                return place
        raise ValueError("the list does not contain the value")

    return index


@overload_method(TableType, "count")
def _count(self, value):
    def count(self, value):
        found = 0
        for item in self:
            if item == value:
                found += 1
        return found

    return count


@overload(operator.eq)
def _equal(left, right):
    if not any(isinstance(side, TableType | LocalList) for side in (left, right)):
        return None
    known = TableType | LocalList | Packed | types.UniTuple | types.List
    if not all(isinstance(side, known) for side in (left, right)):
        return None
    if len({_origin(side) for side in (left, right)}) == 2:
        return lambda left, right: False

    def equal(left, right):
        if len(left) != len(right):
            return False
        for one, other in zip(left, right):  # noqa: SIM110, B905 - Numba compiles the loop
            if one != other:
                return False
        return True

    return equal


@overload(operator.ne)
def _unequal(left, right):
    if any(isinstance(side, TableType | LocalList) for side in (left, right)):
        return lambda left, right: not (left == right)  # noqa: SIM201 - this is `!=`
    return None


def _origin(kind):
    return (
        kind.origin
        if isinstance(kind, TableType)
        else "deque"
        if isinstance(kind, DequeType)
        else "list"
        if isinstance(kind, types.List | LocalList)
        else "tuple"
    )


@overload(reversed)
def _reversed(items):
    return (lambda items: items[::-1]) if isinstance(items, TableType) else None


@overload(operator.not_)
def _not(items):
    return (lambda items: len(items) == 0) if isinstance(items, TableType | MappingType) else None


@overload(bool)
def _truth(items):
    return (lambda items: len(items) > 0) if isinstance(items, TableType | MappingType) else None
