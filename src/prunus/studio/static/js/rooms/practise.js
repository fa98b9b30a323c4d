/** Practise: which leaves will alpha-beta skip, with which windows, and which move does it choose?
 * Exercises on random and given trees, graded with reasons; and a sheet of them to print. */
import { html, useEffect, useState } from "../html.js";
import { say } from "../words/index.js";
import { readTree, written } from "../tree/nested.js";
import { Grade, Rows, Tree } from "../practise/exercise.js";
import { Handout } from "../practise/handout.js";
import { ALGORITHM, graded, lessonOf, nothing, treeOf } from "../practise/lesson.js";
import { Choice, Failure, Line, figuresOf } from "./parts.js";

const KINDS = ["random", "figure", "tree", "sheet"];
const FEW = 27;
/** The most leaves of a tree that can be read on paper. */
const fits = (degree, plies) => degree ** plies <= FEW;

/** What an address asks for; what it does not say is as usual. @param {string[]} rest */
function beginning(rest) {
  const kind = KINDS.includes(rest[0]) ? rest[0] : "random";
  const given = KINDS.includes(rest[0]) ? rest.slice(1) : rest;
  const usual = {
    kind, seed: "1", degree: "3", plies: "2", count: "4", rule: "equal", ask: "leaves", figure: "000-figure-2",
    tree: "[[5, 3, 5], [3, 1, 4], [[5, 2], 5]]",
  };
  const names = partsOf(kind);
  const found = Object.fromEntries(names.map((name, at) => [name, given[at] || usual[name]]));
  const form = { ...usual, ...found };
  if (!(form.rule in ALGORITHM)) form.rule = "equal";
  return form;
}

/** @param {string} kind */
function partsOf(kind) {
  if (kind === "sheet") return ["seed", "degree", "plies", "rule", "ask", "count"];
  return [...(kind === "random" ? ["seed", "degree", "plies"] : [kind]), "rule", "ask"];
}

/** The address of an exercise; what is as usual at its end is left out. @param {any} form */
function addressOf(form) {
  const parts = partsOf(form.kind).map((name) => encodeURIComponent(form[name]));
  if (form.kind !== "sheet" && form.ask === "leaves") parts.splice(form.rule === "equal" ? -2 : -1);
  return ["#practise", ...(form.kind === "random" ? [] : [form.kind]), ...parts].join("/");
}

/** @param {{offer: any, rest: string[], words: string}} props */
export function Practise({ offer, rest }) {
  const [form, setForm] = useState(beginning(rest));
  const [tree, setTree] = useState(/** @type {any} */ (null));
  const [failure, setFailure] = useState("");
  const { kind, seed, degree, plies, figure, tree: text } = form;
  const set = (name) => (value) => setForm((old) => {
    const next = { ...old, [name]: value };
    while (next.kind === "sheet" && !fits(next.degree, next.plies)) next.plies = String(Number(next.plies) - 1);
    return next;
  });
  // The address follows what is chosen, without leaving the room.
  useEffect(() => history.replaceState(null, "", addressOf(form)), [form]);
  useEffect(() => {
    let current = true;
    const ready = (found) => { if (current) { setTree(found); setFailure(""); } };
    const failed = (error) => { if (current) { setTree(null); setFailure(error instanceof SyntaxError ? `${say("draw.bad")} (${error.message})` : error.message); } };
    if (kind === "figure") ready(offer.figures[figure] ?? null);
    else if (kind === "tree") Promise.resolve(text).then(readTree).then(ready, failed);
    else if (kind === "random" && seed) treeOf(form).then(ready, failed);
    else ready(null);
    return () => { current = false; };
  }, [kind, seed, degree, plies, figure, text]);
  return html`
    <h1 class="no-print">${say("practise.title")}</h1>
    <p class="lead no-print">${say("practise.lead")}</p>
    <${Form} form=${form} set=${set} offer=${offer} />
    <${Failure} text=${failure} />
    ${kind === "sheet" ? seed && html`<${Handout} form=${form} />`
    : tree && html`<${Quiz} key=${written(tree) + form.rule + form.ask} tree=${tree} rule=${form.rule} rows=${form.ask === "all"} />`}`;
}

/** @param {any} props */
function Form({ form, set, offer }) {
  const { kind } = form;
  const drawn = kind === "random" || kind === "sheet";
  const sizes = ["2", "3", "4"];
  const plies = sizes.filter((each) => kind !== "sheet" || fits(form.degree, each));
  return html`
    <form class="panel form no-print" onSubmit=${(event) => event.preventDefault()}>
      <fieldset class="tabs"><legend>${say("practise.source")}</legend>
        ${KINDS.map((each) => html`
          <label><input type="radio" name="kind" value=${each} checked=${kind === each} onChange=${() => set("kind")(each)} />${say(`practise.kind.${each}`)}</label>`)}
      </fieldset>
      ${drawn && html`
        <${Line} id="seed" label=${say(kind === "sheet" ? "practise.seed.first" : "practise.seed")} type="number" min=${0} max=${2147483647} value=${form.seed} set=${set("seed")} />
        <${Choice} id="degree" label=${say("practise.degree")} value=${form.degree} choices=${sizes.map((each) => [each, each])} set=${set("degree")} />
        <${Choice} id="plies" label=${say("practise.plies")} value=${form.plies} choices=${plies.map((each) => [each, each])} set=${set("plies")} />`}
      ${kind === "sheet" && html`
        <${Choice} id="count" label=${say("practise.count")} value=${form.count} choices=${[1, 2, 3, 4, 6, 8, 10, 12].map((each) => [String(each), String(each)])} set=${set("count")} />`}
      ${kind === "figure" && html`
        <${Choice} id="figure" label=${say("see.which")} value=${form.figure} choices=${figuresOf(offer)} set=${set("figure")} />`}
      ${kind === "tree" && html`
        <label class="field wide">${say("see.nested")}
          <textarea id="tree" rows="2" spellcheck="false" value=${form.tree} onInput=${(event) => set("tree")(event.target.value)} /></label>`}
      <${Choice} id="rule" label=${say("practise.ties")} value=${form.rule} choices=${["equal", "beyond"].map((each) => [each, say(`practise.ties.${each}`)])} set=${set("rule")} />
      <${Choice} id="ask" label=${say("practise.ask")} value=${form.ask} choices=${["leaves", "all"].map((each) => [each, say(`practise.ask.${each}`)])} set=${set("ask")} />
      ${kind === "random" && html`
        <button class="main" type="button" id="next" onClick=${() => set("seed")(String(Number(form.seed) + 1))}>${say("practise.new")}</button>`}
      <p class="soft small wide" id="rule-told">${say("practise.rule")} ${say(`practise.rule.${form.rule}`)} ${say("see.windows")} ${form.ask === "all" && say("practise.failsoft")}</p>
    </form>`;
}

/** One exercise: what is answered, and its grade. @param {any} props */
function Quiz({ tree, rule, rows }) {
  const [answers, setAnswers] = useState(nothing());
  const [lesson, setLesson] = useState(/** @type {any} */ (null));
  const [failure, setFailure] = useState("");
  const grade = lesson && graded(lesson, tree, answers, rows);
  const change = (part) => setAnswers((old) => ({ ...old, ...part }));
  const pick = (place) => {
    const field = document.querySelector(`[data-cell="alpha ${place}"]`);
    if (field) { /** @type {HTMLElement} */ (field).focus(); return; }
    if (lesson) return;
    const leaves = new Set(answers.leaves);
    if (!leaves.delete(place)) leaves.add(place);
    change({ leaves });
  };
  const write = (place, part, text) => setAnswers((old) => ({ ...old, rows: { ...old.rows, [place]: { ...old.rows[place], [part]: text } } }));
  const check = async (event) => {
    event.preventDefault();
    try {
      setLesson(await lessonOf(tree, rule));
      setFailure("");
    } catch (error) {
      setFailure(error.message);
    }
  };
  const again = () => { setLesson(null); setAnswers(nothing()); };
  return html`
    <section class="panel quiz">
      <p class="soft small">${say("practise.pick")}</p>
      <${Tree} tree=${tree} skips=${answers.leaves} rows=${rows ? answers.rows : null} grade=${grade} pick=${pick} label=${say("practise.picture")} />
      <form onSubmit=${check}>
        ${rows && html`
          <p class="soft small" id="typing">${say("practise.typing")}</p>
          <${Rows} tree=${tree} rows=${answers.rows} set=${write} grade=${grade} lesson=${lesson} />`}
        <div class="ask">
          ${!rows && html`<label class="inline">${say("practise.value")} <input id="root" type="number" required value=${answers.value} disabled=${Boolean(grade)}
            onInput=${(event) => change({ value: event.target.value })} /></label>`}
          <fieldset class="moves-asked"><legend>${say("practise.move")}</legend>
            ${tree.map((_, at) => html`<label class="inline"><input type="radio" name="move" value=${at + 1} required
              checked=${answers.move === String(at + 1)} disabled=${Boolean(grade)} onChange=${() => change({ move: String(at + 1) })} />${at + 1}</label>`)}
          </fieldset>
          ${grade ? html`<button type="button" id="again" onClick=${again}>${say("practise.again")}</button>`
    : html`<button class="main" id="grade">${say("practise.grade")}</button>`}
          <a href="#see/tree/${encodeURIComponent(written(tree))}/${ALGORITHM[rule]}">${say("practise.watch")}</a>
        </div>
      </form>
      <${Failure} text=${failure} />
      ${grade && html`<${Grade} grade=${grade} lesson=${lesson} />`}
    </section>`;
}
