"""The least proofs: for each position, the fewest leaves of a tree that proves a bound of its
value (Knuth & Moore 1975, theorem 2: the least critical tree)."""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np

from prunus.algorithms.enumerating import IMAGES, levels_of
from prunus.algorithms.leaves import LONGEST_LINE, DeadEnd
from prunus.core.arrays import View
from prunus.core.errors import SearchError
from prunus.core.game import INFINITY, Game, S
from prunus.core.generic import Generic
from prunus.core.memory import Array, Counted, StateArray
from prunus.core.state import is_machine_state
from prunus.databases.numbering import (
    PLACES,
    NumberedMemory,
    Watch,
    bucket_of,
    number_positions,
    place_of,
    representative,
)
from prunus.kernel.columns import ObjectView, StateView
from prunus.kernel.loops import Body, for_each
from prunus.kernel.memory import Memory, Spec
from prunus.run.limits import dead_end_error

UNKNOWN: Final = -1
"""The number of leaves of a proof that has not been looked for."""

NONE: Final = 0
"""The number of leaves where there is no proof."""

MOST: Final = 1 << 60
"""The most leaves that are counted; trees with more count as having this many."""

OPEN: Final = INFINITY
"""In place of a value that is not known; its negative while it is looked for, so that whoever meets
that has gone round a cycle."""


class Cycle(Exception):
    """Raised inside these functions for a position that leads back to itself."""


class LongLine(Exception):
    """Raised inside these functions for a line of more than `LONGEST_LINE` plies."""


def value_of(game: Game[S], state: S, plies: int, memory: LeastMemory) -> int:
    """The value of a State by minimax over all positions below it, `plies` plies after the root."""
    memory.nodes += 1
    home = representative(game, state)
    place = place_of(home, game.key(home), memory)
    known = memory.values[place]
    if known == -OPEN:
        memory.kept[1] = state
        raise Cycle
    if known != OPEN:
        return known
    if plies >= LONGEST_LINE:
        raise LongLine
    best = -INFINITY
    if game.is_terminal(state):
        best = game.utility(state)
    else:
        memory.values[place] = -OPEN
        for action in game.actions(state):
            child = game.result(state, action)
            value = value_of(game, child, plies + 1, memory)
            best = max(best, value if game.keeps_turn(state, child) else -value)
        if best == -INFINITY:
            memory.kept[1] = state
            raise DeadEnd
    memory.values[place] = best
    return best


def slot_of(game: Game[S], state: S, is_own: bool, bound: int, memory: LeastMemory) -> int:
    """The place in `memory.leaves` for a statement about a State."""
    home = representative(game, state)
    place = 4 * place_of(home, game.key(home), memory)
    return place + 2 * (bound == memory.bound[0]) + is_own


def fewest(game: Game[S], state: S, is_own: bool, bound: int, memory: LeastMemory) -> int:
    """The fewest leaves that prove, for the player to move, a value of at least `bound` if it is
    his own proof (`is_own`), or of at most `bound` if it is the opponent's; NONE if it is false. At
    a node of the player whose proof it is one action suffices, at one of the other all count."""
    memory.nodes += 1
    place = slot_of(game, state, is_own, bound, memory)
    if memory.leaves[place] != UNKNOWN:
        return memory.leaves[place]
    found = NONE
    if game.is_terminal(state):
        worth = game.utility(state)
        found = 1 if (worth >= bound if is_own else worth <= bound) else NONE
    else:
        for action in game.actions(state):
            child = game.result(state, action)
            keeps = game.keeps_turn(state, child)
            below = fewest(game, child, is_own == keeps, bound if keeps else -bound, memory)
            if not is_own:
                if below == NONE:
                    found = NONE
                    break
                found = min(found + below, MOST)
            elif below != NONE and (found == NONE or below < found):
                found = below
    memory.leaves[place] = found
    return found


class Least(Generic[S]):
    """The value of a position, and the least proofs of all positions below it. `leaves_at_least`
    and `leaves_at_most` are those of the position itself, on either side."""

    def __init__(
        self, game: Game[S], root: S, compile: bool | None = None, watch: Watch | None = None
    ) -> None:
        """Raises SearchError for a game whose positions have no values of their own or that has
        cycles, KeyboardInterrupt on Ctrl-C."""
        _expect_values_of_positions(game)
        tell = watch or (lambda doing, number: None)
        states, buckets = _numbered(game, root, compile, watch)
        self.game, self.positions = game, len(states)
        self.fields: Spec = {
            "states": states,
            "buckets": buckets,
            "values": View(np.full(len(states), OPEN, np.int64)),
            "leaves": View(np.full(4 * len(states), UNKNOWN, np.int64)),
            "bound": View(np.zeros(1, np.int64)),
            "kept": Memory({"kept": ("state", 2)}, prototype=root).kept,
        }
        self.memory = Memory({**self.fields, "nodes": "i64"}, prototype=root)
        self.memory.kept[0] = root
        tell("finding the value", len(states))
        self._run(find_value, compile)
        home = representative(game, root)
        self.value = int(self.memory.values[place_of(home, game.key(home), self.memory)])
        self.memory.bound[0] = self.value
        tell("finding the least proofs", len(states))
        self._run(find_fewest, compile)
        self.leaves_at_least = self.leaves(root, True, self.value)
        self.leaves_at_most = self.leaves(root, False, self.value)

    def _run(self, body: Body, compile: bool | None) -> None:
        try:
            for_each(self.game, body, 1, self.fields, compile=compile)
        except DeadEnd as error:
            raise dead_end_error(self.game, self.memory.kept[1]) from error
        except Cycle as error:
            where = self.game.format(self.memory.kept[1])
            raise SearchError(
                f"{self.game.title()} has cycles: play can come back to {where}. A certificate is "
                f"made of finite lines; `prunus db build` solves games with cycles"
            ) from error
        except LongLine as error:
            raise SearchError(
                f"{self.game.title()} has a line of more than {LONGEST_LINE:,} plies, too long for "
                f"a certificate"
            ) from error

    def leaves(self, state: S, is_own: bool, bound: int) -> int:
        """The result of `fewest` for a position that it has met, otherwise UNKNOWN; `bound` is the
        root's value or its negative."""
        return int(self.memory.leaves[slot_of(self.game, state, is_own, bound, self.memory)])


def find_value(game: Game, index: int, memory: LeastMemory) -> None:
    """Find the values of the root and of all positions below it."""
    value_of(game, memory.kept[0], 0, memory)


def find_fewest(game: Game, index: int, memory: LeastMemory) -> None:
    """Find the leaves of the least proofs that the root is worth at least, and at most, the
    bound."""
    fewest(game, memory.kept[0], True, memory.bound[0], memory)
    fewest(game, memory.kept[0], False, memory.bound[0], memory)


def _expect_values_of_positions(game: Game) -> None:
    """Raises SearchError for a game in which the value of a position depends on what was played
    before, or that is not for two players."""
    why = ""
    if game.players != 2:
        why = f"is for {game.players} players, and a value is a promise between two"
    elif game.repetition != "none":
        why = f"has the rule repetition = {game.repetition!r}, so that play can go round a cycle"
    elif game.has_timeless:
        why = "has cycles that end only by its count of plies (`timeless`)"
    if why:
        raise SearchError(
            f"{game.title()} {why}; certificates are for games of two players without cycles"
        )


def _numbered(
    game: Game[S], root: S, compile: bool | None, watch: Watch | None
) -> tuple[StateView | ObjectView, View]:
    """The positions that can be reached, and the buckets that `place_of` finds them by."""
    if is_machine_state(root):
        made = number_positions(game, root, compile=compile, watch=watch)
        return made.states, made.buckets
    homes = [
        states[place]
        for level in levels_of(game, root, alike=IMAGES, compile=False)
        for states, count in level
        for place in range(count)
    ]
    count = max(1, len(homes) // PLACES)
    homes.sort(key=lambda home: bucket_of(game.key(home), count))
    states = Memory({"states": ("state", len(homes))}, prototype=root).states
    ends = np.zeros(count + 1, np.int64)
    for place, home in enumerate(homes):
        states[place] = home
        ends[bucket_of(game.key(home), count) + 1] += 1
    return states, View(np.cumsum(ends))


class LeastMemory(Counted, NumberedMemory, Protocol):
    """The memory of these functions: for each position its value, and the leaves of the least
    proofs of four statements about it; the bound that the root's proofs are about; the root, and
    the State that an error is about."""

    values: Array[int]
    leaves: Array[int]
    bound: Array[int]
    kept: StateArray
