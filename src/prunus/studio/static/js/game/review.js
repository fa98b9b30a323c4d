/** The review of a game: which moves lost what. The server looks at every position, the last one
 * first; values are for the first player, as in the curve. */
import { html, useEffect, useRef, useState } from "../html.js";
import { search } from "../server.js";
import { say } from "../words/index.js";
import { playerText } from "../players.js";
import { shown } from "../tree/telling.js";
import { numberText } from "./numbers.js";
import { Failure, Waiting } from "../rooms/parts.js";

/** The seconds for each position, and the most for a game. */
const EACH = 1;
const MOST = 60;

const NONE = { running: false, waiting: /** @type {any} */ (null), plies: new Map(), ended: "", failure: "" };

/** A review of the moves of a place; what it finds goes to `note`, too. It ends with another place,
 * and with the page. @param {any} place @param {(moves: string[], standing: any) => void} note */
export function useReview(place, note) {
  const [state, setState] = useState(NONE);
  const asked = useRef(/** @type {any} */ (null));
  const halt = () => { asked.current?.stop(); asked.current = null; };
  useEffect(() => { halt(); setState(NONE); }, [place]);
  useEffect(() => halt, []);
  const begin = () => {
    halt();
    setState({ ...NONE, running: true, plies: new Map() });
    const seconds = Math.min(MOST, EACH * (place.moves.length + 2));
    const mine = search({ do: "review", place, seconds }, (answer) => {
      if (asked.current !== mine) return;
      if (answer.event !== "ply") { setState((old) => ({ ...old, waiting: answer })); return; }
      note(place.moves.slice(0, answer.ply), { ...answer.before, proved: answer.before.proved && answer.before.bound === "exact" });
      setState((old) => ({ ...old, waiting: null, plies: new Map(old.plies).set(answer.ply, answer) }));
    });
    asked.current = mine;
    const end = (change) => {
      if (asked.current !== mine) return;
      asked.current = null;
      setState((old) => ({ ...old, running: false, waiting: null, ...change }));
    };
    mine.done.then((last) => end({ ended: last.asked || last.event === "stopped" ? "stopped" : "done" }),
      (error) => end({ failure: error.message }));
  };
  return { state, begin, stop: () => asked.current?.stop() };
}

/** @param {{review: any, place: any, board: any, go: (ply: number) => void, at: number}} props */
export function Review({ review, place, board, go, at }) {
  const { state, begin, stop } = review;
  const all = place.moves.length;
  const lost = [...state.plies.values()].filter((each) => each.lost).sort((a, b) => a.ply - b.ply);
  const done = state.plies.size;
  return html`
    <div class="buttons">
      ${state.running ? html`<button id="stop-review" onClick=${stop}>${say("review.stop")}</button>`
    : html`<button id="review" disabled=${!all} onClick=${begin}>${say("review.begin")}</button>`}
    </div>
    <${Failure} text=${state.failure} />
    ${state.waiting && state.waiting.event !== "started" && html`<${Waiting} state=${state.waiting} />`}
    <p class="soft small" role="status" id="reviewed">${state.running ? say("review.running", { done, all: all + 1 })
    : state.ended ? say(`review.${state.ended}`, { done, all: all + 1 }) : ""}</p>
    ${lost.length > 0 && html`<${Losses} lost=${lost} board=${board} go=${go} at=${at} />`}
    ${!lost.length && state.ended === "done" && html`<p id="losses">${say("review.none")}</p>`}`;
}

/** @param {{lost: any[], board: any, go: (ply: number) => void, at: number}} props */
function Losses({ lost, board, go, at }) {
  return html`
    <div class="scroll"><table id="losses" class="losses">
      <thead><tr><th>${say("review.move")}</th><th>${say("review.value", { player: playerText(board, 0) })}</th>
        <th>${say("review.better")}</th><th>${say("review.what")}</th></tr></thead>
      <tbody>${lost.map((each) => html`<tr class=${each.ply === at ? "now" : ""}>
        <td><span class="which">${numberText(board, each.ply, each.mover)} <button class="link" onClick=${() => go(each.ply)}
          aria-label=${say("review.go", { number: numberText(board, each.ply, each.mover).replace(".", ""), player: playerText(board, each.mover), move: each.move })}>${each.move}</button></span>${" "}
          <span class="soft">${playerText(board, each.mover)}</span></td>
        <td>${valueText(each.before)} → ${valueText(each.after)}</td>
        <td>${each.better ?? "–"}</td>
        <td>${outcomes(each)} <span class="badge ${each.certain ? "proved" : ""}">${say(each.certain ? "analyse.proved" : "analyse.heuristic")}</span></td>
      </tr>`)}</tbody>
    </table></div>`;
}

/** @param {any} standing */
const valueText = (standing) => (standing.proved ? "" : "≈") + (standing.proved ? say(`analyse.${standing.bound}`) : "") + shown(standing.value);

/** What became of a win or a draw that is proved, or of an estimate, for the player who moved;
 * otherwise how much the value fell. @param {any} each */
function outcomes({ before, after, mover, lost }) {
  const sign = mover === 0 ? 1 : -1;
  const word = (standing) => (standing.outcome === null ? null
    : say(["review.loss", "review.draw", "review.win"][1 + sign * standing.outcome]));
  const [was, is] = [word(before), word(after)];
  // How far a proved outcome is from an estimate is no number that says anything.
  if (!was && is && !before.proved) return `≈${shown(sign * before.value)} → ${is}`;
  if (was && is && was !== is) return `${was} → ${is}`;
  return say("review.lost", { value: shown(lost) });
}
