"""What a search asks of the transposition table, and what it tells it.

A value is used again for a search of the same depth. A final one, which rests on finished games alone, holds for deeper searches as well,
and where `deeper` is set for shallower ones, which could not have found it. Where a faster win is preferred, values lie in the table as
if the limit were at the position itself: `left` is the number of plies from there to the search's own limit.
"""

from __future__ import annotations

from typing import Any

from prunus.game import INFINITY, Game
from prunus.search.leaves import shifted
from prunus.tables.transposition import EXACT, LOWER, NO_ACTION, UPPER, Entry, bound_of, probe, store


def look_up(game: Game, state: Any, left: int, memory: Any) -> Entry:
    """What the table knows of a State or of one that symmetry makes equal to it."""
    if game.has_canonical:
        home = game.canonical(state)
        entry = probe(home, game.key(home), memory)
        # The action of a mirror image is none of this State's.
        action = entry.action if home == state else NO_ACTION
    else:
        entry = probe(state, game.key(state), memory)
        action = entry.action
    return Entry(entry.bound, entry.depth, shifted(entry.value, left, memory), action, entry.final)


def known_value(entry: Entry, depth: int, alpha: int, beta: int, memory: Any) -> int:
    """The value of an entry where it decides a search of `depth` plies with this window, otherwise INFINITY."""
    if entry.bound == 0 or (entry.depth != depth and (entry.final == 0 or (entry.depth > depth and memory.deeper == 0))):
        return INFINITY
    if entry.bound == EXACT or (entry.bound == LOWER and entry.value >= beta) or (entry.bound == UPPER and entry.value <= alpha):
        return entry.value
    return INFINITY


def count_use(entry: Entry, memory: Any) -> None:
    """A node takes its value from the table; if that is not final, it counts as an estimate."""
    memory.table_hits += 1
    if entry.final == 0:
        memory.evaluated += 1


def remember(game: Game, state: Any, left: int, entry: Entry, memory: Any) -> None:
    """Tell the table the outcome of a search of this State."""
    value = shifted(entry.value, -left, memory)
    if game.has_canonical:
        home = game.canonical(state)
        action = entry.action if home == state else NO_ACTION
        store(home, game.key(home), Entry(entry.bound, entry.depth, value, action, entry.final), memory)
    else:
        store(state, game.key(state), Entry(entry.bound, entry.depth, value, entry.action, entry.final), memory)


def outcome(depth: int, alpha: int, beta: int, value: int, action: int, final: bool) -> Entry:
    """The entry for a value that a search of `depth` plies with this window has found; `final`: it rests on finished games alone."""
    return Entry(bound_of(value, alpha, beta), depth, value, action, 1 if final else 0)


def follow(game: Game, state: Any, memory: Any) -> int:
    """Let the next search begin with the line of the last one; returns its length."""
    rows = memory.root_depth
    row = rows * (rows - 1) // 2
    length = memory.line_length[rows]
    for i in range(length):
        action = memory.line[row + i]
        suggest(game, state, action, memory)
        state = game.result(state, action)
    return length


def suggest(game: Game, state: Any, action: int, memory: Any) -> None:
    """Let the next search of a State begin with this action; what is known of its value stays."""
    entry = look_up(game, state, 0, memory)
    if entry.bound == 0:
        entry = Entry(LOWER, 0, -INFINITY, action, 0)
    remember(game, state, 0, Entry(entry.bound, entry.depth, entry.value, action, entry.final), memory)
