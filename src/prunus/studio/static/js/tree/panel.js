/** One algorithm's search: its tree after some steps, what has just happened, and what is known of
 * a node. */
import { html, useMemo, useState } from "../html.js";
import { count, say } from "../words/speech.js";
import { laidOut, tooDeep, visited } from "./layout.js";
import { Walk, line } from "./model.js";
import { Picture } from "./picture.js";
import { Source } from "./source.js";
import { frame, nameOf, shown, tell, why } from "./telling.js";

/** What a tree beside another one may take, unless its leaves stand on two levels. */
const HALF = 520;

/** @param {{trace: any, step: number, go: (step: number) => void, compact: boolean,
 *   stops: Set<number>, halt: (name: string) => void, types: boolean, filesOf: import("./source.js").FilesOf}} props */
export function Panel({ trace, step, go, compact, stops, halt, types, filesOf }) {
  const [chosen, choose] = useState(/** @type {number | null} */ (null));
  const walk = useMemo(() => new Walk(trace), [trace]);
  const known = walk.to(step);
  const isOver = known.event !== null && step === trace.events.length;
  const roots = useMemo(() => trace.nodes.filter((node) => node.parent === null).map((node) => node.id), [trace]);
  const root = known.event ? known.pass : roots[0];
  const deep = useMemo(() => tooDeep(trace), [trace]);
  const [folds, setFolds] = useState({ of: trace, folded: deep });
  const folded = folds.of === trace ? folds.folded : deep;
  const fold = (id) => {
    const next = new Set(folded);
    if (!next.delete(id)) next.add(id);
    setFolds({ of: trace, folded: next });
  };
  const narrow = matchMedia("(max-width: 560px)").matches;
  const half = compact && matchMedia("(min-width: 761px)").matches;
  const layout = useMemo(() => {
    const tree = visited(trace, root, folded);
    const usual = laidOut(tree, trace.has_windows, narrow);
    return half && usual.width > HALF ? laidOut(tree, trace.has_windows, false, true) : usual;
  }, [trace, root, folded, narrow, half]);
  const picked = chosen !== null && known.nodes.has(chosen) ? chosen : null;
  const shownNode = known.nodes.get(picked ?? known.current);
  const marks = {
    line: known.event ? line(known, known.current) : new Set(),
    cause: shownNode?.cutBy, stops, types, folded,
  };
  // What happens below a folded node happens, to the eye, at that node.
  let here = known.event ? known.current : root;
  while (!layout.spots.has(here) && trace.nodes[here].parent !== null) here = trace.nodes[here].parent;
  const names = useMemo(() => levelNames(trace, layout.levels.length), [trace, layout]);
  const levels = names.map((level) => (step > level.from ? level.name : ""));
  return html`
    <section class="panel watch" data-algorithm=${trace.algorithm}>
      <header><h2>${trace.algorithm}</h2>
        ${roots.length > 1 && html`<span class="soft">
          ${say("see.pass", { number: roots.indexOf(root) + 1, all: isOver ? roots.length : "…" })}
          ${isOver && html` · <span class="outcome">${say("see.value")} ${shown(trace.value)}</span>`}</span>`}
      </header>
      <p class="event" role="status" aria-live="polite">${tell(trace, known)}</p>
      <${Picture} layout=${layout} node=${(id) => known.nodes.get(id)} marks=${marks}
        current=${here} choose=${choose} chosen=${picked}
        windows=${trace.has_windows} levels=${levels} scale=${compact ? 1.05 : 1.45} least=${compact ? 0.66 : 0.75}
        label=${say("see.picture", { algorithm: trace.algorithm, step })} />
      <${Legend} types=${types} />
      <div class=${compact ? "under" : "under two"}>
        <div>
          <${Counter} fewest=${trace.fewest} leaves=${known.leaves} isOver=${isOver} />
          ${shownNode && html`<${About} trace=${trace} node=${shownNode} known=${known} picked=${picked !== null}
            stopped=${stops.has(shownNode.id)} halt=${halt} folded=${folded.has(shownNode.id)} fold=${fold} />`}
        </div>
        <${Log} trace=${trace} step=${step} go=${go} />
      </div>
      ${filesOf && html`<${Source} trace=${trace} step=${step} filesOf=${filesOf} />`}
    </section>`;
}

/** "MAX" or "MIN" for each level where only one of them moves, and the number of the event that is
 * the first to come to such a node. @param {any} trace @param {number} depth */
function levelNames(trace, depth) {
  const levels = Array.from({ length: depth }, () => ({ sides: new Set(), from: Infinity }));
  trace.events.forEach(({ event, node }, number) => {
    const { ply, player, leaf } = trace.nodes[node];
    const level = event === "enter" && !leaf ? levels[ply] : null;
    level?.sides.add(player);
    if (level) level.from = Math.min(level.from, number);
  });
  return levels.map(({ sides, from }) => ({ name: sides.size === 1 ? [...sides][0] : "", from }));
}

/** The leaves so far, and beside them those of the minimal tree, which is known with the value.
 * @param {{fewest?: number | null, leaves: number, isOver: boolean}} props */
function Counter({ fewest, leaves, isOver }) {
  const few = isOver && typeof fewest === "number" ? fewest : null;
  /** @param {number} number @param {string} kind */
  const bar = (number, kind) => few !== null && html`<dd><span class="meter"><span class=${kind}
    style=${{ width: `${(100 * number) / Math.max(few, leaves)}%` }} /></span></dd>`;
  return html`
    <dl class="counter">
      <dt>${say("see.leaves")}</dt><dd id="leaves">${count(leaves)}</dd>${bar(leaves, "own")}
      ${fewest !== undefined && html`<dt>${say("see.fewest")}</dt>
        ${few !== null ? html`<dd id="fewest">${count(few)}</dd>${bar(few, "least")}`
    : html`<dd id="fewest" class="soft small">${say(fewest === null ? "see.fewest.none" : "see.fewest.later")}</dd>`}`}
    </dl>`;
}

/** @param {any} props */
function About({ trace, node, known, picked, stopped, halt, folded, fold }) {
  const reason = why(trace, node);
  const row = (label, value) => html`<dt>${say(label)}</dt><dd>${value}</dd>`;
  const leaf = node.leaf && say(`see.${node.leaf}`);
  return html`
    <div class="about" id="about">
      <h3>${nameOf(trace, node.id)} <span class="soft">${node.leaf ? leaf : say(node.maximizing ? "see.max" : "see.min")}</span></h3>
      <dl>
        ${trace.has_windows && row("see.window", frame(node.alpha, node.beta))}
        ${trace.has_windows && !node.leaf && row("see.now", frame(node.low, node.high))}
        ${!node.leaf && row("see.best", node.best === null ? "–" : shown(node.best))}
        ${row("see.known", node.finished ? node.bound + shown(node.value) : say("see.notyet"))}
        ${node.payoffs && row("see.payoffs", node.payoffs.map((each) => shown(each)).join(", "))}
        ${node.finished && trace.nodes[node.id].database && row("see.database", databaseSays(trace.nodes[node.id].database))}
        ${!trace.dotted && row("see.place", html`<code>${node.state}</code>`)}
      </dl>
      ${reason && html`<p class="reason" id="why"><strong>${say("see.why")}.</strong> ${reason}</p>`}
      <div class="buttons">
        <button id="halt-here" aria-pressed=${String(stopped)} onClick=${() => halt(nameOf(trace, node.id))}>${say(stopped ? "see.halt.off" : "see.halt.on")}</button>
        ${(folded || node.children.length > 0) && html`
          <button id="fold" aria-pressed=${String(folded)} onClick=${() => fold(node.id)}>${say(folded ? "see.unfold" : "see.fold")}</button>`}
      </div>
      ${!picked && html`<p class="soft small">${say("see.node.pick")}</p>`}
    </div>`;
}

/** What a database says of a node. @param {{value: number, proved: boolean}} known */
const databaseSays = (known) => `${shown(known.value)}${known.proved ? "" : `, ${say("see.database.past")}`}`;

/** The last events, the newest first. @param {any} props */
function Log({ trace, step, go }) {
  const walk = useMemo(() => new Walk(trace), [trace]);
  const told = useMemo(() => {
    /** @type {[number, string][]} */
    const lines = [];
    for (let at = Math.max(0, step - 12) + 1; at <= step; at += 1) lines.unshift([at, tell(trace, walk.to(at))]);
    return lines;
  }, [trace, step, say("language")]);
  return html`
    <div class="log">
      <h3>${say("see.log")}</h3>
      <ol>${told.map(([at, text]) => html`
        <li class=${trace.events[at - 1].event}><button class="link" onClick=${() => go(at)}>${at}</button> ${text}</li>`)}</ol>
    </div>`;
}

/** @param {{types: boolean}} props */
function Legend({ types }) {
  return html`
    <ul class="legend" aria-label=${say("see.legend")}>
      <li><i class="max" />${say("see.max")}</li><li><i class="min" />${say("see.min")}</li>
      <li><i class="leaf" />${say("see.leaf")}</li><li><i class="now" />${say("see.current")}</li>
      <li><i class="off">×</i>${say("see.cutoff")}</li>
      ${types && [1, 2, 3].map((type) => html`<li><i class="type-${type}">${type}</i>${say("see.type", { type })}</li>`)}
    </ul>`;
}
