/** The current question, each column a field: what is changed is queried again. */

import { defaultOf, NAMES, questionColumns, readField, unitOf } from "./columns.js";
import { button, fill, make } from "./elements.js";
import { fieldText } from "./numbers.js";

/** @param {App} app */
export function questionForm({ asker }) {
  const fields = make("div", { class: "question-fields" });
  const problem = make("p", { class: "problem", id: "question-problem", role: "alert" });
  const reset = button({ label: "Reset", onclick: () => show(asked) });
  const footprint = button({ label: "As a rectangle", onclick: () => undefined });
  const buttons = make("div", { class: "buttons" }, make("button", { class: "button outlined" }, "Ask again"), reset, footprint);
  const form = make("form", { onsubmit: submit }, fields, problem, buttons);
  const element = make("details", { class: "question" }, make("summary", {}, "Question"), form);
  /** @type {Shot | null} */
  let asked = null;
  /** @type {HTMLInputElement[]} */
  let inputs = [];

  /** @param {Shot | null} shot */
  function show(shot) {
    asked = shot;
    const question = shot?.answer?.question ?? shot?.question ?? {};
    element.hidden = Object.keys(question).length === 0;
    problem.textContent = "";
    if (!shot) return;
    inputs = questionColumns(shot.tool, shot.options, question).map((name) => {
      const inputmode = NAMES.includes(name) ? "text" : "decimal";
      const input = make("input", { type: "text", name, inputmode, autocomplete: "off", spellcheck: "false", class: "number", placeholder: defaultOf(name, shot.options) });
      input.value = fieldText(question[name]);
      return input;
    });
    const { tool, options } = shot;
    const rectangle = "half_x" in question;
    footprint.hidden = tool !== "height" || options.method !== "footprint";
    footprint.textContent = rectangle ? "As a disc" : "As a rectangle";
    footprint.onclick = () => {
      const { x, z, radius, half_x: half, half_z: _, angle: __, ...filter } = question;
      /** @type {Row} */
      const size = rectangle ? { radius: Number(half) } : { half_x: Number(radius), half_z: Number(radius) };
      void asker.ask({ tool, question: { ...filter, x: Number(x), z: Number(z), ...size }, options });
    };
    const labels = inputs.map((input) => {
      const unit = unitOf(shot.tool, input.name);
      const wide = NAMES.includes(input.name) || input.name === "mask" ? " wide" : "";
      return make("label", { class: `question-field${wide}` }, make("span", {}, unit ? `${input.name}, ${unit}` : input.name), input);
    });
    fill(fields, ...labels);
  }

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault();
    if (!asked) return;
    /** @type {Row} */
    const question = {};
    for (const field of inputs) {
      const read = readField(field.name, field.value, asked.options);
      const wrong = "expected" in read;
      field.setAttribute("aria-invalid", String(wrong));
      if (wrong) {
        field.setAttribute("aria-describedby", problem.id);
        problem.textContent = `${field.name}: found "${field.value}", expected ${read.expected}`;
        field.focus();
        return;
      }
      if (read.value !== undefined) question[field.name] = read.value;
    }
    void asker.ask({ tool: asked.tool, question, options: asked.options });
  }

  return { element, show };
}
