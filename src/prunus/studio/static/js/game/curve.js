/** The value over the game as a curve, for the first player throughout. A slider over the moves: a
 * click or the arrow keys go to a position. */
import { html, useRef } from "../html.js";
import { say } from "../words/index.js";
import { playerText } from "../players.js";
import { numberIn } from "./numbers.js";
import { keyOf, share, standingText } from "./standing.js";

/** @typedef {import("./standing.js").Standing} Standing */

/** @param {{moves: string[], at: number, go: (ply: number) => void, known: Map<string, Standing | null>,
 *   position: any}} props */
export function Curve({ moves, at, go, known, position }) {
  const box = useRef(/** @type {any} */ (null));
  const all = moves.length;
  const { board } = position;
  const points = moves.concat("").map((_, ply) => ({ ply, standing: known.get(keyOf(moves.slice(0, ply))) }))
    .filter((each) => each.standing)
    .map(({ ply, standing }) => ({
      ply, standing, x: all ? (100 * ply) / all : 0, y: 4 + 92 * (1 - share(standing, position.scale)),
    }));
  const to = (ply) => go(Math.max(0, Math.min(all, ply)));
  const steps = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, PageDown: at - 10, PageUp: at + 10, Home: 0, End: all };
  const keys = (event) => {
    if (!(event.key in steps) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    to(steps[event.key]);
  };
  const pointed = (event) => {
    const { left, width } = box.current.getBoundingClientRect();
    to(Math.round(((event.clientX - left) / width) * all));
  };
  const here = known.get(keyOf(moves.slice(0, at)));
  const text = `${whereText(position, moves, at)}: ${standingText(board, here)}${here ? `, ${say(here.proved ? "analyse.proved" : "analyse.heuristic")}` : ""}`;
  return html`
    <div class="curve" id="curve" role="slider" tabindex="0" aria-label=${say("curve.label")} aria-valuemin="0"
      aria-valuemax=${all} aria-valuenow=${at} aria-valuetext=${text} onKeyDown=${keys}
      onPointerDown=${pointed} onPointerMove=${(event) => { if (event.buttons === 1) pointed(event); }}>
      <span aria-hidden="true">↑ ${playerText(board, 0)}</span>
      <div class="field-of-curve" ref=${box}>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <path class="middle" d="M0 50H100" />
          <path class="here" d="M${all ? (100 * at) / all : 0} 0V100" />
          ${lines(points)}
          ${points.map((point) => html`<${Point} ...${point} here=${point.ply === at} />`)}
        </svg>
      </div>
      <span aria-hidden="true">↓ ${playerText(board, 1)}</span>
    </div>
    <p class="soft small">${say("curve.view", { player: playerText(board, 0) })}
      <span class="key proved"><i />${say("analyse.proved")}</span> <span class="key"><i />${say("analyse.heuristic")}</span></p>`;
}

/** Where in the game one is. @param {any} position one of the game @param {string[]} moves
 * @param {number} at */
export function whereText(position, moves, at) {
  return at === 0 ? say("curve.start") : say("curve.after", { number: numberIn(position, at - 1).replace(".", ""), move: moves[at - 1] });
}

/** Through positions that follow each other a line, dashed where some between them are not known.
 * @param {{ply: number, x: number, y: number}[]} points */
function lines(points) {
  return points.slice(1).map((point, number) => {
    const from = points[number];
    return html`<path class="run ${point.ply - from.ply > 1 ? "gap" : ""}" d="M${from.x} ${from.y}L${point.x} ${point.y}" />`;
  });
}

/** A square if the value is proved, a ring if it is an estimate: the round or square end of a line
 * without length, which keeps its shape although the picture is stretched. @param {any} props */
function Point({ x, y, standing, here }) {
  const d = `M${x} ${y}h.001`;
  return html`<g class="point ${standing.proved ? "proved" : ""} ${here ? "on" : ""}"><path class="outer" d=${d} />
    ${!standing.proved && html`<path class="inner" d=${d} />`}</g>`;
}

/** Buttons to go through the game. @param {{at: number, all: number, go: (ply: number) => void}} props */
export function Steps({ at, all, go }) {
  const button = (id, sign, ply, off) => html`<button id=${id} aria-label=${say(`curve.${id}`)} title=${say(`curve.${id}`)}
    disabled=${off} onClick=${() => go(ply)}>${sign}</button>`;
  return html`<div class="buttons steps">
    ${button("first", "«", 0, at === 0)}${button("previous", "‹", at - 1, at === 0)}
    ${button("next", "›", at + 1, at === all)}${button("latest", "»", all, at === all)}</div>`;
}
