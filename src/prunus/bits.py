"""Unsigned 64-bit integers and the casts that a `State` is built with.

Everything here is plain Python and runs as it stands; `prunus.kernel` teaches the same names to Numba, with the same results.

`u64` is contagious: an operator with a `u64` on either side takes both sides modulo 2**64 and gives a `u64`. Comparisons are exact, so
`u64(1) > -1` holds. The narrower names (`u8` ... `i64`) are casts: they wrap a number to their range and give a plain integer back, which
is computed with as a plain (compiled: signed 64-bit) integer until it is stored in a `State` again.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Annotated, Any, Final, TypeVar

T = TypeVar("T")

MASK64: Final = (1 << 64) - 1

RUNTIME: Final = "prunus: handed over at run time"
Runtime = Annotated[T, RUNTIME]
"""`Runtime[u64]`, `Runtime[i64]`, ...: a game's attribute that changes only its data (a seed, a weight) and so never recompiles it."""


class u64(int):  # noqa: N801 - named like the machine type that it is
    """An unsigned 64-bit integer: `u64(-1)` is 2**64 - 1, and every arithmetic or bit operator with an integer wraps to 64 bits."""

    __slots__ = ()

    def __new__(cls, value: int = 0) -> u64:
        return int.__new__(cls, int(value) & MASK64)

    def __neg__(self) -> u64:
        return u64(-int(self))

    def __invert__(self) -> u64:
        return u64(~int(self))

    def __lshift__(self, count: int) -> u64:
        return _shift(operator.lshift, self, count)

    def __rlshift__(self, value: int) -> u64:
        return _shift(operator.lshift, value, self)

    def __rshift__(self, count: int) -> u64:
        return _shift(operator.rshift, self, count)

    def __rrshift__(self, value: int) -> u64:
        return _shift(operator.rshift, value, self)


def _shift(shift: Callable[[int, int], int], value: int, count: int) -> u64:
    places = int(count) & MASK64
    return u64(shift(int(value) & MASK64, places)) if places < 64 else u64(0)


def _install(name: str, apply: Callable[[int, int], int]) -> None:
    def forward(self: u64, other: Any) -> Any:
        return u64(apply(int(self), int(other) & MASK64)) if isinstance(other, int) else NotImplemented

    def backward(self: u64, other: Any) -> Any:
        return u64(apply(int(other) & MASK64, int(self))) if isinstance(other, int) else NotImplemented

    setattr(u64, f"__{name}__", forward)
    setattr(u64, f"__r{name}__", backward)


for _name in ("and", "or", "xor", "add", "sub", "mul", "floordiv", "mod"):
    _install(_name, getattr(operator, f"{_name}_" if _name in ("and", "or") else _name))


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
