"""How a search reads the transposition table and writes to it.

A stored value is used for searches of the same depth. A final value, which rests on finished games
alone, also serves deeper searches and, if `to_the_end` is set, shallower ones, which could not have
found it. With `prefer_faster`, values are stored as if the limit were FAR plies from the position,
farther than any game is searched, so that a win remains recognisable; `left` is the number of plies
from there to the search's own limit.
"""

from __future__ import annotations

from typing import Final

from prunus.algorithms.leaves import HASTE, shifted
from prunus.algorithms.memory import TableSearchMemory
from prunus.algorithms.repetition import NONE, enter, leave
from prunus.core.game import INFINITY, Game, S
from prunus.tables.transposition import (
    EXACT,
    LOWER,
    NO_ACTION,
    UPPER,
    Entry,
    bound_of,
    fetch,
    probe,
    store,
)
from prunus.tables.words import home_of

FAR: Final = HASTE // 4


def look_up(game: Game[S], state: S, left: int, memory: TableSearchMemory, ahead: int = 0) -> Entry:
    """The table's entry for a State `ahead` plies below the current node, or of one that symmetry
    makes equal to it."""
    side = side_of(game, memory, ahead)
    home = home_on_path(game, state, memory)
    entry = probe(home, game.key(home), memory)
    action = own_action(game, state, home, entry.action)
    bound = entry.bound if entry.side == side else 0
    value = shifted(entry.value, left - FAR, entry.final, memory)
    return Entry(bound, entry.depth, value, action, entry.final, side)


def fetch_entry(game: Game[S], state: S, memory: TableSearchMemory) -> None:
    """Prefetch the entry of a State that will soon be looked up, where it can be found quickly."""
    if not game.has_canonical:
        fetch(game.key(home_on_path(game, state, memory)), memory)


def home_on_path(game: Game[S], state: S, memory: TableSearchMemory) -> S:
    """The State under which the table stores entries for this one, after the States played. An
    entry that serves a search of some depth rests on lines that are no longer, so States may share
    it that no line within `memory.reach` tells apart."""
    if game.has_remembered:
        state = game.remembered(state, memory.reach)
    return home_of(game, state) if are_images_equal(game, memory) else state


def own_action(game: Game[S], state: S, home: S, action: int) -> int:
    """Translate an action between a State and its `home`; an action of a mirror image becomes
    NO_ACTION."""
    if game.has_canonical and home != state:
        return NO_ACTION
    return action


def are_images_equal(game: Game, memory: TableSearchMemory) -> bool:
    """Whether States that symmetry makes equal have the same value. They do not if other States
    have been played: those are no images of themselves, and may not be repeated."""
    return game.repetition_rule == NONE or memory.played == 0


def side_of(game: Game, memory: TableSearchMemory, ahead: int) -> int:
    """The side to move `ahead` plies below the current node, if a State's value depends on it
    though the State does not tell it: with one side to move the State may have been on the board,
    with the other not."""
    if game.repetition_rule == NONE or not game.alternates or memory.played == 0:
        return 0
    return (memory.path_length + ahead) & 1


def known_value(entry: Entry, depth: int, alpha: int, beta: int, memory: TableSearchMemory) -> int:
    """The value of an entry if it decides a search of `depth` plies with this window, otherwise
    INFINITY."""
    if entry.bound == 0 or (
        entry.depth != depth
        and (entry.final == 0 or (entry.depth > depth and memory.to_the_end == 0))
    ):
        return INFINITY
    if (
        entry.bound == EXACT
        or (entry.bound == LOWER and entry.value >= beta)
        or (entry.bound == UPPER and entry.value <= alpha)
    ):
        return entry.value
    return INFINITY


def count_use(entry: Entry, memory: TableSearchMemory) -> None:
    """Count a node that takes its value from the table; a value that is not final counts as an
    estimate."""
    memory.table_hits += 1
    if entry.final == 0:
        memory.evaluated += 1


def remember(game: Game[S], state: S, left: int, entry: Entry, memory: TableSearchMemory) -> None:
    """Store the outcome of a search of the current node's State."""
    value = shifted(entry.value, FAR - left, entry.final, memory)
    side = side_of(game, memory, 0)
    home = home_on_path(game, state, memory)
    action = own_action(game, state, home, entry.action)
    stored = Entry(entry.bound, entry.depth, value, action, entry.final, side)
    store(home, game.key(home), stored, memory)


def outcome(depth: int, alpha: int, beta: int, value: int, action: int, final: bool) -> Entry:
    """The entry for a value that a search of `depth` plies with this window has found; `final` says
    whether it rests on finished games alone."""
    return Entry(bound_of(value, alpha, beta), depth, value, action, 1 if final else 0, 0)


def follow(game: Game[S], state: S, memory: TableSearchMemory) -> int:
    """Make the next search begin with the line of the last one; return the line's length."""
    rows = memory.root_depth
    row = rows * (rows - 1) // 2
    length = memory.line_length[rows]
    for i in range(length):
        action = memory.line[row + i]
        suggest(game, state, action, memory)
        enter(game, state, memory)
        state = game.result(state, action)
    for _ in range(length):
        leave(game, memory)
    return length


def suggest(game: Game[S], state: S, action: int, memory: TableSearchMemory) -> None:
    """Make the next search of a State begin with this action; what is known of its value stays."""
    home = home_on_path(game, state, memory)
    entry = probe(home, game.key(home), memory)
    if entry.bound == 0 or entry.side != side_of(game, memory, 0):
        entry = Entry(LOWER, 0, -INFINITY, action, 0, 0)
    remember(
        game,
        state,
        FAR,
        Entry(entry.bound, entry.depth, entry.value, action, entry.final, 0),
        memory,
    )
