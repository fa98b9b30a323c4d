/** A tree drawn by clicking: a node is picked, children are added, values typed, and a node is
 * dragged to another place among its siblings. */
import { html, useMemo, useRef, useState } from "../html.js";
import { say } from "../words/speech.js";
import { laidOut } from "./layout.js";
import { drawn, leavesOf } from "./nested.js";
import { Picture } from "./picture.js";

/** @typedef {import("./nested.js").Nested} Nested */

/** @param {string} place @returns {number[]} */
const steps = (place) => (place === "" ? [] : place.split(".").map((each) => Number(each) - 1));

/** The tree with the node at a place replaced; undefined removes it. @param {any} tree
 * @param {number[]} at @param {(node: any) => any} change @returns {any} */
export function changed(tree, at, change) {
  if (at.length === 0) return change(tree);
  const children = tree.flatMap((child, number) => {
    const now = number === at[0] ? changed(child, at.slice(1), change) : child;
    return now === undefined ? [] : [now];
  });
  return children.length ? children : 0;
}

/** The tree with a child of a node moved among its siblings. @param {any} tree
 * @param {string} place @param {number} to from 0 @returns {any} */
export function moved(tree, place, to) {
  const at = steps(place);
  return changed(tree, at.slice(0, -1), (above) => {
    const others = above.filter((_, number) => number !== at.at(-1));
    others.splice(to, 0, above[at[at.length - 1]]);
    return others;
  });
}

/** @param {any} tree @param {string} place @returns {any} */
const nodeAt = (tree, place) => steps(place).reduce((node, at) => (Array.isArray(node) ? node[at] : undefined), tree);

/** @param {string} place @param {number} to */
const sibling = (place, to) => [...place.split(".").slice(0, -1), to + 1].join(".");

/** @param {{tree: any, set: (tree: any) => void}} props */
export function Editor({ tree, set }) {
  const [picked, pick] = useState("");
  const drag = useRef(/** @type {any} */ (null));
  const [grabbed, grab] = useState("");
  const box = useRef(/** @type {any} */ (null));
  const layout = useMemo(() => laidOut(drawn(tree)), [tree]);
  const leaves = useMemo(() => new Map(leavesOf(tree)), [tree]);
  const place = nodeAt(tree, picked) === undefined ? "" : picked;
  const own = nodeAt(tree, place);
  const at = steps(place);
  const last = at.at(-1) ?? 0;
  const all = place === "" ? 1 : nodeAt(tree, place.split(".").slice(0, -1).join(".")).length;
  const shift = (from, to) => { set(moved(tree, from, to)); pick(sibling(from, to)); };
  const add = () => {
    set(changed(tree, at, (node) => (Array.isArray(node) ? [...node, 0] : [node])));
    pick([...(place ? [place] : []), Array.isArray(own) ? own.length + 1 : 1].join("."));
  };
  const remove = () => {
    const after = changed(tree, at, () => undefined);
    set(Array.isArray(after) ? after : [after]);
    pick(place.split(".").slice(0, -1).join("."));
  };
  const down = (event) => {
    const found = event.target.closest("[data-node]")?.dataset.node;
    if (found) drag.current = { place: found, x: event.clientX, far: false };
  };
  const over = (event) => {
    const now = drag.current;
    if (!now || (!now.far && Math.abs(event.clientX - now.x) < 8)) return;
    now.far = true;
    grab(now.place);
    const from = steps(now.place).at(-1);
    let to = 0;
    for (const each of box.current.querySelectorAll("[data-node]")) {
      const other = each.dataset.node;
      if (other === now.place || sibling(other || "0", 0) !== sibling(now.place, 0) || other === "") continue;
      const { left, width } = each.getBoundingClientRect();
      if (left + width / 2 < event.clientX) to += 1;
    }
    if (to !== from) { shift(now.place, to); now.place = sibling(now.place, to); grab(now.place); }
  };
  const up = () => { drag.current = null; grab(""); };
  const node = (id) => ({
    maximizing: steps(id).length % 2 === 0, leaf: leaves.has(id), pruned: [], finished: leaves.has(id),
    value: leaves.get(id) ?? null, best: null,
  });
  const marks = {
    classes: (id) => (id === grabbed && grabbed ? "grabbed" : ""),
    pressed: (id) => id === place,
    label: (id) => `${id || say("tell.root")}${leaves.has(id) ? `, ${say("see.value")} ${leaves.get(id)}` : ""}`,
  };
  const button = (id, act, off = false) => html`<button type="button" id=${id} disabled=${off} onClick=${act}>${say(`draw.${id}`)}</button>`;
  return html`
    <div class="editor" ref=${box} onPointerDown=${down} onPointerMove=${over} onPointerUp=${up} onPointerLeave=${up} onPointerCancel=${up}>
      <p class="soft small">${say("draw.how")}</p>
      <${Picture} layout=${layout} node=${node} marks=${marks} chosen=${place} choose=${pick} label=${say("draw.picture")}
        levels=${layout.levels.slice(0, -1).map((_, level) => (level % 2 ? "MIN" : "MAX"))} scale=${1.2} current=${place} />
      <div class="buttons" role="group" aria-label=${say("draw.tools")}>
        <strong id="drawn">${place || say("tell.root")}</strong>
        ${button("add", add)}
        ${place !== "" && !Array.isArray(own) && html`<label class="inline">${say("see.value")}
          <input id="leaf" type="number" min="-1000000" max="1000000" value=${own}
            onInput=${(event) => event.target.validity.valid && event.target.value !== "" && set(changed(tree, at, () => Number(event.target.value)))} /></label>`}
        ${button("left", () => shift(place, last - 1), place === "" || last === 0)}
        ${button("right", () => shift(place, last + 1), place === "" || last === all - 1)}
        ${button("remove", remove, place === "" || (at.length === 1 && all === 1))}
      </div>
    </div>`;
}
