"""Unsigned 64-bit integers and the casts that a `State` is built with.

Everything here is plain Python and runs as it stands; `prunus.kernel` teaches the same names to Numba, with the same results.

`u64` is contagious: an operator with a `u64` on either side takes both sides modulo 2**64 and gives a `u64`. Comparisons are exact, so
`u64(1) > -1` holds. The narrower names (`u8` ... `i64`) are casts: they wrap a number to their range and give a plain integer back, which
is computed with as a plain (compiled: signed 64-bit) integer until it is stored in a `State` again.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

T = TypeVar("T")

MASK64: Final = (1 << 64) - 1

RUNTIME: Final = "prunus: handed over at run time"
Runtime = Annotated[T, RUNTIME]
"""`Runtime[u64]`, `Runtime[i64]`, ...: a game's attribute that changes only its data (a seed, a weight) and so never recompiles it."""


class u64(int):  # noqa: N801 - named like the machine type that it is
    """An unsigned 64-bit integer: `u64(-1)` is 2**64 - 1, and every arithmetic or bit operator with an integer wraps to 64 bits."""

    __slots__ = ()

    def __new__(cls, value: int = 0) -> u64:
        return _new(cls, int(value) & MASK64)

    if TYPE_CHECKING:

        def __and__(self, other: int) -> u64: ...
        def __or__(self, other: int) -> u64: ...
        def __xor__(self, other: int) -> u64: ...
        def __add__(self, other: int) -> u64: ...
        def __sub__(self, other: int) -> u64: ...
        def __mul__(self, other: int) -> u64: ...
        def __floordiv__(self, other: int) -> u64: ...
        def __mod__(self, other: int) -> u64: ...
        def __lshift__(self, other: int) -> u64: ...
        def __rshift__(self, other: int) -> u64: ...
        def __rand__(self, other: int) -> u64: ...
        def __ror__(self, other: int) -> u64: ...
        def __rxor__(self, other: int) -> u64: ...
        def __radd__(self, other: int) -> u64: ...
        def __rsub__(self, other: int) -> u64: ...
        def __rmul__(self, other: int) -> u64: ...
        def __invert__(self) -> u64: ...
        def __neg__(self) -> u64: ...


# The operators are made by a few factories that bind what they need: interpreted rules spend most of their time here.
_new = int.__new__


def _wrapping(operate: Callable[..., Any]) -> Callable[..., Any]:
    """An operator of int, its result taken modulo 2**64; right for those that commute with the remainder."""

    def wrapped(self: int, other: int) -> Any:
        result = operate(self, other)
        return result if result is NotImplemented else _new(u64, result & MASK64)

    return wrapped


def _dividing(operate: Callable[[int, int], int]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """// and %, with both sides first taken modulo 2**64: u64 on the left, and on the right."""

    def left(self: int, other: Any) -> Any:
        return _new(u64, operate(int(self), other & MASK64)) if isinstance(other, int) else NotImplemented

    def right(self: int, other: Any) -> Any:
        return _new(u64, operate(int(other) & MASK64, int(self))) if isinstance(other, int) else NotImplemented

    return left, right


def _shifted_left(self: u64, other: int) -> u64:
    return _new(u64, int.__lshift__(self, int(other)) & MASK64 if 0 <= other < 64 else 0)


def _shifted_right(self: u64, other: int) -> u64:
    return _new(u64, int.__rshift__(self, int(other)) if 0 <= other < 64 else 0)


def _install() -> None:
    for name in ("and", "or", "xor", "add", "sub", "mul"):
        for side in ("", "r"):
            setattr(u64, f"__{side}{name}__", _wrapping(getattr(int, f"__{side}{name}__")))
    for name, negate in (("neg", int.__neg__), ("invert", int.__invert__)):
        setattr(u64, f"__{name}__", lambda self, negate=negate: _new(u64, negate(self) & MASK64))
    for name, operate in (("floordiv", operator.floordiv), ("mod", operator.mod)):
        left, right = _dividing(operate)
        setattr(u64, f"__{name}__", left)
        setattr(u64, f"__r{name}__", right)
    for name, shift in (("lshift", _shifted_left), ("rshift", _shifted_right)):
        setattr(u64, f"__{name}__", shift)
        setattr(u64, f"__r{name}__", lambda self, other, shift=shift: shift(u64(other), self))


_install()


if TYPE_CHECKING:
    # Calling one gives a plain integer, and that is all a type checker needs to know.
    u8 = int
    u16 = int
    u32 = int
    i8 = int
    i16 = int
    i32 = int
    i64 = int
else:

    class _Cast(int):
        """A cast to a machine integer: calling it wraps the number to `width` bits and returns a plain `int`."""

        width = 64
        signed = True

        def __new__(cls, value: int = 0) -> int:  # type: ignore[misc]
            wrapped = int(value) & ((1 << cls.width) - 1)
            return wrapped - (1 << cls.width) if cls.signed and wrapped >> (cls.width - 1) else wrapped

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
}
"""Width in bits and signedness of every scalar that a `State` field may be."""


def with_item(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """A copy of the tuple with the item at `index` (0 <= index < len) changed. Raises IndexError outside."""
    if not 0 <= index < len(items):
        raise IndexError("with_item: index out of range")
    return (*items[:index], item, *items[index + 1 :])


def mix(word: int) -> u64:
    """A one-to-one scrambling of 64-bit words in which every input bit moves every output bit (the finaliser of SplitMix64,
    Steele, Lea & Flood 2014)."""
    x = u64(word)
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB
    return x ^ (x >> 31)


def lowest_bit(bits: int) -> u64:
    """The lowest set bit alone, 0 for 0."""
    x = u64(bits)
    return x & -x


def bit_index(bit: int) -> int:
    """The position (0-63) of the lowest set bit; 64 for 0."""
    return (lowest_bit(bit) - 1).bit_count()
