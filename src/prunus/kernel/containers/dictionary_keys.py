"""What a dictionary is asked for gets the type of its keys first, as in a set: a number of another
kind is a key only if both are the same number."""

from __future__ import annotations

import operator
from typing import Any

from numba.core import errors, types
from numba.extending import overload, register_jitable
from numba.typed import dictobject
from numba.typed.dictobject import _nonoptional

from prunus.kernel.containers.hashes import original, replace
from prunus.kernel.containers.set_lookups import other_kind
from prunus.kernel.numbers.integers import may_be_truth

OTHER_KEYS = (
    "a key of another kind than those of the dictionary ({given} among {held}) is put into it: "
    "convert it, u64(...) or int(...)"
)
_NEW_KEY = (
    "a truth value, or a member of an IntEnum, becomes a new key among numbers, or a number among "
    "such: write int(...), bool(...) or the enumeration's name around it"
)
_MIXED = (
    "a tuple with a truth value is put into a dictionary whose values have a number there, or the "
    "other way round: write int(...) or bool(...) around it"
)
_ABSENT = "the dictionary has no such key"


def _is_asked(kind: Any, key: Any) -> Any:
    """For a key of another kind than a dictionary's: whether it can be one of them, and which; None
    if Numba's own way is right."""
    return other_kind(kind.key_type, key) if isinstance(kind, types.DictType) else None


_contains, _getitem, _get, _pop, _delitem, _setitem = map(
    original,
    (
        dictobject.impl_contains,
        dictobject.impl_getitem,
        dictobject.impl_get,
        dictobject.impl_pop,
        dictobject.impl_delitem,
        dictobject.impl_setitem,
    ),
)


def _is_in(d, k):
    asked = _is_asked(d, k)
    if asked is None:
        return _contains(d, k)
    can_be, made = asked
    return lambda d, k: can_be(k) and made(k) in d


def _item(d, key):
    asked = _is_asked(d, key)
    if asked is None:
        return _getitem(d, key)
    can_be, made = asked

    def item(d, key):
        if not can_be(key):
            raise KeyError(_ABSENT)
        return d[made(key)]

    return item


def _is_none(default):
    return default is None or isinstance(default, types.NoneType | types.Omitted | types.Optional)


def _certain(plain, raises=False):
    """Numba's function, which gives a value for certain, though its type says that it may be
    None."""
    found = register_jitable(plain)
    if raises:
        return lambda dct, key, default=None: _nonoptional(found(dct, key))
    return lambda dct, key, default=None: _nonoptional(found(dct, key, default))


def _item_or_default(dct, key, default=None):
    asked = _is_asked(dct, key)
    if asked is None:
        plain = _get(dct, key, default)
        return plain if plain is None or _is_none(default) else _certain(plain)
    can_be, made = asked

    def item(dct, key, default=None):
        return dct.get(made(key), default) if can_be(key) else default

    return item


def _popped(dct, key, default=None):
    asked = _is_asked(dct, key)
    if asked is not None:
        return _popped_other(*asked, isinstance(default, types.Omitted))
    plain = _pop(dct, key, default)
    if plain is None or isinstance(default, types.NoneType | types.Optional):
        return plain
    return _certain(plain, raises=isinstance(default, types.Omitted))


def _popped_other(can_be, made, raises):
    def popped(dct, key, default=None):
        if not can_be(key):
            raise KeyError(_ABSENT)
        return dct.pop(made(key))

    def popped_or_default(dct, key, default=None):
        return dct.pop(made(key), default) if can_be(key) else default

    return popped if raises else popped_or_default


def _without(d, k):
    if _is_asked(d, k) is None:
        return _delitem(d, k)

    def without(d, k):
        d.pop(k)

    return without


def _with(d, key, value):
    if not isinstance(d, types.DictType):
        return _setitem(d, key, value)
    if _is_asked(d, key) is not None:
        raise errors.UnsupportedError(OTHER_KEYS.format(given=key, held=d.key_type))
    if isinstance(value, types.BaseTuple) and _is_of_another_class(value, d.value_type):
        raise errors.UnsupportedError(_MIXED)
    plain = _setitem(d, key, value)
    if not _is_of_another_class(key, d.key_type):
        return plain
    put = register_jitable(plain)

    def put_known(d, key, value):
        if key not in d:
            raise OverflowError(_NEW_KEY)
        put(d, key, value)

    return put_known


def _is_of_another_class(given: Any, held: Any) -> bool:
    """Whether a key equals those of a dictionary, but is a truth value or a member of an IntEnum
    where they are integers, or the other way round: Python keeps a new one as it is."""
    if isinstance(given, types.BaseTuple) and isinstance(held, types.BaseTuple):
        return any(map(_is_of_another_class, given.types, held.types))
    given, held = types.unliteral(given), types.unliteral(held)
    if isinstance(given, types.IntEnumMember) or isinstance(held, types.IntEnumMember):
        return bool(given != held)
    return may_be_truth(given) != may_be_truth(held)


@overload(operator.contains)
def _is_in_view(items, item):
    views = types.DictKeysIterableType | types.DictValuesIterableType | types.DictItemsIterableType
    if not isinstance(items, views):
        return None

    def is_in(items, item):
        for each in items:  # noqa: SIM110 - Numba compiles the loop
            if each == item:
                return True
        return False

    return is_in


for _theirs, _ours in (
    (dictobject.impl_contains, _is_in),
    (dictobject.impl_getitem, _item),
    (dictobject.impl_get, _item_or_default),
    (dictobject.impl_pop, _popped),
    (dictobject.impl_delitem, _without),
    (dictobject.impl_setitem, _with),
):
    replace(_theirs, _ours)
