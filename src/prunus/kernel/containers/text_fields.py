"""Text fields of States in rules, for Numba: a field that is read, by its name or by its place, which
is also how a State is unpacked, becomes a string; States with texts are compared."""

from __future__ import annotations

import operator
from typing import Any

from numba.core import types
from numba.core.typing.builtins import StaticGetItemTuple
from numba.core.typing.collections import NamedTupleAttribute
from numba.core.typing.templates import signature
from numba.cpython import tupleobj
from numba.extending import intrinsic, overload

from prunus.kernel.boards.texts import Text, string_of
from prunus.kernel.containers.hashes import original, replace


def _as_seen(kind: Any) -> Any:
    return types.unicode_type if isinstance(kind, Text) else kind


_plain_attribute = NamedTupleAttribute.generic_resolve
_plain_place = StaticGetItemTuple.generic
_plain_get = original(tupleobj.namedtuple_getattr)
_plain_item = original(tupleobj.static_getitem_tuple)


def _attribute(self: Any, tup: Any, attr: str) -> Any:
    return _as_seen(_plain_attribute(self, tup, attr))


def _place(self: Any, args: Any, kws: Any) -> Any:
    found = _plain_place(self, args, kws)
    if found is None or not isinstance(found.return_type, Text):
        return found
    return signature(types.unicode_type, *found.args)


def _get(context: Any, builder: Any, typ: Any, value: Any, attr: str) -> Any:
    index = typ.fields.index(attr)
    if isinstance(typ.types[index], Text):
        return string_of(context, builder, typ.types[index], builder.extract_value(value, index))
    return _plain_get(context, builder, typ, value, attr)


def _item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, index = sig.args[0], args[1]
    member = kind.types[index] if isinstance(index, int) else None
    if isinstance(member, Text):
        part = builder.extract_value(args[0], index % len(kind))
        return string_of(context, builder, member, part)
    return _plain_item(context, builder, sig, args)


NamedTupleAttribute.generic_resolve = _attribute
StaticGetItemTuple.generic = _place
replace(tupleobj.namedtuple_getattr, _get)
replace(tupleobj.static_getitem_tuple, _item)


@intrinsic
def _letters(typingctx: Any, text: Any) -> Any:
    """A text as the packed tuple of its letters' numbers."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return args[0]

    return (text.packed(text), lower) if isinstance(text, Text) else None


@overload(operator.eq)
def _equal(a, b):
    if isinstance(a, Text) and isinstance(b, Text):
        return lambda a, b: _letters(a) == _letters(b)
    return None


@overload(operator.ne)
def _different(a, b):
    if isinstance(a, Text) and isinstance(b, Text):
        return lambda a, b: _letters(a) != _letters(b)
    return None
