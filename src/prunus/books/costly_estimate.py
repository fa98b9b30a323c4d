"""An estimate of a book of costly positions, from a sample of those at its last ply."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from prunus.books.building import enumerated
from prunus.books.costly import ALONE, Costly, searched
from prunus.books.work import BookProgress, Resources, Work
from prunus.core.game import Game
from prunus.run.limits import Stop
from prunus.tables.errors import BookError


@dataclass
class CostEstimate:
    """Of the `total` positions at the last ply, `done` were searched, and `costly` of these cost
    more than they may. The searches up to that cost spent `nodes` nodes in `limited` seconds, those
    of the costly ones to the end so many more seconds (`solving`). `before` is the number of
    positions at earlier plies."""

    before: int
    total: int
    done: int = 0
    costly: int = 0
    nodes: int = 0
    limited: float = 0.0
    solving: float = 0.0

    def seconds(self, most: int, threads: int) -> float:
        """What the whole book takes, if each position before the last ply costs `most` nodes; it
        costs no more."""
        last = (self.limited + self.solving) / self.done * self.total
        return (last + self.before * most * self.limited / max(1, self.nodes)) / threads


def estimate_costly(
    game: Game,
    which: Costly,
    samples: int,
    *,
    seed: int = 0,
    using: Resources = ALONE,
    say: Callable[[str], None] = lambda text: None,
    watch: Callable[[BookProgress], None] | None = None,
) -> CostEstimate:
    """Search a random sample of the positions at the last ply as `build_costly_book` does. Ctrl-C
    ends it early. Raises BookError if `which` names no last ply."""
    if which.plies is None:
        raise BookError("an estimate needs to know the last ply: give --plies")
    game.freeze()
    positions = enumerated(game, which.plies, say)
    deepest, lock = positions.deepest(), threading.Lock()
    estimate = CostEstimate(deepest.start, len(deepest))
    searched(game, positions.states[0], 1, using)  # what is compiled first does not count

    def measure(number: int, stop: Stop) -> bool:
        state, began = positions.states[number], time.perf_counter()
        found = searched(game, state, which.nodes, using, stop)
        between = time.perf_counter()
        if found is None or (found.value is None and not searched(game, state, None, using, stop)):
            return False
        with lock:
            estimate.done += 1
            estimate.costly += found.value is None
            estimate.nodes += which.nodes if found.nodes is None else found.nodes
            estimate.limited += between - began
            estimate.solving += time.perf_counter() - between if found.value is None else 0.0
        return True

    def progress(done: int, seconds: float) -> None:
        if watch is not None:
            watch(BookProgress(0, done, len(chosen), seconds))

    chosen = random.Random(seed).sample(deepest, min(samples, len(deepest)))  # noqa: S311 - a sample, not a secret
    Work(chosen, measure, using.threads, progress).run()
    return estimate
