"""What is kept of what was made: the entries that were used last, so that a process that lives long
does not fill its memory."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """A dictionary of at most `limit` entries: one more takes the place of the one that was not
    asked for longest."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._entries: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K) -> V | None:
        """The value of a key, None where it has none."""
        try:
            self._entries.move_to_end(key)
            return self._entries[key]
        except KeyError:  # not there, or another thread has just taken it away
            return None

    def put(self, key: K, value: V) -> V:
        """Keep a value, and give it back."""
        self._entries[key] = value
        while len(self._entries) > self.limit:
            self._entries.popitem(last=False)
        return value

    def clear(self) -> None:
        """Forget all entries."""
        self._entries.clear()

    def __len__(self) -> int:
        return len(self._entries)
