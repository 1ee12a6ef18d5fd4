/** The tool Sight: whether an eye sees a target, and what is between the two. */

import { field, make, numberInput, segmented } from "./elements.js";
import { shortest } from "./numbers.js";
import { pointOf } from "./question_points.js";
import { pointInScene } from "./table_frame.js";
import { filterFields } from "./tool_filter.js";
import { add, scale } from "./vector.js";

/** How high eyes are above what they stand on, until another height is typed, metres. */
const EYE = 1.7;
/** A point of a model is taken so far before its surface, which is rounded and would else hide it, metres. */
const CLEAR = 1e-3;
const AXES = ["x", "y", "z"];
const TARGET = ["target_x", "target_y", "target_z"];

let eyeAbove = EYE;
let targetAbove = 0;
let fromCamera = false;
/** What is seen, and looked through. @type {Row} */
let filter = {};
/** The eye, once it is set, as tables have it. @type {Point | null} */
let eye = null;

/** @param {App} app @returns {boolean} whether there was one */
function forget({ overlay }) {
  const was = eye !== null;
  eye = null;
  overlay.set("tool", []);
  return was;
}

/**
 * The point so far above what a pixel shows, as tables have it: of a terrain above its exact height.
 * @param {Row} hit @param {number} above @param {App} app
 * @returns {Promise<Point | null>}
 */
async function standing(hit, above, { asker, store }) {
  const place = pointOf(hit, AXES);
  const normal = pointOf(hit, ["nx", "ny", "nz"]);
  if (!place || !normal) return null;
  const object = store.state.scene?.objects.find(({ name }) => name === hit.object);
  if (object?.kind === "terrain") {
    const [x, , z] = place;
    const { answers } = await asker.quiet({ tool: "height", question: { x, z } });
    const { height, object: highest } = answers[0] ?? {};
    if (typeof height === "number" && highest === hit.object) return [x, above === 0 ? height : height + above, z];
  }
  const out = hit.side === "back" ? -CLEAR : CLEAR;
  return add(add(place, scale(normal, out)), [0, above, 0]);
}

/** @param {Point} from @param {Point} to @param {App} app */
async function ask(from, to, app) {
  forget(app);
  const rounded = app.store.state.scene?.origin ? (/** @type {number} */ value) => value : shortest;
  const row = Object.fromEntries([...AXES, ...TARGET].map((column, at) => [column, rounded([...from, ...to][at] ?? 0)]));
  await app.asker.ask({ tool: "sight", question: { ...row, ...filter }, options: app.store.state.options.sight });
}

/** @type {Tool} */
export const sightTool = {
  id: "sight",
  label: "Sight",
  hint: "Click where the eye stands, then what it looks at: is that seen, and what hides it?",
  escape: forget,

  mount(app, element) {
    const choices = ["ground", "camera"].map((value) => ({ value, label: value === "ground" ? "A point" : "Camera" }));
    const start = segmented({ label: "From", choices, value: "ground", onchange: (value) => {
      fromCamera = value === "camera";
      forget(app);
    } });
    const eyeInput = numberInput({ value: eyeAbove, onchange: (value) => {
      eyeAbove = value ?? EYE;
    } });
    const targetInput = numberInput({ value: targetAbove, onchange: (value) => {
      targetAbove = value ?? 0;
    } });
    const folded = make("details", {}, make("summary", {}, "Filter"), ...filterFields(app, (column, value) => {
      const { [column]: _, ...others } = filter;
      filter = value === null ? others : { ...others, [column]: value };
    }));
    const typed = make("form", { class: "typed-points", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      const [from, to] = ["Eye", "Target"].map((name, at) => readPoint(inputs[at], name, app));
      if (from && to) void ask(from, to, app);
    } });
    const inputs = ["Eye", "Target"].map((name) => make("input", { type: "text", class: "number", placeholder: "x, y, z", autocomplete: "off", spellcheck: "false", "aria-label": `${name}: x, y, z` }));
    typed.append(...inputs.map((input, at) => field(["Eye", "Target"][at] ?? "", input, "m")), make("button", { class: "button outlined" }, "Ask"));
    const points = make("details", {}, make("summary", {}, "Type the points"), typed);
    element.append(start.element, field("Eye above", eyeInput, "m"), field("Target above", targetInput, "m"), points, folded);
    app.store.watch(["tool", "scene"], () => void forget(app));
  },

  async tap({ frame, pixel }, app) {
    const { asker, announce, overlay, store } = app;
    const { question, answers } = await asker.quiet({ tool: "ray", frame, pixel });
    const hit = answers[0] ?? {};
    const from = fromCamera ? pointOf(question, ["ox", "oy", "oz"]) : eye;
    const place = await standing(hit, from ? targetAbove : eyeAbove, app);
    if (store.state.tool !== "sight") return;
    if (!place) announce(from ? "Nothing is there to look at" : "Nothing is there for the eye to stand on");
    else if (from) await ask(from, place, app);
    else {
      eye = place;
      const shown = pointInScene(place, store.state.scene?.origin);
      overlay.set("tool", [{ role: "handle", points: [shown], label: "Eye" }]);
      announce("The eye is set; next the target");
    }
  },
};

/** The point that is typed, marked and said where it is none. @param {HTMLInputElement | undefined} input @param {string} name @param {App} app */
export function readPoint(input, name, { announce }) {
  const point = parsePoint(input?.value ?? "");
  const wrong = point ? "" : `${name}: three numbers, such as 1.5, 2, -3`;
  input?.setAttribute("aria-invalid", String(point === null));
  if (input) input.title = wrong;
  if (!point) announce(wrong);
  return point;
}

/** Three numbers with commas or spaces between them. @param {string} text @returns {Point | null} */
export function parsePoint(text) {
  const numbers = text.trim().split(/\s*[,;]\s*|\s+/).map((part) => (part === "" ? NaN : Number(part)));
  return numbers.length === 3 && numbers.every((number) => Number.isFinite(Math.fround(number))) ? /** @type {Point} */ (numbers) : null;
}
