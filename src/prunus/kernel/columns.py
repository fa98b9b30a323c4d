"""The arrays of a Memory as interpreted code sees them: scalars, wide integers, States, rows."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from prunus.core.arrays import View
from prunus.core.bits import CASTS, u64, u128, u256
from prunus.core.state import StateLayout, is_machine_state

WIDE_KINDS: Final[dict[str, type[u64]]] = {"u128": u128, "u256": u256}
"""The kinds whose items take several words."""


class Column(View):
    """An array of a Memory. Negative indices are errors, so that an algorithm that leaves its array
    is told so."""

    __slots__ = ()

    _from_the_end = False


_NOTHING: Final = View(np.zeros(0, np.uint64))


class WideColumn:
    """An array of a Memory whose items are u128 or u256. As in a `Column`, negative indices are
    errors, and a stored number is cut to its bits."""

    def __init__(self, length: int, kind: str) -> None:
        self.kind = kind
        self._cast = WIDE_KINDS[kind]
        self.array = np.empty((length, CASTS[self._cast][0] // 64), np.uint64)
        self.shape = (length,)

    def _row(self, index: int) -> Any:
        if not 0 <= index < self.shape[0]:
            raise IndexError(f"index {index} is outside 0 ... {self.shape[0] - 1}")
        return self.array[int(index)]

    def __getitem__(self, index: int) -> u64:
        return self._cast(int.from_bytes(self._row(index).tobytes(), sys.byteorder))

    def __setitem__(self, index: int, value: int) -> None:
        row = self._row(index)
        row[:] = np.frombuffer(
            int(self._cast(value)).to_bytes(row.nbytes, sys.byteorder), np.uint64
        )

    def __len__(self) -> int:
        return self.shape[0]


class StateView:
    """An array of States. States whose tuples do not have the layout's lengths are kept beside the
    array; only interpreted searches meet them."""

    def __init__(
        self, length: int, layout: StateLayout, array: np.ndarray[Any, Any] | None = None
    ) -> None:
        self.layout = layout
        self._others: dict[int, Any] = {}
        self._first: Sequence[Any] = ()
        self.array = np.empty(length * layout.size // 8, np.uint64) if array is None else array
        self.shape = (length,)
        self._buffer = memoryview(self.array).cast("B") if length else memoryview(b"")

    def _checked(self, index: int) -> int:
        if not 0 <= index < self.shape[0]:
            raise IndexError(f"index {index} is outside 0 ... {self.shape[0] - 1}")
        return int(index)

    def __getitem__(self, index: int) -> Any:
        place = self._checked(index)
        return (
            self._others[place]
            if place in self._others
            else self.layout.unpack(self._buffer, place)
        )

    def __setitem__(self, index: int, state: Any) -> None:
        place = self._checked(index)
        if place < len(self._first):
            self._first = self._first[:place]
        if self.layout.fits(state):
            self._others.pop(place, None)
            self.layout.pack(self._buffer, place, state)
        else:
            self._others[place] = state

    def prefetch(self, index: int) -> None:
        """Tell the processor that this item will soon be needed. Does nothing when interpreted."""

    def has_others(self) -> bool:
        """Whether there are States beside the array."""
        return bool(self._others)

    def begin_with(self, states: Sequence[Any]) -> None:
        """Store States at the beginning. Those which the last call stored there, the very same
        ones, are not stored again: machine code must not write over them."""
        first = self._first
        if states is first:
            return
        known = 0
        while known < min(len(first), len(states)) and first[known] is states[known]:
            known += 1
        for place in range(known, len(states)):
            self[place] = states[place]
        self._first = tuple(states)

    def __len__(self) -> int:
        return self.shape[0]


class ObjectView:
    """An array of States that are not made of machine integers, for games that only run
    interpreted; unwritten items are None."""

    def __init__(self, length: int) -> None:
        self.items: dict[int, Any] = {}
        self.shape = (length,)

    def __getitem__(self, index: int) -> Any:
        return self.items.get(index)

    def __setitem__(self, index: int, state: Any) -> None:
        if not 0 <= index < self.shape[0]:
            raise IndexError(f"index {index} is outside 0 ... {self.shape[0] - 1}")
        self.items[index] = state

    def prefetch(self, index: int) -> None:
        """As in a `StateView`."""

    def begin_with(self, states: Sequence[Any]) -> None:
        """Store States at the beginning."""
        for place, state in enumerate(states):
            self[place] = state

    def __len__(self) -> int:
        return self.shape[0]


class RowView(StateView):
    """An array of the rows of an evaluation (`Evaluation.Row`), which lie as States do."""


class ObjectRows(ObjectView):
    """The same with rows that are not made of machine integers."""


def row_view(length: int, row: Any) -> RowView | ObjectRows:
    """An array of rows like this one."""
    return RowView(length, StateLayout(row)) if is_machine_state(row) else ObjectRows(length)


AnyView = View | WideColumn | StateView | ObjectView
