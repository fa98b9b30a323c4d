"""Endings of chess: few men on any squares, numbered for databases (Stroehlein 1970; Thompson
1986)."""

from __future__ import annotations

from itertools import chain, islice, pairwise, product
from typing import Final, NamedTuple

import numpy as np

from prunus.core.bits import MASK64, ctz, i64, u8, u64
from prunus.games.chess.balances import (
    KIND_BITS,
    MOST_BALANCES,
    MOST_MEN,
    PAIRS,
    PAWN_PAIRS,
    PAWN_SQUARES,
    SQUARES,
    SWAP,
    TIED,
    TURNED,
    Men,
    code_of,
    king_pairs,
    layer_key,
    passings_of,
    reached,
    read,
    size_of,
    spelt,
    turn_for,
    weights_of,
)
from prunus.games.chess.game import Chess
from prunus.games.chess.moves import Board

PAWNS, KNIGHTS, DIAGONALS, STRAIGHTS, MINE = (
    u64(sum(1 << kind for kind in kinds))
    for kinds in ((1, 6), (2, 7), (3, 5, 8, 10), (4, 5, 9, 10), (1, 2, 3, 4, 5))
)
"""Which kinds of men have a bit in these fields of a State, as bits."""

NEAR: Final = 1 << 10
"""The parts of all numbers for each of which the first balance is noted."""

LARGE: Final = MOST_BALANCES
"""The layer of positions with other men than those of the game."""

SEEN: Final = 50
"""The positions among which the start is chosen."""


class Placed(NamedTuple):
    """The men besides the kings as 64 * kind + square, in rising order after zeros for those that
    are missing."""

    first: u64
    second: u64
    third: u64


class ChessEnding(Chess):
    """The endings of chess with these `men`, such as KQKR: white's king and queen against black's
    king and rook, and the other way round. `KPPK+KPKP` are both endings and, by promotion, all of
    four men. There may be up to three men besides the kings; otherwise ValueError.

    A database of this game has all positions of these men, and of all endings that captures and
    promotions lead to, up to symmetry and colour, without castling. Its distances are those to
    mate, and know nothing of the fifty moves.

    Positions, actions and values are those of `Chess`. The start is one of the positions.
    """

    every_rank = True

    def __init__(self, men: str = "KQK", claims: bool = True) -> None:
        super().__init__(claims=claims)
        self._men = spelt(men)
        self._balances = reached([read(ending) for ending in self._men.split("+")])
        self._number_kings()
        self._number_balances()
        self._start = self._first()

    def _number_kings(self) -> None:
        """Number the places of the kings: first those without pawns, then those with pawns. Note
        the turn that brings two kings there."""
        self.kings = np.zeros(PAIRS + PAWN_PAIRS, np.int16)
        self.pair_of = np.full(2 * 64 * 64, -1, np.int16)
        self.turn_of = np.array(
            [turn_for(*at) for at in product((False, True), range(64), range(64))]
        )
        pairs = [(0, pair) for pair in king_pairs(False)] + [(1, p) for p in king_pairs(True)]
        for number, (table, pair) in enumerate(pairs):
            self.kings[number] = pair
            self.pair_of[table * 64 * 64 + pair] = number

    def _number_balances(self) -> None:
        """Number the balances: for each, its men as a code and the other way round, its first
        number, how numbers are made, and in how many ways a pawn may be taken in passing, or
        none."""
        # The arrays of all games have one length, so that all run the same machine code.
        self.code_of = np.zeros(MOST_BALANCES + 1, np.uint64)
        self.balance_of = np.full(1 << KIND_BITS * MOST_MEN, -1, np.int16)
        self.first_of = np.zeros(MOST_BALANCES + 1, np.int64)
        self.weight_of = np.zeros((MOST_BALANCES + 1, 2 + MOST_MEN), np.uint64)
        self.passings = np.ones(MOST_BALANCES + 1, np.int64)
        self.layer_of = np.zeros(MOST_BALANCES + 1, np.int64)
        layers = sorted({layer_key(balance) for balance in self._balances})
        count = 0
        for number, balance in enumerate(self._balances):
            code = code_of(balance)
            self.code_of[number] = code
            self.balance_of[code] = number
            self.first_of[number] = count
            self.weight_of[number] = [weight & MASK64 for weight in weights_of(balance, count)]
            self.passings[number] = passings_of(balance)
            self.layer_of[number] = layers.index(layer_key(balance))
            count += size_of(balance)
        self.first_of[len(self._balances) :] = count
        bits = max(0, count.bit_length() - NEAR.bit_length() + 1)
        firsts, begins = self.first_of[: len(self._balances)], np.arange(NEAR) << bits
        self.near_of = np.searchsorted(firsts, begins, "right").astype(np.int16) - 1
        self.near_bits = np.array([bits])

    def initial(self) -> Board:
        return self._start

    def _first(self) -> Board:
        """A position of the wanted men; one in which a move is possible, unless there is none: with
        too few men all games are over."""
        end = size_of(self._balances[0])
        numbers = chain(range(end // 2, end), range(end // 2))
        states = [self.unrank(number) for number in islice(filter(self.is_position, numbers), SEEN)]
        return next((state for state in states if not self.is_terminal(state)), states[0])

    def numbered(self) -> list[tuple[range, Men]]:
        """The numbers of each balance of men, and the men of the player to move and of the
        opponent."""
        numbers = [int(number) for number in self.first_of[: len(self._balances) + 1]]
        spans = [range(first, end) for first, end in pairwise(numbers)]
        return list(zip(spans, self._balances, strict=True))

    # Symmetry. All of this is done for each child of each position, in words without a sign, which
    # need no look at whether a result has room.

    def is_small(self, state: Board) -> bool:
        """Whether symmetry and numbers are for this State: there are few men, and no castling."""
        return state.castling == 0 and self.occupied(state).bit_count() <= 2 + MOST_MEN

    def canonical(self, state: Board) -> Board:
        """The same on the other side of the board, for the other colour, and without pawns also
        upside down and with files and ranks exchanged."""
        if not self.is_small(state):
            return state
        turn = self.turn(state)
        one = self.turned_by(state, turn & 7)
        if turn & TIED:
            other = self.turned_by(state, turn & 7 | SWAP)
            if self.placed(other) < self.placed(one):
                return other
        return one

    def turn(self, state: Board) -> u64:
        """The turn that brings the kings to their places, which is 0 if they are there; with `TIED`
        if the men decide whether files and ranks are exchanged as well."""
        return u64(self.turn_of[self.kings_at(state)])

    def kings_at(self, state: Board) -> u64:
        """The squares of the kings, and whether there are pawns, as an index."""
        king, other = u64(ctz(state.kings & state.mine)), u64(ctz(state.kings & ~state.mine))
        return u64(state.pawns != 0) << 12 | (king & 63) << 6 | other & 63

    def turned_by(self, state: Board, turn: u64) -> Board:
        """A position after a turn of the board, as white sees it."""
        pawns, knights, diagonals, straights = u64(0), u64(0), u64(0), u64(0)
        kings, mine = u64(0), u64(0)
        men = self.occupied(state)
        while men:
            square = u64(ctz(men)) & 63
            men &= men - 1
            there = u64(TURNED[turn << 6 | square]) & 63
            pawns |= (state.pawns >> square & 1) << there
            knights |= (state.knights >> square & 1) << there
            diagonals |= (state.diagonals >> square & 1) << there
            straights |= (state.straights >> square & 1) << there
            kings |= (state.kings >> square & 1) << there
            mine |= (state.mine >> square & 1) << there
        passing = u8(TURNED[turn << 6 | state.en_passant & 63] if state.en_passant else 0)
        return self.State(
            pawns, knights, diagonals, straights, kings, mine, u64(0), passing, state.quiet, False
        )

    def placed(self, state: Board) -> Placed:
        """The men besides the kings. There are at most `MOST_MEN`."""
        men = self.occupied(state) & ~state.kings
        first, second, third = u64(0), u64(0), u64(0)
        while men:
            # No branch depends on a man: they come in another order in each position.
            square = u64(ctz(men)) & 63
            men &= men - 1
            line = (state.diagonals >> square & 1) + 2 * (state.straights >> square & 1)
            kind = 7 + line - (state.pawns >> square & 1) - 5 * (state.mine >> square & 1)
            man = kind << 6 | square
            first = max(first, min(second, man))
            second = max(second, min(third, man))
            third = max(third, man)
        return Placed(first, second, third)

    def layer(self, state: Board) -> int:
        """The place of the men, of either player, among those of the game: no capture and no
        promotion leads to a higher one."""
        if not self.is_small(state):
            return LARGE
        balance = self.balance(self.placed(state))
        return LARGE if balance < 0 else int(self.layer_of[balance])

    def balance(self, placed: Placed) -> int:
        """The number of the balance of these men, -1 if the game has none such."""
        first, second, third = placed.first >> 6, placed.second >> 6, placed.third >> 6
        code = (first << KIND_BITS | second) << KIND_BITS | third
        return int(self.balance_of[code & 0xFFF])

    # The number of a position: first those with other men, then by the places of the kings, of the
    # other men and the pawn that may be taken in passing.

    def rank_count(self) -> int:
        return int(self.first_of[MOST_BALANCES])

    def rank(self, state: Board) -> int:
        if not self.is_small(state):
            return -1
        placed = self.placed(state)
        balance = self.balance(placed)
        pair = int(self.pair_of[self.kings_at(state)])
        if balance < 0 or pair < 0:
            return -1
        number = (
            u64(self.weight_of[balance, 0])
            + u64(self.weight_of[balance, 1]) * pair
            + u64(self.weight_of[balance, 2]) * (placed.first & 63)
            + u64(self.weight_of[balance, 3]) * (placed.second & 63)
            + u64(self.weight_of[balance, 4]) * (placed.third & 63)
        )
        if state.en_passant:
            below = (u64(1) << (state.en_passant - 8 & 63)) - 1
            number += 1 + (state.pawns & ~state.mine & below).bit_count()
        return i64(number)

    def unrank(self, number: int) -> Board:
        low = int(self.near_of[number >> int(self.near_bits[0])])
        while self.first_of[low + 1] <= number:
            low += 1
        left, passings = u64(number - int(self.first_of[low])), u64(self.passings[low])
        passing = u64(0)
        if passings > 1:
            passing, left = left % passings, left // passings
        pawns, knights, diagonals, straights = u64(0), u64(0), u64(0), u64(0)
        mine = u64(0)
        code = u64(self.code_of[low])
        for _ in range(MOST_MEN):
            kind = code & 0xF
            code >>= KIND_BITS
            if kind == 0:
                break
            if PAWNS >> kind & 1:
                square, left = left % PAWN_SQUARES + 8, left // PAWN_SQUARES
            else:
                square, left = left % SQUARES, left // SQUARES
            pawns |= (PAWNS >> kind & 1) << square
            knights |= (KNIGHTS >> kind & 1) << square
            diagonals |= (DIAGONALS >> kind & 1) << square
            straights |= (STRAIGHTS >> kind & 1) << square
            mine |= (MINE >> kind & 1) << square
        pair = u64(self.kings[left + (PAIRS if pawns else 0)])
        mine |= u64(1) << (pair >> 6 & 63)
        kings = u64(1) << (pair >> 6 & 63) | u64(1) << (pair & 63)
        behind = u8(behind_pawn(pawns & ~mine, passing)) if passing else 0
        return self.State(
            pawns, knights, diagonals, straights, kings, mine, u64(0), behind, 0, False
        )

    def is_position(self, number: int) -> bool:
        """Whether no two men share a square, the opponent is not in check, and a pawn that may be
        taken in passing has just moved; one number for each position."""
        state = self.unrank(number)
        if self.rank(state) != number or self.in_check(self.turned(state)):
            return False
        # Two men on one square look like another man, whose numbers are others.
        balance = self.balance(self.placed(state))
        if not self.first_of[balance] <= number < self.first_of[balance + 1]:
            return False
        if self.turn(state) and self.canonical(state) != state:
            return False
        if state.en_passant == 0:
            return True
        steps = u64(0x0101) << state.en_passant
        before = state._replace(en_passant=0)
        return (
            state.en_passant >> 3 == 5
            and self.occupied(state) & steps == 0
            and self.with_passing(before, state.en_passant - 8).en_passant == state.en_passant
        )


def behind_pawn(pawns: u64, number: u64) -> int:
    """The square behind one of the opponent's pawns, the first, the second and so on; 0 if there is
    none."""
    while number > 1:
        number -= 1
        pawns &= pawns - 1
    return ctz(pawns) + 8 if pawns else 0
