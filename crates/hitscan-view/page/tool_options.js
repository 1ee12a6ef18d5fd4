/** The options of a tool as fields, kept in the store; a change asks the current question again. */

import { OPTIONS } from "./columns.js";
import { field, make, segmented } from "./elements.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./messages.js").AskTool} AskTool
 */

/** What options are called. @type {Record<string, string>} */
const LABELS = { hits: "Hits", sides: "Sides", overlaps: "Overlaps", each: "Each", method: "Method", signed: "Closed meshes" };

/** What choices are called where the option's own word does not do. @type {Record<string, string>} */
const CHOICES = { true: "solid", false: "surface" };

/**
 * @param {App} app
 * @param {AskTool} tool
 * @param {readonly string[]} names
 */
export function optionFields(app, tool, names) {
  const { store } = app;
  const fields = names.map((name) => {
    const choices = OPTIONS[tool][name] ?? [];
    const control = segmented({
      label: LABELS[name] ?? name,
      choices: choices.map((value) => ({ value, label: titled(CHOICES[value] ?? value) })),
      value: String(store.state.options[tool][name] ?? choices[0]),
      onchange: (value) => change(name, value),
    });
    store.watch(["options"], ({ options }) => control.set(String(options[tool][name] ?? choices[0])));
    return control.element;
  });

  /** @param {string} name @param {string} value */
  function change(name, value) {
    const options = { ...store.state.options[tool] };
    if (value === OPTIONS[tool][name]?.[0]) delete options[name];
    else options[name] = value === "true" ? true : value;
    store.set({ options: { ...store.state.options, [tool]: options } });
    const { current } = store.state;
    const question = current?.answer?.question ?? current?.question;
    if (current?.tool !== tool || !question) return;
    const shape = current.options.shape;
    void app.asker.ask({ tool, question, options: shape === undefined ? options : { ...options, shape } });
  }

  return make("div", { class: "tool-fields" }, ...fields);
}

/**
 * A choice of many as a list.
 * @param {string} label
 * @param {readonly (readonly [string, string])[]} choices value and text
 * @param {(value: string) => void} onchange
 */
export function choiceField(label, choices, onchange) {
  const select = make("select", { onchange: () => onchange(select.value) }, ...choices.map(([value, text]) => make("option", { value }, text)));
  return field(label, select);
}

/** @param {string} word */
function titled(word) {
  return `${word[0]?.toUpperCase()}${word.slice(1)}`;
}
