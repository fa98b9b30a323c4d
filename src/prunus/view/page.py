"""A trace as a page on which its events are played."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, Final

from prunus.view.drawing import to_svg
from prunus.view.replay import looks

if TYPE_CHECKING:
    from prunus.view.trace import Trace

LEGIBLE: Final = 0.75
"""The scale below which labels are hard to read."""

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>%(title)s</title>
<style>
body { margin: 0; font: 14px system-ui, sans-serif; color: #222; background: #fff }
body { display: grid; grid-template-columns: 1fr 22rem; height: 100vh }
#tree { overflow: hidden; cursor: grab; touch-action: none }
#tree svg { max-width: none !important; transform-origin: 0 0 }
#side { border-left: 1px solid #ccc; padding: 1rem; overflow: auto }
#event { font-weight: 600; min-height: 2.6em } h1 { font-size: 1.1rem }
button { font: inherit; padding: .3rem .7rem }
dt { color: #666; margin-top: .6rem } dd { margin: 0; white-space: pre-wrap }
dd.why { color: #b3261e }
</style></head><body>
<div id="tree">%(svg)s</div>
<div id="side"><h1>%(title)s</h1>
<p><button id="first">|◀</button> <button id="back">◀</button> <button id="next">▶</button>
<button id="last">▶|</button> <button id="fit">whole tree</button></p>
<p><span id="at"></span></p><p id="event"></p>
<p>Arrow keys step through what the search did, in its order; drag to move, wheel to zoom, click a
node. Windows and values are MAX's.</p>
<dl id="facts"></dl></div>
<script>
const trace = %(trace)s, nodes = trace.nodes, events = trace.events;
const all = kind => [...document.querySelectorAll(kind)], byId = id => document.getElementById(id);
const svg = document.querySelector("svg"), tree = byId("tree"), size = svg.viewBox.baseVal;
const box = nodes.map(n => byId("n" + n.id)), edges = nodes.map(n => all(".e" + n.id));
const stubs = nodes.map(n => all(".x" + n.id)), line = all(".pv");

// How a node looks after each of its events; a step forward or back changes one node.
const unknown = { value: "", entry: "", now: "", why: "", is_finished: false };
const now = nodes.map(() => unknown);
const steps = events.map((e, k) => {
  const before = now[e.node];
  now[e.node] = trace.looks[k];
  return { node: e.node, before, after: now[e.node] };
});

let at = events.length, zoom = 1, dx = 0, dy = 0, from = null;
function place() { svg.style.transform = `translate(${dx}px, ${dy}px) scale(${zoom})`; }
const whole = () => Math.min(1, tree.clientWidth / size.width, tree.clientHeight / size.height);
function fit() {
  zoom = whole();
  dx = (tree.clientWidth - zoom * size.width) / 2; dy = 0; place();
}
function begin() {  // the whole tree if its labels can be read, otherwise what lies below the root
  fit();
  if (zoom >= %(legible)s) return;
  zoom = 1; dx = dy = 0; place();
  const root = box[events[events.length - 1].node].getBoundingClientRect();
  dx = tree.getBoundingClientRect().left + (tree.clientWidth - root.width) / 2 - root.left; place();
}
function draw(id) {
  const known = now[id], own = box[id], text = kind => own.querySelector("." + kind);
  const shown = known !== unknown;
  own.classList.toggle("later", !shown);
  own.classList.toggle("open", !known.is_finished);
  text("value").textContent = known.value;
  if (text("window")) text("window").textContent = known.is_finished ? known.entry : known.now;
  if (text("why")) text("why").classList.toggle("later", !known.why);
  edges[id].forEach(e => e.classList.toggle("later", !shown));
  stubs[id].forEach(e => e.classList.toggle("later", !known.why));
}
function show(k) {
  const wanted = Math.max(1, Math.min(events.length, k)), changed = new Set();
  while (at < wanted) { const s = steps[at++]; now[s.node] = s.after; changed.add(s.node); }
  while (at > wanted) { const s = steps[--at]; now[s.node] = s.before; changed.add(s.node); }
  changed.forEach(draw);
  all(".on").forEach(e => e.classList.remove("on"));
  line.forEach(e => e.classList.toggle("pv", at === events.length));
  tell(events[at - 1].node);
  keepInSight(events[at - 1].node);
}
function tell(id) {
  const n = nodes[id], known = now[id], leaf = known.is_finished && n.leaf ? ` (${n.leaf})` : "";
  box[id].classList.add("on");
  byId("at").textContent = `event ${at} of ${events.length}`;
  byId("event").textContent = events[at - 1].text;
  const rows = [["node", n.path.join(" ") || "the root"], ["player", n.player]];
  if (trace.has_windows) rows.push(["window on entry", known.entry], ["window now", known.now]);
  rows.push([known.is_finished ? "value" : "value so far", known.value + leaf]);
  if (known.is_finished && n.payoffs) rows.push(["payoffs", n.payoffs.join(" ")]);
  rows.push(["not visited", known.why || "-"], ["state", n.state]);
  byId("facts").replaceChildren(...rows.flatMap(([name, fact]) => {
    const dt = document.createElement("dt"), dd = document.createElement("dd");
    dt.textContent = name; dd.textContent = fact;
    if (name === "not visited") dd.className = "why";
    return [dt, dd];
  }));
}
function keepInSight(id) {
  const own = box[id].getBoundingClientRect(), pane = tree.getBoundingClientRect();
  if (own.left < pane.left || own.right > pane.right) dx += pane.left + pane.width / 2 - own.left;
  if (own.top < pane.top || own.bottom > pane.bottom) dy += pane.top + pane.height / 2 - own.top;
  place();
}
byId("first").onclick = () => show(1);
byId("back").onclick = () => show(at - 1);
byId("next").onclick = () => show(at + 1);
byId("last").onclick = () => show(events.length);
byId("fit").onclick = fit;
addEventListener("keydown", e => {
  if (e.key === "ArrowRight") show(at + 1);
  if (e.key === "ArrowLeft") show(at - 1);
});
const lastOf = id => events.findLastIndex(e => e.node === id) + 1;
box.forEach((own, id) => own.onclick = () => show(lastOf(id)));
tree.onwheel = e => {
  e.preventDefault();
  const f = Math.exp(-e.deltaY / 500), left = tree.getBoundingClientRect().left;
  dx = e.clientX - left - (e.clientX - left - dx) * f;
  dy = e.clientY - (e.clientY - dy) * f; zoom *= f; place();
};
tree.onpointerdown = e => { from = [e.clientX - dx, e.clientY - dy]; };
tree.onpointermove = e => {
  if (from && e.buttons) { [dx, dy] = [e.clientX - from[0], e.clientY - from[1]]; place(); }
};
addEventListener("pointerup", () => { from = null; });
begin(); nodes.forEach(n => draw(n.id));
show(/^#\\d+$/.test(location.hash) ? +location.hash.slice(1) : %(first)s);
</script></body></html>
"""


def to_html(trace: Trace) -> str:
    """A page that needs no other file: the picture, on which the events are played one after
    another, fitted to the page if its labels can still be read then, otherwise with the root in
    sight; and a panel that describes the node of each. It opens at the last event, or where the
    beginning of a trace (`Trace.at`) ends; the address may end with the number of another, such as
    `#12`."""
    whole = trace.whole or trace
    data = {**whole.to_dict(), "looks": [look._asdict() for look in looks(whole)]}
    title = escape(f"{data['game']} {data['position']}: {data['algorithm']}")
    return PAGE % {
        "title": title,
        "svg": to_svg(whole),
        "legible": LEGIBLE,
        "first": len(trace.events),
        "trace": json.dumps(data).replace("</", "<\\/"),
    }
