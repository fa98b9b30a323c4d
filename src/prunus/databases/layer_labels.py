"""Labelling the positions of one layer: from what is certain of them when it begins, the ends of
the game and the worth of actions to lower layers, to all others of the layer."""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from prunus.core.arrays import View
from prunus.core.game import Game
from prunus.core.memory import Array
from prunus.databases.errors import DatabaseError
from prunus.databases.labels import DRAWN, LOST, MOST_PLIES, OPEN, WON, ZERO, Labels
from prunus.databases.numbering import Watch
from prunus.databases.parents import claim
from prunus.databases.propagation import label_after
from prunus.databases.waves import Each, Queue, WaveMemory, tell_wave
from prunus.kernel.memory import Spec

HASTE: Final = MOST_PLIES + 1
"""What a win would be worth before anything is played."""

OVER, LEAVING = 1, 2
"""What is certain of a position when its layer begins: its value, because the game is over there;
or the worth of its best action to a lower layer."""


Places = NDArray[np.uint32]


class Certain(NamedTuple):
    """The positions of a layer in which the game is over, and what each is worth."""

    places: Places
    worth: NDArray[np.int16]


class Leaving(NamedTuple):
    """The positions of a layer with an action to a lower one, the one with the most to win or lose
    by its best first, and this amount, negated."""

    places: Places
    amounts: NDArray[np.int16]


def label_layer(places: Places, labels: Labels, here: Spec, each: Each, tell: Watch) -> None:
    """Label the positions of one layer."""
    worth, kinds = (cast("View", here[name]).array[places] for name in ("worth", "kinds"))
    waiting = Queue(len(places))
    certain = Certain(places[kinds == OVER], worth[kinds == OVER])
    amounts = np.abs(worth[kinds == LEAVING])  # no more than MOST
    order = np.argsort(-amounts, kind="stable")
    leaving = Leaving(places[kinds == LEAVING][order], -amounts[order])
    label = _label_scores if here["scored"] else _label_outcomes
    label(certain, leaving, waiting, labels, here, each, tell)


def label_at_once(places: Places, labels: Labels, here: Spec) -> None:
    """Label the positions of a layer without moves in it: all is certain."""
    worth, kinds = (cast("View", here[name]).array[places] for name in ("worth", "kinds"))
    if here["scored"]:
        labels[places] = worth.astype(np.int32) + ZERO
        return
    signs = np.sign(worth)
    plies = np.where(kinds == OVER, 0, HASTE - np.abs(worth)) * (signs != 0)
    drawn = np.where(kinds == OVER, DRAWN, OPEN)
    labels[places] = plies << 2 | np.where(signs > 0, WON, np.where(signs < 0, LOST, drawn))


def _label_scores(
    certain: Certain,
    leaving: Leaving,
    waiting: Queue,
    labels: Labels,
    here: Spec,
    each: Each,
    tell: Watch,
) -> None:
    """Label the positions of one layer with their scores, one amount after the other."""
    amounts = np.abs(certain.worth)
    counts = np.bincount(amounts, minlength=ZERO) + np.bincount(-leaving.amounts, minlength=ZERO)
    for amount in reversed((np.flatnonzero(counts[1:]) + 1).tolist()):
        chosen = amounts == amount
        labels[certain.places[chosen]] = certain.worth[chosen].astype(np.int32) + ZERO
        waiting.put(certain.places[chosen])
        waiting.give(won=ZERO + amount, lost=ZERO - amount)
        _tell_those_worth(amount, leaving, waiting, here, each)
        while waiting.begin_wave():
            tell(f"worth {amount}", waiting.size)
            tell_wave(waiting, here, each)
    places = cast("View", here["places"]).array
    labels[places[labels[places] == OPEN]] = ZERO


def _label_outcomes(
    certain: Certain,
    leaving: Leaving,
    waiting: Queue,
    labels: Labels,
    here: Spec,
    each: Each,
    tell: Watch,
) -> None:
    """Label the positions of one layer with wins, draws and losses, one distance after the
    other."""
    signs = np.sign(certain.worth)
    labels[certain.places] = np.array([LOST, DRAWN, WON], np.uint16)[signs + 1]
    waiting.put(certain.places[signs != 0])
    plies = 1
    drawn = int(np.count_nonzero(leaving.amounts == 0))  # they stand last, and are never told
    told = leaving.amounts[: len(leaving.amounts) - drawn]
    last = HASTE + int(told[-1]) if len(told) else 0
    while waiting.begin_wave() or plies <= last:
        if plies > MOST_PLIES:
            raise DatabaseError(f"a game lasts more than {MOST_PLIES:,} plies, too many to store")
        waiting.give(won=plies << 2 | WON, lost=plies << 2 | LOST)
        if waiting.size:
            tell(f"{plies - 1} plies from the end", waiting.size)
            tell_wave(waiting, here, each)
        _tell_those_worth(HASTE - plies, leaving, waiting, here, each)
        plies += 1


def _tell_those_worth(
    amount: int, leaving: Leaving, waiting: Queue, here: Spec, each: Each
) -> None:
    """Tell the positions whose best action to a lower layer is worth so much of it."""
    first, last = np.searchsorted(leaving.amounts, [-amount, 1 - amount]).tolist()
    if first < last:
        chosen: Spec = {"leaving": View(leaving.places[first:last])}
        each(tell_leaving, last - first, {**here, **waiting.fields(), **chosen})


def worth_of(label: int, scored: bool) -> int:
    """What a position in a lower layer is worth for the player to move one ply before: its score,
    or the amount of a win or loss."""
    if scored:
        return label - ZERO
    amount = HASTE - 1 - (label >> 2)
    return amount if label & 3 == WON else -amount if label & 3 == LOST else 0


def tell_leaving(game: Game, index: int, memory: CertainMemory) -> None:
    """Tell a position of its best action to a lower layer: label it if it has won as much by that,
    or has lost and no other child is open."""
    place = memory.leaving[index]
    if memory.labels[place] != OPEN:
        return
    found = label_after(memory.worth[place] > 0, place, memory)
    if found != OPEN and claim(place, memory):
        memory.labels[place] = found
        memory.waiting[memory.queued.fetch_add(0, 1)] = place


class CertainMemory(WaveMemory, Protocol):
    """A memory while a layer is labelled: `leaving` are some of its positions, `worth` and `kinds`
    what is certain of each."""

    leaving: Array[int]
    worth: Array[int]
    kinds: Array[int]
