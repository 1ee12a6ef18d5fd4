/** The options of a tool as fields, kept in the store; a change asks the current question again. */

import { CHOICES } from "./columns.js";
import { make, segmented } from "./elements.js";
import { titled } from "./why_text.js";

/** What options and choices are called where their own word does not do. @type {Record<string, string>} */
const LABELS = { signed: "Closed meshes", true: "solid", false: "surface" };

/** Those that a sweep without a turn has besides `hits`. */
const PLAIN = ["sides", "overlaps"];

/**
 * Those of a sweep: where what moves touches is asked too, where there is one answer. What turns is met from both sides,
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

/** @param {App} app @param {AskTool} tool @param {readonly string[]} names */
export function optionFields({ store, asker }, tool, names) {
  const fields = names.map((name) => {
    const values = CHOICES[name] ?? [];
    const now = () => String(store.state.options[tool][name] ?? values[0]);
    const choices = values.map((value) => ({ value, label: titled(LABELS[value] ?? value) }));
    const control = segmented({ label: titled(LABELS[name] ?? name), choices, value: now(), onchange: (value) => change(name, value) });
    store.watch(["options"], () => control.set(now()));
    return control.element;
  });

  /** @param {string} name @param {string} value */
  function change(name, value) {
    const { [name]: _, ...options } = store.state.options[tool];
    if (value !== CHOICES[name]?.[0]) options[name] = value === "true" ? true : value;
    store.set({ options: { ...store.state.options, [tool]: options } });
    const { current } = store.state;
    const question = current?.answer?.question ?? current?.question;
    if (current?.tool !== tool || !question) return;
    const { shape } = current.options;
    const shaped = tool === "sweep" ? sweepOptions(options, current.options) : shape === undefined ? options : { ...options, shape };
    void asker.ask({ tool, question, options: shaped });
  }

  return make("div", { class: "tool-fields" }, ...fields);
}
