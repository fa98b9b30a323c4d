/** See the search: what is to be searched, and one algorithm or two of them in step. */
import { html, useEffect, useMemo, useRef, useState } from "../html.js";
import { search } from "../server.js";
import { say } from "../words/index.js";
import { Editor } from "../tree/editor.js";
import { nextCut, nextStop } from "../tree/model.js";
import { readTree, reordered, written } from "../tree/nested.js";
import { Panel } from "../tree/panel.js";
import { nameOf } from "../tree/telling.js";
import { Choice, Failure, Line, Waiting } from "./parts.js";

const TREE = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]";

/** @param {string[]} rest */
function beginning(rest) {
  const [kind, first = "", second = "", third = ""] = rest;
  return {
    kind: ["tree", "figure", "game"].includes(kind) ? kind : "figure",
    tree: kind === "tree" && first ? first : TREE,
    figure: kind === "figure" && first ? first : "000-figure-2",
    game: kind === "game" && first ? first : "tic-tac-toe",
    position: kind === "game" ? second : "XOX/OX./..O",
    depth: kind === "game" ? third : "",
    algorithm: kind === "tree" && second ? second : "alphabeta",
    other: "",
    order: "as",
  };
}

/** What the server is asked, or an error in words. @param {any} form @param {any} offer */
function asked(form, offer) {
  const depth = form.depth === "" ? null : Number(form.depth);
  if (form.kind === "game") {
    return { do: "watch", place: { game: form.game, position: form.position, moves: [] }, depth };
  }
  const tree = form.kind === "figure" ? offer.figures[form.figure] : readTree(form.tree);
  return { do: "watch", tree: reordered(tree, form.order), depth };
}

/** @param {{offer: any, rest: string[], words: string}} props */
export function See({ offer, rest }) {
  const [form, setForm] = useState(beginning(rest));
  const [traces, setTraces] = useState(/** @type {any[]} */ ([]));
  const [step, setStep] = useState(0);
  const [running, setRunning] = useState(false);
  const [halts, setHalts] = useState("");
  const [types, setTypes] = useState(false);
  const stops = useMemo(() => {
    const names = new Set(halts.split(/[,;]/).map((name) => name.trim()).filter(Boolean));
    return traces.map((trace) => new Set(
      names.size ? trace.nodes.filter((node) => names.has(nameOf(trace, node.id))).map((node) => node.id) : [],
    ));
  }, [halts, traces, say("language")]);
  const halt = (name) => setHalts((old) => {
    const names = old.split(/[,;]/).map((each) => each.trim()).filter(Boolean);
    return (names.includes(name) ? names.filter((each) => each !== name) : [...names, name]).join(", ");
  });
  const [failure, setFailure] = useState("");
  const [waiting, setWaiting] = useState(/** @type {any} */ (null));
  const set = (name) => (value) => setForm((old) => ({ ...old, [name]: value }));
  // What has been asked for last; answers to anything before it come too late.
  const asking = useRef(/** @type {any} */ (null));
  const all = Math.max(0, ...traces.map((trace) => trace.events.length));

  const begin = async () => {
    asking.current?.stop();
    const mine = asking.current = { stop: () => {} };
    setFailure("");
    setRunning(false);
    setWaiting({ event: "started" });
    try {
      const what = asked(form, offer);
      const names = [form.algorithm, form.other].filter(Boolean);
      const found = [];
      for (const algorithm of names) {
        const begun = search({ ...what, algorithm }, (now) => mine === asking.current && setWaiting(now));
        mine.stop = begun.stop;
        const trace = await begun.done;
        if (mine !== asking.current) return;
        if (trace.event === "stopped") break;
        found.push({ ...trace, dotted: form.kind !== "game" });
      }
      if (found.length === names.length) {
        setTraces(found);
        setStep(0);
      }
    } catch (error) {
      if (mine !== asking.current) return;
      setFailure(error instanceof SyntaxError ? `${say("draw.bad")} (${error.message})` : error.message);
    }
    setWaiting(null);
  };
  useEffect(() => () => { asking.current?.stop(); asking.current = null; }, []);
  useEffect(() => { begin(); }, [form.kind, form.figure, form.algorithm, form.other, form.order]);
  useEffect(() => {
    if (!running) return undefined;
    if (step >= all) {
      setRunning(false);
      return undefined;
    }
    const timer = setTimeout(() => {
      setStep(step + 1);
      if (traces.some((trace, at) => stops[at].has(trace.events[step]?.node))) setRunning(false);
    }, 600);
    return () => clearTimeout(timer);
  }, [running, step, all]);

  // Each from the step that is there when it is done: keys can be pressed faster than steps are drawn.
  const within = (to) => Math.max(0, Math.min(all, to));
  const cut = (by) => setStep((old) => {
    const next = traces.map((trace) => nextCut(trace, old, by));
    return within(by > 0 ? Math.min(...next) : Math.max(...next));
  });
  const toStop = (by) => setStep((old) => {
    const next = traces.map((trace, at) => nextStop(trace, stops[at], old, by));
    return within(by > 0 ? Math.min(...next) : Math.max(...next));
  });
  const move = (to) => { setRunning(false); setStep(within(to)); };
  const stepBy = (by) => { setRunning(false); setStep((old) => within(old + by)); };
  const moves = { ArrowRight: () => stepBy(1), ArrowLeft: () => stepBy(-1), Home: () => move(0), End: () => move(all), c: () => cut(1), C: () => cut(-1), b: () => toStop(1), B: () => toStop(-1), " ": () => setRunning(!running) };
  useEffect(() => {
    const pressed = (event) => {
      const inside = event.target.closest?.("input:not([type=range]), textarea, select, button, [role=button], summary, a");
      if (event.ctrlKey || event.metaKey || event.altKey || !moves[event.key]) return;
      if (inside && (event.key === " " || !inside.matches("button, [role=button]"))) return;
      event.preventDefault();
      moves[event.key]();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });

  return html`
    <h1>${say("see.title")}</h1>
    <${Form} form=${form} set=${set} offer=${offer} begin=${begin} />
    <${Failure} text=${failure} />
    ${waiting && html`<${Waiting} state=${waiting} stop=${() => asking.current?.stop()} />`}
    ${traces.length > 0 && html`
      <${Controls} step=${step} all=${all} move=${move} stepBy=${stepBy} cut=${cut} running=${running}
        halts=${halts} setHalts=${setHalts} toStop=${toStop} types=${types} setTypes=${setTypes}
        run=${() => { if (step >= all) setStep(0); setRunning(!running); }} />
      <p class="soft note">${say("see.windows")} <span class="wide-only">${say("see.keys")}</span></p>
      <div class=${traces.length > 1 ? "side" : ""}>
        ${traces.map((trace, at) => html`
          <${Panel} key=${at} trace=${trace} step=${Math.min(step, trace.events.length)} go=${move}
            compact=${traces.length > 1} stops=${stops[at] ?? new Set()} halt=${halt} types=${types} />`)}
      </div>`}`;
}

/** @param {any} props */
function Form({ form, set, offer, begin }) {
  const kinds = ["figure", "tree", "game"];
  const traced = offer.algorithms.filter((each) => each.traced).map((each) => [each.name, each.name]);
  // Another game has other positions, and few are searched to the end in so few nodes.
  const another = (name) => {
    set("game")(name);
    set("position")(offer.games.find((game) => game.name === name)?.example ?? "");
    set("depth")("2");
  };
  const submit = (event) => { event.preventDefault(); begin(); };
  return html`
    <form class="panel form" onSubmit=${submit}>
      <fieldset class="tabs"><legend>${say("see.source")}</legend>
        ${kinds.map((kind) => html`
          <label><input type="radio" name="kind" value=${kind} checked=${form.kind === kind}
            onChange=${() => set("kind")(kind)} />${say(`see.${kind}`)}</label>`)}
      </fieldset>
      ${form.kind === "figure" && html`
        <${Choice} id="figure" label=${say("see.which")} value=${form.figure} set=${set("figure")}
          choices=${Object.keys(offer.figures).map((name) => [name, name])} />`}
      ${form.kind === "tree" && html`
        <${Tree} text=${form.tree} set=${set("tree")} />`}
      ${form.kind === "game" && html`
        <${Choice} id="game" label=${say("play.game")} value=${form.game} set=${another}
          choices=${offer.games.map((game) => [game.name, game.name])} />
        <${Line} id="position" label=${say("analyse.position")} value=${form.position} set=${set("position")}
          hint=${offer.games.find((game) => game.name === form.game)?.example} />`}
      ${form.kind !== "game" && html`
        <${Choice} id="order" label=${say("see.order")} value=${form.order} set=${set("order")}
          choices=${["as", "best", "worst", "back"].map((name) => [name, say(`see.order.${name}`)])} />`}
      <${Line} id="depth" label=${say("see.depth")} value=${form.depth} set=${set("depth")} type="number"
        min=${0} max=${60} hint=${say("see.end")} />
      <${Choice} id="algorithm" label=${say("see.algorithm")} value=${form.algorithm}
        set=${set("algorithm")} choices=${traced} />
      <${Choice} id="other" label=${say("see.other")} value=${form.other} set=${set("other")}
        choices=${[["", say("see.none")], ...traced]} />
      <button class="main" id="begin">${say("see.begin")}</button>
    </form>`;
}

/** A tree that is typed, dropped as a file, or drawn. @param {{text: string, set: (text: string) => void}} props */
function Tree({ text, set }) {
  const [failure, setFailure] = useState("");
  const tree = useMemo(() => {
    try {
      return readTree(text);
    } catch {
      return null;
    }
  }, [text]);
  const take = async (file) => {
    if (!file) return;
    try {
      if (file.size > 60_000) throw new SyntaxError(say("draw.large"));
      set(written(readTree(await file.text())));
      setFailure("");
    } catch (error) {
      setFailure(`${file.name}: ${say("draw.bad")} (${error.message})`);
    }
  };
  const drop = (event) => { event.preventDefault(); take(event.dataTransfer?.files[0]); };
  return html`
    <div class="wide" onDragOver=${(event) => event.preventDefault()} onDrop=${drop}>
      <label class="field">${say("see.nested")}
        <textarea id="tree" rows="2" spellcheck="false" value=${text}
          onInput=${(event) => set(event.target.value)} /></label>
      <label class="field file">${say("draw.file")}
        <input id="file" type="file" accept=".json,application/json,text/plain" onChange=${(event) => take(event.target.files[0])} /></label>
      <${Failure} text=${failure} />
      <details id="draw"><summary>${say("draw.title")}</summary>
        ${tree ? html`<${Editor} tree=${tree} set=${(next) => set(written(next))} />` : html`<p class="soft">${say("draw.none")}</p>`}
      </details>
    </div>`;
}

/** @param {any} props */
function Controls({ step, all, move, stepBy, cut, running, run, halts, setHalts, toStop, types, setTypes }) {
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
      <div class="more-controls">
        <label class="inline">${say("see.halts")}
          <input id="halts" value=${halts} placeholder="2.1" spellcheck="false" autocomplete="off" onInput=${(event) => setHalts(event.target.value)} /></label>
        <button id="to-halt" onClick=${() => toStop(1)} disabled=${!halts.trim() || step >= all}>● ${say("see.tohalt")}</button>
        <label class="inline"><input id="types" type="checkbox" checked=${types} onChange=${(event) => setTypes(event.target.checked)} />${say("see.types")}</label>
      </div>
    </div>`;
}
