/** See the search: what is to be searched, and one algorithm or two of them in step. */
import { html, useEffect, useMemo, useRef, useState } from "../html.js";
import { request, search } from "../server.js";
import { titleOf } from "../words/games.js";
import { say } from "../words/index.js";
import { Editor } from "../tree/editor.js";
import { readTree, reordered, written } from "../tree/nested.js";
import { ORDERS, Orders } from "../tree/orders.js";
import { Stepper } from "../tree/stepper.js";
import { Folded } from "../folded.js";
import { Choice, Failure, Line, Waiting, figuresOf } from "./parts.js";

const TREE = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]";

/** @param {string[]} rest */
function beginning(rest) {
  const [kind, first = "", second = "", third = ""] = rest;
  return {
    kind: ["tree", "figure", "game"].includes(kind) ? kind : "figure",
    tree: kind === "tree" && first ? first : TREE,
    figure: kind === "figure" && first ? first : "000-figure-2",
    game: kind === "game" && first ? first : "tic-tac-toe",
    position: kind === "game" && first ? second : "XOX/OX./..O",
    depth: kind === "game" ? third : "",
    aside: "",
    algorithm: kind === "tree" && second ? second : "alphabeta",
    other: "",
    order: "as",
  };
}

/** @type {Map<string, Promise<any>>} */
const asked = new Map();

/** The files of an algorithm, which are asked for once. @param {string} name @returns {Promise<any>} */
function filesOf(name) {
  if (!asked.has(name)) {
    const answer = request(`/api/source/${encodeURIComponent(name)}`);
    answer.catch(() => asked.delete(name));
    asked.set(name, answer);
  }
  return /** @type {Promise<any>} */ (asked.get(name));
}

/** What the server is asked, or an error in words. @param {any} form @param {any} offer */
function wanted(form, offer) {
  const depth = form.depth === "" ? null : Number(form.depth);
  if (form.kind === "game") {
    return { do: "watch", place: { game: form.game, position: form.position, moves: [] }, depth };
  }
  if (form.kind === "figure" && !(form.figure in offer.figures)) throw new Error(say("see.unknown", { figure: form.figure }));
  const tree = form.kind === "figure" ? offer.figures[form.figure] : readTree(form.tree);
  return { do: "watch", tree: reordered(tree, form.order), depth };
}

/** @param {{offer: any, rest: string[], words: string}} props */
export function See({ offer, rest }) {
  const [form, setForm] = useState(beginning(rest));
  const [traces, setTraces] = useState(/** @type {any[]} */ ([]));
  const [failure, setFailure] = useState("");
  const [waiting, setWaiting] = useState(/** @type {any} */ (null));
  const set = (name) => (value) => setForm((old) => ({ ...old, [name]: value }));
  // Trees and positions have a depth each: the leaves of a tree are seldom as near as a game's horizon.
  const turn = (kind) => setForm((old) => ((kind === "game") === (old.kind === "game") ? { ...old, kind }
    : { ...old, kind, depth: old.aside, aside: old.depth }));
  // What has been asked for last; answers to anything before it come too late.
  const asking = useRef(/** @type {any} */ (null));

  const begin = async () => {
    asking.current?.stop();
    const mine = asking.current = { stop: () => {} };
    setFailure("");
    setWaiting({ event: "started" });
    try {
      const what = wanted(form, offer);
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
      if (found.length === names.length) setTraces(found);
    } catch (error) {
      if (mine !== asking.current) return;
      setFailure(error instanceof SyntaxError ? `${say("draw.bad")} (${error.message})` : error.message);
    }
    setWaiting(null);
  };
  useEffect(() => () => { asking.current?.stop(); asking.current = null; }, []);
  useEffect(() => { begin(); }, [form.kind, form.figure, form.algorithm, form.other, form.order]);

  const shown = useMemo(() => {
    try {
      return form.kind === "figure" ? offer.figures[form.figure] : readTree(form.tree);
    } catch {
      return null;
    }
  }, [form.kind, form.figure, form.tree]);
  return html`
    <h1>${say("see.title")}</h1>
    <${Folded} title=${`${say("see.source")}: ${summaryOf(form, offer)}`} class="panel">
      <${Form} form=${form} set=${set} turn=${turn} offer=${offer} begin=${begin} />
      ${form.kind !== "game" && shown && html`<${Orders} tree=${shown} algorithm=${form.algorithm} chosen=${form.order} choose=${set("order")}
        depth=${form.depth === "" ? null : Number(form.depth)} />`}
    <//>
    <${Failure} text=${failure} />
    ${waiting && html`<${Waiting} state=${waiting} stop=${() => asking.current?.stop()} />`}
    ${traces.length > 0 && html`<${Stepper} traces=${traces} everywhere=${true} filesOf=${filesOf} />`}`;
}

/** What is searched and by which algorithms, in short. @param {any} form @param {any} offer */
function summaryOf(form, offer) {
  const names = [form.algorithm, form.other].filter(Boolean).join(", ");
  const what = form.kind === "figure" ? figuresOf(offer).find(([name]) => name === form.figure)?.[1]
    : form.kind === "game" ? titleOf(offer.games.find((game) => game.name === form.game) ?? { name: form.game, own: true }) : say("see.tree");
  return `${what ?? form.figure} · ${names}`;
}

/** @param {any} props */
function Form({ form, set, turn, offer, begin }) {
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
            onChange=${() => turn(kind)} />${say(`see.${kind}`)}</label>`)}
      </fieldset>
      ${form.kind === "figure" && html`
        <${Choice} id="figure" label=${say("see.which")} value=${form.figure} set=${set("figure")}
          choices=${figuresOf(offer)} />`}
      ${form.kind === "tree" && html`
        <${Tree} text=${form.tree} set=${set("tree")} />`}
      ${form.kind === "game" && html`
        <${Choice} id="game" label=${say("play.game")} value=${form.game} set=${another}
          choices=${offer.games.map((game) => [game.name, titleOf(game)])} />
        <${Line} id="position" label=${say("analyse.position")} value=${form.position} set=${set("position")}
          hint=${offer.games.find((game) => game.name === form.game)?.example} />`}
      ${form.kind !== "game" && html`
        <${Choice} id="order" label=${say("see.order")} value=${form.order} set=${set("order")}
          choices=${ORDERS.map((name) => [name, say(`see.order.${name}`)])} />`}
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
  const [open, setOpen] = useState(false);
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
      <details id="draw" open=${open} onToggle=${(event) => setOpen(event.target.open)}><summary>${say("draw.title")}</summary>
        ${!open ? "" : tree ? html`<${Editor} tree=${tree} set=${(next) => set(written(next))} />` : html`<p class="soft">${say("draw.none")}</p>`}
      </details>
    </div>`;
}
