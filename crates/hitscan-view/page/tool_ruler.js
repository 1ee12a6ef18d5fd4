/** The tool Ruler: distances, rise, slope and bearing between points that are clicked or typed. */

import { button, facts, field, fill, make } from "./elements.js";
import { metres, numberText } from "./numbers.js";
import { note } from "./panel_parts.js";
import { pointOf } from "./question_points.js";
import { legRows, legsOf, rulerText, wholeOf } from "./ruler.js";
import { pointInScene } from "./table_frame.js";
import { readPoint } from "./tool_sight.js";

/** The points, as tables have them. @type {Point[]} */
let points = [];
/** Whether the next point begins a new line. */
let ended = false;
let redraw = () => {};

/** @param {App} app @param {Point} point */
function put({ announce, store }, point) {
  if (ended) points = [];
  ended = false;
  points = [...points, point];
  // The panel is about the line, not the last shot.
  store.set({ current: null, tab: "answer" });
  redraw();
  const whole = wholeOf(points);
  announce(whole ? `${metres(whole.straight)} straight, ${metres(whole.path)} along the points` : "The first point is set; next the second");
}

/** @type {Tool} */
export const rulerTool = {
  id: "ruler",
  label: "Ruler",
  hint: "Click two points or more: how far, how high and how steep it is between them. Esc ends the line.",

  escape({ announce }) {
    if (points.length === 0) return false;
    if (ended || points.length < 2) points = [];
    ended = points.length > 0;
    redraw();
    announce(ended ? "The line is ended; the next point begins another" : "The line is cleared");
    return true;
  },

  mount(app, element) {
    const { overlay, store } = app;
    const list = make("ol", { class: "ruler-points" });
    const read = make("div", { class: "ruler-read" });
    const input = make("input", { type: "text", class: "number", placeholder: "x, y, z", autocomplete: "off", spellcheck: "false", "aria-label": "Next point: x, y, z" });
    const form = make("form", { onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      const point = readPoint(input, "Next point", app);
      if (!point) return;
      input.value = "";
      put(app, point);
    } }, field("Next point", input, "m"));
    const clear = button({ label: "Clear", class: "outlined", onclick: () => change([]) });
    const back = button({ label: "Without the last", class: "outlined", onclick: () => change(points.slice(0, -1)) });
    const copied = make("textarea", { class: "copied code", readonly: true, rows: "4", "aria-label": "Copied lengths", hidden: true });
    const copy = button({ label: "Copy as a table", class: "outlined", onclick: async () => {
      copied.value = rulerText(points);
      copied.hidden = false;
      try {
        await navigator.clipboard.writeText(copied.value);
        app.announce("The lengths are copied");
      } catch {
        copied.select();
        app.announce("The lengths are selected: copy them with Ctrl+C");
      }
    } });
    element.classList.add("ruler");
    element.append(read, list, form, make("div", { class: "buttons" }, back, clear, copy), copied);

    /** @param {Point[]} next */
    function change(next) {
      points = next;
      ended = false;
      redraw();
    }

    redraw = () => {
      const whole = wholeOf(points);
      const legs = legsOf(points);
      fill(read, whole ? facts([["path length", metres(whole.path)], ...legRows(whole)]) : note(points.length === 0 ? "No point is set yet." : "The first point is set."));
      fill(list, ...points.map((point, at) => {
        const leg = legs[at - 1];
        return make("li", {}, make("span", { class: "number" }, point.map(numberText).join(", ")), leg ? make("span", { class: "note" }, legRows(leg).map(([name, value]) => `${name} ${value}`).join(", ")) : null);
      }));
      for (const one of [clear, back, copy]) one.disabled = points.length === 0;
      copied.hidden = true;
      const origin = store.state.scene?.origin;
      const scene = points.map((point) => pointInScene(point, origin));
      const lines = scene.slice(1).map((to, at) => ({ role: "ruler", points: [scene[at] ?? to, to], label: metres(legs[at]?.straight ?? 0) }));
      const dots = scene.slice(0, 1).map((point) => ({ role: "ruler", points: [point] }));
      overlay.set("ruler", store.state.tool === "ruler" ? [...dots, ...lines] : []);
    };
    /** @type {string | undefined} */
    let measured;
    store.watch(["tool", "scene"], ({ scene }) => {
      if (measured !== undefined && scene && scene.name !== measured) points = [];
      measured = scene?.name ?? measured;
      redraw();
    });
  },

  async tap({ frame, pixel }, app) {
    const { answers } = await app.asker.quiet({ tool: "ray", frame, pixel });
    if (app.store.state.tool !== "ruler") return;
    const hit = pointOf(answers[0] ?? {}, ["x", "y", "z"]);
    if (hit) put(app, hit);
    else app.announce("Nothing is there to measure from");
  },
};
