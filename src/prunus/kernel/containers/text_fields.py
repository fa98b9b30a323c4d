"""Text fields of States in rules, for Numba: a field that is read, by its name or by its place
(which is also how a State is unpacked), becomes a string; States with texts are compared.
"""

from __future__ import annotations

import operator
from typing import Any

from numba.core import cgutils, types
from numba.core.typing.builtins import StaticGetItemTuple
from numba.core.typing.collections import NamedTupleAttribute
from numba.core.typing.templates import signature
from numba.cpython import tupleobj, unicode, unicode_support
from numba.extending import intrinsic, overload, overload_method

from prunus.kernel.boards.homes import home_of
from prunus.kernel.boards.packed_values import item_pointer
from prunus.kernel.boards.texts import RAW, Text, holds_text, is_string, letter_of, string_of
from prunus.kernel.containers.hashes import original, replace
from prunus.kernel.numbers.integers import WORD
from prunus.kernel.numbers.intrinsics import as_signed
from prunus.kernel.pipeline.inference import is_ours


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
    if attr.startswith(RAW):
        return tup.types[tup.fields.index(attr.removeprefix(RAW))]
    return _as_seen(_plain_attribute(self, tup, attr))


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


# Letters of strings.


@intrinsic
def _letter(typingctx: Any, text: Any, index: Any) -> Any:
    """The letter at an index that is in range of a string with a byte for each letter."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        string = cgutils.create_struct_proxy(types.unicode_type)(context, builder, value=args[0])
        return letter_of(context, builder, builder.load(builder.gep(string.data, [args[1]])))

    return types.unicode_type(text, types.intp), lower


@intrinsic
def _put(typingctx: Any, text: Any, at: Any, part: Any) -> Any:
    """Copy the letters of a string into another one, from place `at` on. Both have a byte for each
    letter."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        whole, source = (
            cgutils.create_struct_proxy(types.unicode_type)(context, builder, value=value)
            for value in (args[0], args[2])
        )
        place = builder.gep(whole.data, [args[1]])
        cgutils.raw_memcpy(builder, place, source.data, source.length, 1)
        return context.get_dummy_value()

    return types.void(text, at, part), lower


def _getslice(s, idx):
    """A slice. Numba's own looks at all letters in it, to find out how wide they are."""
    place = idx.indices(s._length)
    start, stop, step = place
    count = len(range(start, stop, step))
    if s._is_ascii:
        if step == 1:
            return unicode._get_str_slice_view(s, start, count)
        part = unicode._malloc_string(unicode.PY_UNICODE_1BYTE_KIND, 1, count, s._is_ascii)
    else:
        widest = 0
        for i in range(count):
            widest = max(widest, as_signed(unicode._get_code_point(s, start + i * step)))
        part = unicode._empty_string(unicode._codepoint_to_kind(widest), count, widest < 128)
    for i in range(count):
        unicode._set_code_point(part, i, unicode._get_code_point(s, start + i * step))
    unicode._set_code_point(part, count, 0)
    return part


_plain_concat = original(unicode.unicode_concat)


def _concat(a, b):
    if not (is_ours() and is_string(a) and is_string(b)):
        return _plain_concat(a, b)

    def joined(a, b):
        length = a._length + b._length
        kind, is_ascii = max(a._kind, b._kind), a._is_ascii & b._is_ascii
        if kind == unicode.PY_UNICODE_1BYTE_KIND:
            whole = unicode._malloc_string(kind, 1, length, is_ascii)
            _put(whole, 0, a)
            _put(whole, a._length, b)
            unicode._set_code_point(whole, length, 0)
            return whole
        whole = unicode._empty_string(kind, length, is_ascii)
        for i in range(a._length):
            unicode._set_code_point(whole, i, unicode._get_code_point(a, i))
        for i in range(b._length):
            unicode._set_code_point(whole, a._length + i, unicode._get_code_point(b, i))
        return whole

    return joined


replace(unicode.unicode_concat, _concat)

_plain_repeat = original(unicode.unicode_repeat)


def _repeat(a, b):
    if not is_ours():
        return _plain_repeat(a, b)
    if is_string(b) and isinstance(a, types.Integer | types.Boolean):
        return lambda a, b: b * a
    if not (is_string(a) and isinstance(b, types.Integer | types.Boolean)):
        return None

    def repeated(a, b):
        times = max(as_signed(b), 0)
        whole = unicode._empty_string(a._kind, a._length * times, a._is_ascii)
        for i in range(times):
            unicode._strncpy(whole, i * a._length, a, 0, a._length)
        return whole

    return repeated


replace(unicode.unicode_repeat, _repeat)


def _isascii(data):
    def isascii(data):
        for i in range(data._length):  # noqa: SIM110 - a loop without a generator compiles sooner
            if unicode._get_code_point(data, i) >= 128:
                return False
        return True

    return isascii


replace(unicode.unicode_isascii, _isascii)


def _tells(function: Any, flag: str) -> None:
    """Let one of Numba's questions about an ASCII letter answer with a truth value: it gives the
    bit of a table, which counts as several where it is added up."""
    source = f"lambda ch: (_Py_ctype_table[_Py_CHARMASK(ch)] & _PY_CTF.{flag}) != 0"
    function.__code__ = eval(source, function.__globals__).__code__  # noqa: S307 - written here


for _flag in ("ALPHA", "ALNUM", "DIGIT", "LOWER", "SPACE", "UPPER"):
    _tells(getattr(unicode_support, f"_Py_IS{_flag}"), _flag)

_plain_getitem = original(unicode.unicode_getitem)


def _getitem(s, idx):
    if not is_ours() or not isinstance(s, types.UnicodeType):
        return _plain_getitem(s, idx)
    if isinstance(idx, types.SliceType):
        return _getslice
    if not isinstance(idx, types.Integer):
        return None

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
    if not (is_ours() and is_string(a) and is_string(b)):
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
    if not (is_ours() and is_string(a) and is_string(b)):
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
