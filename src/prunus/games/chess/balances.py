"""What the numbers of chess endings are made of: the men of both players besides the kings (a
balance), and the places of the kings up to symmetry."""

from __future__ import annotations

import re
from itertools import product
from typing import Final

from prunus.games.chess.attacks import KING

LETTERS: Final = "PNBRQ"
MOST_MEN: Final = 3
"""The most men besides the kings."""

PAWN, THEIR_PAWN = 1, 6
"""A man's kind is 1 to 5 for a pawn, knight, bishop, rook or queen of the player to move, 6 to 10
for those of the opponent; 0 is none."""

KIND_BITS: Final = 4

SQUARES, PAWN_SQUARES = 64, 48
PAIRS, PAWN_PAIRS = 462, 1806
"""The places of the kings up to symmetry, without and with pawns."""
MOST_BALANCES: Final = 286
"""The ways to choose up to three men from ten kinds."""

MIRROR, FLIP, SWAP, TIED = 1, 2, 4, 8
"""Turns of the board, as bits: left to right, upside down, and then files and ranks exchanged.
`TIED`: both kings stay where they are if these are exchanged, so that the men decide."""

TURNED: Final = tuple(
    (there >> 3 | there << 3) & 63 if turn & SWAP else there
    for turn in range(8)
    for square in range(64)
    for there in [square ^ (7 if turn & MIRROR else 0) ^ (56 if turn & FLIP else 0)]
)
"""Where a square comes to by a turn, at 64 * turn + square."""

Men = tuple[str, str]
"""The men of the player to move and of the opponent besides the kings, each in the order of
`LETTERS`."""

ENDING: Final = re.compile(r"K([QRBNP]*)K([QRBNP]*)")


def spelt(men: str) -> str:
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


def read(ending: str) -> Men:
    """The men of an ending."""
    match = ENDING.fullmatch(ending)
    assert match is not None
    return in_order(match[1]), in_order(match[2])


def in_order(men: str) -> str:
    """Men in the order of `LETTERS`."""
    return "".join(sorted(men, key=LETTERS.index))


def reached(wanted: list[Men]) -> list[Men]:
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
            own += [in_order(mine.replace("P", piece, 1)) for piece in LETTERS[1:]]
        left = [theirs, *(theirs.replace(piece, "", 1) for piece in sorted(set(theirs)))]
        waiting += [(after, men) for men, after in product(own, left)]
    return list(found)


def kinds_of(men: Men) -> list[int]:
    """The kinds of the men, in rising order."""
    mine = [PAWN + LETTERS.index(piece) for piece in men[0]]
    return mine + [THEIR_PAWN + LETTERS.index(piece) for piece in men[1]]


def code_of(men: Men) -> int:
    """The kinds of the men as one number, the last kind in the lowest bits."""
    return sum(kind << KIND_BITS * i for i, kind in enumerate(reversed(kinds_of(men))))


def weights_of(men: Men, first: int) -> list[int]:
    """How the number of a position is made, if it is the `first` with these men: it is the first of
    these weights, and the others times the number of the kings' places and the squares of the three
    men; the missing ones come first, and have none."""
    weights, weight = [0] * MOST_MEN, passings_of(men)
    has_pawns = False
    for i, kind in enumerate(reversed(kinds_of(men)), 1):
        weights[-i] = weight
        if kind in (PAWN, THEIR_PAWN):
            has_pawns = True
            first -= 8 * weight  # pawns stand on the second rank at least
            weight *= PAWN_SQUARES
        else:
            weight *= SQUARES
    if has_pawns:
        first -= PAIRS * weight
    return [first, weight, *weights]


def layer_key(men: Men) -> tuple[int, int, Men]:
    """What orders the men of both players so that captures and promotions lead down."""
    both = men[0] + men[1]
    return len(both), both.count("P"), max(men, men[::-1])


def passings_of(men: Men) -> int:
    """In how many ways a pawn may be taken in passing, or none."""
    return 1 + (men[1].count("P") if "P" in men[0] else 0)


def size_of(men: Men) -> int:
    """The number of numbers for these men."""
    pawns = (men[0] + men[1]).count("P")
    rest = len(men[0] + men[1]) - pawns
    pairs = PAWN_PAIRS if pawns else PAIRS
    return int(pairs * PAWN_SQUARES**pawns * SQUARES**rest * passings_of(men))


def turn_for(has_pawns: bool, king: int, other: int) -> int:
    """The turn that brings two kings to their places; with `TIED` if the men decide whether files
    and ranks are exchanged as well."""
    turn = MIRROR if king & 4 else 0
    if has_pawns:
        return turn
    turn |= FLIP if king & 32 else 0
    sides = [(at >> 3) - (at & 7) for at in (TURNED[turn << 6 | king], TURNED[turn << 6 | other])]
    side = sides[0] or sides[1]
    return turn | (SWAP if side > 0 else 0 if side else TIED)


def king_pairs(has_pawns: bool) -> list[int]:
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
