/** The tools Overlap, Closest point and Arc. */

import { button, field, make, numberInput, segmented } from "./elements.js";
import { pointOf, with3 } from "./question_points.js";
import { inScene, inTables } from "./table_frame.js";
import { optionFields } from "./tool_options.js";
import { DEFAULT_SHAPE, shapeFields, shapeRow } from "./tool_shape.js";
import { scale, sub, unit } from "./vector.js";

let shape = DEFAULT_SHAPE;
let margin = 0;

/** @type {Tool} */
export const overlapTool = {
  id: "overlap",
  label: "Overlap",
  hint: "Click where a shape is to stand, and see what it overlaps; or list all pairs that meet.",

  mount(app, element) {
    const pairs = (/** @type {string} */ name, /** @type {Options} */ options) =>
      button({ label: name, class: "outlined", onclick: () => void app.asker.ask({ tool: "overlap", question: {}, options, name }) });
    const fields = shapeFields(app, shape, (next) => {
      shape = next;
    });
    const input = numberInput({ value: margin, min: 0, onchange: (value) => {
      margin = value ?? 0;
    } });
    const buttons = make("div", { class: "buttons" }, pairs("Pairs of boxes", {}), pairs("Pairs that meet", { exact: true }));
    element.append(fields, field("Margin", input, "m"), optionFields(app, "overlap", ["each"]), buttons);
  },

  async tap(pick, { asker, announce, control, store }) {
    const [point, outline] = await Promise.all([control.hitAt(pick), shape.outline]);
    if (!point) {
      announce("Nothing is there for the shape to stand on");
      return;
    }
    const question = { ...shapeRow(shape, point, outline), ...(margin > 0 ? { margin } : {}) };
    await asker.ask({ tool: "overlap", question: inTables(question, store.state.scene?.origin), options: { ...store.state.options.overlap, shape: shape.kind } });
  },
};

let betweenObjects = false;
/** The first of two objects. */
let first = "";

/** Ends what is begun; whether anything was. @param {App} app */
function forgetFirst({ overlay }) {
  const was = first !== "";
  first = "";
  overlay.set("tool", []);
  return was;
}

/** How far two objects are apart, once both are picked. @param {import("./app.js").Pick} pick @param {App} app */
async function tapObject({ frame, pixel }, app) {
  const { asker, announce, overlay, store } = app;
  const { answers } = await asker.quiet({ tool: "ray", frame, pixel });
  const { object } = answers[0] ?? {};
  const place = pointOf(inScene(answers[0] ?? {}, store.state.scene?.origin), ["x", "y", "z"]);
  if (typeof object !== "string") announce("Nothing is there: pick an object");
  else if (first === "") {
    first = object;
    overlay.set("tool", place ? [{ role: "handle", points: [place], label: object }] : []);
    announce(`${object} is the first; next the other object`);
  } else if (first === object) announce(`That is ${object} too: pick another object`);
  else {
    const question = { object_a: first, object_b: object };
    forgetFirst(app);
    await asker.ask({ tool: "distance", question });
  }
}

/** @type {Tool} */
export const closestTool = {
  id: "closest",
  label: "Closest",
  hint: "Click: what is nearest to the point half a metre before what is hit? Then drag the point. Or how far two objects are apart.",
  escape: forgetFirst,

  mount(app, element) {
    const ofPoint = optionFields(app, "closest", ["signed"]);
    const choices = /** @type {const} */ ([["point", "A point"], ["objects", "Two objects"]]);
    const what = segmented({ label: "Of", choices: choices.map(([value, label]) => ({ value, label })), value: "point", onchange: (value) => {
      betweenObjects = value === "objects";
      ofPoint.hidden = betweenObjects;
      forgetFirst(app);
    } });
    app.store.watch(["tool", "scene"], () => void forgetFirst(app));
    element.append(what.element, ofPoint);
  },

  async tap(pick, app) {
    const { frame, pixel } = pick;
    if (betweenObjects) await tapObject(pick, app);
    else await app.asker.ask({ tool: "closest", frame, pixel, options: app.store.state.options.closest });
  },
};

/** How far above the ground an arc starts that is thrown from there, metres. */
const SHOULDER = 1.5;
let speed = 20;
let fromGround = false;
/** @type {Point | null} */
let muzzle = null;

/** @type {Tool} */
export const arcTool = {
  id: "arc",
  label: "Arc",
  hint: "Click in the direction of the throw; from the ground: first where it starts.",

  mount(app, element) {
    const choices = ["eye", "ground"].map((value) => ({ value, label: value === "eye" ? "Eye" : "Ground" }));
    const start = segmented({ label: "From", choices, value: "eye", onchange: (value) => {
      fromGround = value === "ground";
      muzzle = null;
    } });
    app.store.watch(["tool"], () => {
      muzzle = null;
    });
    const input = numberInput({ value: speed, min: 0, onchange: (value) => {
      speed = value ?? speed;
    } });
    element.append(start.element, field("Speed", input, "m/s"), optionFields(app, "arc", ["hits", "sides"]));
  },

  async tap({ frame, pixel }, { asker, announce, overlay, store }) {
    const { question, answers } = await asker.quiet({ tool: "ray", frame, pixel });
    const { origin: tables } = store.state.scene ?? {};
    const hit = pointOf(inScene(answers[0] ?? {}, tables), ["x", "y", "z"]);
    const eye = pointOf(inScene(question, tables), ["ox", "oy", "oz"]);
    if (fromGround && !muzzle) {
      muzzle = hit && [hit[0], hit[1] + SHOULDER, hit[2]];
      overlay.set("tool", muzzle ? [{ role: "handle", points: [muzzle] }] : []);
      announce(muzzle ? "The start is set; next the direction" : "Nothing is there to throw from");
      return;
    }
    const origin = muzzle ?? eye;
    const direction = muzzle ? hit && sub(hit, muzzle) : pointOf(question, ["dx", "dy", "dz"]);
    const heading = direction && unit(direction);
    muzzle = null;
    overlay.set("tool", []);
    if (!origin || !heading) return;
    const thrown = with3(with3({}, ["ox", "oy", "oz"], origin), ["vx", "vy", "vz"], scale(heading, speed));
    await asker.ask({ tool: "arc", question: inTables(thrown, tables), options: store.state.options.arc });
  },
};
