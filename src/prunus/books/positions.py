"""All positions that can be reached within a number of plies, up to symmetry, and their values,
backed up by minimax."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from prunus.core.game import INFINITY, Game
from prunus.tables.errors import BookError
from prunus.tables.identity import identity


class Edge(NamedTuple):
    """An action: the number of the position that it leads to, or -1 with the `value` of the
    terminal State there for its own player to move; `sign` makes the child's value the parent's."""

    action: int
    sign: int
    target: int
    value: int


@dataclass
class Positions:
    """Canonical States that are not terminal, ply by ply, each ply in the order of a walk from
    parents to children, so that neighbours are alike. `first[p]` is the number of the first State
    at ply p; `edges` are those of positions before the last ply."""

    game: Game
    plies: int
    states: list[object] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    edges: list[list[Edge]] = field(default_factory=list)
    terminal: list[int] = field(default_factory=list)
    """The number of actions that lead to a terminal State, by the ply they lead to."""
    known: dict[object, int] = field(default_factory=dict, repr=False)
    """The number of each State."""

    def counts(self) -> list[int]:
        """The number of positions at each ply."""
        ends = [*self.first[1:], len(self.states)]
        return [end - begin for begin, end in zip(self.first, ends, strict=True)]

    def deepest(self) -> range:
        """The numbers of the positions at the last ply."""
        return range(self.first[-1], len(self.states))

    def only(self, numbers: Sequence[int]) -> Positions:
        """The positions of these ascending numbers, ply by ply, without what leads to them."""
        return Positions(
            self.game,
            self.plies,
            [self.states[number] for number in numbers],
            [bisect_left(numbers, first) for first in self.first],
            terminal=self.terminal,
        )


def check_game(game: Game) -> None:
    """Raise BookError for a game that cannot have books."""
    if game.players != 2 or game.repetition_rule != 0:
        raise BookError(
            f"{game.title()} has no books: they are for two players and values that do not depend "
            f"on the way to a position"
        )
    identity(game)


def enumerate_positions(
    game: Game, plies: int, watch: Callable[[int, int], None] | None = None
) -> Positions:
    """All positions up to `plies` plies from the start. A position that is reached in several ways
    counts at the ply where it is reached first. `watch` is called with the ply and the positions so
    far. Raises BookError for a game that is over at the start."""
    found = only_start(game)
    while found.plies < plies:
        add_ply(found, watch)
    return found


def only_start(game: Game) -> Positions:
    """The start alone. Raises BookError for a game that is over there."""
    start = game.canonical(game.initial())
    if game.is_terminal(start):
        raise BookError(
            f"{game.title()} is over before it begins: there is nothing to put into a book"
        )
    return Positions(game, 0, [start], [0], [], [0], {start: 0})


def add_ply(found: Positions, watch: Callable[[int, int], None] | None = None) -> None:
    """Add the positions that are reached first one ply after the last one."""
    game, begin, end = found.game, found.first[-1], len(found.states)
    found.plies += 1
    found.first.append(end)
    found.terminal.append(0)
    for number in range(begin, end):
        found.edges.append(
            [_edge(found, number, int(action)) for action in game.actions(found.states[number])]
        )
        if watch is not None and number % 256 == 0:
            watch(found.plies, len(found.states))


def _edge(found: Positions, number: int, action: int) -> Edge:
    game, state = found.game, found.states[number]
    child = game.result(state, action)
    sign = 1 if game.keeps_turn(state, child) else -1
    if game.is_terminal(child):
        found.terminal[-1] += 1
        return Edge(action, sign, -1, int(game.utility(child)))
    canonical = game.canonical(child)
    target = found.known.setdefault(canonical, len(found.states))
    if target == len(found.states):
        found.states.append(canonical)
    return Edge(action, sign, target, 0)


def back_up(found: Positions, values: list[int | None]) -> list[tuple[int, ...]]:
    """Fill in the values of the positions before the last ply by minimax, given the values at the
    last ply; the result is the best actions of these positions. Raises BookError if positions lead
    to one another in a cycle."""
    best: list[tuple[int, ...]] = [()] * found.first[-1]
    left = list(range(found.first[-1] - 1, -1, -1))
    while left:
        # One pass is enough if every action leads to a later ply; some games reach a position after
        # fewer or more plies.
        waiting = []
        for number in left:
            children = [(edge.action, _worth(edge, values)) for edge in found.edges[number]]
            if any(value is None for _, value in children):
                waiting.append(number)
                continue
            most = max((value for _, value in children if value is not None), default=-INFINITY)
            values[number], best[number] = (
                most,
                tuple(action for action, value in children if value == most),
            )
        if len(waiting) == len(left):
            where = found.game.format(found.states[left[0]])
            raise BookError(
                f"{found.game.title()} has cycles (after {where}): minimax cannot back values up, "
                f"and there are no books of it"
            )
        left = waiting
    return best


def _worth(edge: Edge, values: list[int | None]) -> int | None:
    value = edge.value if edge.target < 0 else values[edge.target]
    return None if value is None else edge.sign * value
