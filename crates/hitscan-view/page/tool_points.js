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
    const fields = shapeFields(shape, (next) => {
      shape = next;
    });
    const input = numberInput({ value: margin, min: 0, onchange: (value) => {
      margin = value ?? 0;
    } });
    const buttons = make("div", { class: "buttons" }, pairs("Pairs of boxes", {}), pairs("Pairs that meet", { exact: true }));
    element.append(fields, field("Margin", input, "m"), optionFields(app, "overlap", ["each"]), buttons);
  },

  async tap(pick, { asker, announce, control, store }) {
    const point = await control.hitAt(pick);
    if (!point) {
      announce("Nothing is there for the shape to stand on");
      return;
    }
    const question = { ...shapeRow(shape, point), ...(margin > 0 ? { margin } : {}) };
    await asker.ask({ tool: "overlap", question: inTables(question, store.state.scene?.origin), options: { ...store.state.options.overlap, shape: shape.kind } });
  },
};

/** @type {Tool} */
export const closestTool = {
  id: "closest",
  label: "Closest",
  hint: "Click: what is nearest to the point half a metre before what is hit? Then drag the point.",

  mount(app, element) {
    element.append(optionFields(app, "closest", ["signed"]));
  },

  async tap({ frame, pixel }, { asker, store }) {
    await asker.ask({ tool: "closest", frame, pixel, options: store.state.options.closest });
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
