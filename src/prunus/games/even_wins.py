"""Even Wins (Ahl, 101 BASIC Computer Games, 1973): what matters is not who takes the last marble,
but how many each player has taken."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, sqrt
from typing import NamedTuple

from prunus.core.bits import u8
from prunus.core.game import Game, PositionError
from prunus.games.boards import is_start

LARGEST = 255


class EvenWins(Game):
    """An odd number of marbles; two players take 1 to `most` of them in turn. When all are gone,
    the one who holds an even number has won.

    A game with memory: the moves made decide who wins, not only the marbles left. What matters
    about the moves goes into the State: whether the player to move has taken an odd number. The
    other player's parity follows, because both shares and the marbles left add up to an odd number.

    3 to 255 marbles, odd; 1 <= most <= 255; otherwise ValueError. Utility 1 or -1. Actions are the
    marbles taken. Positions are the marbles left and the parity of the marbles that the player to
    move holds: `13 even`.
    """

    class State(NamedTuple):
        left: u8
        odd: u8

    def __init__(self, marbles: int = 27, most: int = 4) -> None:
        if marbles % 2 == 0 or not 3 <= marbles <= LARGEST:
            raise ValueError(
                f"Even Wins needs an odd number of marbles, 3 to {LARGEST}, not {marbles}"
            )
        if not 1 <= most <= LARGEST:
            raise ValueError(f"most must be 1 to {LARGEST}, not {most}")
        self.marbles, self.most = int(marbles), int(most)

    def initial(self) -> State:
        return self.State(self.marbles, 0)

    def actions(self, state: State) -> Iterator[int]:
        for take in range(1, min(self.most, state.left) + 1):
            yield take

    def result(self, state: State, action: int) -> State:
        others = (1 + state.left + state.odd) % 2
        return self.State(state.left - action, others)

    def is_terminal(self, state: State) -> bool:
        return state.left == 0

    def utility(self, state: State) -> int:
        return 1 if state.odd == 0 else -1

    def bounds(self, state: State) -> tuple[int, int]:
        return (-1, 1)

    # Texts.

    def parse(self, text: str) -> State:
        if is_start(text):
            return self.initial()
        left, _, parity = text.strip().partition(" ")
        if not left.isdecimal() or int(left) > LARGEST or parity.strip() not in ("even", "odd"):
            raise PositionError(
                f"{text!r} is not the marbles left, 0 to {LARGEST}, and even or odd, as in 13 even"
            )
        return self.State(int(left), int(parity.strip() == "odd"))

    def format(self, state: State) -> str:
        return f"{state.left} {'odd' if state.odd else 'even'}"

    def picture(self, state: State) -> str:
        """The marbles that are left, and the places of those that were there at the start."""
        columns = max(9, ceil(sqrt(self.marbles)))
        cells = ("X" * state.left).ljust(self.marbles, ".")
        return "/".join(cells[at : at + columns] for at in range(0, len(cells), columns))

    def clicks(self, state: State, action: int) -> list[int]:
        """Whoever clicks a marble takes it and all after it."""
        return [state.left - action]


def even_wins_value(left: int, odd: bool, most: int) -> int:
    """The value for the player to move, who has taken an odd or an even number. It is periodic in
    the marbles left, with the period most + 2 for an even `most` and 2 most + 2 for an odd one."""
    if most % 2 == 0:
        lost = (0, most + 1) if odd else (1,)
        return -1 if left % (most + 2) in lost else 1
    lost = (0, most + 2) if odd else (1, most + 1)
    return -1 if left % (2 * most + 2) in lost else 1
