/**
 * The ray: a click fires the very ray that drew the pixel; origin and direction can also be typed,
 * and dragged once there is a shot.
 */

import { make, numberInput, pointInput, segmented } from "./elements.js";
import { filterFields } from "./tool_filter.js";
import { add, sub } from "./vector.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./messages.js").Point} Point
 * @typedef {import("./messages.js").Row} Row
 */

/** The columns of a question that are not the ray's own place. */
const KEPT = ["t_min", "t_max", "mask", "ignore"];

/** What the fields say of range and filter. @type {Row} */
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
    // A pixel brings the ray; range and filter are asked of it as columns.
    try {
      const { question } = await asker.quiet({ tool: "ray", frame, pixel });
      await asker.ask({ tool: "ray", question: { ...question, ...limits }, options });
    } catch {
      await asker.ask({ tool: "ray", frame, pixel, options });
    }
  },

  mount(app, element) {
    const { asker, overlay, store } = app;
    /** @param {string} name @param {string} fallback */
    const option = (name, fallback) => ({
      value: String(store.state.options.ray[name] ?? fallback),
      onchange: (/** @type {string} */ value) => {
        const { [name]: _, ...others } = store.state.options.ray;
        const ray = value === fallback ? others : { ...others, [name]: value };
        store.set({ options: { ...store.state.options, ray } });
        again();
      },
    });
    const choices = (/** @type {string[]} */ ...names) =>
      names.map((value) => ({ value, label: value[0].toUpperCase() + value.slice(1) }));

    /** Asks the ray of the current shot again, with the options of now. @param {boolean} [keep] */
    function again(keep = true) {
      const question = store.state.current?.tool === "ray" ? store.state.current.question : undefined;
      if (!question) return;
      const place = Object.fromEntries(Object.entries(question).filter(([name]) => !KEPT.includes(name)));
      void asker.ask({ tool: "ray", question: { ...place, ...limits }, options: store.state.options.ray, keep });
    }

    /** @param {Partial<{origin: Point, direction: Point}>} change @param {boolean} [keep] */
    function aim(change, keep = true) {
      const now = aimOf(store.state.current?.question);
      const origin = change.origin ?? now?.origin;
      const direction = change.direction ?? now?.direction;
      if (!origin || !direction || direction.every((one) => one === 0)) return;
      const [[ox, oy, oz], [dx, dy, dz]] = [origin, direction];
      const question = { ox, oy, oz, dx, dy, dz, ...limits };
      void asker.ask({ tool: "ray", question, options: store.state.options.ray, keep });
    }

    const hits = segmented({ label: "Hits", choices: choices("nearest", "any", "all"), ...option("hits", "nearest") });
    const sides = segmented({ label: "Sides", choices: choices("both", "front", "back"), ...option("sides", "both") });
    const method = segmented({ label: "Method", choices: choices("exact", "march"), ...option("method", "exact") });
    const origin = pointInput({ label: "Origin", onchange: (value) => aim({ origin: value }) });
    const direction = pointInput({ label: "Direction", onchange: (value) => aim({ direction: value }) });

    /** @param {string} name @param {number | string | null} value */
    const limit = (name, value) => {
      const { [name]: _, ...others } = limits;
      limits = value === null || value === "" ? others : { ...others, [name]: value };
      again();
    };
    const range = make(
      "div",
      { class: "point two", role: "group", "aria-label": "Range of t" },
      make("span", { class: "field-label" }, "Range of t"),
      numberInput({ label: "Least t", placeholder: "0", onchange: (value) => limit("t_min", value) }),
      numberInput({ label: "Greatest t", placeholder: "∞", onchange: (value) => limit("t_max", value) }),
    );
    const filter = filterFields(app, limit);
    const folded = make("details", {}, make("summary", {}, "Range, layers, ignored"), range, ...filter);
    element.append(hits.element, sides.element, method.element, origin.element, direction.element, folded);

    store.watch(["options"], ({ options: { ray } }) => {
      hits.set(String(ray.hits ?? "nearest"));
      sides.set(String(ray.sides ?? "both"));
      method.set(String(ray.method ?? "exact"));
    });
    store.watch(["current", "tool"], ({ current, tool }) => {
      const now = current?.tool === "ray" ? aimOf(current.question) : null;
      origin.set(now?.origin ?? null);
      direction.set(now?.direction ?? null);
      if (!now || tool !== "ray") {
        overlay.set("ray-handles", []);
        return;
      }
      const end = endOf(current) ?? add(now.origin, now.direction);
      /** @param {string} id @param {string} label @param {"plane" | "surface"} snap @param {Point} point @param {(to: Point) => {origin?: Point, direction: Point}} make */
      const handle = (id, label, snap, point, make) => ({
        role: "handle",
        points: [point],
        handle: {
          id,
          label,
          snap,
          move: (/** @type {Point} */ to) => aim(make(to), false),
          end: (/** @type {Point} */ to) => aim(make(to)),
        },
      });
      overlay.set("ray-handles", [
        handle("origin", "Origin of the ray", "plane", now.origin, (to) => ({ origin: to, direction: sub(end, to) })),
        handle("aim", "What the ray is aimed at", "surface", end, (to) => ({ direction: sub(to, now.origin) })),
      ]);
    });
  },
};

/**
 * Origin and direction of a question in metres of the scene, or null where it names a map's axes.
 * @param {Row} [question]
 * @returns {{origin: Point, direction: Point} | null}
 */
function aimOf(question) {
  const read = (/** @type {string[]} */ ...names) => {
    const values = names.map((name) => question?.[name]);
    return values.every((value) => typeof value === "number") ? /** @type {Point} */ (values) : null;
  };
  const [origin, direction] = [read("ox", "oy", "oz"), read("dx", "dy", "dz")];
  return origin && direction && { origin, direction };
}

/** @param {import("./store.js").Shot | null} shot */
function endOf(shot) {
  return shot?.answer?.lines?.find(({ role }) => role === "ray")?.points.at(-1);
}

