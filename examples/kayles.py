"""Kayles in one file: knock down one pin of a row or two neighbours; whoever knocks down the last
pin wins.

prunus check examples/kayles.py:Kayles
prunus solve examples/kayles.py:Kayles:pins=12
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from prunus import Game, u64


class Kayles(Game):
    """A row of `pins` pins, 1 to 64; a State is the set of standing pins."""

    class State(NamedTuple):
        standing: u64

    def __init__(self, pins: int = 10) -> None:
        self.pins = pins

    def initial(self) -> Any:
        return self.State((1 << self.pins) - 1)

    def actions(self, state: Any) -> Iterator[int]:
        # Action 4 p + 1 hits pin p, action 4 p + 3 pins p and p + 1.
        for pin in range(self.pins):
            for blow in (1, 3):
                if (state.standing >> pin) & blow == blow:
                    yield 4 * pin + blow

    def result(self, state: Any, action: int) -> Any:
        blow = u64(action % 4) << (action // 4)
        return self.State(state.standing & ~blow)

    def is_terminal(self, state: Any) -> bool:
        return state.standing == 0

    def utility(self, state: Any) -> int:
        return -1

    def bounds(self, state: Any) -> tuple[int, int]:
        return (-1, 1)

    def action_name(self, state: Any, action: int) -> str:
        pin = action // 4 + 1
        return f"{pin}" if action % 4 == 1 else f"{pin}-{pin + 1}"

    def format(self, state: Any) -> str:
        return "".join("I" if (state.standing >> pin) & 1 else "." for pin in range(self.pins))
