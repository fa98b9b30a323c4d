"""Types of memories, for the type checker: a field that none of these classes declares is misspelt.

A memory (`prunus.kernel.memory.Memory`) has the fields that its algorithm asks for. Each file that
works with some of them declares a class here or beside the function that lists those fields; the
class of an algorithm's memory is made of these.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from prunus.core.bits import u64

Item = TypeVar("Item")


class Array(Protocol[Item]):
    """An array of numbers, truth values or States."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int) -> Item: ...

    def __setitem__(self, index: int, value: Item) -> None: ...

    def prefetch(self, index: int) -> None: ...


StateArray = Array[Any]
"""An array of States, whose type is the game's own."""


class SharedArray(Array[int], Protocol):
    """An array of numbers that threads change together, each step at once for all."""

    def atomic_load(self, index: int) -> int: ...

    def fetch_add(self, index: int, amount: int) -> int: ...

    def compare_exchange(self, index: int, expected: int, value: int) -> int: ...


class WordArray(Protocol):
    """An array of 64-bit words, of which it keeps the low bits of every number."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int) -> u64: ...

    def __setitem__(self, index: int, value: int) -> None: ...

    def prefetch(self, index: int) -> None: ...

    def atomic_load(self, index: int) -> u64: ...

    def atomic_store(self, index: int, value: int) -> None: ...

    def compare_exchange(self, index: int, expected: int, value: int) -> u64: ...


class Counted(Protocol):
    """Every memory counts nodes, and with each of them the kernel looks whether to stop."""

    nodes: int


class Counters(Counted, Protocol):
    """The work of a search so far: nodes visited and expanded, leaves estimated, cut-offs, those by
    the first action, values taken from a table."""

    interior: int
    evaluated: int
    cutoffs: int
    first_cutoffs: int
    table_hits: int
