/** The tree view without the studio: on a page of its own, and in a notebook. */
import { html, render, useEffect, useState } from "../html.js";
import { language, say, speak, teach } from "../words/speech.js";
import { tree as words } from "../words/tree.js";
import { Stepper } from "./stepper.js";

teach(words);

/** @typedef {{trace: any, title: string, files: Record<string, string>, first: string}} Shown a trace
 * as data, and the files of its algorithm (none: no source is shown) */

/** @param {{data: Shown, traces: any[], first: number, everywhere: boolean,
 *   moved: (step: number) => void}} props */
function Alone({ data, traces, first, everywhere, moved }) {
  const [now, choose] = useState(language());
  useEffect(() => {
    if (everywhere) document.documentElement.lang = now;
  }, [now]);
  const other = () => { const next = now === "en" ? "it" : "en"; speak(next); choose(next); };
  const filesOf = data.first ? () => Promise.resolve({ files: data.files, first: data.first }) : null;
  return html`
    <div class="alone-head"><h1>${data.title}</h1>
      <button class="quiet" id="language" lang=${now === "en" ? "it" : "en"} onClick=${other}>${say("see.otherlanguage")}</button></div>
    <${Stepper} traces=${traces} first=${first} everywhere=${everywhere} moved=${moved} filesOf=${filesOf} />`;
}

/** Show a trace in an element; the answer shows another step. @param {Element} into
 * @param {Shown} data @param {number} first @param {boolean} everywhere
 * @param {(step: number) => void} [moved] called with each step that is shown */
export function show(into, data, first, everywhere, moved = () => {}) {
  const go = (step) => render(html`<${Alone} data=${data} traces=${[data.trace]} first=${step} everywhere=${everywhere}
    moved=${moved} />`, into);
  go(first);
  return go;
}

/** A page of its own. The address may end with the number of an event. @param {Element} into
 * @param {Shown} data @param {number} first how many events are shown at first */
export function page(into, data, first) {
  const asked = () => (/^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : first);
  const go = show(into, data, asked(), true);
  addEventListener("hashchange", () => go(asked()));
}

/** A widget in a notebook, whose style does not reach beyond it: what anywidget calls with the model
 * of the Python side and the element below the cell. @param {string} style */
export function widget(style) {
  /** @param {{model: any, el: HTMLElement}} given */
  const draw = ({ model, el }) => {
    const root = el.shadowRoot ?? el.attachShadow({ mode: "open" });
    const sheet = Object.assign(document.createElement("style"), { textContent: style });
    const box = Object.assign(document.createElement("div"), { className: "alone" });
    root.replaceChildren(sheet, box);
    const dress = () => {
      const light = document.body.dataset.jpThemeLight; // what JupyterLab calls its theme
      if (light) el.dataset.theme = light === "true" ? "light" : "dark";
    };
    dress();
    const dresses = new MutationObserver(dress); // it can be changed at any time
    dresses.observe(document.body, { attributeFilter: ["data-jp-theme-light"] });
    let at = model.get("step");
    const go = show(box, model.get("data"), at, false, (step) => {
      if (step === at) return;
      at = step;
      model.set("step", step);
      model.save_changes();
    });
    const moved = () => {
      if (model.get("step") === at) return;
      at = model.get("step");
      go(at);
    };
    model.on("change:step", moved);
    return () => { dresses.disconnect(); model.off("change:step", moved); render(null, box); };
  };
  return { render: draw };
}
