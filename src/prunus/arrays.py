"""Views of NumPy arrays with one syntax and one behaviour interpreted and compiled: items are plain integers (or `u64`, `bool`, floats),
indices are checked and never negative."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import numpy as np

from prunus.bits import u64

SCALAR_DTYPES = ("uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "bool", "float32", "float64")


class View:
    """An array as rules and algorithms see it: `view[i]`, `view[i, j]`, `view[i] = x`, `len(view)`."""

    __slots__ = ("_cast", "_items", "array", "shape")

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        if array.dtype.name not in SCALAR_DTYPES:
            raise TypeError(f"an array of {array.dtype} cannot be used by rules or algorithms; use one of {', '.join(SCALAR_DTYPES)}")
        self.array = np.ascontiguousarray(array)
        self.shape = self.array.shape
        self._items = memoryview(cast(Any, self.array.reshape(-1))) if self.array.size else memoryview(b"")
        self._cast: type | None = u64 if array.dtype == np.uint64 else None

    def _offset(self, index: Any) -> int:
        indices = index if isinstance(index, tuple) else (index,)
        if len(indices) != len(self.shape):
            raise IndexError(f"an array of {len(self.shape)} dimensions has no item [{', '.join(map(str, indices))}]")
        offset = 0
        for place, size in zip(indices, self.shape, strict=True):
            if not 0 <= place < size:
                raise IndexError(f"index {place} is outside 0 ... {size - 1}")
            offset = offset * size + int(place)
        return offset

    def __getitem__(self, index: Any) -> Any:
        item = self._items[self._offset(index)]
        return item if self._cast is None else self._cast(item)

    def __setitem__(self, index: Any, value: Any) -> None:
        offset = self._offset(index)
        try:
            self._items[offset] = value
        except (ValueError, TypeError):
            self.array.reshape(-1)[offset] = _wrapped(value, self.array.dtype)

    def __len__(self) -> int:
        return self.shape[0]

    def prefetch(self, index: int) -> None:
        """Tell the processor that this item will be wanted soon; means nothing interpreted."""

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return self.array.astype(dtype) if dtype is not None else self.array

    def __deepcopy__(self, memo: dict[int, Any]) -> View:
        return View(self.array.copy())

    def __repr__(self) -> str:
        return f"View({self.array!r})"


def _wrapped(value: Any, dtype: np.dtype[Any]) -> Any:
    """An integer as an array item of this type holds it (the low bits)."""
    if dtype.kind not in "iu":
        return value
    bits = 8 * dtype.itemsize
    low = int(value) & ((1 << bits) - 1)
    return low - (1 << bits) if dtype.kind == "i" and low >> (bits - 1) else low
