/** The tool Sweep: a shape, or an object of the scene, is dragged from where it starts to where it would end. */

import { make, segmented } from "./elements.js";
import { pointOf, with3 } from "./question_points.js";
import { inTables } from "./table_frame.js";
import { optionField, optionFields, sweepOptions } from "./tool_options.js";
import { DEFAULT_SHAPE, settingsLines, shapeFields, shapeRow } from "./tool_shape.js";
import { NO_TURN, turnedRow, turnFields, turnOptions } from "./tool_turn.js";
import { RefusedError } from "./transport.js";
import { sub } from "./vector.js";
import { middleOf, movedLines } from "./wireframe.js";

let shape = DEFAULT_SHAPE;
let turn = NO_TURN;
let movesObject = false;

/** What is about to move: the columns of a shape or an object, from where, and its lines there. @typedef {{at: Point, what: Row, lines: Point[][]}} Start */
/** Once that is determined. @type {Promise<Start | null> | null} */
let start = null;
let looking = false;

/** @param {Start} start @param {Point} to @returns {Row} */
function motion({ at, what }, to) {
  return turnedRow(turn, with3(what, ["dx", "dy", "dz"], sub(to, at)), at);
}

/** What a pixel shows moves: the shape that rests there, or the object. @param {import("./app.js").Pick} pick @param {App} app @returns {Promise<Start | null>} */
async function startAt(pick, app) {
  if (!movesObject) {
    const [at, outline] = await Promise.all([app.control.hitAt(pick), shape.outline]);
    const what = at && shapeRow(shape, at, outline);
    return what && { at, what, lines: settingsLines(shape, what, outline) };
  }
  try {
    const { answers, lines: drawn } = await app.asker.quiet({ tool: "ray", frame: pick.frame, pixel: pick.pixel });
    const { object: mover } = answers[0] ?? {};
    const at = drawn?.find(({ role }) => role === "ray")?.points.at(-1);
    const isTerrain = app.store.state.scene?.objects.some(({ name, kind }) => name === mover && kind === "terrain");
    if (typeof mover !== "string" || !at || isTerrain) return null;
    const { lines } = await app.transport.request("wireframe", { object: mover });
    return { at, what: { mover }, lines };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return null;
  }
}

/** What is about to be queried. @param {App} app @param {Start} from @param {Point} to */
function preview({ overlay }, from, to) {
  const row = motion(from, to);
  const pivot = pointOf(row, ["pivot_x", "pivot_y", "pivot_z"]) ?? middleOf(from.lines);
  const places = turn.turns ? [0, 0.25, 0.5, 0.75, 1] : [0, 1];
  const lines = places.flatMap((t) => movedLines(from.lines, row, t, pivot));
  overlay.set("tool", lines.map((points) => ({ role: "arc", points })));
}

/** @param {App} app @param {Start | null} from @param {Point | null} to */
async function ask(app, from, to) {
  forget(app);
  const { options, scene } = app.store.state;
  if (!from || !to) {
    app.announce(movesObject ? "An object moves from where it is, but no terrain, to something" : "A sweep starts and ends on something");
    return;
  }
  /** @type {Options} */
  const what = "mover" in from.what ? { object: true } : { shape: shape.kind };
  await app.asker.ask({ tool: "sweep", question: inTables(motion(from, to), scene?.origin), options: sweepOptions(options.sweep, { ...what, ...turnOptions(turn) }) });
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
  hint: "Drag from where the shape, or an object, starts to where it goes; or click the start, then the end.",

  mount(app, element) {
    const fields = shapeFields(app, shape, (next) => {
      shape = next;
      forget(app);
    });
    const choices = /** @type {const} */ ([["shape", "A shape"], ["object", "An object"]]);
    const what = segmented({ label: "Moves", choices: choices.map(([value, label]) => ({ value, label })), value: "shape", onchange: (value) => {
      movesObject = value === "object";
      fields.hidden = movesObject;
      forget(app);
    } });
    // What turns hits both sides and stops at overlaps.
    const plain = make("div", {}, optionFields(app, "sweep", ["sides", "overlaps"]));
    const hits = optionField(app, "sweep", "hits");
    const turning = turnFields(turn, (next) => {
      turn = next;
      plain.hidden = turn.turns;
      if (turn.turns) hits.refuse("all", "What turns has one hit.");
      else hits.refuse(null);
      forget(app);
    });
    app.store.watch(["tool"], () => forget(app));
    element.append(what.element, fields, turning, hits.element, plain);
  },

  async tap(pick, app) {
    if (start) {
      await ask(app, ...(await Promise.all([start, app.control.hitAt(pick)])));
      return;
    }
    start = startAt(pick, app);
    const from = await start;
    if (from) preview(app, from, from.at);
    else forget(app);
    const nothing = movesObject ? "Nothing is there that moves" : "Nothing is there for the shape to stand on";
    app.announce(from ? "The start is set; next the end" : nothing);
  },

  async drag({ phase, from, to }, app) {
    if (phase === "start") start = startAt(from, app);
    if (phase === "cancel") forget(app);
    if (phase === "cancel" || (phase === "move" && looking)) return;
    looking = true;
    const [first, last] = await Promise.all([start, app.control.hitAt(to)]);
    looking = false;
    if (phase === "end") await ask(app, first, last);
    else if (first && last && start) preview(app, first, last);
  },
};
