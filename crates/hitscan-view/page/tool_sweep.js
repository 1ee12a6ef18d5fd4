/** The tool Sweep: a shape is dragged from where it starts to where it would end. */

import { make } from "./elements.js";
import { optionFields } from "./tool_options.js";
import { DEFAULT_SHAPE, shapeFields, shapeRow } from "./tool_shape.js";
import { with3 } from "./question_points.js";
import { sub } from "./vector.js";
import { shapeLines } from "./wireframe.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./messages.js").Point} Point
 */

let shape = DEFAULT_SHAPE;

/** Where the shape starts, once that is known. @type {Promise<Point | null> | null} */
let start = null;
let looking = false;

/** @param {App} app @param {Point} from @param {Point} to */
function question(app, from, to) {
  const options = { ...app.store.state.options.sweep, shape: shape.kind };
  return { tool: /** @type {const} */ ("sweep"), question: with3(shapeRow(shape, from), ["dx", "dy", "dz"], sub(to, from)), options };
}

/** What is about to be asked. @param {App} app @param {Point} from @param {Point} to */
function preview(app, from, to) {
  const { question: row } = question(app, from, to);
  const lines = [0, 1].flatMap((t) => shapeLines(shape.kind, row, t).map((points) => ({ role: "motion", points, open: true })));
  app.overlay.set("tool", lines);
}

/** @param {App} app */
function forget(app) {
  start = null;
  app.overlay.set("tool", []);
}

/** @type {import("./app.js").Tool} */
export const sweepTool = {
  id: "sweep",
  label: "Sweep",
  hint: "Drag from where the shape starts to where it goes; or click the start, then the end.",

  mount(app, element) {
    element.append(
      shapeFields(shape, (next) => {
        shape = next;
        forget(app);
      }),
      optionFields(app, "sweep", ["hits", "sides", "overlaps"]),
      make("p", { class: "note" }, "The shape stands on the point under the pointer, lifted a little."),
    );
  },

  async tap(pick, app) {
    if (!start) {
      start = app.control.hitAt(pick);
      const from = await start;
      if (!from) {
        forget(app);
        app.announce("Nothing is there for the shape to stand on");
        return;
      }
      preview(app, from, from);
      app.announce("The start is set; now the end");
      return;
    }
    const [from, to] = await Promise.all([start, app.control.hitAt(pick)]);
    forget(app);
    if (from && to) await app.asker.ask(question(app, from, to));
    else app.announce("Nothing is there to move to");
  },

  async drag({ phase, from, to }, app) {
    if (phase === "start") start = app.control.hitAt(from);
    if (phase === "cancel") {
      forget(app);
      return;
    }
    if (phase === "move" && looking) return;
    looking = true;
    const [first, last] = await Promise.all([start, app.control.hitAt(to)]);
    looking = false;
    if (phase === "end") {
      forget(app);
      if (first && last) await app.asker.ask(question(app, first, last));
      else app.announce("A sweep starts and ends on something");
    } else if (first && last && start) {
      preview(app, first, last);
    }
  },
};
