/** The few kinds of Markdown in what experiments say: code, raised and lowered text, links. */
import { html } from "../html.js";

const PARTS = /`([^`]+)`|<sup>(.*?)<\/sup>|<sub>(.*?)<\/sub>|\[([^\]]+)\]\([^)]*\)|\\([*_])/g;

/** @param {{text: string, words: string}} props `words`: its language */
export function Prose({ text, words }) {
  const found = [];
  let from = 0;
  for (const match of text.matchAll(PARTS)) {
    found.push(text.slice(from, match.index));
    const [all, code, raised, lowered, link, plain] = match;
    if (code !== undefined) found.push(html`<code>${code}</code>`);
    else if (raised !== undefined) found.push(html`<sup>${raised}</sup>`);
    else if (lowered !== undefined) found.push(html`<sub>${lowered}</sub>`);
    else found.push(link ?? plain);
    from = (match.index ?? 0) + all.length;
  }
  found.push(text.slice(from));
  return html`<p lang=${words}>${found}</p>`;
}
