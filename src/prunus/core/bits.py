"""Unsigned integers of 64, 128 and 256 bits and the casts that a `State` is built with.

Everything here is plain Python and runs as it stands; `prunus.kernel` teaches the same names to
Numba, with the same results.

`u64` is contagious: an operator with a `u64` on either side takes both sides modulo 2**64 and gives
a `u64`. `u128` and `u256` work the same way with more bits; between two of these types the wider
one decides. An operand with more bits than the operator raises OverflowError. Comparisons are
exact, so `u64(1) > -1` holds. The narrower names (`u8` ... `i64`) are casts: they wrap a number to
their range and return a plain integer (compiled: signed 64-bit), which stays plain until it is
stored in a `State` again.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Final, Self, TypeVar

T = TypeVar("T")

MASK64: Final = (1 << 64) - 1
MASK128: Final = (1 << 128) - 1
MASK256: Final = (1 << 256) - 1

RUNTIME: Final = "prunus: handed over at run time"
Runtime = Annotated[T, RUNTIME]
"""`Runtime[u64]`, `Runtime[i64]`, ...: a game's attribute that changes only its data (a seed, a
weight) and so never recompiles it."""


class u64(int):  # noqa: N801 - named like the machine type that it is
    """An unsigned 64-bit integer: `u64(-1)` is 2**64 - 1, and every arithmetic or bit operator with
    an integer wraps to 64 bits."""

    __slots__ = ()

    def __new__(cls, value: int = 0) -> Self:
        return _new(cls, int(value) & MASK64)

    def __array_ufunc__(
        self, operation: object, method: str, *operands: object, **named: object
    ) -> object:
        """NumPy's operators take a u64 as the plain number that it is. Otherwise NumPy would hold
        it for an int64 and refuse to join it with tables of uint64, which rules called directly,
        before any search, read as they stand."""
        plain = (int(each) if isinstance(each, u64) else each for each in operands)
        found: object = getattr(operation, method)(*plain, **named)
        return found

    if TYPE_CHECKING:

        def __and__(self, other: int) -> Self: ...
        def __or__(self, other: int) -> Self: ...
        def __xor__(self, other: int) -> Self: ...
        def __add__(self, other: int) -> Self: ...
        def __sub__(self, other: int) -> Self: ...
        def __mul__(self, other: int) -> Self: ...
        def __floordiv__(self, other: int) -> Self: ...
        def __mod__(self, other: int) -> Self: ...
        def __lshift__(self, other: int) -> Self: ...
        def __rshift__(self, other: int) -> Self: ...
        def __rand__(self, other: int) -> Self: ...
        def __ror__(self, other: int) -> Self: ...
        def __rxor__(self, other: int) -> Self: ...
        def __radd__(self, other: int) -> Self: ...
        def __rsub__(self, other: int) -> Self: ...
        def __rmul__(self, other: int) -> Self: ...
        def __rlshift__(self, other: int) -> Self: ...
        def __rrshift__(self, other: int) -> Self: ...
        def __invert__(self) -> Self: ...
        def __neg__(self) -> Self: ...
        def __pos__(self) -> Self: ...
        def __abs__(self) -> Self: ...


# Each derives from the narrower one so that Python tries the wider type's operator first.


class u128(u64):  # noqa: N801
    """An unsigned 128-bit integer: like `u64`, modulo 2**128; an operator with a `u64` gives a
    `u128`."""

    __slots__ = ()

    def __new__(cls, value: int = 0) -> Self:
        return _new(cls, int(value) & MASK128)


class u256(u128):  # noqa: N801
    """An unsigned 256-bit integer: like `u64`, modulo 2**256; an operator with a `u64` or a `u128`
    gives a `u256`."""

    __slots__ = ()

    def __new__(cls, value: int = 0) -> Self:
        return _new(cls, int(value) & MASK256)


# A few factories make the operators and bind what they need: interpreted rules spend most of their
# time here.
_new = int.__new__
_from_bytes = int.from_bytes


def _beyond(kind: type, other: int) -> OverflowError:
    return OverflowError(
        f"{other} does not fit the {CASTS[kind][0]} bits of an operator with a {kind.__name__}"
    )


def _wrapping(kind: type, operate: Callable[[int, int], int]) -> Callable[..., object]:
    """An operator of int with its result taken modulo 2**bits; correct for operators that commute
    with the remainder."""
    mask = (1 << CASTS[kind][0]) - 1
    lowest = ~mask

    def wrapped(self: int, other: int) -> object:
        if other.__class__ is kind:
            return _new(kind, operate(self, other) & mask)
        result = operate(self, other)
        if result is NotImplemented:
            return result
        if lowest <= other <= mask:
            return _new(kind, result & mask)
        raise _beyond(kind, other)

    return wrapped


def _dividing(
    kind: type, operate: Callable[[int, int], int]
) -> tuple[Callable[..., object], Callable[..., object]]:
    """// and %, with both sides first taken modulo 2**bits: two methods, for a number of this kind
    on the left and on the right."""
    mask = (1 << CASTS[kind][0]) - 1
    lowest = ~mask

    def left(self: int, other: object) -> object:
        if not isinstance(other, int):
            return NotImplemented
        if lowest <= other <= mask:
            return _new(kind, operate(int(self), int(other) & mask))
        raise _beyond(kind, other)

    def right(self: int, other: object) -> object:
        if not isinstance(other, int):
            return NotImplemented
        if lowest <= other <= mask:
            return _new(kind, operate(int(other) & mask, int(self)))
        raise _beyond(kind, other)

    return left, right


def _quotient_and_rest(
    whole: Callable[..., object], rest: Callable[..., object]
) -> Callable[..., object]:
    """`divmod`: // and % in one."""

    def both(self: int, other: object) -> object:
        quotient = whole(self, other)
        return quotient if quotient is NotImplemented else (quotient, rest(self, other))

    return both


def _shifting(
    kind: type, shift: Callable[[int, int], int]
) -> tuple[Callable[..., object], Callable[..., object]]:
    """<< or >>: two methods, for a number of this kind on the left and on the right."""
    bits, _ = CASTS[kind]
    mask = (1 << bits) - 1
    lowest = ~mask

    def left(self: int, places: object) -> object:
        if not isinstance(places, int):
            return NotImplemented
        if 0 <= places < bits:
            return _new(kind, shift(self, places) & mask)
        if places < 0:
            raise ValueError("negative shift count")
        return _new(kind, 0)

    def right(self: int, other: object) -> object:
        if not isinstance(other, int):
            return NotImplemented
        if lowest <= other <= mask:
            return left(int(other) & mask, self)
        raise _beyond(kind, other)

    return left, right


def _install(kind: type) -> None:
    mask = (1 << CASTS[kind][0]) - 1
    for name in ("and", "or", "xor", "add", "sub", "mul"):
        for side in ("", "r"):
            setattr(kind, f"__{side}{name}__", _wrapping(kind, getattr(int, f"__{side}{name}__")))
    for name, operate in (
        ("neg", int.__neg__),
        ("invert", int.__invert__),
        ("pos", int.__pos__),
        ("abs", int.__abs__),
    ):
        setattr(kind, f"__{name}__", lambda self, operate=operate: _new(kind, operate(self) & mask))
    wholes, rests = _dividing(kind, operator.floordiv), _dividing(kind, operator.mod)
    both_sides = (
        ("floordiv", wholes),
        ("mod", rests),
        (
            "divmod",
            (_quotient_and_rest(wholes[0], rests[0]), _quotient_and_rest(wholes[1], rests[1])),
        ),
        ("lshift", _shifting(kind, int.__lshift__)),
        ("rshift", _shifting(kind, int.__rshift__)),
    )
    for name, (left, right) in both_sides:
        setattr(kind, f"__{name}__", left)
        setattr(kind, f"__r{name}__", right)


if TYPE_CHECKING:
    # Calling one returns a plain integer; a type checker needs to know no more.
    u8 = int
    u16 = int
    u32 = int
    i8 = int
    i16 = int
    i32 = int
    i64 = int
else:

    class _Cast(int):
        """A cast to a machine integer: calling it wraps the number to `width` bits and returns a
        plain `int`."""

        width = 64
        signed = True

        def __new__(cls, value: int = 0) -> int:  # type: ignore[misc]
            wrapped = int(value) & ((1 << cls.width) - 1)
            return (
                wrapped - (1 << cls.width) if cls.signed and wrapped >> (cls.width - 1) else wrapped
            )

    class u8(_Cast):  # noqa: N801
        """Wrap to 0 ... 255; gives a plain integer."""

        width, signed = 8, False

    class u16(_Cast):  # noqa: N801
        """Wrap to 0 ... 65,535; gives a plain integer."""

        width, signed = 16, False

    class u32(_Cast):  # noqa: N801
        """Wrap to 0 ... 2**32 - 1; gives a plain integer."""

        width, signed = 32, False

    class i8(_Cast):  # noqa: N801
        """Wrap to -128 ... 127; gives a plain integer."""

        width = 8

    class i16(_Cast):  # noqa: N801
        """Wrap to -32,768 ... 32,767; gives a plain integer."""

        width = 16

    class i32(_Cast):  # noqa: N801
        """Wrap to -2**31 ... 2**31 - 1; gives a plain integer."""

        width = 32

    class i64(_Cast):  # noqa: N801
        """Wrap to -2**63 ... 2**63 - 1; gives a plain integer."""


CASTS: Final[dict[type, tuple[int, bool]]] = {
    u8: (8, False),
    u16: (16, False),
    u32: (32, False),
    u64: (64, False),
    i8: (8, True),
    i16: (16, True),
    i32: (32, True),
    i64: (64, True),
    bool: (1, False),
    u128: (128, False),
    u256: (256, False),
}
"""Width in bits and signedness of every scalar that a `State` field may be."""

WIDE: Final = (u128, u256)
"""The scalars that take several 64-bit words."""

for _kind in (u64, *WIDE):
    _install(_kind)


def with_item(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """A copy of the tuple with the item at `index` (0 <= index < len) changed. Raises IndexError
    outside that range.

    A number is converted to the kind of the item that it replaces: a u64 in a tuple of u64, a plain
    integer among plain ones. Raises OverflowError if a u64, u128 or u256 cannot hold it."""
    if not 0 <= index < len(items):
        raise IndexError("with_item: index out of range")
    kind = type(items[index])
    if type(item) is not kind and kind in _NUMBERS and isinstance(item, int):
        item = _as_item(kind, item)  # type: ignore[arg-type,assignment]
    return (*items[:index], item, *items[index + 1 :])


_NUMBERS: Final = (int, bool, u64, *WIDE)


def _as_item(kind: type[int], item: int) -> int:
    """A number converted to the given kind: an int, a bool, a u64, ..."""
    if issubclass(kind, u64) and not 0 <= item < 1 << CASTS[kind][0]:
        raise OverflowError(
            f"with_item: an item of the tuple is a {kind.__name__}, 0 ... 2**{CASTS[kind][0]} - 1: "
            f"{item} is outside"
        )
    return kind(item)


GOLDEN: Final = 0x9E3779B97F4A7C15
"""The odd number nearest to 2**64 divided by the golden ratio, which SplitMix64 adds before each
`mix` (Steele, Lea & Flood 2014)."""


def mix(word: int) -> u64:
    """A one-to-one scrambling of 64-bit words in which every input bit affects every output bit
    (the finaliser of SplitMix64, Steele, Lea & Flood 2014)."""
    x = u64(word)
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB
    return x ^ (x >> 31)


def lowest_bit(bits: int) -> u64:
    """The lowest set bit alone, 0 for 0; a u128 or u256 gives its own type."""
    x = u64(0) | bits
    return x & -x


def bit_index(bit: int) -> int:
    """The position of the lowest set bit; for 0 the width, 64 (u128: 128, u256: 256)."""
    return (lowest_bit(bit) - 1).bit_count()


def _unsigned(value: int) -> tuple[u64, int]:
    """The number as a u64, unless it already is an unsigned type, and its width in bits. Raises
    OverflowError for a plain integer beyond 64 bits."""
    word = u64(0) | value
    return word, CASTS[type(word)][0]


def ctz(value: int) -> int:
    """The number of zeros below the lowest set bit of a u64, u128, u256 or plain integer (taken as
    a u64); for 0 the width, 64, 128 or 256."""
    if value.__class__ is u64:
        word = int(value)
        return (word & -word).bit_length() - 1 if word else 64
    word, bits = _unsigned(value)
    return (word & -word).bit_length() - 1 if word else bits


def clz(value: int) -> int:
    """The number of zeros above the highest set bit of a u64, u128, u256 or plain integer (taken as
    a u64); for 0 the width, 64, 128 or 256."""
    word, bits = _unsigned(value)
    return bits - word.bit_length()


def bswap(value: int) -> u64:
    """The bytes of a u64, u128, u256 or plain integer (taken as a u64) in reverse order: a board
    with rows of eight cells turned upside down."""
    if value.__class__ is u64:
        return _new(u64, _from_bytes(value.to_bytes(8, "little"), "big"))
    word, bits = _unsigned(value)
    return type(word)(int.from_bytes(int(word).to_bytes(bits // 8, "little"), "big"))


def mulhi(left: int, right: int) -> u64:
    """The upper half of a product: the product divided by 2**bits, where `bits` is the width of the
    wider operand (plain integers are taken as u64). With a random word on the left it is an
    unbiased number below the right operand."""
    first, second = _unsigned(left)[0], _unsigned(right)[0]
    kind = type(first | second)
    return kind(int(first) * int(second) >> CASTS[kind][0])
