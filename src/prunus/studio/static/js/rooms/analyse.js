/** Analyse: what a position is worth, as the search finds out. */
import { html, useEffect, useMemo, useRef, useState } from "../html.js";
import { request, search } from "../server.js";
import { count, say } from "../words/index.js";
import { Board } from "../board.js";
import { Chart } from "../chart.js";
import { Player, playerText } from "../players.js";
import { shown } from "../tree/telling.js";
import { Choice, Failure, Line, Waiting, gamesOf } from "./parts.js";

/** @param {{offer: any, rest: string[], words: string}} props */
export function Analyse({ offer, rest }) {
  const [game = "connect-four", start = "", go = ""] = rest;
  const [form, setForm] = useState({ game, position: start, algorithm: "engine", depth: "", seconds: "10", lines: "1" });
  const [moves, setMoves] = useState(/** @type {string[]} */ ([]));
  const [position, setPosition] = useState(/** @type {any} */ (null));
  const [state, setState] = useState(/** @type {any} */ ({ steps: [], progress: null, ended: "" }));
  const [worth, setWorth] = useState(/** @type {any} */ (null));
  const [failure, setFailure] = useState("");
  const running = useRef(/** @type {any} */ (null));
  const set = (name) => (value) => setForm((old) => ({ ...old, [name]: value }));
  const place = useMemo(() => ({ game: form.game, position: form.position, moves }), [form.game, form.position, moves]);

  const halt = () => {
    running.current?.stop();
    running.current = null;
  };
  useEffect(() => halt, []);
  useEffect(() => {
    let current = true;
    halt();
    setState({ steps: [], progress: null, ended: "" });
    setWorth(null);
    request("/api/position", place).then((found) => {
      if (current) { setPosition(found); setFailure(""); }
    }, (error) => { if (current) { setPosition(null); setFailure(error.message); } });
    return () => { current = false; };
  }, [place]);

  const begin = (depth = form.depth, seconds = form.seconds) => {
    halt();
    setFailure("");
    setState({ steps: [], progress: { event: "started" }, ended: "" });
    const asked = { do: "analyse", place, algorithm: form.algorithm, seconds: Number(seconds) || 10, depth: depth === "" ? null : Number(depth), lines: Number(form.lines) };
    const mine = search(asked, (answer) => {
      if (running.current !== mine) return;
      setState((old) => ({
        ...old, progress: answer, steps: answer.event === "iteration" ? [...old.steps, answer] : old.steps,
      }));
    });
    running.current = mine;
    mine.done.then((last) => {
      if (running.current !== mine) return;
      running.current = null;
      setState((old) => ({ ...old, progress: null, ended: last.asked || last.event === "stopped" ? "stopped" : "done" }));
    }, (error) => {
      if (running.current !== mine) return;
      running.current = null;
      setFailure(error.message);
      setState((old) => ({ ...old, progress: null }));
    });
  };
  const deeper = () => {
    const seconds = String(Math.min(60, 2 * (Number(form.seconds) || 10)));
    const depth = form.depth === "" ? "" : String(Math.min(60, Number(form.depth) + 2));
    setForm({ ...form, seconds, depth });
    begin(depth, seconds);
  };
  const all = () => {
    setWorth("asked");
    search({ do: "values", place, seconds: 5 }).done.then(
      (found) => setWorth(found.moves ? found : null),
      (error) => { setWorth(null); setFailure(error.message); },
    );
  };
  useEffect(() => { if (go === "go") begin(); }, []);

  const best = worth?.moves && Math.max(...worth.moves.map((each) => each.value));
  const values = new Map((worth?.moves ?? []).map((each) => [each.action, { text: (each.proved ? "" : "≈") + shown(each.value), best: each.value === best }]));
  const found = state.steps.at(-1);
  const lines = linesOf(found);
  const arrows = lines.map((each) => ({
    name: each.action, text: `${say(`analyse.sign.${each.bound}`)}${each.proved ? "" : "≈"}${shown(each.value)}`, best: each.value === lines[0].value,
  }));
  return html`
    <h1>${say("analyse.title")}</h1>
    <${Form} offer=${offer} form=${form} set=${set} begin=${() => begin()} clear=${() => setMoves([])} />
    <${Failure} text=${failure} />
    ${position && html`
      <div class="table">
        <div class="panel stage">
          <${Board} position=${position} open=${!position.over} worth=${values} arrows=${values.size ? [] : arrows}
            act=${(actions) => setMoves([...moves, actions[0].name])} />
        </div>
        <div>
          <section class="panel" aria-live="polite">
            <div class="buttons">
              <button class="main" id="start" disabled=${position.over} onClick=${() => begin()}>${say("analyse.start")}</button>
              <button id="stop" disabled=${!state.progress} onClick=${() => running.current?.stop()}>${say("analyse.stop")}</button>
              <button id="deeper" disabled=${Boolean(state.progress) || !state.steps.length} onClick=${deeper}>${say("analyse.deeper")}</button>
              <button id="back" disabled=${!moves.length} onClick=${() => setMoves(moves.slice(0, -1))}>${say("play.back")}</button>
            </div>
            <${Answer} position=${position} state=${state} />
            ${found?.lines && html`<${Lines} lines=${lines} />`}
          </section>
          <section class="panel">
            <button id="all" disabled=${position.over || worth === "asked"} onClick=${all}>${say("analyse.all")}</button>
            ${worth === "asked" && html`<${Waiting} state=${{}} />`}
            ${worth?.moves && html`<${Values} worth=${worth} best=${best} />`}
          </section>
        </div>
      </div>
      ${state.steps.length > 0 && html`<${History} steps=${state.steps} />`}`}`;
}

/** @param {any} props */
function Form({ offer, form, set, begin, clear }) {
  const game = offer.games.find((each) => each.name === form.game.split(":")[0]);
  const algorithms = offer.algorithms.filter((each) => each.searches && !each.apart).map((each) => [each.name, each.name]);
  return html`
    <form class="panel form" onSubmit=${(event) => { event.preventDefault(); begin(); }}>
      <${Choice} id="game" label=${say("play.game")} value=${form.game} choices=${gamesOf(offer)}
        set=${(name) => { clear(); set("position")(""); set("game")(name); }} />
      <${Line} id="position" label=${say("analyse.position")} value=${form.position}
        set=${(text) => { clear(); set("position")(text); }} hint=${game?.example ?? ""} />
      <${Choice} id="algorithm" label=${say("see.algorithm")} value=${form.algorithm} choices=${algorithms} set=${set("algorithm")} />
      <${Line} id="depth" label=${say("analyse.depth")} type="number" min=${1} max=${60} value=${form.depth}
        set=${set("depth")} hint=${say("analyse.auto")} />
      <${Line} id="seconds" label=${say("analyse.seconds")} type="number" min=${1} max=${60} value=${form.seconds} set=${set("seconds")} />
      <${Choice} id="lines-asked" label=${say("analyse.lines")} value=${form.lines} set=${set("lines")} choices=${["1", "2", "3", "4", "5"].map((each) => [each, each])} />
      ${game?.notation && html`<p class="soft small wide">${say("analyse.position")}: ${game.notation}</p>`}
    </form>`;
}

/** The lines that are told, the best one first; of a search of one line, its own. @param {any} found */
function linesOf(found) {
  if (!found) return [];
  if (found.lines) return [...found.lines].sort((a, b) => b.value - a.value);
  return found.best === null || found.value === null ? [] : [{ action: found.best, value: found.value, bound: found.bound, proved: found.proved, line: found.pv }];
}

/** @param {any} props */
function Lines({ lines }) {
  return html`<ol id="lines" class="lines">${lines.map((each) => html`
    <li><strong>${say(`analyse.sign.${each.bound}`)}${each.proved ? "" : "≈"}${shown(each.value)}</strong> ${each.line.slice(0, 14).join(" ")}</li>`)}</ol>`;
}

/** What the search knows now. @param {any} props */
function Answer({ position, state }) {
  const found = state.steps.at(-1);
  const { progress } = state;
  if (position.over) return html`<p>${say("analyse.over")}</p>`;
  if (!found) return progress ? html`<${Waiting} state=${progress} />` : html`<p class="soft" id="state">${say(state.ended === "stopped" ? "analyse.stopped" : "analyse.notyet")}</p>`;
  const nodes = Math.max(found.nodes, progress?.nodes ?? 0);
  const seconds = Math.max(found.seconds, progress?.seconds ?? 0);
  const mover = playerText(position.board, position.mover);
  return html`
    <p class="value-big" id="value">${say(`analyse.${found.bound}`)}${shown(found.value)}
      <span class="badge ${found.proved ? "proved" : ""}" id="standing">${say(found.proved ? "analyse.proved" : "analyse.heuristic")}</span></p>
    <p class="soft"><${Player} board=${position.board} mover=${position.mover} /> ${say("analyse.mover", { player: mover })}</p>
    <dl>
      <dt>${say("analyse.depth")}</dt><dd id="depth-now">${found.depth ?? say("see.end")}</dd>
      <dt>${say("analyse.best")}</dt><dd id="best">${found.best_moves.join(", ") || found.best || "–"}</dd>
      <dt>${say("analyse.line")}</dt><dd>${found.pv.join(" ") || "–"}</dd>
      <dt>${say("analyse.nodes")}</dt><dd>${count(nodes)}</dd>
      <dt>${say("analyse.speed")}</dt><dd>${seconds > 0.001 ? count(Math.round(nodes / seconds)) : "–"}</dd>
    </dl>
    ${found.distance !== null && html`<p class="soft small">${say("analyse.ends", { plies: found.distance })}</p>`}
    <p class="soft" role="status" id="state">${progress ? say("analyse.running") : state.ended ? say(`analyse.${state.ended}`) : ""}
      ${progress?.compiling ? ` ${say("compiling", { seconds: progress.compiling.toFixed(0) })}` : ""}</p>`;
}

/** @param {any} props */
function Values({ worth, best }) {
  const sorted = [...worth.moves].sort((a, b) => b.value - a.value);
  const standing = say(sorted.every((each) => each.proved) ? "analyse.proved"
    : sorted.some((each) => each.proved) ? "play.about" : "analyse.heuristic");
  return html`
    <p class="soft small">${standing} · ${say("analyse.depth")} ${worth.depth ?? say("see.end")}</p>
    <div class="names" id="worth">${sorted.map((each) => html`
      <span class=${`badge ${each.value === best ? "proved" : ""}`}>${each.action}: ${each.proved ? "" : "≈"}${shown(each.value)}</span>`)}</div>`;
}

/** @param {any} props */
function History({ steps }) {
  const deep = steps.filter((each) => each.depth !== null && each.value !== null && !each.interrupted);
  const [x, value, nodes] = useMemo(() => [deep.map((each) => each.depth), deep.map((each) => each.value), deep.map((each) => each.nodes)], [steps]);
  return html`
    <section class="panel">
      <h2>${say("analyse.history")}</h2>
      ${x.length > 1 && html`<div class="charts">
        <${Chart} title=${say("analyse.chart.value")} x=${x} y=${value} />
        <${Chart} title=${say("analyse.chart.nodes")} x=${x} y=${nodes} log=${true} /></div>`}
      <div class="scroll"><table id="history">
        <thead><tr><th>${say("analyse.depth")}</th><th>${say("analyse.value")}</th><th class="number-cell">${say("analyse.nodes")}</th><th>${say("analyse.line")}</th></tr></thead>
        <tbody>${[...steps].reverse().map((each) => html`<tr>
          <td>${each.depth ?? say("see.end")}</td><td>${say(`analyse.${each.bound}`)}${shown(each.value)}${each.proved ? " ✓" : ""}</td>
          <td class="number-cell">${count(each.nodes)}</td><td>${each.pv.slice(0, 12).join(" ")}</td></tr>`)}</tbody>
      </table></div>
    </section>`;
}
