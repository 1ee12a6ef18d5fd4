/** Rows of an answered table: in a sentence, and as lines of the picture. Pure. */

import { whole } from "./format.js";
import { pointOf, shapeCenter } from "./question_points.js";
import { along, length } from "./vector.js";

/** How far a ray that meets nothing is drawn, metres. */
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

/** What a row asks and meets. @param {Row} question @param {Row} answer @returns {Mark[]} */
export function marksOfRow(question, answer) {
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
