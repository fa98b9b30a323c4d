"""What a `go` of UCI or UGI asks for."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from prunus.run.clock import MOVES, Allotment, TimeLeft, allotted

NUMBERS: Final = {
    "depth": "depth",
    "nodes": "nodes",
    "mate": "mate",
    "perft": "perft",
    "movestogo": "to_go",
    "movetime": "move",
    "wtime": "first",
    "btime": "second",
    "winc": "first_increment",
    "binc": "second_increment",
    "p1time": "first",
    "p2time": "second",
    "p1inc": "first_increment",
    "p2inc": "second_increment",
    "byoyomi": "byoyomi",
}
"""The words that a number follows, and the fields of `Orders` that they set."""

MOST: Final = 1 << 60

KEPT: Final = 20
"""The moves of which the lag is kept."""

LONGEST: Final = 1.0
"""A lag of more seconds than this is no lag: the clock was changed."""


@dataclass
class Orders:
    """The limits of a search. Times are in milliseconds; those of the first player are White's. The
    names in `only` are the moves to choose from, if there are any."""

    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    perft: int | None = None
    move: int | None = None
    first: int | None = None
    second: int | None = None
    first_increment: int = 0
    second_increment: int = 0
    to_go: int | None = None
    byoyomi: int = 0
    infinite: bool = False
    ponder: bool = False
    only: tuple[str, ...] = ()

    def has_limit(self) -> bool:
        """Whether anything ends the search but `stop`."""
        limits = (self.depth, self.nodes, self.mate, self.move, self.first, self.second)
        return not self.infinite and any(limit is not None for limit in limits)

    def clock(self, seat: int) -> float | None:
        """The seconds on a player's clock (0: the first)."""
        mine = self.first if seat == 0 else self.second
        return None if mine is None else mine / 1000

    def allotment(self, seat: int, overhead: float, moves: float = MOVES) -> Allotment:
        """The time for this move of a player (0: the first), who will probably make so many moves;
        `overhead` in seconds."""
        mine, increment = (
            (self.first, self.first_increment)
            if seat == 0
            else (self.second, self.second_increment)
        )
        if self.infinite or (self.move is None and mine is None):
            return Allotment()
        time = TimeLeft(
            None if mine is None else mine / 1000,
            increment / 1000,
            self.to_go,
            self.byoyomi / 1000,
            None if self.move is None else self.move / 1000,
        )
        return allotted(time, moves, overhead)


def read_orders(words: Sequence[str], known: Sequence[str] = ()) -> Orders:
    """The orders of the words after `go`; words that mean nothing are passed over. `known` are the
    names of legal moves, which may follow `searchmoves`. A negative time counts as none left."""
    orders = Orders()
    number = 0
    while number < len(words):
        word = words[number]
        number += 1
        if word in ("infinite", "ponder"):
            setattr(orders, word, True)
        elif word == "searchmoves":
            chosen = []
            while number < len(words) and words[number] in known:
                chosen.append(words[number])
                number += 1
            orders.only = tuple(chosen)
        elif word in NUMBERS and number < len(words):
            value = _whole(words[number])
            if value is not None:
                number += 1
                field = NUMBERS[word]
                least = 1 if field in ("depth", "nodes", "mate", "to_go") else 0
                setattr(orders, field, max(least, min(MOST, value)))
    if orders.to_go is not None and orders.to_go > 1000:
        orders.to_go = None
    return orders


def _whole(text: str) -> int | None:
    try:
        return int(float(text)) if len(text) < 30 else None
    except (ValueError, OverflowError):
        return None


class Lag:
    """What a move costs on the clock besides the search: reading, changing threads, the way there
    and back. It is measured from move to move, on the clock of whoever keeps it."""

    def __init__(self) -> None:
        self.seen: deque[float] = deque(maxlen=KEPT)
        self.before: tuple[float, float] | None = None

    def note(self, orders: Orders, seat: int) -> None:
        """Note the clock at the beginning of a move."""
        left = orders.clock(seat)
        if left is not None and self.before is not None:
            clock, spent = self.before
            increment = orders.first_increment if seat == 0 else orders.second_increment
            lag = clock + increment / 1000 - left - spent
            if left <= clock + increment / 1000 and lag < LONGEST:
                self.seen.append(max(0.0, lag))
        self.before = None

    def searched(self, orders: Orders, seat: int, seconds: float) -> None:
        """Note that the search of this move has been given these seconds, and used them."""
        left = orders.clock(seat)
        self.before = None if left is None else (left, seconds)

    def forget(self) -> None:
        """Another game begins, with other clocks."""
        self.before = None

    def expected(self) -> float:
        """Three of four moves cost no more than this."""
        return sorted(self.seen)[3 * len(self.seen) // 4] if self.seen else 0.0
