/** The tool Viewshed: what of a terrain is seen from a place, as a tint of the ground. */

import { field, make, numberInput } from "./elements.js";
import { shortest } from "./numbers.js";
import { check } from "./panel_parts.js";
import { pointOf } from "./question_points.js";
import { filterFields } from "./tool_filter.js";
import { add, scale } from "./vector.js";

/** @import { App, Tool } from "./app.js" */
/** @import { Options, Row } from "./messages.js" */

const AXES = ["x", "y", "z"];
/** The eye is so far before the surface of an object, which would else hide everything, metres. */
const CLEAR = 1e-3;
/** The part of curvature that air takes back, until another is typed. */
const REFRACTION = 0;

/** What is seen, and looked through. @type {Row} */
let filter = {};

/**
 * The eye on what was hit, as tables have it, and the terrain that it looks at: on terrain its own height
 * is that of the ground there.
 * @param {Row} hit @param {App} app
 * @returns {Promise<{question: Row, terrain: string} | null>}
 */
async function standing(hit, { asker, store }) {
  const [place, normal] = [pointOf(hit, AXES), pointOf(hit, ["nx", "ny", "nz"])];
  if (!place || !normal) return null;
  const [x, , z] = place;
  const kind = store.state.scene?.objects.find(({ name }) => name === hit.object)?.kind;
  if (kind === "terrain") return { question: { x, z }, terrain: String(hit.object) };
  const { answers } = await asker.quiet({ tool: "height", question: { x, z } });
  const below = answers[0]?.object;
  if (below === undefined) return null;
  const eye = add(place, scale(normal, hit.side === "back" ? -CLEAR : CLEAR));
  const rounded = store.state.scene?.origin ? (/** @type {number} */ value) => value : shortest;
  return { question: Object.fromEntries(AXES.map((axis, at) => [axis, rounded(eye[at] ?? 0)])), terrain: String(below) };
}

/** @type {Tool} */
export const viewshedTool = {
  id: "viewshed",
  label: "Viewshed",
  hint: "Click where the eye stands: the ground that it sees is tinted, as the camera moves too.",

  mount(app, element) {
    const { store, asker } = app;
    /** @param {Record<string, Options[string] | undefined>} change those that are undefined fall back to the default */
    const put = (change) => {
      const entries = Object.entries({ ...store.state.options.viewshed, ...change }).filter(([, value]) => value !== undefined);
      const options = /** @type {Options} */ (Object.fromEntries(entries));
      store.set({ options: { ...store.state.options, viewshed: options } });
      again((question) => question);
    };
    /** Sends the current question again, with the options as they are now. @param {(question: Row) => Row} changed */
    const again = (changed) => {
      const { current, options } = store.state;
      const question = current?.answer?.question ?? current?.question;
      if (current?.tool !== "viewshed" || !question) return;
      const { terrain } = current.options;
      void asker.ask({ tool: "viewshed", question: changed(question), options: { ...options.viewshed, ...(terrain === undefined ? {} : { terrain }) } });
    };
    const length = (/** @type {string} */ name, /** @type {{value?: number, min?: number, placeholder?: string}} */ given) =>
      numberInput({ ...given, onchange: (value) => put({ [name]: value ?? undefined }) });
    const eye = length("above", { value: 0 });
    const target = length("target_above", { value: 0 });
    const most = length("max_distance", { min: 0, placeholder: "no limit" });
    const bends = numberInput({ value: REFRACTION, onchange: (value) => put({ refraction: value ?? REFRACTION }) });
    const refraction = field("Refraction", bends);
    const curvature = check("The earth's curvature", (checked) => put({ curvature: checked || undefined, refraction: undefined }));
    const folded = make("details", {}, make("summary", {}, "Filter"), ...filterFields(app, (column, value) => {
      const { [column]: _, ...others } = filter;
      filter = value === null ? others : { ...others, [column]: value };
      again(({ mask: __, ignore: ___, ...eye }) => ({ ...eye, ...filter }));
    }));
    const fields = make("div", { class: "tool-fields" }, field("Eye above", eye, "m"), field("Target above", target, "m"), field("Greatest distance", most, "m"), curvature.element, refraction);
    element.append(fields, folded);
    store.watch(["options"], ({ options: { viewshed } }) => {
      const number = (/** @type {string} */ name) => (typeof viewshed[name] === "number" ? Number(viewshed[name]) : null);
      eye.show(number("above") ?? 0);
      target.show(number("target_above") ?? 0);
      most.show(number("max_distance"));
      bends.show(number("refraction") ?? REFRACTION);
      curvature.input.checked = viewshed.curvature === true;
      refraction.hidden = viewshed.curvature !== true;
    });
  },

  async tap({ frame, pixel }, app) {
    const { asker, announce, store } = app;
    const { answers } = await asker.quiet({ tool: "ray", frame, pixel });
    const hit = answers[0] ?? {};
    const eye = await standing(hit, app);
    if (!eye) {
      announce(hit.object === undefined ? "Nothing is there for the eye to stand on" : "No terrain is below that place");
      return;
    }
    const { terrain: _, ...options } = store.state.options.viewshed;
    await asker.ask({ tool: "viewshed", question: { ...eye.question, ...filter }, options: { ...options, terrain: eye.terrain } });
  },
};
