/** Shapes of questions as lines to draw. What they meet is never decided here. */

import { add, cross, scale, sub, unit } from "./vector.js";

/**
 * @typedef {import("./messages.js").Point} Point
 * @typedef {import("./messages.js").Row} Row
 */

/** How many points a circle is drawn with. */
const CIRCLE_POINTS = 48;

/** The edges of a box by its corners; bits 0, 1 and 2 of a corner are the upper ends of x, y and z. */
export const BOX_EDGES = [0, 1, 2].flatMap((axis) =>
  [0, 1, 2, 3, 4, 5, 6, 7].filter((corner) => !(corner & (1 << axis))).map((corner) => [corner, corner | (1 << axis)]),
);

/**
 * The outline of a question's shape after a part of its motion.
 * @param {string} shape
 * @param {Row} question
 * @param {number} t
 * @returns {Point[][]}
 */
export function shapeLines(shape, question, t) {
  const at = (/** @type {string} */ column) => Number(question[column] ?? 0);
  /** @type {(columns: readonly [string, string, string]) => Point} */
  const point = ([x, y, z]) => [at(x), at(y), at(z)];
  const move = point(["dx", "dy", "dz"]);
  const moved = (/** @type {Point} */ [x, y, z]) => /** @type {Point} */ ([x + move[0] * t, y + move[1] * t, z + move[2] * t]);
  return outline(shape, at, point).map((line) => line.map(moved));
}

/**
 * @param {string} shape
 * @param {(column: string) => number} at
 * @param {(columns: readonly [string, string, string]) => Point} point
 * @returns {Point[][]}
 */
function outline(shape, at, point) {
  switch (shape) {
    case "sphere":
      return sphereLines(point(["cx", "cy", "cz"]), at("radius"));
    case "capsule":
      return capsuleLines(point(["ax", "ay", "az"]), point(["bx", "by", "bz"]), at("radius"));
    case "turned_box": {
      const half = point(["half_x", "half_y", "half_z"]);
      const center = point(["cx", "cy", "cz"]);
      const turn = rotation([at("qx"), at("qy"), at("qz"), at("qw")]);
      return boxLines(corners(half.map((h) => -h), half).map((corner) => add(turn(corner), center)));
    }
    default:
      return boxLines(corners(point(["min_x", "min_y", "min_z"]), point(["max_x", "max_y", "max_z"])));
  }
}

/**
 * @param {readonly number[]} low
 * @param {readonly number[]} high
 * @returns {Point[]}
 */
export function corners(low, high) {
  return Array.from({ length: 8 }, (_, corner) => {
    const [x, y, z] = [0, 1, 2].map((axis) => (corner & (1 << axis) ? high : low)[axis] ?? 0);
    return [x ?? 0, y ?? 0, z ?? 0];
  });
}

/**
 * The twelve edges of a box.
 * @param {readonly Point[]} points
 * @returns {Point[][]}
 */
export function boxLines(points) {
  return BOX_EDGES.map((edge) => edge.map((corner) => points[corner] ?? [0, 0, 0]));
}

/**
 * Three circles.
 * @param {Point} center
 * @param {number} radius
 */
function sphereLines(center, radius) {
  /** @type {Point[]} */
  const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  return axes.map((u, i) => circle(center, u, axes[(i + 1) % 3] ?? u, radius));
}

/**
 * @param {Point} a
 * @param {Point} b
 * @param {number} radius
 */
function capsuleLines(a, b, radius) {
  const axis = unit(sub(b, a));
  const u = axis && unit(cross(axis, Math.abs(axis[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0]));
  if (!axis || !u) return sphereLines(a, radius);
  const v = cross(axis, u);
  const sides = [u, scale(u, -1), v, scale(v, -1)].map((side) => [add(a, scale(side, radius)), add(b, scale(side, radius))]);
  const caps = [u, v].flatMap((side) => [circle(b, side, axis, radius, 0.5), circle(a, side, scale(axis, -1), radius, 0.5)]);
  return [circle(a, u, v, radius), circle(b, u, v, radius), ...sides, ...caps];
}

/**
 * A circle, or a part of it, around a point.
 * @param {Point} center
 * @param {Point} u
 * @param {Point} v
 * @param {number} radius
 * @param {number} [part]
 * @returns {Point[]}
 */
export function circle(center, u, v, radius, part = 1) {
  const count = Math.ceil(CIRCLE_POINTS * part);
  return Array.from({ length: count + 1 }, (_, i) => {
    const angle = (i / count) * part * 2 * Math.PI;
    return add(center, add(scale(u, Math.cos(angle) * radius), scale(v, Math.sin(angle) * radius)));
  });
}

/**
 * The rotation of a quaternion, brought to unit length.
 * @param {readonly [number, number, number, number]} quaternion x, y, z, w
 * @returns {(point: Point) => Point}
 */
function rotation(quaternion) {
  const size = Math.hypot(...quaternion) || 1;
  const [x, y, z, w] = quaternion.map((q) => q / size);
  /** @type {Point} */
  const axis = [x ?? 0, y ?? 0, z ?? 0];
  return (point) => {
    const t = scale(cross(axis, point), 2);
    return add(add(point, scale(t, w ?? 1)), cross(axis, t));
  };
}
