"""Podium Nim: Nim for three, solved by Li (1978): whoever takes last comes first, the player before
comes second."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from prunus.core.bits import u8, with_item
from prunus.core.game import Game, PositionError
from prunus.games.boards import is_start

LARGEST = 255
NAMES = "ABC"


class PodiumNim(Game):
    """Three players, A, B and C, take in turn any positive number of objects from one pile. When
    all are gone, the player who took the last one has won (1), the player before is second (0), and
    the one who would be next is third (-1): nobody is indifferent to the others' places, and max^n
    has no ties to break.

    Piles of 0 to 255 objects (otherwise ValueError). Utility, for the player to move at the end:
    -1. Actions are 256 (pile - 1) + take; in text they are `pile:take`, with piles numbered from 1:
    `2:1`. Positions are the piles and the player to move, `1,2,2 B`; without a name A moves.
    """

    drawn_as = "piles"

    players = 3
    payoff_sum = 0
    payoff_low = -1

    class State(NamedTuple):
        piles: tuple[u8, ...]
        turn: u8

    def __init__(self, piles: Sequence[int] = (1, 2, 3)) -> None:
        self.piles = tuple(int(pile) for pile in piles)
        if not self.piles or not all(0 <= pile <= LARGEST for pile in self.piles):
            raise ValueError(
                f"podium Nim needs at least one pile, each of 0 to {LARGEST} objects, not "
                f"{self.piles}"
            )

    def initial(self) -> State:
        return self.State(self.piles, 0)

    def actions(self, state: State) -> Iterator[int]:
        for pile in range(len(state.piles)):
            for take in range(1, state.piles[pile] + 1):
                yield 256 * pile + take

    def result(self, state: State, action: int) -> State:
        pile = action // 256
        return self.State(
            with_item(state.piles, pile, state.piles[pile] - action % 256), (state.turn + 1) % 3
        )

    def is_terminal(self, state: State) -> bool:
        for pile in state.piles:
            if pile > 0:
                return False
        return True

    def to_move(self, state: State) -> int:
        return state.turn

    def utilities(self, state: State) -> tuple[int, int, int]:
        """The payoffs of A, B and C; the player to move has come third."""
        if state.turn == 0:
            return (-1, 0, 1)
        return (1, -1, 0) if state.turn == 1 else (0, 1, -1)

    def estimates(self, state: State) -> tuple[int, int, int]:
        """Nothing is known about a game that is not over."""
        return (0, 0, 0)

    def utility(self, state: State) -> int:
        return -1

    def bounds(self, state: State) -> tuple[int, int]:
        return (-1, 1)

    # Texts.

    def parse(self, text: str) -> State:
        if is_start(text):
            return self.initial()
        words, _, name = text.strip().partition(" ")
        name = name.strip().upper() or NAMES[0]
        if name not in tuple(NAMES):
            raise PositionError(
                f"{name!r} is not a player; the player to move is A, B or C, as in 1,2,2 B"
            )
        piles = []
        for number, word in enumerate(words.split(","), 1):
            if not word.isdecimal() or int(word) > LARGEST:
                raise PositionError(
                    f"pile {number} ({word!r}) is not a number from 0 to {LARGEST}; write "
                    f"positions as in 1,2,2 B"
                )
            piles.append(int(word))
        return self.State(tuple(piles), NAMES.index(name))

    def format(self, state: State) -> str:
        return f"{','.join(map(str, state.piles))} {NAMES[state.turn]}"

    def action_name(self, state: State, action: int) -> str:
        return f"{int(action) // 256 + 1}:{int(action) % 256}"


def comes_last(piles: Sequence[int]) -> bool:
    """Whether the player to move comes third when all play well (Li 1978): if, in every binary
    place, the number of piles with a 1 is divisible by 3. With 2 instead of 3 this is Bouton's rule
    for two players."""
    return all(sum(pile >> place & 1 for pile in piles) % 3 == 0 for place in range(8))
