"""Empty lists, sets and dictionaries whose items Numba would not know: see
`rewriting/beginnings.py`. `parts` says what is expected: integers (0), or tuples of 2 or 3."""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.core.typing.templates import (
    AttributeTemplate,
    bound_function,
    infer_getattr,
    signature,
)
from numba.extending import lower_builtin, overload

from prunus.kernel.containers.known_tables import MappingType

LIKE = "prunus_like"
"""The method of a set or a dictionary that tells its type: it does nothing."""

HOLDS = "prunus_holds"
"""The same of any container, by an item, or a key."""

_EXAMPLES: dict[int, Any] = {2: (0, 0), 3: (0, 0, 0), 4: (0, 0, 0, 0)}


def empty_list(parts):
    """`[]` in compiled code."""
    raise NotImplementedError


def empty_set(parts):
    """`set()` in compiled code."""
    raise NotImplementedError


def empty_map(parts):
    """`{}` in compiled code, with integers as values."""
    raise NotImplementedError


@overload(empty_list, prefer_literal=True)
def _empty_list(parts):
    item = _EXAMPLES.get(parts.literal_value, 0)

    def empty(parts):
        made = [item]
        made.clear()
        return made

    return empty


@overload(empty_set, prefer_literal=True)
def _empty_set(parts):
    item = _EXAMPLES.get(parts.literal_value, 0)

    def empty(parts):
        made = set()
        if parts < 0:
            made.add(item)
        return made

    return empty


@overload(empty_map, prefer_literal=True)
def _empty_map(parts):
    key = _EXAMPLES.get(parts.literal_value, 0)

    def empty(parts):
        made = {key: 0}
        made.clear()
        return made

    return empty


@infer_getattr
class _LikeSet(AttributeTemplate):
    key = types.Set

    @bound_function("set.like")
    def resolve_prunus_like(self, found: Any, args: Any, kws: Any) -> Any:
        """A set that nothing was put into may be one like another, or with its items."""
        (other,) = args
        item = None
        if isinstance(other, MappingType):
            item = other.key_type
        elif isinstance(other, types.IterableType) and other.is_precise():
            item = other.iterator_type.yield_type
        told = signature(types.none, other)
        if item is None or found.is_precise() or not isinstance(item, types.Hashable):
            return told
        return told.replace(recvr=found.copy(dtype=item))


class _Holds(AttributeTemplate):
    def resolve_prunus_holds(self, found: Any, args: Any, kws: Any) -> Any:
        """A container that nothing was put into may hold items of the type of this one; a
        dictionary has values of the type of a second one, or integers."""
        item, *values = args
        told = signature(types.none, *args)
        if found.is_precise():
            return told
        item = types.unliteral(item)
        if isinstance(found, types.List):
            return told.replace(recvr=types.List(item))
        if not isinstance(item, types.Hashable):
            return told
        if isinstance(found, types.Set):
            return told.replace(recvr=found.copy(dtype=item))
        value = types.unliteral(values[0]) if values else types.int64
        return told.replace(recvr=types.DictType(item, value))


for _kind in (types.List, types.Set, types.DictType):
    _resolve = bound_function("container.holds")(_Holds.resolve_prunus_holds)
    infer_getattr(type("_Holding", (_Holds,), {"key": _kind, "resolve_prunus_holds": _resolve}))


@infer_getattr
class _LikeMap(AttributeTemplate):
    key = types.DictType

    @bound_function("dict.like")
    def resolve_prunus_like(self, found: Any, args: Any, kws: Any) -> Any:
        """The same for a dictionary."""
        (other,) = args
        told = signature(types.none, other)
        is_map = isinstance(other, types.DictType) or (
            isinstance(other, MappingType) and other.value_type is not None
        )
        if found.is_precise() or not is_map:
            return told
        return told.replace(recvr=types.DictType(other.key_type, other.value_type))


def _nothing(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return context.get_dummy_value()


lower_builtin("container.holds", types.Container, types.Any)(_nothing)
lower_builtin("container.holds", types.DictType, types.Any)(_nothing)
lower_builtin("container.holds", types.DictType, types.Any, types.Any)(_nothing)
lower_builtin("set.like", types.Set, types.Any)(_nothing)
lower_builtin("dict.like", types.DictType, types.Any)(_nothing)
