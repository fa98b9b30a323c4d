/**
 * Talks to the server: requests that answer at once, and searches, which tell what they know while
 * they run.
 *
 * @typedef {{game: string, position: string, moves: string[]}} Place
 * @typedef {{id: number, event: string, [key: string]: any}} Answer
 * @typedef {{stop: () => void, done: Promise<Answer>}} Search
 */

import { language, say } from "./words/speech.js";

/** An error that the server has put into words. */
export class Refused extends Error {}

/** The server's words in the language of the page. @param {string} text */
async function refused(text) {
  if (language() !== "it") return new Refused(text);
  // Where the server has gone, its words have not been loaded.
  const known = await import("./words/refusals.js").catch(() => null);
  return new Refused(known ? known.inItalian(text) : text);
}

/** @param {string} path @param {object} [body] @returns {Promise<any>} */
export async function request(path, body) {
  const how = body === undefined ? {} : {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  let answer;
  try {
    answer = await fetch(path, how);
  } catch {
    throw new Refused(say("server.gone"));
  }
  if (answer.status === 401) throw new Refused(await answer.text());
  // A server that has too much to do answers in words of its own.
  const data = await answer.json().catch(() => null);
  if (!answer.ok || data === null) {
    const text = data?.error ?? data?.detail?.[0]?.msg;
    throw text ? await refused(text) : new Refused(say(answer.status === 503 ? "server.full" : "server.odd", { status: answer.status }));
  }
  return data;
}

/** How a server closes a WebSocket when it has as many as it takes. */
const FULL = 1013;

/** @type {WebSocket | null} */
let socket = null;
let last = 0;
/** Who waits for answers, and through which socket they come, once the request has been sent.
 * @type {Map<number, {hear: (answer: Answer) => void, through: WebSocket | null}>} */
const waiting = new Map();

/** @returns {Promise<WebSocket>} */
function connected() {
  if (socket && socket.readyState === WebSocket.OPEN) return Promise.resolve(socket);
  const made = socket && socket.readyState === WebSocket.CONNECTING
    ? socket : new WebSocket(`ws://${location.host}/ws`);
  if (made !== socket) {
    socket = made;
    made.addEventListener("message", (event) => {
      const answer = JSON.parse(event.data);
      waiting.get(answer.id)?.hear(answer);
    });
    made.addEventListener("close", ({ code }) => {
      const text = say(code === FULL ? "server.full" : "server.lost");
      for (const [id, { hear, through }] of [...waiting]) {
        if (through === made) hear({ id, event: "error", text });
      }
    });
  }
  return new Promise((resolve, reject) => {
    made.addEventListener("open", () => resolve(made), { once: true });
    made.addEventListener("close", () => reject(new Refused(say("server.gone"))),
      { once: true });
  });
}

/**
 * Begin a search. `hear` is called with each answer before the last: `queued`, `started`,
 * `progress`, `iteration`. The promise has the last one, or fails with `Refused`.
 *
 * @param {{do: string, [key: string]: any}} asked
 * @param {(answer: Answer) => void} [hear]
 * @returns {Search}
 */
export function search(asked, hear = () => {}) {
  const id = ++last;
  let ended = false;
  let stopped = false;
  let sent = false;
  const done = new Promise((resolve, reject) => {
    const mine = { hear: heard, through: /** @type {WebSocket | null} */ (null) };
    /** @param {Answer} answer */
    function heard(answer) {
      if (!["done", "error", "stopped"].includes(answer.event)) {
        hear(answer);
        return;
      }
      ended = true;
      waiting.delete(id);
      if (answer.event === "error") refused(answer.text).then(reject, reject);
      else resolve(answer);
    }
    waiting.set(id, mine);
    connected().then(
      (open) => {
        if (stopped) {
          heard({ id, event: "stopped" });
          return;
        }
        sent = true;
        mine.through = open;
        open.send(JSON.stringify({ id, ...asked }));
      },
      (error) => {
        waiting.delete(id);
        reject(error);
      },
    );
  });
  const stop = () => {
    stopped = true;
    if (sent && !ended && socket?.readyState === WebSocket.OPEN) {
      socket.send(JSON.stringify({ id, do: "stop" }));
    }
  };
  return { stop, done };
}
