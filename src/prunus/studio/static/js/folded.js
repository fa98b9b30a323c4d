/** What a phone shows only when asked. */
import { html, useState } from "./html.js";

/** Its children; on a phone, where they would push out of sight what is looked at, below a title
 * that opens them. @param {{title: string, class?: string, children?: any}} props */
export function Folded({ title, class: kind = "", children }) {
  const [narrow] = useState(() => matchMedia("(max-width: 760px)").matches);
  return narrow ? html`<details class="folded ${kind}"><summary>${title}</summary>${children}</details>` : children;
}
