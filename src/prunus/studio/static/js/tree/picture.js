/** The picture of a tree: squares for MAX, circles for MIN, leaves by their values. */
import { html, useEffect, useMemo, useRef, useState } from "../html.js";
import { say } from "../words/speech.js";
import { frame, shown } from "./telling.js";

const R = 19;
const HEIGHT = 70;
/** Of trees with more nodes only what is in sight is drawn, and so much to each side, in steps:
 * browsers go through all that is drawn, in sight or not, whenever something in it changes. */
const MANY = 400;
const ASIDE = 150;
const STEP = 100;

/**
 * @param {{layout: import("./layout.js").Layout, node: (id: any) => any, marks: any, label: string,
 *   current?: any, choose?: (id: any) => void, windows?: boolean, chosen?: any,
 *   levels?: string[], scale?: number, least?: number}} props `scale`, `least`: the
 *   largest and the smallest scale of the drawing
 */
export function Picture(props) {
  const { layout, label, current, levels } = props;
  const box = useRef(null);
  const kept = useMemo(keeper, [layout, say("language")]);
  const [sight, setSight] = useState({ left: 0, right: 2000, top: 0, bottom: 1000 });
  const many = layout.spots.size > MANY;
  const look = () => {
    if (!box.current) return; // the room has been left
    const now = inSight(box.current);
    setSight((old) => (Object.keys(now).every((side) => old[side] === now[side]) ? old : now));
  };
  useEffect(() => {
    follow(box.current, layout.spots.get(current) ?? [...layout.spots.values()][0]);
    if (many) look();
  }, [layout, current]);
  const size = sizeOf(layout, props.scale ?? 1.45, props.least ?? 0.75);
  const spots = [...layout.spots.values()];
  const seen = (spot) => !many || spot.id === current || spot.id === props.chosen || touches(sight, spot, spot);
  const crosses = (spot) => !many || touches(sight, spot, spot.parent);
  return html`
    <div class="picture" ref=${box} onScroll=${many ? look : null} tabindex="0" role="group" aria-label=${label}>
      <svg class=${layout.dense ? "dense" : ""} viewBox="0 0 ${layout.width} ${layout.height}" style=${size} aria-hidden=${props.choose ? null : "true"}>
        ${levels && layout.levels.map((y, at) => levels[at] && html`
          <text class="level" x="0" y=${y + 4}>${levels[at]}</text>`)}
        ${spots.map((spot) => spot.parent && crosses(spot) && kept.edge(spot, props))}
        ${spots.map((spot) => spot.name && !spot.last && spot.parent && crosses(spot) && kept.name(spot, props))}
        ${spots.map((spot) => !spot.stub && seen(spot) && kept.node(spot, props))}
      </svg>
    </div>`;
}

/** How large the picture is: as large as fits the window's height, but no smaller than can be read. A
 * dense tree is drawn small rather than cut off, except on a phone, or if it would be cut off anyway.
 * @param {import("./layout.js").Layout} layout @param {number} most @param {number} least */
function sizeOf({ width, height, dense, spots }, most, least) {
  const small = dense && spots.size <= MANY && matchMedia("(min-width: 900px)").matches ? Math.min(least, 0.5) : least;
  return { maxWidth: `max(${least * width}px, min(${most * width}px, ${(60 * width) / height}vh))`, minWidth: `${small * width}px` };
}

/** Draws nodes and edges, and keeps what it has drawn: a step changes few of them, and what is the
 * same object as before costs nothing. */
function keeper() {
  /** @type {Map<any, {sign: string, drawn: any}>} */
  const edges = new Map();
  /** @type {Map<any, {sign: string, drawn: any}>} */
  const nodes = new Map();
  /** @type {Map<any, {sign: string, drawn: any}>} */
  const names = new Map();
  const again = (all, id, sign, draw) => {
    const before = all.get(id);
    if (before?.sign === sign) return before.drawn;
    const drawn = draw();
    all.set(id, { sign, drawn });
    return drawn;
  };
  return {
    edge: (spot, props) => {
      const above = props.node(spot.parent.id);
      const sign = [above?.bestChild === spot.id, above?.pruned.length, spot.stub || Boolean(props.node(spot.id)),
        props.marks.line?.has(spot.id)].join();
      return again(edges, spot.id, sign, () => html`<${Edge} spot=${spot} ...${props} />`);
    },
    name: (spot, props) => {
      const sign = [props.node(spot.parent.id)?.pruned.includes(spot.name), spot.stub || Boolean(props.node(spot.id))].join();
      return again(names, spot.id, sign, () => html`<${Name} spot=${spot} ...${props} />`);
    },
    node: (spot, props) => {
      const { marks, current, chosen } = props;
      const own = props.node(spot.id);
      if (!own) return null;
      const sign = [own.best, own.value, own.bound, own.finished, own.leaf, own.low, own.high, own.hasWindow, spot.id === current,
        spot.id === chosen, marks.cause === spot.id, marks.line?.has(spot.id), marks.classes?.(spot.id), marks.stops?.has(spot.id), marks.types, marks.folded?.has(spot.id) && hiddenBelow(own, props.node)].join();
      return again(nodes, spot.id, sign, () => html`<${Node} spot=${spot} ...${props} />`);
    },
  };
}

/** How many nodes are known below a node. @param {any} own @param {(id: any) => any} node
 * @returns {number} */
function hiddenBelow(own, node) {
  return own.children.reduce((sum, id) => sum + 1 + hiddenBelow(node(id), node), 0);
}

/** The part of a tree that is in sight, and some to each side. @param {any} box */
function inSight(box) {
  const picture = box.firstElementChild;
  const scale = picture.getBoundingClientRect().width / picture.viewBox.baseVal.width;
  const before = (at) => Math.floor((at / scale - ASIDE) / STEP) * STEP;
  const after = (at) => Math.ceil((at / scale + ASIDE) / STEP) * STEP;
  const { scrollLeft, scrollTop, clientWidth, clientHeight } = box;
  return { left: before(scrollLeft), right: after(scrollLeft + clientWidth), top: before(scrollTop), bottom: after(scrollTop + clientHeight) };
}

/** Whether something between two places may be in sight. @param {any} sight @param {any} one
 * @param {any} other */
const touches = (sight, one, other) => Math.max(one.x, other.x) > sight.left && Math.min(one.x, other.x) < sight.right
  && Math.max(one.y, other.y) > sight.top && Math.min(one.y, other.y) < sight.bottom;

/** Keep the node in view. @param {any} box @param {any} spot */
function follow(box, spot) {
  if (!box || !spot) return;
  const scale = box.firstElementChild.getBoundingClientRect().width
    / box.firstElementChild.viewBox.baseVal.width;
  const [x, y] = [spot.x * scale, spot.y * scale];
  if (x < box.scrollLeft + 60 || x > box.scrollLeft + box.clientWidth - 60) {
    box.scrollLeft = x - box.clientWidth / 2;
  }
  if (y < box.scrollTop + 40 || y > box.scrollTop + box.clientHeight - 60) {
    box.scrollTop = y - box.clientHeight / 2;
  }
}

/** Where on its line an edge that is cut off ends. */
const STUB = 0.52;

/** Whether an edge is there to be seen, and whether it was cut off. @param {any} spot
 * @param {(id: any) => any} node */
function edgeOf(spot, node) {
  const cut = Boolean(spot.stub && node(spot.parent.id)?.pruned.includes(spot.name));
  return { cut, seen: cut || Boolean(!spot.stub && node(spot.id)) };
}

/** @param {any} props */
function Edge({ spot, node, marks }) {
  const { parent } = spot;
  const { cut, seen } = edgeOf(spot, node);
  if (!seen) return null;
  const reach = spot.stub ? STUB : 1;
  const [x, y] = [parent.x + (spot.x - parent.x) * reach, parent.y + (spot.y - parent.y) * reach];
  const kind = ["edge", cut && "cut", marks.line?.has(spot.id) && "on",
    node(parent.id)?.bestChild === spot.id && "best"].filter(Boolean).join(" ");
  return html`
    <g class=${kind}>
      <line x1=${parent.x} y1=${parent.y + R} x2=${x} y2=${cut ? y : y - R} />
      ${cut && html`<path class="cross" d="M${x - 5} ${y - 4}l10 8m0 -8l-10 8" />`}
    </g>`;
}

/** The action of an edge: beside its middle, on a flat one (beside it, the next edge may be), or below
 * the cross of one that was cut off. Names lie above all edges. @param {any} props */
function Name({ spot, node }) {
  const { parent } = spot;
  const { cut, seen } = edgeOf(spot, node);
  if (!seen) return null;
  const left = spot.x < parent.x;
  const at = (part) => [parent.x + (spot.x - parent.x) * part, parent.y + (spot.y - parent.y) * part];
  if (cut) {
    const [x, y] = at(STUB);
    return html`<text class="action cut" x=${x} y=${y + 20} text-anchor="middle">${spot.name}</text>`;
  }
  const [x, y] = at(0.5);
  if (Math.abs(spot.x - parent.x) > HEIGHT) return html`<text class="action" x=${x} y=${y + 5} text-anchor="middle">${spot.name}</text>`;
  return html`<text class="action" x=${x + (left ? -7 : 7)} y=${y + 2} text-anchor=${left ? "end" : "start"}>${spot.name}</text>`;
}

/** @param {any} props */
function Node({ spot, node, marks, current, choose, chosen, windows, layout }) {
  const own = node(spot.id);
  if (!own) return null;
  const { x, y } = spot;
  const value = own.value ?? own.best;
  const kind = ["node", own.maximizing ? "max" : "min", own.leaf && "leaf",
    own.finished && "finished", spot.id === current && "current", spot.id === chosen && "chosen",
    marks.cause === spot.id && "cause", marks.line?.has(spot.id) && "on", marks.classes?.(spot.id),
    marks.types && `type type-${own.type}`]
    .filter(Boolean).join(" ");
  const live = choose && !marks.inert?.(spot.id);
  const pick = live ? () => choose(spot.id) : null;
  const pressed = marks.pressed?.(spot.id) ?? null;
  const keys = (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      choose(spot.id);
    }
  };
  const hidden = marks.folded?.has(spot.id) ? hiddenBelow(own, node) : 0;
  const text = value === null ? "" : `${own.bound ?? ""}${shown(value)}`;
  return html`
    <g class=${kind} onClick=${pick} data-node=${spot.id}
      onKeyDown=${live ? keys : null} tabindex=${live ? (marks.pressed || spot.id === current ? 0 : -1) : null} role=${live ? "button" : null}
      aria-pressed=${live && pressed !== null ? String(pressed) : null}
      aria-label=${live ? label(own, spot, value, marks) : null}>
      ${own.leaf
    ? html`<rect x=${x - R + 2} y=${y - R + 5} width=${2 * R - 4} height=${2 * R - 10} rx="4" />`
    : own.maximizing ? html`<rect x=${x - R} y=${y - R} width=${2 * R} height=${2 * R} rx="5" />`
      : html`<circle cx=${x} cy=${y} r=${R} />`}
      <text class="value" x=${x} y=${y + 5} style=${fitting(text, own.leaf || own.maximizing ? 60 : 52)}>${text}</text>
      ${marks.types && own.type > 0 && html`<text class="kind" x=${x - R - 9} y=${y - R + 6}>${own.type}</text>`}
      ${marks.stops?.has(spot.id) && html`<circle class="stop" cx=${x + R} cy=${y - R} r="6" />`}
      ${hidden > 0 && html`<text class="more" x=${x} y=${y + R + 17}>+${hidden}</text>`}
      ${windows && !own.leaf && own.hasWindow !== false && html`
        <${Window} text=${frame(own.low, own.high)} x=${x} y=${y} layout=${layout} />`}
    </g>`;
}

/** Long values are written smaller, so that they stay inside their node. @param {string} text
 * @param {number} room */
const fitting = (text, room) => (text.length > 4 ? { fontSize: `${Math.max(8, room / text.length)}px` } : null);

/** A window beside its node, or above it; below it where, as leaves do, it stands under others.
 * @param {{text: string, x: number, y: number, layout: import("./layout.js").Layout}} props */
function Window({ text, x, y, layout }) {
  const under = !layout.levels.includes(y);
  if (layout.above) return html`<text class="window above" x=${x} y=${under ? y + R + 15 : y - R - 6.5} style=${{ fontSize: `${Math.min(12.5, 86 / text.length)}px` }}>${text}</text>`;
  if (!layout.dense) return html`<text class="window" x=${x + R + 5} y=${y + 4}>${text}</text>`;
  const [low, high] = text.split(" ");
  return html`<text class="window" x=${x + R + 4} y=${y - 2}>${low}<tspan x=${x + R + 7} dy="13">${high}</tspan></text>`;
}

/** @param {any} own @param {any} spot @param {any} value @param {any} marks */
function label(own, spot, value, marks) {
  if (marks.label) return marks.label(spot.id);
  const player = own.leaf ? say("see.leaf") : own.maximizing ? "MAX" : "MIN";
  const kind = marks.types && own.type ? `, ${say("see.type", { type: own.type })}` : "";
  return `${spot.name || say("tell.root")}${kind}, ${player}${value === null ? "" : `, ${own.bound ?? ""}${shown(value)}`}`;
}
