"""A trace as an SVG picture, of the end, of a moment, or one that plays the events."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

from prunus.view import telling
from prunus.view.events import Cut, Node
from prunus.view.layout import (
    BOTTOM,
    MARGIN,
    NAME,
    RADIUS,
    SMALL,
    TEXT,
    WHY,
    WINDOW,
    Place,
    layout_of,
    width_of,
)
from prunus.view.replay import Look, caption, look_of, spans

if TYPE_CHECKING:
    from prunus.view.trace import Trace

STYLE = f"""
text {{ font: {TEXT}px system-ui, sans-serif; fill: #222; text-anchor: middle }}
.edge {{ stroke: #999; stroke-width: 1.2; fill: none }} .pv {{ stroke: #1b6ac9; stroke-width: 3 }}
.node {{ fill: #fff; stroke: #444; stroke-width: 1.4 }} .max {{ fill: #dcecff }} .min {{ fill: #ffe6d5 }} .leaf {{ fill: #eee }}
.name, .window {{ font-size: {SMALL}px; fill: #666 }} .why {{ font-size: {SMALL}px; fill: #b3261e; font-style: italic }}
.name {{ fill: #222; font-weight: 600 }} .caption {{ font-size: {SMALL}px }} .page {{ fill: #fff }} .title {{ font-weight: 600 }}
.cut {{ stroke: #b3261e; stroke-width: 1.4; stroke-dasharray: 4 3 }} .cross {{ stroke: #b3261e; stroke-width: 2 }}
.on .node {{ stroke: #1b6ac9; stroke-width: 3 }} .later {{ visibility: hidden }} .open .value {{ fill: #888; font-style: italic }}
"""

LEGEND = "▲ MAX  ▽ MIN  □ leaf  ✕ never visited; windows and values are MAX's"

SECOND: Final = 1.0
"""How long each event of a replay is shown."""

CAPTION: Final = 20
"""The height of the line that tells the event."""


class _Span(NamedTuple):
    """From which event to before which one something is shown; to the end, if `until` is None."""

    since: int
    until: int | None = None


def to_svg(trace: Trace, replay: bool = False) -> str:
    """The tree as an SVG picture. Upward triangles are MAX's nodes, downward ones MIN's, squares
    are leaves. Values and windows (on entry, above a node) are MAX's. Dashed stubs are branches
    that were never visited; the text below a node, and its tooltip, say why. The principal
    variation is drawn thick. An algorithm that searches from the root several times (MTD(f)) gets
    one tree for each pass, side by side.

    The beginning of a trace (`Trace.at`) has open nodes, with their windows of that moment and with
    what is known of their values, `≥3` or `≤3`; all are where they will be in the end, and below
    stands what happened last. With `replay` the picture goes through all events by itself, an event
    a second; a program that does not play it shows the end."""
    picture = _Picture(trace, replay)
    layout, title = picture.layout, escape(picture.title)
    size = f'width="{layout.width:.0f}" height="{layout.height:.0f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {layout.width:.0f} {layout.height:.0f}" {size} '
        f'style="max-width: 100%; height: auto"><title>{title}</title><style>{STYLE}</style>'
        f'<rect class="page" width="100%" height="100%"/>{"".join(picture.parts())}</svg>\n'
    )


class _Picture:
    """A picture of a trace: of its end, of a moment in the places of the end, or of all moments."""

    def __init__(self, trace: Trace, replay: bool) -> None:
        self.trace, self.whole = trace, trace.whole or trace
        self.replay = replay
        self.is_final = trace.whole is None and not replay
        self.spans = spans(trace) if replay else {}
        self.cuts = {
            event.node: step for step, event in enumerate(trace.events, 1) if isinstance(event, Cut)
        }
        self.captions = (
            [] if self.is_final else [caption(self.whole, event) for event in self.whole.events]
        )
        about = f"{trace.game.title()} {trace.position}: {trace.algorithm}"
        self.title = (
            about if replay else f"{about}, {telling.outcome(trace)}, {len(trace.nodes)} nodes"
        )
        least = max(width_of(self.title, TEXT), *map(width_of, (LEGEND, *self.captions)))
        self.layout = layout_of(self.whole, least + 2 * MARGIN, self._looks())
        self.layout.height += 0 if self.is_final else CAPTION
        self.line = principal(trace) if trace.whole is None else set()

    def _looks(self) -> dict[int, list[Look]]:
        """All looks for which there must be room: those of every moment, unless it is the end."""
        if self.is_final:
            return {node.number: [look_of(self.trace, node)] for node in self.trace.nodes}
        return {number: [look for _, look in own] for number, own in spans(self.whole).items()}

    def parts(self) -> Iterator[str]:
        """The heading, the edges, the nodes and what is told below them."""
        middle = self.layout.width / 2
        yield _text("title", middle, 16, self.title) + _text("legend", middle, 31, LEGEND)
        edges: list[str] = []
        nodes: list[str] = []
        for place in self.layout.all():
            if place.node is not None and place.owner < len(self.trace.nodes):
                nodes.append(self._node(self.trace.nodes[place.owner], place))
            edges += [self._edge(place, below) for below in place.below]
        yield from edges
        yield from nodes
        y, last = self.layout.height - MARGIN / 2, len(self.trace.events)
        if self.replay:
            for step, told in enumerate(self.captions[:last], 1):
                until = step + 1 if step < last else None
                yield _timed(_text("caption", middle, y, told), _Span(step, until))
        elif self.captions:
            yield _text("caption", middle, y, self.captions[last - 1])

    def _node(self, node: Node, place: Place) -> str:
        """A node with its labels: in a replay those of all moments, each at its time."""
        parts = [f"<title>{escape(_tip(self.trace, node))}</title>", _shape(place)]
        x, top = place.x, place.top
        if place.name:
            at = top + (NAME if place.has_window else WINDOW) - 2
            parts.append(_text("name", x, at, place.name))
        own = self.spans.get(node.number, [])
        if not self.replay:
            parts.append(_labels(place, look_of(self.trace, node)))
        for (since, look), later in zip(own, [*own[1:], None], strict=True) if self.replay else ():
            span = _Span(since, None if later is None else later[0])
            parts.append(_timed(_labels(place, look), span))
        if place.why and node.reason:
            why = _text("why", x, top + WHY, place.why)
            parts.append(_timed(why, _Span(self.cuts[node.number])) if self.replay else why)
        drawn = f'<g id="n{node.number}">{"".join(parts)}</g>'
        return _timed(drawn, _Span(own[0][0])) if self.replay else drawn

    def _edge(self, above: Place, place: Place) -> str:
        """The edge to a place, if it is there yet."""
        known = self.trace.nodes
        if place.node is None:
            owner = known[place.owner] if place.owner < len(known) else None
            if owner is None or not (owner.pruned or owner.repeating):
                return ""
            drawn = f'<g class="x{place.owner}">{_stub(above, place)}</g>'
            return _timed(drawn, _Span(self.cuts[owner.number])) if self.replay else drawn
        if place.owner >= len(known):
            return ""
        on = {place.owner, above.owner} <= self.line
        if not self.replay:
            return f'<g class="e{place.owner}">{_branch(above, place, on)}</g>'
        drawn = _timed(_branch(above, place, False), _Span(self.spans[place.owner][0][0]))
        end = _Span(len(self.trace.events))
        return drawn + (_timed(_branch(above, place, True), end) if on else "")


def _timed(drawn: str, span: _Span) -> str:
    """Something that is shown only from one event of a replay on, and perhaps not to the end. As
    written, without the timing, it is as it is at the end."""
    since = f"{(span.since - 1) * SECOND:g}s"
    if span.until is not None:
        until = f"{(span.until - 1) * SECOND:g}s"
        play = f'<set attributeName="visibility" to="visible" begin="{since}" end="{until}"/>'
        return f'<g visibility="hidden">{play}{drawn}</g>'
    if span.since == 1:
        return drawn
    return f'<g><set attributeName="visibility" to="hidden" begin="0s" end="{since}"/>{drawn}</g>'


def principal(trace: Trace) -> set[int]:
    """The numbers of the nodes on the line that gives the root its value, in the last pass."""
    node = telling.roots_of(trace)[-1]
    on = {node.number}
    while node.children:
        best = [
            child
            for child in map(trace.nodes.__getitem__, node.children)
            if child.value == node.value and child.action is not None
        ]
        if not best:
            break
        node = best[0]
        on.add(node.number)
    return on


def _text(kind: str, x: float, y: float, text: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _shape(place: Place) -> str:
    """The node as it is in the end: a leaf is one from the beginning."""
    node, x, y, r = place.node, place.x, place.y, RADIUS
    assert node is not None
    if node.leaf:
        return f'<rect class="node leaf" x="{x - r:.1f}" y="{y - r:.1f}" width="{2 * r}" height="{2 * r}"/>'
    up = 1 if node.maximizing else -1
    points = f"{x:.1f},{y - up * 1.35 * r:.1f} {x - 1.35 * r:.1f},{y + up * r:.1f} {x + 1.35 * r:.1f},{y + up * r:.1f}"
    return f'<polygon class="node {"max" if node.maximizing else "min"}" points="{points}"/>'


def _branch(above: Place, place: Place, on: bool) -> str:
    """The edge to a node, in the band between the blocks of labels of two plies."""
    x, y = place.x, place.top
    points = f"{above.x:.1f},{_lower_end(above):.1f} {x:.1f},{y:.1f} {x:.1f},{place.first:.1f}"
    return f'<polyline class="{"edge pv" if on else "edge"}" points="{points}"/>'


def _stub(above: Place, place: Place) -> str:
    """A stub with a cross, for a branch that was not visited."""
    x, y = place.x, place.top
    cross = "".join(
        _line("cross", x - 5, y + NAME + 8 - 5 * s, x + 5, y + NAME + 8 + 5 * s) for s in (1, -1)
    )
    tip = f"<title>never visited: {escape(place.tip)}</title>"
    name = _text("name", x, y + NAME - 2, place.name)
    return tip + _line("cut", above.x, _lower_end(above), x, y) + name + cross


def _lower_end(place: Place) -> float:
    return place.top + BOTTOM if place.why else place.y + 1.35 * RADIUS


def _tip(trace: Trace, node: Node) -> str:
    """What a pointer on a node shows."""
    why = trace.why(node)
    where = " ".join(trace.path(node)) or "root"
    shown = f", window {telling.window(node.alpha, node.beta)}" if trace.has_windows else ""
    title = f"{where}: {telling.player(node)}, value {telling.value_of(trace, node)}{shown}"
    return title + (f"; {why}" if why else "")


def _labels(place: Place, look: Look) -> str:
    """What is known of a node: the value in it, and the window above it."""
    window = _text("window", place.x, place.top + WINDOW, look.window) if place.has_window else ""
    return _text("value", place.x, place.y + 4, look.value) + window
