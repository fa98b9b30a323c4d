/** The two players of a game, as they look on its board. */
import { html } from "./html.js";
import { language, say } from "./words/index.js";

const NAMES = {
  en: { drop: ["Yellow", "Red"], stones: ["Yellow", "Red"], hex: ["Yellow", "Red"], points: ["Yellow", "Red"], draughts: ["Geese", "Fox"], discs: ["Black", "White"], chess: ["White", "Black"], marks: ["X", "O"], tiles: ["Vertical", "Horizontal"] },
  it: { drop: ["Giallo", "Rosso"], stones: ["Giallo", "Rosso"], hex: ["Giallo", "Rosso"], points: ["Giallo", "Rosso"], draughts: ["Oche", "Volpe"], discs: ["Nero", "Bianco"], chess: ["Bianco", "Nero"], marks: ["X", "O"], tiles: ["Verticale", "Orizzontale"] },
};
const PLAIN = { en: ["the first player", "the second player"], it: ["il primo giocatore", "il secondo giocatore"] };

/** A player's name in the language of the page. @param {any} board @param {number} number */
export function playerText(board, number) {
  const words = language() === "it" ? "it" : "en";
  if (board.kind === "sowing") return ["A", "B"][number];
  return (NAMES[words][board.look] ?? PLAIN[words])[number] ?? String(number + 1);
}

/** A move for people: those of piles by what they take as well. @param {any} board
 * @param {string} name */
export function moveText(board, name) {
  const [pile, take] = name.split(":");
  return board.kind === "piles" && take ? `${name} (${say("play.pile", { pile, take })})` : name;
}

/** A small picture of a player's piece. @param {{board: any, mover: number}} props */
export function Player({ board, mover }) {
  const kinds = { own: ["first", "second"], drop: ["first", "second"], stones: ["first", "second"], hex: ["first", "second"], points: ["first", "second"], draughts: ["first", "second"], discs: ["black", "white"], chess: ["white", "black"] };
  const kind = kinds[board.look]?.[mover];
  return kind ? html`<svg width="18" height="18" viewBox="0 0 20 20" aria-hidden="true"><circle class=${kind} cx="10" cy="10" r="8.500" stroke-width="1" /></svg>` : null;
}
