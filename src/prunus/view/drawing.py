"""A trace as an SVG picture."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from prunus.view import telling
from prunus.view.events import Node
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
    value_label,
    width_of,
)

if TYPE_CHECKING:
    from prunus.view.trace import Trace

STYLE = f"""
text {{ font: {TEXT}px system-ui, sans-serif; fill: #222; text-anchor: middle }}
.edge {{ stroke: #999; stroke-width: 1.2; fill: none }} .pv {{ stroke: #1b6ac9; stroke-width: 3 }}
.node {{ fill: #fff; stroke: #444; stroke-width: 1.4 }} .max {{ fill: #dcecff }} .min {{ fill: #ffe6d5 }} .leaf {{ fill: #eee }}
.name, .window {{ font-size: {SMALL}px; fill: #666 }} .why {{ font-size: {SMALL}px; fill: #b3261e; font-style: italic }}
.name {{ fill: #222; font-weight: 600 }} .page {{ fill: #fff }} .title {{ font-weight: 600 }}
.cut {{ stroke: #b3261e; stroke-width: 1.4; stroke-dasharray: 4 3 }} .cross {{ stroke: #b3261e; stroke-width: 2 }}
.on .node {{ stroke: #1b6ac9; stroke-width: 3 }} .later {{ visibility: hidden }} .open .value {{ fill: #888; font-style: italic }}
"""

LEGEND = "▲ MAX  ▽ MIN  □ leaf  ✕ never visited; windows and values are MAX's"


def to_svg(trace: Trace) -> str:
    """The tree as an SVG picture. Upward triangles are MAX's nodes, downward ones MIN's, squares
    are leaves. Values and windows (on entry, above a node) are MAX's. Dashed stubs are branches
    that were never visited; the text below a node, and its tooltip, say why. The principal
    variation is drawn thick. An algorithm that searches from the root several times (MTD(f)) gets
    one tree for each pass, side by side."""
    title = f"{trace.game.title()} {trace.position}: {trace.algorithm}, value {trace.value}, {len(trace.nodes)} nodes"
    layout = layout_of(trace, max(width_of(title, TEXT), width_of(LEGEND)) + 2 * MARGIN)
    line = principal(trace)
    edges: list[str] = []
    nodes: list[str] = []
    for place in layout.all():
        if place.node is not None:
            nodes.append(
                f'<g id="n{place.node.number}">{"".join(_node(trace, place.node, place))}</g>'
            )
        for below in place.below:
            kind = "e" if below.node is not None else "x"
            edges.append(f'<g class="{kind}{below.owner}">{"".join(_edge(place, below, line))}</g>')
    middle = layout.width / 2
    heading = _text("title", middle, 16, title) + _text("legend", middle, 31, LEGEND)
    size = f'width="{layout.width:.0f}" height="{layout.height:.0f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {layout.width:.0f} {layout.height:.0f}" {size} '
        f'style="max-width: 100%; height: auto"><title>{escape(title)}</title><style>{STYLE}</style>'
        f'<rect class="page" width="100%" height="100%"/>{heading}{"".join(edges)}{"".join(nodes)}</svg>\n'
    )


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


def _shape(node: Node, x: float, y: float) -> str:
    r = RADIUS
    if node.leaf:
        return f'<rect class="node leaf" x="{x - r:.1f}" y="{y - r:.1f}" width="{2 * r}" height="{2 * r}"/>'
    up = 1 if node.maximizing else -1
    points = f"{x:.1f},{y - up * 1.35 * r:.1f} {x - 1.35 * r:.1f},{y + up * r:.1f} {x + 1.35 * r:.1f},{y + up * r:.1f}"
    return f'<polygon class="node {"max" if node.maximizing else "min"}" points="{points}"/>'


def _edge(above: Place, place: Place, line: set[int]) -> list[str]:
    """The edge to a place, in the band between the blocks of labels of two plies; a stub with a
    cross for a branch that was not visited."""
    x, y = place.x, place.top
    y1 = above.top + BOTTOM if above.why else above.y + 1.35 * RADIUS
    if place.node is not None:
        on = place.node.number in line and above.node is not None and above.node.number in line
        points = f"{above.x:.1f},{y1:.1f} {x:.1f},{y:.1f} {x:.1f},{place.first:.1f}"
        return [f'<polyline class="{"edge pv" if on else "edge"}" points="{points}"/>']
    cross = "".join(
        _line("cross", x - 5, y + NAME + 8 - 5 * s, x + 5, y + NAME + 8 + 5 * s) for s in (1, -1)
    )
    return [
        f"<title>never visited: {escape(place.tip)}</title>",
        _line("cut", above.x, y1, x, y),
        _text("name", x, y + NAME - 2, place.name),
        cross,
    ]


def _node(trace: Trace, node: Node, place: Place) -> list[str]:
    x, y, top = place.x, place.y, place.top
    why = trace.why(node)
    where = " ".join(trace.path(node)) or "root"
    shown = f", window {telling.window(node.alpha, node.beta)}" if trace.has_windows else ""
    title = f"{where}: {telling.player(node)}, value {telling.value_of(node)}{shown}"
    parts = [f"<title>{escape(title + ('; ' + why if why else ''))}</title>", _shape(node, x, y)]
    parts.append(_text("value", x, y + 4, value_label(node)))
    if place.name:
        parts.append(_text("name", x, top + (NAME if place.has_window else WINDOW) - 2, place.name))
    if place.has_window:
        parts.append(_text("window", x, top + WINDOW, telling.window(node.alpha, node.beta)))
    if place.why:
        parts.append(_text("why", x, top + WHY, place.why))
    return parts
