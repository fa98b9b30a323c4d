"""The features of the evaluation of chess, by name, and the weights that were set by hand.

Each feature has a weight for the middle game and one for the ending, in centipawns. The number of a
feature is the start of its group, plus its place in the group.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from prunus.core.arrays import View
from prunus.core.knowledge.evaluation import WEIGHT_UNIT
from prunus.evaluation.weights import load_weights

Array = np.ndarray
Pair = tuple[float, float]

FITTED: Final = Path(__file__).with_name("chess.json")
"""The weights that come with Prunus."""

HAND: Final = "hand"
"""In place of a file: the weights that were set by hand."""

WINGS: Final = 2
"""Squares are seen from the own king's wing: the board is mirrored if he is on the queen's wing.
They count apart if the opponent's king is on the other wing."""

PLACES: Final = 6 * 64
"""The squares of all kinds of pieces, 64 * kind + square."""

DANGERS: Final = 24
"""The classes of attacks on a king; the last one stands for all that are stronger."""

PIECES: Final = ("pawn", "knight", "bishop", "rook", "queen", "king")


class Group(NamedTuple):
    """Some features that belong together: their number, and the weights by hand of each, given its
    place in the group."""

    name: str
    size: int
    hand: Callable[[int], Pair]


def _flat(middle: float, ending: float) -> Callable[[int], Pair]:
    return lambda place: (middle, ending)


def _each(*pairs: Pair) -> Callable[[int], Pair]:
    return lambda place: pairs[place]


def _times(middle: float, ending: float) -> Callable[[int], Pair]:
    return lambda place: (middle * place, ending * place)


def _on_square(place: int) -> Pair:
    """What a square adds to a piece's worth, on either wing."""
    piece, rank, file = place % PLACES // 64, place % 64 // 8, min(place % 8, 7 - place % 8)
    centre = file + min(rank, 7 - rank)
    if piece == 0:
        return (3 * rank + 5 * file * (1 <= rank <= 4), 5 * rank)
    if piece == 1:
        return (9 * centre - 30, 7 * centre - 24)
    if piece == 2:
        return (5 * centre - 14 - 6 * (rank == 0), 3 * centre - 9)
    if piece == 3:
        return (2 * file + 16 * (rank == 6), 6 * (rank == 6))
    if piece == 4:
        return (2 * centre - 6 * (rank > 4), 5 * centre - 12)
    return ((26, 30, 4, -8)[file] - 22 * min(rank, 4), 10 * centre - 30)


def _mobility(usual: int, middle: float, ending: float) -> Callable[[int], Pair]:
    return lambda place: (middle * (place - usual), ending * (place - usual))


def _danger(place: int) -> Pair:
    """The worth of attacks on a king, without and with a queen among the attackers' pieces."""
    with_queen, units = divmod(place, DANGERS)
    return (min(300, 0.9 * units * units) if with_queen else min(120, 0.3 * units * units), units)


PASSED: Final = ((0, 0), (4, 12), (6, 18), (12, 34), (26, 62), (52, 108), (90, 170), (0, 0))

SHELTERED: Final = (-22, 16, 9, 3, 0, 0, 0, 0)
STORMED: Final = (0, -8, -24, -14, -5, 0, 0, 0)

GROUPS: Final = (
    Group("material", 6, _each((85, 110), (330, 290), (345, 310), (490, 540), (1000, 980), (0, 0))),
    Group("square", WINGS * PLACES, _on_square),
    Group("doubled", 1, _flat(-9, -18)),
    Group("isolated", 2, _each((-10, -10), (-16, -13))),
    Group("backward", 2, _each((-6, -6), (-14, -10))),
    Group("beside", 8, _times(2, 1)),
    Group("supported", 8, _times(3, 2)),
    Group("passed", 8, lambda rank: PASSED[rank]),
    Group("passed beside", 8, lambda rank: (0, 2 * rank)),
    Group("passed near", 8, lambda rank: (0, -1.2 * max(0, rank - 2))),
    Group("passed far", 8, lambda rank: (0, 2.4 * max(0, rank - 2))),
    Group("shelter", 16, lambda place: (SHELTERED[place % 8], 0)),
    Group("storm", 16, lambda place: (STORMED[place % 8] / (1 + place // 8), 0)),
    Group("pair", 1, _flat(28, 48)),
    Group("knight moves", 9, _mobility(4, 4, 4)),
    Group("bishop moves", 14, _mobility(6, 4, 4)),
    Group("rook moves", 15, _mobility(7, 2, 4)),
    Group("queen moves", 14, _mobility(7, 2, 3)),
    Group("open file", 2, _each((11, 4), (22, 6))),
    Group("seventh", 1, _flat(10, 20)),
    Group("outpost", 2, _each((24, 14), (14, 6))),
    Group("bad bishop", 1, _flat(-2, -4)),
    Group("blocked", 8, _times(-3, -5)),
    Group("safe stop", 8, _times(2, 4)),
    Group("safe way", 8, _times(3, 9)),
    Group("rook behind", 2, _each((0, 10), (0, -10))),
    Group("danger", 2 * DANGERS, _danger),
    Group("check", 4, _each((22, 2), (12, 2), (26, 4), (16, 6))),
    Group("weak ring", 1, _flat(6, 0)),
    Group("by pawn", 5, _each((0, 0), (50, 30), (50, 30), (60, 40), (60, 40))),
    Group("by minor", 5, _each((4, 10), (16, 16), (18, 18), (40, 30), (40, 30))),
    Group("by rook", 5, _each((2, 10), (14, 16), (14, 16), (0, 0), (40, 30))),
    Group("hanging", 5, _each((8, 10), (24, 16), (24, 16), (24, 16), (24, 16))),
    Group("by king", 1, _flat(4, 20)),
    Group("push", 1, _flat(14, 8)),
    Group("space", 1, _flat(2, 0)),
    Group("with pawns", 4, _each((3, 3), (0, 0), (-4, -4), (0, 0))),
    Group("restricted", 1, _flat(3, 3)),
    Group("lone king", 1, _flat(0, 400)),
    Group("edge", 1, _flat(0, 16)),
    Group("kings near", 1, _flat(0, 8)),
    Group("corner", 1, _flat(0, 24)),
    Group("tempo", 1, _flat(12, 10)),
)


def _start(name: str) -> int:
    start = 0
    for group in GROUPS:
        if group.name == name:
            return start
        start += group.size
    raise KeyError(name)


COUNT: Final = sum(group.size for group in GROUPS)
"""The number of features."""

MATERIAL, SQUARE, DOUBLED = _start("material"), _start("square"), _start("doubled")
ISOLATED, BACKWARD, BESIDE = _start("isolated"), _start("backward"), _start("beside")
SUPPORTED, PASSING, PAIRED = _start("supported"), _start("passed"), _start("passed beside")
NEAR, FAR, SHELTER, STORM = (
    _start("passed near"),
    _start("passed far"),
    _start("shelter"),
    _start("storm"),
)
PAIR, KNIGHT_MOVES, BISHOP_MOVES = _start("pair"), _start("knight moves"), _start("bishop moves")
ROOK_MOVES, QUEEN_MOVES = _start("rook moves"), _start("queen moves")
OPEN_FILE, SEVENTH, OUTPOST = _start("open file"), _start("seventh"), _start("outpost")
BAD_BISHOP, BLOCKED, SAFE_STOP = _start("bad bishop"), _start("blocked"), _start("safe stop")
SAFE_WAY, DANGER, CHECK = _start("safe way"), _start("danger"), _start("check")
WEAK_RING, BY_PAWN, BY_MINOR = _start("weak ring"), _start("by pawn"), _start("by minor")
BY_ROOK, HANGING, BY_KING = _start("by rook"), _start("hanging"), _start("by king")
PUSH, SPACE, EDGE = _start("push"), _start("space"), _start("edge")
ROOK_BEHIND, WITH_PAWNS = _start("rook behind"), _start("with pawns")
RESTRICTED, LONE = _start("restricted"), _start("lone king")
KINGS_NEAR, CORNER, TEMPO = _start("kings near"), _start("corner"), _start("tempo")

HELD: Final = (LONE, EDGE, KINGS_NEAR, CORNER)
"""The hunt for a lone king, whose weights no fit changes."""


def feature_name(feature: int) -> str:
    """A feature in words: its group and, if there are more than one, its place there."""
    for group in GROUPS:
        if feature < group.size:
            if group.name == "material":
                return PIECES[feature]
            if group.name == "square":
                wing, place = divmod(feature, PLACES)
                square = f"{'abcdefgh'[place % 8]}{place % 64 // 8 + 1}"
                return f"{PIECES[place // 64]} {square}{', kings apart' if wing else ''}"
            return f"{group.name} {feature}" if group.size > 1 else group.name
        feature -= group.size
    raise IndexError(feature)


def by_hand() -> Array:
    """The weights that were set by hand: middle game and ending x features."""
    return np.array([group.hand(at) for group in GROUPS for at in range(group.size)]).T


@cache
def weights_of(file: str) -> View:
    """The weights of a file, of `HAND`, or, with an empty name, those that come with Prunus: the
    middle game, then the ending, in 1 / `WEIGHT_UNIT`. Raises WeightsError."""
    if file == HAND or not (file or FITTED.exists()):
        return View(np.rint(by_hand() * WEIGHT_UNIT).astype(np.int32).reshape(-1))
    return load_weights(file or FITTED, COUNT, 2)


@cache
def packed(file: str) -> View:
    """The same weights with both of a feature in one number, so that a sum of them is the sum of
    both: middle * 2**32 + ending."""
    middle, ending = weights_of(file).array.reshape(2, COUNT).astype(np.int64)
    return View((middle << 32) + ending)


def unpacked(weights: View) -> Array:
    """Packed weights as middle game and ending x features, in 1 / `WEIGHT_UNIT`."""
    both = np.asarray(weights.array)
    return np.stack([both + (1 << 31) >> 32, (both + (1 << 31) & 0xFFFF_FFFF) - (1 << 31)])


def ending_of(total: int) -> int:
    """The ending's part of a sum of packed weights."""
    return ((total + (1 << 31)) & 0xFFFF_FFFF) - (1 << 31)


def middle_of(total: int) -> int:
    """The middle game's part of a sum of packed weights."""
    return (total + (1 << 31)) >> 32
