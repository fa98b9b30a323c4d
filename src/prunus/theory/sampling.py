"""The number of leaves that an algorithm examines, over very many random trees: the searches of
`prunus.algorithms`, compiled together with the loop over the trees, so that a tree of four leaves
costs nanoseconds rather than a call from Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from prunus.algorithms.alphabeta import alphabeta
from prunus.algorithms.branch_and_bound import branch_and_bound
from prunus.algorithms.memory import PathSearchMemory
from prunus.algorithms.minimax import minimax
from prunus.core.game import INFINITY
from prunus.kernel.backends import prepare
from prunus.kernel.calling import arguments_for
from prunus.kernel.memory import NEVER, Memory, Spec
from prunus.run.memories import new_memory
from prunus.run.registry import algorithm_named


class Trees(Protocol):
    """A game with many trees: `tree(number)` is the root of each. No tree is higher than `height`,
    and no node has more than `degree` children."""

    degree: int
    height: int

    def tree(self, number: int) -> object:
        """The root of a tree."""


TreeGame: TypeAlias = Any
"""A game that is also `Trees`: annotations cannot name both at once."""


class Leaves(NamedTuple):
    """The leaves that a search examined in `trees` trees: their sum and the sum of their squares,
    both exact. `checksum`: the sum of the roots' values modulo 2**64."""

    trees: int
    total: int
    squares: int
    checksum: int


def minimax_of_trees(game: TreeGame, depth: int, count: int, memory: SamplingMemory) -> int:
    """Minimax on trees 0 to count - 1."""
    for number in range(count):
        before = memory.nodes - memory.interior
        note(memory, before, minimax(game, game.tree(number), depth, memory))
    return memory.checksum


def branch_and_bound_of_trees(
    game: TreeGame, depth: int, count: int, memory: SamplingMemory
) -> int:
    """F1 on trees 0 to count - 1."""
    for number in range(count):
        before = memory.nodes - memory.interior
        note(memory, before, branch_and_bound(game, game.tree(number), depth, INFINITY, memory))
    return memory.checksum


def alphabeta_of_trees(game: TreeGame, depth: int, count: int, memory: SamplingMemory) -> int:
    """Alpha-beta on trees 0 to count - 1."""
    for number in range(count):
        before = memory.nodes - memory.interior
        note(memory, before, alphabeta(game, game.tree(number), depth, -INFINITY, INFINITY, memory))
    return memory.checksum


def decided_by_alphabeta(game: TreeGame, depth: int, count: int, memory: SamplingMemory) -> int:
    """Alpha-beta on trees 0 to count - 1 whose leaves are worth 1 or -1, with the window (-1,
    1)."""
    for number in range(count):
        before = memory.nodes - memory.interior
        note(memory, before, alphabeta(game, game.tree(number), depth, -1, 1, memory))
    return memory.checksum


def note(memory: SamplingMemory, before: int, value: int) -> None:
    """Add up a finished tree of this value; `before` leaves had been examined when it was begun."""
    leaves = memory.nodes - memory.interior - before
    memory.total += leaves
    memory.squares += leaves * leaves
    memory.checksum += value


SEARCHES: Final[dict[str, Callable[..., int]]] = {
    "minimax": minimax_of_trees,
    "branch-and-bound": branch_and_bound_of_trees,
    "alphabeta": alphabeta_of_trees,
    "alphabeta-decided": decided_by_alphabeta,
}
"""The searches that can be sampled: algorithms by name, and alpha-beta on wins and losses."""


def most_trees(game: TreeGame, highest: int | None = None) -> int:
    """The number of trees that one call may sample before the sum of squares could exceed 63 bits,
    if at most `highest` leaves of each are examined (None: all)."""
    return int(NEVER // max(1, game.degree**game.height if highest is None else highest) ** 2)


def sample(
    game: TreeGame,
    algorithm: str,
    count: int,
    compile: bool | None = None,
    highest: int | None = None,
) -> Leaves:
    """Search trees 0 to count - 1 of a game (`Trees`) with one of `SEARCHES` and sum up the leaves
    that it examined.

    The same game gives the same sums on every machine, interpreted and compiled. `highest`: a
    limit, known to the caller, on the leaves that a search examines. Raises ValueError if there is
    no such search, for count < 0, and if the sums could exceed 63 bits.
    """
    if algorithm not in SEARCHES:
        raise ValueError(f"{algorithm!r} cannot be sampled; these can: {', '.join(SEARCHES)}")
    most = most_trees(game, highest)
    if not 0 <= count <= most:
        raise ValueError(
            f"{count} trees of degree {game.degree} and height {game.height} at once; 0 to {most} "
            f"are possible"
        )
    memory = memory_of(game)
    function = SEARCHES[algorithm]
    arguments = {"game": game, "depth": game.height, "count": count, "memory": memory}
    ready, _ = prepare(function, arguments, compile)
    ready(*arguments_for(function, arguments))
    return Leaves(count, memory.total, memory.squares, memory.checksum % (1 << 64))


def memory_of(game: TreeGame) -> Memory:
    """A memory that holds only counters."""
    sums: Spec = {
        "keeps_line": False,
        "haste": 0,
        "total": "i64",
        "squares": "i64",
        "checksum": "i64",
    }
    return new_memory(algorithm_named("alphabeta"), game.tree(0), game.height, 0, more=sums)


class SamplingMemory(PathSearchMemory, Protocol):
    """The memory of a search of many trees: the sums over them (see `Leaves`)."""

    total: int
    squares: int
    checksum: int
