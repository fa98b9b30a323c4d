"""The needs and capabilities of an algorithm, as `registry.py` declares them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from prunus.algorithms.remember import follow
from prunus.kernel.calling import together
from prunus.kernel.memory import Memory, Spec
from prunus.run.watching import Watch


@dataclass(frozen=True, kw_only=True)
class Algorithm:
    """An algorithm, what it needs and what it can do.

    `function` is called with those of game, state, depth, alpha, beta, bound and memory that its
    signature names. `fields` gives the fields of memory that it needs beyond those of `new_memory`
    (`run/memories.py`), for lines of `depth` plies and at most `room` remembered or open nodes.
    `begin` makes a memory ready for a search from the root, after `memories.begin`, which all
    algorithms share; `complete` finishes the principal variation. `extra_plies`: how much deeper
    than asked its memory lets it go; it then counts plies in `memory.ply`. `watch` says how it can
    be watched node by node.
    """

    name: str
    function: Callable[..., int]
    watch: Watch | None = None
    summary: str = ""
    source: str = ""
    fields: Callable[[int, int], Spec] | None = None
    complete: Callable[..., None] | None = None
    begin: Callable[[Memory], None] | None = None
    room: int = 0
    extra_plies: int = 0

    apart: str = ""
    """The different question that it answers; empty if its value is minimax's."""
    many_values: bool = False
    """Every action of the root gets its value; otherwise all but the best may get only a bound."""
    strategy: str = "once"
    """The sequence of its searches: "once", "deepen" or "aspiration" (deepening with a window
    around the last value)."""
    table: bool = False
    """It uses a transposition table."""
    threads: bool = False
    """It can use several threads."""
    options: bool = False
    """It has the options of the engine (`prunus.engine.options`)."""
    heeds_repetition: bool = False
    """It follows the game's rule of repetitions, and needs `repetition.path_fields` for that."""
    two_values: bool = False
    """It asks questions that have two answers, and so suits games of two values; in others it asks
    several."""
    several_players: bool = False
    """It is for games of more than two players."""

    @property
    def deepens(self) -> bool:
        """Whether it searches one depth after another, and so has an answer when it is stopped."""
        return self.strategy != "once"

    def capabilities(self) -> dict[str, bool]:
        """The algorithm's capabilities, by the names that `prunus algorithms` shows."""
        return {
            "exact": not self.apart,
            "many values": self.many_values,
            "deepens": self.deepens,
            "table": self.table,
            "threads": self.threads,
            "options": self.options,
            "repetition": self.heeds_repetition,
            "two values": self.two_values,
            "several": self.several_players,
            "traced": self.watch is not None,
        }

    @property
    def follows(self) -> bool:
        """Whether each of its searches begins with the line of the last."""
        return self.table and self.deepens

    @property
    def compiled(self) -> Callable[..., int]:
        """The function to compile: `function`, `together` with `follow` if the algorithm
        follows the last line."""
        return together(self.function, follow) if self.follows else self.function
