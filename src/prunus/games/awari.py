"""Awari, a game of sowing (rules as in Romein & Bal 2003, Solving Awari with Parallel Retrograde
Analysis)."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import Final, NamedTuple

from prunus.core.bits import i8, u8, u64
from prunus.core.game import Game, PositionError
from prunus.games.boards import is_start

PLAYERS: Final = "AB"
MOST_PITS, MOST_STONES = 6, 120

MOST_NUMBERED: Final = 1 << 32
"""The most positions of a game that get numbers; a database could not hold more."""


class Awari(Game):
    """Each player has a row of pits. A move takes all stones of one's own pit and sows them one by
    one, counter-clockwise, into the pits that follow, one's own and the opponent's, leaving out the
    pit that they come from. If the last stone falls into a pit of the opponent that then has two or
    three stones, these are captured, and so are those of the pit before it if it is the opponent's
    and has two or three, and so on. A move after which the opponent has no stones is forbidden,
    captures or not, unless all moves are such. A player who has no stones cannot move: the game is
    over, and the opponent gets the stones that are left, all of them his. A position that comes up
    again ends the game, too; both get half of the stones in the pits.

    `stones` are spread evenly over the pits at the start; those left over lie one each in A's first
    pits, then in B's. There are 2 to 6 `pits` a player and at most 120 stones, otherwise
    ValueError. Utility: the stones that the player to move has captured less the opponent's.

    A database of this game has all positions with so many stones or fewer, also those that the
    start does not lead to, as long as they are at most 2**32 (on 6 pits, 27 stones).

    `mine` and `theirs` are the pits of the player to move and of the opponent, a byte each, in the
    order in which their owner's stones are sown; `lead` is what has been captured so far. An action
    is the number of a pit; in text pits count from 1. Positions are A's pits, B's pits, the lead of
    the player to move, and who that is: `4,4,4,4,4,4 4,4,4,4,4,4 0 A`.
    """

    drawn_as = "sowing"

    repetition = "draw"
    every_rank = True

    class State(NamedTuple):
        mine: u64
        theirs: u64
        lead: i8
        turn: u8

    def __init__(self, pits: int = 6, stones: int = 48) -> None:
        if not 2 <= pits <= MOST_PITS or not 1 <= stones <= MOST_STONES:
            raise ValueError(
                f"Awari has 2 to {MOST_PITS} pits a player and 1 to {MOST_STONES} stones, not "
                f"{pits} pits and {stones} stones"
            )
        self.pits, self.stones = int(pits), int(stones)
        self.around = 2 * self.pits
        self.ones = u64(0x0101010101010101 & (1 << 8 * self.pits) - 1)
        # What `rest` stones from a pit, fewer than one for each other pit, add to both rows.
        sown = [
            [(pit + 1 + i) % self.around for i in range(rest)]
            for pit in range(self.pits)
            for rest in range(self.around - 1)
        ]
        self.sown_here = tuple(
            u64(sum(1 << 8 * place for place in places if place < self.pits)) for places in sown
        )
        self.sown_there = tuple(
            u64(sum(1 << 8 * (place - self.pits) for place in places if place >= self.pits))
            for places in sown
        )
        # Item `pit` * (`stones` + 1) + n: the ways to put fewer than n stones into the pits up to
        # this one.
        self.fewer = tuple(
            comb(n + pit, pit + 1) for pit in range(self.around) for n in range(self.stones + 1)
        )

    def initial(self) -> State:
        each, left = divmod(self.stones, self.around)
        row = [each + (place < left) for place in range(self.around)]
        return self.State(_word(row[: self.pits]), _word(row[self.pits :]), 0, 0)

    def actions(self, state: State) -> Iterator[int]:
        is_fed = False
        for pit in range(self.pits):
            if (state.mine >> 8 * pit) & 255 and self.result(state, pit).mine:
                is_fed = True
                yield pit
        if not is_fed:
            for pit in range(self.pits):
                if (state.mine >> 8 * pit) & 255:
                    yield pit

    def result(self, state: State, action: int) -> State:
        count = int((state.mine >> 8 * action) & 255)
        rounds, rest = count // (self.around - 1), count % (self.around - 1)
        sown = action * (self.around - 1) + rest
        mine = state.mine & ~(u64(255) << 8 * action)
        mine += self.sown_here[sown] + u64(rounds) * (self.ones & ~(u64(1) << 8 * action))
        theirs = state.theirs + self.sown_there[sown] + u64(rounds) * self.ones
        last = (action + (rest if rest else self.around - 1)) % self.around - self.pits
        captured = 0
        while last >= 0:
            there = int((theirs >> 8 * last) & 255)
            if not 2 <= there <= 3:
                break
            theirs -= u64(there) << 8 * last
            captured += there
            last -= 1
        return self.State(theirs, mine, -(state.lead + captured), 1 - state.turn)

    def is_terminal(self, state: State) -> bool:
        return state.mine == 0

    def utility(self, state: State) -> int:
        return state.lead - self.count(state.theirs)

    def count(self, row: u64) -> int:
        """The stones in a row of pits."""
        # The product's highest byte is the sum of the bytes.
        return int((row * u64(0x0101010101010101)) >> 56)

    def layer(self, state: State) -> int:
        return self.count(state.mine) + self.count(state.theirs)

    def settled(self, state: State) -> int:
        return state.lead

    def unsettled(self, state: State) -> State:
        return self.State(state.mine, state.theirs, 0, state.turn)

    def canonical(self, state: State) -> State:
        """The same for the other player."""
        return self.State(state.mine, state.theirs, state.lead, 0)

    def bounds(self, state: State) -> tuple[int, int]:
        left = self.layer(state)
        return state.lead - left, state.lead + left

    def evaluate(self, state: State) -> int:
        return state.lead

    def order(self, state: State, action: int) -> int:
        """The most captures first."""
        return -self.result(state, action).lead - state.lead

    # The number of a position is the number of those with fewer stones, and of those with as many
    # that come before it: with fewer in all pits but the last, or with as many there but fewer in
    # all pits but the last two, and so on.

    def rank_count(self) -> int:
        count = comb(self.stones + self.around, self.around)
        return count if count <= MOST_NUMBERED else 0

    def rank(self, state: State) -> int:
        number, stones = 0, 0
        for pit in range(self.around):
            row = state.mine if pit < self.pits else state.theirs
            stones += int((row >> 8 * (pit % self.pits)) & 255)
            if stones > self.stones:
                return -1
            number += self.fewer[pit * (self.stones + 1) + stones]
        return number

    def unrank(self, number: int) -> State:
        mine, theirs = u64(0), u64(0)
        left, above = number, self.stones
        for pit in range(self.around - 1, -1, -1):
            stones = above
            while self.fewer[pit * (self.stones + 1) + stones] > left:
                stones -= 1
            left -= self.fewer[pit * (self.stones + 1) + stones]
            # All pits up to the next one have `above` stones, all up to this one `stones`.
            if pit < self.around - 1:
                if pit + 1 < self.pits:
                    mine |= u64(above - stones) << 8 * (pit + 1)
                else:
                    theirs |= u64(above - stones) << 8 * (pit + 1 - self.pits)
            above = stones
        return self.State(mine | u64(above), theirs, 0, 0)

    # Texts.

    def parse(self, text: str) -> State:
        if is_start(text):
            return self.initial()
        words = text.split()
        if len(words) != 4 or words[3].upper() not in tuple(PLAYERS):
            raise PositionError(
                f"{text!r} is not A's pits, B's pits, the lead of the player to move and who that "
                f"is, as in {self.format(self.initial())}"
            )
        rows = [self._row(word, player) for word, player in zip(words, PLAYERS, strict=False)]
        found = sum(sum(row) for row in rows)
        if found > self.stones:
            raise PositionError(f"there are {found} stones, more than {self.stones}: {text!r}")
        lead = words[2].removeprefix("-")
        if not lead.isdecimal() or int(lead) > self.stones - found:
            raise PositionError(
                f"{words[2]!r} is not a lead: {found} of {self.stones} stones are in the pits, so "
                f"at most {self.stones - found} have been captured"
            )
        turn = PLAYERS.index(words[3].upper())
        return self.State(_word(rows[turn]), _word(rows[1 - turn]), int(words[2]), turn)

    def _row(self, word: str, player: str) -> list[int]:
        numbers = word.split(",")
        if len(numbers) != self.pits or not all(number.isdecimal() for number in numbers):
            raise PositionError(
                f"{player}'s pits ({word!r}) are not {self.pits} numbers with commas between them"
            )
        return [int(number) for number in numbers]

    def format(self, state: State) -> str:
        words = (state.mine, state.theirs) if state.turn == 0 else (state.theirs, state.mine)
        rows = [
            ",".join(str(int(word >> 8 * pit) & 255) for pit in range(self.pits)) for word in words
        ]
        return f"{' '.join(rows)} {int(state.lead)} {PLAYERS[state.turn]}"

    def action_name(self, state: State, action: int) -> str:
        return str(int(action) + 1)


def _word(row: list[int]) -> u64:
    """A row of pits as a word."""
    return u64(sum(stones << 8 * pit for pit, stones in enumerate(row)))
