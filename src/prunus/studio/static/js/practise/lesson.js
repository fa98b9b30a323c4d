/**
 * What an exercise asks, and its answers: all of them are read from the events of the search, the
 * same ones that the room "See the search" steps through.
 *
 * @typedef {{place: string, node: import("../tree/model.js").Node, value: number | null,
 *   alpha: number | null, beta: number | null, alphaFrom: number | null, betaFrom: number | null,
 *   told: string}} Fact
 * @typedef {{trace: any, facts: Map<string, Fact>, visited: Set<string>, value: number,
 *   move: string, cutAt: (leaf: string) => any}} Lesson
 * @typedef {{leaves: Set<string>, value: string, move: string,
 *   rows: Record<string, {alpha?: string, beta?: string, value?: string}>}} Answers
 */
import { request, search } from "../server.js";
import { say } from "../words/index.js";
import { after, follow, path } from "../tree/model.js";
import { leavesOf } from "../tree/nested.js";
import { shown, tell, why } from "../tree/telling.js";

/** The algorithm that has a rule for ties: cut off at a value equal to the bound, or beyond it. */
export const ALGORITHM = { equal: "alphabeta", beyond: "alphabeta-strict" };

/** The parts of a row that are asked. @type {["alpha", "beta", "value"]} */
export const PARTS = ["alpha", "beta", "value"];

/** @returns {Answers} */
export const nothing = () => ({ leaves: new Set(), value: "", move: "", rows: {} });

/** The tree of a number. @param {{seed: string, degree: string, plies: string}} form */
export const treeOf = ({ seed, degree, plies }) => request(`/api/quiz?${new URLSearchParams({ seed, degree, depth: plies })}`)
  .then((found) => found.tree);

/** Search a tree with the rule that is chosen. @param {any} tree @param {string} rule
 * @returns {Promise<Lesson>} */
export async function lessonOf(tree, rule) {
  const trace = { ...await search({ do: "watch", tree, algorithm: ALGORITHM[rule] }).done, dotted: true };
  return read(trace);
}

/** @param {any} trace @returns {Lesson} */
function read(trace) {
  const known = after(trace, 0);
  /** @type {Map<string, Fact>} */
  const facts = new Map();
  const visited = new Set();
  const cuts = new Map();
  for (const event of trace.events) {
    follow(known, trace, event);
    const node = /** @type {import("../tree/model.js").Node} */ (known.nodes.get(event.node));
    const place = path(trace, event.node).join(".");
    if (event.event === "enter") {
      const { alpha, beta } = node;
      facts.set(place, { place, node, alpha, beta, value: null, told: "", alphaFrom: setter(known, node, "alpha"), betaFrom: setter(known, node, "beta") });
    } else if (event.event === "cut") {
      for (const name of node.pruned) cuts.set(place ? `${place}.${name}` : name, node);
    } else if (event.event === "leave") {
      Object.assign(/** @type {Fact} */ (facts.get(place)), { value: node.value, told: tell(trace, known) });
      if (node.leaf) visited.add(place);
    }
  }
  const root = /** @type {Fact} */ (facts.get("")).node;
  const cutAt = (leaf) => [...cuts].find(([place]) => leaf === place || leaf.startsWith(`${place}.`))?.[1] ?? null;
  return { trace, facts, visited, cutAt, value: trace.value, move: trace.nodes[Number(root.bestChild)]?.action ?? "" };
}

/** The ancestor whose best value is an end of a node's window; null if that end is the root's. A
 * best value outside its own window is only a bound and sets nothing. @param {any} known
 * @param {any} node @param {"alpha" | "beta"} end @returns {number | null} */
function setter(known, node, end) {
  for (let at = known.nodes.get(node.parent); at; at = known.nodes.get(at.parent)) {
    if (at.maximizing === (end === "alpha") && at.best === node[end] && at[end] !== node[end]) return at.id;
  }
  return null;
}

/** Before a value that is a bound. */
const SIGN = /^(?:≤|≥|<=|>=)\s*/;

/** Whether a sign before a value, if there is one, is that of the node.
 * @param {string | undefined} text @param {string} bound */
function signed(text, bound) {
  const sign = SIGN.exec((text ?? "").trim())?.[0].trim().replace("<=", "≤").replace(">=", "≥");
  return sign === undefined || sign === bound;
}

/** What was typed: a number, an infinite one, undefined for nothing, NaN for what is no number. A
 * value may have the sign of a bound.
 * @param {string | undefined} text @returns {number | undefined} */
export function typed(text) {
  const bare = (text ?? "").trim().replace(SIGN, "").replace(/[−–]/g, "-").toLowerCase();
  if (!bare) return undefined;
  const infinite = /^([+-]?)(∞|oo|inf|infinito|infinity)$/.exec(bare);
  if (infinite) return infinite[1] === "-" ? -Infinity : Infinity;
  return /^[+-]?\d+$/.test(bare) ? Number(bare) : NaN;
}

/** The nodes of a tree that have children, as they stand from the root down, the left ones first.
 * @param {any} tree @param {string} [place] @returns {string[]} */
export function innerOf(tree, place = "") {
  if (!Array.isArray(tree)) return [];
  return [place, ...tree.flatMap((child, at) => innerOf(child, place ? `${place}.${at + 1}` : String(at + 1)))];
}

/** The right answer to a part of a row, as a number; undefined if the node is not visited.
 * @param {Lesson} lesson @param {string} place @param {"alpha" | "beta" | "value"} part */
export function truth(lesson, place, part) {
  const fact = lesson.facts.get(place);
  if (!fact) return undefined;
  return fact[part] ?? (part === "alpha" ? -Infinity : Infinity);
}

/** The right answer as it is written, a bound with its sign. @param {Lesson} lesson
 * @param {string} place @param {"alpha" | "beta" | "value"} part */
export const solution = (lesson, place, part) => (part === "value" ? lesson.facts.get(place)?.node.bound ?? "" : "")
  + number(truth(lesson, place, part));

/** A number, or an infinite one, as it is written. @param {number | undefined} number */
const number = (number) => (number === undefined ? "–"
  : Number.isFinite(number) ? shown(number) : number > 0 ? "∞" : "−∞");

/** Which answers are right, and a reason for each that is not and for each leaf that is skipped.
 * @param {Lesson} lesson @param {any} tree @param {Answers} answers @param {boolean} rows whether
 * windows and values of nodes were asked, too */
export function graded(lesson, tree, answers, rows) {
  const leaves = leavesOf(tree).map(([leaf]) => ({
    leaf, skipped: !lesson.visited.has(leaf), right: answers.leaves.has(leaf) !== lesson.visited.has(leaf),
  }));
  const cells = rows ? innerOf(tree).flatMap((place) => PARTS.map((part) => {
    const text = answers.rows[place]?.[part];
    const right = Object.is(typed(text), truth(lesson, place, part))
      && signed(text, part === "value" ? lesson.facts.get(place)?.node.bound ?? "" : "");
    return { place, part, right };
  })) : [];
  const wrong = new Set(cells.filter((cell) => !cell.right).map((cell) => `${cell.part} ${cell.place}`));
  return {
    leaves, cells, wrong,
    wrongLeaves: new Set(leaves.filter((row) => !row.right).map((row) => row.leaf)),
    wrongNodes: new Set(cells.filter((cell) => !cell.right).map((cell) => cell.place)),
    value: typed(rows ? answers.rows[""]?.value : answers.value) === lesson.value,
    move: answers.move === lesson.move,
  };
}

/** Why a leaf is skipped, or is not. @param {Lesson} lesson @param {string} leaf */
export function whyLeaf(lesson, leaf) {
  const node = lesson.cutAt(leaf);
  return node ? `${say("practise.skipped", { leaf })} ${why(lesson.trace, node)}` : say("practise.visited", { leaf });
}

/** Why a part of a row is what it is. @param {Lesson} lesson @param {string} place
 * @param {"alpha" | "beta" | "value"} part */
export function whyPart(lesson, place, part) {
  const fact = lesson.facts.get(place);
  const name = place || say("tell.root");
  if (!fact) return say("practise.unseen", { name });
  if (part === "value") return fact.told;
  const from = part === "alpha" ? fact.alphaFrom : fact.betaFrom;
  const where = from === null ? "" : path(lesson.trace, from).join(".") || say("tell.root");
  return say(`practise.${part}.${where ? "from" : "none"}`, { name, value: shown(fact[part]), where });
}
