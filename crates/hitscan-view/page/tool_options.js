/** The options of a tool as fields. */

import { CHOICES } from "./columns.js";
import { make, segmented } from "./elements.js";
import { titled } from "./why_text.js";

/** What options and choices are called where their own word does not do. @type {Record<string, string>} */
const LABELS = { signed: "Closed meshes", true: "solid", false: "surface" };

/** Those that a sweep without a turn has besides `hits`. */
const PLAIN = ["sides", "overlaps"];

/**
 * Those of a sweep: where what moves touches is queried too, where there is one answer. What turns hits both sides,
 * stops at overlaps, and has one hit.
 * @param {Options} given @param {Options} moved what moves, and how: `shape` or `object`, `turning`, `tolerance` @returns {Options}
 */
export function sweepOptions({ hits, ...given }, { shape = "box", object, turning, tolerance }) {
  // A link's options have what moved there too.
  const options = Object.fromEntries(Object.entries(given).filter(([name]) => PLAIN.includes(name)));
  /** @type {Options} */
  const what = object ? { object } : { shape };
  /** @type {Options} */
  const any = hits === "any" ? { hits } : {};
  if (turning) return { ...any, ...what, turning, ...(tolerance === undefined ? {} : { tolerance }) };
  if (hits === "any") return { ...options, ...any, ...what };
  return { ...options, ...(hits === undefined ? {} : { hits }), ...what, contact: true };
}

/**
 * An option of a tool as a field, kept in the store; a change repeats the current question. While a choice is refused,
 * for a reason, the first replaces it, and it comes back when it was chosen.
 * @param {App} app @param {AskTool} tool @param {string} name
 */
export function optionField({ store, asker, announce }, tool, name) {
  const values = CHOICES[name] ?? [];
  /** @type {string | null} */
  let refused = null;
  const now = () => {
    const chosen = String(store.state.options[tool][name] ?? values[0]);
    return chosen === refused ? String(values[0]) : chosen;
  };
  const choices = values.map((value) => ({ value, label: titled(LABELS[value] ?? value) }));
  const control = segmented({ label: titled(LABELS[name] ?? name), choices, value: now(), onchange: (value) => change(value) });
  store.watch(["options"], () => control.set(now()));

  /** @param {string} value */
  function change(value) {
    const { [name]: _, ...options } = store.state.options[tool];
    if (value !== values[0]) options[name] = value === "true" ? true : value;
    store.set({ options: { ...store.state.options, [tool]: options } });
    const { current } = store.state;
    const question = current?.answer?.question ?? current?.question;
    if (current?.tool !== tool || !question) return;
    const { shape, turning } = current.options;
    if (tool === "sweep" && turning && (name !== "hits" || value === "all")) {
      announce("The sweep that is shown turns, and stays as it is: it has one hit, both sides, and stops at overlaps");
      return;
    }
    const shaped = tool === "sweep" ? sweepOptions(options, current.options) : shape === undefined ? options : { ...options, shape };
    void asker.ask({ tool, question, options: shaped });
  }

  /** @param {string | null} value @param {string} [why] */
  function refuse(value, why) {
    refused = value;
    control.refuse(value, why);
    control.set(now());
  }
  return { element: control.element, refuse };
}

/** @param {App} app @param {AskTool} tool @param {readonly string[]} names */
export const optionFields = (app, tool, names) => make("div", { class: "tool-fields" }, ...names.map((name) => optionField(app, tool, name).element));
