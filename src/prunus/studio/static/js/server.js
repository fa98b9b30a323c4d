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
  const data = await answer.json();
  if (!answer.ok) {
    throw await refused(data.error ?? data.detail?.[0]?.msg ?? String(answer.status));
  }
  return data;
}

/** @type {WebSocket | null} */
let socket = null;
let last = 0;
/** @type {Map<number, (answer: Answer) => void>} */
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
      waiting.get(answer.id)?.(answer);
    });
    made.addEventListener("close", () => {
      const text = say("server.lost");
      for (const [id, hear] of [...waiting]) hear({ id, event: "error", text });
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
    waiting.set(id, (answer) => {
      if (!["done", "error", "stopped"].includes(answer.event)) {
        hear(answer);
        return;
      }
      ended = true;
      waiting.delete(id);
      if (answer.event === "error") refused(answer.text).then(reject, reject);
      else resolve(answer);
    });
    connected().then(
      (open) => {
        if (stopped) {
          waiting.get(id)?.({ id, event: "stopped" });
          return;
        }
        sent = true;
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
