/** The parameters of an experiment: which of their values its rows are to have. */
import { html } from "../html.js";
import { say } from "../words/index.js";

/** Of the numbers on the horizontal axis, and of a parameter with more numbers, a range is chosen;
 * of others each value by itself. */
const FEW = 12;
const FEW_ACROSS = 6;

/** @param {any} about @param {any} parameter */
function hasRange(about, { name, values }) {
  const few = name === about.figure.x ? FEW_ACROSS : FEW;
  return values.length > few && values.every((value) => typeof value === "number");
}

/** The values that are chosen at first: those of the quick set and, of a range, all between them.
 * @param {any} about @returns {Record<string, any[]>} */
export function usual(about) {
  return Object.fromEntries(about.parameters.map((each) => {
    const [low, high] = [Math.min(...each.chosen), Math.max(...each.chosen)];
    return [each.name, hasRange(about, each) ? each.values.filter((value) => value >= low && value <= high) : each.chosen];
  }));
}

/** What a parameter is called. @param {any} about @param {string} name */
function labelOf(about, name) {
  return name === about.figure.x && about.figure.x_label ? about.figure.x_label : about.term(name.replaceAll("_", " "));
}

/** @param {{about: any, values: Record<string, any[]>, set: (name: string, chosen: any[]) => void}} props */
export function Parameters({ about, values, set }) {
  return html`<div class="parameters">${about.parameters.filter((each) => each.values.length > 1).map((each) => {
    const Control = hasRange(about, each) ? Range : Chips;
    return html`<${Control} key=${each.name} name=${each.name} label=${labelOf(about, each.name)} all=${each.values} term=${about.term} chosen=${values[each.name]}
      set=${(chosen) => set(each.name, chosen)} />`;
  })}</div>`;
}

/** @param {{name: string, label: string, all: any[], term: (text: string) => string, chosen: any[], set: (chosen: any[]) => void}} props */
function Chips({ name, label, all, term, chosen, set }) {
  const turn = (value) => set(all.filter((each) => (each === value ? !chosen.includes(each) : chosen.includes(each))));
  return html`
    <fieldset class="tabs" id="choose-${name}" aria-describedby=${chosen.length ? null : `none-${name}`}><legend>${label}</legend>
      ${all.map((value) => html`<label><input type="checkbox" checked=${chosen.includes(value)}
        onChange=${() => turn(value)} />${typeof value === "string" ? term(value) : value}</label>`)}
      ${!chosen.length && html`<p class="none" id="none-${name}">${say("lab.unchosen", { name: label })}</p>`}
    </fieldset>`;
}

/** Two sliders, from and to. @param {{name: string, label: string, all: any[], chosen: any[], set: (chosen: any[]) => void}} props */
function Range({ name, label, all, chosen, set }) {
  const from = Math.max(0, all.indexOf(Math.min(...chosen)));
  const to = all.indexOf(Math.max(...chosen));
  const last = all.length - 1;
  const slider = (id, at, change) => html`
    <label class="end"><span>${say(`lab.${id}`)}</span>
      <input type="range" id="${name}-${id}" min="0" max=${last} value=${at} aria-valuetext=${String(all[at])}
        aria-label="${label}: ${say(`lab.${id}`)}" onInput=${(event) => change(Number(event.target.value))} />
      <output for="${name}-${id}">${all[at]}</output></label>`;
  return html`
    <fieldset class="range" id="choose-${name}"><legend>${label}</legend>
      ${slider("from", from, (at) => set(all.slice(at, Math.max(at, to) + 1)))}
      ${slider("to", to, (at) => set(all.slice(Math.min(from, at), at + 1)))}
    </fieldset>`;
}

/**
 * The rows that the server would run: those with the chosen values, each with the seconds and the
 * samples that it takes. A value between two that the experiment declares has the rows of the next
 * larger one.
 *
 * @param {any} about @param {Record<string, any[]>} values @returns {[any, number, number][]}
 */
export function rowsOf(about, values) {
  let rows = about.rows;
  for (const [name, chosen] of Object.entries(values)) {
    const own = [...new Set(about.rows.filter((row) => name in row[0]).map((row) => row[0][name]))];
    const found = rows.filter((row) => !(name in row[0]));
    for (const value of chosen) {
      const at = own.includes(value) ? value : Math.min(...own.filter((each) => each > value));
      for (const [row, cost, samples] of rows) {
        if (row[name] === at) found.push([{ ...row, [name]: value }, cost, samples]);
      }
    }
    rows = found;
  }
  return [...new Map(rows.map((row) => [JSON.stringify(row[0]), row])).values()];
}

/** About how long rows take to measure. @param {[any, number, number][]} rows
 * @param {number | null} samples of each row that has any; null: as many as it has */
export function secondsOf(rows, samples) {
  return rows.reduce((sum, [, cost, own]) => sum + cost * Math.max(1, own && samples ? samples : own), 0);
}
