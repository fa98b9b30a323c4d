"""Whether the value of a watched node is exact or only a bound: the one rule from which every
picture and every text of a trace has its signs."""

from __future__ import annotations

from math import inf
from typing import Final, NamedTuple

from prunus.view.events import Node


class Limits(NamedTuple):
    """What a node is worth at least and at most, for MAX."""

    low: float
    high: float


UNKNOWN: Final = Limits(-inf, inf)

LEAVES: Final = frozenset({"terminal", "horizon", "repetition"})
"""The kinds of leaves (`Node.leaf`)."""


class Bounds:
    """The limits of all finished nodes of a search. They follow from the leaves that it visited:
    what it did not visit may be worth anything. A leaf is worth exactly its value, so a node below
    which nothing was left out that matters has an exact value, even if that lies outside its
    window. What a search knows without visiting it (a table, knowledge of the position) shows in
    the window alone: a value inside it is exact, one that is alpha or less an upper bound, one that
    is beta or more a lower bound.
    """

    def __init__(self, nodes: list[Node], exact: frozenset[str] = LEAVES) -> None:
        """`nodes`: those of the search so far, a list that grows. `exact`: the kinds of leaves
        whose values are never bounds."""
        self.nodes, self.exact = nodes, exact
        self._limits: dict[int, Limits] = {}

    def sign_so_far(self, node: Node, value: int) -> str:
        """Of an open node: whether it is worth at least (`≥`) or at most (`≤`) its best value so
        far, `value`; empty if that says neither."""
        low, high = self._of_children(node, is_whole=False)
        if node.maximizing:
            return "≥" if value <= low or node.alpha is None or value > node.alpha else ""
        return "≤" if value >= high or node.beta is None or value < node.beta else ""

    def sign(self, node: Node, value: int, leaf: str) -> str:
        """Of a node that is being finished, after its cut-off has been recorded: whether it is
        worth at least (`≥`) or at most (`≤`) this value; empty if it is worth exactly that."""
        window = _by_window(value, node.alpha, node.beta)
        if leaf:
            seen = Limits(value, value) if leaf in self.exact else UNKNOWN
        else:
            seen = self._of_children(node, not node.pruned)
        return self._settled(node, value, window, seen)

    def sign_of_merit(self, node: Node, value: int, before: int, leaf: str) -> str:
        """The same for a merit, that of a node of SSS* that is solved: it is the node's value
        unless the value is more than the merit `before` the node was examined."""
        window = Limits(value, value if value < before else inf)
        seen = UNKNOWN if leaf else self._of_children(node, not node.pruned)
        return self._settled(node, value, window, seen)

    def _settled(self, node: Node, value: int, window: Limits, seen: Limits) -> str:
        low, high = self._limits[node.number] = _both(seen, window)
        if low == high == value:
            return ""
        # The window alone proves one side of every value, so one of the two holds.
        return "≥" if value <= low else "≤"

    def _of_children(self, node: Node, is_whole: bool) -> Limits:
        """What follows from the children; `is_whole`: there are no others. Of an action that was
        searched more than once the deepest search counts; one that was only searched less deep than
        others counts for what that search found."""
        deepest: dict[int, tuple[int, Limits]] = {}
        for number in node.children:
            child = self.nodes[number]
            if child.action is None:
                continue  # a null move, or the node itself, searched less deep
            limits = self._limits.get(number, UNKNOWN)
            depth, before = deepest.get(child.action, (child.depth, UNKNOWN))
            if child.depth < depth:
                continue
            again = _both(before, limits) if child.depth == depth else limits
            deepest[child.action] = child.depth, again
        known = [limits for _, limits in deepest.values()]
        if not known:
            return UNKNOWN
        best = max if node.maximizing else min
        low, high = best(each.low for each in known), best(each.high for each in known)
        if is_whole:
            return Limits(low, high)
        return Limits(low, inf) if node.maximizing else Limits(-inf, high)


def _both(before: Limits, now: Limits) -> Limits:
    """What both say. A selective search may contradict itself; then its last word counts."""
    both = Limits(max(before.low, now.low), min(before.high, now.high))
    return both if both.low <= both.high else now


def _by_window(value: int, alpha: int | None, beta: int | None) -> Limits:
    return Limits(
        value if alpha is None or value > alpha else -inf,
        value if beta is None or value < beta else inf,
    )
