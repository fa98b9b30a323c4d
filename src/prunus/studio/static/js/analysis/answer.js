/** What an analysis knows: its value, its lines, and how it got there. */
import { html, useMemo } from "../html.js";
import { count, language, say } from "../words/index.js";
import { Chart } from "../chart.js";
import { standingText } from "../game/standing.js";
import { Player, moveText, playerText } from "../players.js";
import { Waiting } from "../rooms/parts.js";
import { shown } from "../tree/telling.js";

/** The lines that are told, the best one first; of a search of one line, its own. @param {any} found */
export function linesOf(found) {
  if (!found) return [];
  if (found.lines) return [...found.lines].sort((a, b) => b.value - a.value);
  return found.best === null || found.value === null ? [] : [{ action: found.best, value: found.value, bound: found.bound, proved: found.proved, line: found.pv }];
}

/** The values of all moves; what the search of the position has proved is not estimated beside it.
 * @param {any[]} moves @param {any[]} lines */
export function withProofs(moves, lines) {
  const proved = new Map(lines.filter((each) => each.proved && each.bound === "exact").map((each) => [each.action, each.value]));
  return moves.map((each) => (!each.proved && proved.has(each.action) ? { ...each, value: proved.get(each.action), proved: true } : each));
}

/** @param {any} props */
export function Lines({ lines, name = "" }) {
  return html`<ol id=${`lines${name}`} class="lines">${lines.map((each) => html`
    <li><strong>${say(`analyse.sign.${each.bound}`)}${each.proved ? "" : "≈"}${shown(each.value)}</strong> ${each.line.slice(0, 14).join(" ")}</li>`)}</ol>`;
}

/** What the search knows now. `name` tells apart what belongs to one search of several.
 * @param {any} props */
export function Answer({ position, state, name = "" }) {
  const found = state.steps.at(-1);
  const { progress } = state;
  if (position.over) return html`<p>${say("analyse.over")}</p>`;
  if (!found) return progress ? html`<${Waiting} state=${progress} />` : html`<p class="soft" id=${`state${name}`}>${say(state.ended === "stopped" ? "analyse.stopped" : state.ended ? "analyse.unknown" : "analyse.notyet")} ${compiledText(state)}</p>`;
  const nodes = Math.max(found.nodes, progress?.nodes ?? 0);
  const seconds = Math.max(found.seconds, progress?.seconds ?? 0);
  const mover = playerText(position.board, position.mover);
  const verdict = verdictOf(position, found);
  return html`
    <p class="value-big" id=${`value${name}`}>${say(`analyse.${found.bound}`)}${shown(found.value)}
      <span class="badge ${found.proved ? "proved" : ""}" id=${`standing${name}`}>${say(found.proved ? "analyse.proved" : "analyse.heuristic")}</span></p>
    ${verdict && html`<p class="sentence" id=${`verdict${name}`}><strong>${verdict}</strong></p>`}
    <p class="soft"><${Player} board=${position.board} mover=${position.mover} /> ${say("analyse.mover", { player: mover })}</p>
    <dl>
      <dt>${say("analyse.depth")}</dt><dd id=${`depth-now${name}`}>${found.depth ?? say("see.end")}</dd>
      <dt>${say("analyse.best")}</dt><dd id=${`best${name}`}>${(found.best_moves.length ? found.best_moves : [found.best ?? "–"]).map((move) => moveText(position.board, move)).join(", ")}</dd>
      <dt>${say("analyse.line")}</dt><dd>${found.pv.join(" ") || "–"}</dd>
      <dt>${say("analyse.nodes")}</dt><dd id=${`nodes${name}`}>${count(nodes)}</dd>
      <dt>${say("analyse.speed")}</dt><dd>${seconds > 0.001 ? count(Math.round(nodes / seconds)) : "–"}</dd>
      ${state.fill !== null && html`<dt>${say("analyse.fill")}</dt><dd id=${`fill${name}`}>${percent(state.fill)}</dd>`}
    </dl>
    ${found.distance !== null && html`<p class="soft small">${say("analyse.ends", { plies: found.distance })}</p>`}
    <p class="soft" role="status" id=${`state${name}`}>${progress ? say("analyse.running") : state.ended ? `${say(`analyse.${state.ended}`)} ${compiledText(state)}` : ""}
      ${progress?.compiling ? ` ${say("analyse.compiling", { seconds: progress.compiling.toFixed(0) })}` : ""}</p>`;
}

/** What became of the time that was waited for code, where the search took all of its time.
 * @param {any} state */
function compiledText({ ended, last }) {
  const waited = last?.compiling ?? 0;
  if (ended !== "done" || waited < 0.5) return "";
  return last.ready ? say("analyse.compiled", { seconds: waited.toFixed(0) }) : say("analyse.late");
}

/** Who wins, where that is proved. @param {any} position @param {any} found */
function verdictOf(position, found) {
  const settles = found.bound === "exact" || (found.bound === "lower" ? found.value > 0 : found.value < 0);
  if (!found.proved || !settles) return "";
  return standingText(position.board, { value: (position.mover === 0 ? 1 : -1) * found.value, proved: true, outcome: 1 });
}

/** @param {number} part */
const percent = (part) => part.toLocaleString(language(), { style: "percent", maximumFractionDigits: part < 0.1 ? 1 : 0 });

/** The iterations that were finished with a value. @param {any[]} steps */
const finished = (steps) => steps.filter((each) => each.depth !== null && each.value !== null && !each.interrupted);

/** The curves of value and nodes; of two searches, both in one. `names`: theirs.
 * @param {{all: any[][], names?: string[]}} props */
export function Curves({ all, names = [] }) {
  const [x, values, nodes] = useMemo(() => {
    const deep = all.map(finished);
    const depths = [...new Set(deep.flat().map((each) => each.depth))].sort((a, b) => a - b);
    const over = (field) => deep.map((steps) => depths.map((depth) => steps.findLast((each) => each.depth === depth)?.[field] ?? null));
    return [depths, over("value"), over("nodes")];
  }, all);
  return html`
    ${names.length > 1 && html`<p class="curves-of">${names.map((name, at) => html`<span class=${at ? "dashed" : ""}><i />${name}</span>`)}</p>`}
    ${x.length > 1 && html`<div class="charts">
      <${Chart} title=${say("analyse.chart.value")} x=${x} y=${values[0]} second=${values[1]} />
      <${Chart} title=${say("analyse.chart.nodes")} x=${x} y=${nodes[0]} second=${nodes[1]} log=${true} /></div>`}`;
}

/** The iterations of a search, the last one first; what a stopped one knew stands in the place of
 * the finished one of the same depth. @param {any} props */
export function Steps({ steps, name = "" }) {
  const rows = steps.filter((each, at) => each.depth !== steps[at + 1]?.depth).reverse();
  return html`
    <div class="scroll"><table id=${`history${name}`}>
      <thead><tr><th>${say("analyse.depth")}</th><th>${say("analyse.value")}</th><th class="number-cell">${say("analyse.nodes")}</th><th>${say("analyse.line")}</th></tr></thead>
      <tbody>${rows.map((each) => html`<tr>
        <td>${each.depth ?? say("see.end")}</td><td>${say(`analyse.${each.bound}`)}${shown(each.value)}${each.proved ? " ✓" : ""}</td>
        <td class="number-cell">${count(each.nodes)}</td><td>${each.pv.slice(0, 12).join(" ")}</td></tr>`)}</tbody>
    </table></div>`;
}
