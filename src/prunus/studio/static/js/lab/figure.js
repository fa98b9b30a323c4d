/** A figure of the laboratory as SVG: measurements as marks with error bars, theory as lines. */
import { html } from "../html.js";
import { language, say } from "../words/index.js";
import { meaningOf, panelsOf } from "./series.js";
import { scaleOf, tickText } from "./scale.js";

/** Colours of Okabe and Ito, which people with any colour vision can tell apart. */
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#8a8a8a"];
/** The sizes of a panel; on a phone it is narrower, so that its texts are as large as elsewhere. */
const [WIDE, NARROW, HIGH, SLANTED] = [560, 380, 380, 90];
const EDGE = { left: 70, right: 14, top: 30, bottom: 54 };
const widthNow = () => (innerWidth < 760 ? NARROW : WIDE);

/** @typedef {import("./series.js").Series} Series */
/** @typedef {import("./scale.js").Scale} Scale */

/** @param {{figure: any, rows: any[], plan: any[], title: string}} props */
export function Figure({ figure, rows, plan, title }) {
  const { panels, categories, labels } = panelsOf(figure, rows, plan);
  const named = categories ?? [];
  const values = plan.map((row) => row[figure.x]).filter((each) => typeof each === "number");
  const whole = values.every((each) => Number.isInteger(each));
  const beside = (figure.aside * (new Set(plan.map((row) => JSON.stringify(figure.series.map((name) => row[name])))).size - 1)) / 2;
  const ends = categories ? [-0.4, named.length - 0.6] : [Math.min(...values) - beside, Math.max(...values) + beside];
  const x = scaleOf(ends, figure.log_x && !categories, whole, 8);
  const heights = panels.map((panel) => heightsOf(panel.series));
  const together = figure.shared && !figure.apart ? heights.flat() : null;
  return html`
    <div class="figures" id="figure">
      ${panels.map((panel, at) => html`
        <${Panel} key=${panel.title} panel=${panel} x=${x} categories=${categories} title=${title}
          term=${figure.term} xLabel=${figure.x_label || figure.term(figure.x)} y=${scaleOf(together ?? heights[at], panel.log)} />`)}
    </div>
    <${Legend} labels=${labels} meaning=${meaningOf(figure, rows)} />`;
}

/** @param {Series[]} series */
function heightsOf(series) {
  return series.flatMap((each) => each.places.flatMap((place) => [
    place.y, place.theory, place.low, place.high,
    place.y === null ? null : place.y - place.error, place.y === null ? null : place.y + place.error,
  ])).filter((value) => value !== null).map(Number);
}

/** @param {{panel: import("./series.js").Panel, x: Scale, y: Scale, categories: any[] | null,
 *   term: (text: string) => string, xLabel: string, title: string}} props */
function Panel({ panel, x, y, categories, term, xLabel, title }) {
  const wide = widthNow();
  const top = panel.title ? EDGE.top : 12;
  const [width, height] = [wide - EDGE.left - EDGE.right, HIGH - top - EDGE.bottom];
  const across = (value) => EDGE.left + width * x.at(value);
  const up = (value) => top + height * (1 - y.at(value));
  const words = language();
  const inside = (place, value) => value !== null && (!y.log || value > 0) && (!x.log || place.x > 0);
  const many = (categories?.length ?? 0) > 6;
  const slant = many ? SLANTED : 0;
  const bottom = HIGH - EDGE.bottom;
  const count = panel.series.reduce((sum, each) => sum + each.places.length, 0);
  return html`
    <svg class="plot" viewBox="0 0 ${wide} ${HIGH + slant}" role="img"
      aria-label="${panel.title || title}: ${say("lab.figure.label", { count, series: panel.series.map((each) => each.label).join("; ") })}">
      <rect class="ground" width=${wide} height=${HIGH + slant} />
      ${y.ticks.map((tick) => html`<line class="grid" x1=${EDGE.left} x2=${wide - EDGE.right} y1=${up(tick)} y2=${up(tick)} />
        <text class="tick" x=${EDGE.left - 8} y=${up(tick) + 4} text-anchor="end">${tickText(tick, words)}</text>`)}
      ${categories ? categories.map((name, at) => html`
        <text class="tick" x=${across(at)} y=${bottom + 20} text-anchor=${many ? "end" : "middle"}
          transform=${many ? `rotate(-45 ${across(at)} ${bottom + 20})` : null}>${term(name)}</text>`)
    : x.ticks.map((tick) => html`<line class="grid" x1=${across(tick)} x2=${across(tick)} y1=${top} y2=${bottom} />
        <text class="tick" x=${across(tick)} y=${bottom + 20} text-anchor="middle">${tickText(tick, words)}</text>`)}
      <path class="axis" d="M${EDGE.left} ${top}V${bottom}H${wide - EDGE.right}" />
      ${panel.title && html`<text class="title" x=${EDGE.left + width / 2} y="18" text-anchor="middle">${panel.title}</text>`}
      <text class="says" x=${EDGE.left + width / 2} y=${HIGH - 12 + slant} text-anchor="middle">${xLabel}</text>
      ${panel.yLabel && html`<text class="says" x="16" y=${top + height / 2} text-anchor="middle"
        transform="rotate(-90 16 ${top + height / 2})">${panel.yLabel}</text>`}
      ${panel.series.map((series) => html`<${Drawn} series=${series} across=${across} up=${up} inside=${inside} words=${words} />`)}
    </svg>`;
}

/** The lines and marks of a series. @param {any} props */
function Drawn({ series, across, up, inside, words }) {
  const colour = COLOURS[series.number % COLOURS.length];
  const line = (name) => series.places.filter((place) => inside(place, place[name]))
    .map((place, at) => `${at ? "L" : "M"}${across(place.x).toFixed(1)} ${up(place[name]).toFixed(1)}`).join("");
  return html`
    ${["theory", "low", "high"].map((name) => line(name) && html`<path d=${line(name)} fill="none" stroke=${colour}
      stroke-width=${name === "theory" ? 1.8 : 1.5} stroke-dasharray=${name === "theory" ? null : "2 4"} />`)}
    ${series.places.filter((place) => inside(place, place.y)).map((place) => {
    const [cx, cy] = [across(place.x), up(place.y)];
    const ends = [place.y - place.error, place.y + place.error].filter((end) => inside(place, end)).map(up);
    return html`<g>
        <title>${series.label}; ${place.name}: ${tickText(place.y, words)}${place.theory === null ? "" : ` (${say("lab.theory")}: ${tickText(place.theory, words)})`}</title>
        ${place.error > 0 && ends.length === 2 && html`<path d="M${cx} ${ends[0]}V${ends[1]}M${cx - 4} ${ends[0]}h8M${cx - 4} ${ends[1]}h8"
          stroke=${colour} stroke-width="1.5" fill="none" />`}
        <${Mark} number=${series.number} x=${cx} y=${cy} />
      </g>`;
  })}`;
}

const SHAPES = [
  "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z", "M-4.500-4.500h9v9h-9z", "M0-5.800l5.600 10h-11.200z", "M0-6.200l5.600 6.200-5.600 6.200-5.600-6.200z",
  "M0 5.800l5.600-10h-11.200z", "M-1.800-5.500h3.600v3.700h3.700v3.600h-3.700v3.700h-3.600v-3.700h-3.700v-3.600h3.700z", "M-5.800 0l10-5.600v11.200z", "M5.800 0l-10-5.600v11.200z",
];

/** @param {{number: number, x: number, y: number}} props */
function Mark({ number, x, y }) {
  return html`<path class="mark-of" d=${SHAPES[number % SHAPES.length]} stroke=${COLOURS[number % COLOURS.length]}
    stroke-width="1.8" transform="translate(${x.toFixed(1)} ${y.toFixed(1)})" />`;
}

/** @param {{labels: string[], meaning: ReturnType<typeof meaningOf>}} props */
function Legend({ labels, meaning }) {
  const kinds = [["marks", true], ["lines", meaning.theory], ["dotted", meaning.bounds], ["bars", meaning.errors]];
  return html`
    <ul class="key-of" id="key" aria-label=${say("see.legend")}>
      ${labels.map((label, number) => html`<li>
        <svg width="34" height="16" viewBox="0 0 34 16" aria-hidden="true">
          ${(meaning.theory || meaning.bounds) && html`<path d="M0 8H34" stroke=${COLOURS[number % COLOURS.length]} stroke-width="1.8" />`}
          <${Mark} number=${number} x=${17} y=${8} /></svg>${label}</li>`)}
      <li class="soft">${kinds.filter(([, shown]) => shown).map(([name]) => say(`lab.key.${name}`)).join(" · ")}</li>
    </ul>`;
}

/** What classes of a figure look like in a file, which has no style sheet. */
const LOOKS = {
  ground: { fill: "#fff" }, grid: { stroke: "#ddd", "stroke-width": "1" }, axis: { stroke: "#555", fill: "none" },
  tick: { fill: "#555", "font-size": "13" }, says: { fill: "#222", "font-size": "14" }, title: { fill: "#222", "font-size": "15" },
  "mark-of": { fill: "#fff" },
};

/** The figure and its legend as the text of an SVG file. @param {Element} box what holds both
 * @param {string} title */
export function fileOf(box, title) {
  const plots = [...box.querySelectorAll("svg.plot")];
  const across = Math.min(2, plots.length);
  const wide = Number(plots[0].getAttribute("viewBox")?.split(" ")[2]);
  const height = Math.max(...plots.map((plot) => Number(plot.getAttribute("viewBox")?.split(" ")[3])));
  const down = Math.ceil(plots.length / across);
  const lines = [...box.querySelectorAll(".key-of li")];
  const space = "http://www.w3.org/2000/svg";
  const sheet = document.createElementNS(space, "svg");
  const [width, all] = [Math.max(WIDE, across * wide), 34 + down * height + lines.length * 22 + 16];
  const made = (name, attributes, text = "") => {
    const found = sheet.appendChild(document.createElementNS(space, name));
    for (const [key, value] of Object.entries(attributes)) found.setAttribute(key, String(value));
    found.textContent = text;
    return found;
  };
  for (const [key, value] of Object.entries({ xmlns: space, viewBox: `0 0 ${width} ${all}`, width, height: all, "font-family": "DejaVu Sans, sans-serif" })) {
    sheet.setAttribute(key, String(value));
  }
  made("rect", { width, height: all, fill: "#fff" });
  made("text", { x: width / 2, y: 24, "text-anchor": "middle", "font-size": 17, fill: "#222" }, title);
  plots.forEach((plot, at) => {
    const group = made("g", { transform: `translate(${(at % across) * wide} ${34 + Math.floor(at / across) * height})` });
    group.append(...[...plot.childNodes].map((each) => each.cloneNode(true)));
  });
  lines.forEach((each, at) => {
    const y = 34 + down * height + 8 + at * 22;
    const group = made("g", { transform: `translate(${EDGE.left} ${y - 8})` });
    group.append(...[...(each.querySelector("svg")?.childNodes ?? [])].map((part) => part.cloneNode(true)));
    made("text", { x: EDGE.left + 44, y: y + 5, "font-size": 14, fill: "#222" }, each.textContent ?? "");
  });
  for (const each of sheet.querySelectorAll("[class]")) {
    const look = LOOKS[each.getAttribute("class") ?? ""] ?? {};
    for (const [key, value] of Object.entries(look)) each.setAttribute(key, value);
    each.removeAttribute("class");
  }
  return new XMLSerializer().serializeToString(sheet);
}
