/** An object that was expected, in words and figures. Pure. */

import { f32Text, fieldText, metres, significant } from "./numbers.js";
import { pointInTables } from "./table_frame.js";
import { sentence, thingName } from "./why_text.js";

/** @import { Expected, Near, NotHit, Point } from "./messages.js" */
/** @import { Mark } from "./app.js" */

/** What each reason is called; what is not here is called by its own word. @type {Record<string, string>} */
const WORDS = {
  layers: "in other layers",
  ignored: "ignored",
  out_of_range: "out of range",
  wrong_side: "facing away",
  box_missed: "missed",
};

/** @param {NotHit} reason */
export const reasonWord = ({ reason }) => WORDS[reason] ?? reason.replaceAll("_", " ");

/** @param {Expected} expected @param {NotHit} reason */
export function reasonSentence({ object }, { reason, by, why }) {
  if (reason === "filtered") return `Left out by the question's ${why || "filter"}.`;
  return sentence(why || reason.replaceAll("_", " "), [object, by?.object ?? ""]);
}

/** An angle with three digits that count. @param {number} angle radians */
export const degrees = (angle) => `${significant((angle * 180) / Math.PI)}°`;

/** A time that has passed. @param {number} ms */
export const seconds = (ms) => `${significant(ms / 1000)} s`;

/** What was there a moment before; empty where nothing is stated. @param {Expected} expected */
export function earlierSentence({ object, earlier }) {
  if (!earlier) return "";
  const { ago_ms: ago, tried_ms: tried } = earlier;
  if (ago === undefined) return `Nor does the same shot hit ${object} in any view of the ${seconds(tried)} before it.`;
  return `It was there ${seconds(ago)} ago: the same shot hits ${object} in the view of then.`;
}

/** A point as tables have it; on a map to the millimetre. @param {Point} point @param {Point} [origin] of the tables */
function pointText(point, origin) {
  return pointInTables(point, origin).map((value) => (origin ? fieldText(Number(value.toFixed(3))) : f32Text(value))).join("  ");
}

/**
 * The figures of a reason: names and texts.
 * @param {Expected} expected @param {NotHit} reason @param {Point} [origin] of the tables
 * @returns {[string, string][]}
 */
export function figures({ met }, { reason, by, approach, turn }, origin) {
  /** @type {[string, string][]} */
  const rows = [];
  if (approach) {
    rows.push(["misses by", metres(approach.distance)]);
    rows.push(["turned to hit", turn ? degrees(turn.angle) : "a right angle or more"]);
    rows.push(["nearest at t", f32Text(approach.t)], ["there the shot", pointText(approach.on_ray, origin)]);
    rows.push(["and the object", pointText(approach.on_object, origin)]);
  }
  if (by) rows.push(["hidden by", thingName(by)], ["which is at t", f32Text(by.t)], ["at", pointText(by.point, origin)]);
  if (met && reason !== "missed") rows.push(["met at t", f32Text(met.t)], ["where it is met", pointText(met.point, origin)]);
  return rows;
}

/**
 * What is drawn: from the shot to where it is nearest, the shot turned to hit, where it would be hit, where
 * it was.
 * @param {Expected | undefined} expected @param {Point | undefined} start of the shot
 * @returns {Mark[]}
 */
export function expectedMarks(expected, start) {
  if (!expected) return [];
  /** @type {Mark[]} */
  const marks = [];
  for (const { by, approach, turn } of expected.reasons) {
    if (by && expected.met) marks.push({ role: "approach", points: [by.point, expected.met.point], label: expected.object });
    if (turn && start) marks.push({ role: "turned", points: [start, turn.point] });
    // Both end near each other, so that one label serves.
    const label = approach && [metres(approach.distance), ...(turn ? [degrees(turn.angle)] : [])].join(", ");
    if (approach) marks.push({ role: "approach", points: [approach.on_ray, approach.on_object], label });
  }
  const { earlier } = expected;
  if (earlier?.point && earlier.ago_ms !== undefined) marks.push({ role: "was", points: [earlier.point], label: `${seconds(earlier.ago_ms)} ago` });
  return marks;
}

/** A near miss in a line, its name aside. @param {Near} near */
export const nearText = ({ distance, t }) => `by ${metres(distance)} at t = ${significant(t)}`;
