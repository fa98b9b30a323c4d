/** The files of an algorithm, and in them the line that runs. */
import { html, useEffect, useMemo, useRef, useState } from "../html.js";
import { say } from "../words/speech.js";

/** @typedef {{files: Record<string, string>, first: string}} Files the texts by their names, and the
 * name of the one with the algorithm's entrance */
/** @typedef {((algorithm: string) => Promise<Files>) | null} FilesOf */

/** @param {{trace: any, step: number, filesOf: (algorithm: string) => Promise<Files>}} props */
export function Source({ trace, step, filesOf }) {
  const [open, setOpen] = useState(() => matchMedia("(min-width: 761px)").matches);
  const [told, setTold] = useState(/** @type {any} */ (null));
  const box = useRef(/** @type {any} */ (null));
  useEffect(() => {
    let gone = false;
    if (open) {
      filesOf(trace.algorithm).then((found) => { if (!gone) setTold(found); },
        (error) => { if (!gone) setTold({ files: { "": error.message }, first: "" }); });
    }
    return () => { gone = true; };
  }, [trace.algorithm, open]);
  const [file, number] = (step > 0 && trace.events[step - 1]?.line) || [told?.first ?? "", 0];
  const text = told?.files[file] ?? "";
  const numbers = useMemo(() => text.split("\n").map((_, at) => at + 1).join("\n"), [text]);
  useEffect(() => {
    const mark = box.current?.querySelector(".running");
    if (!mark) return;
    const { clientHeight, scrollTop } = box.current;
    const top = mark.offsetTop;
    if (top < scrollTop + 24 || top > scrollTop + clientHeight - 48) box.current.scrollTop = top - clientHeight / 3;
  }, [number, text, open]);
  const label = number ? say("see.running", { file, number }) : file;
  return html`
    <details class="code-of" open=${open} onToggle=${(event) => setOpen(event.target.open)}>
      <summary>${say("see.code")}: <code>${file || trace.algorithm}</code>
        ${number > 0 && html`<span class="soft"> ${say("see.line", { number })}</span>`}</summary>
      ${open && html`<div class="source" ref=${box} tabindex="0" role="group" aria-label=${label}>
        <div class="sheet">
          ${number > 0 && html`<div class="running" data-line=${number} style=${{ top: `${(number - 1) * 1.45}em` }} />`}
          <pre class="numbers" aria-hidden="true">${numbers}</pre><pre>${text || say("loading")}</pre>
        </div></div>`}
    </details>`;
}
