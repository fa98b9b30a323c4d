/**
 * What is known of the positions of a game, for the first player throughout.
 *
 * @typedef {{value: number, proved: boolean, outcome: number | null, over?: boolean}} Standing
 */
import { html, useEffect, useRef, useState } from "../html.js";
import { search } from "../server.js";
import { say } from "../words/index.js";
import { playerText } from "../players.js";
import { shown } from "../tree/telling.js";

/** The seconds for a position that is only looked at in passing. */
const PASSING = 0.3;

/** The name of a position among those of a game. @param {string[]} moves */
export const keyOf = (moves) => moves.join(" ");

/** Where between 0 (the second player wins) and 1 (the first player wins) a standing lies.
 * @param {Standing | null | undefined} standing @param {number} scale */
export function share(standing, scale) {
  if (!standing) return 0.5;
  return standing.outcome !== null && scale < 200
    ? 0.5 + 0.5 * standing.outcome : 0.5 + 0.5 * Math.tanh(standing.value / scale);
}

/** A standing in words. @param {any} board @param {Standing | null | undefined} standing */
export function standingText(board, standing) {
  if (!standing) return "…";
  if (standing.over) return say("play.over");
  const value = shown(Math.abs(standing.value));
  if (standing.value === 0) return say(standing.proved ? "play.draw" : "play.even");
  const player = playerText(board, standing.value > 0 ? 0 : 1);
  return say(standing.outcome !== null ? "play.wins" : "play.ahead", { player, value });
}

/** From an answer about a position to its standing; null if nothing is known.
 * @param {any} found @param {number} mover @returns {Standing | null} */
function standingOf(found, mover) {
  if (found.value === null || found.value === undefined) return null;
  const value = (mover === 0 ? 1 : -1) * found.value;
  const proved = found.proved && found.bound === "exact";
  return { value, proved, outcome: proved ? Math.sign(value) : null };
}

/** The bar beside the board. @param {{position: any, standing: Standing | null}} props */
export function Bar({ position, standing }) {
  const { board } = position;
  const look = board.kind === "grid" ? board.look : "plain";
  const pair = ["drop", "stones", "hex", "points", "draughts", "own"].includes(look) ? "stones" : look;
  return html`<div class="bar pair-${pair}" role="img" aria-label="${say("play.bar")}: ${standingText(board, standing)}">
    <div class="up" style=${{ height: `${100 * share(standing, position.scale)}%` }} /></div>`;
}

/**
 * The standings of a game's positions by `keyOf`, and the values of all actions of the one that is
 * looked at. The last standing stays until the next one is known, so that the bar does not jump to
 * the middle and back. Positions of the game that have no standing get one when nothing else is to be
 * done, the last one first.
 *
 * @param {any} place the position looked at @param {string[]} moves all those of the game
 * @param {any} position what the server says of it
 * @param {{values: boolean, bar: boolean}} show
 * @param {boolean} busy the computer is to move @param {boolean} looking nobody else moves
 */
export function useStandings(place, moves, position, show, busy, looking) {
  const [known, setKnown] = useState(/** @type {Map<string, Standing | null>} */ (new Map()));
  const [values, setValues] = useState(new Map());
  const last = useRef(/** @type {Standing | null} */ (null));
  const note = (moves, standing) => setKnown((old) => {
    const before = old.get(keyOf(moves));
    return before?.over || (before?.proved && !standing?.proved) ? old : new Map(old).set(keyOf(moves), standing);
  });
  const here = known.get(keyOf(place.moves));
  if (here) last.current = here;
  const ready = position && position.at === place && position.players === 2;
  const has = known.has(keyOf(place.moves));
  useEffect(() => { setKnown(new Map()); last.current = null; }, [place.game, place.position]);
  useEffect(() => setValues(new Map()), [position]);
  /** Take over what a search says of the position that is looked at. @param {any} found */
  const learn = (found) => {
    setValues((old) => worthOf(found, old));
    note(place.moves, standingOf(found, position.mover));
  };

  useEffect(() => {
    if (!ready || !(show.values || show.bar)) return undefined;
    if (position.over) {
      const value = (position.mover === 0 ? 1 : -1) * position.value;
      if (!has) note(place.moves, { value, proved: true, outcome: Math.sign(value), over: true });
      return undefined;
    }
    if ((busy && !looking) || (has && !show.values)) return undefined;
    let current = true;
    let asked = /** @type {any} */ (null);
    const heard = (found) => { if (current) learn(found); };
    const begin = () => {
      asked = search({ do: "values", place, seconds: busy ? PASSING : show.values ? 2 : 0.7 });
      asked.done.then(heard, () => { if (current) note(place.moves, null); });
    };
    // Whoever moves at once does not wait for a search that nobody will look at.
    const timer = setTimeout(begin, busy ? 0 : 150);
    return () => { current = false; clearTimeout(timer); asked?.stop(); };
  }, [position, show.values, show.bar, busy]);

  const before = show.bar ? unknown(known, moves) : null;
  const free = Boolean(ready && has && !busy && before);
  useEffect(() => {
    if (!free || !before) return undefined;
    let current = true;
    const asked = search({ do: "values", place: { ...place, moves: before }, seconds: PASSING });
    asked.done.then((found) => { if (current) note(before, standingOf(found, found.mover)); },
      () => { if (current) note(before, null); });
    return () => { current = false; asked.stop(); };
  }, [free, before?.length, place]);
  return { known, note, learn, values, standing: last.current, has };
}

/** The moves to the last position of a game, before its end, that has not been looked at.
 * @param {Map<string, Standing | null>} known @param {string[]} moves */
function unknown(known, moves) {
  for (let ply = moves.length - 1; ply >= 0; ply -= 1) {
    const before = moves.slice(0, ply);
    if (!known.has(keyOf(before))) return before;
  }
  return null;
}

/** What the actions of a position are worth, by name. What has been proved before stays, whatever a
 * shorter search says. @param {any} found @param {Map<string, any>} before */
export function worthOf(found, before) {
  const moves = (found.moves ?? []).map((each) => (!each.proved && before.get(each.action)?.proved
    ? { action: each.action, ...before.get(each.action) } : each));
  const best = Math.max(...moves.map((each) => each.value));
  return new Map(moves.map(({ action, value, proved }) => [action,
    { text: (proved ? "" : "≈") + shown(value), best: value === best, proved, value }]));
}
