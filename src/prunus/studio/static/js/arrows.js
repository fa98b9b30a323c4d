/**
 * The moves that a search thinks of, drawn on a board: arrows, or rings where a piece is set, each
 * with what it is worth. Where arrows lie on one line they are put side by side, and a label that
 * would cover another one stands further back on its arrow.
 *
 * @typedef {{name: string, text: string, best: boolean}} Thought
 * @typedef {{x: number, y: number}} Point
 * @typedef {Thought & {rank: number, from: Point | null, to: Point, label: Point}} Drawn
 */
import { html } from "./html.js";

/** How far apart the middles of arrows on one line are, and how large a label's letters are. */
const APART = 30;
const LETTER = { width: 17, height: 32 };
/** Where on its arrow a label may stand, from the best place on; 1 is the head. */
const ALONG = [1, 0.62, 0.4];

/** @param {{arrows: Thought[], actions: import("./board.js").Action[],
 *   ends: (places: number[]) => {from: Point | null, to: Point}}} props `ends`: where the arrow of a
 *   move begins and ends */
export function Arrows({ arrows, actions, ends }) {
  const drawn = arranged(arrows, actions, ends);
  // The best one lies above the others, and the labels above all.
  return html`
    ${[...drawn].reverse().map((each) => html`<g class="arrow ${each.best ? "best" : ""}"><${Shape} ...${each} /></g>`)}
    ${drawn.map((each) => html`<g class="arrow ${each.best ? "best" : ""}">
      <text class="worth ${each.best ? "best" : ""}" x=${each.label.x} y=${each.label.y + 2}>${each.text}</text></g>`)}`;
}

/** @param {Drawn} props */
function Shape({ from, to, rank }) {
  const width = Math.max(6, 15 - 3 * rank);
  if (!from) return html`<circle cx=${to.x} cy=${to.y} r="42" stroke-width=${width} />`;
  const { x, y } = direction(from, to);
  const [hx, hy] = [to.x - x * 22, to.y - y * 22];
  return html`
    <line x1=${from.x + x * 25} y1=${from.y + y * 25} x2=${hx - x * 24} y2=${hy - y * 24} stroke-width=${width} />
    <path d="M${hx} ${hy}L${hx - x * 30 - y * 20} ${hy - y * 30 + x * 20}L${hx - x * 30 + y * 20} ${hy - y * 30 - x * 20}z" />`;
}

/** @param {Point} from @param {Point} to */
function direction(from, to) {
  const far = Math.hypot(to.x - from.x, to.y - from.y);
  return { x: (to.x - from.x) / far, y: (to.y - from.y) / far };
}

/** The moves that have a place on the board. Of several with the same one, as of the pieces that a
 * pawn may become, only the best is drawn.
 * @param {Thought[]} arrows @param {import("./board.js").Action[]} actions
 * @param {(places: number[]) => {from: Point | null, to: Point}} ends @returns {Drawn[]} */
function arranged(arrows, actions, ends) {
  const seen = new Set();
  const found = /** @type {Drawn[]} */ ([]);
  for (const [rank, arrow] of arrows.entries()) {
    const places = actions.find((each) => each.name === arrow.name)?.places ?? [];
    if (!places.length || seen.has(places.join())) continue;
    seen.add(places.join());
    const { from, to } = ends(places);
    found.push({ ...arrow, rank, from, to, label: to });
  }
  return labelled(sideBySide(found));
}

/** Arrows on one line, moved apart. @param {Drawn[]} drawn */
function sideBySide(drawn) {
  const lines = drawn.map(({ from, to }) => {
    if (!from) return null;
    const { x, y } = direction(from, to);
    return [x, y, (from.x * y - from.y * x) / 100].map((each) => each.toFixed(2)).join();
  });
  return drawn.map((each, at) => {
    const same = lines.flatMap((line, other) => (line !== null && line === lines[at] ? [other] : []));
    if (!each.from || same.length < 2) return each;
    const { x, y } = direction(each.from, each.to);
    const aside = APART * (same.indexOf(at) - (same.length - 1) / 2);
    const moved = (point) => ({ x: point.x - y * aside, y: point.y + x * aside });
    return { ...each, from: moved(each.from), to: moved(each.to) };
  });
}

/** How far below its arrow a label stands: one beside the head would hide it.
 * @param {Point} from @param {Point} to */
const below = (from, to) => (Math.abs(to.x - from.x) > Math.abs(to.y - from.y) ? 34 : 0);

/** Each with a place for its label, the best one first. @param {Drawn[]} drawn */
function labelled(drawn) {
  const before = /** @type {Drawn[]} */ ([]);
  for (const each of drawn) {
    const { from, to } = each;
    const places = from ? ALONG.map((part) => ({ x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y) + below(from, to) })) : [to];
    const free = places.find((place) => before.every((other) => !cover({ ...each, label: place }, other)));
    before.push({ ...each, label: free ?? places[0] });
  }
  return before;
}

/** Whether the labels of two moves lie upon each other. @param {Drawn} one @param {Drawn} other */
const cover = (one, other) => Math.abs(one.label.y - other.label.y) < LETTER.height
  && Math.abs(one.label.x - other.label.x) < (LETTER.width * (one.text.length + other.text.length)) / 2;
