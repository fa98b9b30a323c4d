"""What rules do most with strings, for Numba: letters, slices, sums, multiples, equality, `in`.

Numba's own look at every letter of what they cut, join and compare. Letters that are questioned
answer with truth values here, as in Python.
"""

from __future__ import annotations

import sys
from typing import Any

from numba.core import cgutils, types
from numba.cpython import unicode, unicode_support
from numba.extending import intrinsic

from prunus.kernel.boards.texts import is_string, letter_of
from prunus.kernel.containers.hashes import original, replace
from prunus.kernel.numbers.intrinsics import as_signed
from prunus.kernel.pipeline.inference import is_ours


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

_LONGEST = 1 << 31
_TOO_LONG = "a text of more than 2**31 letters is made in compiled code"
_plain_repeat = original(unicode.unicode_repeat)


def _repeat(a, b):
    if not is_ours():
        return _plain_repeat(a, b)
    if is_string(b) and isinstance(a, types.Integer | types.Boolean):
        return lambda a, b: b * a
    if not (is_string(a) and isinstance(b, types.Integer | types.Boolean)):
        return None

    def repeated(a, b):
        times = max(as_signed(b), 0) if a._length > 0 else 0
        if times > _LONGEST or a._length * times > _LONGEST:
            raise OverflowError(_TOO_LONG)
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


def _letter_of(i):
    if not isinstance(i, types.Integer):
        return None

    def letter(i):
        if not -(1 << 31) <= i < 1 << 31:
            raise OverflowError("Python int too large to convert to C int")
        return unicode._PyUnicode_FromOrdinal(i)

    return letter


if sys.version_info < (3, 13):  # it is a ValueError from there on, as in Numba
    replace(unicode.ol_chr, _letter_of)
