/** Rows of an answered table: in a sentence, and as lines of the picture. Pure. */

import { whole } from "./format.js";
import { pointOf, shapeCenter } from "./question_points.js";
import { along, length } from "./vector.js";

/** How far a ray that hits nothing is drawn, metres. */
const MISS_LENGTH = 20;

/** What came of a table. @param {TableAnswer} table */
export function tableSentence({ name, rows, invalid = 0, differing = 0, compared, shown }) {
  const counted = (/** @type {number} */ count) => (count === 1 ? "1 row" : `${whole(count)} rows`);
  const differ = differing === 0 ? "all as in the file" : `${counted(differing)} differ from the file`;
  const parts = [
    `${name}: ${counted(rows)}`,
    compared ? differ : "",
    invalid > 0 ? `${counted(invalid)} invalid` : "",
    shown.length < rows ? `${whole(shown.length)} shown` : "",
  ];
  return parts.filter(Boolean).join(", ");
}

/**
 * The columns of a table as they are shown: the status, those that differ in some row, those that are passed
 * through, the others.
 * @param {readonly string[]} columns @param {TableAnswer["shown"]} shown
 */
export function orderedColumns(columns, shown) {
  const differing = new Set(shown.flatMap(({ differs = [] }) => differs));
  const passed = new Set(shown.flatMap(({ others = {} }) => Object.keys(others)));
  const rank = (/** @type {string} */ column) => (column === "status" ? 0 : differing.has(column) ? 1 : passed.has(column) ? 2 : 3);
  return [...columns].sort((one, other) => rank(one) - rank(other));
}

/** What a row queries and hits. @param {Row} question @param {Row} answer @returns {Mark[]} */
export function marksOfRow(question, answer) {
  const target = pointOf(question, ["target_x", "target_y", "target_z"]);
  const eye = pointOf(question, ["x", "y", "z"]);
  if (eye && target) return [{ role: answer.status === "visible" ? "hit" : "miss", points: [eye, target] }];
  const [nearest, other] = [pointOf(answer, ["x0", "y0", "z0"]), pointOf(answer, ["x1", "y1", "z1"])];
  if (nearest && other) return [{ role: "segment", points: [nearest, other] }];
  const origin = pointOf(question, ["ox", "oy", "oz"]) ?? pointOf(question, ["px", "py", "pz"]);
  const place = pointOf(answer, ["x", "y", "z"]);
  if (origin && place) return [{ role: "hit", points: [origin, place] }];
  const ground = pointOf({ ...question, ...answer }, ["x", "height", "z"]);
  if (ground) return [{ role: "hit", points: [ground] }];
  const direction = pointOf(question, ["dx", "dy", "dz"]);
  const start = origin ?? shapeCenter(question);
  const missed = answer.status === "miss";
  if (!direction || !start || (origin && !missed)) return [];
  const t = origin ? MISS_LENGTH / (length(direction) || 1) : Number(answer.t ?? 1);
  return [{ role: missed ? "miss" : "motion", points: [start, along(start, direction, t)] }];
}
