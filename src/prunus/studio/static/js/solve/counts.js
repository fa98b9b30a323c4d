/** How many positions there are of each value; some of them, to go to. */
import { html, useEffect, useRef, useState } from "../html.js";
import { search } from "../server.js";
import { count, say } from "../words/index.js";
import { Failure, Waiting } from "../rooms/parts.js";

const KINDS = ["won", "drawn", "lost"];
const AT_ONCE = 12;

/** @param {{about: any, go: (position: string) => void}} props */
export function Counts({ about, go }) {
  const [bars, setBars] = useState(/** @type {any[] | null} */ (null));
  const [chosen, setChosen] = useState(/** @type {any} */ (null));
  const [failure, setFailure] = useState("");
  const asking = useRef(/** @type {any} */ (null));
  const ask = (what, then) => {
    asking.current?.stop();
    const mine = search({ database: about.name, ...what });
    asking.current = mine;
    mine.done.then(
      (answer) => { if (mine === asking.current && answer.event === "done") then(answer); },
      (error) => { if (mine === asking.current) setFailure(error.message); },
    );
  };
  useEffect(() => {
    ask({ do: "tally" }, (answer) => setBars(answer.bars));
    return () => { asking.current?.stop(); asking.current = null; };
  }, []);
  const show = (bar, skip = 0) => {
    setFailure("");
    setChosen({ bar, skip, positions: null });
    ask({ do: "find", outcome: bar.outcome, number: bar.number, skip }, (answer) => setChosen({ bar, skip, positions: answer.positions }));
  };
  const longest = bars && !about.scored && bars.filter((bar) => bar.outcome === "won").at(-1);
  return html`
    <section class="panel" aria-labelledby="counts-heading">
      <h2 id="counts-heading">${say("solve.counts", { positions: count(about.positions) })}</h2>
      <p class="soft small">${say(about.scored ? "solve.counts.scores" : "solve.counts.text")}</p>
      ${!bars && !failure && html`<${Waiting} state=${{}} />`}
      <${Failure} text=${failure} />
      ${longest && html`<p><button id="longest" onClick=${() => show(longest)}>${say("solve.longest", { plies: count(longest.number) })}</button></p>`}
      <div class="kinds">${KINDS.map((kind) => html`
        <${Kind} key=${kind} kind=${kind} all=${about[kind]} bars=${(bars ?? []).filter((bar) => bar.outcome === kind)}
          chosen=${chosen?.bar} show=${show} />`)}</div>
      ${chosen && html`<${Found} chosen=${chosen} go=${go} show=${show} />`}
    </section>`;
}

/** Positions of one kind, by plies or by score. @param {any} props */
function Kind({ kind, all, bars, chosen, show }) {
  const most = Math.max(1, ...bars.map((bar) => bar.count));
  const label = (bar) => (bar.number === null ? say("solve.whenever") : String(bar.number));
  return html`
    <div class="kind"><h3 class=${kind}>${say(`solve.${kind}.all`)}: ${count(all)}</h3>
      <ul class="tally" aria-label=${say(`solve.${kind}.all`)}>${bars.map((bar) => html`
        <li><button class=${bar === chosen ? "on" : ""} aria-pressed=${bar === chosen ? "true" : "false"}
          aria-label=${say("solve.bar", { value: say(`solve.${kind}`), number: label(bar), count: count(bar.count) })} onClick=${() => show(bar)}>
          <span>${label(bar)}</span><span class="meter"><span class=${kind} style=${{ width: `${100 * bar.count / most}%` }} /></span>
          <span>${count(bar.count)}</span></button></li>`)}</ul></div>`;
}

/** Some of the positions. @param {any} props */
function Found({ chosen: { bar, skip, positions }, go, show }) {
  const last = Math.min(bar.count, skip + AT_ONCE);
  return html`
    <div class="found" id="found" aria-live="polite">
      <h3>${say(`solve.${bar.outcome}`)}${bar.number === null ? "" : ` · ${bar.number}`}: ${count(skip + 1)}–${count(last)} / ${count(bar.count)}</h3>
      ${!positions ? html`<${Waiting} state=${{}} />` : html`
        <ul class="names">${positions.map((text) => html`<li><button onClick=${() => go(text)}><code>${text}</code></button></li>`)}</ul>
        <div class="buttons">
          <button id="less" disabled=${skip === 0} onClick=${() => show(bar, skip - AT_ONCE)}>${say("solve.less")}</button>
          <button id="more" disabled=${last >= bar.count} onClick=${() => show(bar, last)}>${say("solve.more")}</button></div>`}
    </div>`;
}
