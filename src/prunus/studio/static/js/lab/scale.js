/** Scales of a figure: where a number lies between the ends of an axis, and the ticks there. */

/** @typedef {{low: number, high: number, log: boolean, at: (value: number) => number, ticks: number[]}} Scale */

/**
 * A scale for some numbers; `at` gives the place from 0 to 1.
 * @param {number[]} values @param {boolean} log @param {boolean} [whole] only whole ticks
 * @param {number} [most] about so many ticks
 * @returns {Scale}
 */
export function scaleOf(values, log, whole = false, most = 6) {
  const known = values.filter((value) => Number.isFinite(value) && (!log || value > 0));
  let low = Math.min(...known);
  let high = Math.max(...known);
  if (!known.length) [low, high] = log ? [1, 10] : [0, 1];
  return log ? logarithmic(low, high, most) : linear(low, high, whole, most);
}

/** @param {number} low @param {number} high @param {boolean} whole @param {number} most @returns {Scale} */
function linear(low, high, whole, most) {
  const margin = high > low ? 0.04 * (high - low) : Math.max(0.5, Math.abs(low) * 0.1);
  const [from, to] = [low - margin, high + margin];
  const rough = (to - from) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  let step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? 10 * power;
  if (whole) step = Math.max(1, Math.round(step));
  const ticks = [];
  for (let at = Math.ceil(from / step); at * step <= to; at += 1) ticks.push(Number((at * step).toPrecision(12)));
  return { low: from, high: to, log: false, at: (value) => (value - from) / (to - from), ticks };
}

/** @param {number} low @param {number} high @param {number} most @returns {Scale} */
function logarithmic(low, high, most) {
  const margin = high > low ? (high / low) ** 0.04 : 1.5;
  const [from, to] = [low / margin, high * margin];
  const span = Math.log10(to / from);
  const within = [];
  const steps = span < 1.3 ? [1, 2, 3, 5] : span < 3 ? [1, 2, 5] : [1];
  const every = Math.max(1, Math.ceil(span / most));
  for (let decade = Math.floor(Math.log10(from)); decade <= Math.ceil(Math.log10(to)); decade += 1) {
    if (decade % every === 0) within.push(...steps.map((step) => Number((step * 10 ** decade).toPrecision(12))));
  }
  const ticks = within.filter((tick) => tick >= from && tick <= to);
  return {
    low: from, high: to, log: true, at: (value) => Math.log(value / from) / Math.log(to / from),
    ticks: ticks.length > 1 ? ticks : linear(from, to, false, 4).ticks,
  };
}

/** A number on an axis, in the page's language. @param {number} value @param {string} language */
export function tickText(value, language) {
  const size = Math.abs(value);
  if (size >= 1e15 || (size > 0 && size < 1e-4)) return value.toExponential().replace("e+", "e");
  return new Intl.NumberFormat(language, size >= 10_000 ? { notation: "compact", maximumFractionDigits: 1 } : { maximumSignificantDigits: 5 }).format(value);
}
