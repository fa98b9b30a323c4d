"""How many leaves an algorithm examines, over very many trees that are drawn at random: the
searches of `prunus.algorithms`, compiled, with the loop over the trees compiled too, so that a tree
of four leaves costs nanoseconds and not a call from Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, Protocol

from prunus.algorithms.alphabeta import alphabeta
from prunus.algorithms.branch_and_bound import branch_and_bound
from prunus.algorithms.minimax import minimax
from prunus.core.game import INFINITY
from prunus.kernel.backends import prepare
from prunus.kernel.calling import arguments_for
from prunus.kernel.memory import NEVER, Memory
from prunus.run.registry import algorithm_named
from prunus.run.session import new_memory


class Trees(Protocol):
    """A game with many trees: `tree(number)` is the root of each; none is higher than `height`, no
    node has more than `degree` children."""

    degree: int
    height: int

    def tree(self, number: int) -> Any:
        """The root of a tree."""


class Leaves(NamedTuple):
    """The leaves that a search examined, over so many `trees`: their sum and the sum of their
    squares, exactly. `checksum`: the sum of the roots' values modulo 2**64."""

    trees: int
    total: int
    squares: int
    checksum: int


def minimax_of_trees(game: Any, depth: int, count: int, memory: Any) -> int:
    """Minimax on trees 0 to count - 1."""
    for number in range(count):
        before = memory.nodes - memory.interior
        note(memory, before, minimax(game, game.tree(number), depth, memory))
    return memory.checksum


def branch_and_bound_of_trees(game: Any, depth: int, count: int, memory: Any) -> int:
    """F1 on trees 0 to count - 1."""
    for number in range(count):
        before = memory.nodes - memory.interior
        note(memory, before, branch_and_bound(game, game.tree(number), depth, INFINITY, memory))
    return memory.checksum


def alphabeta_of_trees(game: Any, depth: int, count: int, memory: Any) -> int:
    """Alpha-beta on trees 0 to count - 1."""
    for number in range(count):
        before = memory.nodes - memory.interior
        note(memory, before, alphabeta(game, game.tree(number), depth, -INFINITY, INFINITY, memory))
    return memory.checksum


def decided_by_alphabeta(game: Any, depth: int, count: int, memory: Any) -> int:
    """Alpha-beta on trees 0 to count - 1 whose values are 1 and -1, with the window that says
    so."""
    for number in range(count):
        before = memory.nodes - memory.interior
        note(memory, before, alphabeta(game, game.tree(number), depth, -1, 1, memory))
    return memory.checksum


def note(memory: Any, before: int, value: int) -> None:
    """A tree is done, `before` leaves after the first one of the first tree."""
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
"""What can be sampled: algorithms by their names, and alpha-beta on wins and losses."""


def most_trees(game: Trees, highest: int | None = None) -> int:
    """How many trees one call may sample before the sum of squares could pass 63 bits, where at
    most `highest` leaves of each are examined (None: all)."""
    return int(NEVER // max(1, game.degree**game.height if highest is None else highest) ** 2)


def sample(
    game: Any, algorithm: str, count: int, compile: bool | None = None, highest: int | None = None
) -> Leaves:
    """Search trees 0 to count - 1 of a game (`Trees`) with one of `SEARCHES` and sum up the leaves
    that it examined.

    The same game gives the same sums on every machine, interpreted and compiled. `highest`: the
    caller knows that no search examines more leaves. Raises ValueError where there is no such
    search, for count < 0, and where the sums could pass 63 bits.
    """
    if algorithm not in SEARCHES:
        raise ValueError(f"there is no sampling of {algorithm!r}; there is {', '.join(SEARCHES)}")
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


def memory_of(game: Any) -> Memory:
    """A memory that keeps nothing but counters."""
    sums: dict[str, Any] = {
        "keeps_line": False,
        "haste": 0,
        "total": "i64",
        "squares": "i64",
        "checksum": "i64",
    }
    return new_memory(algorithm_named("alphabeta"), game.tree(0), game.height, 0, settings=sums)
