"""Whether labels follow from each other: each position's is computed again from its children's."""

from __future__ import annotations

from typing import Final, Protocol

from prunus.core.game import Game
from prunus.core.memory import Array
from prunus.databases.errors import DatabaseError
from prunus.databases.labels import DRAWN, LOST, OPEN, WON, ZERO
from prunus.databases.numbering import ABSENT, Positions, representative
from prunus.databases.ranking import PlacesMemory, find_place, state_at
from prunus.databases.waves import Each
from prunus.kernel.memory import Memory, Spec

SHOWN: Final = 10
"""The most positions that are reported."""

SAMPLE: Final = 1 << 20
"""The positions whose labels are looked at again after a build that trusts `predecessors`."""


def wrong_fields() -> Spec:
    """The fields of a memory that notes wrong positions."""
    return {"wrong": ("i64", SHOWN), "wrongs": "i64"}


def noted(memory: CheckingMemory) -> list[int]:
    """The places of the positions that were noted."""
    return [memory.wrong[i] for i in range(min(SHOWN, memory.wrongs))]


def expect_right(positions: Positions, fields: Spec, each: Each) -> None:
    """Raises DatabaseError if the label of a position does not follow from its children's. Of more
    than twice SAMPLE positions, about so many are looked at, each as far from the next: an odd
    number of places, because games that number their positions often say by the lowest bit who is
    to move."""
    stride = max(1, len(positions) // SAMPLE) | 1
    found: list[Memory] = each(
        check_sampled,
        -(-len(positions) // stride),
        {**fields, **wrong_fields(), "stride": stride},
    )
    places = [place for memory in found for place in noted(memory)]
    if places:
        game = positions.game
        raise DatabaseError(
            f"{game.title()}: the value of {game.format(positions.state(min(places)))} does not "
            f"follow from the positions after it, so `predecessors` leaves some out, or gives too "
            f"many; `prunus check` tells more"
        )


def check_sampled(game: Game, index: int, memory: SampledMemory) -> None:
    """Check one position of so many."""
    check_position(game, index * memory.stride, memory)


def check_position(game: Game, index: int, memory: CheckingMemory) -> None:
    """Note a position whose label is not what its children say."""
    found = score_again(game, index, memory) if memory.scored else label_again(game, index, memory)
    if memory.ranked and find_place(game, state_at(game, index, memory), memory) != index:
        found = ABSENT
    if found != memory.labels[index]:
        if memory.wrongs < SHOWN:
            memory.wrong[memory.wrongs] = index
        memory.wrongs += 1


def label_again(game: Game, index: int, memory: CheckingMemory) -> int:
    """The label that follows from a position's children; ABSENT if one of them is missing."""
    state = state_at(game, index, memory)
    if game.is_terminal(state):
        value = game.utility(state)
        return WON if value > 0 else LOST if value < 0 else DRAWN
    shortest = 1 << 20
    longest = 0
    is_drawn = False
    for action in game.actions(state):
        child = representative(game, game.result(state, action))
        place = find_place(game, child, memory)
        if place == ABSENT:
            return ABSENT
        label = memory.labels[place]
        if label & 3 == OPEN or label & 3 == DRAWN:
            is_drawn = True
        elif game.keeps_turn(state, child) == (label & 3 == WON):
            shortest = min(shortest, (label >> 2) + 1)
        else:
            longest = max(longest, (label >> 2) + 1)
    if shortest < 1 << 20:
        return shortest << 2 | WON
    return OPEN if is_drawn else longest << 2 | LOST


def score_again(game: Game, index: int, memory: CheckingMemory) -> int:
    """The same in a database of scores."""
    state = state_at(game, index, memory)
    if game.is_terminal(state):
        return game.utility(state) + ZERO
    best = -ZERO
    for action in game.actions(state):
        child = game.result(state, action)
        place = find_place(game, representative(game, child), memory)
        if place == ABSENT:
            return ABSENT
        score = memory.labels[place] - ZERO
        if game.has_settled:
            score += game.settled(child)
        best = max(best, score if game.keeps_turn(state, child) else -score)
    return best + ZERO


class CheckingMemory(PlacesMemory, Protocol):
    """A memory with labels, and the positions found wrong."""

    labels: Array[int]
    scored: bool
    wrong: Array[int]
    wrongs: int


class SampledMemory(CheckingMemory, Protocol):
    """The same with the distance between two positions that are looked at."""

    stride: int
