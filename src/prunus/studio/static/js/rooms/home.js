/** Home: three examples to click, the games, and how to serve one of one's own. */
import { html } from "../html.js";
import { titleOf } from "../words/games.js";
import { say } from "../words/index.js";

const OWN = `import prunus

class Kayles(prunus.Game):
    ...`;
const SERVE = "prunus studio my_game.py:Kayles";

/** Trees for whoever studies searches; the room Play offers them, too. */
const TREES = ["figure", "uniform", "reluctant", "random-game"];

/** @param {{offer: any}} props */
export function Home({ offer }) {
  const playable = offer.games.filter((game) => game.players === 2 && (game.own || !TREES.includes(game.name)));
  return html`
    <section class="hero">
      <h1>${say("home.title")}</h1>
      <p class="lead">${say("home.lead")}</p>
    </section>
    <section class="cards">
      <${Card} to="#play/connect-four" name="play" picture=${html`<${Four} />`} />
      <${Card} to="#see/figure/000-figure-2" name="see" picture=${html`<${Small} />`} />
      <${Card} to="#analyse/nim/1,3,5/go" name="solve" picture=${html`<${Piles} />`} />
    </section>
    <section class="two">
      <div>
        <h2>${say("home.games")}</h2>
        <p class="soft">${say("home.games.text")}</p>
        <ul class="chips">
          ${playable.map((game) => html`
            <li><a class=${game.own ? "own" : ""} href="#play/${encodeURIComponent(game.name)}"
              title=${game.own ? game.title : game.name}>${titleOf(game)}</a></li>`)}
        </ul>
      </div>
      <div>
        <h2>${say("home.own")}</h2>
        <p>${say("home.own.text")}</p>
        <p class="step-of">${say("home.own.file", { file: "my_game.py" })}</p>
        <pre class="code">${OWN}</pre>
        <p class="step-of">${say("home.own.serve")}</p>
        <pre class="code">${SERVE}</pre>
        <p class="soft">${say("home.own.more")}</p>
      </div>
    </section>
    <p class="soft foot">${say("home.local")} · Prunus ${offer.version}</p>`;
}

/** @param {{to: string, name: string, picture: any}} props */
function Card({ to, name, picture }) {
  return html`
    <a class="card" href=${to}>
      ${picture}
      <h2>${say(`home.${name}`)}</h2>
      <p>${say(`home.${name}.text`)}</p>
      <span class="try">${say("home.try")} →</span>
    </a>`;
}

function Four() {
  const stones = "..........o....xo...xxo.";
  return html`
    <svg class="art" viewBox="0 0 150 100" aria-hidden="true">
      <rect class="four-board" x="3" y="2" width="144" height="96" rx="10" />
      ${[...stones].map((stone, at) => html`<circle r="9.5" cx=${15 + (at % 6) * 24}
        cy=${14 + Math.floor(at / 6) * 24} class=${{ x: "first", o: "second" }[stone] ?? "hole"} />`)}
    </svg>`;
}

function Small() {
  return html`
    <svg class="art" viewBox="0 0 150 100" aria-hidden="true">
      <g class="edge"><path d="M75 18 35 52M75 18v34M75 18l40 34M35 52 20 84M35 52v32M35 52l15 32M75 52 64 84" /></g>
      <g class="edge cut"><path d="M75 52l8 20M115 52l0 20" /><path class="cross" d="m78 68 8 8m0-8-8 8" /></g>
      <g class="node max"><rect x="63" y="6" width="24" height="24" rx="4" /></g>
      <g class="node min"><circle cx="35" cy="52" r="12" /><circle cx="75" cy="52" r="12" /><circle cx="115" cy="52" r="12" /></g>
      <g class="node leaf"><rect x="11" y="80" width="18" height="14" rx="3" /><rect x="32" y="80" width="18" height="14" rx="3" /><rect x="53" y="80" width="18" height="14" rx="3" /></g>
    </svg>`;
}

function Piles() {
  return html`
    <svg class="art" viewBox="0 0 150 100" aria-hidden="true">
      ${[1, 3, 5].map((size, pile) => Array.from({ length: size }, (_, at) => html`
        <rect class="object" x=${28 + pile * 38} y=${86 - at * 12} width="20" height="9" rx="4.500" />`))}
    </svg>`;
}
