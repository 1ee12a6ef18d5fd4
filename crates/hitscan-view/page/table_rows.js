/** Rows of an answered table: in a sentence, by their status, as lines of the picture. Pure. */

import { whole } from "./format.js";

/**
 * @typedef {import("./messages.js").TableAnswer} TableAnswer
 * @typedef {import("./messages.js").Row} Row
 * @typedef {import("./messages.js").Point} Point
 * @typedef {{role: string, points: Point[]}} Mark
 */

/** How far a ray that meets nothing is drawn, metres. */
const MISS_LENGTH = 20;

/**
 * What came of a table.
 * @param {TableAnswer} table
 */
export function tableSentence({ name, rows, invalid = 0, differing = 0, compared = false, shown }) {
  const counted = (/** @type {number} */ count) => (count === 1 ? "1 row" : `${whole(count)} rows`);
  const parts = [`${name}: ${counted(rows)}`];
  if (compared) parts.push(differing === 0 ? "all as in the file" : `${counted(differing)} differ from the file`);
  if (invalid > 0) parts.push(`${counted(invalid)} invalid`);
  if (shown.length < rows) parts.push(`${whole(shown.length)} shown`);
  return parts.join(", ");
}

/**
 * A row's class.
 * @param {Row} answer
 * @param {readonly string[]} differs
 */
export function rowStatus(answer, differs) {
  if (differs.length > 0) return "row-differs";
  return answer.status === "invalid" ? "row-invalid" : "";
}

/**
 * What the rows ask and meet, as lines.
 * @param {TableAnswer} table
 * @returns {Mark[]}
 */
export function drawnRows({ shown }) {
  return shown.flatMap(({ question, answer }) => marksOf(question, answer));
}

/**
 * @param {Row} question
 * @param {Row} answer
 * @returns {Mark[]}
 */
function marksOf(question, answer) {
  const origin = pointOf(question, ["ox", "oy", "oz"]) ?? pointOf(question, ["px", "py", "pz"]);
  const place = pointOf(answer, ["x", "y", "z"]);
  if (origin && place) return [{ role: "hit", points: [origin, place] }];
  const direction = pointOf(question, ["dx", "dy", "dz"]);
  const at = typeof answer.height === "number" ? pointOf({ ...question, height: answer.height }, ["x", "height", "z"]) : null;
  if (at) return [{ role: "hit", points: [at] }];
  if (!direction) return [];
  if (origin) {
    const length = Math.hypot(...direction);
    return answer.status === "miss" && length > 0 ? [{ role: "miss", points: [origin, moved(origin, direction, MISS_LENGTH / length)] }] : [];
  }
  const start = shapeCenter(question);
  if (!start) return [];
  const t = typeof answer.t === "number" ? answer.t : 1;
  return [{ role: answer.status === "miss" ? "miss" : "motion", points: [start, moved(start, direction, t)] }];
}

/**
 * The middle of a row's shape.
 * @param {Row} row
 * @returns {Point | null}
 */
export function shapeCenter(row) {
  const pairs = /** @type {const} */ ([
    [["min_x", "min_y", "min_z"], ["max_x", "max_y", "max_z"]],
    [["ax", "ay", "az"], ["bx", "by", "bz"]],
  ]);
  for (const [low, high] of pairs) {
    const [a, b] = [pointOf(row, low), pointOf(row, high)];
    if (a && b) return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
  }
  return pointOf(row, ["cx", "cy", "cz"]);
}

/**
 * @param {Row} row
 * @param {readonly string[]} columns
 * @returns {Point | null}
 */
export function pointOf(row, columns) {
  const [x, y, z] = columns.map((column) => row[column]);
  return typeof x === "number" && typeof y === "number" && typeof z === "number" ? [x, y, z] : null;
}

/** @param {Point} point @param {Point} by @param {number} t @returns {Point} */
function moved(point, by, t) {
  return [point[0] + by[0] * t, point[1] + by[1] * t, point[2] + by[2] * t];
}
