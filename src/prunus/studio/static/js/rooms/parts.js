/** Small parts that several rooms use. */
import { html } from "../html.js";
import { titleOf } from "../words/games.js";
import { language, say } from "../words/index.js";

const SOURCES = {
  en: { "000": "Seminar", "001": "Course notes", "003": "Lecture notes", "004": "Lecture slides" },
  it: { "000": "Seminario", "001": "Appunti del corso", "003": "Appunti di lezione", "004": "Diapositive" },
};

/** Words of the names of figures. @type {Record<string, string>} */
const ITALIAN = { figure: "fig.", reordered: "riordinata", ordered: "ordinato", "best case": "caso migliore" };

/** A choice from a list. @param {{label: string, value: any, choices: [any, string][],
 *   set: (value: string) => void, id?: string}} props */
export function Choice({ label, value, choices, set, id }) {
  return html`
    <label class="field">${label}
      <select id=${id} value=${value} onChange=${(event) => set(event.target.value)}>
        ${choices.map(([each, text]) => html`
          <option value=${each} selected=${String(each) === String(value)}>${text}</option>`)}
      </select>
    </label>`;
}

/** A line of text. @param {{label: string, value: any, set: (value: string) => void, id?: string,
 *   hint?: string, type?: string, min?: number, max?: number, step?: string}} props */
export function Line({ label, value, set, id, hint, type = "text", min, max, step }) {
  return html`
    <label class="field">${label}
      <input id=${id} type=${type} value=${value} min=${min} max=${max} step=${step} placeholder=${hint}
        spellcheck="false" autocomplete="off" onInput=${(event) => set(event.target.value)} />
    </label>`;
}

/** What went wrong, if anything did. @param {{text: string}} props */
export function Failure({ text }) {
  return text && html`<p class="error" role="alert"><strong>${say("error")}.</strong> ${sentence(text)}</p>`;
}

/** A text that begins with a word, as the beginning of a sentence. @param {string} text */
const sentence = (text) => text.replace(/^\p{Ll}(?=[\p{L}'’]*[ ,])/u, (first) => first.toUpperCase());

/** How a search that has not answered yet is doing; `stop` ends it.
 * @param {{state: any, stop?: () => void}} props */
export function Waiting({ state, stop }) {
  if (!state) return null;
  const text = state.event === "queued" ? say("queued", { place: state.place })
    : state.compiling ? say("compiling", { seconds: state.compiling.toFixed(0) }) : say("thinking");
  return html`<p class="waiting" role="status">${text}
    ${stop && html`<button id="halt" class="small" onClick=${stop}>${say("analyse.stop")}</button>`}</p>`;
}

/** The games that two can play, as choices. @param {any} offer @returns {[string, string][]} */
export function gamesOf(offer) {
  return offer.games.filter((game) => game.players === 2).map((game) => [game.name, titleOf(game)]);
}

/** The figures of the sources, as choices. @param {any} offer @returns {[string, string][]} */
export function figuresOf(offer) {
  const italian = language() === "it";
  const sources = SOURCES[italian ? "it" : "en"];
  return Object.keys(offer.figures).map((name) => {
    const [source, ...words] = name.split("-");
    const text = words.join(" ");
    const said = italian ? text.replace(/best case|\w+/g, (word) => ITALIAN[word] ?? word) : text;
    return [name, source in sources ? `${sources[source]}: ${said}` : name];
  });
}
