/** What the order of the children does to the pruning: the leaves that one algorithm visits in one
 * tree, whose children stand in several orders. */
import { html, useEffect, useState } from "../html.js";
import { search } from "../server.js";
import { count, say } from "../words/index.js";
import { reordered } from "./nested.js";

export const ORDERS = ["as", "best", "worst", "back"];

/** @param {{tree: any, algorithm: string, depth: number | null, chosen: string,
 *   choose: (order: string) => void}} props */
export function Orders({ tree, algorithm, depth, chosen, choose }) {
  const [open, setOpen] = useState(false);
  const [rows, setRows] = useState(/** @type {[string, any][]} */ ([]));
  const [failure, setFailure] = useState("");
  const sign = JSON.stringify([tree, algorithm, depth]);
  useEffect(() => {
    setRows([]);
    setFailure("");
    if (!open) return undefined;
    let running = /** @type {any} */ (null);
    let gone = false;
    const run = async () => {
      for (const order of ORDERS) {
        running = search({ do: "watch", tree: reordered(tree, order), algorithm, depth });
        const found = await running.done;
        if (gone || found.event === "stopped") return;
        setRows((old) => [...old, [order, found]]);
      }
    };
    run().catch((error) => { if (!gone) setFailure(error.message); });
    return () => { gone = true; running?.stop(); };
  }, [open, sign]);
  const most = Math.max(1, ...rows.map(([, found]) => found.leaves));
  const few = rows[0]?.[1].fewest ?? null;
  return html`
    <details class="panel orders" id="orders" open=${open} onToggle=${(event) => setOpen(event.target.open)}>
      <summary>${say("orders.title")}</summary>
      ${failure ? html`<p class="soft">${failure}</p>` : html`
        <p class="soft small">${say("orders.how", { algorithm })}</p>
        <dl class="counter">
          ${rows.map(([order, found]) => html`
            <dt><button class="link" aria-current=${order === chosen ? "true" : null} onClick=${() => choose(order)}>${say(`see.order.${order}`)}</button></dt>
            <dd data-order=${order}>${count(found.leaves)}</dd>
            <dd><span class="meter"><span class="own" style=${{ width: `${(100 * found.leaves) / most}%` }} /></span></dd>`)}
          ${few !== null && html`<dt>${say("see.fewest")}</dt><dd>${count(few)}</dd>
            <dd><span class="meter"><span class="least" style=${{ width: `${(100 * few) / most}%` }} /></span></dd>`}
        </dl>`}
    </details>`;
}
