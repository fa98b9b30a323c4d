"""The ends of a game, and the positions that are decided one ply before them: what each of all
positions shows by itself, in one round over them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from prunus.core.arrays import View
from prunus.core.bits import bit_index, i64, lowest_bit
from prunus.core.game import Game, S
from prunus.core.memory import Array, Counted, StateArray
from prunus.databases.labels import DRAWN, LOST, OPEN, WON
from prunus.databases.layer_labels import OVER
from prunus.databases.numbering import Positions
from prunus.databases.propagation import is_for
from prunus.databases.ranking import PlacesMemory, by_words, state_at, word_count
from prunus.databases.unmoving import Room
from prunus.databases.waves import Each
from prunus.kernel.memory import Spec
from prunus.run.limits import dead_end_error


class Ends(NamedTuple):
    """What the ends of a game are worth: how many there are, the largest amount, and whether one
    amount is all that a game is played for, so that games are won, drawn or lost."""

    number: int
    most: int
    single: bool


def find_ends(
    positions: Positions[S], each: Each, room: Room | None, kinds: View | None = None
) -> Ends:
    """The ends of the game. If there is room for labels, whatever is decided within a ply gets its
    label in the same round. If there is room for `kinds`, it is noted there where the game is over,
    and whether there are actions elsewhere is left to whoever makes them."""
    fields: Spec = {
        **positions.fields(),
        "stuck": ("state", 1),
        **dict.fromkeys(("most", "least", "number", "is_stuck"), "i64"),
    }
    body: Callable[..., object] = look_at_end
    if room is not None:
        body, fields = decide_or_note, {**fields, "labels": View(room.labels)}
    elif kinds is not None:
        body, fields = note_if_over, {**fields, "kinds": kinds}
    count = len(positions)
    if body is decide_or_note and by_words(positions):
        body, count = decide_word, word_count(positions)
    found = each(body, count, fields)
    for memory in found:
        if memory.is_stuck:
            raise dead_end_error(positions.game, memory.stuck[0])
    amounts = [(memory.least, memory.most) for memory in found if memory.most > 0]
    most = max((high for _, high in amounts), default=0)
    return Ends(
        number=sum(memory.number for memory in found),
        most=int(most),
        single=not positions.game.has_settled and all(low == most for low, _ in amounts),
    )


def look_at_end(game: Game, index: int, memory: EndsMemory) -> None:
    """Note the amount that a position is worth if the game is over there; otherwise, whether it has
    an action."""
    state = state_at(game, index, memory)
    if game.is_terminal(state):
        note_end(game.utility(state), memory)
    elif not has_action(game, state):
        note_stuck(state, memory)


def note_if_over(game: Game, index: int, memory: KindsMemory) -> None:
    """Note the amount that a position is worth if the game is over there, and that it is."""
    state = state_at(game, index, memory)
    if game.is_terminal(state):
        note_end(game.utility(state), memory)
        memory.kinds[index] = OVER


def note_end(value: int, memory: EndsMemory) -> None:
    """Note what an end is worth."""
    amount = abs(value)
    memory.number += 1
    memory.most = max(memory.most, amount)
    if amount > 0 and (memory.least == 0 or amount < memory.least):
        memory.least = amount


def note_stuck(state: object, memory: EndsMemory) -> None:
    """Note a position that is no end and has no action."""
    memory.stuck[0] = state
    memory.is_stuck = 1


def decide_word(game: Game, index: int, memory: DecidingMemory) -> None:
    """`decide_or_note` for all positions whose ranks are marked in a word: so none of them has to
    be looked for by its place."""
    left = memory.marks[2 * index]
    place = i64(memory.marks[2 * index + 1])
    while left:
        bit = lowest_bit(left)
        left ^= bit
        decide(game, game.unrank(64 * index + bit_index(bit)), place, memory)
        place += 1


def decide_or_note(game: Game, index: int, memory: DecidingMemory) -> None:
    """`look_at_end` and `decide_at_once` in one."""
    decide(game, state_at(game, index, memory), index, memory)


def decide(game: Game[S], state: S, index: int, memory: DecidingMemory) -> None:
    """The same for a position of which the State and the place are given."""
    memory.nodes += 1
    if game.is_terminal(state):
        value = game.utility(state)
        note_end(value, memory)
        memory.labels[index] = label_of_end(value)
        return
    memory.labels[index] = label_before_ends(game, state)
    # Without children nothing is undecided, which is the label of a loss.
    if memory.labels[index] == 1 << 2 | LOST and not has_action(game, state):
        note_stuck(state, memory)


def has_action(game: Game[S], state: S) -> bool:
    """Whether there is an action."""
    for _ in game.actions(state):
        return True
    return False


def decide_at_once(game: Game, index: int, memory: LabelsMemory) -> None:
    """Label a position if the game is over there, or if that is so after one action which decides
    it."""
    state = state_at(game, index, memory)
    memory.nodes += 1
    if game.is_terminal(state):
        memory.labels[index] = label_of_end(game.utility(state))
    else:
        memory.labels[index] = label_before_ends(game, state)


def label_of_end(value: int) -> int:
    """The label of a position in which the game is over, by what that is worth."""
    return WON if value > 0 else LOST if value < 0 else DRAWN


def label_before_ends(game: Game[S], state: S) -> int:
    """The label of a position that an action decides which ends the game, or all actions together;
    otherwise OPEN."""
    undecided = 0
    for action in game.actions(state):
        child = game.result(state, action)
        if game.is_terminal(child):
            value = game.utility(child)
            if value == 0:
                undecided += 1
            elif is_for(label_of_end(value), game.keeps_turn(state, child), False):
                return 1 << 2 | WON
        else:
            undecided += 1
    return OPEN if undecided else 1 << 2 | LOST


class EndsMemory(PlacesMemory, Protocol):
    """A memory that counts ends, with a position that has no action."""

    number: int
    most: int
    least: int
    stuck: StateArray
    is_stuck: int


class KindsMemory(EndsMemory, Protocol):
    """A memory that counts ends and notes where they are."""

    kinds: Array[int]


class LabelsMemory(Counted, PlacesMemory, Protocol):
    """A memory with labels."""

    labels: Array[int]


class DecidingMemory(LabelsMemory, EndsMemory, Protocol):
    """A memory that counts ends and labels what is decided."""
