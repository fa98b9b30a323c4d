/** The events of a watched search and the reasons for its cut-offs, in words. Windows and values are
 * MAX's everywhere. */
import { say } from "../words/speech.js";
import { path } from "./model.js";

/** @param {number | null | undefined} value @param {string} infinite */
export const shown = (value, infinite = "?") => (value === null || value === undefined
  ? infinite : String(value).replace("-", "−"));

/** @param {number | null} alpha @param {number | null} beta */
export const frame = (alpha, beta) => `(${shown(alpha, "−∞")}, ${shown(beta, "∞")})`;

/** The name of a node for people: the actions that lead to it.
 * @param {import("./model.js").Trace} trace @param {number} id */
export function nameOf(trace, id) {
  return path(trace, id).join(trace.dotted ? "." : " ") || say("tell.root");
}

/** @param {string[]} names @param {string} [before] */
function joined(names, before = "") {
  const all = names.map((name) => before + name);
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} ${say("tell.and")} ${all.at(-1)}`;
}

/** A sentence that begins with "the root" begins with a capital; the name of a move stays as it is.
 * @param {string} text */
const capital = (text) => (text.startsWith(say("tell.root"))
  ? text.charAt(0).toUpperCase() + text.slice(1) : text);

/** The last event. @param {import("./model.js").Trace} trace
 * @param {import("./model.js").Known} known */
export function tell(trace, known) {
  const { event } = known;
  const node = event && known.nodes.get(event.node);
  if (!event || !node) return say("see.ready");
  const name = nameOf(trace, event.node);
  const player = node.maximizing ? "MAX" : "MIN";
  if (event.event === "enter") {
    const key = trace.has_windows ? "tell.enter" : "tell.enter.plain";
    return capital(say(key, { name, player, window: frame(node.alpha, node.beta) }));
  }
  if (event.event === "return" && event.child !== undefined) {
    const child = nameOf(trace, event.child);
    const sign = known.nodes.get(event.child)?.bound ?? "";
    return capital(say("tell.return", { child, name, value: sign + shown(event.value) }));
  }
  if (event.event === "improve") return capital(improved(trace, node, event, name));
  if (event.event === "cut") return cut(trace, node, name);
  return capital(left(node, name));
}

/** What is not visited, and why. @param {any} trace @param {any} node @param {string} name */
function cut(trace, node, name) {
  const dot = trace.dotted && node.parent !== null ? `${name}.` : "";
  const told = (gone, reason) => {
    const key = gone.length === 1 ? "tell.cut" : "tell.cuts";
    return `${say(trace.dotted ? `${key}.dotted` : key, { rest: joined(gone, dot), name })} ${reason}`;
  };
  const parts = [];
  if (node.pruned.length) parts.push(told(node.pruned, why(trace, node)));
  if (node.repeating.length) parts.push(told(node.repeating, repetition(node)));
  return capital(parts.length ? parts.join(" ") : `${name}: ${why(trace, node)}`);
}

/** @param {any} node */
function repetition(node) {
  if (node.children.length) return say("why.repetition");
  return say(node.repeating.length ? "why.repetition.all" : "why.repetition.here");
}

/** @param {any} trace @param {any} node @param {any} event @param {string} name */
function improved(trace, node, event, name) {
  const value = shown(event.value);
  if (!trace.has_windows) return say("tell.best", { name, value });
  const end = node.maximizing ? event.alpha : event.beta;
  const before = node.maximizing ? node.alpha : node.beta;
  if (end !== event.value || end === before) return say("tell.outside", { name, value });
  const key = node.maximizing ? "tell.raised" : "tell.lowered";
  return say(key, { name, value, window: frame(event.alpha, event.beta) });
}

/** @param {any} node @param {string} name */
function left(node, name) {
  const value = shown(node.value);
  if (node.bound) return say(node.bound === "≥" ? "tell.bound.low" : "tell.bound.high", { name, value });
  return say(node.leaf ? "tell.leaf" : "tell.leave", { name, value });
}

/** Why the rest of a node was not visited; empty if there is no rest, or it is not known yet.
 * @param {import("./model.js").Trace} trace @param {any} node */
export function why(trace, node) {
  if (!node.reason) return "";
  if (node.reason === "repetition") return repetition(node);
  const value = shown(node.value ?? node.best);
  const bound = shown(node.maximizing ? node.beta : node.alpha);
  if (node.reason !== "bound") return say(`why.${node.reason}`, { value });
  if (node.cut === "window") return say("why.window", { bound, value });
  if (node.cutBy === null) return say(node.maximizing ? "why.root.max" : "why.root.min", { bound, value });
  const where = nameOf(trace, node.cutBy);
  const key = node.maximizing ? "why.bound.max" : "why.bound.min";
  return `${say(key, { bound, where, value })} ${say(`why.${node.cut}`)}`;
}
