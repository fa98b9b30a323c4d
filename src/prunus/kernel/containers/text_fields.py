"""Text fields of States in rules, for Numba: a field that is read, by its name or by its place
(which is also how a State is unpacked), becomes a string; States with texts are compared.

A single letter of a string lies in a table of all letters of Latin-1, where no references to it are
counted.
"""

from __future__ import annotations

import operator
from typing import Any

from numba.core import cgutils, types
from numba.core.typing.builtins import StaticGetItemTuple
from numba.core.typing.collections import NamedTupleAttribute
from numba.core.typing.templates import signature
from numba.cpython import tupleobj, unicode
from numba.extending import intrinsic, overload

from prunus.kernel.boards.texts import Text, holds_text, is_string, string_of
from prunus.kernel.containers.hashes import original, replace
from prunus.kernel.numbers.integers import WORD
from prunus.kernel.numbers.intrinsics import as_signed


def _as_seen(kind: Any) -> Any:
    """The type that rules see of a field of this type."""
    if not holds_text(kind):
        return kind
    if isinstance(kind, Text):
        return types.unicode_type
    return types.UniTuple(types.unicode_type, len(kind))


def _seen(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """A text, or a tuple of them, as rules see it."""
    if isinstance(kind, Text):
        return string_of(context, builder, kind, value)
    texts = [
        string_of(context, builder, each, builder.extract_value(value, i))
        for i, each in enumerate(kind.types)
    ]
    return context.make_tuple(builder, _as_seen(kind), texts)


_plain_attribute = NamedTupleAttribute.generic_resolve
_plain_place = StaticGetItemTuple.generic
_plain_get = original(tupleobj.namedtuple_getattr)
_plain_item = original(tupleobj.static_getitem_tuple)


def _attribute(self: Any, tup: Any, attr: str) -> Any:
    return _as_seen(_plain_attribute(self, tup, attr))


def _place(self: Any, args: Any, kws: Any) -> Any:
    found = _plain_place(self, args, kws)
    if found is None or not isinstance(args[0], types.BaseNamedTuple):
        return found
    seen = _as_seen(found.return_type)
    return found if seen is found.return_type else signature(seen, *found.args)


def _get(context: Any, builder: Any, typ: Any, value: Any, attr: str) -> Any:
    index = typ.fields.index(attr)
    if holds_text(typ.types[index]):
        return _seen(context, builder, typ.types[index], builder.extract_value(value, index))
    return _plain_get(context, builder, typ, value, attr)


def _item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, index = sig.args[0], args[1]
    is_record = isinstance(kind, types.BaseNamedTuple) and isinstance(index, int)
    if is_record and holds_text(kind.types[index]):
        part = builder.extract_value(args[0], index % len(kind))
        return _seen(context, builder, kind.types[index], part)
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


def _compares(operation: Any) -> None:
    @overload(operation)
    def compare(a, b):
        if isinstance(a, Text) and isinstance(b, Text):
            return lambda a, b: operation(_letters(a), _letters(b))
        return None


for _operation in (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge):
    _compares(_operation)


# Letters of strings.

_LETTERS = bytes(byte for letter in range(256) for byte in (letter, 0))


@intrinsic
def _letter(typingctx: Any, text: Any, index: Any) -> Any:
    """The letter at an index that is in range of a string with a byte for each letter."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        string = cgutils.create_struct_proxy(types.unicode_type)(context, builder, value=args[0])
        number = builder.zext(builder.load(builder.gep(string.data, [args[1]])), WORD)
        made = cgutils.create_struct_proxy(types.unicode_type)(context, builder)
        table = context.insert_const_bytes(builder.module, _LETTERS, "prunus.letters")
        made.data = builder.gep(table, [builder.shl(number, WORD(1))])
        made.length, made.kind = WORD(1), string.kind
        is_ascii = builder.icmp_unsigned("<", number, WORD(128))
        made.is_ascii = builder.zext(is_ascii, made.is_ascii.type)
        made.hash = made.hash.type(-1)
        return made._getvalue()

    return types.unicode_type(text, types.intp), lower


_plain_getitem = original(unicode.unicode_getitem)


def _getitem(s, idx):
    if not isinstance(s, types.UnicodeType) or not isinstance(idx, types.Integer):
        return _plain_getitem(s, idx)

    def letter(s, idx):
        place = as_signed(idx)
        if place < 0:
            place += s._length
        if not 0 <= place < s._length:
            raise IndexError("string index out of range")
        if s._kind == unicode.PY_UNICODE_1BYTE_KIND:
            return _letter(s, place)
        return s[place : place + 1]

    return letter


replace(unicode.unicode_getitem, _getitem)


_plain_eq = original(unicode.unicode_eq)


def _eq(a, b):
    if not (is_string(a) and is_string(b)):
        return _plain_eq(a, b)

    def equal(a, b):
        if a._length != b._length:
            return False
        if a._kind == unicode.PY_UNICODE_1BYTE_KIND and b._kind == a._kind and a._length == 1:
            return unicode.deref_uint8(a._data, 0) == unicode.deref_uint8(b._data, 0)
        return unicode._cmp_region(a, 0, b, 0, a._length) == 0

    return equal


replace(unicode.unicode_eq, _eq)


_plain_contains = original(unicode.unicode_contains)


def _contains(a, b):
    if not (is_string(a) and is_string(b)):
        return _plain_contains(a, b)

    def contains(a, b):
        if b._length == 1 and b._kind == unicode.PY_UNICODE_1BYTE_KIND and a._kind == b._kind:
            wanted = unicode.deref_uint8(b._data, 0)
            for i in range(a._length):  # noqa: SIM110 - a loop without a generator compiles sooner
                if unicode.deref_uint8(a._data, i) == wanted:
                    return True
            return False
        return a.find(b) >= 0

    return contains


replace(unicode.unicode_contains, _contains)
