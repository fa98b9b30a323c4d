"""Connect Four: stones fall to the lowest free cell of a column; four in line win. Any board that
fits 256 bits."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import ClassVar, Final, NamedTuple

from prunus.core.bits import i64, mix, u64, u128, u256
from prunus.core.game import Game
from prunus.core.knowledge.evaluation import Evaluation
from prunus.games.connect_four.certainties import ConnectFourCertainties
from prunus.games.connect_four.notation import ConnectFourNotation
from prunus.games.connect_four.rules import Board
from prunus.games.connect_four.tactics import ConnectFourTactics
from prunus.games.connect_four.textbook import ConnectFourTextbook

RANKED: Final = 30
"""The most bits of a board whose positions are numbered: their marks take 270 MB."""


class ConnectFour(ConnectFourNotation, ConnectFourTactics, ConnectFourCertainties, Game):
    """Connect Four on `width` columns and `height` rows, width (height + 1) <= 256 (otherwise
    ValueError).

    The utility is the score used in the literature on solving the game: after n stones the loser
    gets -((width height + 2 - n) // 2), so on 7 x 6 winning with one's k-th stone from the last is
    worth k; a draw is 0. A column is height + 1 bits from the bottom up; the bit above the top row
    stays empty, so that no line continues into the next column (here 7 x 6):

         6 13 20 27 34 41 48     empty
         5 12 19 26 33 40 47     top row
         4 11 18 25 32 39 46
         3 10 17 24 31 38 45
         2  9 16 23 30 37 44
         1  8 15 22 29 36 43
         0  7 14 21 28 35 42     bottom row

    `mine` holds the stones of the player to move, `mask` all stones. Actions are columns from 0,
    generated from the centre outwards. In text, columns count from 1, and a position is the columns
    played, `4455` (with separators, `4,4,10`, they may exceed 9), or its rows from the top:
    `......./......./......./......./...O.../...XX..`.
    """

    class State(NamedTuple):
        mine: u64
        mask: u64

    bits = 64
    exact_key = True
    evaluations: ClassVar[Mapping[str, Evaluation | type[Evaluation]]] = {
        "textbook": ConnectFourTextbook
    }

    def __new__(cls, width: int = 7, height: int = 6) -> ConnectFour:
        # A larger board is the same game with longer words.
        return object.__new__(_fitting(width, height) if cls is ConnectFour else cls)

    def key(self, state: Board) -> u64:
        """One-to-one: a column of c stones adds 2**c - 1 to its bits of `mine`, which are less than
        2**c."""
        return state.mine + state.mask

    def rank_count(self) -> int:
        """The number of keys, if a database has room for a mark for each."""
        bits = self.width * (self.height + 1)
        return 1 << bits if bits <= RANKED else 0

    def rank(self, state: Board) -> int:
        return i64(self.key(state))

    def unrank(self, number: int) -> Board:
        """A 1 at the foot of each column puts a mark on top of its stones; all below are stones."""
        reached = u64(number) + self.foot
        for _ in range(self.height):
            reached |= reached >> 1 & self.full
        mask = reached >> 1 & self.full
        return self.State(u64(number) - mask, mask)

    def layer(self, state: Board) -> int:
        """The number of free cells."""
        return self.width * self.height - self.stones(state)

    def solving_game(self) -> Game:
        # A class derived from this one may have rules of its own.
        return _solving(self.bits, self.width, self.height) if type(self) in _PLAIN else self

    def solving_state(self, state: Board) -> Board:
        return (
            _solving(self.bits, self.width, self.height).made(state.mine, state.mask)
            if type(self) in _PLAIN
            else state
        )


class ConnectFour128(ConnectFour):
    """Connect Four on boards of up to 128 bits."""

    class State(NamedTuple):
        mine: u128
        mask: u128

    name = "Connect Four"
    bits = 128
    exact_key = False

    def key(self, state: Board) -> u64:
        word = state.mine + state.mask
        return mix(u64(word >> 64) ^ mix(u64(word)))


class ConnectFour256(ConnectFour):
    """Connect Four on boards of up to 256 bits."""

    class State(NamedTuple):
        mine: u256
        mask: u256

    name = "Connect Four"
    bits = 256
    exact_key = False

    def key(self, state: Board) -> u64:
        word = state.mine + state.mask
        return mix(u64(word >> 192) ^ mix(u64(word >> 128) ^ mix(u64(word >> 64) ^ mix(u64(word)))))


def _fitting(width: int, height: int) -> type[ConnectFour]:
    """The class for a board of this size; the last one if none is large enough."""
    return next((cls for cls in _PLAIN if width * (height + 1) <= cls.bits), ConnectFour256)


class SolvingConnectFour(ConnectFour):
    """Connect Four for searches to the end, which ask several times in each position where a stone
    would complete a four. A State holds those cells, so a move looks at the lines of one player,
    and only once. Everything else is inherited."""

    class State(NamedTuple):
        mine: u64
        mask: u64
        wins: u64
        threats: u64

    def initial(self) -> State:
        none = self.one & 0
        return self.State(none, none, none, none)

    def result(self, state: State, action: int) -> State:
        mask = state.mask | (state.mask + (self.one << (action * (self.height + 1))))
        stone = mask ^ state.mask
        # After a four no cell needs to be threatened: the roof, where no stone ever is, marks that
        # there is one.
        threats = self.roof if stone & state.wins else self.completing(state.mine | stone, mask)
        return self.State(state.mine ^ state.mask, mask, state.threats & ~stone, threats)

    def has_lost(self, state: State) -> bool:
        return state.threats == self.roof

    def wins_with(self, state: State, stone: u64) -> bool:
        return (state.wins & stone) != 0

    def wins(self, state: State) -> u64:
        return state.wins

    def threats(self, state: State) -> u64:
        return state.threats

    def canonical(self, state: State) -> State:
        mine = self.mirrored(state.mine)
        mask = self.mirrored(state.mask)
        if mine < state.mine or (mine == state.mine and mask < state.mask):
            return self.State(mine, mask, self.mirrored(state.wins), self.mirrored(state.threats))
        return state

    def made(self, mine: u64, mask: u64) -> State:
        theirs = mine ^ mask
        threats = self.roof if self.has_four(theirs) else self.completing(theirs, mask)
        return self.State(mine, mask, self.completing(mine, mask), threats)


class SolvingConnectFour128(SolvingConnectFour):
    """The same with 128 bits."""

    class State(NamedTuple):
        mine: u128
        mask: u128
        wins: u128
        threats: u128

    bits = 128
    exact_key = False
    key = ConnectFour128.key


class SolvingConnectFour256(SolvingConnectFour):
    """The same with 256 bits."""

    class State(NamedTuple):
        mine: u256
        mask: u256
        wins: u256
        threats: u256

    bits = 256
    exact_key = False
    key = ConnectFour256.key


_PLAIN = (ConnectFour, ConnectFour128, ConnectFour256)
_SOLVING = {
    cls.bits: cls for cls in (SolvingConnectFour, SolvingConnectFour128, SolvingConnectFour256)
}


@cache
def _solving(bits: int, width: int, height: int) -> SolvingConnectFour:
    return _SOLVING[bits](width, height)
