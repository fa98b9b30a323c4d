/** What an analysis knows: its value, its lines, and how it got there. */
import { html, useMemo } from "../html.js";
import { count, say } from "../words/index.js";
import { Chart } from "../chart.js";
import { Player, playerText } from "../players.js";
import { Waiting } from "../rooms/parts.js";
import { shown } from "../tree/telling.js";

/** The lines that are told, the best one first; of a search of one line, its own. @param {any} found */
export function linesOf(found) {
  if (!found) return [];
  if (found.lines) return [...found.lines].sort((a, b) => b.value - a.value);
  return found.best === null || found.value === null ? [] : [{ action: found.best, value: found.value, bound: found.bound, proved: found.proved, line: found.pv }];
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
  if (!found) return progress ? html`<${Waiting} state=${progress} />` : html`<p class="soft" id=${`state${name}`}>${say(state.ended === "stopped" ? "analyse.stopped" : state.ended ? "analyse.unknown" : "analyse.notyet")}</p>`;
  const nodes = Math.max(found.nodes, progress?.nodes ?? 0);
  const seconds = Math.max(found.seconds, progress?.seconds ?? 0);
  const mover = playerText(position.board, position.mover);
  return html`
    <p class="value-big" id=${`value${name}`}>${say(`analyse.${found.bound}`)}${shown(found.value)}
      <span class="badge ${found.proved ? "proved" : ""}" id=${`standing${name}`}>${say(found.proved ? "analyse.proved" : "analyse.heuristic")}</span></p>
    <p class="soft"><${Player} board=${position.board} mover=${position.mover} /> ${say("analyse.mover", { player: mover })}</p>
    <dl>
      <dt>${say("analyse.depth")}</dt><dd id=${`depth-now${name}`}>${found.depth ?? say("see.end")}</dd>
      <dt>${say("analyse.best")}</dt><dd id=${`best${name}`}>${found.best_moves.join(", ") || found.best || "–"}</dd>
      <dt>${say("analyse.line")}</dt><dd>${found.pv.join(" ") || "–"}</dd>
      <dt>${say("analyse.nodes")}</dt><dd id=${`nodes${name}`}>${count(nodes)}</dd>
      <dt>${say("analyse.speed")}</dt><dd>${seconds > 0.001 ? count(Math.round(nodes / seconds)) : "–"}</dd>
    </dl>
    ${found.distance !== null && html`<p class="soft small">${say("analyse.ends", { plies: found.distance })}</p>`}
    <p class="soft" role="status" id=${`state${name}`}>${progress ? say("analyse.running") : state.ended ? say(`analyse.${state.ended}`) : ""}
      ${progress?.compiling ? ` ${say("compiling", { seconds: progress.compiling.toFixed(0) })}` : ""}</p>`;
}

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

/** The iterations of a search, the last one first. @param {any} props */
export function Steps({ steps, name = "" }) {
  return html`
    <div class="scroll"><table id=${`history${name}`}>
      <thead><tr><th>${say("analyse.depth")}</th><th>${say("analyse.value")}</th><th class="number-cell">${say("analyse.nodes")}</th><th>${say("analyse.line")}</th></tr></thead>
      <tbody>${[...steps].reverse().map((each) => html`<tr>
        <td>${each.depth ?? say("see.end")}</td><td>${say(`analyse.${each.bound}`)}${shown(each.value)}${each.proved ? " ✓" : ""}</td>
        <td class="number-cell">${count(each.nodes)}</td><td>${each.pv.slice(0, 12).join(" ")}</td></tr>`)}</tbody>
    </table></div>`;
}
