/** The current question, each column a field: what is changed is asked again. */

import { DEFAULTS, questionColumns, readField, unitOf } from "./columns.js";
import { button, fill, make } from "./elements.js";
import { fieldText } from "./numbers.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./store.js").Shot} Shot
 * @typedef {import("./messages.js").Row} Row
 */

/** @param {App} app */
export function questionForm(app) {
  const fields = make("div", { class: "question-fields" });
  const problem = make("p", { class: "problem", id: "question-problem", role: "alert" });
  const form = make(
    "form",
    {
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        submit();
      },
    },
    fields,
    problem,
    make(
      "div",
      { class: "buttons" },
      make("button", { class: "button outlined", type: "submit" }, "Ask again"),
      button({ label: "Reset", onclick: () => show(asked) }),
    ),
  );
  const element = make("details", { class: "question" }, make("summary", {}, "Question"), form);
  /** @type {Shot | null} */
  let asked = null;
  /** @type {Map<string, HTMLInputElement>} */
  let inputs = new Map();

  /** @param {Shot | null} shot */
  function show(shot) {
    asked = shot;
    const question = shot ? (shot.answer?.question ?? shot.question) : undefined;
    element.hidden = !shot || !question || Object.keys(question).length === 0;
    problem.textContent = "";
    if (!shot || !question) return;
    const columns = questionColumns(shot.tool, shot.options, question);
    inputs = new Map(columns.map((column) => [column, input(column, question)]));
    fill(fields, ...columns.map((column) => labelled(shot, column)));
  }

  /** @param {string} column @param {Row} question */
  function input(column, question) {
    const field = make("input", {
      type: "text",
      inputmode: column === "ignore" ? "text" : "decimal",
      autocomplete: "off",
      spellcheck: "false",
      class: "number",
      name: column,
      placeholder: DEFAULTS[column],
    });
    field.value = fieldText(question[column]);
    return field;
  }

  /** @param {Shot} shot @param {string} column */
  function labelled({ tool }, column) {
    const unit = unitOf(tool, column);
    const wide = column === "ignore" || column === "mask" ? "wide" : "";
    return make("label", { class: `question-field ${wide}` }, make("span", {}, unit ? `${column}, ${unit}` : column), inputs.get(column));
  }

  function submit() {
    if (!asked) return;
    /** @type {Row} */
    const question = {};
    for (const [column, field] of inputs) {
      const read = readField(column, field.value);
      const wrong = "expected" in read;
      field.setAttribute("aria-invalid", String(wrong));
      if (wrong) {
        field.setAttribute("aria-describedby", problem.id);
        problem.textContent = `${column}: found "${field.value}", expected ${read.expected}`;
        field.focus();
        return;
      }
      if (read.value !== undefined) question[column] = read.value;
    }
    problem.textContent = "";
    void app.asker.ask({ tool: asked.tool, question, options: asked.options });
  }

  return { element, show };
}
