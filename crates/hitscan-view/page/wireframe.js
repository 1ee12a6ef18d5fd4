/** Shapes of questions as lines to draw. What they hit is never decided here. Pure. */

import { add, cross, scale, sub, turn, unit } from "./vector.js";

const CIRCLE_POINTS = 48;

/** The outline of a question's shape at the start; of a hull, which its columns name, nothing. @param {string} shape @param {Row} question @returns {Point[][]} */
export function shapeLines(shape, question) {
  const at = (/** @type {string} */ column) => Number(question[column] ?? 0);
  const point = (/** @type {[string, string, string]} */ ...columns) => /** @type {Point} */ (columns.map(at));
  const center = point("cx", "cy", "cz");
  const half = point("half_x", "half_y", "half_z");
  return {
    sphere: () => sphereLines(center, at("radius")),
    capsule: () => tubeLines(point("ax", "ay", "az"), point("bx", "by", "bz"), at("radius"), true),
    cylinder: () => tubeLines(point("ax", "ay", "az"), point("bx", "by", "bz"), at("radius"), false),
    hull: () => [],
    turned_box: () => placedLines(boxLines(scale(half, -1), half), question),
    box: () => boxLines(point("min_x", "min_y", "min_z"), point("max_x", "max_y", "max_z")),
  }[/** @type {ShapeKind} */ (shape)]();
}

/** Lines around the origin where the columns c and q of a question put them. @param {readonly Point[][]} lines @param {Row} question @returns {Point[][]} */
export function placedLines(lines, question) {
  const [cx = 0, cy = 0, cz = 0] = ["cx", "cy", "cz"].map((column) => Number(question[column] ?? 0));
  const quaternion = ["qx", "qy", "qz", "qw"].map((column) => Number(question[column] ?? (column === "qw" ? 1 : 0)));
  return lines.map((line) => line.map((point) => add(rotated(point, quaternion), [cx, cy, cz])));
}

/**
 * Lines after a part of a question's motion, which may turn about an axis through a point.
 * @param {readonly Point[][]} lines at the start @param {Row} question @param {number} t @param {Point} [pivot] at the start
 * @returns {Point[][]}
 */
export function movedLines(lines, question, t, pivot) {
  const vector = (/** @type {string[]} */ columns) => /** @type {Point} */ (columns.map((column) => Number(question[column] ?? 0)));
  const motion = scale(vector(["dx", "dy", "dz"]), t);
  const axis = unit(vector(["axis_x", "axis_y", "axis_z"]));
  const angle = Number(question.angle ?? 0) * t;
  const turned = (/** @type {Point} */ point) => (pivot && axis ? add(turn(sub(point, pivot), axis, angle), pivot) : point);
  return lines.map((line) => line.map((point) => add(turned(point), motion)));
}

/** The middle of the box around lines. @param {readonly Point[][]} lines @returns {Point | undefined} */
export function middleOf(lines) {
  const points = lines.flat();
  if (points.length === 0) return undefined;
  const ends = [0, 1, 2].map((axis) => points.reduce(([low, high], point) => [Math.min(low, point[axis] ?? 0), Math.max(high, point[axis] ?? 0)], [Infinity, -Infinity]));
  return /** @type {Point} */ (ends.map(([low = 0, high = 0]) => (low + high) / 2));
}

/** The twelve edges of a box. @param {Point} low @param {Point} high @returns {Point[][]} */
function boxLines(low, high) {
  const corner = (/** @type {number} */ bits) => /** @type {Point} */ ([0, 1, 2].map((axis) => ((bits & (1 << axis) ? high : low)[axis])));
  const starts = (/** @type {number} */ bit) => [0, 1, 2, 3, 4, 5, 6, 7].filter((bits) => !(bits & bit));
  return [1, 2, 4].flatMap((bit) => starts(bit).map((bits) => [corner(bits), corner(bits | bit)]));
}

/** @param {Point} center @param {number} radius */
function sphereLines(center, radius) {
  const [x, y, z] = /** @type {[Point, Point, Point]} */ ([[1, 0, 0], [0, 1, 0], [0, 0, 1]]);
  return [circle(center, x, y, radius), circle(center, y, z, radius), circle(center, z, x, radius)];
}

/** Circles around two ends and what joins them; with half circles over each where the ends are round. @param {Point} a @param {Point} b @param {number} radius @param {boolean} isRound */
function tubeLines(a, b, radius, isRound) {
  const axis = unit(sub(b, a));
  const u = axis && unit(cross(axis, Math.abs(axis[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0]));
  if (!axis || !u) return sphereLines(a, radius);
  const v = cross(axis, u);
  const sides = [u, v, scale(u, -1), scale(v, -1)].map((side) => [a, b].map((end) => add(end, scale(side, radius))));
  const caps = !isRound ? [] : [u, v].flatMap((side) => [circle(b, side, axis, radius, 0.5), circle(a, side, scale(axis, -1), radius, 0.5)]);
  return [circle(a, u, v, radius), circle(b, u, v, radius), ...sides, ...caps];
}

/** A circle, or a part of it. @param {Point} center @param {Point} u @param {Point} v @param {number} radius @param {number} [part] */
function circle(center, u, v, radius, part = 1) {
  const count = CIRCLE_POINTS * part;
  return Array.from({ length: count + 1 }, (_, i) => {
    const angle = (i / CIRCLE_POINTS) * 2 * Math.PI;
    return add(center, add(scale(u, Math.cos(angle) * radius), scale(v, Math.sin(angle) * radius)));
  });
}

/** A point rotated by a quaternion x, y, z, w of any length. @param {Point} point @param {number[]} quaternion */
function rotated(point, quaternion) {
  const size = Math.hypot(...quaternion) || 1;
  const [x = 0, y = 0, z = 0, w = 1] = quaternion.map((q) => q / size);
  const twice = scale(cross([x, y, z], point), 2);
  return add(add(point, scale(twice, w)), cross([x, y, z], twice));
}
