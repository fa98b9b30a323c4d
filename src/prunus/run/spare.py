"""Memories whose searches are over: the next search of the same kind takes one over.

To make the arrays of a search to the end of a game takes longer than many a search, since the
operating system clears every page that is touched. Nothing that a search has left in them counts
(`Memory.renew`).
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from prunus.kernel.memory import Memory, ObjectView

KEPT: Final = 4
"""How many are kept; one more drives out the one that has been here longest."""

LARGEST: Final = 256 << 20
"""The bytes of address space of the largest one that is kept. Pages that no search has touched take
no memory."""

_spare: dict[Hashable, Memory] = {}


def taken(kind: Hashable) -> Memory | None:
    """A memory of a kind, for the caller alone; None where there is none."""
    return _spare.pop(kind, None)


def give_back(kind: Hashable, memory: Memory, shared: tuple[str, ...]) -> None:
    """A search is over, and nobody looks into its memory any more. `shared` are the arrays that are
    not its own, which are let go."""
    own = [view for name, view in memory._values.items() if name not in shared]
    if (
        any(isinstance(view, ObjectView) for view in own)
        or sum([view.array.nbytes for view in own]) > LARGEST
    ):
        return
    memory.let_go(shared)
    _spare[kind] = memory
    while len(_spare) > KEPT:
        _spare.pop(next(iter(_spare), None), None)
