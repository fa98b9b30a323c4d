"""A bounded store of the entries used last, so that a long-lived process does not fill its
memory."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """A dictionary of at most `limit` entries: one too many replaces the least recently used."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._entries: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K) -> V | None:
        """The value of a key; None if it has none."""
        try:
            self._entries.move_to_end(key)
            return self._entries[key]
        except KeyError:  # absent, or another thread has just removed it
            return None

    def put(self, key: K, value: V) -> V:
        """Keep a value and return it."""
        self._entries[key] = value
        while len(self._entries) > self.limit:
            self._entries.popitem(last=False)
        return value

    def clear(self) -> None:
        """Forget all entries."""
        self._entries.clear()

    def __len__(self) -> int:
        return len(self._entries)
