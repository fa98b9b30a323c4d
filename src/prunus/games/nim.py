"""Nim (Bouton 1901): take any positive number of objects from one pile; whoever takes the last one
wins, or loses in misere play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import xor
from typing import NamedTuple

from prunus.core.bits import u8, with_item
from prunus.core.game import Game, PositionError
from prunus.games.boards import is_start

LARGEST = 255


class Nim(Game):
    """Nim from the piles given, each of 0 to 255 objects (otherwise ValueError). The game ends when
    all piles are empty.

    Utility, for the player to move at the end: -1 in normal play, 1 in misere play. Actions are 256
    (pile - 1) + take; in text they are `pile:take`, with piles numbered from 1: `2:1` takes one
    object from the second pile. Positions are the piles: `1,2,2`; their number may differ from the
    start's.
    """

    drawn_as = "piles"

    class State(NamedTuple):
        piles: tuple[u8, ...]

    def __init__(self, piles: Sequence[int] = (3, 5, 7), misere: bool = False) -> None:
        self.piles = tuple(int(pile) for pile in piles)
        if not self.piles or not all(0 <= pile <= LARGEST for pile in self.piles):
            raise ValueError(
                f"Nim needs at least one pile, each of 0 to {LARGEST} objects, not {self.piles}"
            )
        self.misere = bool(misere)

    def initial(self) -> State:
        return self.State(self.piles)

    def actions(self, state: State) -> Iterator[int]:
        for pile in range(len(state.piles)):
            for take in range(1, state.piles[pile] + 1):
                yield 256 * pile + take

    def result(self, state: State, action: int) -> State:
        pile = action // 256
        return state._replace(piles=with_item(state.piles, pile, state.piles[pile] - action % 256))

    def is_terminal(self, state: State) -> bool:
        for pile in state.piles:
            if pile > 0:
                return False
        return True

    def utility(self, state: State) -> int:
        return 1 if self.misere else -1

    def bounds(self, state: State) -> tuple[int, int]:
        return (-1, 1)

    def canonical(self, state: State) -> State:
        """The piles in ascending order."""
        piles = state.piles
        for done in range(len(piles) - 1):
            for i in range(len(piles) - 1 - done):
                small, large = piles[i], piles[i + 1]
                if small > large:
                    piles = with_item(with_item(piles, i, large), i + 1, small)
        return state._replace(piles=piles)

    # Texts.

    def parse(self, text: str) -> State:
        if is_start(text):
            return self.initial()
        piles = []
        for number, word in enumerate(text.split(","), 1):
            if not word.strip().isdecimal() or int(word) > LARGEST:
                raise PositionError(
                    f"pile {number} ({word.strip()!r}) is not a number from 0 to {LARGEST}; write "
                    f"piles as in 1,2,2"
                )
            piles.append(int(word))
        return self.State(tuple(piles))

    def format(self, state: State) -> str:
        return ",".join(map(str, state.piles))

    def action_name(self, state: State, action: int) -> str:
        return f"{int(action) // 256 + 1}:{int(action) % 256}"


def nim_value(piles: Sequence[int], misere: bool = False) -> int:
    """The value (1 or -1) for the player to move (Bouton 1901).

    Normal play is won unless the nim-sum, the exclusive or of the piles, is 0. Misere play is the
    same as long as some pile holds two objects or more; when none does, it is won exactly if normal
    play is lost.
    """
    won = reduce(xor, piles, 0) != 0
    if misere and max(piles, default=0) <= 1:
        won = not won
    return 1 if won else -1
