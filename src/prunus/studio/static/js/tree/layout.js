/**
 * Where the nodes of a tree are drawn. A tree is laid out once, with all that will be visited and
 * cut off in it, so that nothing jumps while it is stepped through.
 *
 * @typedef {{id: number | string, x: number, y: number, parent: Spot | null, name: string,
 *   stub: boolean, last: boolean}} Spot `last`: a leaf of a dense tree
 * @typedef {{spots: Map<number | string, Spot>, width: number, height: number, levels: number[],
 *   dense: boolean, above: boolean}} Layout `above`: windows stand above their nodes, on a phone
 */
import { hierarchy, tree } from "../../vendor/d3-hierarchy.js";

const WIDTH = 64;
const HEIGHT = 92;
const MARGIN = 44;
/** Trees with so many leaves are dense: every second leaf stands lower, and so each takes half the
 * room. Larger ones do not fit a window in any way. Where room is short small trees are dense, too. */
const DENSE = { from: 25, short: 4, to: 110, wide: 20, lower: 31 };
/** The room at the left, for the names of the levels, and at the right, for a window. */
const SIDES = { usual: [30, 10], windows: [30, 40], narrow: [8, 2], above: [8, -20] };

/** How far apart branches end that are cut off, drawn to about a half: so that short names beside each
 * other can be told apart. @param {string} one @param {string} other */
const stubs = (one, other) => Math.max(21, (7 * Math.min(2, Math.max(one.length, other.length)) + 4) * 1.92);

/** @param {{id: any, name: string, stub?: boolean, children?: any[]}} root
 * @param {boolean} [windows] whether windows are written beside the nodes
 * @param {boolean} [narrow] whether there is only the width of a phone
 * @param {boolean} [short] whether small trees are dense, too @returns {Layout} */
export function laidOut(root, windows = false, narrow = false, short = narrow) {
  const top = hierarchy(root, (item) => item.children);
  const leaves = top.leaves().length;
  const dense = leaves >= (short ? DENSE.short : DENSE.from) && leaves <= DENSE.to;
  const above = dense && narrow && windows;
  const wide = dense ? DENSE.wide : leaves > 24 ? 40 : leaves > 12 ? 52 : WIDTH;
  /** @type {any} */ (tree()).nodeSize([wide, HEIGHT]).separation(
    (a, b) => {
      if (a.data.stub && b.data.stub) return Math.max(dense ? 0 : 0.55, stubs(a.data.name, b.data.name) / wide);
      const inner = a.children || b.children;
      // Beside a node that has children stands its window, in a dense tree on two lines.
      if (above && inner) return 44 / wide;
      if (windows && inner) return Math.max(1, (dense ? 76 : 104) / wide);
      if (dense && inner) return 46 / wide;
      return a.parent === b.parent ? 1 : 1.2;
    },
  )(top);
  let left = 0;
  let right = 0;
  top.each((each) => {
    left = Math.min(left, each.x);
    right = Math.max(right, each.x);
  });
  const [before, after] = above ? SIDES.above : narrow && dense ? SIDES.narrow : windows ? SIDES.windows : SIDES.usual;
  const spots = new Map();
  const levels = [];
  /** @type {number[]} how many leaves a level has so far */
  const counted = [];
  let height = 0;
  top.each((each) => {
    const parent = each.parent ? spots.get(each.parent.data.id) : null;
    const y = MARGIN + each.depth * HEIGHT;
    levels[each.depth] = y;
    const last = dense && !each.children?.length && !each.data.stub;
    if (last) counted[each.depth] = (counted[each.depth] ?? 0) + 1;
    const lower = last && counted[each.depth] % 2 === 0 ? DENSE.lower : 0;
    height = Math.max(height, y + lower);
    spots.set(each.data.id, {
      id: each.data.id, x: each.x - left + MARGIN + before, y: y + lower, parent, name: each.data.name,
      stub: Boolean(each.data.stub), last,
    });
  });
  return { spots, width: right - left + 2 * MARGIN + before + after, height: height + MARGIN, levels, dense, above };
}

const MOST = 2000;

/** The nodes below which a large tree is folded, so that few enough are drawn; none in others.
 * @param {import("./model.js").Trace} trace @returns {Set<number>} */
export function tooDeep(trace) {
  if (trace.nodes.length <= MOST) return new Set();
  const counts = [];
  for (const node of trace.nodes) counts[node.ply] = (counts[node.ply] ?? 0) + 1;
  let level = 0;
  for (let sum = counts[0]; sum + counts[level + 1] <= MOST / 2; level += 1) sum += counts[level + 1];
  return new Set(trace.nodes.filter((node) => node.ply === level).map((node) => node.id));
}

/** One pass of a watched search: its root, what was visited below, and a stub for each branch that
 * was cut off; nothing below the `folded` nodes. @param {import("./model.js").Trace} trace
 * @param {number} root @param {Set<number>} folded @returns {any} */
export function visited(trace, root, folded) {
  /** @type {Map<number, number[]>} */
  const children = new Map(trace.nodes.map((node) => [node.id, []]));
  for (const node of trace.nodes) {
    if (node.parent !== null) children.get(node.parent)?.push(node.id);
  }
  /** @param {number} id @returns {any} */
  const grow = (id) => {
    const node = trace.nodes[id];
    if (folded.has(id)) return { id, name: node.action ?? "", children: [] };
    const stubs = node.pruned.map((name, at) => ({ id: `${id}/${at}`, name, stub: true }));
    return {
      id,
      name: node.action ?? "",
      children: [...(children.get(id) ?? []).map(grow), ...stubs],
    };
  };
  return grow(root);
}
