"""A trace as text, as an SVG picture and as a page on which the search can be stepped through."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

from prunus.kernel.traced import Node

if TYPE_CHECKING:
    from prunus.view.trace import Trace

SLOT, LEVEL, MARGIN, RADIUS = 64, 92, 40, 17
"""Sizes in SVG units: the width of a leaf's place, the distance between plies, the border, half a
node."""

STYLE = """
text { font: 11px system-ui, sans-serif; fill: #222; text-anchor: middle }
.edge { stroke: #999; stroke-width: 1.2 } .pv { stroke: #1b6ac9; stroke-width: 3 }
.node { fill: #fff; stroke: #444; stroke-width: 1.4 } .max { fill: #dcecff } .min { fill: #ffe6d5 } .leaf { fill: #eee }
.name, .window { font-size: 9.5px; fill: #666 } .why { font-size: 9.5px; fill: #b3261e; font-style: italic }
.cut { stroke: #b3261e; stroke-width: 1.4; stroke-dasharray: 4 3 } .cross { stroke: #b3261e; stroke-width: 2 }
.page { fill: #fff } .on .node { stroke: #1b6ac9; stroke-width: 3 } .later { opacity: .12 }
"""


@dataclass
class Place:
    """Where a node or a pruned branch is drawn; `node` is None for a pruned branch."""

    name: str
    node: Node | None
    x: float = 0.0
    ply: int = 0
    below: list[Place] = field(default_factory=list)


def _places(trace: Trace) -> tuple[list[Place], int]:
    """The tree of places with their coordinates, one for each pass from the root, and the number of
    leaf slots."""
    name = trace.game.action_name
    places = [Place("", node, ply=node.ply) for node in trace.nodes]
    for node, place in zip(trace.nodes, places, strict=True):
        for child in node.children:
            places[child].name = name(node.state, trace.nodes[child].action or 0)
            place.below.append(places[child])
        place.below += [
            Place(name(node.state, action), None, ply=node.ply + 1)
            for action in (*node.pruned, *node.repeating)
        ]
    slots = 0
    roots = [place for node, place in zip(trace.nodes, places, strict=True) if node.parent is None]
    waiting: list[tuple[Place, bool]] = [(root, False) for root in reversed(roots)]
    while waiting:
        place, is_done = waiting.pop()
        if not place.below:
            place.x = MARGIN + SLOT * (slots + 0.5)
            slots += 1
        elif is_done:
            place.x = (place.below[0].x + place.below[-1].x) / 2
        else:
            waiting.append((place, True))
            waiting += [(below, False) for below in reversed(place.below)]
    return roots, slots


def _line(trace: Trace) -> set[int]:
    """The numbers of the nodes on the line that gives the root its value, in the last pass."""
    root = [node for node in trace.nodes if node.parent is None][-1]
    node, on = root, {root.number}
    while node.children:
        children = [trace.nodes[number] for number in node.children]
        own = node.value
        node = next(
            (
                c
                for c in children
                if (c.value if c.maximizing == node.maximizing else -(c.value or 0)) == own
            ),
            children[-1],
        )
        if (node.value if node.maximizing == root.maximizing else -(node.value or 0)) != root.value:
            break
        on.add(node.number)
    return on


def _end(value: int | None, infinite: str) -> str:
    return infinite if value is None else str(value)


def window(node: Node) -> str:
    """The window on entry, for the player to move."""
    return f"[{_end(node.alpha, '-∞')}, {_end(node.beta, '∞')}]"


def _shape(node: Node, x: float, y: float) -> str:
    r = RADIUS
    if node.leaf:
        return (
            f'<rect class="node leaf" x="{x - r:.1f}" y="{y - r:.1f}" width="{2 * r}" '
            f'height="{2 * r}"/>'
        )
    sign = 1 if node.maximizing else -1
    points = (
        f"{x:.1f},{y - sign * 1.35 * r:.1f} {x - 1.35 * r:.1f},{y + sign * r:.1f} "
        f"{x + 1.35 * r:.1f},{y + sign * r:.1f}"
    )
    return f'<polygon class="node {"max" if node.maximizing else "min"}" points="{points}"/>'


def _edge(above: Place, place: Place, on: set[int]) -> list[str]:
    x1, y1, x2, y2 = above.x, _y(above.ply) + RADIUS, place.x, _y(place.ply) - RADIUS
    label = (
        f'<text class="name" x="{(x1 + 2 * x2) / 3:.1f}" '
        f'y="{(y1 + 2 * y2) / 3:.1f}">{escape(place.name)}</text>'
    )
    if place.node is not None:
        kind = "edge pv" if place.node.number in on else "edge"
        return [
            f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>',
            label,
        ]
    y2 = y1 + (y2 - y1) * 0.8
    cross = "".join(
        f'<line class="cross" x1="{x2 - 5:.1f}" y1="{y2 - 5 * s:.1f}" x2="{x2 + 5:.1f}" '
        f'y2="{y2 + 5 * s:.1f}"/>'
        for s in (1, -1)
    )
    return [
        f'<line class="cut" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>',
        cross,
        label,
    ]


def _y(ply: int) -> float:
    return MARGIN + 24 + LEVEL * ply


def _node(trace: Trace, place: Place) -> list[str]:
    node = place.node
    if node is None:
        return []
    x, y = place.x, _y(node.ply)
    why = trace.why(node)
    where, player = " ".join(trace.path(node)) or "root", "MAX" if node.maximizing else "MIN"
    title = f"{where}: {player}, value {_end(node.value, 'none')}, window {window(node)}"
    parts = [f"<title>{escape(title + ('; ' + why if why else ''))}</title>", _shape(node, x, y)]
    value = _end(node.value if node.maximizing or node.value is None else -node.value, "none")
    parts.append(f'<text x="{x:.1f}" y="{y + 4:.1f}">{value}</text>')
    if not node.leaf:
        parts.append(
            f'<text class="window" x="{x:.1f}" y="{y - RADIUS - 10:.1f}">{window(node)}</text>'
        )
    if why:
        short = {"bound": f"{node.cut or 'window'} cut", "merit": "lower merit"}.get(
            node.reason, node.reason
        )
        parts.append(f'<text class="why" x="{x:.1f}" y="{y + RADIUS + 13:.1f}">{short}</text>')
    return parts


def to_svg(trace: Trace) -> str:
    """The tree as an SVG picture. Upward triangles are MAX's nodes, downward ones MIN's, squares
    leaves. Values are MAX's; windows, above a node, are those of the player to move in it. Dashed
    stubs are branches that were never visited; the text below a node, and its tooltip, say why. The
    principal variation is drawn thick. An algorithm that searches from the root several times
    (MTD(f)) gets a tree for each pass, side by side."""
    roots, slots = _places(trace)
    on = _line(trace)
    deepest = max(node.ply for node in trace.nodes) + any(
        node.pruned or node.repeating for node in trace.nodes
    )
    width, height = max(2 * MARGIN + SLOT * slots, 460), _y(deepest) + MARGIN + 14
    edges: list[str] = []
    nodes: list[str] = []
    waiting = list(roots)
    while waiting:
        place = waiting.pop()
        if place.node is not None:
            nodes.append(f'<g id="n{place.node.number}">{"".join(_node(trace, place))}</g>')
        for below in place.below:
            owner = (
                below.node.number
                if below.node is not None
                else place.node.number
                if place.node is not None
                else 0
            )
            edges.append(f'<g class="e{owner}">{"".join(_edge(place, below, on))}</g>')
            waiting.append(below)
    title = escape(
        f"{trace.game.title()} {trace.position}: {trace.algorithm}, value {trace.value}, "
        f"{len(trace.nodes)} nodes"
    )
    legend = (
        f'<text class="name" x="{width / 2:.0f}" y="18">{title} · ▲ MAX ▽ MIN □ leaf · '
        f"values for MAX · ✕ never visited</text>"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}">'
        f"<title>{title}</title><style>{STYLE}</style>"
        f'<rect class="page" width="100%" '
        f'height="100%"/>{legend}{"".join(edges)}{"".join(nodes)}</svg>\n'
    )


PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>%(title)s</title>
<style>
body { margin: 0; font: 14px system-ui, sans-serif; display: grid; grid-template-columns: 1fr 22rem; height: 100vh; color: #222; background: #fff }
#tree { overflow: hidden; cursor: grab; touch-action: none } #side { border-left: 1px solid #ccc; padding: 1rem; overflow: auto }
button { font: inherit; padding: .3rem .7rem } dt { color: #666; margin-top: .6rem } dd { margin: 0; white-space: pre-wrap } dd.why { color: #b3261e }
</style></head><body>
<div id="tree">%(svg)s</div>
<div id="side"><h1 style="font-size:1.1rem">%(title)s</h1>
<p><button id="first">⏮</button> <button id="back">◀</button> <button id="next">▶</button> <button id="last">⏭</button> <span id="at"></span></p>
<p>Arrow keys step through the visits in their order; drag to move, wheel to zoom, click a node.</p><dl id="facts"></dl></div>
<script>
const nodes = %(nodes)s, svg = document.querySelector("svg"), facts = document.getElementById("facts");
let at = nodes.length - 1, zoom = 1, dx = 0, dy = 0, from = null;
svg.style.transformOrigin = "0 0";
const place = () => { svg.style.transform = `translate(${dx}px, ${dy}px) scale(${zoom})`; };
function show(k) {
  at = Math.max(0, Math.min(nodes.length - 1, k));
  nodes.forEach(n => {
    document.getElementById("n" + n.id).setAttribute("class", n.id > at ? "later" : n.id === at ? "on" : "");
    document.querySelectorAll(".e" + n.id).forEach(e => e.style.opacity = n.id > at ? .12 : 1);
  });
  const n = nodes[at], end = (v, s) => v === null ? s : v;
  document.getElementById("at").textContent = `${at + 1} of ${nodes.length}`;
  const rows = [["player", n.player], ["move", n.action ?? "the root"], ["window", `[${end(n.alpha, "-∞")}, ${end(n.beta, "∞")}]`],
    ["value, for the player to move", end(n.value, "none") + (n.leaf ? ` (${n.leaf})` : "")], ["not visited", n.pruned.join(" ") || "-"],
    ["repeats a position", n.repeating.join(" ") || "-"], ["why", n.why || "-"], ["state", n.state]];
  facts.replaceChildren(...rows.flatMap(([a, b]) => {
    const t = document.createElement("dt"), d = document.createElement("dd");
    t.textContent = a; d.textContent = b; if (a === "why") d.className = "why"; return [t, d];
  }));
}
for (const [id, f] of [["first", () => 0], ["back", () => at - 1], ["next", () => at + 1], ["last", () => nodes.length - 1]])
  document.getElementById(id).onclick = () => show(f());
addEventListener("keydown", e => { if (e.key === "ArrowRight") show(at + 1); if (e.key === "ArrowLeft") show(at - 1); });
nodes.forEach(n => document.getElementById("n" + n.id).onclick = () => show(n.id));
const tree = document.getElementById("tree");
tree.onwheel = e => { e.preventDefault(); const f = Math.exp(-e.deltaY / 500); dx = e.clientX - (e.clientX - dx) * f; dy = e.clientY - (e.clientY - dy) * f; zoom *= f; place(); };
tree.onpointerdown = e => { from = [e.clientX - dx, e.clientY - dy]; };
tree.onpointermove = e => { if (from && e.buttons) { dx = e.clientX - from[0]; dy = e.clientY - from[1]; place(); } };
addEventListener("pointerup", () => { from = null; });
show(at);
</script></body></html>
"""


def to_html(trace: Trace) -> str:
    """A page that needs nothing else: the picture, and a panel that tells everything about one node
    after the other."""
    data = trace.to_dict()
    title = escape(f"{data['game']} {data['position']}: {data['algorithm']}")
    nodes = json.dumps(data["nodes"]).replace("</", "<\\/")
    return PAGE % {"title": title, "svg": to_svg(trace), "nodes": nodes}


def to_text(trace: Trace) -> str:
    """The tree as indented lines: move, player, window, value, and what was not visited and why.
    Values are for the player to move."""
    lines = [
        f"{trace.game.title()} {trace.position}: {trace.algorithm}, value {trace.value}, "
        f"{len(trace.nodes)} nodes visited"
    ]
    roots = [node for node in trace.nodes if node.parent is None]
    waiting = [
        (root, "root" if len(roots) == 1 else f"pass {number}")
        for number, root in enumerate(roots, 1)
    ][::-1]
    while waiting:
        node, name = waiting.pop()
        player = "MAX" if node.maximizing else "MIN"
        kind = f" ({node.leaf})" if node.leaf else ""
        lines.append(
            f"{'  ' * node.ply}{name}  {player} {window(node)} = {_end(node.value, 'none')}{kind}"
        )
        if node.pruned:
            names = " ".join(trace.game.action_name(node.state, action) for action in node.pruned)
            lines[-1] += f"  not visited: {names}: {trace.why_cut(node)}"
        if node.repeating:
            names = " ".join(
                trace.game.action_name(node.state, action) for action in node.repeating
            )
            lines[-1] += f"  left out: {names}: {trace.why_left_out(node)}"
        for number in reversed(node.children):
            child = trace.nodes[number]
            waiting.append((child, trace.game.action_name(node.state, child.action or 0)))
    return "\n".join(lines)
