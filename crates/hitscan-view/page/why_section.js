/** The section of a ray over terrain as a chart: ground, ray, blocks and cells, with the march beside it. */

import { button, fill, make, section } from "./elements.js";
import { metres, significant } from "./numbers.js";
import { areaPath, boxesPath, extentOf, focusOf, linePath, marksPath, scaleOf, ticks, xOf, yOf, zoomed } from "./section_scale.js";
import { groundSentence, marchSentence, verdictWord } from "./why_text.js";

const HEIGHT = 220;

/** The height of a line of text, pixels. */
const LINE = 14;

/** What the legend says: class, path of the swatch, text. */
const LEGEND = /** @type {const} */ ([
  ["ground-line", "M1 6h18", "ground"],
  ["ray-line", "M1 6h18", "ray"],
  ["block", "M1 1h18v10h-18z", "blocks, lowest to highest"],
  ["cells", "M1 1h18v10h-18z", "cells tested"],
  ["march-line", "M1 6h18", "classic march"],
]);

export function sectionChart() {
  /** @type {Section | undefined} */
  let shown;
  /** @type {[number, number]} */
  let along = [0, 1];
  const chart = svg("svg", { class: "section-chart", role: "img", tabindex: "0", height: HEIGHT });
  const host = make("div", { class: "chart-host" }, chart);
  const caption = make("p", { class: "note" });
  const march = make("p", { class: "march" });
  const legend = make("ul", { class: "chart-legend" });

  /** Shows a part of the length: nearer or farther, from place to place. @param {(now: [number, number], whole: [number, number]) => [number, number]} next */
  function go(next) {
    if (!shown) return;
    along = next(along, extentOf(shown));
    draw();
  }
  const zoom = (/** @type {number} */ factor, /** @type {number} */ center = focus()) => go((now, whole) => zoomed(now, factor, center, whole));
  const pan = (/** @type {number} */ part) =>
    go(([s0, s1], whole) => zoomed([s0 + part * (s1 - s0), s1 + part * (s1 - s0)], 1, s0, whole));
  const all = () => go((_, whole) => whole);
  const ownPart = () => go((now) => (shown ? focusOf(shown) : now));

  /** Where zooming goes to: the ray's end, else the middle. */
  function focus() {
    const end = shown?.ray.at(-1)?.[0] ?? NaN;
    return end >= along[0] && end <= along[1] ? end : (along[0] + along[1]) / 2;
  }

  const keys = /** @type {Record<string, () => void>} */ ({
    "+": () => zoom(0.6),
    "-": () => zoom(1.6),
    ArrowLeft: () => pan(-0.2),
    ArrowRight: () => pan(0.2),
    Home: all,
  });
  chart.addEventListener("keydown", (event) => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey) return;
    keys[event.key]?.();
    event.preventDefault();
  });
  chart.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = chart.getBoundingClientRect();
    zoom(event.deltaY < 0 ? 0.8 : 1.25, along[0] + ((event.clientX - box.left) / box.width) * (along[1] - along[0]));
  }, { passive: false });
  new ResizeObserver(draw).observe(host);

  function draw() {
    const width = host.clientWidth;
    if (!shown || width === 0) return;
    const scale = scaleOf(shown, along, { width, height: HEIGHT });
    const { blocks = [], cells = [], object, march: classic } = shown;
    const counts = classic ? `; ${blocks.length} blocks looked at, ${cells.length} cells tested` : "";
    caption.textContent = `${metres(along[1] - along[0])} along, ${metres(scale.high - scale.low)} up, heights drawn ${significant(scale.exaggeration)} times${counts}.`;
    chart.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    chart.setAttribute("width", String(width));
    chart.setAttribute("aria-label", `Section over ${object}: ${caption.textContent}`);
    chart.replaceChildren(...parts(shown, scale));
  }

  const zooms = /** @type {[string, () => void][]} */ ([["Nearer", () => zoom(0.4)], ["Farther", () => zoom(2.5)], ["The shot", ownPart], ["All of it", all]]);
  const buttons = zooms.map(([label, onclick]) => button({ label, class: "outlined", onclick }));
  return {
    element: section("Section along the ray", legend, host, caption, march, make("div", { class: "buttons" }, ...buttons)),
    /** @param {Section} cut */
    show(cut) {
      shown = cut;
      along = focusOf(cut);
      const has = /** @type {Record<string, unknown>} */ ({ block: cut.blocks?.length, cells: cut.cells?.length, "march-line": cut.march });
      const items = LEGEND.filter(([name]) => !(name in has) || has[name]);
      fill(legend, ...items.map(([name, d, text]) => {
        const swatch = svg("svg", { class: "swatch", width: 20, height: 12, "aria-hidden": "true" });
        swatch.append(path(name, d));
        return make("li", {}, swatch, text);
      }));
      march.textContent = cut.march ? marchSentence(cut) : groundSentence(cut);
      march.classList.toggle("march", cut.march !== undefined);
      queueMicrotask(draw);
    },
  };
}

/** @param {Section} cut @param {Scale} scale */
function parts({ ray, ground, blocks = [], cells = [], march }, scale) {
  const verdicts = [...new Set(blocks.map(([, , , , , verdict]) => verdict))];
  const blockPaths = verdicts.map((verdict) => {
    const boxes = blocks.filter((block) => block[5] === verdict).map(([s0, s1, low, high]) => /** @type {const} */ ([s0, s1, low, high]));
    return path(`block block-${verdict}`, boxesPath(scale, boxes), verdictWord(verdict));
  });
  const columns = cells.map(([s0, s1]) => /** @type {const} */ ([s0, s1, scale.low, scale.high]));
  const end = ray.at(-1);
  return [
    path("ground-area", areaPath(scale, ground)),
    ...(columns.length > 0 ? [path("cells", boxesPath(scale, columns), "cells tested")] : []),
    ...blockPaths,
    path("ground-line", linePath(scale, ground)),
    ...grid(scale),
    path("ray-casing", linePath(scale, ray)),
    march && path("march-line", linePath(scale, march.samples)),
    path("ray-line", linePath(scale, ray)),
    march && path("march-marks", marksPath(scale, spaced(march.samples, scale), 5)),
    march && path("march-bisections", marksPath(scale, march.bisections, 3)),
    end && svg("circle", { class: "ray-end", cx: xOf(scale, end[0]), cy: yOf(scale, end[1]), r: 4 }),
  ].filter((part) => part !== undefined);
}

/** The samples, where they are far enough apart to be distinguished. @param {[number, number][]} samples @param {Scale} scale */
function spaced(samples, scale) {
  const [first, second] = samples;
  return first && second && Math.abs(xOf(scale, second[0]) - xOf(scale, first[0])) < 9 ? [] : samples;
}

/** @param {Scale} scale */
function grid(scale) {
  const up = ticks(scale.low, scale.high, 4);
  const label = (/** @type {number} */ value, /** @type {object} */ attributes) => {
    const one = svg("text", { class: "tick", ...attributes });
    one.textContent = `${value} m`;
    return one;
  };
  return [
    path("grid", up.map((y) => `M0 ${yOf(scale, y).toFixed(1)}H${scale.width}`).join("")),
    // The lowest line is the distances'.
    ...up.filter((y) => yOf(scale, y) < scale.height - 2 * LINE).map((y) => {
      const at = yOf(scale, y);
      return label(y, { x: 4, y: at < LINE ? at + LINE - 3 : at - 3 });
    }),
    ...ticks(scale.s0, scale.s1, Math.max(scale.width / 80, 2)).map((s) => {
      const x = xOf(scale, s);
      return label(s, { x, y: scale.height - 4, "text-anchor": x > scale.width - 30 ? "end" : x < 30 ? "start" : "middle" });
    }),
  ];
}

/** @param {string} name @param {string} d @param {string} [title] */
function path(name, d, title) {
  const one = svg("path", { class: name, d });
  if (title) one.appendChild(svg("title", {})).textContent = title;
  return one;
}

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag @param {object} attributes
 */
function svg(tag, attributes) {
  const one = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, String(value));
  return one;
}
