/**
 * Talks to the server: requests that answer at once, and searches, which tell what they know while
 * they run.
 *
 * @typedef {{game: string, position: string, moves: string[]}} Place
 * @typedef {{id: number, event: string, [key: string]: any}} Answer
 * @typedef {{stop: () => void, done: Promise<Answer>}} Search
 */

/** An error that the server has put into words. */
export class Refused extends Error {}

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
    throw new Refused("the studio does not answer: is `prunus studio` still running?");
  }
  if (answer.status === 401) throw new Refused(await answer.text());
  const data = await answer.json();
  if (!answer.ok) {
    throw new Refused(data.error ?? data.detail?.[0]?.msg ?? String(answer.status));
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
      const text = "the connection to the studio was lost";
      for (const [id, hear] of [...waiting]) hear({ id, event: "error", text });
    });
  }
  return new Promise((resolve, reject) => {
    made.addEventListener("open", () => resolve(made), { once: true });
    made.addEventListener("close", () => reject(new Refused("the studio does not answer")),
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
      if (answer.event === "error") reject(new Refused(answer.text));
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
