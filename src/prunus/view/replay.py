"""What a watched search knows after each of its events: the one source of all replays, in words, as
pictures and as pages.

A node's label appears when it is known. While a node is open its window is the one of that moment,
which shrinks, and its value is a limit: at least its best so far at a node of MAX's, at most at one
of MIN's. The value of a finished node has a sign if it is only a bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from prunus.view import telling
from prunus.view.events import Cut, Enter, Event, Node, follow

if TYPE_CHECKING:
    from prunus.view.trace import Trace

UNKNOWN = "?"
"""The label of a node of which nothing is known but that it is there."""


class Look(NamedTuple):
    """How a node is shown: the `value` in it, its windows on `entry` and `now`, and `why` some of
    its actions are never visited. Windows are MAX's."""

    value: str
    entry: str
    now: str
    why: str
    is_finished: bool

    @property
    def window(self) -> str:
        """The window beside the node: as it is while the node is open, then as it was on entry."""
        return self.entry if self.is_finished else self.now


def value_of(trace: Trace, node: Node) -> str:
    """The label of a node: its value, or what is known of it."""
    if node.is_finished:
        return f"{node.bound}{telling.number(node.value)}"
    return UNKNOWN if node.best is None else f"{node.bound}{node.best}"


def look_of(trace: Trace, node: Node, why: str = "") -> Look:
    """How a node is shown, as far as it is known."""
    return Look(
        value_of(trace, node),
        telling.window(node.alpha, node.beta) if trace.has_windows else "",
        telling.window(node.low, node.high) if trace.has_windows else "",
        why,
        node.is_finished,
    )


def known(trace: Trace) -> Iterator[tuple[Event, list[Node]]]:
    """Each event with the nodes after it. The list is one and the same, and changes."""
    nodes: list[Node] = []
    for event in trace.events:
        follow(nodes, event)
        yield event, nodes


def looks(trace: Trace) -> Iterator[Look]:
    """How the node of each event is shown after it. No other node changes with it."""
    reasons: dict[int, str] = {}
    for event, nodes in known(trace):
        if isinstance(event, Cut):
            reasons[event.node] = telling.tell(trace, event)
        yield look_of(trace, nodes[event.node], reasons.get(event.node, ""))


def as_replay(trace: Trace) -> Iterator[str]:
    """The events in words, each followed by what is known then on the line from the root to its
    node: windows and labels, or the list L of an algorithm that keeps one; and by the path rule
    where it explains what is pruned."""
    width = len(str(len(trace.events)))
    for step, (event, nodes) in enumerate(known(trace), 1):
        yield f"{step:>{width}}  {telling.tell(trace, event)}"
        path = path_to(nodes, nodes[event.node])
        shown = (
            open_list(trace, path)
            if trace.has_list
            else " → ".join(_on_path(trace, node) for node in path)
        )
        yield f"{'':{width}}  {shown}"
        rule = path_rule(trace, nodes, event)
        if rule:
            yield f"{'':{width}}  {rule}"


def path_to(nodes: list[Node], node: Node) -> list[Node]:
    """The nodes from the root to this one."""
    path = [node]
    while path[-1].parent is not None:
        path.append(nodes[path[-1].parent])
    return path[::-1]


def _on_path(trace: Trace, node: Node) -> str:
    shown = f" {telling.window(node.low, node.high)}" if trace.has_windows else ""
    value = value_of(trace, node)
    return f"{telling.name_of(trace, node)}{shown}" + (f" {value}" if value != UNKNOWN else "")


def open_list(trace: Trace, path: list[Node]) -> str:
    """The list L of source 001, the first node first, with its labels: the last node of the path,
    the nodes that wait beside the path and the nodes on it, whose labels begin at -∞ or ∞."""
    listed: list[str] = []
    for node in reversed(path):
        name = trace.game.action_name
        waiting = trace.game.actions(node.state) if node.visited else ()
        listed += [
            _dewey(trace, node, name(node.state, int(action)))
            for action in waiting
            if int(action) not in {*node.visited, *node.pruned}
        ]
        label = telling.number(node.value if node.is_finished else node.best, "")
        if not label and node.visited:
            label = "-∞" if node.maximizing else "∞"
        listed.append(_dewey(trace, node) + (f" = {label}" if label else ""))
    return f"L = {{{', '.join(listed)}}}"


def _dewey(trace: Trace, node: Node, *below: str) -> str:
    """The names of the actions that lead to a node, and to a child."""
    return ".".join((*trace.path(node), *below)) or telling.name_of(trace, node)


def path_rule(trace: Trace, nodes: list[Node], event: Event) -> str:
    """The path rule of source 001 in its own terms, where it explains a cut: s is the last child
    visited, and n' a sibling of a node on the path to it that is at least as good for the player
    who chooses there. Empty if the bound is that of a window at the root, or comes from
    elsewhere."""
    if not (isinstance(event, Cut) and event.cut_by is not None and event.reason == "bound"):
        return ""
    node = nodes[event.node]
    bound = node.beta if node.maximizing else node.alpha
    on_path = {each.number for each in path_to(nodes, node)}
    better = [
        nodes[child]
        for child in nodes[event.cut_by].children
        if nodes[child].value == bound and child not in on_path
    ]
    if not better or not node.children:
        return ""
    last = nodes[node.children[-1]]
    sign = "<=" if node.maximizing else ">="
    return (
        f"path rule: n' = {_dewey(trace, better[0])}, s = {_dewey(trace, last)}: "
        f"v(n') = {telling.number(better[0].value)} {sign} v(s) = {telling.number(last.value)}"
    )


def caption(trace: Trace, event: Event) -> str:
    """An event in words that name its node."""
    told, node = telling.tell(trace, event), trace.nodes[event.node]
    return told if isinstance(event, Enter) else f"{_dewey(trace, node)}: {told}"


def spans(trace: Trace) -> dict[int, list[tuple[int, Look]]]:
    """For each node the looks that it has one after another, each with the number of the event that
    brings it, the first being 1. A look like the one before is left out."""
    found: dict[int, list[tuple[int, Look]]] = {}
    for step, (event, look) in enumerate(zip(trace.events, looks(trace), strict=True), 1):
        own = found.setdefault(event.node, [])
        if not own or own[-1][1] != look:
            own.append((step, look))
    return found
