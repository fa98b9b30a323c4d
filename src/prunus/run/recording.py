"""The record of a watched search: its events, with the reason for each cut-off."""

from __future__ import annotations

from collections.abc import Iterator

from prunus.algorithms.repetition import DRAW, FORBIDDEN, LOSS, came_again, times_before
from prunus.core.errors import PrunusError
from prunus.core.game import INFINITY, Game
from prunus.run.bounds import LEAVES, Bounds
from prunus.run.lines import Line, Lines
from prunus.view.events import Cut, Enter, Event, Improve, Leave, Node, Payoffs, Return, follow


class TraceTooLarge(PrunusError, RuntimeError):
    """The search visits more nodes than the trace may hold."""


class Recorder:
    """The events of one search, and its nodes as far as it has got. All values that it is given are
    MAX's."""

    def __init__(
        self,
        game: Game,
        limit: int,
        past: tuple[object, ...] = (),
        rule: int = 0,
        path_rule: bool = False,
        lines: Lines | None = None,
        exact: frozenset[str] = LEAVES,
    ) -> None:
        """`rule`: the rule of repetitions that the algorithm heeds, after the States `past`.
        `path_rule`: the algorithm leaves out all steps back to a position, whatever the rules of
        the game say. `lines`: knows the line that runs at each event. `exact`: as in
        `Bounds`."""
        self.game, self.limit, self.past = game, limit, past
        self.ends, self.leaves_out, self.path_rule = (
            rule in (DRAW, LOSS),
            rule == FORBIDDEN or path_rule,
            path_rule,
        )
        self.events: list[Event] = []
        self.nodes: list[Node] = []
        self.bounds = Bounds(self.nodes, exact)
        self.follower, self.lines = lines, list[Line | None]()
        self.is_selective = False
        """Whether options of the search leave actions out that might have been better."""

    def note(self, event: Event) -> None:
        """Record the next event."""
        self.events.append(event)
        if self.follower is not None:
            self.lines.append(self.follower.now(cut=isinstance(event, Cut)))
        follow(self.nodes, event)

    def side_of(self, parent: Node | None, state: object) -> bool:
        """Whether MAX is to move in the child `state` of a node. With several players, MAX is the
        player to move at the root, against all others."""
        if parent is None:
            return True
        if self.game.players > 2:
            return bool(self.game.to_move(state) == self.game.to_move(self.root_of(parent).state))
        return parent.maximizing == bool(self.game.keeps_turn(parent.state, state))

    def enter(
        self,
        parent: Node | None,
        action: int | None,
        state: object,
        depth: int,
        alpha: int,
        beta: int,
    ) -> Node:
        """Record that a node is visited, with this window of MAX's. Raises TraceTooLarge."""
        number = len(self.nodes)
        if number >= self.limit:
            raise TraceTooLarge(
                f"the search visits more than {self.limit:,} nodes, too many to trace: search less "
                "deep, start nearer to the end, or raise the limit (--limit, in Python limit=)"
            )
        above = None if parent is None else parent.number
        side = self.side_of(parent, state)
        self.note(
            Enter(
                number,
                above,
                None if action is None else int(action),
                state,
                depth,
                side,
                finite(alpha),
                finite(beta),
            )
        )
        return self.nodes[number]

    def come_back(self, node: Node, child: Node, value: int) -> None:
        """Record that a child returns its value to its parent."""
        self.note(Return(node.number, child.number, finite(value)))

    def improve(self, node: Node, value: int, is_merit: bool = False) -> None:
        """Record the best value of a node so far. A merit limits no value."""
        low, high = node.low, node.high
        if node.maximizing:
            low = value if low is None else max(low, value)
        else:
            high = value if high is None else min(high, value)
        bound = "" if is_merit else self.bounds.sign_so_far(node, value)
        self.note(Improve(node.number, value, low, high, bound))

    def leave(
        self,
        node: Node,
        value: int,
        remembered: bool = False,
        payoffs: Payoffs | None = None,
        merit: int | None = None,
    ) -> None:
        """Record that a node is finished. The actions it did not visit were pruned; its value and
        its ancestors' values tell why. `merit`: in SSS*, its merit before it was examined."""
        told = finite(value)
        leaf = self._leaf(node)
        if leaf not in ("terminal", "horizon"):
            cut = self._cut(node, told, leaf, remembered, payoffs)
            if cut is not None and merit is not None:
                cut = Cut(node.number, cut.pruned, cut.repeating, "merit")
            if cut is not None:
                self.note(cut)
                leaf = "repetition" if cut.reason == "repetition" and not node.visited else leaf
        bound = ""
        if told is not None and payoffs is None:
            bound = (
                self.bounds.sign(node, told, leaf)
                if merit is None
                else self.bounds.sign_of_merit(node, told, merit, leaf)
            )
        self.note(Leave(node.number, told, leaf, payoffs, bound))

    def give_up(self, node: Node) -> None:
        """Record that the search ended before it finished a node."""
        pruned = self._unvisited(node)
        if pruned:
            self.note(Cut(node.number, pruned, (), "merit"))

    def _leaf(self, node: Node) -> str:
        if self.game.is_terminal(node.state):
            return "terminal"
        if (
            self.ends
            and not node.visited
            and came_again(self.game, self._path_above(node), node.state)
        ):
            return "repetition"
        return "horizon" if node.depth == 0 else ""

    def _unvisited(self, node: Node) -> tuple[int, ...]:
        return tuple(int(a) for a in self.game.actions(node.state) if int(a) not in node.visited)

    def _cut(
        self, node: Node, value: int | None, leaf: str, remembered: bool, payoffs: Payoffs | None
    ) -> Cut | None:
        if leaf == "repetition":
            return Cut(node.number, (), (), "repetition")
        pruned = self._unvisited(node)
        repeating: tuple[int, ...] = ()
        if self.leaves_out and pruned:
            path = (*self._path_above(node), node.state)
            again = times_before if self.path_rule else came_again
            repeating = tuple(
                action
                for action in pruned
                if again(self.game, path, self.game.result(node.state, action))
            )
            pruned = tuple(action for action in pruned if action not in repeating)
        if not pruned:
            return Cut(node.number, (), repeating, "repetition") if repeating else None
        if not node.visited:
            return Cut(node.number, pruned, repeating, "remembered" if remembered else "known")
        if payoffs is not None:
            return Cut(node.number, pruned, repeating, "payoff")
        if is_outside(node, value):
            return Cut(node.number, pruned, repeating, "bound", *self._cause(node))
        return Cut(node.number, pruned, repeating, "selective" if self.is_selective else "extreme")

    def _cause(self, node: Node) -> tuple[str, int | None]:
        """The kind of a cut-off, and the ancestor whose best value is the bound that the node's
        value has reached."""
        bound = node.beta if node.maximizing else node.alpha
        opponents = 0
        ancestor = node
        for ancestor in self.ancestors(node):
            if ancestor.maximizing != node.maximizing:
                opponents += 1
                # A best value outside the window is only a bound and sets nothing.
                if (
                    ancestor.best
                    == bound
                    != (ancestor.alpha if ancestor.maximizing else ancestor.beta)
                ):
                    return "shallow" if opponents == 1 else "deep", ancestor.number
        return (
            "" if bound == (ancestor.beta if node.maximizing else ancestor.alpha) else "window"
        ), None

    def ancestors(self, node: Node) -> Iterator[Node]:
        """The nodes above a node, from its parent up."""
        while node.parent is not None:
            node = self.nodes[node.parent]
            yield node

    def root_of(self, node: Node) -> Node:
        """The root above a node, or the node itself if it is the root."""
        return next((top for top in self.ancestors(node) if top.parent is None), node)

    def _path_above(self, node: Node) -> tuple[object, ...]:
        """The States before a node's own, from the start of the game."""
        states: list[object] = []
        below = node
        for ancestor in self.ancestors(node):
            if below.action is not None:  # otherwise the same position, searched once more
                states.append(ancestor.state)
            below = ancestor
        return (*self.past, *reversed(states))


def is_outside(node: Node, value: int | None) -> bool:
    """Whether a value is enough for a cut-off: beta or more at a node of MAX's, alpha or less at
    one of MIN's."""
    if value is None:
        return False
    if node.maximizing:
        return node.beta is not None and value >= node.beta
    return node.alpha is not None and value <= node.alpha


def finite(value: int) -> int | None:
    """A value or an end of a window; None if it is infinite."""
    return None if abs(value) >= INFINITY else int(value)
