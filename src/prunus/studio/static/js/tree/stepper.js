/** Searches that are stepped through together: buttons, keys, and a panel for each. */
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../html.js";
import { Folded } from "../folded.js";
import { say } from "../words/speech.js";
import { nextCut, nextStop } from "./model.js";
import { Panel } from "./panel.js";
import { nameOf } from "./telling.js";

const PACE = 600;

/** The names of breakpoints that a text lists. @param {string} text */
const named = (text) => text.split(/[,;]/).map((name) => name.trim()).filter(Boolean);

/**
 * @param {{traces: import("./model.js").Trace[], first?: number, everywhere?: boolean,
 *   moved?: (step: number) => void, filesOf?: import("./source.js").FilesOf}} props `traces`: the
 *   same array as long as the searches are the same; `first`: how many events are shown at first;
 *   `everywhere`: whether keys count wherever they are pressed on the page
 */
export function Stepper({ traces, first = 0, everywhere = false, moved = () => {}, filesOf = null }) {
  const [at, setAt] = useState({ of: traces, step: first });
  const [running, setRunning] = useState(false);
  const [halts, setHalts] = useState("");
  const [types, setTypes] = useState(false);
  const box = useRef(/** @type {any} */ (null));
  const all = Math.max(0, ...traces.map((trace) => trace.events.length));
  const step = at.of === traces ? at.step : first;
  const stops = useMemo(() => {
    const names = new Set(named(halts));
    return traces.map((trace) => new Set(
      names.size ? trace.nodes.filter((node) => names.has(nameOf(trace, node.id))).map((node) => node.id) : [],
    ));
  }, [halts, traces, say("language")]);
  const halt = (name) => setHalts((old) => {
    const names = named(old);
    return (names.includes(name) ? names.filter((each) => each !== name) : [...names, name]).join(", ");
  });

  // Each from the step that is there when it is done: keys can be pressed faster than steps are drawn.
  const change = (next) => setAt((old) => {
    const to = next(old.of === traces ? old.step : first);
    return { of: traces, step: Math.max(0, Math.min(all, to)) };
  });
  const cut = (by) => change((now) => {
    const next = traces.map((trace) => nextCut(trace, now, by));
    return by > 0 ? Math.min(...next) : Math.max(...next);
  });
  const toStop = (by) => change((now) => {
    const next = traces.map((trace, number) => nextStop(trace, stops[number], now, by));
    return by > 0 ? Math.min(...next) : Math.max(...next);
  });
  const move = (to) => { setRunning(false); change(() => to); };
  const stepBy = (by) => { setRunning(false); change((now) => now + by); };
  const run = () => { if (!running && step >= all) change(() => 0); setRunning(!running); };

  useEffect(() => setRunning(false), [traces]);
  useEffect(() => moved(step), [step, traces]);
  useEffect(() => {
    if (!running) return undefined;
    if (step >= all) {
      setRunning(false);
      return undefined;
    }
    const timer = setTimeout(() => {
      change(() => step + 1);
      if (traces.some((trace, number) => stops[number].has(trace.events[step]?.node))) setRunning(false);
    }, PACE);
    return () => clearTimeout(timer);
  }, [running, step, all]);

  const moves = {
    ArrowRight: () => stepBy(1), ArrowLeft: () => stepBy(-1), Home: () => move(0), End: () => move(all),
    c: () => cut(1), C: () => cut(-1), b: () => toStop(1), B: () => toStop(-1), " ": run,
  };
  // Before the page is shown: a key that is pressed as soon as a button can be seen must count.
  useLayoutEffect(() => {
    const heard = everywhere ? window : box.current;
    const pressed = (event) => {
      const on = event.composedPath()[0];
      const inside = on.closest?.("input:not([type=range]), textarea, select, button, [role=button], summary, a");
      if (event.ctrlKey || event.metaKey || event.altKey || !moves[event.key]) return;
      if (inside && (event.key === " " || !inside.matches("button, [role=button]"))) return;
      event.preventDefault();
      if (!everywhere) event.stopPropagation();
      moves[event.key]();
    };
    heard.addEventListener("keydown", pressed);
    return () => heard.removeEventListener("keydown", pressed);
  });

  return html`
    <div class="stepper" ref=${box}>
      <${Controls} step=${step} all=${all} move=${move} stepBy=${stepBy} cut=${cut} running=${running} run=${run}
        halts=${halts} setHalts=${setHalts} toStop=${toStop} types=${types} setTypes=${setTypes}
        dotted=${traces.some((trace) => trace.dotted)} />
      <div class=${traces.length > 1 ? "side" : ""}>
        ${traces.map((trace, number) => html`
          <${Panel} key=${number} trace=${trace} step=${Math.min(step, trace.events.length)} go=${move}
            compact=${traces.length > 1} stops=${stops[number] ?? new Set()} halt=${halt} types=${types} filesOf=${filesOf} />`)}
      </div>
    </div>`;
}

/** @param {any} props */
function Controls({ step, all, move, stepBy, cut, running, run, halts, setHalts, toStop, types, setTypes, dotted }) {
  const button = (id, sign, act, off) => html`
    <button id=${id} onClick=${act} disabled=${off} aria-label=${say(`see.${id}`)}
      title=${say(`see.${id}`)}>${sign}</button>`;
  return html`
    <div class="controls">
      <div class="buttons">
        ${button("first", "|◀", () => move(0), step === 0)}
        ${button("back", "◀", () => stepBy(-1), step === 0)}
        <button id="step" class="main" onClick=${() => stepBy(1)} disabled=${step >= all}>
          ${say("see.step")} ▶</button>
        <button id="cut" onClick=${() => cut(1)} disabled=${step >= all}>✂ ${say("see.cut")}</button>
        ${button("last", "▶|", () => move(all), step >= all)}
        <button id="run" onClick=${run}>${running ? say("see.pause") : say("see.run")}</button>
      </div>
      <label class="slider"><span class="hidden">${say("see.position")}</span>
        <input type="range" min="0" max=${all} value=${step}
          onInput=${(event) => move(Number(event.target.value))} /></label>
      <span class="soft" id="at">${say("see.at", { step, all })}</span>
      <${Folded} title=${say("see.more")} class="more"><div class="more-controls">
        <label class="inline">${say("see.halts")}
          <input id="halts" value=${halts} placeholder="2.1" spellcheck="false" autocomplete="off" onInput=${(event) => setHalts(event.target.value)} /></label>
        <button id="to-halt" onClick=${() => toStop(1)} disabled=${!halts.trim() || step >= all}>● ${say("see.tohalt")}</button>
        <label class="inline"><input id="types" type="checkbox" checked=${types} onChange=${(event) => setTypes(event.target.checked)} />${say("see.types")}</label>
        <details class="how"><summary>${say("see.how")}</summary>
          <p class="soft">${say("see.windows")} ${dotted ? say("see.names") : ""} <span class="wide-only">${say("see.keys")}</span></p></details>
      </div><//>
    </div>`;
}
