/** The tools Overlap, Closest point and Arc. */

import { button, field, make, numberInput, segmented } from "./elements.js";
import { optionFields } from "./tool_options.js";
import { DEFAULT_SHAPE, shapeFields, shapeRow } from "./tool_shape.js";
import { with3 } from "./question_points.js";
import { length, scale, sub, unit } from "./vector.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./app.js").Pick} Pick
 * @typedef {import("./messages.js").Row} Row
 */

let shape = DEFAULT_SHAPE;
let margin = 0;

/** @type {import("./app.js").Tool} */
export const overlapTool = {
  id: "overlap",
  label: "Overlap",
  hint: "Click where a shape is to stand, and see what it overlaps; or list all pairs that meet.",

  mount(app, element) {
    const pairs = (/** @type {string} */ label, /** @type {import("./messages.js").Options} */ options) =>
      button({ label, class: "outlined", onclick: () => void app.asker.ask({ tool: "overlap", question: {}, options, name: label }) });
    element.append(
      shapeFields(shape, (next) => {
        shape = next;
      }),
      field("Margin", numberInput({ label: "Margin", value: margin, min: 0, onchange: (value) => {
        margin = value ?? 0;
      } }), "m"),
      optionFields(app, "overlap", ["each"]),
      make("div", { class: "buttons" }, pairs("Pairs of boxes", {}), pairs("Pairs that meet", { exact: true })),
    );
  },

  async tap(pick, app) {
    const point = await app.control.hitAt(pick);
    if (!point) {
      app.announce("Nothing is there for the shape to stand on");
      return;
    }
    /** @type {Row} */
    const question = { ...shapeRow(shape, point), ...(margin > 0 ? { margin } : {}) };
    await app.asker.ask({ tool: "overlap", question, options: { ...app.store.state.options.overlap, shape: shape.kind } });
  },
};

/** @type {import("./app.js").Tool} */
export const closestTool = {
  id: "closest",
  label: "Closest point",
  hint: "Click half a metre behind the point to ask from; then drag the point.",

  mount(app, element) {
    element.append(
      optionFields(app, "closest", ["signed"]),
      make("p", { class: "note" }, "The point is half a metre before what is clicked. Drag it, or type it below."),
    );
  },

  async tap({ frame, pixel }, app) {
    await app.asker.ask({ tool: "closest", frame, pixel, options: app.store.state.options.closest });
  },
};

let speed = 20;
/** @type {"eye" | "ground"} */
let from = "eye";
/** @type {import("./messages.js").Point | null} */
let muzzle = null;

/** How far above the ground an arc starts that is thrown from there, metres. */
const SHOULDER = 1.5;

/** @type {import("./app.js").Tool} */
export const arcTool = {
  id: "arc",
  label: "Arc",
  hint: "Click in the direction of the throw; from the ground: first where it starts.",

  mount(app, element) {
    const start = segmented({
      label: "From",
      choices: [
        { value: "eye", label: "Eye" },
        { value: "ground", label: "Ground" },
      ],
      value: from,
      onchange: (value) => {
        from = value === "ground" ? "ground" : "eye";
        muzzle = null;
      },
    });
    element.append(
      start.element,
      field("Speed", numberInput({ label: "Speed", value: speed, min: 0, onchange: (value) => {
        speed = value ?? speed;
      } }), "m/s"),
      optionFields(app, "arc", ["hits", "sides"]),
    );
  },

  async tap(pick, app) {
    const thrown = from === "eye" ? await eyeRay(app, pick) : await groundRay(app, pick);
    if (!thrown) return;
    const heading = unit(thrown.direction);
    if (!heading || length(heading) === 0) return;
    const question = with3(with3({}, ["ox", "oy", "oz"], thrown.origin), ["vx", "vy", "vz"], scale(heading, speed));
    await app.asker.ask({ tool: "arc", question, options: app.store.state.options.arc });
  },
};

/** The ray of a pixel, as the program makes it. @param {App} app @param {Pick} pick */
async function eyeRay(app, { frame, pixel }) {
  const { question } = await app.asker.quiet({ tool: "ray", frame, pixel });
  const at = (/** @type {string} */ column) => Number(question[column] ?? 0);
  return {
    origin: /** @type {import("./messages.js").Point} */ ([at("ox"), at("oy"), at("oz")]),
    direction: /** @type {import("./messages.js").Point} */ ([at("dx"), at("dy"), at("dz")]),
  };
}

/** First where it starts, then what it is aimed at. @param {App} app @param {Pick} pick */
async function groundRay(app, pick) {
  const point = await app.control.hitAt(pick);
  if (!point) {
    app.announce("Nothing is there");
    return null;
  }
  if (!muzzle) {
    muzzle = [point[0], point[1] + SHOULDER, point[2]];
    app.overlay.set("tool", [{ role: "handle", points: [muzzle] }]);
    app.announce("The start is set; now the direction");
    return null;
  }
  const origin = muzzle;
  muzzle = null;
  app.overlay.set("tool", []);
  return { origin, direction: sub(point, origin) };
}
