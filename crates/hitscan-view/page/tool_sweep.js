/** The tool Sweep: a shape is dragged from where it starts to where it would end. */

import { with3 } from "./question_points.js";
import { inTables } from "./table_frame.js";
import { optionFields, sweepOptions } from "./tool_options.js";
import { DEFAULT_SHAPE, shapeFields, shapeRow } from "./tool_shape.js";
import { sub } from "./vector.js";
import { shapeLines } from "./wireframe.js";

let shape = DEFAULT_SHAPE;
/** Where the shape starts, once that is known. @type {Promise<Point | null> | null} */
let start = null;
let looking = false;

/** @param {Point} from @param {Point} to */
const motion = (from, to) => with3(shapeRow(shape, from), ["dx", "dy", "dz"], sub(to, from));

/** What is about to be asked. @param {App} app @param {Point} from @param {Point} to */
function preview({ overlay }, from, to) {
  const lines = [0, 1].flatMap((t) => shapeLines(shape.kind, motion(from, to), t));
  overlay.set("tool", lines.map((points) => ({ role: "arc", points })));
}

/** @param {App} app @param {Point | null} from @param {Point | null} to */
async function ask(app, from, to) {
  forget(app);
  const { options, scene } = app.store.state;
  if (!from || !to) app.announce("A sweep starts and ends on something");
  else await app.asker.ask({ tool: "sweep", question: inTables(motion(from, to), scene?.origin), options: sweepOptions(options.sweep, shape.kind) });
}

/** @param {App} app */
function forget({ overlay }) {
  start = null;
  overlay.set("tool", []);
}

/** @type {Tool} */
export const sweepTool = {
  id: "sweep",
  label: "Sweep",
  hint: "Drag from where the shape starts to where it goes; or click the start, then the end.",

  mount(app, element) {
    const fields = shapeFields(shape, (next) => {
      shape = next;
      forget(app);
    });
    app.store.watch(["tool"], () => forget(app));
    element.append(fields, optionFields(app, "sweep", ["hits", "sides", "overlaps"]));
  },

  async tap(pick, app) {
    if (start) {
      await ask(app, ...(await Promise.all([start, app.control.hitAt(pick)])));
      return;
    }
    start = app.control.hitAt(pick);
    const from = await start;
    if (from) preview(app, from, from);
    else forget(app);
    app.announce(from ? "The start is set; next the end" : "Nothing is there for the shape to stand on");
  },

  async drag({ phase, from, to }, app) {
    if (phase === "start") start = app.control.hitAt(from);
    if (phase === "cancel") forget(app);
    if (phase === "cancel" || (phase === "move" && looking)) return;
    looking = true;
    const [first, last] = await Promise.all([start, app.control.hitAt(to)]);
    looking = false;
    if (phase === "end") await ask(app, first, last);
    else if (first && last && start) preview(app, first, last);
  },
};
