/**
 * Boards as SVG, drawn from the server's descriptions. A cell is 100 units wide.
 *
 * @typedef {{name: string, places: number[]}} Action
 * @typedef {{board: any, actions: Action[], last: number[], by?: number, mover: number, text: string,
 *   tallest?: number}} Position `by`: who has made the last move; `tallest`: the largest pile that the
 *   board has room for
 * @typedef {{text: string, best: boolean, value: number}} Worth a move's value, as it is written and
 *   as it is compared with others
 * @typedef {{position: Position, act: (actions: Action[]) => void, open: boolean,
 *   worth: Map<string, Worth>,
 *   arrows?: import("./arrows.js").Thought[], plain?: boolean}} Props `plain`: without
 *   names at the edge and without dots
 */
import { Arrows } from "./arrows.js";
import { useDragging } from "./dragging.js";
import { html, useEffect, useState } from "./html.js";
import { playerText } from "./players.js";
import { say } from "./words/index.js";

const PIECES = { k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };

/** What has been chosen with a key, until a board can be played on again. @type {string | null} */
let keyed = null;

/** A move takes what could be chosen off the board, and the focus with it. Whoever plays by keys has
 * it back where it was, or at the first choice there is. */
function refocus() {
  const active = document.activeElement;
  if (keyed === null || active?.closest(".target")) return;
  const choices = /** @type {NodeListOf<SVGElement>} */ (document.querySelectorAll(".board .target"));
  if (active === document.body && !choices.length) return;
  if (active === document.body) ([...choices].find((each) => each.getAttribute("aria-label") === keyed) ?? choices[0]).focus();
  keyed = null;
}

/** @param {Props} props */
export function Board(props) {
  const { kind } = props.position.board;
  useEffect(refocus);
  if (kind === "grid") return html`<${Grid} ...${props} />`;
  // Where no arrow would say where a move goes, its worth stands where it is made.
  const worth = props.worth.size ? props.worth : new Map((props.arrows ?? []).map((each) => [each.name, each]));
  if (kind === "piles") return html`<${Piles} ...${props} worth=${worth} />`;
  if (kind === "sowing") return html`<${Sowing} ...${props} worth=${worth} />`;
  return html`<div class="board"><pre class="code large">${props.position.board.text}</pre></div>`;
}

/** Something on a board that can be chosen with the mouse or the keyboard. @param {any} props */
function Target({ x, y, width = 100, height = 100, round, label, act, picked, dot, cell = null }) {
  const keys = (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      keyed = label;
      act();
    }
  };
  return html`
    <g class="target ${picked ? "picked" : ""}" role="button" tabindex="0" aria-label=${label}
      data-cell=${cell} onClick=${act} onKeyDown=${keys}>
      ${dot && html`<circle class="dot" cx=${x + width / 2} cy=${y + height / 2} r="11" />`}
      <rect class="hit" x=${x + 3} y=${y + 3} width=${width - 6} height=${height - 6} rx=${round ?? 8} />
    </g>`;
}

/** @param {Props} props */
function Grid({ position, act, open, worth, arrows = [], plain = false }) {
  const { board, actions, last } = position;
  const { rows, columns, look } = board;
  const [chosen, pick] = useState(/** @type {number[]} */ ([]));
  useEffect(() => pick([]), [position]);
  // A move from one cell to another; in a game of tiles an action covers its cells.
  const moves = open && look !== "tiles" ? actions.filter((each) => each.places.length > 1) : [];
  const { dragged, hears } = useDragging({
    starts: (cell) => moves.some((each) => each.places[0] === cell),
    begin: (cell) => pick([cell]),
    end: (from, to) => {
      const same = moves.filter((each) => each.places[0] === from && each.places[1] === to);
      if (same.length && same.every((each) => each.places.length === 2)) act(same);
      else pick(same.length && to !== null ? [from, to] : []);
    },
  });
  const slant = look === "hex" ? 50 : 0;
  const at = (cell) => [(cell % columns) * 100 + slant * Math.floor(cell / columns), Math.floor(cell / columns) * 100];
  const middle = (/** @type {number[]} */ [x, y]) => ({ x: x + 50, y: y + 50 });
  /** Where an arrow begins and ends: pieces of some games come from nowhere, or from above. */
  const ends = (places) => {
    const [x, y] = at(places[0]);
    const from = places.length > 1 && look !== "tiles" ? [x, y] : look === "drop" ? [x, y - 100] : null;
    return { from: from && middle(from), to: middle(at(places[1] ?? places[0])) };
  };
  const edge = look === "drop" ? 8 : plain ? 14 : 36;
  const width = columns * 100 + slant * (rows - 1);
  // Where a value is written, no dot lies under it.
  const values = valuesOn(actions, worth, chosen);
  const named = new Set(arrows.map((arrow) => arrow.name));
  const written = new Set([...values.keys(), ...actions.filter((each) => named.has(each.name) && each.places.length).map((each) => each.places.at(-1))]);
  return html`
    <div class="board"><svg class="look-${look}" viewBox="${-edge} ${-edge} ${width + 2 * edge} ${rows * 100 + 2 * edge}"
      role="group" aria-label="${say("play.board")}: ${position.text}" ...${hears}>
      ${ground(board, width)}
      ${[...board.cells].map((sign, cell) => html`<${Cell} look=${look} sign=${cell === dragged?.cell ? "." : sign} at=${at(cell)}
        dark=${(cell % columns + Math.floor(cell / columns)) % 2 === 1} middle=${cell % columns % 2 === 1 && Math.floor(cell / columns) % 2 === 1} />`)}
      ${last.map((cell) => html`<rect class="last" x=${at(cell)[0] + 5} y=${at(cell)[1] + 5} width="90" height="90" rx="10" />`)}
      ${edge === 36 && names(board, slant)}
      ${open && targets(board, actions, chosen, pick, act).map((target) => html`
        <${Target} ...${target} dot=${target.dot && !plain && !written.has(target.cell)} x=${at(target.cell)[0]} y=${at(target.cell)[1]} />`)}
      ${look === "drop" && open && columnTargets(board, actions, act)}
      ${[...values].map(([cell, { text, best }]) => html`
        ${look === "points" && html`<circle class="ground" cx=${at(cell)[0] + 50} cy=${at(cell)[1] + 50} r="30" />`}
        <text class="worth ${best ? "best" : ""}" x=${at(cell)[0] + 50} y=${at(cell)[1] + 52} style=${fitting(text)}>${text}</text>`)}
      <${Arrows} arrows=${arrows} actions=${actions} ends=${ends} />
      ${dragged && html`<g class="dragged" transform="translate(${dragged.x} ${dragged.y})">
        <${Cell} look=${look} sign=${board.cells[dragged.cell]} at=${at(dragged.cell)} /></g>`}
    </svg>${board.note && html`<p class="soft"><code>${board.note}</code></p>`}</div>`;
}

/** Long values are written smaller, so that those of two cells do not touch. @param {string} text */
const fitting = (text) => (text.length > 3 ? { fontSize: `${Math.max(18, 104 / text.length)}px` } : null);

/** What is written on the cells where moves end: the worth of the best one that ends there, of those
 * that begin as is chosen. @param {Action[]} actions @param {Map<string, Worth>} worth
 * @param {number[]} chosen @returns {Map<number, Worth>} */
function valuesOn(actions, worth, chosen) {
  const found = new Map();
  for (const { name, places } of actions) {
    const mine = worth.get(name);
    const cell = places.at(-1);
    if (!mine || cell === undefined || !chosen.every((each, step) => places[step] === each)) continue;
    if (!found.has(cell) || mine.value > found.get(cell).value) found.set(cell, mine);
  }
  return found;
}

/** What lies under the pieces. @param {any} board @param {number} width */
function ground({ rows, columns, look, lines }, width) {
  if (look === "drop") return html`<rect class="four-board" x="-8" y="-8" width=${columns * 100 + 16} height=${rows * 100 + 16} rx="26" />`;
  if (look === "discs") return html`<rect class="felt" width=${width} height=${rows * 100} />`;
  if (look === "hex") return goals(rows, columns);
  if (look !== "points") return null;
  const middle = (cell) => [(cell % columns) * 100 + 50, Math.floor(cell / columns) * 100 + 50];
  return lines.map((ends) => {
    const [[x1, y1], [x2, y2]] = ends.map(middle);
    return html`<line class="join" x1=${x1} y1=${y1} x2=${x2} y2=${y2} />`;
  });
}

/** The edges of Hex that each player joins: the first one top and bottom, the second one the sides.
 * @param {number} rows @param {number} columns */
function goals(rows, columns) {
  const across = Array.from({ length: columns }, (_, column) => column * 100);
  const down = Array.from({ length: rows }, (_, row) => row);
  const [x, y] = [(rows - 1) * 50, (rows - 1) * 100];
  const edge = (kind, points) => html`<polyline class="goal of-${kind}" points=${points.join(" ")} />`;
  return html`
    ${[0, columns * 100].map((side) => edge("second", down.map((row) => `${side + row * 50},${row * 100 + 17} ${side + row * 50},${row * 100 + 83}`)))}
    ${edge("first", across.map((left) => `${left},17 ${left + 50},-10 ${left + 100},17`))}
    ${edge("first", across.map((left) => `${left + x},${y + 83} ${left + x + 50},${y + 110} ${left + x + 100},${y + 83}`))}`;
}

/** The letters and numbers at the edge. Those of a game's own picture end where it has a column
 * without cells: what follows lies beside the board. @param {any} board @param {number} slant */
function names({ rows, columns, look, cells }, slant) {
  const row = (number) => (look === "chess" ? rows - number : number + 1);
  const isEmpty = (column) => [...cells].every((sign, cell) => cell % columns !== column || sign === " ");
  const all = Array.from({ length: columns }, (_, column) => column);
  const wide = look === "own" ? all.find(isEmpty) ?? columns : columns;
  return html`
    ${all.slice(0, wide).map((column) => html`
      <text class="coordinate" x=${column * 100 + 50} y=${look === "hex" ? -17 : -12}>${String.fromCharCode(97 + column)}</text>`)}
    ${Array.from({ length: rows }, (_, number) => html`
      <text class="coordinate" x=${-18 + slant * number} y=${number * 100 + 57}>${row(number)}</text>`)}`;
}

/** @param {any} props */
function Cell({ look, sign, at: [x, y], dark, middle }) {
  const [cx, cy] = [x + 50, y + 50];
  if (look === "drop") {
    return html`<circle cx=${cx} cy=${cy} r="41" class=${{ X: "first", O: "second" }[sign] ?? "hole"} />`;
  }
  if (look === "chess") {
    const white = sign !== "." && sign === sign.toUpperCase();
    return html`
      <rect x=${x} y=${y} width="100" height="100" class=${dark ? "square-dark" : "square-light"} />
      ${sign !== "." && html`<text class="piece ${white ? "white" : "black"}" x=${cx} y=${cy + 6}>${PIECES[sign.toLowerCase()]}︎</text>`}`;
  }
  if (look === "dots") return html`<${Dotted} sign=${sign} x=${x} y=${y} middle=${middle} />`;
  if (look === "discs") {
    return html`
      <rect class="rule" x=${x} y=${y} width="100" height="100" />
      ${sign !== "." && html`<circle cx=${cx} cy=${cy} r="40" class=${sign === "X" ? "black" : "white"} />`}`;
  }
  const piece = sign === "X" || sign === "O";
  if (look === "own" && sign === " ") return null;
  if (look === "points" || look === "draughts") {
    return html`
      ${look === "draughts" && html`<rect x=${x} y=${y} width="100" height="100" class=${dark ? "square-dark" : "square-light"} />`}
      ${look === "points" && sign === "." && html`<circle cx=${cx} cy=${cy} r="9" class="point" />`}
      ${piece && html`<circle cx=${cx} cy=${cy} r="36" class=${sign === "X" ? "first" : "second"} />`}`;
  }
  return html`
    ${look === "hex" ? html`<path class="tile" d=${hexagon(cx, cy)} />`
    : html`<rect class="tile" x=${x + 1} y=${y + 1} width="98" height="98" rx="6" />`}
    ${look === "marks" && sign === "X" && html`<path class="stroke-x" d="M${x + 26} ${y + 26}l48 48m0-48l-48 48" />`}
    ${look === "marks" && sign === "O" && html`<circle class="stroke-o" cx=${cx} cy=${cy} r="27" />`}
    ${look !== "marks" && piece && html`<circle cx=${cx} cy=${cy} r="36" class=${sign === "X" ? "first" : "second"} />`}
    ${look === "own" && !piece && !".#".includes(sign) && html`<text class="number" x=${cx} y=${cy + 2}>${sign}</text>`}
    ${sign === "#" && html`<rect class="covered" x=${x + 4} y=${y + 4} width="92" height="92" rx="8" />`}`;
}

/** A dot, a line between two, or a box that is closed. @param {any} props */
function Dotted({ sign, x, y, middle }) {
  if (sign === "+") return html`<circle class="point" cx=${x + 50} cy=${y + 50} r="13" />`;
  if (sign === "-") return html`<line class="drawn" x1=${x - 37} y1=${y + 50} x2=${x + 137} y2=${y + 50} />`;
  if (sign === "|") return html`<line class="drawn" x1=${x + 50} y1=${y - 37} x2=${x + 50} y2=${y + 137} />`;
  return middle && sign !== "." ? html`<rect class="covered" x=${x - 20} y=${y - 20} width="140" height="140" rx="8" />` : null;
}

/** @param {number} x @param {number} y */
function hexagon(x, y) {
  return `M${x} ${y - 60}l50 27v66l-50 27l-50 -27v-66z`;
}

/** What can be chosen on a grid: the places of an action, one after the other.
 * @param {any} board @param {Action[]} actions @param {number[]} chosen the places chosen so far
 * @param {(cells: number[]) => void} pick @param {(actions: Action[]) => void} act */
function targets(board, actions, chosen, pick, act) {
  if (board.look === "drop") return [];
  const path = ({ places }) => (board.look === "tiles" ? places.slice(0, 1) : places);
  const square = (cell) => `${String.fromCharCode(97 + (cell % board.columns))}${board.look === "chess"
    ? board.rows - Math.floor(cell / board.columns) : Math.floor(cell / board.columns) + 1}`;
  const found = new Map();
  const offer = (before) => {
    const step = before.length;
    const going = actions.filter((each) => path(each).length > step && before.every((cell, at) => path(each)[at] === cell));
    for (const cell of new Set(going.map((each) => path(each)[step]))) {
      const same = going.filter((each) => path(each)[step] === cell);
      if (same.every((each) => path(each).length === step + 1)) {
        found.set(cell, { cell, label: same.map((each) => each.name).join(", "), act: () => act(same), dot: true });
      } else {
        const picked = cell === chosen[step];
        const label = board.cells[cell] === "." ? square(cell) : say("play.from", { square: square(cell) });
        found.set(cell, { cell, label, picked, act: () => pick(picked ? before : [...before, cell]), dot: board.cells[cell] === "." });
      }
    }
  };
  for (let step = 0; step <= chosen.length; step += 1) offer(chosen.slice(0, step));
  return [...found.values()];
}

/** A column is one target. @param {any} board @param {Action[]} actions
 * @param {(actions: Action[]) => void} act */
function columnTargets({ rows, columns }, actions, act) {
  const sorted = [...actions].sort((a, b) => Number(a.name) - Number(b.name));
  return sorted.map((action) => html`
    <${Target} x=${(action.places[0] % columns) * 100} y=${0} height=${rows * 100} round="40"
      label=${action.name} act=${() => act([action])} />`);
}

/** Piles: a click takes the object and all above it; what was taken last is outlined.
 * @param {Props} props */
function Piles({ position, act, open, worth }) {
  const { piles } = position.board;
  const most = Math.max(4, position.tallest ?? 0, ...piles);
  const [last, taken = 0] = position.last;
  const height = most * 46 + 60;
  const find = (pile, take) => position.actions.find((action) => action.places[0] === pile && action.places[1] === take);
  return html`
    <div class="board"><svg viewBox="-20 -20 ${piles.length * 160 + 40} ${height + 40}" role="group"
      aria-label="${say("play.board")}: ${position.text}">
      ${piles.map((size, pile) => html`
        <text class="number" x=${pile * 160 + 80} y=${height}>${size}</text>
        ${pile + 1 === last && Array.from({ length: taken }, (_, at) => html`
          <rect class="taken" x=${pile * 160 + 20} y=${height - 90 - (size + at) * 46} width="120" height="38" rx="19" />`)}
        ${Array.from({ length: size }, (_, at) => {
    const [x, y] = [pile * 160 + 20, height - 90 - at * 46];
    const action = find(pile + 1, size - at);
    const value = action && worth.get(action.name);
    return html`
            <rect class="object" x=${x} y=${y} width="120" height="38" rx="19" />
            ${action && open && html`<${Target} x=${x} y=${y} width="120" height="38" round="19"
              label=${say("play.pile", { pile: pile + 1, take: size - at })} act=${() => act([action])} />`}
            ${value && html`<text class="worth ${value.best ? "best" : ""}" x=${x + 60} y=${y + 20}>${value.text}</text>`}`;
  })}`)}
    </svg></div>`;
}

/** Kalah: the second player's holes above, the first player's below; a ring is around the hole that
 * was emptied last. @param {Props} props */
function Sowing({ position, act, open, worth }) {
  const { holes, stores, lead } = position.board;
  const width = holes[0].length;
  const whose = (side) => html`<tspan class="of-${side}">${playerText(position.board, side)}</tspan>`;
  const box = (x, y, tall, seeds) => html`
    <rect class="hole-box" x=${x + 6} y=${y + 6} width="88" height=${tall - 12} rx="40" />
    ${Array.from({ length: Math.min(seeds, 24) }, (_, at) => html`<circle class="seed" r="8"
      cx=${x + 50 + 24 * Math.sin(at * 2.4) * Math.sqrt((at + 1) / 24) * 1.5} cy=${y + tall / 2 + 24 * Math.cos(at * 2.4) * Math.sqrt((at + 1) / 24) * 1.5} />`)}`;
  return html`
    <div class="board"><svg viewBox="${stores ? 0 : 20} 0 ${(width + 2) * 100 - (stores ? 0 : 100)} 300" role="group"
      aria-label="${say("play.board")}: ${position.text}">
      ${stores && html`${box(0, 40, 220, stores[1])}${box((width + 1) * 100, 40, 220, stores[0])}
      <text class="number" x="50" y="28">${whose(1)} ${stores[1]}</text>
      <text class="number" x=${(width + 1) * 100 + 50} y="272">${whose(0)} ${stores[0]}</text>`}
      ${!stores && [1, 0].map((side) => html`<text class="number" x="65" y=${side ? 100 : 200}>${whose(side)}</text>`)}
      ${[1, 0].map((side) => holes[side].map((seeds, hole) => {
    const x = (side === 0 ? hole + 1 : width - hole) * 100;
    const y = side === 0 ? 150 : 50;
    const action = side === position.mover && position.actions.find((each) => each.places[0] === hole);
    const value = action && worth.get(action.name);
    return html`
          ${box(x, y, 100, seeds)}
          <text class="number" x=${x + 50} y=${side === 0 ? 272 : 28}>${seeds}</text>
          ${position.by === side && position.last[0] === hole && html`<rect class="last" x=${x + 6} y=${y + 6} width="88" height="88" rx="40" />`}
          ${action && open && html`<${Target} x=${x} y=${y} round="40"
            label=${say("play.hole", { hole: hole + 1, count: seeds })} act=${() => act([action])} />`}
          ${value && html`<rect class="ground" x=${x + 40 - 9 * value.text.length} y=${y + 30} width=${20 + 18 * value.text.length} height="40" rx="12" />
            <text class="worth ${value.best ? "best" : ""}" x=${x + 50} y=${y + 50}>${value.text}</text>`}`;
  }))}
    </svg>${lead !== undefined && html`<p class="soft">${lead === 0 ? say("play.nolead") : say("play.leads", { player: playerText(position.board, lead > 0 ? position.mover : 1 - position.mover), lead: Math.abs(lead) })}</p>`}</div>`;
}
