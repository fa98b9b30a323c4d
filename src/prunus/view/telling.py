"""A trace in words: the tree as indented lines, the events one after another, and the reason for
each cut."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from prunus.view.events import Cut, Enter, Event, Improve, Node, Return

if TYPE_CHECKING:
    from prunus.view.trace import Trace


def number(value: int | None, infinite: str = "none") -> str:
    """A value, or an end of a window that may be infinite."""
    return infinite if value is None else str(value)


def window(alpha: int | None, beta: int | None) -> str:
    """A window of MAX's, as text."""
    return f"({number(alpha, '-∞')}, {number(beta, '∞')})"


def player(node: Node | Enter) -> str:
    """The player to move."""
    return "MAX" if node.maximizing else "MIN"


def why_left_out(node: Node) -> str:
    """Why repetitions kept a node's children from being visited; empty if they did not."""
    if node.leaf == "repetition" or (node.reason == "repetition" and not node.visited):
        return (
            "no action is left that does not repeat a position"
            if node.repeating
            else "the position has come again"
        )
    return "they would repeat a position" if node.repeating else ""


REASONS = {
    "remembered": "its value was remembered from another line",
    "known": "knowledge of the position decided it without a search",
    "merit": "no strategy through them had a higher merit",
    "selective": "the options of the search leave them out",
    "payoff": "its payoff for the player to move leaves the player before no more than another "
    "action does",
}


def why_cut(trace: Trace, node: Node, value: int | None) -> str:
    """Why some of a node's children were cut off when it had this value; empty if none were."""
    if not node.pruned:
        return ""
    if node.reason in REASONS:
        return REASONS[node.reason]
    if node.reason == "extreme":
        return f"its value {number(value)} cannot be improved"
    bound, end = (node.beta, "upper") if node.maximizing else (node.alpha, "lower")
    if node.cut == "window":
        return f"its value {number(value)} answers the question whether it reaches {number(bound)}"
    if node.cut_by is None:
        return (
            f"its value {number(value)} reached the {end} end {number(bound)} of the window at "
            f"the root"
        )
    where = " ".join(trace.path(trace.nodes[node.cut_by])) or "the root"
    return (
        f"{node.cut} cut-off: its value {number(value)} reached the bound {number(bound)} set "
        f"at {where}"
    )


def names(trace: Trace, node: Node, actions: tuple[int, ...]) -> str:
    """The names of actions of a node."""
    return " ".join(trace.game.action_name(node.state, action) for action in actions)


def roots_of(trace: Trace) -> list[Node]:
    """The roots of the algorithm's searches, in order."""
    return [trace.nodes[number] for number in trace.roots]


def name_of(trace: Trace, node: Node) -> str:
    """The name of the action that leads to a node; for a root, and for a node without an action,
    words in its place."""
    if node.parent is None:
        roots = trace.roots
        return "root" if len(roots) == 1 else f"pass {roots.index(node.number) + 1}"
    return (
        "the same position"
        if node.action is None
        else trace.game.action_name(trace.nodes[node.parent].state, node.action)
    )


def value_of(trace: Trace, node: Node) -> str:
    """The value of a node, with all payoffs if there are several players, and the kind of leaf if
    it is one; of an open node what is known of its value."""
    if not node.is_finished:
        return f"{node.bound}{node.best} so far" if node.bound else "unfinished"
    paid = "" if node.payoffs is None else f" of {node.payoffs}"
    return f"{node.bound}{number(node.value)}{paid}" + (f" ({node.leaf})" if node.leaf else "")


def in_database(trace: Trace, node: Node) -> str:
    """What a database says about a node, to follow its value; empty if it does not know it."""
    said = trace.known.get(node.number)
    if said is None:
        return ""
    return f"  database: {said.value}, {'proved' if said.proved else 'unless the past counts'}"


def headline(trace: Trace) -> str:
    """The heading of a trace: position, algorithm and result, or how far it has come."""
    return (
        f"{trace.game.title()} {trace.position}: {trace.algorithm}, {outcome(trace)}, "
        f"{len(trace.nodes)} nodes visited"
    )


def outcome(trace: Trace) -> str:
    """The value; of the beginning of a trace, how far it goes."""
    if trace.whole is None:
        return f"value {trace.value}"
    return f"after event {len(trace.events)} of {len(trace.whole.events)}"


def as_tree(trace: Trace) -> str:
    """The tree as indented lines: move, player, window on entry (of an open node: now), value, and
    what was not visited and why; windows and values are MAX's throughout."""
    lines = [headline(trace)]
    waiting = roots_of(trace)[::-1]
    while waiting:
        node = waiting.pop()
        ends = (node.alpha, node.beta) if node.is_finished else (node.low, node.high)
        shown = f" {window(*ends)}" if trace.has_windows else ""
        value = f"{'= ' if node.is_finished and not node.bound else ''}{value_of(trace, node)}"
        lines.append(f"{'  ' * node.ply}{name_of(trace, node)}  {player(node)}{shown} {value}")
        lines[-1] += in_database(trace, node) if node.is_finished else ""
        if node.pruned:
            lines[-1] += (
                f"  not visited: {names(trace, node, node.pruned)}: "
                f"{why_cut(trace, node, node.value)}"
            )
        if node.repeating:
            lines[-1] += f"  left out: {names(trace, node, node.repeating)}: {why_left_out(node)}"
        waiting += [trace.nodes[number] for number in reversed(node.children)]
    return "\n".join(lines)


def as_steps(trace: Trace) -> Iterator[str]:
    """The events as they happened, each on a numbered line, indented by the ply of its node;
    windows and values are MAX's throughout."""
    width = len(str(len(trace.events)))
    for step, event in enumerate(trace.events, 1):
        node = trace.nodes[event.node]
        yield f"{step:>{width}}  {'  ' * node.ply}{tell(trace, event)}"


def tell(trace: Trace, event: Event) -> str:
    """An event in words."""
    node = trace.nodes[event.node]
    if isinstance(event, Enter):
        shown = f", window {window(event.alpha, event.beta)}" if trace.has_windows else ""
        return f"{name_of(trace, node)}: {player(node)} to move{shown}"
    if isinstance(event, Return):
        child = trace.nodes[event.child]
        return f"{name_of(trace, child)} returned {child.bound}{number(event.value)}"
    if isinstance(event, Improve):
        return _improved(trace, event, node)
    if isinstance(event, Cut):
        return _not_visited(trace, event, node)
    leaf = f" ({event.leaf})" if event.leaf else ""
    paid = "" if event.payoffs is None else f" of {event.payoffs}"
    return f"value {event.bound}{number(event.value)}{paid}{leaf}{in_database(trace, node)}"


def _improved(trace: Trace, event: Improve, node: Node) -> str:
    if not trace.has_windows:
        return f"best so far {event.value}"
    end, before, after = (
        ("alpha", node.alpha, event.alpha) if node.maximizing else ("beta", node.beta, event.beta)
    )
    if after != event.value or after == before:
        return f"best so far {event.value}, outside the window"
    return (
        f"{end} {'raised' if node.maximizing else 'lowered'} to {after}: window "
        f"{window(event.alpha, event.beta)}"
    )


def _not_visited(trace: Trace, event: Cut, node: Node) -> str:
    told = []
    if event.pruned:
        value = node.best if node.best is not None else node.value
        told.append(
            f"not visited: {names(trace, node, event.pruned)}: {why_cut(trace, node, value)}"
        )
    if event.repeating:
        told.append(f"left out: {names(trace, node, event.repeating)}: {why_left_out(node)}")
    return "; ".join(told) or why_left_out(node)
