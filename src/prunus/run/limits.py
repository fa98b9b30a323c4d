"""How long a search may go on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from numbers import Integral
from typing import Final

from prunus.algorithms.leaves import HASTE, LONGEST_LINE, WIDEST, BeyondScale, DeadEnd
from prunus.core.errors import SearchError
from prunus.core.game import Game, S
from prunus.kernel.memory import Memory


def dead_end_error(game: Game[S], state: S) -> SearchError:
    """The error for a State that is not terminal and has no action."""
    also = ", or worthwhile leaves out all of them" if game.has_worthwhile else ""
    return SearchError(
        f"{game.title()}: the position {game.format(state)} is not terminal but has no "
        f"action{also}; let is_terminal say that the game is "
        "over there, or give it an action (a pass). `prunus check` finds such positions"
    )


@contextmanager
def in_words(game: Game, memory: Memory) -> Iterator[None]:
    """A context for a search of the game in this memory: raises SearchError if the search comes to
    a State that is not terminal and has no action, or to a value that is too large for
    `prefer_faster`."""
    try:
        yield
    except DeadEnd as error:
        raise dead_end_error(game, memory.stuck[0]) from error
    except BeyondScale as error:
        raise SearchError(
            f"{game.title()}: prefer_faster multiplies values by {HASTE:,}, so they must "
            f"lie between {-WIDEST:,} and {WIDEST:,}; "
            "some do not: search without it, or let utility and evaluate return smaller numbers"
        ) from error


@dataclass(frozen=True)
class Limit:
    """Hard limits of a search: plies to look ahead (None: to the end of the game), nodes, seconds.

    At the limit of nodes or seconds, the answer is that of the last finished iteration, or a better
    partial one. `adaptive` lets a search with `seconds` that deepens step by step end sooner if its
    best action is settled; `single` lets any search that deepens end at once if there is only one
    action. `soft` is the time that an adaptive search usually takes (by default 0.6 of `seconds`);
    `seconds` is then the most that it may take. `exact` says that the exact value is wanted rather
    than a good action soon: a game without an evaluation is then searched to its end even if the
    nodes or seconds may not suffice, and the answer may be a bound on its value.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    adaptive: bool = False
    single: bool = False
    exact: bool = False
    soft: float | None = None

    def __post_init__(self) -> None:
        limit_of(self.depth)
        if self.nodes is not None and not is_integer(self.nodes):
            raise TypeError(f"the limit of nodes is {self.nodes!r}; it must be an integer")
        for name in ("depth", "nodes"):
            number = getattr(self, name)
            object.__setattr__(self, name, None if number is None else int(number))
        if self.nodes is not None and self.nodes < 1:
            raise SearchError(f"the limit of nodes is {self.nodes}; it must be 1 or more")
        for name in ("seconds", "soft"):
            seconds = getattr(self, name)
            if seconds is not None and not isinstance(seconds, int | float):
                raise TypeError(f"the limit of {name} is {seconds!r}; it must be a number")
            if seconds is not None and not seconds > 0:
                raise SearchError(f"the limit of {name} is {seconds}; it must be more than 0")


def is_integer(value: object) -> bool:
    """Whether the value is an integer, of Python or of NumPy, and not a truth value."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def limit_of(depth: int | None) -> int:
    """The most plies that a search may go, for a depth as a caller gives it. Raises SearchError for
    a depth below 0, and TypeError for one that is not an integer."""
    if depth is None:
        return LONGEST_LINE
    if not is_integer(depth):
        raise TypeError(f"the depth must be a number of plies, not {depth!r}")
    if depth < 0:
        raise SearchError(f"the depth is {depth}; it must be a number of plies, 0 or more")
    return min(int(depth), LONGEST_LINE)


class Clock:
    """Decides between iterations whether to begin the next one, in a search that may take `seconds`
    (`Limit.adaptive`).

    A best action that has lasted, or is far ahead of the others, gets little time; one that has
    just changed gets much. An iteration that could not be finished is not begun: the ratio of its
    time to that of the last iteration is taken to be the same as the last such ratio. `ahead` is
    for the caller to set, if `may_be_ahead` says that it is worth finding out.
    """

    STABLE: Final = 4
    AHEAD: Final = 0.1
    """The share of the time after which an action that is far ahead is taken."""
    USUAL: Final = 0.6
    """The share of the time that a search usually takes."""

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
        soon = seconds if self.limit.soft is None else self.limit.soft / self.USUAL
        return self.AHEAD * soon < self.times[-1] and not self.is_over()

    def note(self, best: int | None, elapsed: float) -> None:
        """Note that an iteration has ended with this best action, `elapsed` seconds after the
        beginning of the search."""
        self.ahead = False
        self.times.append(elapsed)
        self.best.append(best)

    def is_over(self) -> bool:
        """Whether to end the search with what is known."""
        seconds = self.limit.seconds
        if seconds is None or not self.limit.adaptive or len(self.times) < 3:
            return False
        recent = self.best[-self.STABLE :]
        settled = len(recent) == self.STABLE and len(set(recent)) == 1
        changed = self.best[-1] != self.best[-2]
        share = self.AHEAD if self.ahead else 0.35 if settled else 1.0 if changed else self.USUAL
        usual = self.USUAL * seconds if self.limit.soft is None else self.limit.soft
        elapsed = self.times[-1]
        last, before = elapsed - self.times[-2], self.times[-2] - self.times[-3]
        growth = min(10.0, max(1.5, last / before)) if before > 0 else 3.0
        return (
            elapsed > min(seconds, share / self.USUAL * usual)
            or elapsed + 0.5 * growth * last > seconds
        )


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
        """Note that a search begins in this memory."""
        self._memories.append(memory)
        if self.requested:
            memory.stop()

    def forget(self, memory: Memory) -> None:
        """Note that the search in this memory is over."""
        self._memories.remove(memory)


@contextmanager
def stopped_by(stop: Stop | None, memory: Memory) -> Iterator[None]:
    """A context for a search in this memory, which `stop`, if there is one, may end."""
    if stop is None:
        yield
        return
    stop.watch(memory)
    try:
        yield
    finally:
        stop.forget(memory)
