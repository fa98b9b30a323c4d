/** The values of a database in words. */
import { count, say } from "../words/index.js";
import { playerText } from "../players.js";
import { shown } from "../tree/telling.js";

/** @typedef {{value: number, plies: number | null}} Value */

/** Won, drawn or lost for the player whose value it is. @param {Value} value */
export function kindOf({ value }) {
  return value > 0 ? "won" : value < 0 ? "lost" : "drawn";
}

/** A value as short as it stands on a board: how many plies a win or a loss takes, or a score.
 * @param {Value} value @param {boolean} scored */
export function shortText(value, scored) {
  if (scored) return value.value > 0 ? `+${value.value}` : String(value.value).replace("-", "−");
  if (value.value === 0) return "=";
  return `${value.value > 0 ? "+" : "−"}${value.plies}`;
}

/** What a position is worth. @param {any} found @param {boolean} scored */
export function valueText(found, scored) {
  const { value, plies } = found.value;
  const player = (number) => playerText(found.board, number);
  if (scored) return say("solve.score.of", { player: player(found.mover), score: shown(value) });
  if (value === 0) return say(found.over ? "solve.over.draw" : "solve.draw");
  const winner = player(value > 0 ? found.mover : 1 - found.mover);
  if (found.over) return say("solve.over.won", { player: winner });
  return say(plies === 1 ? "solve.wins.one" : "solve.wins", { player: winner, plies: count(plies) });
}
