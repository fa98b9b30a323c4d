/** A small chart: one curve over the depths, or two. The library loads when the first chart is drawn. */
import { html, useEffect, useRef } from "./html.js";

/** The numbers at an axis, short, but no shorter than tells them apart. @param {(number | null)[]} ticks */
function texts(ticks) {
  const known = ticks.filter((tick) => tick !== null);
  const written = (most) => ticks.map((tick) => (tick === null ? ""
    : tick.toLocaleString("en", { notation: "compact", maximumFractionDigits: most })));
  for (let digits = 1; digits < 6; digits += 1) {
    if (new Set(written(digits)).size >= new Set(known).size) return written(digits);
  }
  return written(6);
}

/** Steps between whole numbers on an axis. */
const STEPS = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((each) => each * 10 ** power)).flat();

/** @type {Promise<any> | null} */
let loading = null;

/** @returns {Promise<any>} */
function library() {
  loading ??= new Promise((resolve, reject) => {
    const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/static/vendor/uplot.css" });
    const script = Object.assign(document.createElement("script"), { src: "/static/vendor/uplot.js" });
    script.onload = () => resolve(/** @type {any} */ (window).uPlot);
    script.onerror = reject;
    document.head.append(style, script);
  });
  return loading;
}

/** `second`: another curve over the same depths. @param {{title: string, x: number[],
 *   y: (number | null)[], second?: (number | null)[] | null, log?: boolean}} props */
export function Chart({ title, x, y, second = null, log = false }) {
  const all = second ? [x, y, second] : [x, y];
  const box = useRef(/** @type {any} */ (null));
  const chart = useRef(/** @type {any} */ (null));
  // The library may come after the last depth, and then draws what is known by then.
  const latest = useRef(all);
  latest.current = all;
  useEffect(() => {
    let gone = false;
    library().then((UPlot) => {
      if (gone || !box.current) return;
      const style = getComputedStyle(document.documentElement);
      const ink = style.getPropertyValue("--soft");
      const grid = { stroke: style.getPropertyValue("--line"), width: 1 };
      const axis = { stroke: ink, grid, ticks: grid, size: 44 };
      chart.current = new UPlot({
        title, width: box.current.clientWidth, height: 200, legend: { show: false },
        // A value that stays the same lies in the middle.
        scales: { x: { time: false }, y: log ? { distr: 3 } : { range: (_, low, high) => (low === high ? [low - 1, high + 1] : UPlot.rangeNum(low, high, 0.1, true)) } },
        axes: [
          { ...axis, size: 32, incrs: [1, 2, 5, 10, 20] },
          { ...axis, size: 58, ...(log ? {} : { incrs: STEPS }), values: (_, ticks) => texts(ticks) },
        ],
        series: [{}, ...["--accent", "--min-line"].slice(0, all.length - 1).map((colour, at) => ({
          stroke: style.getPropertyValue(colour), width: 2, points: { show: true, size: 6 }, spanGaps: true, dash: at ? [6, 4] : [],
        }))],
      }, latest.current, box.current);
    });
    const resized = () => chart.current?.setSize({ width: box.current.clientWidth, height: 200 });
    addEventListener("resize", resized);
    return () => {
      gone = true;
      removeEventListener("resize", resized);
      chart.current?.destroy();
      chart.current = null;
    };
  }, [title, all.length]);
  useEffect(() => { chart.current?.setData(all); }, [x, y, second]);
  return html`<div class="chart" ref=${box} role="img" aria-label="${title}: ${x.map((depth, at) => `${depth}: ${all.slice(1).map((each) => each[at] ?? "–").join(" / ")}`).join(", ")}" />`;
}
