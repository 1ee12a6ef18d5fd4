/** The section of a ray over terrain: ground, ray, blocks and cells, with the march beside it, as a chart. */

import { button, fill, make, section } from "./elements.js";
import { significant } from "./numbers.js";
import { areaPath, boxesPath, extentOf, linePath, marksPath, scaleOf, ticks, xOf, yOf, zoomed } from "./section_scale.js";
import { metres, verdictWord } from "./why_text.js";

/**
 * @typedef {import("./messages.js").Section} Section
 * @typedef {import("./section_scale.js").Scale} Scale
 */

const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 220;

export function sectionChart() {
  /** @type {Section | undefined} */
  let shown;
  /** @type {[number, number]} */
  let along = [0, 1];
  const svg = element("svg", { class: "section-chart", role: "img", tabindex: "0", height: HEIGHT });
  const caption = make("p", { class: "note" });
  const march = make("p", { class: "march" });
  const legend = make("ul", { class: "chart-legend" });
  const zoom = (/** @type {number} */ factor) => {
    if (!shown) return;
    along = zoomed(along, factor, focusOf(shown, along), extentOf(shown));
    draw();
  };
  const pan = (/** @type {number} */ part) => {
    if (!shown) return;
    const whole = extentOf(shown);
    const length = along[1] - along[0];
    const start = Math.min(Math.max(along[0] + part * length, whole[0]), whole[1] - length);
    along = [start, start + length];
    draw();
  };
  const all = () => {
    if (!shown) return;
    along = extentOf(shown);
    draw();
  };
  const buttons = make(
    "div",
    { class: "buttons" },
    button({ label: "Nearer", class: "outlined", onclick: () => zoom(0.4) }),
    button({ label: "Farther", class: "outlined", onclick: () => zoom(2.5) }),
    button({ label: "All of it", class: "outlined", onclick: all }),
  );
  const keys = /** @type {Record<string, () => void>} */ ({
    "+": () => zoom(0.6),
    "=": () => zoom(0.6),
    "-": () => zoom(1.6),
    ArrowLeft: () => pan(-0.2),
    ArrowRight: () => pan(0.2),
    Home: all,
  });
  svg.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey) return;
    act();
    event.preventDefault();
    event.stopPropagation();
  });
  svg.addEventListener(
    "wheel",
    (event) => {
      if (!shown || event.ctrlKey) return;
      event.preventDefault();
      const box = svg.getBoundingClientRect();
      const center = along[0] + ((event.clientX - box.left) / box.width) * (along[1] - along[0]);
      along = zoomed(along, event.deltaY < 0 ? 0.8 : 1.25, center, extentOf(shown));
      draw();
    },
    { passive: false },
  );
  const host = make("div", { class: "chart-host" }, svg);
  new ResizeObserver(draw).observe(host);

  function draw() {
    const width = host.clientWidth;
    if (!shown || width === 0) return;
    const scale = scaleOf(shown, along, { width, height: HEIGHT });
    svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    svg.setAttribute("width", String(width));
    svg.setAttribute("aria-label", `Section over ${shown.object}: ${summary(shown, scale)}`);
    svg.replaceChildren(...parts(shown, scale));
    caption.textContent = `${summary(shown, scale)} Heights are drawn ${significant(scale.exaggeration)} times.`;
  }

  return {
    element: section("Section along the ray", legend, host, caption, march, buttons),
    /** @param {Section} cut */
    show(cut) {
      shown = cut;
      along = extentOf(cut);
      fill(legend, ...legendOf(cut));
      march.textContent = marchSentence(cut);
      march.hidden = march.textContent === "";
      queueMicrotask(draw);
    },
  };
}

/**
 * Where zooming goes to: the march's hit, the ray's end, or the middle.
 * @param {Section} cut
 * @param {readonly [number, number]} along
 */
function focusOf(cut, [s0, s1]) {
  const end = cut.ray.at(-1)?.[0];
  const places = [end, cut.march?.hit?.[0]].filter((s) => s !== undefined && s >= s0 && s <= s1);
  return places[0] ?? (s0 + s1) / 2;
}

/** @param {Section} cut @param {Scale} scale */
function summary(cut, { s0, s1, low, high }) {
  const blocks = cut.blocks?.length ?? 0;
  const cells = cut.cells?.length ?? 0;
  return `${metres(s1 - s0)} along, ${metres(high - low)} up; ${blocks} blocks looked at, ${cells} cells tested.`;
}

/** @param {Section} cut */
export function marchSentence({ march, ray }) {
  if (!march) return "";
  const over = march.stepped_over;
  if (over !== undefined && over > 0) {
    const then = march.hit ? `, and ends ${metres(Math.abs(march.hit[0] - (ray.at(-1)?.[0] ?? 0)))} from the exact hit` : ", and finds nothing";
    return `The classic march steps over a ridge that reaches ${metres(over)} above the ray${then}.`;
  }
  if (march.hit) return `The classic march finds the ground as well, in ${march.samples.length} samples and ${march.bisections.length} bisections.`;
  return `The classic march finds nothing in ${march.samples.length} samples.`;
}

/** @param {Section} cut @param {Scale} scale */
function parts(cut, scale) {
  const blocks = [...(cut.blocks ?? [])].sort((a, b) => b[4] - a[4]);
  const groups = new Map();
  for (const [s0, s1, low, high, , verdict] of blocks) {
    const group = groups.get(verdict) ?? [];
    group.push([s0, s1, low, high]);
    groups.set(verdict, group);
  }
  const blockPaths = [...groups].map(([verdict, boxes]) => path(`block block-${verdict}`, boxesPath(scale, boxes), verdictWord(verdict)));
  const cells = (cut.cells ?? []).map(([s0, s1]) => /** @type {[number, number, number, number]} */ ([s0, s1, scale.low, scale.high]));
  const { march } = cut;
  const end = cut.ray.at(-1);
  return [
    path("ground-area", areaPath(scale, cut.ground)),
    path("cells", boxesPath(scale, cells), "cells tested"),
    ...blockPaths,
    path("ground-line", linePath(scale, cut.ground)),
    ...grid(scale),
    path("ray-casing", linePath(scale, cut.ray)),
    ...(march ? [path("march-line", linePath(scale, march.samples))] : []),
    path("ray-line", linePath(scale, cut.ray)),
    ...(march
      ? [
          path("march-marks", marksPath(scale, march.samples, march.samples.length > 400 ? 2 : 4)),
          path("march-bisections", marksPath(scale, march.bisections, 3)),
        ]
      : []),
    ...(end ? [element("circle", { class: "ray-end", cx: xOf(scale, end[0]), cy: yOf(scale, end[1]), r: 4 })] : []),
  ];
}

/** @param {Scale} scale */
function grid(scale) {
  const along = ticks(scale.s0, scale.s1, Math.max(scale.width / 80, 2));
  const up = ticks(scale.low, scale.high, 4);
  const lines = up.map((y) => `M0 ${yOf(scale, y).toFixed(1)}H${scale.width}`).join("");
  const label = (/** @type {string} */ text, /** @type {object} */ attributes) => {
    const one = element("text", { class: "tick", ...attributes });
    one.textContent = text;
    return one;
  };
  return [
    path("grid", lines),
    ...up.map((y) => label(`${y} m`, { x: 4, y: yOf(scale, y) - 3 })),
    ...along.map((s) => {
      const x = xOf(scale, s);
      const anchor = x > scale.width - 30 ? "end" : x < 30 ? "start" : "middle";
      return label(`${s} m`, { x, y: scale.height - 4, "text-anchor": anchor });
    }),
  ];
}

/** @param {Section} cut */
function legendOf({ blocks, cells, march }) {
  const items = [
    ["ground-line", "ground"],
    ["ray-line", "ray"],
    ...(blocks?.length ? [["block", "blocks, lowest to highest"]] : []),
    ...(cells?.length ? [["cells", "cells tested"]] : []),
    ...(march ? [["march-line", "classic march"]] : []),
  ];
  return items.map(([name, text]) => {
    const swatch = element("svg", { class: "swatch", width: 20, height: 12, "aria-hidden": "true" });
    const isBox = name === "block" || name === "cells";
    swatch.append(path(`${name}`, isBox ? "M1 1h18v10h-18z" : "M1 6h18"));
    return make("li", {}, swatch, text ?? "");
  });
}

/** @param {string} name @param {string} d @param {string} [title] */
function path(name, d, title) {
  const one = element("path", { class: name, d });
  if (title) {
    const text = document.createElementNS(SVG, "title");
    text.textContent = title;
    one.append(text);
  }
  return one;
}

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {object} attributes
 * @returns {SVGElementTagNameMap[T]}
 */
function element(tag, attributes) {
  const one = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, String(value));
  return one;
}
