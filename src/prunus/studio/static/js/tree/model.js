/**
 * A watched search as far as its first events tell. Nothing here looks ahead: a node has a window,
 * a value, a reason only after the event that says so.
 *
 * @typedef {{
 *   id: number, parent: number | null, name: string, maximizing: boolean, ply: number,
 *   state: string, leaf: string, alpha: number | null, beta: number | null, low: number | null,
 *   high: number | null, best: number | null, value: number | null, bound: string, finished: boolean,
 *   children: number[], pruned: string[], repeating: string[], reason: string, cut: string,
 *   cutBy: number | null, bestChild: number | null, returned: number | null, type: number,
 *   payoffs: number[] | null, tried: (string | null)[]
 * }} Node
 * @typedef {{event: string, node: number, child?: number, value?: number | null, bound?: string,
 *   alpha?: number | null, beta?: number | null}} Event
 * @typedef {{nodes: any[], events: Event[], value: number, leaves: number, fewest?: number | null,
 *   has_windows: boolean, algorithm: string, dotted?: boolean}} Trace
 * @typedef {{nodes: Map<number, Node>, current: number, event: Event | null, leaves: number,
 *   pass: number}} Known
 */

/** The nodes after the first `step` events. @param {Trace} trace @param {number} step
 * @returns {Known} */
export function after(trace, step) {
  /** @type {Known} */
  const known = { nodes: new Map(), current: 0, event: null, leaves: 0, pass: 0 };
  for (let at = 0; at < step; at += 1) follow(known, trace, trace.events[at]);
  return known;
}

/** A search that is gone through to and fro. To go somewhere costs as much as the events on the way. */
export class Walk {
  /** @param {Trace} trace */
  constructor(trace) {
    this.trace = trace;
    this.known = after(trace, 0);
    /** @type {(() => void)[]} what takes back each event so far */
    this.back = [];
  }

  /** What is known after the first `step` events: one object, which the next call changes.
   * @param {number} step @returns {Known} */
  to(step) {
    while (this.back.length > step) this.back.pop()?.();
    while (this.back.length < step) {
      const event = this.trace.events[this.back.length];
      this.back.push(takingBack(this.known, this.trace, event));
      follow(this.known, this.trace, event);
    }
    return this.known;
  }
}

/** What takes back the next event. The lists of a node only grow, and are cut again.
 * @param {Known} known @param {Trace} trace @param {Event} next @returns {() => void} */
function takingBack(known, trace, next) {
  const { event, current, leaves, pass } = known;
  const before = known.nodes.get(next.node);
  const kept = before && { ...before };
  const above = trace.nodes[next.node].parent;
  const parent = above === null ? undefined : known.nodes.get(above);
  const tried = parent?.tried.length ?? 0;
  return () => {
    Object.assign(known, { event, current, leaves, pass });
    if (kept) {
      known.nodes.set(next.node, kept);
      return;
    }
    known.nodes.delete(next.node);
    parent?.children.pop();
    parent?.tried.splice(tried);
  };
}

/** Bring what is known up to date with the next event. @param {Known} known @param {Trace} trace
 * @param {Event} event */
export function follow(known, trace, event) {
  known.event = event;
  known.current = event.node;
  if (event.event === "enter") {
    const said = trace.nodes[event.node];
    const node = entered(said, event);
    known.nodes.set(event.node, node);
    const parent = said.parent === null ? undefined : known.nodes.get(said.parent);
    if (!parent) known.pass = event.node;
    parent?.children.push(event.node);
    node.type = parent ? typeBelow(parent, node, said.action) : 1;
    return;
  }
  const node = /** @type {Node} */ (known.nodes.get(event.node));
  const said = trace.nodes[event.node];
  if (event.event === "return") {
    node.returned = event.child ?? null;
  } else if (event.event === "improve") {
    node.best = event.value ?? null;
    node.bound = event.bound ?? "";
    node.low = event.alpha ?? null;
    node.high = event.beta ?? null;
    node.bestChild = node.returned;
  } else if (event.event === "cut") {
    Object.assign(node, {
      pruned: said.pruned, repeating: said.repeating, reason: said.reason, cut: said.cut,
      cutBy: said.cut_by,
    });
  } else if (event.event === "leave") {
    node.value = event.value ?? null;
    node.bound = event.bound ?? "";
    node.finished = true;
    node.leaf = said.leaf;
    node.payoffs = said.payoffs ?? null;
    if (said.leaf) known.leaves += 1;
  }
}

/** The type of a critical node (Knuth & Moore 1975, theorem 7.1), 0 for others, by the order in
 * which the children are visited. @param {Node} parent @param {Node} node
 * @param {string | null} action */
function typeBelow(parent, node, action) {
  if (action === null) return parent.type; // the same position, searched once more
  if (!parent.tried.includes(action)) parent.tried.push(action);
  if (parent.maximizing === node.maximizing) return 0; // the theorem is about players who alternate
  const first = parent.tried[0] === action;
  if (parent.type === 1) return first ? 1 : 2;
  if (parent.type === 2) return first ? 3 : 0;
  return parent.type === 3 ? 2 : 0;
}

/** @param {any} said @param {Event} event @returns {any} */
function entered(said, event) {
  return {
    id: said.id, parent: said.parent, name: said.action ?? "", maximizing: said.player === "MAX",
    ply: said.ply, state: said.state, leaf: "", alpha: event.alpha ?? null,
    beta: event.beta ?? null, low: event.alpha ?? null, high: event.beta ?? null, best: null,
    value: null, bound: "", finished: false, children: [], pruned: [], repeating: [], reason: "", cut: "",
    cutBy: null, bestChild: null, returned: null, type: 0,
    payoffs: null, tried: [],
  };
}

/** The number of events after which the next cut-off has happened; the end if there is none.
 * @param {Trace} trace @param {number} step @param {number} by 1 forward, -1 back */
export function nextCut(trace, step, by = 1) {
  for (let at = by > 0 ? step : step - 2; at >= 0 && at < trace.events.length; at += by) {
    if (trace.events[at].event === "cut") return at + 1;
  }
  return by > 0 ? trace.events.length : 0;
}

/** The number of events after which the search has next come to one of some nodes; the end if it
 * does not. @param {Trace} trace @param {Set<number>} stops @param {number} step
 * @param {number} by 1 forward, -1 back */
export function nextStop(trace, stops, step, by = 1) {
  for (let at = by > 0 ? step : step - 2; at >= 0 && at < trace.events.length; at += by) {
    if (stops.has(trace.events[at].node)) return at + 1;
  }
  return by > 0 ? trace.events.length : 0;
}

/** The names of the actions from the root to a node. @param {Trace} trace @param {number} id
 * @returns {string[]} */
export function path(trace, id) {
  const names = [];
  for (let at = trace.nodes[id]; at.parent !== null; at = trace.nodes[at.parent]) {
    if (at.action !== null) names.unshift(at.action);
  }
  return names;
}

/** The nodes on the way from the root to a node, the node included. @param {Known} known
 * @param {number} id @returns {Set<number>} */
export function line(known, id) {
  const found = new Set();
  for (let at = known.nodes.get(id); at; at = at.parent === null ? undefined
    : known.nodes.get(at.parent)) found.add(at.id);
  return found;
}
