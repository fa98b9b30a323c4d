/**
 * A game as a text, as a file, and as a link: `#play/GAME/position=…&m=…&m=…&who=…&level=…`, with a
 * clock also `&clock=MINUTES+INCREMENT+LEFT+LEFT` (and whose time is up). What comes in is checked by
 * the server before it is shown.
 *
 * @typedef {{game: string, position: string, moves: string[], who: string, level: number,
 *   clock: import("./clock.js").Kept | null}} Record
 */
import { html, useState } from "../html.js";
import { request } from "../server.js";
import { say } from "../words/index.js";
import { isClock } from "./clock.js";
import { Failure } from "../rooms/parts.js";

/** The most characters of a game's text, and of a link that is read. */
const MOST = 40000;
const WHO = ["first", "second", "two", "none"];

/** @param {Record} record */
export function linkOf({ game, position, moves, who, level, clock }) {
  const parts = new URLSearchParams();
  if (position) parts.set("position", position);
  for (const move of moves) parts.append("m", move);
  parts.set("who", who);
  parts.set("level", String(level));
  if (clock) {
    const { minutes, increment, left, flag } = clock;
    const numbers = [minutes, increment, ...left.map((each) => each.toFixed(1))];
    parts.set("clock", [...numbers, ...(flag === null ? [] : [flag])].join(" "));
  }
  return `${location.origin}${location.pathname}#play/${encodeURIComponent(game)}/${parts}`;
}

/** The record that an address carries, as far as it does. What is none of the choices is left out.
 * @param {string} hash @returns {Partial<Record>} */
export function recordIn(hash) {
  const text = hash.split("/")[2] ?? "";
  if (!text || hash.length > MOST) return {};
  const parts = new URLSearchParams(text);
  const found = /** @type {Partial<Record>} */ ({ moves: parts.getAll("m"), position: parts.get("position") ?? "" });
  const [who, level] = [parts.get("who") ?? "", Number(parts.get("level"))];
  if (WHO.includes(who)) found.who = who;
  if (Number.isInteger(level) && level >= 1 && level <= 10) found.level = level;
  const clock = clockIn(parts.get("clock") ?? "");
  if (clock) found.clock = clock;
  return found;
}

/** @param {string} text */
function clockIn(text) {
  const [minutes, increment, first, second, flag = null, ...more] = text.split(" ").map(Number);
  const clock = { minutes, increment, left: [first, second], flag };
  return !more.length && isClock(clock) ? clock : null;
}

/** Give the browser a text to keep as a file. @param {{text: string, name: string}} written */
function download({ text, name }) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Save, load and share. @param {{record: () => Record, pgn: boolean, take: (record: Record) => void}} props */
export function Keeping({ record, pgn, take }) {
  const [text, setText] = useState("");
  const [link, setLink] = useState("");
  const [told, setTold] = useState("");
  const [failure, setFailure] = useState("");
  const tried = (work) => async (...given) => {
    setFailure("");
    setTold("");
    try {
      setTold(await work(...given));
    } catch (error) {
      setFailure(/** @type {Error} */ (error).message);
    }
  };
  const save = (form) => tried(async () => {
    download(await request("/api/write", { record: record(), form }));
    return say("keep.saved");
  });
  const read = async (given) => {
    if (given.length > MOST) throw new Error(say("keep.large", { most: MOST }));
    take(await request("/api/read", { text: given }));
    setLink("");
    return say("keep.loaded");
  };
  const load = tried(read);
  const open = tried(async (input) => {
    const [file] = input.files;
    if (!file) return "";
    if (file.size > 4 * MOST) throw new Error(say("keep.large", { most: MOST }));
    const found = await file.text();
    input.value = ""; // the same file may be chosen again
    return read(found);
  });
  const share = tried(async () => {
    const made = linkOf(record());
    setLink(made);
    try {
      await navigator.clipboard.writeText(made);
      return say("keep.copied");
    } catch {
      return say("keep.link.here");
    }
  });
  return html`<details class="panel keeping" id="keeping">
    <summary>${say("keep.title")}</summary>
    <div class="buttons">
      <button id="save" onClick=${save("json")}>${say("keep.save")}</button>
      ${pgn && html`<button id="save-pgn" onClick=${save("pgn")}>${say("keep.pgn")}</button>`}
      <button id="share" onClick=${share}>${say("keep.share")}</button>
    </div>
    ${link && html`<label class="field">${say("keep.link")}
      <input id="link" readonly value=${link} onFocus=${(event) => event.target.select()} /></label>`}
    <label class="field">${say("keep.file")}
      <input id="file" type="file" accept=".json,.pgn,.txt" onChange=${(event) => open(event.target)} /></label>
    <label class="field">${say("keep.paste")}
      <textarea id="text" rows="3" maxlength=${MOST} spellcheck="false" value=${text} onInput=${(event) => setText(event.target.value)} /></label>
    <div class="buttons"><button id="load" disabled=${!text.trim()} onClick=${() => load(text)}>${say("keep.load")}</button></div>
    <p class="soft small" role="status" id="kept">${told}</p>
    <${Failure} text=${failure} />
  </details>`;
}
