/**
 * The clocks of two players. They run on the page, from the first move on, which is free.
 *
 * @typedef {{minutes: number, increment: number}} Control minutes for a game, and seconds that
 *   each move adds
 * @typedef {Control & {left: number[], flag: number | null}} Kept how the clocks stand, in seconds,
 *   and whose time is up
 */
import { html, useEffect, useRef, useState } from "../html.js";
import { say } from "../words/index.js";
import { Player, playerText } from "../players.js";

export const MOST_MINUTES = 180;
export const MOST_INCREMENT = 60;

/** Below so many seconds a clock is a warning, and shows tenths. */
const LOW = 20;

/** The control that two fields of a form mean; null: no clock.
 * @param {string | number} minutes @param {string | number} increment @returns {Control | null} */
export function controlOf(minutes, increment) {
  const [each, more] = [Number(minutes), Number(increment) || 0];
  if (!(each > 0)) return null;
  return { minutes: Math.min(each, MOST_MINUTES), increment: Math.max(0, Math.min(more, MOST_INCREMENT)) };
}

/** Whether the parts of clocks are possible ones. @param {any} kept @returns {boolean} */
export function isClock(kept) {
  const most = 60 * MOST_MINUTES + 600 * MOST_INCREMENT;
  return kept.minutes > 0 && kept.minutes <= MOST_MINUTES && kept.increment >= 0 && kept.increment <= MOST_INCREMENT
    && kept.left.length === 2 && kept.left.every((each) => each >= 0 && each <= most) && [null, 0, 1].includes(kept.flag);
}

/** @typedef {{mover: number, over: boolean, moves: number}} Turn the last position of the game */

/** The clocks of a game. `turn` is null until the last position is known.
 * @param {Kept | null | undefined} given @param {number} played @param {Turn | null} turn */
export function useClocks(given, played, turn) {
  const [control, setControl] = useState(/** @type {Control | null} */ (given ?? null));
  const [flag, setFlag] = useState(/** @type {number | null} */ (given?.flag ?? null));
  // What the clocks show after each number of moves, and since when the one to move runs.
  const state = useRef({ times: filled(given, given, played), since: played ? performance.now() : null });

  /** @param {Control | null} next @param {Kept | null} [kept] @param {number} [moves] */
  const start = (next, kept = null, moves = 0) => {
    state.current = { times: filled(next, kept, moves), since: moves ? performance.now() : null };
    setControl(next);
    setFlag(kept?.flag ?? null);
  };
  const rewind = (moves) => {
    const { times } = state.current;
    state.current = { times: times.slice(0, moves + 1), since: moves ? performance.now() : null };
    setFlag(null);
  };
  const spent = () => (state.current.since === null ? 0 : (performance.now() - state.current.since) / 1000);
  /** A player moves: whether there was time for it. @param {number} mover */
  const punch = (mover) => {
    const { times, since } = state.current;
    if (flag !== null) return false;
    const left = [...times[times.length - 1]];
    if (control && since !== null) {
      left[mover] -= spent();
      if (left[mover] <= 0) { setFlag(mover); return false; }
      left[mover] += control.increment;
    }
    state.current = { times: [...times, left], since: performance.now() };
    return true;
  };
  const runs = Boolean(control && turn && !turn.over && flag === null && turn.moves > 0);
  /** The seconds that both clocks show. */
  const shown = () => {
    const { times } = state.current;
    const left = [...times[times.length - 1]];
    if (flag !== null) left[flag] = 0;
    else if (runs && turn && times.length - 1 === turn.moves) left[turn.mover] = Math.max(0, left[turn.mover] - spent());
    return left;
  };
  useEffect(() => {
    if (!runs || !turn) return undefined;
    const { mover, moves } = turn;
    const fall = () => { if (state.current.times.length - 1 === moves) setFlag(mover); };
    const timer = setTimeout(fall, Math.max(0, 1000 * (state.current.times[moves]?.[mover] - spent())));
    return () => clearTimeout(timer);
  }, [runs, turn]);
  const kept = () => (control ? { ...control, left: shown(), flag } : null);
  return { control, flag, start, rewind, punch, shown, runs, kept };
}

/** @param {Control | null | undefined} control @param {Kept | null | undefined} kept @param {number} moves */
function filled(control, kept, moves) {
  const full = 60 * (control?.minutes ?? 0);
  return Array.from({ length: moves + 1 }, () => kept?.left ?? [full, full]);
}

/** A time as minutes and seconds; with tenths when there is little left. @param {number} seconds */
export function timeText(seconds) {
  const tenths = seconds < LOW ? Math.floor(10 * seconds) / 10 : Math.floor(seconds);
  const rest = tenths % 60;
  const whole = seconds < LOW ? rest.toFixed(1).padStart(4, "0") : String(rest).padStart(2, "0");
  return `${Math.floor(tenths / 60)}:${whole}`;
}

/** Both clocks. @param {{clocks: any, board: any, turn: Turn | null}} props */
export function Clocks({ clocks, board, turn }) {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!clocks.runs) return undefined;
    const timer = setInterval(() => tick((old) => old + 1), 100);
    return () => clearInterval(timer);
  }, [clocks.runs]);
  const left = clocks.shown();
  return html`<div class="clocks">${[0, 1].map((player) => html`
    <div class="clock ${clocks.runs && turn?.mover === player ? "running" : ""} ${left[player] < LOW ? "low" : ""}" id="clock-${player}"
      role="timer" aria-label=${say("clock.of", { player: playerText(board, player) })}>
      <span><${Player} board=${board} mover=${player} /> ${playerText(board, player)}</span> <strong>${timeText(left[player])}</strong>
    </div>`)}</div>`;
}
