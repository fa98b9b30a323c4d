/** An exercise on the screen: a tree whose leaves are picked, and fields for what else is asked. */
import { html, useMemo, useRef } from "../html.js";
import { say } from "../words/index.js";
import { laidOut } from "../tree/layout.js";
import { drawn, leavesOf } from "../tree/nested.js";
import { Picture } from "../tree/picture.js";
import { shown } from "../tree/telling.js";
import { PARTS, innerOf, solution, typed, whyLeaf, whyPart } from "./lesson.js";

/** @param {string} place */
const isMax = (place) => (place === "" ? 0 : place.split(".").length) % 2 === 0;

/** "MAX" or "MIN" beside each level but the last, where leaves are. @param {any} layout */
const levelsOf = (layout) => layout.levels.map((_, at) => (at === layout.levels.length - 1 ? "" : at % 2 ? "MIN" : "MAX"));

/** The tree with the values of its leaves; leaves that are marked are crossed out. What was typed
 * stands at its node. @param {{tree: any, skips: Set<string>, rows?: any, grade?: any,
 *   pick?: (place: string) => void, label: string, scale?: number}} props */
export function Tree({ tree, skips, rows = null, grade = null, pick, label, scale }) {
  const narrow = matchMedia("(max-width: 560px)").matches;
  const layout = useMemo(() => laidOut(drawn(tree), Boolean(rows), narrow), [tree, Boolean(rows), narrow]);
  const leaves = useMemo(() => new Map(leavesOf(tree)), [tree]);
  // The picture keeps what it has drawn, and with it the first of these functions.
  const now = useRef(pick);
  now.current = pick;
  const finite = (text) => { const found = typed(text); return Number.isFinite(found) ? found : null; };
  const node = (id) => {
    const own = rows?.[id] ?? {};
    return {
      maximizing: isMax(id), leaf: leaves.has(id), pruned: [], finished: leaves.has(id), best: null,
      value: leaves.get(id) ?? finite(own.value), low: finite(own.alpha), high: finite(own.beta),
      hasWindow: Boolean(own.alpha || own.beta),
    };
  };
  const marks = {
    classes: (id) => [skips.has(id) && "gone", grade && (leaves.has(id) ? (grade.wrongLeaves.has(id) ? "wrong" : "right") : rows && (grade.wrongNodes.has(id) ? "wrong" : "right"))].filter(Boolean).join(" "),
    pressed: (id) => (leaves.has(id) ? skips.has(id) : null),
    inert: (id) => !leaves.has(id) && !rows,
    label: (id) => (leaves.has(id) ? say("practise.leaf", { leaf: id, value: shown(leaves.get(id)) })
      : `${id || say("tell.root")}, ${say(isMax(id) ? "see.max" : "see.min")}`),
  };
  return html`<${Picture} layout=${layout} node=${node} marks=${marks} levels=${levelsOf(layout)} windows=${Boolean(rows)}
    choose=${pick && ((id) => now.current?.(id))} label=${label} scale=${scale} />`;
}

/** The windows and values of the nodes, to be typed; once graded, with the right ones beside those
 * that are wrong. @param {{tree: any, rows: any, set?: (place: string, part: string, text: string) => void,
 *   grade: any, lesson: any}} props */
export function Rows({ tree, rows, set, grade, lesson }) {
  const cell = (place, part) => {
    const wrong = grade?.wrong.has(`${part} ${place}`);
    return html`
      <td><input aria-label=${`${say(part === "value" ? "see.value" : `practise.${part}`)}, ${place || say("tell.root")}`} data-cell=${`${part} ${place}`}
        value=${rows[place]?.[part] ?? ""} disabled=${Boolean(grade)} aria-invalid=${wrong ? "true" : null} class=${grade ? (wrong ? "wrong" : "right") : ""}
        autocomplete="off" spellcheck="false" autocapitalize="off" onInput=${(event) => set?.(place, part, event.target.value)} />
        ${wrong && html`<span class="solution">${solution(lesson, place, part)}</span>`}</td>`;
  };
  return html`
    <div class="scroll"><table class="rows">
      <caption>${say("practise.rows")}</caption>
      <thead><tr><th scope="col">${say("see.node")}</th>${PARTS.map((part) => html`<th scope="col">${say(part === "value" ? "see.value" : `practise.${part}`)}</th>`)}</tr></thead>
      <tbody>${innerOf(tree).map((place) => html`
        <tr><th scope="row">${place || say("tell.root")} <span class="small">${isMax(place) ? "MAX" : "MIN"}</span></th>
          ${PARTS.map((part) => cell(place, part))}</tr>`)}</tbody>
    </table></div>`;
}

/** The right windows and values. @param {{tree: any, lesson?: any}} props without a lesson the
 * table is empty, to be filled in */
export function Solved({ tree, lesson }) {
  return html`
    <table class="rows">
      <thead><tr><th scope="col">${say("see.node")}</th>${PARTS.map((part) => html`<th scope="col">${say(part === "value" ? "see.value" : `practise.${part}`)}</th>`)}</tr></thead>
      <tbody>${innerOf(tree).map((place) => html`
        <tr><th scope="row">${place || say("tell.root")} <span class="small">${isMax(place) ? "MAX" : "MIN"}</span></th>
          ${PARTS.map((part) => html`<td>${lesson ? solution(lesson, place, part) : ""}</td>`)}</tr>`)}</tbody>
    </table>`;
}

/** The grade, with reasons. @param {{grade: any, lesson: any}} props */
export function Grade({ grade, lesson }) {
  const { leaves, cells } = grade;
  const right = (all) => all.filter((each) => each.right).length;
  const told = leaves.filter((row) => row.skipped || !row.right);
  const wrong = cells.filter((cell) => !cell.right);
  // A node that is not visited has one reason for all its fields.
  const reasons = [...new Map(wrong.map((cell) => [whyPart(lesson, cell.place, cell.part), cell])).keys()];
  const perfect = grade.value && grade.move && right(leaves) === leaves.length && wrong.length === 0;
  const move = { move: lesson.move, value: shown(lesson.value) };
  return html`
    <div id="verdict" role="status">
      <p class="verdict">${perfect ? say("practise.all") : say("practise.right", { right: right(leaves), all: leaves.length })}
        ${!perfect && cells.length > 0 && ` ${say("practise.cells", { right: right(cells), all: cells.length })}`}</p>
      <p>${say(grade.value ? "practise.root.right" : "practise.root.wrong", move)}
        ${" "}${say(grade.move ? "practise.move.right" : "practise.move.wrong", move)}</p>
      <h2>${say("practise.reasons")}</h2>
      <ul class="reasons">
        ${told.map((row) => html`<li class=${row.right ? "" : "wrong"}>${whyLeaf(lesson, row.leaf)}</li>`)}
        ${reasons.map((text) => html`<li class="wrong">${text}</li>`)}
      </ul>
    </div>`;
}
