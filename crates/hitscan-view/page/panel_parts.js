/** What several panels are made of. */

import { make } from "./elements.js";
import { verdictSign } from "./why_text.js";

/** A word with its sign. @param {string} role @param {string} word */
export function verdict(role, word) {
  return make("span", { class: "verdict" }, sign(role), word);
}

/** @param {string} role */
export function sign(role) {
  return make("span", { class: "sign", "data-role": role, "aria-hidden": "true" });
}

/** @param {...import("./elements.js").Child} text */
export const note = (...text) => make("p", { class: "note" }, ...text);

/** @param {string} label @param {(checked: boolean) => void} onchange */
export function check(label, onchange) {
  const input = make("input", { type: "checkbox", onchange: () => onchange(input.checked) });
  return { input, element: make("label", { class: "check" }, input, label) };
}

/**
 * A slider; `tell` shows its value beside it and to readers of the screen.
 * @param {string} label @param {Record<string, string | number>} range @param {(value: number) => void} oninput
 */
export function slider(label, range, oninput) {
  const input = make("input", { type: "range", "aria-label": label, ...range, oninput: () => oninput(Number(input.value)) });
  const output = make("output", { class: "value" });
  const tell = (/** @type {number} */ value, /** @type {string} */ text) => {
    input.value = String(value);
    output.textContent = text;
    input.setAttribute("aria-valuetext", text);
  };
  return { input, output, tell, element: make("div", { class: "slider" }, input, output) };
}

/**
 * A row of a list with a verdict: its number, sign, title, sentence and t.
 * @param {{number?: number, verdict: string, title: string, text: string, depth?: number, t?: string}} row
 */
export function listRow({ number, verdict: word, title, text, depth = 0, t }) {
  const lines = make("span", { class: "row-lines" }, make("span", { class: "row-title", title }, title), make("span", { class: "row-text", title: text }, text));
  lines.style.paddingLeft = `${Math.min(depth, 12) * 0.375}rem`;
  return make(
    "div",
    { role: "option", class: `verdict-${word}` },
    number === undefined ? null : make("span", { class: "row-number" }, String(number)),
    make("span", { class: "row-sign", "aria-hidden": "true" }, verdictSign(word)),
    lines,
    t ? make("span", { class: "row-beside row-t" }, t) : null,
  );
}
