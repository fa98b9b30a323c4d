/** A piece is dragged to where it goes, with a mouse or a pen; a finger taps, and scrolls the page. */
import { useRef, useState } from "./html.js";

/** So many pixels a hand may tremble in a click. */
const STILL = 6;

/**
 * @typedef {{cell: number, x: number, y: number}} Dragged a piece, and how far it is from its cell
 * @param {{starts: (cell: number) => boolean, begin: (cell: number) => void,
 *   end: (from: number, to: number | null) => void}} how `starts`: whether a piece on this cell can
 *   move; `begin`: it is held; `end`: it is let go over a cell, or over none
 * @returns {{dragged: Dragged | null, hears: any}} `hears`: what the picture listens to
 */
export function useDragging({ starts, begin, end }) {
  const [dragged, drag] = useState(/** @type {Dragged | null} */ (null));
  const held = useRef(/** @type {{cell: number, x: number, y: number, far: boolean} | null} */ (null));
  /** @param {any} event */
  const down = (event) => {
    const cell = cellOf(event.target);
    const may = event.pointerType !== "touch" && event.button === 0 && cell !== null && starts(cell);
    held.current = may ? { cell, x: event.clientX, y: event.clientY, far: false } : null;
  };
  /** @param {any} event */
  const over = (event) => {
    const now = held.current;
    if (!now) return;
    const [x, y] = [event.clientX - now.x, event.clientY - now.y];
    if (!now.far && Math.hypot(x, y) < STILL) return;
    if (!now.far) begin(now.cell);
    now.far = true;
    const scale = event.currentTarget.getScreenCTM().a;
    drag({ cell: now.cell, x: x / scale, y: y / scale });
  };
  /** @param {number | null} to */
  const leave = (to) => {
    const now = held.current;
    held.current = null;
    drag(null);
    if (now?.far) end(now.cell, to);
  };
  /** @param {any} event */
  const up = (event) => leave(cellOf(document.elementFromPoint(event.clientX, event.clientY)));
  const out = () => leave(null);
  return { dragged, hears: { onPointerDown: down, onPointerMove: over, onPointerUp: up, onPointerLeave: out, onPointerCancel: out } };
}

/** The cell of what lies there, if it is a cell that can be chosen. @param {any} element */
function cellOf(element) {
  const cell = element?.closest("[data-cell]")?.dataset.cell;
  return cell === undefined ? null : Number(cell);
}
