/** Shapes of questions as lines to draw. What they meet is never decided here. Pure. */

import { add, cross, scale, sub, unit } from "./vector.js";

const CIRCLE_POINTS = 48;

/** The outline of a question's shape after a part of its motion. @param {string} shape @param {Row} question @param {number} t @returns {Point[][]} */
export function shapeLines(shape, question, t) {
  const at = (/** @type {string} */ column) => Number(question[column] ?? 0);
  const point = (/** @type {[string, string, string]} */ ...columns) => /** @type {Point} */ (columns.map(at));
  const center = point("cx", "cy", "cz");
  const half = point("half_x", "half_y", "half_z");
  const lines = {
    sphere: () => sphereLines(center, at("radius")),
    capsule: () => capsuleLines(point("ax", "ay", "az"), point("bx", "by", "bz"), at("radius")),
    turned_box: () => boxLines(scale(half, -1), half).map((edge) => edge.map((corner) => add(rotated(corner, ["qx", "qy", "qz", "qw"].map(at)), center))),
    box: () => boxLines(point("min_x", "min_y", "min_z"), point("max_x", "max_y", "max_z")),
  }[/** @type {ShapeKind} */ (shape)]();
  const motion = scale(point("dx", "dy", "dz"), t);
  return lines.map((line) => line.map((one) => add(one, motion)));
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

/** @param {Point} a @param {Point} b @param {number} radius */
function capsuleLines(a, b, radius) {
  const axis = unit(sub(b, a));
  const u = axis && unit(cross(axis, Math.abs(axis[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0]));
  if (!axis || !u) return sphereLines(a, radius);
  const v = cross(axis, u);
  const sides = [u, v, scale(u, -1), scale(v, -1)].map((side) => [a, b].map((end) => add(end, scale(side, radius))));
  const caps = [u, v].flatMap((side) => [circle(b, side, axis, radius, 0.5), circle(a, side, scale(axis, -1), radius, 0.5)]);
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
