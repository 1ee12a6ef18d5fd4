/** How a sweep turns: its fields, and the columns that say it. */

import { field, make, numberInput, segmented } from "./elements.js";
import { shortest } from "./numbers.js";
import { with3 } from "./question_points.js";

/** @type {TurnSettings} */
export const NO_TURN = { turns: false, axis: "y", angle: 90, pivot: "middle", tolerance: null };

/** A question that turns besides. @param {TurnSettings} turn @param {Row} question @param {Point} start @returns {Row} */
export function turnedRow({ turns, axis, angle, pivot }, question, start) {
  if (!turns) return question;
  const along = Object.fromEntries(["x", "y", "z"].map((name) => [`axis_${name}`, name === axis ? 1 : 0]));
  const row = { ...question, ...along, angle: shortest((angle * Math.PI) / 180) };
  return pivot === "middle" ? row : with3(row, ["pivot_x", "pivot_y", "pivot_z"], start);
}

/** The options of what turns. @param {TurnSettings} turn @returns {Options} */
export const turnOptions = ({ turns, tolerance }) => (turns ? { turning: true, ...(tolerance === null ? {} : { tolerance }) } : {});

/** @param {TurnSettings} turn @param {(turn: TurnSettings) => void} onchange */
export function turnFields(turn, onchange) {
  let now = turn;
  const set = (/** @type {Partial<TurnSettings>} */ changes) => {
    now = { ...now, ...changes };
    how.hidden = !now.turns;
    onchange(now);
  };
  const choices = (/** @type {readonly string[][]} */ pairs) => pairs.map(([value = "", label = ""]) => ({ value, label }));
  const turns = segmented({ label: "Turning", choices: choices([["no", "No"], ["yes", "Yes"]]), value: turn.turns ? "yes" : "no", onchange: (value) => set({ turns: value === "yes" }) });
  const axis = segmented({ label: "Axis", choices: choices([["x", "X"], ["y", "Y"], ["z", "Z"]]), value: turn.axis, onchange: (value) => set({ axis: /** @type {TurnSettings["axis"]} */ (value) }) });
  const pivot = segmented({ label: "About", choices: choices([["middle", "Its middle"], ["start", "Where it starts"]]), value: turn.pivot, onchange: (value) => set({ pivot: /** @type {TurnSettings["pivot"]} */ (value) }) });
  const angle = numberInput({ value: turn.angle, min: -5e7, max: 5e7, onchange: (typed) => set({ angle: typed ?? turn.angle }) });
  const tolerance = numberInput({ value: turn.tolerance, min: 1e-30, placeholder: "size / 10000", onchange: (typed) => set({ tolerance: typed }) });
  const how = make("div", { class: "tool-fields", hidden: !turn.turns }, axis.element, field("Angle", angle, "°"), pivot.element, field("Tolerance", tolerance, "m"));
  return make("div", { class: "tool-fields" }, turns.element, how);
}
