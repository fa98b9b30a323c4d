/** Practise: which leaves will alpha-beta skip? Exercises on random trees, the same for the same
 * number, graded with reasons. */
import { html, useEffect, useMemo, useRef, useState } from "../html.js";
import { request, search } from "../server.js";
import { say } from "../words/index.js";
import { laidOut } from "../tree/layout.js";
import { after, path } from "../tree/model.js";
import { drawn, leavesOf, valueOf } from "../tree/nested.js";
import { Picture } from "../tree/picture.js";
import { shown, why } from "../tree/telling.js";
import { Choice, Failure, Line } from "./parts.js";

/** @param {{offer: any, rest: string[], words: string}} props */
export function Practise({ rest }) {
  const [seed = "1", degree = "3", depth = "2"] = rest;
  const [tree, setTree] = useState(/** @type {any} */ (null));
  const [skips, setSkips] = useState(/** @type {Set<string>} */ (new Set()));
  const [value, setValue] = useState("");
  const [grade, setGrade] = useState(/** @type {any} */ (null));
  const [failure, setFailure] = useState("");
  useEffect(() => {
    request(`/api/quiz?${new URLSearchParams({ seed, degree, depth })}`)
      .then((found) => setTree(found.tree), (error) => setFailure(error.message));
  }, []);
  const go = (change) => {
    const next = { seed, degree, depth, ...change };
    location.hash = `practise/${next.seed}/${next.degree}/${next.depth}`;
  };
  const toggle = (leaf) => {
    setSkips((old) => {
      const next = new Set(old);
      if (!next.delete(leaf)) next.add(leaf);
      return next;
    });
  };
  const check = async (event) => {
    event.preventDefault();
    try {
      const trace = { ...await search({ do: "watch", tree }).done, dotted: true };
      setGrade(graded(trace, tree, skips));
    } catch (error) {
      setFailure(error.message);
    }
  };
  return html`
    <h1>${say("practise.title")}</h1>
    <p class="lead">${say("practise.lead")}</p>
    <p class="soft">${say("practise.rule")} ${say("see.windows")}</p>
    <form class="panel form" onSubmit=${(event) => event.preventDefault()}>
      <${Line} id="seed" label=${say("practise.seed")} type="number" min=${0} max=${2147483647} value=${seed} set=${(text) => text && go({ seed: text })} />
      <${Choice} id="degree" label=${say("practise.degree")} value=${degree} choices=${["2", "3", "4"].map((each) => [each, each])} set=${(text) => go({ degree: text })} />
      <${Choice} id="plies" label=${say("practise.plies")} value=${depth} choices=${["2", "3", "4"].map((each) => [each, each])} set=${(text) => go({ depth: text })} />
      <button class="main" id="next" onClick=${() => go({ seed: String(Number(seed) + 1) })}>${say("practise.new")}</button>
    </form>
    <${Failure} text=${failure} />
    ${tree && html`
      <section class="panel quiz">
        <${Exercise} tree=${tree} skips=${skips} toggle=${toggle} grade=${grade} />
        <form class="ask" onSubmit=${check}>
          <label>${say("practise.value")} <input id="root" type="number" required value=${value} disabled=${Boolean(grade)}
            onInput=${(event) => setValue(event.target.value)} style=${{ width: "6rem" }} /></label>
          ${grade ? html`<button type="button" id="again" onClick=${() => { setGrade(null); setSkips(new Set()); setValue(""); }}>${say("practise.again")}</button>`
    : html`<button class="main" id="grade">${say("practise.grade")}</button>`}
          <a href="#see/tree/${encodeURIComponent(JSON.stringify(tree))}">${say("practise.watch")}</a>
        </form>
        ${grade && html`<${Grade} grade=${grade} value=${Number(value)} right=${valueOf(tree)} />`}
      </section>`}`;
}

/** The tree with the values of its leaves, which can be chosen. @param {any} props */
function Exercise({ tree, skips, toggle, grade }) {
  const layout = useMemo(() => laidOut(drawn(tree)), [tree]);
  const leaves = useMemo(() => new Map(leavesOf(tree)), [tree]);
  const done = useRef(false);
  done.current = Boolean(grade);
  const node = (id) => ({
    maximizing: (id === "" ? 0 : id.split(".").length) % 2 === 0, leaf: leaves.has(id), pruned: [],
    finished: leaves.has(id), value: leaves.get(id) ?? null, best: null,
  });
  const marks = {
    classes: (id) => [skips.has(id) && "gone", grade && leaves.has(id) && (grade.wrong.has(id) ? "wrong" : "right")].filter(Boolean).join(" "),
    pressed: (id) => skips.has(id),
    label: (id) => (leaves.has(id) ? say("practise.leaf", { leaf: id, value: leaves.get(id) }) : id || say("tell.root")),
  };
  const levels = layout.levels.map((_, at) => (at === layout.levels.length - 1 ? "" : at % 2 ? "MIN" : "MAX"));
  return html`<${Picture} layout=${layout} node=${node} marks=${marks} levels=${levels}
    choose=${(id) => !done.current && leaves.has(id) && toggle(id)} label=${say("practise.picture")} />`;
}

/** Which leaves were marked rightly, and why each leaf is skipped that is.
 * @param {any} trace @param {any} tree @param {Set<string>} skips */
function graded(trace, tree, skips) {
  const known = after(trace, trace.events.length);
  const visited = new Set();
  const cuts = [];
  for (const node of known.nodes.values()) {
    const place = path(trace, node.id).join(".");
    if (node.leaf) visited.add(place);
    for (const name of node.pruned) cuts.push([place ? `${place}.${name}` : name, node]);
  }
  const rows = leavesOf(tree).map(([leaf]) => {
    const cut = cuts.find(([place]) => leaf === place || leaf.startsWith(`${place}.`));
    return { leaf, skipped: !visited.has(leaf), cut: cut?.[1] ?? null, right: skips.has(leaf) !== visited.has(leaf) };
  });
  return { rows, wrong: new Set(rows.filter((row) => !row.right).map((row) => row.leaf)), trace };
}

/** @param {any} props */
function Grade({ grade, value, right }) {
  const good = grade.rows.length - grade.wrong.size;
  const told = grade.rows.filter((row) => row.skipped || !row.right);
  return html`
    <div id="verdict" role="status">
      <p class="verdict">${grade.wrong.size === 0 && value === right ? say("practise.all")
    : say("practise.right", { right: good, all: grade.rows.length })}</p>
      <p>${value === right ? say("practise.root.right", { value: shown(right) }) : say("practise.root.wrong", { value: shown(right) })}</p>
      <h3>${say("practise.reasons")}</h3>
      <ul class="reasons">${told.map((row) => html`
        <li class=${row.right ? "" : "wrong"}>${row.skipped ? `${say("practise.skipped", { leaf: row.leaf })} ${row.cut ? why(grade.trace, row.cut) : ""}` : say("practise.visited", { leaf: row.leaf })}</li>`)}</ul>
    </div>`;
}
