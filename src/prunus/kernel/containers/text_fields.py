"""Text fields of States in rules, for Numba: a field that is read, by its name or by its place
(which is also how a State is unpacked), becomes a string; States with texts are compared."""

from __future__ import annotations

import functools
import operator
from typing import Any

from numba.core import types
from numba.core.typing.builtins import StaticGetItemTuple
from numba.core.typing.templates import signature
from numba.cpython import tupleobj, unicode
from numba.extending import intrinsic, overload, overload_method

from prunus.kernel.boards.homes import home_of
from prunus.kernel.boards.packed_values import item_pointer
from prunus.kernel.boards.texts import RAW, Text, holds_text, is_string, letter_of, string_of
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


_plain_place = StaticGetItemTuple.generic
_plain_get = original(tupleobj.namedtuple_getattr)
_plain_item = original(tupleobj.static_getitem_tuple)


def _place(self: Any, args: Any, kws: Any) -> Any:
    found = _plain_place(self, args, kws)
    if found is None or not isinstance(args[0], types.BaseNamedTuple):
        return found
    given = args[0].types[args[1]]
    if isinstance(given, tuple):
        return signature(types.BaseTuple.from_types(tuple(map(_as_seen, given))), *found.args)
    return signature(_as_seen(given), *found.args)


def _get(context: Any, builder: Any, typ: Any, value: Any, attr: str) -> Any:
    if attr.startswith(RAW):
        return builder.extract_value(value, typ.fields.index(attr.removeprefix(RAW)))
    index = typ.fields.index(attr)
    if holds_text(typ.types[index]):
        return _seen(context, builder, typ.types[index], builder.extract_value(value, index))
    return _plain_get(context, builder, typ, value, attr)


def _item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, index = sig.args[0], args[1]
    if not isinstance(kind, types.BaseNamedTuple) or not any(map(holds_text, kind.types)):
        return _plain_item(context, builder, sig, args)
    if isinstance(index, int):
        return _get(context, builder, kind, args[0], kind.fields[index])
    parts = [_get(context, builder, kind, args[0], name) for name in kind.fields[index]]
    return context.make_tuple(builder, sig.return_type, parts)


@functools.cache
def teach_texts() -> None:
    """Teach Numba what type a text field has where it is read by its name. It is done after
    everything else is taught: with the module that this needs comes a `len` of all containers,
    which those of our own must precede."""
    from numba.core.typing.collections import NamedTupleAttribute

    plain = NamedTupleAttribute.generic_resolve

    def attribute(self: Any, tup: Any, attr: str) -> Any:
        if attr.startswith(RAW):
            return tup.types[tup.fields.index(attr.removeprefix(RAW))]
        return _as_seen(plain(self, tup, attr))

    NamedTupleAttribute.generic_resolve = attribute


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


@overload_method(Text, "__hash__")
def _hash(self):
    return lambda self: hash(_letters(self))


# Fields of which only single letters are read, or that are compared (`boards/text_reads.py`).


@intrinsic
def _string(typingctx: Any, text: Any) -> Any:
    """A text as a string."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return string_of(context, builder, text, args[0])

    return (types.unicode_type(text), lower) if isinstance(text, Text) else None


@intrinsic
def _letter_in(typingctx: Any, text: Any, index: Any) -> Any:
    """The letter at an index that is in range of a text."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = item_pointer(builder, text.packed, home_of(builder, args[0]), args[1])
        return letter_of(context, builder, builder.load(place))

    return types.unicode_type(text, index), lower


@intrinsic
def _number_in(typingctx: Any, text: Any, index: Any) -> Any:
    """The number of the letter at an index that is in range of a text."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = item_pointer(builder, text.packed, home_of(builder, args[0]), args[1])
        return builder.zext(builder.load(place), WORD)

    return types.int64(text, index), lower


@overload(len)
def _length(text):
    if not isinstance(text, Text):
        return None
    count = text.count
    return lambda text: count


@overload(operator.getitem)
def _item_of_text(text, index):
    if not isinstance(text, Text):
        return None
    if isinstance(index, types.SliceType):
        return lambda text, index: _string(text)[index]
    count = text.count

    def letter(text, index):
        place = as_signed(index)
        if place < 0:
            place += count
        if not 0 <= place < count:
            raise IndexError("string index out of range")
        return _letter_in(text, place)

    return letter


@overload(operator.eq)
def _equals(a, b):
    if isinstance(b, Text) and is_string(a):
        return lambda a, b: b == a
    if not (isinstance(a, Text) and is_string(b)):
        return None
    count = a.count

    def equal(a, b):
        if b._length != count:
            return False
        if b._kind != unicode.PY_UNICODE_1BYTE_KIND:
            return _string(a) == b
        for i in range(count):
            if _number_in(a, i) != as_signed(unicode.deref_uint8(b._data, i)):
                return False
        return True

    return equal


@overload(operator.ne)
def _differs(a, b):
    if (isinstance(a, Text) and is_string(b)) or (isinstance(b, Text) and is_string(a)):
        return lambda a, b: not (a == b)  # noqa: SIM201 - it is what it says
    return None


@overload(operator.contains)
def _holds(a, b):
    if not (isinstance(a, Text) and is_string(b)):
        return None
    count = a.count

    def contains(a, b):
        if b._length != 1 or b._kind != unicode.PY_UNICODE_1BYTE_KIND:
            return b in _string(a)
        wanted = as_signed(unicode.deref_uint8(b._data, 0))
        for i in range(count):  # noqa: SIM110 - the same
            if _number_in(a, i) == wanted:
                return True
        return False

    return contains
