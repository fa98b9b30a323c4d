"""Checking a database: every position's value is computed again from those of its children.

For wins, draws and losses that is a proof. The distance of a win is one more than that of a lost
child, and so on to an end of the game; whoever is in a drawn position has an action to a drawn one,
and none that wins. In a database of scores of a game with cycles it is not: values could support
each other in a circle. What is checked is that none contradicts the others.
"""

from __future__ import annotations

from typing import Protocol

from prunus.core.game import Game
from prunus.core.memory import Array
from prunus.databases.folder import Database, check_files
from prunus.databases.labels import DRAWN, LOST, OPEN, WON, ZERO, value_of
from prunus.databases.numbering import ABSENT, AT_ONCE, Watch, representative
from prunus.databases.ranking import PlacesMemory, Ranked, find_place, state_at
from prunus.kernel.loops import for_each

SHOWN = 10
"""The most positions that are reported."""


def verify_database(
    database: Database, *, threads: int = 1, compile: bool | None = None, watch: Watch | None = None
) -> list[str]:
    """Check the files against their checksums and every position against its children. Returns what
    is wrong, in words: empty if nothing is. Raises DatabaseError for damaged files."""
    tell = watch or (lambda doing, number: None)
    tell("checking files", len(database))
    check_files(database.folder, database.manifest)
    tell("checking values", len(database))
    fields = {**database.positions.fields(), "labels": database.labels, "scored": database.scored}
    fields |= {"wrong": ("i64", SHOWN), "wrongs": "i64"}
    memories = for_each(
        database.game,
        check_position,
        len(database),
        fields,
        threads=threads,
        step=AT_ONCE,
        compile=compile,
    )
    places = sorted(place for memory in memories for place in _noted(memory))
    total = sum(memory.wrongs for memory in memories)
    wrong = [_told(database, place) for place in places[:SHOWN]]
    return [*wrong, f"... {total - SHOWN:,} more"] if total > SHOWN else wrong


def _noted(memory: CheckingMemory) -> list[int]:
    return [memory.wrong[i] for i in range(min(SHOWN, memory.wrongs))]


def _told(database: Database, place: int) -> str:
    value = value_of(int(database.labels[place]), database.scored)
    told = f"value {value.value}" + ("" if value.plies is None else f" in {value.plies} plies")
    positions = database.positions
    state = positions.state(place)
    if isinstance(positions, Ranked):
        number, rank = positions.number(place), int(database.game.rank(state))
        if rank != number:
            return f"{database.game.format(state)}: stored under {number}, but rank gives {rank}"
    return f"{database.game.format(state)}: {told} does not follow from the positions after it"


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
