/**
 * What a figure of the laboratory shows: panels with series, from the rows of a table.
 *
 * @typedef {Record<string, any>} Row
 * @typedef {{x: number, name: any, y: number | null, error: number, theory: number | null,
 *   low: number | null, high: number | null, row: Row}} Place
 * @typedef {{label: string, number: number, places: Place[]}} Series
 * @typedef {{title: string, yLabel: string, log: boolean, series: Series[]}} Panel
 */

/** Length of an error bar to each side, in standard errors. */
export const BARS = 3;

/** @param {any} figure @param {string} quantity */
const nameOf = (figure, quantity) => figure.names[quantity];

/**
 * The panels. `plan`: the rows that there will be, so that places and colours stay as they are
 * while the rows come in.
 *
 * @param {any} figure @param {Row[]} rows @param {Row[]} plan
 * @returns {{panels: Panel[], categories: any[] | null, labels: string[]}}
 */
export function panelsOf(figure, rows, plan) {
  const names = [...new Set(plan.map((row) => row[figure.x]))];
  const categories = names.some((name) => typeof name === "string") ? names : null;
  /** @type {string[]} */
  const labels = [];
  const keys = [...new Set(plan.map((row) => JSON.stringify(figure.series.map((name) => row[name]))))];
  const seriesOf = (quantities, own) => keys.flatMap((key, order) => quantities.map((quantity) => {
    const label = labelOf(figure, JSON.parse(key), quantity, quantities.length);
    if (!labels.includes(label)) labels.push(label);
    const shift = (order - (keys.length - 1) / 2) * figure.aside;
    const places = own
      .filter((row) => JSON.stringify(figure.series.map((name) => row[name])) === key && row[figure.x] !== undefined)
      .map((row) => placeOf(figure, row, quantity, (categories ? names.indexOf(row[figure.x]) : row[figure.x]) + shift))
      .filter((place) => [place.y, place.theory, place.low, place.high].some((each) => each !== null))
      .sort((a, b) => a.x - b.x);
    return { label, number: labels.indexOf(label), places };
  })).filter((series) => series.places.length > 0);
  const isLog = (quantity) => (Array.isArray(figure.log_y) ? figure.log_y.includes(quantity) : figure.log_y);
  let panels;
  if (figure.apart) {
    panels = figure.y.map((quantity) => ({
      title: nameOf(figure, quantity), yLabel: figure.y_label, log: isLog(quantity), series: seriesOf([quantity], rows),
    }));
  } else {
    const values = figure.panel ? [...new Set(plan.map((row) => row[figure.panel]))] : [null];
    panels = values.map((value) => ({
      title: value === null ? "" : typeof value === "string" ? figure.term(value) : `${figure.term(figure.panel)} = ${value}`,
      yLabel: figure.y_label, log: isLog(figure.y[0]),
      series: seriesOf(figure.y, value === null ? rows : rows.filter((row) => row[figure.panel] === value)),
    }));
  }
  return { panels, categories, labels };
}

/** @param {any} figure @param {any[]} key @param {string} quantity @param {number} quantities */
function labelOf(figure, key, quantity, quantities) {
  const parts = key.map((value, at) => (typeof value === "string" ? figure.term(value) : `${figure.term(figure.series[at])} = ${value}`));
  if (quantities > 1 || !parts.length) parts.push(nameOf(figure, quantity));
  return parts.join(", ");
}

/** @param {any} figure @param {Row} row @param {string} quantity @param {number} x @returns {Place} */
function placeOf(figure, row, quantity, x) {
  const theory = row[`${quantity}_theory`];
  const scaled = (value) => {
    if (typeof value !== "number") return null;
    if (!figure.relative) return value;
    return typeof theory === "number" && theory ? value / theory : null;
  };
  return {
    x, name: row[figure.x], y: scaled(row[quantity]), error: BARS * (scaled(row[`${quantity}_error`]) ?? 0),
    theory: scaled(theory), low: scaled(row[`${quantity}_low`]), high: scaled(row[`${quantity}_high`]), row,
  };
}

/** What the lines and marks of some rows stand for. @param {any} figure @param {Row[]} rows */
export function meaningOf(figure, rows) {
  const has = (ending) => rows.some((row) => figure.y.some((name) => typeof row[`${name}${ending}`] === "number"));
  return {
    theory: has("_theory"), bounds: has("_low") || has("_high"),
    errors: rows.some((row) => figure.y.some((name) => row[`${name}_error`] > 0)),
  };
}
