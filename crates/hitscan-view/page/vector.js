/** Three numbers and what is done with them. Pure. */

/** @import { Point } from "./messages.js" */

/** @type {(a: Point, b: Point) => Point} */
export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];

/** @type {(a: Point, b: Point) => Point} */
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/** @type {(a: Point, by: number) => Point} */
export const scale = (a, by) => [a[0] * by, a[1] * by, a[2] * by];

/** `a + b * by`. @type {(a: Point, b: Point, by: number) => Point} */
export const along = (a, b, by) => [a[0] + b[0] * by, a[1] + b[1] * by, a[2] + b[2] * by];

/** @type {(a: Point, b: Point) => number} */
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** @type {(a: Point, b: Point) => Point} */
export const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** @type {(a: Point) => number} */
export const length = (a) => Math.hypot(a[0], a[1], a[2]);

/** At unit length, or null where it has none. @type {(a: Point) => Point | null} */
export function unit(a) {
  const size = length(a);
  return size > 0 && Number.isFinite(size) ? scale(a, 1 / size) : null;
}

/** `a` turned about the unit vector `axis`, radians (Rodrigues). @type {(a: Point, axis: Point, angle: number) => Point} */
export function turn(a, axis, angle) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const parallel = dot(axis, a) * (1 - cos);
  return along(along(scale(a, cos), cross(axis, a), sin), axis, parallel);
}
