/** Laboratory: the experiments on the theory of alpha-beta, measured and drawn while they run. */
import { html, useEffect, useMemo, useRef, useState } from "../html.js";
import { request, search } from "../server.js";
import { count, language, say } from "../words/index.js";
import { Figure, fileOf } from "../lab/figure.js";
import { Prose } from "../lab/prose.js";
import { Parameters, rowsOf, secondsOf, usual } from "../lab/parameters.js";
import { Rows } from "../lab/rows.js";
import { named, spoken, useItalian } from "../lab/spoken.js";
import { Choice, Failure, Line } from "./parts.js";

/** @param {{offer: any, rest: string[], words: string}} props */
export function Lab({ rest }) {
  const [name = ""] = rest;
  return name ? html`<${Experiment} name=${name} />` : html`<${List} />`;
}

function List() {
  const italian = useItalian();
  const [known, setKnown] = useState(/** @type {any[] | null} */ (null));
  const [failure, setFailure] = useState("");
  const [sought, setSought] = useState("");
  useEffect(() => { request("/api/experiments").then(setKnown, (error) => setFailure(error.message)); }, []);
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  const isReady = known && (language() !== "it" || italian);
  const all = (known ?? []).map((each) => ({ ...named(each, italian), english: `${each.name} ${each.title} ${each.source}` }));
  const shown = all.filter((each) => {
    const text = `${each.english} ${each.title} ${each.source}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return html`
    <h1>${say("lab.heading")}</h1>
    <p class="lead">${say("lab.lead")}</p>
    <${Failure} text=${failure} />
    ${!isReady && !failure && html`<p class="waiting" role="status">${say("loading")}</p>`}
    ${isReady && html`
      <div class="seek"><${Line} id="seek" label=${say("lab.seek")} value=${sought} set=${setSought} type="search" />
        <p class="soft small" role="status">${say("lab.count", { count: shown.length, all: all.length })}</p></div>
      <ul class="experiments" id="experiments">${shown.map((each) => html`
        <li><a href="#lab/${each.name}"><strong>${each.title}</strong>
          <span class="soft small">${each.source}</span></a></li>`)}</ul>`}`;
}

/** @param {{name: string}} props */
function Experiment({ name }) {
  const italian = useItalian();
  const [about, setAbout] = useState(/** @type {any} */ (null));
  const [failure, setFailure] = useState("");
  useEffect(() => {
    request(`/api/experiments/${encodeURIComponent(name)}`).then(setAbout, (error) => setFailure(error.message));
  }, [name]);
  return html`
    <p class="trail"><a href="#lab">← ${say("lab.all")}</a></p>
    ${!about && html`<h1>${name}</h1>`}
    <${Failure} text=${failure} />
    ${!about && !failure && html`<p class="waiting" role="status">${say("loading")}</p>`}
    ${about && html`<${Bench} about=${spoken(about, italian)} />`}`;
}

const STEPS = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000];

/** An experiment that can be run. @param {{about: any}} props */
function Bench({ about }) {
  const [values, setValues] = useState(usual(about));
  const [samples, setSamples] = useState("");
  const [seed, setSeed] = useState("0");
  const [state, setState] = useState(/** @type {any} */ (null));
  const [failure, setFailure] = useState("");
  const running = useRef(/** @type {any} */ (null));
  useEffect(() => () => { running.current?.stop(); running.current = null; }, []);
  const plan = useMemo(() => rowsOf(about, values), [values]);
  const number = samples === "" ? null : Number(samples);
  const seconds = secondsOf(plan, number);
  const most = Math.max(...about.rows.map((row) => row[2]));
  const unchosen = about.parameters.find((each) => values[each.name]?.length === 0);
  const right = /^\d{1,9}$/.test(seed);

  const begin = () => {
    setFailure("");
    setState({ rows: [], plan: plan.map(([row]) => row), progress: { event: "started" }, kept: null, ended: "" });
    const mine = search({ do: "experiment", name: about.name, values, samples: number, seed: Number(seed) }, (answer) => {
      if (running.current !== mine) return;
      setState((old) => (answer.event === "rows" ? { ...old, rows: [...old.rows, ...answer.rows] } : { ...old, progress: answer }));
    });
    running.current = mine;
    const end = (change) => {
      if (running.current !== mine) return;
      running.current = null;
      setState((old) => ({ ...old, progress: null, ...change }));
    };
    mine.done.then((last) => {
      if (last.event === "stopped") end({ ended: "stopped" });
      else end({ rows: last.rows, kept: last.kept, ended: last.finished ? "done" : last.asked ? "stopped" : "late" });
    }, (error) => { end({}); setFailure(error.message); });
  };

  const { title } = about;
  return html`
    <h1>${title}</h1>
    <p class="soft">${say("lab.source")}: ${about.source}</p>
    <div class="panel prose"><${Prose} text=${about.says} words=${about.words} />
      ${about.errs && html`<p class="errs"><strong>${say("lab.errs")}</strong></p><${Prose} text=${about.errs} words=${about.words} />`}</div>
    <form class="panel" id="setting" onSubmit=${(event) => { event.preventDefault(); begin(); }}>
      <h2>${say("lab.setting")}</h2>
      <${Parameters} about=${about} values=${values} set=${(name, chosen) => setValues({ ...values, [name]: chosen })} />
      <div class="form">
        ${most > 0 && html`
          <${Choice} id="samples" label=${say("lab.samples")} value=${samples} set=${setSamples}
            choices=${[["", say("lab.usual", { count: count(most) })], ...STEPS.filter((each) => each <= about.samples).map((each) => [each, count(each)])]} />
          <${Line} id="seed" label=${say("lab.seed")} type="number" min=${0} max=${999_999_999} value=${seed} set=${setSeed} />`}
        <div class="buttons">
          <button class="main" id="run" disabled=${Boolean(state?.progress) || !plan.length || seconds > about.seconds || !right}>${say("lab.run")}</button>
          <button type="button" id="halt" disabled=${!state?.progress} onClick=${() => running.current?.stop()}>${say("analyse.stop")}</button>
        </div>
      </div>
      <p class=${seconds > about.seconds || (!plan.length && !unchosen) ? "error" : "soft small"} id="estimate" role="status">
        ${unchosen ? say("lab.nothing") : estimateText(plan.length, seconds, about.seconds)}</p>
    </form>
    <${Failure} text=${failure} />
    ${state && html`<${Found} about=${about} title=${title} state=${state} />`}`;
}

/** @param {number} rows @param {number} seconds @param {number} most */
function estimateText(rows, seconds, most) {
  if (!rows) return say("lab.norows");
  const taken = seconds < 1 ? say("lab.moment") : say("lab.seconds", { seconds: count(Math.round(seconds)) });
  const said = say("lab.estimate", { rows: count(rows), taken });
  return seconds > most ? `${said} ${say("lab.toolong", { most })}` : `${said} ${say("lab.compile")}`;
}

/** What was measured so far. @param {any} props */
function Found({ about, title, state }) {
  const box = useRef(/** @type {any} */ (null));
  const { progress, rows } = state;
  const save = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([fileOf(box.current, title)], { type: "image/svg+xml" }));
    link.download = `${about.name}.svg`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const text = !progress ? say(`lab.${state.ended || "failed"}`, { rows: rows.length, all: state.plan.length })
    : progress.event === "queued" ? say("queued", { place: progress.place })
      : progress.done ? say("lab.progress", { rows: rows.length, all: state.plan.length }) : say("lab.preparing");
  return html`
    <section class="panel" aria-labelledby="result-heading">
      <h2 id="result-heading">${say("lab.result")}</h2>
      <p role="status" id="told" class=${progress ? "waiting" : "soft"}>${text}</p>
      ${progress && html`<progress max=${progress.total ?? 1} value=${progress.done ?? 0} aria-label=${say("lab.result")} />`}
      <div ref=${box}><${Figure} figure=${about.figure} rows=${rows} plan=${state.plan} title=${title} /></div>
      ${!progress && rows.length > 0 && html`
        <p class="downloads"><span>${say("lab.download")}</span>
          <button id="svg" type="button" onClick=${save}>SVG</button>
          ${state.kept && [...(about.parquet ? ["parquet"] : []), "csv", "json"].map((form) => html`
            <a class="as-button" id=${form} download href="/api/tables/${state.kept}/${form}">${{ parquet: "Parquet", csv: "CSV", json: "JSON" }[form]}</a>`)}</p>`}
      ${rows.length > 0 && html`<${Rows} rows=${rows} />`}
    </section>`;
}
