/** How moves are numbered. In chess two of them share a number, White's "4." and Black's "4…"; in other
 * games, where a player may also move twice, each has its own. */

/** The number of a move. @param {any} board @param {number} ply how many moves came before it
 * @param {number} mover who makes it */
export function numberText(board, ply, mover) {
  if (board.look !== "chess") return `${ply + 1}.`;
  // Where Black begins, his first move is the second half of number 1.
  const first = (ply + mover) % 2;
  const number = Math.floor((ply + first) / 2) + 1;
  return mover === 0 ? `${number}.` : `${number}…`;
}

/** The number of a move of the game in which a position came up. @param {any} position
 * @param {number} ply */
export const numberIn = (position, ply) => numberText(position.board, ply, (position.mover + position.at.moves.length + ply) % 2);

/** The same as it stands in a list: Black's move follows White's without one. @param {any} position
 * @param {number} ply */
export function numberInList(position, ply) {
  const number = numberIn(position, ply);
  return ply > 0 && number.endsWith("…") ? "" : number;
}
