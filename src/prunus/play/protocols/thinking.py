"""A search that is asked for by a protocol, and runs while the conversation goes on."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from typing import Final

from prunus.algorithms.repetition import allowed_actions, is_over
from prunus.core.analysis import Analysis
from prunus.core.errors import PrunusError
from prunus.core.game import Game
from prunus.core.position import Position
from prunus.engine.options import Options
from prunus.kernel import threads
from prunus.play.levels import Level
from prunus.play.protocols.orders import Orders
from prunus.run.clock import Allotment
from prunus.run.driver import analyze, iterations
from prunus.run.limits import Limit, Stop
from prunus.run.soon import compile_at_once
from prunus.tables.transposition import TranspositionTable

ALGORITHM: Final = "engine"
HASTE: Final = 0.003
"""With fewer seconds than this for a move, a single iteration has to do."""

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


class Brain:
    """A game with its table and settings; `multi_pv` is the number of best actions to report,
    `level` what weakens the player (None: nothing does)."""

    def __init__(
        self,
        game: Game,
        options: Options,
        threads: int = 1,
        megabytes: float = 64,
        compile: bool | None = None,
    ) -> None:
        self.game, self.options, self.compile = game, options, compile
        self.threads, self.megabytes, self.multi_pv = threads, megabytes, 1
        self.table: TranspositionTable | None = None
        self.level: Level | None = None
        self.random = random.Random()  # noqa: S311 - a game, not a secret
        game.freeze()
        compile_at_once(game, ALGORITHM)

    def memory(self) -> TranspositionTable:
        """The table, of the size that is asked for now."""
        if self.table is None or self.table.megabytes != self.megabytes:
            start = self.game.initial()
            self.table = TranspositionTable(self.megabytes, self.game, start, loose=True)
        return self.table

    def forget(self) -> None:
        """Empty the table: another game begins."""
        if self.table is not None:
            self.table.clear()

    def warm_up(self) -> None:
        """Get the machine code ready."""
        start = self.game.initial()
        if not self.game.is_terminal(start):
            for _ in self.steps(Position(start), Limit(2), Stop()):
                pass
            self.forget()

    def steps(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Analysis]:
        """The iterations of a search."""
        yield from iterations(
            self.game,
            position,
            ALGORITHM,
            limit,
            prefer_faster=True,
            compile=self.compile,
            table=self.memory(),
            threads=self.threads,
            options=self.options,
            stop=stop,
        )

    def single(self, position: Position, limit: Limit, stop: Stop, multi_pv: int = 1) -> Analysis:
        """One search, with the values of the best actions."""
        return analyze(
            self.game,
            position,
            ALGORITHM,
            limit=limit,
            multi_pv=multi_pv,
            prefer_faster=True,
            compile=self.compile,
            table=self.memory(),
            threads=self.threads,
            options=self.options,
            stop=stop,
            book=False,
        )

    def first_action(self, position: Position) -> int | None:
        """The action to make if nothing is known; None if there is none."""
        if self.game.is_terminal(position.state):
            return None
        order = self.game.order
        allowed = allowed_actions(self.game, position.path)
        return max(allowed, key=lambda action: order(position.state, action), default=None)


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
            self.allotment = self.orders.allotment(self.seat, self.overhead)
        self.future = threads.start(self._run)

    def stop(self) -> None:
        """End the search at its next node."""
        self.halt.now()
        self.may_end.set()

    def hit(self) -> None:
        """The expected reply has been made: from now on the clock of this player runs."""
        if not self.pondering:
            return
        self.pondering = False
        self.allotment = self.orders.allotment(self.seat, self.overhead)
        thought = time.perf_counter() - self.began
        soft, hard = self.allotment.soft, self.allotment.hard
        if hard is not None:
            # What was thought on the opponent's time counts as thought.
            enough = soft is not None and self.best and thought >= soft
            self.timer = threading.Timer(0.0 if enough else hard, self.stop)
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
        elif self.brain.multi_pv > 1:
            self._several()
        else:
            for found in self.brain.steps(self.position, self._limit(), self.halt):
                self._note(found)
                if self._is_enough(found):
                    return

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
            if found.moves is None or found.interrupted:
                return
            rest = [move for move in found.moves if move.action != found.best]
            rest = [move for move in rest if move.bound == "exact"]
            rest.sort(key=lambda move: -move.value)
            for rank, move in enumerate(rest[: self.brain.multi_pv - 1], 2):
                line = self._whole(int(move.action), depth)
                nodes += line.nodes
                line.rank, line.value, line.nodes = rank, move.value, nodes
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
