/**
 * The ray: a click fires the very ray that drew the pixel. Its origin and what it is aimed at can be
 * dragged, so that shots need not start at the eye; the question's own fields take any number.
 */

import { make, numberInput } from "./elements.js";
import { newest } from "./newest.js";
import { inScene, inTables } from "./table_frame.js";
import { filterFields } from "./tool_filter.js";
import { optionFields } from "./tool_options.js";
import { add, sub } from "./vector.js";

/** @import { App } from "./app.js" */
/** @import { Point, Row } from "./messages.js" */

/** What the fields say of range and filter, for every ray. @type {Row} */
let limits = {};

/** @type {import("./app.js").Tool} */
export const rayTool = {
  id: "ray",
  label: "Ray",
  hint: "Click to fire the ray that drew the pixel.",

  async tap({ frame, pixel }, { asker, store }) {
    const options = store.state.options.ray;
    if (Object.keys(limits).length === 0) {
      await asker.ask({ tool: "ray", frame, pixel, options });
      return;
    }
    // A pixel gives the ray; range and filter are added to it as columns.
    try {
      const { question } = await asker.quiet({ tool: "ray", frame, pixel });
      await asker.ask({ tool: "ray", question: { ...question, ...limits }, options });
    } catch {
      await asker.ask({ tool: "ray", frame, pixel, options });
    }
  },

  mount(app, element) {
    const { asker, store } = app;
    /** @param {string} name @param {number | string | null} value null: the default */
    const limit = (name, value) => {
      const without = (/** @type {Row} */ { [name]: _, ...others }) => others;
      limits = value === null ? without(limits) : { ...limits, [name]: value };
      const { current } = store.state;
      if (current?.tool !== "ray" || !current.question) return;
      const question = { ...without(current.question), ...limits };
      void asker.ask({ tool: "ray", question, options: store.state.options.ray });
    };
    const range = make(
      "div",
      { class: "point two", role: "group", "aria-label": "Range of t" },
      make("span", { class: "field-label" }, "Range of t"),
      numberInput({ label: "Least t", placeholder: "0", onchange: (value) => limit("t_min", value) }),
      numberInput({ label: "Greatest t", placeholder: "∞", onchange: (value) => limit("t_max", value) }),
    );
    const folded = make("details", {}, make("summary", {}, "Range and filter"), range, ...filterFields(app, limit));
    element.append(optionFields(app, "ray", ["hits", "sides", "method"]), folded);
    mountHandles(app);
  },
};

/** Handles at the ray's origin and at its end. @param {App} app */
function mountHandles({ asker, overlay, store }) {
  /** @type {(question: Row, origin: Point, toward: Point, keep: boolean) => Promise<void>} */
  const aim = newest(async (question, origin, toward, keep) => {
    const [[ox, oy, oz], [dx, dy, dz]] = [origin, sub(toward, origin)];
    if (dx === 0 && dy === 0 && dz === 0) return;
    const moved = { ...question, ...inTables({ ox, oy, oz }, store.state.scene?.origin), dx, dy, dz };
    await asker.ask({ tool: "ray", question: moved, options: store.state.options.ray, keep });
  });

  store.watch(["current", "tool"], ({ current, scene, tool }) => {
    // While an answer is awaited the handles of the one before stay, so that a drag goes on.
    if (current && !current.answer && !current.refused) return;
    const question = current?.tool === "ray" ? current.question : undefined;
    const ray = question && rayOf(inScene(question, scene?.origin));
    if (!ray || tool !== "ray") {
      overlay.set("ray-handles", []);
      return;
    }
    const [origin, direction] = ray;
    const line = current?.answer?.lines?.find(({ role }) => role === "ray");
    const end = line?.points.at(-1) ?? add(origin, direction);
    overlay.set("ray-handles", [
      {
        role: "handle",
        points: [origin],
        handle: {
          id: "origin",
          label: "Origin of the ray",
          snap: "plane",
          move: (to) => void aim(question, to, end, false),
          end: (to) => void aim(question, to, end, true),
        },
      },
      {
        role: "handle",
        points: [end],
        handle: {
          id: "aim",
          label: "What the ray is aimed at",
          snap: "surface",
          move: (to) => void aim(question, origin, to, false),
          end: (to) => void aim(question, origin, to, true),
        },
      },
    ]);
  });
}

/**
 * Origin and direction in metres of the scene, or null where the columns name a map's axes.
 * @param {Row} question
 * @returns {[Point, Point] | null}
 */
function rayOf(question) {
  const values = ["ox", "oy", "oz", "dx", "dy", "dz"].map((name) => question[name]);
  if (!values.every((value) => typeof value === "number")) return null;
  const [ox, oy, oz, dx, dy, dz] = /** @type {number[]} */ (values);
  return [[ox, oy, oz], [dx, dy, dz]];
}
