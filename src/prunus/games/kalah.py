"""Kalah on any number of holes and counters (Irving, Donkers & Uiterwijk 2000, Solving Kalah)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from prunus.core.bits import u8, u64
from prunus.core.game import Game, PositionError
from prunus.games.boards import is_start

PLAYERS = "AB"
MOST_HOLES, MOST_COUNTERS = 7, 255


class Kalah(Game):
    """Each player has a row of holes and a store. A move takes all counters of one's own hole and
    sows them one by one, counter-clockwise, into one's further holes, one's store, the opponent's
    holes and one's own again, but never into the opponent's store. If the last counter comes into
    the own store, the player moves again. If it comes into an empty hole of one's own, it goes into
    the store with the counters in the opposite hole; with `empty_capture` false it stays where it
    is if there are none. The game ends as soon as either row is empty. Whoever's holes they lie in
    then gets the counters that are left; with `owner` false the player whose row is empty does.

    At most 7 holes a player and 255 counters in all, otherwise ValueError. Utility: the player to
    move's counters less the opponent's. A player's holes and, above them, his store are bytes of
    one word (here 6 holes):

        hole 0, 1, 2, 3, 4, 5, store, 0

    An action is the number of a hole; in text holes count from 1, as their owner sees them from
    the left.
    """

    drawn_as = "sowing"
    clear_lead = 8

    class State(NamedTuple):
        first: u64
        second: u64
        turn: u8

    def __init__(
        self, holes: int = 6, counters: int = 4, empty_capture: bool = True, owner: bool = True
    ) -> None:
        if not 1 <= holes <= MOST_HOLES or counters < 1 or 2 * holes * counters > MOST_COUNTERS:
            raise ValueError(
                f"Kalah has 1 to {MOST_HOLES} holes a player and at most {MOST_COUNTERS} counters "
                f"in all, not {holes} holes with {counters} each"
            )
        self.holes, self.counters = int(holes), int(counters)
        self.empty_capture, self.owner = bool(empty_capture), bool(owner)
        self.total = 2 * self.holes * self.counters
        self.around = 2 * self.holes + 1
        self.store = 8 * self.holes
        self.row_mask = u64((1 << self.store) - 1)
        self.ones = u64(0x0101010101010101)
        # What `rest` counters from a hole add to the own word and to the opponent's.
        places = [
            [(hole + 1 + i) % self.around for i in range(rest)]
            for hole in range(self.holes)
            for rest in range(self.around)
        ]
        self.sown_here = tuple(
            u64(sum(1 << 8 * place for place in sown if place <= self.holes)) for sown in places
        )
        self.sown_there = tuple(
            u64(sum(1 << 8 * (place - self.holes - 1) for place in sown if place > self.holes))
            for sown in places
        )

    def initial(self) -> State:
        full = self.counters * self.ones & self.row_mask
        return self.State(full, full, 0)

    def to_move(self, state: State) -> int:
        return state.turn

    def actions(self, state: State) -> Iterator[int]:
        mine = self.mine(state)
        for hole in range(self.holes - 1, -1, -1):
            if (mine >> 8 * hole) & 255:
                yield hole

    def result(self, state: State, action: int) -> State:
        mine, theirs = self.mine(state), self.theirs(state)
        count = int((mine >> 8 * action) & 255)
        rounds, rest = count // self.around, count % self.around
        sown = action * self.around + rest
        each = rounds * self.ones
        mine -= u64(count) << 8 * action
        mine += self.sown_here[sown] + (each & (self.row_mask | u64(255) << self.store))
        theirs += self.sown_there[sown] + (each & self.row_mask)
        turn = 1 - state.turn
        last = (action + count) % self.around
        if last == self.holes:
            turn = state.turn
        elif last < self.holes and (mine >> 8 * last) & 255 == 1:
            opposite = 8 * (self.holes - 1 - last)
            prize = (theirs >> opposite) & 255
            if prize or self.empty_capture:
                theirs -= prize << opposite
                mine -= u64(1) << 8 * last
                mine += (prize + 1) << self.store
        if state.turn == 0:
            return self.State(mine, theirs, turn)
        return self.State(theirs, mine, turn)

    def mine(self, state: State) -> u64:
        """The word of the player to move."""
        return state.first if state.turn == 0 else state.second

    def theirs(self, state: State) -> u64:
        """The word of the opponent."""
        return state.second if state.turn == 0 else state.first

    def is_terminal(self, state: State) -> bool:
        return state.first & self.row_mask == 0 or state.second & self.row_mask == 0

    def utility(self, state: State) -> int:
        left = self.in_row(self.mine(state)) - self.in_row(self.theirs(state))
        return self.lead(state) + (left if self.owner else -left)

    def lead(self, state: State) -> int:
        """How many counters more the player to move has in store."""
        return int(self.mine(state) >> self.store) - int(self.theirs(state) >> self.store)

    def in_row(self, word: u64) -> int:
        """The counters in a player's holes."""
        # The product's highest byte is the sum of the bytes.
        return int((word & self.row_mask) * self.ones >> 56)

    def bounds(self, state: State) -> tuple[int, int]:
        """Counters in a store stay there."""
        return (
            2 * int(self.mine(state) >> self.store) - self.total,
            self.total - 2 * int(self.theirs(state) >> self.store),
        )

    def evaluate(self, state: State) -> int:
        return self.lead(state)

    def order(self, state: State, action: int) -> int:
        """Another turn first, then what the move puts into the store."""
        child = self.result(state, action)
        if child.turn == state.turn:
            return self.total + action
        return int(self.theirs(child) >> self.store) - int(self.mine(state) >> self.store)

    # Texts.

    def parse(self, text: str) -> State:
        if is_start(text):
            return self.initial()
        words = text.split()
        if len(words) != 3 or words[2].upper() not in tuple(PLAYERS):
            raise PositionError(
                f"{text!r} is not A's holes and store, B's holes and store, and the player to "
                f"move, as in {self.format(self.initial())}"
            )
        sides = [self._side(word, player) for word, player in zip(words, PLAYERS, strict=False)]
        found = sum(sum(side) for side in sides)
        if found != self.total:
            raise PositionError(f"there are {found} counters, not {self.total}: {text!r}")
        first, second = (u64(sum(n << 8 * i for i, n in enumerate(side))) for side in sides)
        return self.State(first, second, PLAYERS.index(words[2].upper()))

    def _side(self, word: str, player: str) -> list[int]:
        holes, _, store = word.partition(":")
        numbers = [*holes.split(","), store]
        if len(numbers) != self.holes + 1 or not all(number.isdecimal() for number in numbers):
            raise PositionError(
                f"{player}'s side ({word!r}) is not {self.holes} numbers with commas, a colon and "
                f"the number in store"
            )
        return [int(number) for number in numbers]

    def format(self, state: State) -> str:
        sides = []
        for word in (state.first, state.second):
            holes = ",".join(str(int(word >> 8 * hole & 255)) for hole in range(self.holes))
            sides.append(f"{holes}:{int(word >> self.store)}")
        return f"{' '.join(sides)} {PLAYERS[state.turn]}"

    def action_name(self, state: State, action: int) -> str:
        return str(int(action) + 1)
