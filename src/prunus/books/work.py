"""Searching many positions for a book: several at once, with progress, ended by Ctrl-C."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from prunus.books.positions import Positions
from prunus.run.driver import solve
from prunus.run.limits import Stop
from prunus.tables.errors import BookError
from prunus.tables.transposition import TranspositionTable

MEGABYTES = 512.0
"""The default size of the table that the searches of a book share."""


@dataclass(frozen=True)
class BookProgress:
    """The progress of making a book: positions solved before this run and in it, positions to solve
    in all, and the seconds of this run."""

    before: int
    done: int
    total: int
    seconds: float

    @property
    def left(self) -> float | None:
        """The seconds left at the speed of this run; None before anything is known."""
        return (
            self.seconds / self.done * (self.total - self.before - self.done) if self.done else None
        )


@dataclass(frozen=True)
class Resources:
    """The means of the searches for a book: the number of positions solved at once, the megabytes
    of the table that they share, and whether they are compiled (None: if possible)."""

    threads: int = 1
    megabytes: float = MEGABYTES
    compile: bool | None = None


USUAL: Final = Resources()


@dataclass
class Work:
    """Positions that several threads search, each one position at a time. `search` is called with
    the number of a position, and says whether it was finished before the stop."""

    numbers: Sequence[int]
    search: Callable[[int, Stop], bool]
    threads: int = 1
    watch: Callable[[int, float], None] | None = None
    stop: Stop = field(default_factory=Stop)
    errors: list[BaseException] = field(default_factory=list)
    done: int = 0

    def run(self) -> bool:
        """Search all positions; whether Ctrl-C has left some out."""
        rest, lock, began = iter(self.numbers), threading.Lock(), time.perf_counter()

        def work() -> None:
            try:
                while not self.stop.requested:
                    with lock:
                        number = next(rest, None)
                    if number is None:
                        return
                    if self.search(number, self.stop):
                        with lock:
                            self.done += 1
            except BaseException as error:  # raised again in the caller's thread
                self.errors.append(error)
                self.stop.now()

        helpers = [threading.Thread(target=work, daemon=True) for _ in range(self.threads)]
        for helper in helpers:
            helper.start()
        interrupted = self._wait(helpers, began)
        if self.errors:
            raise self.errors[0]
        return interrupted

    def _wait(self, helpers: list[threading.Thread], began: float) -> bool:
        interrupted = False
        while any(helper.is_alive() for helper in helpers):
            try:
                for helper in helpers:
                    helper.join(0.1)
                if self.watch is not None:
                    self.watch(self.done, time.perf_counter() - began)
            except KeyboardInterrupt:
                interrupted = True
                self.stop.now()
        return interrupted


def solving(
    positions: Positions,
    numbers: Sequence[int],
    solved: Callable[[int, int, int], None],
    using: Resources = USUAL,
    watch: Callable[[int, float], None] | None = None,
) -> Work:
    """The work of solving these positions to the end of the game. One thread solves each; the
    threads help each other through one table. `solved` is called with (number, value, best
    action)."""
    game = positions.game
    table = TranspositionTable(using.megabytes, game, positions.states[0])

    def search(number: int, stop: Stop) -> bool:
        state = positions.states[number]
        found = solve(
            game,
            state,
            algorithm="engine",
            table=table,
            compile=using.compile,
            stop=stop,
            book=False,
        )
        if found.interrupted:
            return False
        if not found.proved or found.value is None or found.best is None:
            raise BookError(f"{game.format(state)}: the search proved no value")
        solved(number, found.value, found.best)
        return True

    return Work(numbers, search, using.threads, watch)


def finish(
    work: Work,
    total: int,
    say: Callable[[str], None],
    watch: Callable[[BookProgress], None] | None,
) -> None:
    """Do the work, whose results are kept as they come. Raises KeyboardInterrupt after Ctrl-C."""
    before = total - len(work.numbers)
    if watch is not None:
        show = watch
        work.watch = lambda done, seconds: show(BookProgress(before, done, total, seconds))
    if work.run():
        say(
            f"stopped: {before + work.done:,} of {total:,} positions are solved and kept; the "
            f"same command continues from here"
        )
        raise KeyboardInterrupt
