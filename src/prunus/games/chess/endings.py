"""Endings of chess: few men on any squares, numbered for databases (Stroehlein 1970; Thompson
1986)."""

from __future__ import annotations

import re
from itertools import chain, islice, pairwise, product
from typing import Final, NamedTuple

import numpy as np

from prunus.core.bits import ctz, u8, u64
from prunus.games.chess.attacks import KING
from prunus.games.chess.game import Chess
from prunus.games.chess.moves import Board

LETTERS: Final = "PNBRQ"
MOST_MEN: Final = 3
"""The most men besides the kings."""

KINDS: Final = 2 * len(LETTERS) + 1
"""A man is 1 to 5 for a pawn, knight, bishop, rook or queen of the player to move, 6 to 10 for
those of the opponent; 0 is none."""

PAWN, THEIR_PAWN = 1, 6
SQUARES, PAWN_SQUARES = 64, 48
PAIRS, PAWN_PAIRS = 462, 1806
"""The places of the kings up to symmetry, without and with pawns."""
MOST_BALANCES: Final = 286
"""The ways to choose up to three men from ten kinds."""

MIRROR, FLIP = 7, 56
"""What turns a square left to right, and upside down."""

NEAR: Final = 1 << 10
"""The parts of all numbers for each of which the first balance is noted."""

LARGE: Final = MOST_BALANCES
"""The layer of positions with other men than those of the game."""

SEEN: Final = 50
"""The positions among which the start is chosen."""

Men = tuple[str, str]
"""The men of the player to move and of the opponent besides the kings, each in the order of
`LETTERS`."""

ENDING: Final = re.compile(r"K([QRBNP]*)K([QRBNP]*)")


class Placement(NamedTuple):
    """A position up to symmetry: the squares of the two kings, the men as 64 * kind + square in
    rising order after zeros for those that are missing, and which of the opponent's pawns, in this
    order, may be taken in passing (0: none)."""

    king: int
    other: int
    first: int
    second: int
    third: int
    passing: int


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
        self._men = _spelt(men)
        self._balances = _reached([_read(ending) for ending in self._men.split("+")])
        self._number_kings()
        self._number_balances()
        self._start = self._first()

    def _number_kings(self) -> None:
        """Number the places of the kings: first those without pawns, then those with pawns."""
        self.kings = np.zeros(PAIRS + PAWN_PAIRS, np.int16)
        self.pair_of = np.full(2 * 64 * 64, -1, np.int16)
        pairs = [(0, pair) for pair in _king_pairs(False)] + [(1, p) for p in _king_pairs(True)]
        for number, (table, pair) in enumerate(pairs):
            self.kings[number] = pair
            self.pair_of[table * 64 * 64 + pair] = number

    def _number_balances(self) -> None:
        """Number the balances: for each, its kinds of men as a code, its first number, and in how
        many ways a pawn may be taken in passing, or none."""
        # The arrays of all games have one length, so that all run the same machine code.
        self.code_of, self.first_of = np.zeros((2, MOST_BALANCES + 1), np.int64)
        self.passings = np.ones(MOST_BALANCES + 1, np.int64)
        self.balance_of = np.full(KINDS**MOST_MEN, -1, np.int16)
        self.layer_of = np.zeros(MOST_BALANCES + 1, np.int64)
        layers = sorted({_layer_key(balance) for balance in self._balances})
        count = 0
        for number, balance in enumerate(self._balances):
            self.code_of[number] = _code(balance)
            self.first_of[number] = count
            self.passings[number] = _passings(balance)
            self.balance_of[_code(balance)] = number
            self.layer_of[number] = layers.index(_layer_key(balance))
            count += _size(balance)
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
        end = _size(self._balances[0])
        numbers = chain(range(end // 2, end), range(end // 2))
        states = [self.unrank(number) for number in islice(filter(self.is_position, numbers), SEEN)]
        return next((state for state in states if not self.is_terminal(state)), states[0])

    def numbered(self) -> list[tuple[range, Men]]:
        """The numbers of each balance of men, and the men of the player to move and of the
        opponent."""
        numbers = [int(number) for number in self.first_of[: len(self._balances) + 1]]
        spans = [range(first, end) for first, end in pairwise(numbers)]
        return list(zip(spans, self._balances, strict=True))

    # Symmetry.

    def placement(self, state: Board) -> Placement:
        """The position up to symmetry. There are at most `MOST_MEN` men besides the kings."""
        king, other = ctz(state.kings & state.mine), ctz(state.kings & ~state.mine)
        turn = MIRROR if king & 4 else 0
        if state.pawns:
            return self.turned_by(state, king, other, turn, False)
        if king & 32:
            turn |= FLIP
        across = king ^ turn
        side = (across >> 3) - (across & 7)
        if side == 0:
            across = other ^ turn
            side = (across >> 3) - (across & 7)
        found = self.turned_by(state, king, other, turn, side > 0)
        if side == 0:
            found = min(found, self.turned_by(state, king, other, turn, True))
        return found

    def turned_by(self, state: Board, king: int, other: int, turn: int, swap: bool) -> Placement:
        """The placement after the turn by `turn`, and with files and ranks exchanged if `swap`."""
        men = self.occupied(state) & ~state.kings
        first = second = third = 0
        while men:
            # No branch depends on a man: they come in another order in each position.
            square = ctz(men)
            men &= men - 1
            line = int(state.diagonals >> square & 1) + 2 * int(state.straights >> square & 1)
            kind = 7 + line - int(state.pawns >> square & 1) - 5 * int(state.mine >> square & 1)
            man = 64 * kind + turned(square, turn, swap)
            first = max(first, min(second, man))
            second = max(second, min(third, man))
            third = max(third, man)
        passing = 0
        if state.en_passant:
            pawn = 64 * THEIR_PAWN + turned(state.en_passant - 8, turn, swap)
            passing = 1
            for man in (first, second, third):
                if 64 * THEIR_PAWN <= man < pawn:
                    passing += 1
        return Placement(
            turned(king, turn, swap), turned(other, turn, swap), first, second, third, passing
        )

    def board(self, placed: Placement) -> Board:
        """The State of a placement."""
        pawns, knights, diagonals, straights = u64(0), u64(0), u64(0), u64(0)
        king = u64(1) << placed.king
        mine, passing, their_pawns = king, 0, 0
        for man in (placed.first, placed.second, placed.third):
            kind, square = man >> 6, man & 63
            if kind == 0:
                continue
            place = u64(1) << square
            if kind == THEIR_PAWN:
                their_pawns += 1
                if their_pawns == placed.passing:
                    passing = square + 8
            if kind < THEIR_PAWN:
                mine |= place
            else:
                kind -= 5
            if kind == 1:
                pawns |= place
            elif kind == 2:
                knights |= place
            if kind in (3, 5):
                diagonals |= place
            if kind >= 4:
                straights |= place
        kings = king | u64(1) << placed.other
        return self.State(
            pawns, knights, diagonals, straights, kings, mine, u64(0), u8(passing), 0, False
        )

    def is_small(self, state: Board) -> bool:
        """Whether symmetry and numbers are for this State: there are few men, and no castling."""
        return state.castling == 0 and self.occupied(state).bit_count() <= 2 + MOST_MEN

    def canonical(self, state: Board) -> Board:
        """The same on the other side of the board, for the other colour, and without pawns also
        upside down and with files and ranks exchanged."""
        if not self.is_small(state):
            return state
        return self.board(self.placement(state))._replace(quiet=state.quiet)

    def layer(self, state: Board) -> int:
        """The place of the men, of either player, among those of the game: no capture and no
        promotion leads to a higher one."""
        if not self.is_small(state):
            return LARGE
        king, other = ctz(state.kings & state.mine), ctz(state.kings & ~state.mine)
        balance = self.balance(self.turned_by(state, king, other, 0, False))
        return LARGE if balance < 0 else int(self.layer_of[balance])

    def balance(self, placed: Placement) -> int:
        """The number of the balance of a placement's men, -1 if the game has none such."""
        code = ((placed.first >> 6) * KINDS + (placed.second >> 6)) * KINDS + (placed.third >> 6)
        return int(self.balance_of[code])

    # The number of a position: first those with other men, then by the places of the kings, of the
    # other men and the pawn that may be taken in passing.

    def rank_count(self) -> int:
        return int(self.first_of[MOST_BALANCES])

    def rank(self, state: Board) -> int:
        if not self.is_small(state):
            return -1
        king, other = ctz(state.kings & state.mine), ctz(state.kings & ~state.mine)
        placed = self.turned_by(state, king, other, 0, False)
        balance = self.balance(placed)
        if balance < 0:
            return -1
        table = 1 if state.pawns else 0
        pair = int(self.pair_of[(table * 64 + placed.king) * 64 + placed.other])
        if pair < 0:
            return -1
        number = pair - PAIRS * table
        for man in (placed.first, placed.second, placed.third):
            kind, square = man >> 6, man & 63
            if kind in (PAWN, THEIR_PAWN):
                number = number * PAWN_SQUARES + square - 8
            elif kind:
                number = number * SQUARES + square
        number = number * int(self.passings[balance]) + placed.passing
        return int(self.first_of[balance]) + number

    def unrank(self, number: int) -> Board:
        low = int(self.near_of[number >> int(self.near_bits[0])])
        while self.first_of[low + 1] <= number:
            low += 1
        left, passings = number - int(self.first_of[low]), int(self.passings[low])
        passing = 0
        if passings > 1:
            passing, left = left % passings, left // passings
        code = int(self.code_of[low])
        has_pawns = False
        first = second = third = 0
        for _ in range(MOST_MEN):
            kind, code = code % KINDS, code // KINDS
            if kind:
                if kind in (PAWN, THEIR_PAWN):
                    has_pawns = True
                    square, left = left % PAWN_SQUARES + 8, left // PAWN_SQUARES
                else:
                    square, left = left % SQUARES, left // SQUARES
                first, second, third = 64 * kind + square, first, second
        pair = int(self.kings[left + (PAIRS if has_pawns else 0)])
        return self.board(Placement(pair >> 6, pair & 63, first, second, third, passing))

    def is_position(self, number: int) -> bool:
        """Whether no two men share a square, the opponent is not in check, and a pawn that may be
        taken in passing has just moved; one number for each position."""
        state = self.unrank(number)
        if self.in_check(self.turned(state)):
            return False
        if self.rank(state) != number or self.canonical(state) != state:
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


def turned(square: int, turn: int, swap: bool) -> int:
    """A square after a turn of the board, and with files and ranks exchanged if `swap`."""
    there = square ^ turn
    return (there >> 3 | there << 3) & 63 if swap else there


def _spelt(men: str) -> str:
    """The endings as they are written, in capitals. Raises ValueError."""
    found = []
    for text in men.upper().split("+"):
        match = ENDING.fullmatch(text.strip().replace("V", ""))
        if match is None or len(match[1] + match[2]) > MOST_MEN:
            raise ValueError(
                f"{text!r} is not an ending: it is white's king and men, then black's, such as "
                f"KQK or KRPKR, with up to {MOST_MEN} of {', '.join(reversed(LETTERS))} besides "
                f"the kings; several are joined by +, as in KPPK+KPKP"
            )
        found.append(match[0])
    return "+".join(found)


def _read(ending: str) -> Men:
    """The men of an ending."""
    match = ENDING.fullmatch(ending)
    assert match is not None
    return _in_order(match[1]), _in_order(match[2])


def _in_order(men: str) -> str:
    return "".join(sorted(men, key=LETTERS.index))


def _reached(wanted: list[Men]) -> list[Men]:
    """All that these endings lead to, for whoever is to move, the wanted ones first."""
    found: dict[Men, None] = {}
    waiting = [balance for men in wanted for balance in (men, men[::-1])]
    while waiting:
        mine, theirs = balance = waiting.pop(0)
        if balance in found:
            continue
        found[balance] = None
        own = [mine]
        if "P" in mine:
            own += [_in_order(mine.replace("P", piece, 1)) for piece in LETTERS[1:]]
        left = [theirs, *(theirs.replace(piece, "", 1) for piece in sorted(set(theirs)))]
        waiting += [(after, men) for men, after in product(own, left)]
    return list(found)


def _code(men: Men) -> int:
    """The kinds of the men, of the player to move first, as one number."""
    kinds = [LETTERS.index(piece) + 1 for piece in men[0]]
    kinds += [LETTERS.index(piece) + 6 for piece in men[1]]
    code = 0
    for kind in kinds:
        code = code * KINDS + kind
    return code


def _layer_key(men: Men) -> tuple[int, int, Men]:
    """What orders the men of both players so that captures and promotions lead down."""
    both = men[0] + men[1]
    return len(both), both.count("P"), max(men, men[::-1])


def _passings(men: Men) -> int:
    """In how many ways a pawn may be taken in passing, or none."""
    return 1 + (men[1].count("P") if "P" in men[0] else 0)


def _size(men: Men) -> int:
    """The number of numbers for these men."""
    pawns = (men[0] + men[1]).count("P")
    rest = len(men[0] + men[1]) - pawns
    pairs = PAWN_PAIRS if pawns else PAIRS
    return int(pairs * PAWN_SQUARES**pawns * SQUARES**rest * _passings(men))


def _king_pairs(has_pawns: bool) -> list[int]:
    """The squares of the two kings up to symmetry, as 64 * king + other."""
    found = []
    for king in range(64):
        file, rank = king & 7, king >> 3
        if file > 3 or (not has_pawns and (rank > 3 or rank > file)):
            continue
        for other in range(64):
            is_beyond = not has_pawns and file == rank and other >> 3 > other & 7
            if other != king and not KING[king] >> other & 1 and not is_beyond:
                found.append(64 * king + other)
    return found
