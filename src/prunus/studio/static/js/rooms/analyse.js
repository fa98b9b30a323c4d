/** Analyse: what a position is worth, as the search finds out. */
import { html, useEffect, useLayoutEffect, useMemo, useState } from "../html.js";
import { request, search } from "../server.js";
import { gameText, titleOf } from "../words/games.js";
import { say } from "../words/index.js";
import { Answer, Curves, Lines, Steps, linesOf, withProofs } from "../analysis/answer.js";
import { useRun } from "../analysis/run.js";
import { SetUp, canSetUp } from "../analysis/setup.js";
import { Asking, useAsking } from "../game/asking.js";
import { Board } from "../board.js";
import { valueText } from "../solve/values.js";
import { shown } from "../tree/telling.js";
import { Folded } from "../folded.js";
import { Choice, Failure, Line, Waiting, gamesOf } from "./parts.js";

/** @param {{offer: any, rest: string[], words: string}} props */
export function Analyse({ offer, rest }) {
  const [game = "connect-four", start = "", go = ""] = rest;
  const [form, setForm] = useState({
    game, position: start, seconds: "10", lines: "1", algorithm: "engine", options: "usual", depth: "", other: "", options2: "usual", depth2: "",
  });
  const [moves, setMoves] = useState(/** @type {string[]} */ ([]));
  const [position, setPosition] = useState(/** @type {any} */ (null));
  const [worth, setWorth] = useState(/** @type {any} */ (null));
  const [known, setKnown] = useState(/** @type {any[]} */ ([]));
  const [failure, setFailure] = useState("");
  const [settingUp, setUp] = useState(false);
  const runs = [useRun(), useRun()];
  const set = (name) => (value) => setForm((old) => ({ ...old, [name]: value }));
  const place = useMemo(() => ({ game: form.game, position: form.position, moves }), [form.game, form.position, moves]);
  const asking = useAsking(place, (name) => setMoves([...moves, name]));
  const both = form.other !== "";
  const states = runs.map((run) => run.state);

  // At once: whoever presses Enter as soon as a position is typed begins a search that stays.
  useLayoutEffect(() => { for (const run of runs) run.forget(); }, [place]);
  useEffect(() => {
    let current = true;
    setWorth(null);
    setKnown([]);
    request("/api/known", place).then((found) => { if (current) setKnown(found); }, () => {});
    request("/api/position", place).then((found) => {
      if (current) { setPosition(found); setFailure(""); }
    }, (error) => { if (current) { setPosition(null); setFailure(error.message); } });
    return () => { current = false; };
  }, [place]);
  useEffect(() => runs[1].forget(), [both]);

  const begin = (now = form) => {
    setFailure("");
    runs[0].begin(asked(now, offer, place, now.algorithm, now.options, now.depth));
    if (both) runs[1].begin(asked(now, offer, place, now.other, now.options2, now.depth2));
    else runs[1].forget();
  };
  const stop = () => { for (const run of runs) run.stop(); };
  const deeper = () => {
    const further = (depth) => (depth === "" ? "" : String(Math.min(60, Number(depth) + 2)));
    const now = { ...form, seconds: String(Math.min(60, 2 * (Number(form.seconds) || 10))), depth: further(form.depth), depth2: further(form.depth2) };
    setForm(now);
    begin(now);
  };
  const all = () => {
    setWorth("asked");
    search({ do: "values", place, seconds: 5 }).done.then(
      (found) => setWorth(found.moves ? found : null),
      (error) => { setWorth(null); setFailure(error.message); },
    );
  };
  useEffect(() => { if (go === "go") begin(); }, []);

  const found = states[0].steps.at(-1);
  const lines = linesOf(found);
  const moved = withProofs(worth?.moves ?? [], lines);
  const best = Math.max(...moved.map((each) => each.value));
  const values = new Map(moved.map((each) => [each.action, { text: (each.proved ? "" : "≈") + shown(each.value), best: each.value === best, value: each.value }]));
  const arrows = lines.map((each) => ({
    name: each.action, text: `${say(`analyse.sign.${each.bound}`)}${each.proved ? "" : "≈"}${shown(each.value)}`, best: each.value === lines[0].value,
  }));
  const titles = [searchText(offer, form.algorithm, form.options), searchText(offer, form.other, form.options2)];
  const labels = titles.map((title, at) => `${at + 1}. ${title}`); // two searches may have the same name
  const running = states.some((state) => state.progress);
  const setsUp = position && settingUp && canSetUp(position.board);
  return html`
    <h1>${say("analyse.title")}</h1>
    <${Folded} title=${`${say("analyse.what")}: ${[titleOf(gameOf(offer, form.game)), form.position, ...titles].filter(Boolean).join(" · ")}`} class="panel">
      <${Form} offer=${offer} form=${form} set=${set} begin=${() => begin()} clear=${() => setMoves([])} />
    <//>
    <${Failure} text=${failure || (both ? "" : states[0].failure)} />
    ${setsUp && html`<${SetUp} key=${position.title + position.text} game=${form.game} position=${position} leave=${() => setUp(false)}
      done=${(text) => { setUp(false); setMoves([]); set("position")(text); }} />`}
    ${position && !setsUp && html`
      <div class="table">
        <div class="panel stage">
          <${Board} position=${position} open=${!position.over && !asking.which.length} worth=${values}
            arrows=${values.size ? [] : arrows} act=${asking.act} />
        </div>
        <div>
          <section class="panel" aria-live=${both ? null : "polite"}>
            <${Asking} asking=${asking} />
            <div class="buttons">
              <button class="main" id="start" disabled=${position.over} onClick=${() => begin()}>${say(both ? "analyse.both" : "analyse.start")}</button>
              <button id="stop" disabled=${!running} onClick=${stop}>${say("analyse.stop")}</button>
              <button id="deeper" disabled=${running || !states.some((state) => state.steps.length)} onClick=${deeper}>${say("analyse.deeper")}</button>
              <button id="back" disabled=${!moves.length} onClick=${() => setMoves(moves.slice(0, -1))}>${say("play.back")}</button>
              ${canSetUp(position.board) && html`<button id="set-up" onClick=${() => { for (const run of runs) run.forget(); setUp(true); }}>${say("setup.title")}</button>`}
            </div>
            ${both ? html`<p class="soft small">${say("analyse.both.how")}</p>` : html`
              <${Answer} position=${position} state=${states[0]} />
              ${found?.lines && html`<${Lines} lines=${lines} />`}`}
          </section>
          ${known.length > 0 && html`<section class="panel" id="known">
            <h2>${say("analyse.known")}</h2>
            ${known.map((each) => html`<p>${each.name ? `${say("solve.database")} ${each.name}: ` : `${say("analyse.book")}: `}<strong>
              ${valueText({ ...position, value: each.value }, each.scored)}</strong></p>`)}</section>`}
          <section class="panel">
            <button id="all" disabled=${position.over || worth === "asked"} onClick=${all}>${say("analyse.all")}</button>
            ${worth === "asked" && html`<${Waiting} state=${{}} />`}
            ${worth?.moves && html`<${Values} moves=${moved} depth=${worth.depth} best=${best} />`}
          </section>
        </div>
      </div>
      ${both && html`<div class="side" id="both">
        ${runs.map((run, at) => html`
          <${Column} key=${at} name=${at ? "-2" : ""} run=${run} position=${position}
            label=${labels[at]} />`)}
      </div>`}
      ${both && states.some((state) => state.steps.length > 1) && html`<section class="panel"><${Curves} all=${states.map((state) => state.steps)} names=${labels} /></section>`}
      ${!both && states[0].steps.length > 0 && html`<section class="panel"><h2>${say("analyse.history")}</h2>
        <${Curves} all=${[states[0].steps]} /><${Steps} steps=${states[0].steps} /></section>`}`}`;
}

/** The game that is meant, with options after a colon or without. @param {any} offer @param {string} spec */
const gameOf = (offer, spec) => offer.games.find((each) => each.name === spec.split(":")[0]) ?? { name: spec, own: true };

/** What the server is asked. @param {any} form @param {any} offer @param {any} place
 * @param {string} algorithm @param {string} options @param {string} depth */
function asked(form, offer, place, algorithm, options, depth) {
  return {
    place, algorithm, options: hasOptions(offer, algorithm) ? options : "usual", seconds: Number(form.seconds) || 10,
    depth: depth === "" ? null : Number(depth), lines: Number(form.lines),
  };
}

/** @param {any} offer @param {string} name */
const hasOptions = (offer, name) => Boolean(offer.algorithms.find((each) => each.name === name)?.options);

/** @param {any} offer @param {string} algorithm @param {string} options */
const searchText = (offer, algorithm, options) => (hasOptions(offer, algorithm) && options !== "usual" ? `${algorithm}, ${say(`analyse.options.${options}`)}` : algorithm);

/** One of two searches side by side. @param {any} props */
function Column({ name, run, position, label }) {
  const { state } = run;
  const found = state.steps.at(-1);
  return html`
    <section class="panel" aria-label=${label}>
      <div class="column-head"><h2 id=${`title${name}`}>${label}</h2>
        <button id=${`stop-one${name}`} disabled=${!state.progress} aria-label=${`${say("analyse.stop")}: ${label}`} onClick=${run.stop}>${say("analyse.stop")}</button></div>
      <${Failure} text=${state.failure} />
      ${!state.failure && html`<${Answer} position=${position} state=${state} name=${name} />`}
      ${found?.lines && html`<${Lines} lines=${linesOf(found)} name=${name} />`}
      ${state.steps.length > 0 && html`<details><summary>${say("analyse.history")}</summary><${Steps} steps=${state.steps} name=${name} /></details>`}
    </section>`;
}

/** @param {any} props */
function Form({ offer, form, set, begin, clear }) {
  const game = gameOf(offer, form.game);
  const algorithms = offer.algorithms.filter((each) => each.searches && !each.apart).map((each) => [each.name, each.name]);
  /** The fields of one search: the algorithm, its options if it has any, its depth. */
  const fields = (algorithm, options, depth, label, choices) => html`<div class="search-of" role="group" aria-label=${label}>
    <${Choice} id=${algorithm} label=${label} value=${form[algorithm]} choices=${choices} set=${(name) => {
    set(algorithm)(name);
    // What searches once needs a depth.
    if (name && !form[depth] && !offer.algorithms.find((each) => each.name === name).deepens) set(depth)("6");
  }} />
    ${hasOptions(offer, form[algorithm]) && html`
      <${Choice} id=${options} label=${say("play.options")} value=${form[options]} choices=${offer.variants.map((each) => [each, say(`analyse.options.${each}`)])} set=${set(options)} />`}
    ${form[algorithm] && html`
      <${Line} id=${depth} label=${say("analyse.depth")} type="number" min=${1} max=${60} value=${form[depth]} set=${set(depth)} hint=${say("analyse.auto")} />`}</div>`;
  return html`
    <form class="panel form" onSubmit=${(event) => { event.preventDefault(); begin(); }}>
      <${Choice} id="game" label=${say("play.game")} value=${form.game} choices=${gamesOf(offer)}
        set=${(name) => { clear(); set("position")(""); set("game")(name); }} />
      <${Line} id="position" label=${say("analyse.position")} value=${form.position}
        set=${(text) => { clear(); set("position")(text); }} hint=${game?.example ?? ""} />
      <${Line} id="seconds" label=${say("analyse.seconds")} type="number" min=${1} max=${60} value=${form.seconds} set=${set("seconds")} />
      <${Choice} id="lines-asked" label=${say("analyse.lines")} value=${form.lines} set=${set("lines")} choices=${["1", "2", "3", "4", "5"].map((each) => [each, each])} />
      <div class="searches">
        ${fields("algorithm", "options", "depth", say("see.algorithm"), algorithms)}
        ${fields("other", "options2", "depth2", say("see.other"), [["", say("see.none")], ...algorithms])}
      </div>
      ${game?.notation && html`<p class="soft small wide">${say("analyse.written", { notation: gameText(game.notation) })}</p>`}
      ${/* Enter sends a form of several fields only if it has a button; the one to see is beside the board. */""}
      <button hidden>${say("analyse.start")}</button>
    </form>`;
}

/** @param {any} props */
function Values({ moves, depth, best }) {
  const sorted = [...moves].sort((a, b) => b.value - a.value);
  const standing = say(sorted.every((each) => each.proved) ? "analyse.proved"
    : sorted.some((each) => each.proved) ? "play.about" : "analyse.heuristic");
  return html`
    <p class="soft small">${standing} · ${say("analyse.depth")} ${depth ?? say("see.end")}</p>
    <div class="names" id="worth">${sorted.map((each) => html`
      <span class=${`badge ${each.value !== best ? "" : each.proved ? "proved" : "best"}`}>${each.action}: ${each.proved ? "" : "≈"}${shown(each.value)}</span>`)}</div>`;
}
