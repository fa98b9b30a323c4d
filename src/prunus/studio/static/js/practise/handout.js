/** A sheet of exercises to print, with the solutions on pages of their own. The same numbers give
 * the same sheet on every machine. */
import { html, useEffect, useState } from "../html.js";
import { say } from "../words/index.js";
import { leavesOf } from "../tree/nested.js";
import { shown, why } from "../tree/telling.js";
import { Failure, Waiting } from "../rooms/parts.js";
import { Solved, Tree } from "./exercise.js";
import { lessonOf, treeOf } from "./lesson.js";

/** @param {{form: any}} props */
export function Handout({ form }) {
  const [made, setMade] = useState(/** @type {any[]} */ ([]));
  const [failure, setFailure] = useState("");
  const { seed, degree, plies, count, rule, ask } = form;
  const rows = ask === "all";
  useEffect(() => {
    let current = true;
    setMade([]);
    setFailure("");
    const make = async () => {
      for (let at = 0; at < Number(count) && current; at += 1) {
        const one = String(Number(seed) + at);
        const tree = await treeOf({ seed: one, degree, plies });
        const lesson = await lessonOf(tree, rule);
        if (current) setMade((old) => [...old, { seed: one, tree, lesson }]);
      }
    };
    make().catch((error) => { if (current) setFailure(error.message); });
    return () => { current = false; };
  }, [seed, degree, plies, count, rule]);
  const ready = made.length === Number(count);
  return html`
    <div class="no-print buttons"><button id="print" class="main" disabled=${!ready} onClick=${() => print()}>${say("practise.print")}</button></div>
    <p class="no-print soft small">${say("practise.print.how")}</p>
    <${Failure} text=${failure} />
    ${!ready && !failure && html`<${Waiting} state=${{}} />`}
    <div class="handout panel" data-ready=${ready ? "yes" : null}>
      <h2>${say("practise.sheet.title")}</h2>
      <p>${say("practise.sheet.lead")} ${say("practise.rule")} ${say(`practise.rule.${rule}`)} ${say("see.windows")} ${rows && say("practise.failsoft")}</p>
      ${made.map((each) => html`
        <section class="exercise" key=${each.seed}>
          <h3>${say("practise.seed")} ${each.seed}</h3>
          <div class=${bodyOf(each.tree)}>
            <${Tree} tree=${each.tree} skips=${new Set()} label=${say("practise.picture")} scale=${1} />
            ${rows && html`<${Solved} tree=${each.tree} />`}
          </div>
          <p class="blanks">${!rows && html`<span>${say("practise.value")}: <i class="blank" /></span>`} <span>${say("practise.move")}: <i class="blank" /></span></p>
        </section>`)}
      <div class="solutions">
        <h2>${say("practise.solutions")}</h2>
        ${made.map((each) => html`<${Solution} key=${each.seed} ...${each} rows=${rows} />`)}
        <p class="soft small">${say("practise.sheet.again", { address: `#practise/sheet/${seed}/${degree}/${plies}/${rule}/${ask}/${count}` })}</p>
      </div>
    </div>`;
}

/** The table of a small tree stands beside it. @param {any} tree */
const bodyOf = (tree) => (leavesOf(tree).length > 9 ? "body" : "body narrow");

/** @param {any} props */
function Solution({ seed, tree, lesson, rows }) {
  const skipped = leavesOf(tree).map(([leaf]) => leaf).filter((leaf) => !lesson.visited.has(leaf));
  // One reason for all leaves that the same cut-off takes away.
  const reasons = new Map();
  for (const leaf of skipped) {
    const node = lesson.cutAt(leaf);
    reasons.set(node.id, [...(reasons.get(node.id) ?? []), leaf]);
  }
  return html`
    <section class="exercise">
      <h3>${say("practise.seed")} ${seed}</h3>
      <div class=${bodyOf(tree)}>
        <${Tree} tree=${tree} skips=${new Set(skipped)} label=${say("practise.picture")} scale=${0.8} />
        ${rows && html`<${Solved} tree=${tree} lesson=${lesson} />`}
      </div>
      <p><strong>${say("practise.value")}: ${shown(lesson.value)}. ${say("practise.move")}: ${lesson.move}.</strong>
        ${" "}${skipped.length === 0 && say("practise.noskips")}</p>
      <ul class="reasons">${[...reasons.values()].map((leaves) => html`<li>${whyLeaves(lesson, leaves)}</li>`)}</ul>
    </section>`;
}

/** Why one cut-off takes these leaves away. @param {any} lesson @param {string[]} leaves */
function whyLeaves(lesson, leaves) {
  const key = leaves.length > 1 ? "practise.skips" : "practise.skipped";
  return `${say(key, { leaf: leaves.join(", ") })} ${why(lesson.trace, lesson.cutAt(leaves[0]))}`;
}
