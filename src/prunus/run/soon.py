"""The first answer soon: a small search is over before its code would be compiled.

Where no machine code of a game is at hand and nobody asks for it, the search is begun interpreted.
What it finishes within `NODES` nodes and `SECONDS` is the answer, the same as compiled code would
give; otherwise the game is compiled, and the search begun anew. The first searches of a game by an
algorithm have these nodes and seconds together, so that many small ones are soon compiled too.

Where the time is limited it counts from the call on, and the interpreter has at least a part of it.
If the code is not ready when it is over, the interpreter's answer is what is known; compiling goes
on in the background, for the next search.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from prunus.core.analysis import Analysis
from prunus.core.game import Game
from prunus.kernel.code.hand import is_at_hand
from prunus.kernel.code.recent import Recent
from prunus.kernel.code.rules import rules_of
from prunus.kernel.waiting import NotReady
from prunus.run.limits import Limit
from prunus.run.progress import Timer
from prunus.run.registry import Algorithm
from prunus.run.session import Setup
from prunus.tables.transposition import TranspositionTable

NODES = 2_000
"""The nodes of a game's first searches that are interpreted; 0: none are, and no clock runs while
something is compiled."""

SECONDS: Final = 1.0
"""The seconds that they may take, and the most that the interpreter has of a limited time."""

SHARE: Final = 0.2
"""The part of a limited time that the interpreter has at least."""

LATE: Final = 100
"""The nodes of an interpreted search that is begun when the time is over already, because code that
was thought to be at hand is not."""

GAMES: Final = 256


@dataclass
class Allowance:
    """What is left of the nodes and the seconds in which the first searches of a game are
    interpreted."""

    nodes: int
    seconds: float
    waits: bool = False

    def spend(self, nodes: int, seconds: float) -> None:
        """A search has taken these."""
        self.nodes -= nodes
        self.seconds -= seconds

    def is_spent(self) -> bool:
        """Whether the next search is to be compiled."""
        return self.nodes <= 0 or self.seconds <= 0


_allowances: Recent[tuple[type, str, str], Allowance] = Recent(GAMES)


def allowance_of(game: Game, algorithm: str) -> Allowance:
    """The allowance of a game's searches by an algorithm, by the rules as they are now."""
    key = (type(game), rules_of(game).name, algorithm)
    return _allowances.get(key) or _allowances.put(key, Allowance(NODES, SECONDS))


def compile_at_once(game: Game, algorithm: str) -> None:
    """From now on searches of the game by this algorithm wait for their code, for which no clock
    runs: they are to be compared with others, or are played against."""
    allowance_of(game, algorithm).waits = True


def is_hurried(game: Game, algorithm: str, compile: bool | None) -> bool:
    """Whether the first answer of such a search is to be there soon; machine code that is demanded
    is waited for."""
    return (
        compile is None
        and NODES > 0
        and not game.interpreted_only
        and not allowance_of(game, algorithm).waits
    )


def first_answer(
    game: Game,
    state: Any,
    algorithm: Algorithm,
    limit: Limit,
    setup: Setup,
    answer: Callable[[Setup], Analysis],
) -> Analysis:
    """What `answer` says, which searches as the setup that it is given tells: interpreted or
    compiled. `setup.table` is one that nobody else knows, unless there is a deadline."""
    began = time.perf_counter()
    early = None
    if not is_at_hand(algorithm.function, game):
        early, is_last = _tried(game, state, algorithm, limit, setup, answer)
        if early is not None and is_last:
            return early
    try:
        found = answer(setup)
    except (NotReady, KeyboardInterrupt) as reason:
        if early is None:
            if isinstance(reason, KeyboardInterrupt):
                raise
            early = answer(_interpreted(game, state, setup, LATE, None))
        waited = time.perf_counter() - began - early.statistics.seconds
        return replace(
            early,
            interrupted=True,
            statistics=replace(early.statistics, compile_seconds=max(0.0, waited)),
        )
    return early if early is not None and _knows_more(early, found) else found


def _tried(
    game: Game,
    state: Any,
    algorithm: Algorithm,
    limit: Limit,
    setup: Setup,
    answer: Callable[[Setup], Analysis],
) -> tuple[Analysis | None, bool]:
    """What the interpreter finds in its part of the time (None: it has none), and whether that is
    the answer."""
    allowance = allowance_of(game, algorithm.name)
    first = _beginning(game, state, limit, setup, allowance)
    if first is None:
        return None, False
    began = time.perf_counter()
    early = answer(first)
    work = early.statistics.nodes + (early.moves_statistics.nodes if early.moves_statistics else 0)
    allowance.spend(work, time.perf_counter() - began)
    return early, _is_answer(first, limit, setup, allowance)


def _beginning(
    game: Game, state: Any, limit: Limit, setup: Setup, allowance: Allowance
) -> Setup | None:
    """The setup of the interpreter's part of a search; None where it has none."""
    if allowance.is_spent() and limit.seconds is None:
        return None
    nodes = None if limit.seconds is not None else allowance.nodes
    seconds = max(
        allowance.seconds, 0.0 if limit.seconds is None else min(SECONDS, SHARE * limit.seconds)
    )
    return _interpreted(game, state, setup, nodes, time.perf_counter() + seconds)


def _is_answer(first: Setup, limit: Limit, setup: Setup, allowance: Allowance) -> bool:
    """Whether what an interpreted search with the setup `first` has found is the answer to a search
    with `setup`."""
    ended = first.timer.ended
    if "asked" in ended or not ended:
        return True
    if "time" in ended:
        is_over = setup.until is not None and time.perf_counter() >= setup.until
        return is_over and not allowance.is_spent()
    return limit.nodes is not None and first.nodes is not None and limit.nodes <= first.nodes


def first_iterations(
    game: Game,
    state: Any,
    algorithm: Algorithm,
    limit: Limit,
    setup: Setup,
    iterate: Callable[[Setup], Iterator[Analysis]],
) -> Iterator[Analysis]:
    """What `iterate` yields, which deepens as the setup that it is given tells: interpreted while
    there is no code, then compiled from where the interpreter has come to. The last may be of an
    iteration that was stopped."""
    early = None
    if not is_at_hand(algorithm.function, game):
        allowance = allowance_of(game, algorithm.name)
        first = _beginning(game, state, limit, setup, allowance)
        if first is not None:
            began, work = time.perf_counter(), 0
            stopped = None
            for found in iterate(first):
                work += found.statistics.nodes
                if found.interrupted:
                    stopped = found
                    break
                early = found
                yield found
            allowance.spend(work, time.perf_counter() - began)
            if _is_answer(first, limit, setup, allowance):
                if stopped is not None:
                    yield stopped
                return
    try:
        for found in iterate(setup):
            if early is None or _goes_further(found, early):
                yield found
    except NotReady:
        if early is None:
            yield from iterate(_interpreted(game, state, setup, LATE, None))


def _goes_further(found: Analysis, early: Analysis) -> bool:
    """Whether an iteration tells more than the interpreter's last one."""
    return not _knows_more(early, found) and (
        found.proved or found.interrupted or (found.depth or 0) > (early.depth or 0)
    )


def _interpreted(
    game: Game, state: Any, setup: Setup, nodes: int | None, until: float | None
) -> Setup:
    """The setup of an interpreted search, with a table of its own, that ends after so many nodes or
    at this time if not before."""
    table = None if setup.table is None else TranspositionTable(setup.table.megabytes, game, state)
    counts = [count for count in (nodes, setup.nodes) if count is not None]
    times = [moment for moment in (until, setup.until) if moment is not None]
    setup = replace(setup, compile=False, threads=1, table=table, timer=Timer(), seconds=None)
    return replace(setup, nodes=min(counts, default=None), until=min(times, default=None))


def _knows_more(early: Analysis, found: Analysis) -> bool:
    """Whether the compiled search, which had little time left, has come to less than the
    interpreted one."""
    if not found.interrupted or found.proved:
        return False
    return found.best is None or early.proved or (early.depth or 0) > (found.depth or 0)
