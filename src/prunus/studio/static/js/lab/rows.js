/** The rows of a table: the figure in numbers. */
import { html } from "../html.js";
import { language, say } from "../words/index.js";

/** @param {{rows: any[]}} props */
export function Rows({ rows }) {
  const all = [...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => row[name] !== null)))];
  const shown = all.filter((name) => name !== "samples" && !(name.endsWith("_error") && all.includes(name.slice(0, -6))));
  if (rows.some((row) => row.samples)) shown.push("samples");
  const number = new Intl.NumberFormat(language(), { maximumSignificantDigits: 7 });
  const small = new Intl.NumberFormat(language(), { maximumSignificantDigits: 1 });
  const cell = (row, name) => {
    const value = row[name];
    if (typeof value !== "number") return value ?? "";
    if (name === "year") return String(value);
    const text = Math.abs(value) >= 1e12 ? value.toExponential(4) : number.format(value);
    return row[`${name}_error`] > 0 ? `${text} ± ${small.format(row[`${name}_error`])}` : text;
  };
  const text = (name) => rows.every((row) => typeof row[name] === "string");
  return html`
    <details class="table-of"><summary>${say("lab.table", { count: rows.length })}</summary>
      <p class="soft small">${say("lab.columns")}</p>
      <div class="scroll" tabindex="0" role="region" aria-label=${say("lab.table", { count: rows.length })}><table id="rows">
        <thead><tr>${shown.map((name) => html`<th scope="col" class=${text(name) ? "" : "number-cell"}>${name.replaceAll("_", " ")}</th>`)}</tr></thead>
        <tbody>${rows.map((row) => html`<tr>${shown.map((name) => html`<td class=${text(name) ? "" : "number-cell"}>${cell(row, name)}</td>`)}</tr>`)}</tbody>
      </table></div>
    </details>`;
}
