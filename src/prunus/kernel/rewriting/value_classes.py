"""Classes of values that may be one, for `aliases.py`."""

from __future__ import annotations


class Classes:
    """Classes of values, each with the class of its items, once that is asked for."""

    def __init__(self) -> None:
        self._parents: list[int] = []
        self._items: dict[int, int] = {}
        self.sized: set[int] = set()
        """Lists whose length compiled code would expect to know."""
        self.made_tuple: set[int] = set()
        """Lists that become tuples."""
        self.measured: set[int] = set()
        """Lists that are sums, slices or sorted: whose length is only known when they are made."""
        self.changes: dict[int, set[int]] = {}
        """What makes lists longer or shorter: the `id` of an expression or a statement."""

    def new(self) -> int:
        """A class of its own."""
        self._parents.append(len(self._parents))
        return len(self._parents) - 1

    def find(self, one: int) -> int:
        """The number by which a class is known now."""
        while self._parents[one] != one:
            self._parents[one] = one = self._parents[self._parents[one]]
        return one

    def items(self, one: int) -> int:
        """The class of the items of containers."""
        one = self.find(one)
        if one not in self._items:
            self._items[one] = self.new()
        return self.find(self._items[one])

    def join(self, one: int, other: int) -> None:
        """Make one class of two."""
        work = [(one, other)]
        while work:
            kept, gone = map(self.find, work.pop())
            if kept == gone:
                continue
            self._parents[gone] = kept
            for marked in (self.sized, self.made_tuple, self.measured):
                if gone in marked:
                    marked.add(kept)
            self.changes.setdefault(kept, set()).update(self.changes.pop(gone, ()))
            if gone in self._items:
                work.append((self._items.setdefault(kept, self._items[gone]), self._items[gone]))

    def mix(self, one: int, *others: int) -> None:
        """Make one class of several, and of whatever is in them."""
        for other in others:
            self.join(one, other)
        self.join(one, self.items(one))

    def within(self, one: int) -> set[int]:
        """A class and those of what is in it."""
        found, one = set[int](), self.find(one)
        while one not in found:
            found.add(one)
            if one in self._items:
                one = self.find(self._items[one])
        return found
