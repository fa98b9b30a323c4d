"""What is kept of what was made: the entries that were used last, so that a process that lives long does not fill its memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """A dictionary of at most `limit` entries. One more takes the place of the one that was not asked for longest; `dropped` is told its
    value."""

    def __init__(self, limit: int, dropped: Callable[[V], None] | None = None) -> None:
        self.limit, self._dropped = limit, dropped
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
        before = self._entries.get(key)
        self._entries[key] = value
        if before is not None and before is not value and self._dropped is not None:
            self._dropped(before)
        while len(self._entries) > self.limit:
            _, old = self._entries.popitem(last=False)
            if self._dropped is not None:
                self._dropped(old)
        return value

    def values(self) -> list[V]:
        """All values."""
        return list(self._entries.values())

    def discard(self, key: K) -> None:
        """Forget a key."""
        old = self._entries.pop(key, None)
        if old is not None and self._dropped is not None:
            self._dropped(old)

    def clear(self) -> None:
        """Forget everything."""
        for key in list(self._entries):
            self.discard(key)

    def __len__(self) -> int:
        return len(self._entries)
