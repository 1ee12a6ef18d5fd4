/** The points of a question that can be dragged, and the question that a dragged point gives. Pure. */

import { shortest } from "./numbers.js";
import { add, sub } from "./vector.js";

/** The columns that hold the places of a shape. */
const PLACES = ["min", "max", "c", "a", "b"].map((name) => ["x", "y", "z"].map((axis) => (name.length > 1 ? `${name}_${axis}` : name + axis)));
const PIVOT = ["pivot_x", "pivot_y", "pivot_z"];
const TARGET = ["target_x", "target_y", "target_z"];
const MOTION = ["dx", "dy", "dz"];

/** Those of rays are the tool's own. @param {AskTool} tool @param {Row} question @param {Row} [answer] the first @returns {Draggable[]} */
export function draggables(tool, question, answer = {}) {
  const center = shapeCenter(question);
  /** @param {string} id @param {string} label @param {Point | null} point @param {(to: Point) => Row} moved */
  const one = (id, label, point, moved) => (point ? [{ id, label, point, snap: /** @type {const} */ ("plane"), moved }] : []);
  const columns = (/** @type {string} */ name) => ["x", "y", "z"].map((axis) => name + axis);
  if (tool === "closest") return one("point", "Point", pointOf(question, columns("p")), (to) => with3(question, columns("p"), to));
  if (tool === "overlap") return one("shape", "Shape", center, (to) => shifted(question, sub(to, center ?? to)));
  if (tool === "sweep") {
    const motion = pointOf(question, MOTION);
    if (!center || !motion) return [];
    const end = add(center, motion);
    return [
      ...one("start", "Start", center, (to) => with3(shifted(question, sub(to, center)), MOTION, sub(end, to))),
      ...one("end", "End", end, (to) => with3(question, MOTION, sub(to, center))),
    ];
  }
  if (tool === "arc") {
    const [origin, velocity] = [pointOf(question, columns("o")), pointOf(question, columns("v"))];
    if (!origin || !velocity) return [];
    return [
      ...one("origin", "Origin", origin, (to) => with3(question, columns("o"), to)),
      ...one("velocity", "Velocity, a metre for each m/s", add(origin, velocity), (to) => with3(question, columns("v"), sub(to, origin))),
    ];
  }
  if (tool === "sight") {
    const [eye, target] = [["x", "y", "z"], TARGET];
    return [
      ...one("eye", "Eye", pointOf(question, eye), (to) => with3(question, eye, to)),
      ...one("target", "Target", pointOf(question, target), (to) => with3(question, target, to)),
    ];
  }
  const ground = pointOf({ ...question, ...answer }, ["x", "height", "z"]);
  if (tool !== "height" || !ground) return [];
  return [{ id: "point", label: "Point", point: ground, snap: "surface", moved: ([x, , z]) => ({ ...question, x: shortest(x), z: shortest(z) }) }];
}

/** A shape elsewhere: all its places move alike, and what it turns about. @param {Row} question @param {Point} by */
export function shifted(question, by) {
  return [...PLACES, PIVOT].reduce((row, columns) => {
    const place = pointOf(row, columns);
    return place ? with3(row, columns, add(place, by)) : row;
  }, question);
}

/** A row with three columns replaced, each the nearest f32. @param {Row} row @param {readonly string[]} columns @param {Point} point @returns {Row} */
export function with3(row, columns, point) {
  return { ...row, ...Object.fromEntries(columns.map((column, axis) => [column, shortest(point[axis] ?? 0)])) };
}

/** The middle of a row's shape. @param {Row} row @returns {Point | null} */
export function shapeCenter(row) {
  const places = PLACES.map((columns) => pointOf(row, columns)).filter((place) => place !== null);
  const [a, b] = [places[0], places.at(-1)];
  return a && b ? [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2] : null;
}

/** @param {Row} row @param {readonly string[]} columns @returns {Point | null} */
export function pointOf(row, columns) {
  const point = columns.map((column) => row[column]);
  return point.every((value) => typeof value === "number") ? /** @type {Point} */ (point) : null;
}
