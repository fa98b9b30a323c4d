"""Numbers from texts and texts from numbers: `int("101", 2)`, `format(n, "05d")`. A format in an
f-string becomes such a call (`rewriting/formats.py`)."""

from __future__ import annotations

import operator
import re
from typing import Any, NamedTuple

from numba.core import errors, types
from numba.cpython import unicode
from numba.extending import overload

from prunus.kernel.containers.hashes import original, replace
from prunus.kernel.numbers.integers import MASK, U64, may_be_truth
from prunus.kernel.numbers.intrinsics import as_signed
from prunus.kernel.numbers.operators import OPERATIONS
from prunus.kernel.pipeline.inference import is_ours

_sum, _product = OPERATIONS[operator.add], OPERATIONS[operator.mul]

_NO_NUMBER = "int() of a text that is no number"
_AT_START, _AFTER_MARK, _AFTER_DIGIT = range(3)
"""What stands before a letter of a number: an underscore follows a mark such as 0b, or a digit."""


@overload(int, prefer_literal=True)
def _int_of_text(text, base=10):
    if not isinstance(types.unliteral(text), types.UnicodeType):
        return None
    known = getattr(base, "literal_value", getattr(base, "value", base))
    if type(known) is not int or not 2 <= known <= 36:
        raise errors.NumbaTypeError("int() takes a base that is written out, from 2 to 36")
    marks = {2: "bB", 8: "oO", 16: "xX"}.get(known, "")

    def number(text, base=10):
        digits = text.strip()
        first = 1 if len(digits) > 0 and digits[0] in ("+", "-") else 0
        before = _AT_START
        if len(digits) > first + 1 and digits[first] == "0" and digits[first + 1] in marks:
            first, before = first + 2, _AFTER_MARK
        value = 0
        for i in range(first, len(digits)):
            code = ord(digits[i])
            digit = code - 48 if code < 58 else (code | 32) - 87  # small letters and capitals
            if 0 <= digit < known and (code < 58 or digit >= 10):
                value = _sum(_product(value, known), digit)
                before = _AFTER_DIGIT
            elif digits[i] == "_" and before != _AT_START:
                before = _AT_START
            else:
                raise ValueError(_NO_NUMBER)
        if before != _AFTER_DIGIT:
            raise ValueError(_NO_NUMBER)
        return -value if digits[0] == "-" else value

    return number


class Format(NamedTuple):
    """The parts of a format such as `*>+8d`; what is not there is an empty text."""

    fill: str
    align: str
    sign: str
    mark: str
    zero: str
    width: str
    kind: str


_FORMAT = re.compile(r"(?:(.?)([<>=^]))?([+ -]?)(#?)(0?)(\d*)([bdoxXs]?)", re.DOTALL)
_BASES = {"": 10, "b": 2, "o": 8, "d": 10, "x": 16, "X": 16}


def _parsed(spec: Any, is_text: bool) -> Format:
    """The format that a constant text is. Raises NumbaTypeError for what is none of those compiled
    here, or does not fit a text or a number."""
    known = getattr(spec, "literal_value", spec)
    found = _FORMAT.fullmatch(known) if isinstance(known, str) else None
    made = Format(*(part or "" for part in found.groups())) if found else None
    if made is not None:
        for_text = made.kind in ("", "s") and made.align != "=" and not made.sign + made.mark
        if for_text if is_text else made.kind in _BASES:
            return made
    raise errors.NumbaTypeError(
        "a format is compiled if it is written out and has a width and one of b, d, o, x and s, "
        "such as `{x:03d}`: make other texts in `format` and `action_name` only"
    )


@overload(format, prefer_literal=True)
def _format(value, spec=""):
    kind = types.unliteral(value)
    if isinstance(kind, types.UnicodeType):
        return _of_text(_parsed(spec, True))
    if not (kind in (U64, MASK) or isinstance(kind, types.Integer | types.Boolean)):
        return None
    made = _parsed(spec, False)
    if not any(made):
        return lambda value, spec="": str(value)
    if isinstance(kind, types.Boolean):
        return lambda value, spec="": format(int(value), spec)
    return _of_number(made, str(getattr(spec, "literal_value", spec)))


def _of_text(made: Format) -> Any:
    fill, align = made.fill or made.zero or " ", made.align or "<"
    width = int(made.width or 0)

    def text(value, spec=""):
        missing = max(width - len(value), 0)
        before = 0 if align == "<" else missing if align == ">" else missing // 2
        return fill * before + value + fill * (missing - before)

    return text


def _of_number(made: Format, spec: str) -> Any:
    # The one number whose absolute value is none.
    least, its_text = -(1 << 63), format(-(1 << 63), spec)
    fill, align = made.fill or made.zero or " ", made.align or ("=" if made.zero else ">")
    width, base = int(made.width or 0), _BASES[made.kind]
    plus = made.sign.replace("-", "")
    mark = "0" + made.kind if made.mark and base != 10 else ""
    letters = "0123456789ABCDEF" if made.kind == "X" else "0123456789abcdef"

    def text(value, spec=""):
        if value == least:
            return its_text
        rest = abs(value)
        digits = letters[as_signed(rest % base)]
        rest //= base
        while rest:
            digits = letters[as_signed(rest % base)] + digits
            rest //= base
        sign = ("-" if value < 0 else plus) + mark
        missing = max(width - len(sign) - len(digits), 0)
        if align == "=":
            return sign + fill * missing + digits
        before = 0 if align == "<" else missing if align == ">" else missing // 2
        return fill * before + sign + digits + fill * (missing - before)

    return text


_plain_digits = original(unicode.integer_str)


def _digits(n):
    """`str(n)`. Numba asks a logarithm, a float, how many digits there are."""
    if may_be_truth(n):
        raise errors.TypingError(
            "a value that is a truth value or a member of an IntEnum on one path and a number on "
            "another becomes a text, which differs in Python: write int(...) around it"
        )
    if not is_ours() or n.bitwidth < 64 or not n.signed:
        return _plain_digits(n)

    def digits(n):
        last = (10 - n % 10) % 10 if n < 0 else n % 10
        rest = -((n + last) // 10) if n < 0 else n // 10
        length, larger = 1, rest
        while larger > 0:
            length, larger = length + 1, larger // 10
        first = 1 if n < 0 else 0
        text = unicode._malloc_string(unicode.PY_UNICODE_1BYTE_KIND, 1, first + length, True)
        if n < 0:
            unicode._set_code_point(text, 0, 45)
        unicode._set_code_point(text, first + length - 1, 48 + last)
        for i in range(first + length - 2, first - 1, -1):
            unicode._set_code_point(text, i, 48 + rest % 10)
            rest //= 10
        return text

    return digits


replace(unicode.integer_str, _digits)
