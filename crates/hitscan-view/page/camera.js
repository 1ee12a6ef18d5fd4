/**
 * A camera and its moves: where a point is in the picture, and which camera a gesture makes of it.
 * Pure: cameras go in and come out.
 *
 * The same camera as the library's `Camera` (+Y up in the picture; -Z or +Z where it looks straight
 * down or up), for overlays and gestures alone: rays of pixels are made by the program.
 *
 * Places in the picture are fractions of it: [0, 0] is the upper left corner, [1, 1] the lower right.
 */

import { add, along, cross, dot, length, scale, sub, turn, unit } from "./vector.js";

/** @import { Camera, Pair, Point } from "./messages.js" */

/** How near to straight up or down an orbit goes, radians. */
const STEEPEST = (89 * Math.PI) / 180;
/** The part of the picture that framed bounds fill. */
const FILLED = 0.8;
/** How far from the scene an eye may go, in diagonals of the scene. */
const FARTHEST = 20;

/** Half of the picture's height one metre ahead. @param {Camera} camera */
const halfHeight = (camera) => Math.tan((camera.fov * Math.PI) / 360);

/** How far what it looks at is, metres. @param {Camera} camera */
export const reach = (camera) => length(sub(camera.look, camera.eye));

/**
 * Right, up and forward, unit vectors.
 * @param {Camera} camera
 * @returns {{right: Point, up: Point, forward: Point}}
 */
export function axes(camera) {
  const forward = unit(sub(camera.look, camera.eye)) ?? [0, 0, -1];
  const pictureUp = /** @type {Point} */ ([0, 0, forward[1] < 0 ? -1 : 1]);
  const right = unit(cross(forward, [0, 1, 0])) ?? unit(cross(forward, pictureUp)) ?? [1, 0, 0];
  return { right, up: cross(right, forward), forward };
}

/**
 * What projects points for one camera: made once for many points.
 * @param {Camera} camera
 * @param {number} aspect width / height of the picture
 * @returns {(point: Point) => {place: Pair, depth: number}} depth: metres ahead of the eye; in
 *   perspective a place means something only where it is above 0
 */
export function projector(camera, aspect) {
  const { right, up, forward } = axes(camera);
  const tall = halfHeight(camera);
  const flat = camera.projection === "orthographic" ? tall * reach(camera) : 0;
  return (point) => {
    const from = sub(point, camera.eye);
    const depth = dot(from, forward);
    const half = flat || tall * depth;
    const across = dot(from, right) / (half * aspect);
    const above = dot(from, up) / half;
    return { place: [0.5 + 0.5 * across, 0.5 - 0.5 * above], depth };
  };
}

/**
 * The point at a place of the picture, `depth` metres ahead of the eye.
 * @param {Camera} camera
 * @param {number} aspect
 * @param {Pair} place
 * @param {number} depth
 * @returns {Point}
 */
export function pointAt(camera, aspect, place, depth) {
  const { right, up, forward } = axes(camera);
  const half = halfHeight(camera) * (camera.projection === "orthographic" ? reach(camera) : depth);
  const across = (2 * place[0] - 1) * half * aspect;
  const above = (1 - 2 * place[1]) * half;
  return add(along(camera.eye, forward, depth), add(scale(right, across), scale(up, above)));
}

/** How far ahead of the eye a point is, metres. @param {Camera} camera @param {Point} point */
export const depthOf = (camera, point) => dot(sub(point, camera.eye), axes(camera).forward);

/**
 * The camera moved as a whole.
 * @param {Camera} camera
 * @param {Point} by
 * @returns {Camera}
 */
export const moved = (camera, by) => ({
  ...camera,
  eye: add(camera.eye, by),
  look: add(camera.look, by),
});

/**
 * The camera, moved back where its eye has left the surroundings of the scene.
 * @param {Camera} camera
 * @param {[Point, Point] | undefined} bounds the scene's
 * @returns {Camera}
 */
export function within(camera, bounds) {
  if (!bounds) return camera;
  const [min, max] = bounds;
  const margin = FARTHEST * (length(sub(max, min)) || 1);
  const back = camera.eye.map((at, axis) => Math.max(min[axis] - margin, Math.min(max[axis] + margin, at)) - at);
  return back.every((by) => by === 0) ? camera : moved(camera, /** @type {Point} */ (back));
}

/**
 * Looks at the middle of bounds from straight above, as from where it is: all of them is in view.
 * @param {Camera} camera
 * @param {number} aspect
 * @param {[Point, Point]} bounds
 * @returns {Camera}
 */
export function above(camera, aspect, bounds) {
  const middle = scale(add(bounds[0], bounds[1]), 0.5);
  return framed({ ...camera, eye: add(middle, [0, 1, 0]), look: middle }, aspect, bounds);
}

/**
 * Turns about `pivot`, which keeps its place in the picture; the horizon stays level and the camera
 * does not go over the top.
 * @param {Camera} camera
 * @param {Point} pivot
 * @param {number} yaw radians, to the right
 * @param {number} pitch radians, upward
 * @returns {Camera}
 */
export function orbited(camera, pivot, yaw, pitch) {
  const { forward } = axes(camera);
  const before = Math.asin(Math.max(-1, Math.min(1, forward[1])));
  const after = Math.max(-STEEPEST, Math.min(STEEPEST, before + pitch));
  // Where it already looks straight down, the first move may only come back.
  const tilt = Math.abs(before) > STEEPEST && Math.abs(after) >= Math.abs(before) ? 0 : after - before;
  const { right } = axes(camera);
  const about = (/** @type {Point} */ point) => {
    const tilted = turn(sub(point, pivot), right, tilt);
    return add(pivot, turn(tilted, [0, 1, 0], -yaw));
  };
  return { ...camera, eye: about(camera.eye), look: about(camera.look) };
}

/**
 * Moves in the plane of the picture so that `grabbed` comes to a place of the picture.
 * @param {Camera} camera
 * @param {number} aspect
 * @param {Point} grabbed
 * @param {Pair} place
 * @returns {Camera}
 */
export function panned(camera, aspect, grabbed, place) {
  const depth = depthOf(camera, grabbed);
  return moved(camera, sub(grabbed, pointAt(camera, aspect, place, depth)));
}

/**
 * Goes nearer to `target` by the factor (below 1 nearer, above 1 farther); the target keeps its
 * place in the picture, and the directions of all rays stay.
 * @param {Camera} camera
 * @param {Point} target
 * @param {number} factor
 * @returns {Camera}
 */
export function dollied(camera, target, factor) {
  const near = (/** @type {Point} */ point) => along(target, sub(point, target), factor);
  const next = { ...camera, eye: near(camera.eye), look: near(camera.look) };
  return reach(next) > 1e-4 && reach(next) < 1e7 ? next : camera;
}

/**
 * Flies: metres to the right, up (of the world) and ahead.
 * @param {Camera} camera
 * @param {Point} by
 * @returns {Camera}
 */
export function flown(camera, by) {
  const { right, forward } = axes(camera);
  return moved(camera, add(add(scale(right, by[0]), [0, by[1], 0]), scale(forward, by[2])));
}

/**
 * Looks at the middle of bounds from the direction that it has, from where all of them is in view.
 * @param {Camera} camera
 * @param {number} aspect
 * @param {[Point, Point]} bounds
 * @returns {Camera}
 */
export const framed = (camera, aspect, bounds) => fitted(camera, aspect, corners(bounds));

/**
 * Looks at the middle of the box around points from the direction that it has, from where all are in view.
 * @param {Camera} camera
 * @param {number} aspect
 * @param {readonly Point[]} points at least one
 * @returns {Camera}
 */
export function fitted(camera, aspect, points) {
  const end = (/** @type {(...numbers: number[]) => number} */ pick) =>
    points.reduce((one, point) => /** @type {Point} */ (one.map((number, axis) => pick(number, point[axis]))));
  const middle = scale(add(end(Math.min), end(Math.max)), 0.5);
  const { right, up, forward } = axes(camera);
  const tall = halfHeight(camera) * FILLED;
  let distance = 0.1;
  for (const point of points) {
    const from = sub(point, middle);
    const needed = Math.max(Math.abs(dot(from, up)), Math.abs(dot(from, right)) / aspect) / tall;
    const nearer = camera.projection === "orthographic" ? 0 : -dot(from, forward);
    distance = Math.max(distance, needed + nearer);
  }
  return { ...camera, eye: along(middle, forward, -distance), look: middle };
}

/**
 * The corners of a box: bit 0 of a corner's number is the end along x, bit 1 y, bit 2 z.
 * @param {[Point, Point]} bounds
 * @returns {Point[]}
 */
export function corners(bounds) {
  const end = (/** @type {number} */ corner, /** @type {number} */ axis) =>
    bounds[(corner >> axis) & 1][axis];
  return Array.from({ length: 8 }, (_, corner) => [end(corner, 0), end(corner, 1), end(corner, 2)]);
}

/**
 * The part of a segment that lies ahead of the eye by at least `near` metres, or null.
 * @param {(point: Point) => {place: Pair, depth: number}} project
 * @param {Point} a
 * @param {Point} b
 * @param {number} near
 * @returns {[Point, Point] | null}
 */
export function clipped(project, a, b, near) {
  const [da, db] = [project(a).depth - near, project(b).depth - near];
  if (da < 0 && db < 0) return null;
  if (da >= 0 && db >= 0) return [a, b];
  const cut = along(a, sub(b, a), da / (da - db));
  return da < 0 ? [cut, b] : [a, cut];
}
