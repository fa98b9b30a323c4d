"""How an algorithm can be watched: which calls of its procedures are nodes, and where it keeps its
values. The registry declares this for each algorithm."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import ClassVar, Literal

from prunus.core.game import INFINITY
from prunus.core.generic import Keywords
from prunus.kernel.calling import arguments_for, parameters_of
from prunus.kernel.memory import Memory
from prunus.kernel.traced import Procedure, WatchedGame, with_stand_ins
from prunus.run.bounds import LEAVES
from prunus.run.lines import Lines
from prunus.run.recording import Recorder
from prunus.view.events import Node, Payoffs

Scale = Literal["mover", "MAX", "payoffs"]
"""Whose point of view the values of an algorithm take: the player to move in the node, MAX
throughout, or each player for his own payoff."""


@dataclass(frozen=True, kw_only=True)
class Calls:
    """An algorithm that calls itself: a call of one of the procedures `nodes` is a node. Its local
    variable `best` is the best value so far; if other procedures have the loop over the actions
    (`holders`), it is theirs; None: it is not watched. Raises TypeError for a procedure without
    such a variable."""

    nodes: tuple[Procedure, ...]
    best: str | None = "best"
    holders: tuple[Procedure, ...] = ()
    scale: Scale = "mover"
    has_list: ClassVar[bool] = False
    has_merits: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for each in (self.holders or self.nodes) if self.best is not None else ():
            if self.best not in each.__code__.co_varnames:
                raise TypeError(
                    f"{each.__name__} has no variable {self.best!r} to watch: name the one with "
                    f"the best value so far as `best`"
                )

    @property
    def exact_leaves(self) -> frozenset[str]:
        """The kinds of leaves whose values are never bounds. An algorithm that keeps its best value
        in alpha itself returns no value outside the window, not even a leaf's (fail-hard)."""
        return frozenset() if self.best == "alpha" else LEAVES

    @property
    def procedures(self) -> tuple[Procedure, ...]:
        """The procedures that are watched."""
        return tuple(dict.fromkeys((*self.nodes, *self.holders)))

    def lines_of(self, function: Procedure) -> Lines:
        """What knows the running lines of the algorithm whose entrance is `function`."""
        return Lines((function, *self.procedures), self.procedures, self.best)

    @property
    def has_windows(self) -> bool:
        """Whether nodes are searched with a window of MAX's."""
        return self.scale != "payoffs" and any(
            {"beta", "bound"} & set(parameters_of(each)) for each in self.nodes
        )

    def observe(self, function: Procedure, arguments: Keywords, recorder: Recorder) -> int:
        """Run the algorithm with these arguments; the result is what it returns."""
        return _CallObserver(self, arguments, recorder).run(function, arguments)


@dataclass(frozen=True, kw_only=True)
class Visits:
    """An algorithm without recursion, whose nodes lie in arrays of its memory. A call of `visit`
    visits the node whose place in the arrays is its argument `node`; a call of `hand_over` hands
    the value of a finished node to its parent. `state`, `depth`, `parent`, `action` and `value`
    name the arrays: State, plies left, place of the parent, action that led here, value. `status`
    names the array of an algorithm that solves nodes in another order; `solved` is its item for a
    solved node; its values are merits then. `has_windows`: the values of ancestors bound those
    below. `has_list`: the nodes in the arrays are the list L, the last one first."""

    visit: Procedure
    hand_over: Procedure
    state: str
    depth: str
    parent: str
    action: str
    value: str
    status: str = ""
    solved: int = 0
    scale: Scale = "mover"
    has_windows: bool = False
    has_list: bool = False
    exact_leaves: ClassVar[frozenset[str]] = LEAVES

    @property
    def has_merits(self) -> bool:
        """Whether values are merits, which fall until a node is solved."""
        return bool(self.status)

    @property
    def procedures(self) -> tuple[Procedure, ...]:
        """The procedures that are watched."""
        return self.visit, self.hand_over

    def lines_of(self, function: Procedure) -> Lines:
        """What knows the running lines of the algorithm whose entrance is `function`."""
        return Lines((function, *self.procedures))

    def observe(self, function: Procedure, arguments: Keywords, recorder: Recorder) -> int:
        """Run the algorithm with these arguments; the result is what it returns."""
        return _VisitObserver(self, arguments["memory"], recorder).run(function, arguments)


Watch = Calls | Visits


def for_max(value: int, node: Node, scale: Scale) -> int:
    """A value of a node, as MAX sees it."""
    return int(value) if scale == "MAX" or node.maximizing else -int(value)


class _Open:
    """A node whose call has not returned: the frame that holds its best value, once there is one,
    and that value as last seen."""

    def __init__(self, node: Node, seen: int) -> None:
        self.node, self.seen = node, seen
        self.frame: FrameType | None = None
        self.made = 0
        """The number of children that all nodes had made when this one began."""


class _CallObserver:
    def __init__(self, watch: Calls, arguments: Keywords, recorder: Recorder) -> None:
        self.watch, self.recorder, self.memory = watch, recorder, arguments["memory"]
        self.game = WatchedGame(arguments["game"])
        self.holders: set[CodeType] = {each.__code__ for each in watch.holders or watch.nodes}
        self.path: list[_Open] = []
        self.lines = recorder.follower or Lines(())

    def run(self, function: Procedure, arguments: Mapping[str, object]) -> int:
        watched = with_stand_ins(function, self.watch.nodes, self._stand_in)
        try:
            with self.lines.following():
                value: int = watched(*arguments_for(function, {**arguments, "game": self.game}))
            return value
        finally:
            # The copies and their namespaces are a circle that knows this observer, and so are open
            # nodes and frames. The search's memory is not to last until Python looks for circles.
            for each in self.path:
                each.frame = None
            del self.memory

    def _stand_in(self, original: Procedure, copy: Procedure) -> Procedure:
        names = parameters_of(original)

        def node(*given: object) -> int:
            named: Keywords = dict(zip(names, given, strict=True))
            start = None if self.path or self.lines.now() else original.__code__.co_firstlineno
            with self.lines.at(original.__code__, start):
                entered = self._enter(named, sys._getframe(1))
            entered.made, hits = len(self.game.made), self.memory.table_hits
            value: int = copy(*given)
            del self.game.made[entered.made :]
            self._leave(entered, value, self.memory.table_hits > hits, named.get("depth", 0))
            return value

        return node

    def _enter(self, named: Keywords, caller: FrameType) -> _Open:
        above = self.path[-1] if self.path else None
        action = None
        if above is not None:
            action = self.game.action_to(named["state"], above.made)
            above.frame = above.frame or self._holder(caller)
            self._look_at_best(above)
            self.lines.goes_on(above.frame)
        parent = None if above is None else above.node
        alpha, beta = self._window(named, parent)
        node = self.recorder.enter(
            parent, action, named["state"], max(0, named.get("depth", 0)), alpha, beta
        )
        self.path.append(_Open(node, named.get(self.watch.best or "", -INFINITY)))
        return self.path[-1]

    def _window(self, named: Keywords, parent: Node | None) -> tuple[int, int]:
        """The window of a call, as MAX sees it."""
        alpha: int = named.get("alpha", -INFINITY)
        beta: int = named["beta"] if "beta" in named else named.get("bound", INFINITY)
        if self.watch.scale == "payoffs":
            return -INFINITY, INFINITY
        if self.watch.scale == "MAX" or self.recorder.side_of(parent, named["state"]):
            return alpha, beta
        return -beta, -alpha

    def _leave(self, entered: _Open, value: int, remembered: bool, depth: int) -> None:
        self.path.pop()
        node = entered.node
        self._look_at_best(entered)
        entered.frame = None  # a frame that knows this node was called by it
        payoffs = self._payoffs(depth) if self.watch.scale == "payoffs" else None
        told = (
            for_max(value, node, self.watch.scale)
            if payoffs is None
            else payoffs[self._first_player(node)]
        )
        ended, self.lines.ended = self.lines.ended, None
        with nullcontext() if ended is None else self.lines.at(ended.code, ended.line, ended.left):
            self.recorder.leave(node, told, remembered, payoffs)
        if self.path:
            self.recorder.come_back(self.path[-1].node, node, told)

    def _holder(self, frame: FrameType | None) -> FrameType | None:
        """The nearest frame that holds the best value of the node that is being searched."""
        while frame is not None and frame.f_code not in self.holders:
            frame = frame.f_back
        return frame

    def _look_at_best(self, of: _Open) -> None:
        if of.frame is None or self.watch.best is None:
            return
        best = of.frame.f_locals.get(self.watch.best)
        if best is not None and best != of.seen and abs(best) < INFINITY:
            of.seen = best
            with self.lines.at(of.frame.f_code, self.lines.changed(of.frame)):
                self.recorder.improve(of.node, for_max(best, of.node, self.watch.scale))

    def _payoffs(self, depth: int) -> Payoffs:
        players = self.recorder.game.players
        return tuple(int(self.memory.payoff[depth * players + player]) for player in range(players))

    def _first_player(self, node: Node) -> int:
        return int(self.recorder.game.to_move(self.recorder.root_of(node).state))


class _VisitObserver:
    def __init__(self, watch: Visits, memory: Memory, recorder: Recorder) -> None:
        self.watch, self.recorder, self.memory = watch, recorder, memory
        self.at: dict[int, Node] = {}
        self.merits: dict[int, int] = {}
        """The merits of the nodes of SSS* when they were visited."""

    def run(self, function: Procedure, arguments: Mapping[str, object]) -> int:
        stand_ins: dict[Procedure, Callable[[Procedure, int, tuple[object, ...]], object]]
        stand_ins = {self.watch.visit: self._visit, self.watch.hand_over: self._hand_over}

        def stand_in(original: Procedure, copy: Procedure) -> Procedure:
            place = parameters_of(original).index("node")
            return lambda *given: stand_ins[original](copy, given[place], given)

        try:
            value: int = with_stand_ins(function, stand_ins, stand_in)(
                *arguments_for(function, arguments)
            )
            self._finish(0)
        finally:
            del self.memory  # as above
        for node in self.recorder.nodes:
            if not node.is_finished:
                self.recorder.give_up(node)
        return value

    def _visit(self, copy: Procedure, place: int, given: tuple[object, ...]) -> object:
        parent = self.at[self._field("parent", place)] if place else None
        action = self._field("action", place) if place else None
        state, depth = self._field("state", place), self._field("depth", place)
        if self.watch.has_merits:
            self.merits[place] = self._field("value", place)
        self.at[place] = self.recorder.enter(parent, action, state, depth, *self._window(parent))
        result = copy(*given)
        if depth == 0 or self.recorder.game.is_terminal(state):
            self._finish(place)
        return result

    def _hand_over(self, copy: Procedure, place: int, given: tuple[object, ...]) -> object:
        self._finish(place)
        above = self._field("parent", place)
        child, parent = self.at[place], self.at[above]
        before = self._field("value", above)
        result = copy(*given)
        self.recorder.come_back(parent, child, child.value if child.value is not None else INFINITY)
        after = self._field("value", above)
        if after != before and abs(after) < INFINITY:
            told = for_max(after, parent, self.watch.scale)
            self.recorder.improve(parent, told, self.watch.has_merits)
        if self.watch.status and self._field("status", above) == self.watch.solved:
            self._finish(above)
        return result

    def _finish(self, place: int) -> None:
        """Record that a node's value is known, once."""
        node = self.at[place]
        if not node.is_finished:
            value = for_max(self._field("value", place), node, self.watch.scale)
            self.recorder.leave(node, value, merit=self.merits.get(place))

    def _field(self, name: str, place: int) -> int:
        return getattr(self.memory, getattr(self.watch, name))[place]

    def _window(self, parent: Node | None) -> tuple[int, int]:
        """The window that the best values of a node's ancestors leave it."""
        alpha, beta = -INFINITY, INFINITY
        above = (
            []
            if parent is None or not self.watch.has_windows
            else [parent, *self.recorder.ancestors(parent)]
        )
        for ancestor in above:
            if ancestor.best is not None:
                alpha = max(alpha, ancestor.best) if ancestor.maximizing else alpha
                beta = beta if ancestor.maximizing else min(beta, ancestor.best)
        return alpha, beta
