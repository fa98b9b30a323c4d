/** One analysis that runs: what is known so far, and how it is begun and ended. */
import { useEffect, useRef, useState } from "../html.js";
import { search } from "../server.js";

const nothing = () => ({ steps: [], progress: null, fill: null, ended: "", last: null, failure: "" });

/** The state of an analysis (`last` is the answer that ended it), and what can be done with it:
 * `begin` a search in place of the last one, `stop` it with what it knows, `forget` it. It ends with
 * the room.
 * @returns {{state: any, begin: (asked: any) => void, stop: () => void, forget: () => void}} */
export function useRun() {
  const [state, setState] = useState(/** @type {any} */ (nothing()));
  const running = useRef(/** @type {any} */ (null));
  const halt = () => {
    running.current?.stop();
    running.current = null;
  };
  useEffect(() => halt, []);
  const begin = (asked) => {
    halt();
    setState({ ...nothing(), progress: { event: "started" } });
    const mine = search({ do: "analyse", ...asked }, (answer) => {
      if (running.current !== mine) return;
      setState((old) => ({
        ...old, progress: answer, steps: answer.event === "iteration" ? [...old.steps, answer] : old.steps,
        fill: answer.fill || old.fill,
      }));
    });
    running.current = mine;
    const over = (change) => {
      if (running.current !== mine) return;
      running.current = null;
      setState((old) => ({ ...old, progress: null, ...change }));
    };
    mine.done.then(
      (last) => over({ ended: last.asked || last.event === "stopped" ? "stopped" : "done", last }),
      (error) => over({ failure: error.message }),
    );
  };
  return { state, begin, stop: () => running.current?.stop(), forget: () => { halt(); setState(nothing()); } };
}
