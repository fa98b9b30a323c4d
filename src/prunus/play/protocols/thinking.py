"""A search that is asked for by a protocol, and runs while the conversation goes on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from typing import Final

from prunus.algorithms.repetition import is_over
from prunus.core.analysis import Analysis
from prunus.core.errors import PrunusError
from prunus.core.position import Position
from prunus.kernel import threads
from prunus.play.protocols.brain import Brain
from prunus.play.protocols.orders import Orders
from prunus.run.clock import Allotment, expected_moves
from prunus.run.limits import Limit, Stop

HASTE: Final = 0.003
"""With fewer seconds than this for a move, a single iteration has to do."""

SILENCE: Final = 0.02
"""The seconds at the beginning of a search whose iterations are passed over, if it has an end:
nobody reads so fast, and in the shortest moves telling of each would take a quarter of the time."""

DEEPEST: Final = 200
"""Iterations of a search without a limit of depth that searches move by move."""


@dataclass
class Line:
    """What a search has found out about one of the best actions: `rank` 1 is the best; the value is
    for the player to move, `pv` begins with the action."""

    rank: int
    value: int
    pv: tuple[int, ...]
    depth: int
    nodes: int
    seconds: float
    bound: str = "exact"
    distance: int | None = None
    source: str = ""
    """Who knows the value, if it was not searched for."""


@dataclass
class Search:
    """A running search of a position, for the player of a seat. `tell` is called with each `Line`,
    `done` at the end with the best action and the expected reply; if the orders say `infinite` or
    `ponder`, not before `stop` or `hit`."""

    brain: Brain
    position: Position
    orders: Orders
    seat: int
    overhead: float
    tell: Callable[[Line], None]
    done: Callable[[int | None, int | None], None]
    fail: Callable[[Exception], None]
    began: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        self.halt = Stop()
        self.may_end = threading.Event()
        self.pondering = self.orders.ponder
        if not (self.orders.ponder or self.orders.infinite):
            self.may_end.set()
        self.best: tuple[int, ...] = ()
        self.timer: threading.Timer | None = None
        self.allotment = Allotment()
        self.future: Future[None] | None = None

    def start(self) -> None:
        """Begin."""
        if not self.pondering:
            self.allotment = self._allotted()
        self.future = threads.start(self._run)

    def _allotted(self) -> Allotment:
        moves = expected_moves(self.brain.game.repetition)
        return self.orders.allotment(self.seat, self.overhead, moves)

    def stop(self) -> None:
        """End the search at its next node."""
        self.halt.now()
        self.may_end.set()

    def hit(self) -> None:
        """The expected reply has been made: from now on the clock of this player runs."""
        if not self.pondering:
            return
        self.pondering = False
        self.allotment = self._allotted()
        thought = time.perf_counter() - self.began
        soft, hard = self.allotment.soft, self.allotment.hard
        if hard is not None:
            # What was thought on the opponent's time counts as thought.
            enough = soft is not None and self.best and thought >= soft
            wait = 0.0 if enough else min(hard, threading.TIMEOUT_MAX)
            self.timer = threading.Timer(wait, self.stop)
            self.timer.daemon = True
            self.timer.start()
        if not self.orders.infinite:
            self.may_end.set()

    def used(self) -> float:
        """The seconds of the search, up to its hard limit: what it took beyond is lag."""
        spent = time.perf_counter() - self.began
        return spent if self.allotment.hard is None else min(spent, self.allotment.hard)

    def join(self, seconds: float | None = None) -> None:
        """Wait for the end of the search."""
        if self.future is not None:
            wait([self.future], seconds)

    def is_running(self) -> bool:
        """Whether the last word has not been said."""
        return self.future is not None and not self.future.done()

    def _run(self) -> None:
        try:
            self._search()
        except (PrunusError, ArithmeticError, LookupError, RuntimeError, TypeError) as error:
            self.fail(error)
        if self.timer is not None:
            self.timer.cancel()
        self.may_end.wait()
        best = self.best[0] if self.best else self._fallback()
        self.done(best, self.best[1] if len(self.best) > 1 else None)

    def _fallback(self) -> int | None:
        chosen = self._chosen()
        return chosen[0] if chosen else self.brain.first_action(self.position)

    def _chosen(self) -> list[int]:
        """The actions that the orders restrict the search to."""
        game, state = self.brain.game, self.position.state
        return [game.action_named(state, name) for name in self.orders.only]

    def _search(self) -> None:
        game, past = self.brain.game, self.position.path
        if game.is_terminal(past[-1]) or (game.repetition == "forbidden" and is_over(game, past)):
            return
        level = self.brain.level
        drawn = None if level is None else level.draws(game, self.position, self.brain.random)
        if self.orders.only:
            self._by_action(self._chosen())
        elif drawn is not None:
            self.best = (drawn,)
        elif level is None and self._is_advised():
            return
        elif self.brain.multi_pv > 1:
            self._several()
        else:
            # A search that has no end yet may be asked at any time for what it has found.
            silence = 0.0 if self.orders.ponder or self.orders.infinite else SILENCE
            for found in self.brain.steps(self.position, self._limit(), self.halt, silence):
                self._note(found)
                if self._is_enough(found):
                    return

    def _is_advised(self) -> bool:
        """Ask the books and tables; whether they have answered. Analysis does without them."""
        if self.orders.infinite or self.brain.multi_pv > 1:
            return False
        advice = self.brain.shelf.advise(self.position, self.brain.random)
        if advice is None:
            return False
        self.best = advice.actions[:1]
        if len(advice.actions) > 1:
            self._by_action(list(advice.actions))
        if advice.value is not None and self.best:
            said = f"{advice.source}: {'proved' if advice.proved else 'not proved'}"
            spent = time.perf_counter() - self.began
            self.tell(Line(1, advice.value, self.best, 1, 1, spent, source=said))
        return True

    def _limit(self, depth: int | None = None) -> Limit:
        orders, hard = self.orders, self.allotment.hard
        if orders.mate is not None:
            wanted = 2 * orders.mate - 1
            depth = wanted if depth is None else min(depth, wanted)
        if orders.depth is not None:
            depth = orders.depth if depth is None else min(depth, orders.depth)
        if hard is not None:
            hard = max(0.0005, hard - (time.perf_counter() - self.began))
        if self.allotment.hard is not None and self.allotment.hard < HASTE:
            depth = 1
        soft = self.allotment.soft if hard is not None and orders.move is None else None
        if soft is not None and hard is not None:
            soft = min(soft, hard)
        timed, nodes = soft is not None, orders.nodes
        if self.brain.level is not None:
            nodes = min(nodes or self.brain.level.nodes, self.brain.level.nodes)
        return Limit(depth, nodes, hard, timed, single=timed, soft=soft)

    def _is_enough(self, found: Analysis) -> bool:
        """Whether the search is to end although it could go on: it is no longer pondering, and has
        had its usual time."""
        soft = self.allotment.soft
        if not self.orders.ponder or self.pondering or soft is None:
            return self.halt.requested
        return self.halt.requested or time.perf_counter() - self.began >= soft

    def _note(self, found: Analysis) -> None:
        """Keep what an iteration has found, and tell it."""
        if found.best is None or found.value is None:
            return
        pv = found.pv if found.pv[:1] == (found.best,) else (int(found.best),)
        self.best = tuple(map(int, pv))
        statistics = found.statistics
        seconds = time.perf_counter() - self.began
        self.tell(
            Line(
                1,
                found.value,
                self.best,
                found.depth or len(self.best),
                statistics.nodes,
                seconds,
                found.bound,
                found.distance,
            )
        )

    def _depths(self) -> Iterator[int]:
        """The depths of a search whose iterations are separate searches."""
        last = self._limit().depth or DEEPEST
        for depth in range(1, last + 1):
            hard = self.allotment.hard
            soft = self.allotment.soft
            spent = time.perf_counter() - self.began
            if self.halt.requested or (hard is not None and spent >= (soft or hard)):
                return
            yield depth

    def _several(self) -> None:
        """Deepen, each time with the values of several best actions."""
        nodes = 0
        for depth in self._depths():
            found = self.brain.single(
                self.position, self._limit(depth), self.halt, self.brain.multi_pv
            )
            nodes += found.statistics.nodes
            if found.interrupted and self.best:
                return
            self._note(found)
            if found.moves is None or found.value is None or found.interrupted:
                return
            rest = [move for move in found.moves if move.action != found.best]
            rest = [move for move in rest if move.bound == "exact"]
            rest.sort(key=lambda move: -move.value)
            for rank, move in enumerate(rest[: self.brain.multi_pv - 1], 2):
                line = self._whole(int(move.action), depth)
                nodes += line.nodes
                # The search said that no action is better than its best one. A second look at
                # another may say so if the options are selective.
                line.rank, line.value, line.nodes = rank, min(move.value, found.value), nodes
                line.seconds = time.perf_counter() - self.began
                self.tell(line)

    def _whole(self, action: int, depth: int) -> Line:
        """The line that begins with an action whose value is known: the table has the rest of it.
        Only the action if the search is stopped."""
        after = self.position.after(self.brain.game, action)
        line = None if self.halt.requested else self._after(action, after, depth)
        return line or Line(1, 0, (action,), depth, 0, 0.0)

    def _by_action(self, actions: list[int]) -> None:
        """Deepen, searching the positions after these actions one by one."""
        game, nodes = self.brain.game, 0
        for depth in self._depths():
            best: tuple[int, Line] | None = None
            for action in actions:
                after = self.position.after(game, action)
                line = self._after(action, after, depth)
                if line is None or (self.halt.requested and self.best):
                    return
                nodes += line.nodes
                if best is None or line.value > best[0]:
                    best = line.value, line
            assert best is not None
            line = best[1]
            line.nodes, line.seconds = nodes, time.perf_counter() - self.began
            self.best = line.pv
            self.tell(line)

    def _after(self, action: int, after: Position, depth: int) -> Line | None:
        """What is known of an action by a search of the position after it."""
        game = self.brain.game
        sign = 1 if game.keeps_turn(self.position.state, after.state) else -1
        if game.is_terminal(after.state):
            value = sign * game.utility(after.state)
            return Line(1, value, (action,), depth, 1, 0.0, distance=1)
        if depth == 1 and game.has_evaluate:
            return Line(1, sign * game.evaluate(after.state), (action,), depth, 1, 0.0)
        found = self.brain.single(after, self._limit(max(1, depth - 1)), self.halt)
        if found.value is None:
            return None
        pv = (action, *map(int, found.pv))
        distance = None if found.distance is None else found.distance + 1
        nodes = found.statistics.nodes
        return Line(1, sign * found.value, pv, depth, nodes, 0.0, distance=distance)
