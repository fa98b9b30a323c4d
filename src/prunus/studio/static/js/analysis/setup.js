/** A position set up by hand: pieces put on the board, numbers typed, and who is to move. What is
 * set up is a text of the game's own; the server says whether it is a position. */
import { html, useEffect, useMemo, useState } from "../html.js";
import { request } from "../server.js";
import { say } from "../words/index.js";
import { Board } from "../board.js";
import { playerText } from "../players.js";

/** The signs of a position's text that can be put on a board, by how it looks; the last one is an
 * empty cell. */
const PIECES = {
  chess: [..."KQRBNPkqrbnp", "."], discs: ["X", "O", "-"], draughts: ["G", "F", "."], tiles: ["#", "."],
  drop: ["X", "O", "."], marks: ["X", "O", "."], stones: ["X", "O", "."], hex: ["X", "O", "."], points: ["X", "O", "."],
};
/** How texts say who is to move, the first player's word first. */
const MOVERS = [["X", "O"], ["A", "B"], ["V", "H"], ["G", "F"], ["w", "b"]];

/** Whether positions that look like this can be set up. @param {any} board */
export const canSetUp = (board) => board.kind === "piles" || board.kind === "sowing" || (board.kind === "grid" && board.look in PIECES);

/** The rows of a position's text, with a sign for each cell. @param {string} text */
const rowsOf = (text) => text.split(" ")[0].split("/").map((row) => row.replace(/\d/g, (number) => ".".repeat(Number(number))));

/** The text with other rows. @param {string} text @param {string[]} rows @param {string} look */
function withRows(text, rows, look) {
  const [, ...rest] = text.split(" ");
  if (look !== "chess") return [rows.join("/"), ...rest].join(" ");
  const short = rows.map((row) => row.replace(/\.+/g, (empty) => String(empty.length))).join("/");
  return [short, rest[0], castling(rows), "-", "0", "1"].join(" ");
}

/** Who may still castle, by where the kings and rooks stand. @param {string[]} rows */
function castling(rows) {
  const [black, white] = [rows[0] ?? "", rows.at(-1) ?? ""];
  const sides = [["K", white, 7, "R"], ["Q", white, 0, "R"], ["k", black, 7, "r"], ["q", black, 0, "r"]];
  return sides.filter(([side, row, corner, rook]) => row[4] === (side < "a" ? "K" : "k") && row[corner] === rook)
    .map(([side]) => side).join("") || "-";
}

/** Where the text says who is to move: the number of the word, and the two words. @param {string} text */
function moverIn(text) {
  const words = text.split(" ");
  for (const at of [words.length - 1, 1]) {
    const pair = at > 0 && MOVERS.find((each) => each.includes(words[at]));
    if (pair) return { at, pair, now: pair.indexOf(words[at]) };
  }
  return null;
}

/** The text with another word. @param {string} text @param {number} at @param {string} next */
const withWord = (text, at, next) => text.split(" ").map((word, number) => (number === at ? next : word)).join(" ");

/** The cells of a text as a board shows them. @param {any} board @param {string[]} rows */
const shownCells = (board, rows) => (board.look === "draughts" ? rows.join("").replaceAll("G", "X").replaceAll("F", "O")
  : board.look === "points" ? rows.join("").replaceAll("-", " ") : rows.join("").replaceAll("-", "."));

/** @param {{game: string, position: any, done: (text: string) => void, leave: () => void}} props
 *   `position`: what is changed, as the server describes it */
export function SetUp({ game, position, done, leave }) {
  const { board } = position;
  const [text, setText] = useState(position.text);
  const [failure, setFailure] = useState("…");
  const signs = PIECES[board.look] ?? [];
  const [piece, take] = useState(signs[0]);
  const mover = moverIn(text);
  useEffect(() => {
    let current = true;
    request("/api/position", { game, position: text, moves: [] }).then(
      () => { if (current) setFailure(""); },
      (error) => { if (current) setFailure(error.message); },
    );
    return () => { current = false; };
  }, [text]);
  return html`
    <section class="panel set-up" id="set-up-panel" aria-label=${say("setup.title")}>
      <p class="soft">${say(signs.length ? "setup.how" : "setup.numbers")}</p>
      ${signs.length > 0 && html`<div class="palette" role="group" aria-label=${say("setup.pieces")}>
        ${signs.map((sign) => html`<button aria-pressed=${String(sign === piece)} aria-label=${nameOf(sign, board)} title=${nameOf(sign, board)}
          onClick=${() => take(sign)}><${Piece} sign=${sign} board=${board} /></button>`)}
      </div>`}
      ${signs.length > 0 ? html`<${Cells} position=${position} text=${text} set=${setText} piece=${piece} />`
    : html`<${Numbers} text=${text} set=${setText} board=${board} />`}
      ${/^\d+$/.test(text.split(" ")[1] ?? "") && board.look === "points" && html`<p><label class="inline">${say("setup.hands")}
        <input type="number" min="0" max="18" id="hands" value=${text.split(" ")[1]} onInput=${(event) => setText(withWord(text, 1, String(Number(event.target.value))))} /></label></p>`}
      ${mover && html`<div class="tabs" role="group" aria-label=${say("setup.mover")}><span class="soft">${say("setup.mover")}:</span>
        ${[0, 1].map((player) => html`<label><input type="radio" name="mover" value=${player} checked=${mover.now === player}
          onChange=${() => setText(withWord(text, mover.at, mover.pair[player]))} />${playerText(board, player)}</label>`)}</div>`}
      <p class="small"><code id="set-text">${text}</code></p>
      ${failure !== "" && failure !== "…" && html`<p class="soft" role="status" id="set-not">${say("setup.not", { reason: failure })}</p>`}
      <div class="buttons">
        <button class="main" id="set-done" disabled=${failure !== ""} onClick=${() => done(text)}>${say("setup.done")}</button>
        ${signs.length > 0 && html`<button id="set-clear" onClick=${() => setText(withRows(text, cleared(text, board), board.look))}>${say("setup.clear")}</button>`}
        <button id="set-leave" onClick=${leave}>${say("setup.leave")}</button>
      </div>
    </section>`;
}

/** The rows with nothing on them. @param {string} text @param {any} board */
const cleared = (text, board) => rowsOf(text).map((row) => (board.look === "points" ? row.replace(/[XO]/g, ".")
  : (PIECES[board.look].at(-1) ?? ".").repeat(row.length)));

/** A board on which a click puts the piece that was taken; on one where pieces drop, the click is on
 * a column. @param {any} props */
function Cells({ position, text, set, piece }) {
  const { board } = position;
  const { columns, look } = board;
  const empty = PIECES[look].at(-1);
  const rows = rowsOf(text);
  const put = (cell) => {
    const next = rows.map((row, at) => (at === Math.floor(cell / columns)
      ? row.slice(0, cell % columns) + piece + row.slice(cell % columns + 1) : row));
    set(withRows(text, next, look));
  };
  const free = (column) => rows.findLastIndex((row) => row[column] === ".");
  const dropped = (column) => (piece === empty ? free(column) + 1 : free(column));
  const actions = useMemo(() => (look === "drop"
    ? rows[0].split("").flatMap((_, column) => (dropped(column) >= 0 && dropped(column) < rows.length
      ? [{ name: String(column + 1), places: [dropped(column) * columns + column] }] : []))
    : [...rows.join("")].flatMap((sign, cell) => (look === "points" && sign === "-" ? [] : [{ name: squareOf(cell, board), places: [cell] }]))), [text, piece]);
  const shown = { ...position, text, actions, last: [], board: { ...board, cells: shownCells(board, rows) } };
  return html`<div class="stage"><${Board} position=${shown} open=${true} worth=${new Map()} plain=${true} act=${(chosen) => put(chosen[0].places[0])} /></div>`;
}

/** @param {number} cell @param {any} board */
const squareOf = (cell, { columns, rows, look }) => `${String.fromCharCode(97 + (cell % columns))}${look === "chess"
  ? rows - Math.floor(cell / columns) : Math.floor(cell / columns) + 1}`;

/** The numbers of a text, each in a field of its own; of a game of sowing each side has a row, and so
 * has the lead where there are no stores. @param {any} props */
function Numbers({ text, set, board }) {
  const rows = board.kind === "sowing" ? [playerText(board, 0), playerText(board, 1), say("setup.lead")] : [];
  const parts = text.split(/(\d+)/);
  const change = (at, value) => set(parts.map((part, number) => (number === at ? String(Math.max(0, Math.trunc(Number(value) || 0))) : part)).join(""));
  const row = (at) => html`<strong>${rows[parts.slice(0, at).filter((part) => part.includes(" ")).length]}</strong>`;
  return html`<div class="numbers-of">${rows.length > 0 && row(0)}${parts.map((part, at) => (at % 2
    ? html`<input type="number" min="0" max="255" value=${part} aria-label=${say("setup.number", { number: (at + 1) / 2 })} onInput=${(event) => change(at, event.target.value)} />`
    : part === ":" ? html`<span class="soft">${say("play.store")}:</span>`
      : part.includes(" ") && at < parts.length - 1 && html`<span class="break" />${row(at + 1)}`))}</div>`;
}

/** @param {string} sign @param {any} board */
function nameOf(sign, board) {
  if (sign === PIECES[board.look].at(-1)) return say("setup.empty");
  if (board.look === "chess") return `${playerText(board, sign < "a" ? 0 : 1)}: ${say(`setup.${sign.toLowerCase()}`)}`;
  return board.look === "tiles" ? say("setup.covered") : playerText(board, "XG".includes(sign) ? 0 : 1);
}

/** A piece as it lies beside the board. @param {any} props */
function Piece({ sign, board }) {
  const cells = shownCells(board, [sign]);
  const one = { board: { ...board, rows: 1, columns: 1, cells: cells === " " ? "." : cells, lines: [] }, actions: [], last: [], mover: 0, text: "" };
  return html`<${Board} position=${one} open=${false} worth=${new Map()} plain=${true} act=${() => {}} />`;
}
