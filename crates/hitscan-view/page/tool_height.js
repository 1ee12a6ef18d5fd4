/**
 * The height of the ground under the pointer: exact, the maximum or the mean within a radius, or a
 * footprint.
 */

import { field, make, numberInput, segmented } from "./elements.js";
import { newest } from "./newest.js";

/** @import { App, Pick } from "./app.js" */
/** @import { Options } from "./messages.js" */

/** The radius of the methods that have one, until another is typed, metres. */
const RADIUS = 5;

/** @param {App} app @returns {Options} */
function optionsOf({ store }) {
  const { method, radius } = store.state.options.height;
  if (method === undefined) return {};
  return method === "footprint" ? { method } : { method, radius: radius ?? RADIUS };
}

/** Shows the height under the pointer. @type {(pick: Pick | null, app: App) => Promise<void>} */
const follow = newest(async (pick, app) => {
  const { asker, overlay } = app;
  const options = optionsOf(app);
  if (!pick || options.method === "footprint") {
    overlay.set("height-hover", []);
    return;
  }
  const { frame, pixel } = pick;
  try {
    const { answers, lines } = await asker.quiet({ tool: "height", frame, pixel, options });
    const height = answers[0]?.height;
    const label = typeof height === "number" ? `${height.toFixed(2)} m` : String(answers[0]?.status ?? "");
    const marks = (lines ?? []).map(({ role, points }, at, all) => ({
      role,
      points,
      label: at === all.length - 1 ? label : undefined,
    }));
    overlay.set("height-hover", app.store.state.tool === "height" ? marks : []);
  } catch {
    overlay.set("height-hover", []);
  }
});

/** @type {import("./app.js").Tool} */
export const heightTool = {
  id: "height",
  label: "Height",
  hint: "Click to ask the height of the ground at the point under the pointer.",

  async tap({ frame, pixel }, app) {
    const options = optionsOf(app);
    if (options.method !== "footprint") {
      await app.asker.ask({ tool: "height", frame, pixel, options });
      return;
    }
    // A footprint's radius is a column: the pixel brings x and z.
    try {
      const { question } = await app.asker.quiet({ tool: "height", frame, pixel });
      const radius = Number(app.store.state.options.height.radius ?? RADIUS);
      await app.asker.ask({ tool: "height", question: { ...question, radius }, options });
    } catch {
      await app.asker.ask({ tool: "height", frame, pixel, options });
    }
  },

  hover(pick, app) {
    void follow(pick, app);
  },

  mount({ overlay, store }, element) {
    const put = (/** @type {Options} */ change) => {
      const height = { ...store.state.options.height, ...change };
      if (height.method === "exact") delete height.method;
      store.set({ options: { ...store.state.options, height } });
    };
    const method = segmented({
      label: "Method",
      choices: [
        { value: "exact", label: "Exact" },
        { value: "max", label: "Max" },
        { value: "mean", label: "Mean" },
        { value: "footprint", label: "Footprint" },
      ],
      value: "exact",
      onchange: (value) => put({ method: value }),
    });
    const input = numberInput({ value: RADIUS, min: 0, onchange: (value) => put({ radius: value ?? RADIUS }) });
    const radius = field("Radius", input, "m");
    element.append(method.element, make("div", {}, radius));
    store.watch(["options", "tool"], ({ options: { height }, tool }) => {
      method.set(/** @type {"exact"} */ (String(height.method ?? "exact")));
      radius.hidden = height.method === undefined;
      if (tool !== "height") overlay.set("height-hover", []);
    });
  },
};
