/** What a click on a board means: one move, or several of which the person is asked for one, as for
 * the piece that a pawn becomes. */
import { html, useEffect, useState } from "../html.js";
import { say } from "../words/index.js";

/** @typedef {import("../board.js").Action} Action */

/** Moves made on a board. `which`: those between which somebody has to choose; it is empty again in
 * another place, or after `leave`.
 * @param {any} place @param {(name: string) => void} make
 * @returns {{which: Action[], act: (actions: Action[]) => void, leave: () => void}} */
export function useAsking(place, make) {
  const [which, setWhich] = useState(/** @type {Action[]} */ ([]));
  useEffect(() => setWhich([]), [place]);
  const act = (actions) => {
    if (actions.length > 1) setWhich(actions);
    else make(actions[0].name);
  };
  return { which, act, leave: () => setWhich([]) };
}

/** The question, if there is one. @param {{asking: ReturnType<typeof useAsking>}} props */
export function Asking({ asking }) {
  const { which, act, leave } = asking;
  return which.length > 0 && html`
    <p class="ask" role="group" aria-label=${say("play.which")}>${say("play.which")}
      ${which.map((action) => html`<button onClick=${() => act([action])}>${action.name}</button>`)}
      <button class="link" id="ask-leave" onClick=${leave}>${say("play.which.leave")}</button></p>`;
}
