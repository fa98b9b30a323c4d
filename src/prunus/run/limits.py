"""How long a search may go on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from prunus.algorithms.leaves import HASTE, LONGEST_LINE, WIDEST, BeyondScale, DeadEnd
from prunus.core.errors import SearchError
from prunus.core.game import Game
from prunus.kernel.memory import Memory


def dead_end_error(game: Game, state: Any) -> SearchError:
    """What to say of a State that is not terminal and has no action."""
    also = ", or worthwhile leaves out all there are" if game.has_worthwhile else ""
    return SearchError(
        f"{game.title()}: the position {game.format(state)} is not terminal but has no "
        f"action{also}; let is_terminal say that the game is "
        "over there, or give it an action (a pass). `prunus check` finds such positions"
    )


@contextmanager
def in_words(game: Game, memory: Memory) -> Iterator[None]:
    """A search of the game in this memory runs in here: raises SearchError where it comes to a
    State that is not terminal and has no action, or to a value that is too large for
    `prefer_faster`."""
    try:
        yield
    except DeadEnd as error:
        raise dead_end_error(game, memory.stuck[0]) from error
    except BeyondScale as error:
        raise SearchError(
            f"{game.title()}: prefer_faster multiplies values by {HASTE:,}, so that they have to "
            f"lie between {-WIDEST:,} and {WIDEST:,}; "
            "some do not: search without it, or let utility and evaluate give smaller numbers"
        ) from error


@dataclass(frozen=True)
class Limit:
    """What ends a search, all of it hard: plies to look ahead (None: to the end of the game),
    nodes, seconds.

    At a limit of nodes or seconds the answer is that of the last finished iteration, or a better
    partial one. `adaptive` lets a search with `seconds` that deepens step by step end sooner where
    its best action is settled; `single` lets any search that deepens end at once where there is
    only one action. `exact` says that the exact value is wanted, and not a good action soon: a game
    without an evaluation is then searched to its end although the nodes or seconds may not suffice,
    and the answer may be a limit of its value.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    adaptive: bool = False
    single: bool = False
    exact: bool = False

    def __post_init__(self) -> None:
        limit_of(self.depth)
        if self.nodes is not None and self.nodes < 1:
            raise SearchError(f"the limit of nodes is {self.nodes}; it is 1 or more")
        if self.seconds is not None and not self.seconds > 0:
            raise SearchError(f"the limit of seconds is {self.seconds}; it is more than 0")


def limit_of(depth: int | None) -> int:
    """The plies that a search may go for a depth as people give it. Raises SearchError below 0."""
    if depth is None:
        return LONGEST_LINE
    if not isinstance(depth, int) or isinstance(depth, bool):
        raise TypeError(f"the depth is a number of plies, not {depth!r}")
    if depth < 0:
        raise SearchError(f"the depth is {depth}; it is a number of plies, 0 or more")
    return min(depth, LONGEST_LINE)


class Clock:
    """Decides between iterations whether the next one is worth beginning, when a search may take
    `seconds`.

    A best action that has lasted, or that is far ahead of the others, is not looked at for long;
    one that has just changed is. An iteration is not begun where it could not be finished: each
    takes about as many times longer than the one before as that did. `ahead` is for the caller to
    set, when `may_be_ahead` says that it is worth finding out.
    """

    STABLE: Final = 4
    AHEAD: Final = 0.1
    """The part of the time after which an action that is far ahead is taken."""

    def __init__(self, limit: Limit) -> None:
        self.limit = limit
        self.times: list[float] = []
        self.best: list[int | None] = []
        self.ahead = False

    def may_be_ahead(self) -> bool:
        """Whether it matters now if the best action is far ahead of the others."""
        seconds = self.limit.seconds
        if (
            seconds is None
            or not self.limit.adaptive
            or len(self.times) < 3
            or len(set(self.best[-3:])) > 1
        ):
            return False
        return self.AHEAD * seconds < self.times[-1] and not self.is_over()

    def note(self, best: int | None, elapsed: float) -> None:
        """An iteration has ended with this best action, so many seconds after the beginning of the
        search."""
        self.ahead = False
        self.times.append(elapsed)
        self.best.append(best)

    def is_over(self) -> bool:
        """Whether to be content with what is known."""
        seconds = self.limit.seconds
        if seconds is None or not self.limit.adaptive or len(self.times) < 3:
            return False
        recent = self.best[-self.STABLE :]
        settled = len(recent) == self.STABLE and len(set(recent)) == 1
        changed = self.best[-1] != self.best[-2]
        share = self.AHEAD if self.ahead else 0.35 if settled else 1.0 if changed else 0.6
        elapsed = self.times[-1]
        last, before = elapsed - self.times[-2], self.times[-2] - self.times[-3]
        growth = min(10.0, max(1.5, last / before)) if before > 0 else 3.0
        return elapsed > share * seconds or elapsed + 0.5 * growth * last > seconds


class Stop:
    """Ends a search from outside: hand it to `analyze` or `iterations`, and call `now()` from any
    thread."""

    def __init__(self) -> None:
        self.requested = False
        self._memories: list[Memory] = []

    def now(self) -> None:
        """End the search at its next node; it answers with the best so far."""
        self.requested = True
        for memory in list(self._memories):
            memory.stop()

    def watch(self, memory: Memory) -> None:
        """A search begins in this memory."""
        self._memories.append(memory)
        if self.requested:
            memory.stop()

    def forget(self, memory: Memory) -> None:
        """The search in this memory is over."""
        self._memories.remove(memory)
