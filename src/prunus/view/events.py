"""The events of a watched search, in the order in which they happen, and the nodes that are built
from them.

All values and windows are for MAX, the player to move at the root, whatever scale an algorithm
uses. An infinite end of a window is None. Each event is recorded at the moment when the algorithm
knows what the event says, so the first `k` events show only what the algorithm knows by then.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar

Payoffs = tuple[int, ...]


@dataclass(frozen=True)
class Enter:
    """A node is visited, with its window. `action` leads to it from `parent`; it is None at a root
    (an algorithm that searches several times has several roots) and where the same position is
    searched once more. `depth`: plies left to the limit."""

    kind: ClassVar = "enter"
    node: int
    parent: int | None
    action: int | None
    state: object
    depth: int
    maximizing: bool
    alpha: int | None
    beta: int | None


@dataclass(frozen=True)
class Return:
    """A child has returned its value to the node. The child's `Leave` says whether it is a
    bound."""

    kind: ClassVar = "return"
    node: int
    child: int
    value: int | None


@dataclass(frozen=True)
class Improve:
    """The node's best value so far has changed; alpha and beta are now its window. A best value
    inside the window raises alpha at a node of MAX's, and lowers beta at one of MIN's. (In SSS* the
    value is a merit, which falls.) `bound`: the node is worth at least (`≥`) or at most (`≤`) this
    value; empty if it says neither, because it is itself a bound from the wrong side."""

    kind: ClassVar = "improve"
    node: int
    value: int
    alpha: int | None
    beta: int | None
    bound: str = ""


@dataclass(frozen=True)
class Cut:
    """The node is finished although some of its actions were not visited. `Node` explains the
    reasons."""

    kind: ClassVar = "cut"
    node: int
    pruned: tuple[int, ...]
    repeating: tuple[int, ...]
    reason: str
    cut: str = ""
    cut_by: int | None = None


@dataclass(frozen=True)
class Leave:
    """The node is finished with its value. `bound`: it is worth at least (`≥`) or at most (`≤`)
    this value; empty if it is worth exactly that. `leaf`: see `Node`. `payoffs`: those of all
    players, if the algorithm keeps them."""

    kind: ClassVar = "leave"
    node: int
    value: int | None
    leaf: str
    payoffs: Payoffs | None = None
    bound: str = ""


Event = Enter | Return | Improve | Cut | Leave


@dataclass
class Node:
    """One visited node, as far as the events tell. Values and windows are MAX's. Infinite ends of a
    window are None, and so is the value of a node that is not finished or in which no line of play
    counts.

    `alpha` and `beta` are the window on entry, `low` and `high` the window now, `best` the best
    value so far. `is_finished`: the node has its value. `bound` is what the last event said of the
    value, or of the best value so far: `≥`, `≤` or nothing. `pruned` lists the actions that were
    never visited, and `reason` says why: "bound" (the value left the window), "extreme" (the value
    cannot be improved), "remembered" (the value came from memory), "known" (knowledge of the
    position decided it without a search), "selective" (options of the search leave them out, though
    they might be better), "payoff" (the player before gains nothing by it) or "merit" (best-first
    search had a strategy elsewhere that promised no less). `repeating` lists
    the actions that were left out because they repeat a position; the reason is "repetition" if
    there is no other. For a bound, `cut_by` is the ancestor whose own value set it (None: the
    window of the root), and `cut` is "shallow" if that is the nearest ancestor of the other player,
    "deep" if it is farther up, "window" if the algorithm itself chose the bound to ask a question
    (a null window).
    """

    number: int
    parent: int | None
    action: int | None
    state: object
    depth: int
    ply: int
    maximizing: bool
    alpha: int | None = None
    beta: int | None = None
    low: int | None = None
    high: int | None = None
    best: int | None = None
    value: int | None = None
    bound: str = ""
    is_finished: bool = False
    children: list[int] = field(default_factory=list)
    visited: list[int] = field(default_factory=list)
    pruned: tuple[int, ...] = ()
    repeating: tuple[int, ...] = ()
    reason: str = ""
    cut: str = ""
    cut_by: int | None = None
    leaf: str = ""
    """"terminal", "horizon" (valued at the depth limit), "repetition" (which ends the game) or
    empty."""
    payoffs: Payoffs | None = None


def follow(nodes: list[Node], event: Event) -> None:
    """Bring the nodes up to date with the next event."""
    if isinstance(event, Enter):
        parent = None if event.parent is None else nodes[event.parent]
        ply = 0 if parent is None else parent.ply + 1
        window = event.alpha, event.beta
        nodes.append(
            Node(
                event.node,
                event.parent,
                event.action,
                event.state,
                event.depth,
                ply,
                event.maximizing,
                *window,
                *window,
            )
        )
        if parent is not None:
            parent.children.append(event.node)
            parent.visited += [] if event.action is None else [event.action]
        return
    node = nodes[event.node]
    if isinstance(event, Improve):
        node.best, node.low, node.high = event.value, event.alpha, event.beta
        node.bound = event.bound
    elif isinstance(event, Cut):
        node.pruned, node.repeating, node.reason = event.pruned, event.repeating, event.reason
        node.cut, node.cut_by = event.cut, event.cut_by
    elif isinstance(event, Leave):
        node.value, node.bound, node.leaf = event.value, event.bound, event.leaf
        node.payoffs, node.is_finished = event.payoffs, True


def nodes_after(events: Iterable[Event]) -> list[Node]:
    """The nodes after these events, which begin with the first of a search."""
    nodes: list[Node] = []
    for event in events:
        follow(nodes, event)
    return nodes
