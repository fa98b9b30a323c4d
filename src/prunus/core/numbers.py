"""What a game may say for databases, which otherwise list its positions and look at their
actions: numbers of positions, and the way back from a position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from prunus.core.generic import Generic, S


class Numbers(Generic[S]):
    """Optional methods for databases. States are asked for, and given, as representatives: as
    `canonical`, `timeless` and `unsettled` leave them."""

    every_rank: ClassVar[bool] = False
    """Set it in a class in which every number below `rank_count` that `is_position` accepts is a
    position: a database then has them all, also those that the start does not lead to."""

    def rank_count(self) -> int:
        """The number of numbers that `rank` gives, at most 2**40; 0 if the game is not to be
        numbered. Defined together with `rank` and `unrank`. Each number costs a database two bits,
        whether a position has it or not."""
        return 0

    def rank(self, state: S, /) -> int:
        """The number of a position, 0 ... `rank_count` - 1: another one for each position that can
        be reached. It is asked of representatives only; for a State that cannot be reached it may
        be any integer, but must not raise."""
        raise TypeError(f"{type(self).__name__} has to define rank(state)")

    def unrank(self, number: int, /) -> S:
        """The position whose number this is: `unrank(rank(state)) == state`. It is asked of the
        numbers that `rank` gives, and may return any State for others."""
        raise TypeError(f"{type(self).__name__} has to define unrank(number)")

    def is_position(self, number: int, /) -> bool:
        """Whether a number is that of a position, for a class with `every_rank`. Every position
        that an action leads to has such a number."""
        return True

    def predecessors(self, state: S, /) -> Iterator[S]:
        """The States with an action that leads to this one, or to one with the same representative:
        of each representative at least one. States that cannot be reached may be among them, and
        one may come twice. Asked of representatives in which the game is not over."""
        raise TypeError(f"{type(self).__name__} has to define predecessors(state)")
