"""Views of NumPy arrays, with one syntax and the same behaviour interpreted and compiled: items are
plain integers (or `u64`, `bool`, floats), indices are checked, and negative indices count from the
end."""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

from prunus.core.bits import MASK64, u64

SCALAR_DTYPES = (
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "int8",
    "int16",
    "int32",
    "int64",
    "bool",
    "float32",
    "float64",
)

_DTYPES = frozenset(map(np.dtype, SCALAR_DTYPES))
"""The same in this machine's byte order: comparing types is quicker than building their names."""


_at_once = threading.Lock()
"""Held while an item is read and written as one atomic step."""

Item: TypeAlias = Any
"""An item of an array, or a view of its rows: a number of the kind that the array holds."""

Index: TypeAlias = "int | slice | tuple[int | slice, ...]"


class View:
    """An array as rules and algorithms see it: `view[i]`, `view[i, j]`, `view[i][j]`, `view[a:b]`,
    `view[i] = x`, `len(view)`, loops, `sum()`, `max()`, `min()`, `any()`, `all()`. Interpreted code
    may also use everything else that NumPy arrays offer."""

    __slots__ = ("_cast", "_items", "_row", "array", "shape")

    _from_the_end = True
    """Whether negative indices count from the end, as in Python."""

    def __init__(self, array: NDArray[np.generic]) -> None:
        if array.dtype not in _DTYPES and array.dtype.name not in SCALAR_DTYPES:
            raise TypeError(
                f"an array of {array.dtype} cannot be used by rules or algorithms; use one of "
                f"{', '.join(SCALAR_DTYPES)}"
            )
        self.array = np.ascontiguousarray(array)
        self.shape = self.array.shape
        self._items = (
            memoryview(cast(Item, self.array.reshape(-1))) if self.array.size else memoryview(b"")
        )
        self._cast: type | None = u64 if array.dtype == np.uint64 else None
        # The items of an array of one dimension: up to here a plain index needs no more checks.
        self._row = len(self._items) if len(self.shape) == 1 else 0

    def _offset(self, index: int | tuple[int, ...]) -> int:
        indices = index if isinstance(index, tuple) else (index,)
        if len(indices) != len(self.shape):
            raise IndexError(
                f"an array of {len(self.shape)} dimensions has no item "
                f"[{', '.join(map(str, indices))}]"
            )
        offset = 0
        for place, size in zip(indices, self.shape, strict=True):
            if not 0 <= place < size:
                if not self._from_the_end or not -size <= place < 0:
                    raise IndexError(f"index {place} is outside 0 ... {size - 1}")
                place += size  # noqa: PLW2901
            offset = offset * size + int(place)
        return offset

    def __getitem__(self, index: Index) -> Item:
        if type(index) is int and 0 <= index < self._row:
            item = self._items[index]
            return item if self._cast is None else self._cast(item)
        if (
            isinstance(index, slice)
            or (type(index) is not tuple and len(self.shape) > 1)
            or _is_partial(index, len(self.shape))
        ):
            return plain(self.array[index])
        item = self._items[self._offset(index)]  # type: ignore[arg-type] # no slice is left
        return item if self._cast is None else self._cast(item)

    def __setitem__(self, index: int | tuple[int, ...], value: Item) -> None:
        is_plain = type(index) is int and 0 <= index < self._row
        offset = index if is_plain else self._offset(index)
        try:
            self._items[offset] = value
        except (ValueError, TypeError):
            self.array.reshape(-1)[offset] = _wrapped(value, self.array.dtype)

    def __len__(self) -> int:
        return self.shape[0]

    # Atomic operations on arrays of 64-bit items that threads share: all threads see them in one
    # order.

    def fetch_add(self, index: int, amount: int) -> Item:
        """Add to an item, modulo 2**64, and return its previous value: a counter that threads
        share."""
        with _at_once:
            before = self[self._atomic(index)]
            self[index] = (int(before) + int(amount)) & MASK64
        return before

    def compare_exchange(self, index: int, expected: int, value: int) -> Item:
        """Set an item if it equals `expected`; return its previous value."""
        with _at_once:
            before = self[self._atomic(index)]
            if (int(before) - int(expected)) & MASK64 == 0:
                self[index] = value
        return before

    def atomic_load(self, index: int) -> Item:
        """An item. Everything its writer wrote before `atomic_store` is visible too."""
        return self[self._atomic(index)]

    def atomic_store(self, index: int, value: int) -> None:
        """Set an item, after everything this thread has written before."""
        with _at_once:
            self[self._atomic(index)] = value

    def _atomic(self, index: int) -> int:
        if self.array.itemsize != 8 or self.array.dtype.kind not in "iu" or len(self.shape) != 1:
            raise TypeError(
                f"only arrays of i64 or u64 with one dimension have atomic operations, not "
                f"{self.array.dtype} with {len(self.shape)}"
            )
        return index

    def prefetch(self, index: int) -> None:
        """Tell the processor that this item will soon be needed. Does nothing when interpreted."""

    def __iter__(self) -> Iterator[Item]:
        return (self[i] for i in range(len(self)))

    def sum(self) -> Item:
        """The sum of all items."""
        return METHODS["sum", len(self.shape) > 1](self)

    def max(self) -> Item:
        """The largest item. Raises ValueError if there is none."""
        return METHODS["max", len(self.shape) > 1](self)

    def min(self) -> Item:
        """The smallest item. Raises ValueError if there is none."""
        return METHODS["min", len(self.shape) > 1](self)

    def any(self) -> bool:
        """Whether an item is true."""
        return bool(METHODS["any", len(self.shape) > 1](self))

    def all(self) -> bool:
        """Whether all items are true."""
        return bool(METHODS["all", len(self.shape) > 1](self))

    def __getattr__(self, name: str) -> Item:
        if name.startswith("__") or name in View.__slots__:
            raise AttributeError(name)
        found = getattr(self.array, name)
        return (
            (lambda *given, **named: plain(found(*given, **named)))
            if callable(found)
            else plain(found)
        )

    def __array__(
        self, dtype: DTypeLike | None = None, copy: bool | None = None
    ) -> NDArray[np.generic]:
        return self.array.astype(dtype) if dtype is not None else self.array

    def __deepcopy__(self, memo: dict[int, object]) -> View:
        return View(self.array.copy())

    def __reduce__(self) -> tuple[type[View], tuple[NDArray[np.generic]]]:
        return View, (self.array,)

    def __repr__(self) -> str:
        return f"View({self.array!r})"


def _is_partial(index: object, dimensions: int) -> bool:
    return type(index) is tuple and (
        len(index) < dimensions or any(isinstance(part, slice) for part in index)
    )


def plain(value: Item) -> Item:
    """A value from NumPy as rules compute with it: arrays as views, integers as Python's own
    (uint64 as u64)."""
    if isinstance(value, np.ndarray):
        return View(value) if value.dtype.name in SCALAR_DTYPES and value.ndim else value
    if isinstance(value, np.generic):
        return u64(int(value)) if value.dtype == np.uint64 else value.item()
    return value


# The methods of views, shared by both backends: one version for one dimension, another for more,
# where the items are rows.


def _sum(view: View) -> Item:
    total = 0
    for item in view:
        total += item
    return total


def _sum_of_rows(view: View) -> Item:
    total = 0
    for row in view:
        total += row.sum()
    return total


def _max(view: View) -> Item:
    return max(item for item in view)


def _max_of_rows(view: View) -> Item:
    return max(row.max() for row in view)


def _min(view: View) -> Item:
    return min(item for item in view)


def _min_of_rows(view: View) -> Item:
    return min(row.min() for row in view)


def _any(view: View) -> Item:
    return any(item for item in view)


def _any_of_rows(view: View) -> Item:
    return any(row.any() for row in view)


def _all(view: View) -> Item:
    return all(item for item in view)


def _all_of_rows(view: View) -> Item:
    return all(row.all() for row in view)


METHODS: Final[dict[tuple[str, bool], Callable[[View], Item]]] = {
    ("sum", False): _sum,
    ("sum", True): _sum_of_rows,
    ("max", False): _max,
    ("max", True): _max_of_rows,
    ("min", False): _min,
    ("min", True): _min_of_rows,
    ("any", False): _any,
    ("any", True): _any_of_rows,
    ("all", False): _all,
    ("all", True): _all_of_rows,
}
"""(name, whether there is more than one dimension) -> the function that compiled and interpreted
code share."""


def _wrapped(value: Item, dtype: np.dtype[np.generic]) -> Item:
    """An integer as an array item of this type stores it (the low bits). Raises TypeError for what
    is no integer, and for a plain one of more than 64 bits."""
    if dtype.kind not in "iu":
        return value
    number = int(value) if isinstance(value, np.bool_) else operator.index(value)
    if type(value) is int and not -(1 << 63) <= number < 1 << 64:
        raise TypeError(f"{number} has more than 64 bits")
    bits = 8 * dtype.itemsize
    low = number & ((1 << bits) - 1)
    return low - (1 << bits) if dtype.kind == "i" and low >> (bits - 1) else low
