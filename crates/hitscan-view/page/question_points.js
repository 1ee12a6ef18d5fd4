/** The points of a question that can be dragged, and the question that a dragged point gives. Pure. */

import { pointOf, shapeCenter } from "./table_rows.js";
import { add, sub } from "./vector.js";

/**
 * @typedef {import("./messages.js").AskTool} AskTool
 * @typedef {import("./messages.js").Point} Point
 * @typedef {import("./messages.js").Row} Row
 *
 * @typedef {object} Draggable
 * @property {string} id
 * @property {string} label
 * @property {Point} point
 * @property {"plane" | "surface"} snap
 * @property {(point: Point) => Row} moved the question with this point there
 */

/** The columns that hold the places of a shape. */
const PLACES = [
  ["min_x", "min_y", "min_z"],
  ["max_x", "max_y", "max_z"],
  ["cx", "cy", "cz"],
  ["ax", "ay", "az"],
  ["bx", "by", "bz"],
];

/**
 * Those of rays are the tool's own (`tool_ray.js`).
 * @param {AskTool} tool
 * @param {Row} question
 * @param {Row} [answer] the first
 * @returns {Draggable[]}
 */
export function draggables(tool, question, answer = {}) {
  switch (tool) {
    case "ray":
      return [];
    case "arc":
      return arcPoints(question);
    case "sweep":
      return sweepPoints(question);
    case "height":
      return heightPoints(question, answer);
    case "overlap":
      return shapePoints(question, "Shape");
    case "closest": {
      const point = pointOf(question, ["px", "py", "pz"]);
      if (!point) return [];
      return [{ id: "point", label: "Point", point, snap: "plane", moved: (to) => with3(question, ["px", "py", "pz"], to) }];
    }
  }
}

/** @param {Row} question @returns {Draggable[]} */
function arcPoints(question) {
  const origin = pointOf(question, ["ox", "oy", "oz"]);
  const velocity = pointOf(question, ["vx", "vy", "vz"]);
  if (!origin || !velocity) return [];
  return [
    { id: "origin", label: "Origin", point: origin, snap: "plane", moved: (to) => with3(question, ["ox", "oy", "oz"], to) },
    {
      id: "velocity",
      label: "Velocity, a metre for each m/s",
      point: add(origin, velocity),
      snap: "plane",
      moved: (to) => with3(question, ["vx", "vy", "vz"], sub(to, origin)),
    },
  ];
}

/** @param {Row} question @returns {Draggable[]} */
function sweepPoints(question) {
  const center = shapeCenter(question);
  const motion = pointOf(question, ["dx", "dy", "dz"]);
  if (!center || !motion) return [];
  const end = add(center, motion);
  return [
    {
      id: "start",
      label: "Start",
      point: center,
      snap: "plane",
      moved: (to) => with3(shifted(question, sub(to, center)), ["dx", "dy", "dz"], sub(end, to)),
    },
    { id: "end", label: "End", point: end, snap: "plane", moved: (to) => with3(question, ["dx", "dy", "dz"], sub(to, center)) },
  ];
}

/** @param {Row} question @param {string} label @returns {Draggable[]} */
function shapePoints(question, label) {
  const center = shapeCenter(question);
  if (!center) return [];
  return [{ id: "shape", label, point: center, snap: "plane", moved: (to) => shifted(question, sub(to, center)) }];
}

/** @param {Row} question @param {Row} answer @returns {Draggable[]} */
function heightPoints(question, answer) {
  const { x, z } = question;
  const { height } = answer;
  if (typeof x !== "number" || typeof z !== "number" || typeof height !== "number") return [];
  const moved = (/** @type {Point} */ to) => ({ ...question, x: Math.fround(to[0]), z: Math.fround(to[2]) });
  return [{ id: "point", label: "Point", point: [x, height, z], snap: "surface", moved }];
}

/**
 * A shape elsewhere: all its places move alike.
 * @param {Row} question
 * @param {Point} by
 * @returns {Row}
 */
export function shifted(question, by) {
  return PLACES.reduce((row, columns) => {
    const place = pointOf(row, columns);
    return place ? with3(row, columns, add(place, by)) : row;
  }, question);
}

/**
 * A row with three columns replaced, each the nearest f32.
 * @param {Row} row
 * @param {readonly string[]} columns
 * @param {Point} point
 * @returns {Row}
 */
export function with3(row, columns, point) {
  const next = { ...row };
  columns.forEach((column, axis) => {
    next[column] = Math.fround(point[axis] ?? 0) + 0;
  });
  return next;
}
