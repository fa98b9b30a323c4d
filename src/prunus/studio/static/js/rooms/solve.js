/** Solve: a game that is solved in every position, to be walked through. */
import { html, useEffect, useMemo, useState } from "../html.js";
import { request } from "../server.js";
import { titleOf } from "../words/games.js";
import { count, say } from "../words/index.js";
import { Asking, useAsking } from "../game/asking.js";
import { Board } from "../board.js";
import { Player, playerText } from "../players.js";
import { Counts } from "../solve/counts.js";
import { kindOf, shortText, valueText } from "../solve/values.js";
import { Choice, Failure, Line } from "./parts.js";

/** @param {{offer: any, rest: string[], words: string}} props */
export function Solve({ offer, rest }) {
  const known = offer.databases;
  return html`
    <h1>${say("solve.heading")}</h1>
    ${known.length ? html`<${Browser} known=${known} rest=${rest} />` : html`<${None} />`}`;
}

const BUILD = `prunus db build three-mens-morris --out morris
prunus studio --database morris`;

function None() {
  return html`
    <p class="lead">${say("solve.lead")}</p>
    <section class="panel" id="none">
      <h2>${say("solve.none")}</h2>
      <p>${say("solve.none.text")}</p>
      <pre class="code">${BUILD}</pre>
      <p class="soft">${say("solve.none.more")}</p>
    </section>`;
}

/** A database and its game. @param {{name: string, title: string, game: string}} each */
const textOf = ({ name, title, game }) => `${name} (${game ? titleOf({ name: game, own: false }) : title})`;

/** @param {{known: any[], rest: string[]}} props */
function Browser({ known, rest }) {
  const [name = "", at = ""] = rest;
  const [database, setDatabase] = useState(known.some((each) => each.name === name) ? name : known[0].name);
  const [typed, setTyped] = useState(at);
  const [place, setPlace] = useState({ position: at, moves: /** @type {string[]} */ ([]) });
  const [found, setFound] = useState(/** @type {any} */ (null));
  const [failure, setFailure] = useState("");
  const about = known.find((each) => each.name === database);
  useEffect(() => {
    let current = true;
    request("/api/database", { database, ...place }).then(
      (answer) => { if (current) { setFound(answer); setFailure(""); } },
      (error) => { if (current) setFailure(error.message); },
    );
    return () => { current = false; };
  }, [database, place]);
  const to = (position, moves = /** @type {string[]} */ ([])) => { setPlace({ position, moves }); setTyped(position); };
  const follow = (action) => setPlace({ ...place, moves: [...place.moves, action] });
  const other = (next) => { setFound(null); setDatabase(next); to(""); };

  return html`
    <form class="panel form" id="where" onSubmit=${(event) => { event.preventDefault(); to(typed.trim()); }}>
      ${known.length > 1 ? html`<div class="typed"><${Choice} id="database" label=${say("solve.database")} value=${database} set=${other}
        choices=${known.map((each) => [each.name, textOf(each)])} /></div>`
    : html`<p class="field">${say("solve.database")}<strong>${textOf(about)}</strong></p>`}
      <div class="typed"><${Line} id="position" label=${say("solve.position")} value=${typed} set=${setTyped} hint=${say("solve.usual")} /></div>
      <button id="go">${say("solve.go")}</button>
    </form>
    <${Failure} text=${failure} />
    ${!found && !failure && html`<p class="waiting" role="status">${say("loading")}</p>`}
    ${found && html`<${Look} found=${found} place=${place} about=${about} follow=${follow}
      back=${(number) => setPlace({ ...place, moves: place.moves.slice(0, number) })} start=${() => to("")} />`}
    <${Counts} key=${database} about=${about} go=${(position) => { to(position); scrollTo(0, 0); }} />`;
}

/** The board, the value and the moves. @param {any} props */
function Look({ found, place, about, follow, back, start }) {
  const { scored } = about;
  const { moves } = place;
  const asking = useAsking(found, follow);
  const { value } = found.value;
  const winner = scored || value === 0 ? null : value > 0 ? found.mover : 1 - found.mover;
  // The best moves come first.
  const worth = useMemo(() => new Map(found.moves.map((each, rank) => [each.action, {
    text: shortText(each, scored), best: each.value >= 0 && each.value === found.value.value, value: -rank,
  }])), [found, say("language")]);
  return html`
    <div class="table">
      <div class="panel stage">
        <${Board} position=${found} open=${!found.over && !asking.which.length} worth=${worth} act=${asking.act} />
      </div>
      <div class="beside"><section class="panel" aria-label=${say("solve.value")}>
        <p id="outcome" role="status">${winner !== null && html`<${Player} board=${found.board} mover=${winner} />`}
          ${valueText(found, scored)}</p>
        <${Asking} asking=${asking} />
        ${!found.over && html`<p class="soft"><${Player} board=${found.board} mover=${found.mover} /> ${say("play.turn", { player: playerText(found.board, found.mover) })}</p>`}
        <div class="buttons">
          <button id="back" disabled=${!moves.length} onClick=${() => back(moves.length - 1)}>${say("solve.back")}</button>
          <button id="first" disabled=${!moves.length && !place.position} onClick=${start}>${say("solve.first")}</button>
        </div>
        ${moves.length > 0 && html`<div class="path" role="group" aria-label=${say("solve.path")}>
          <button class="link" onClick=${() => back(0)}>${place.position ? say("solve.typed") : say("solve.start")}</button>
          ${moves.map((name, number) => html`<span aria-hidden="true">›</span>
            <button class="link" aria-current=${number === moves.length - 1 ? "step" : null} onClick=${() => back(number + 1)}>${name}</button>`)}</div>`}
        ${found.moves.length > 0 && html`
          <ul class="choices-of" id="choices" aria-label=${say("solve.moves")}>${found.moves.map((each) => html`
            <li><button class="move ${kindOf(each)}" onClick=${() => follow(each.action)}>
              <strong>${each.action}</strong><span>${say(`solve.${scored ? "score" : kindOf(each)}`, { score: each.value })}</span>
              <span class="soft">${each.plies === null ? "" : say(each.plies === 1 ? "solve.ply" : "solve.plies", { plies: count(each.plies) })}</span></button></li>`)}</ul>`}
        <p class="soft small text-of"><code id="text">${found.text}</code></p>
      </section></div>
    </div>`;
}
