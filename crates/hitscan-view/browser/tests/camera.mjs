// A camera of the tests' own: where points of the world are in the picture, and which ray a pixel has.

/** @typedef {[number, number, number]} Point */
/** @typedef {{eye: Point, look: Point, fov: number, size: [number, number]}} Camera fov: degrees, from the lower to the upper edge */

const sub = (/** @type {Point} */ a, /** @type {Point} */ b) => /** @type {Point} */ ([a[0] - b[0], a[1] - b[1], a[2] - b[2]]);
const dot = (/** @type {Point} */ a, /** @type {Point} */ b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (/** @type {Point} */ a, /** @type {Point} */ b) =>
  /** @type {Point} */ ([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]);
/** @param {Point} a @returns {Point} */
const unit = (a) => [a[0] / Math.hypot(...a), a[1] / Math.hypot(...a), a[2] / Math.hypot(...a)];

/** @param {Camera} camera */
function axes({ eye, look, fov, size }) {
  const ahead = unit(sub(look, eye));
  const right = unit(cross(ahead, [0, 1, 0]));
  const high = Math.tan((fov * Math.PI) / 360);
  return { ahead, right, up: cross(right, ahead), high, wide: (high * size[0]) / size[1] };
}

/**
 * The pixel that shows a point.
 * @param {Camera} camera
 * @param {Point} point
 * @returns {[number, number]}
 */
export function pixelOf(camera, point) {
  const { ahead, right, up, high, wide } = axes(camera);
  const by = sub(point, camera.eye);
  const depth = dot(by, ahead);
  const [width, height] = camera.size;
  const [u, v] = [dot(by, right) / depth / wide, dot(by, up) / depth / high];
  return [Math.floor(((u + 1) / 2) * width), Math.floor(((1 - v) / 2) * height)];
}

/**
 * How far a direction is from the ray through the middle of a pixel, in pixels.
 * @param {Camera} camera
 * @param {readonly [number, number]} pixel
 * @param {Point} direction
 */
export function offset(camera, [x, y], direction) {
  const { ahead, right, up, high, wide } = axes(camera);
  const depth = dot(direction, ahead);
  const [width, height] = camera.size;
  const column = ((dot(direction, right) / depth / wide + 1) / 2) * width - 0.5;
  const row = ((1 - dot(direction, up) / depth / high) / 2) * height - 0.5;
  return Math.hypot(column - x, row - y);
}

/**
 * A link's camera.
 * @param {string} fragment
 * @param {[number, number]} size
 * @returns {Camera}
 */
export function cameraOf(fragment, size) {
  const fields = new Map(fragment.replace(/^#/, "").split("&").map((one) => /** @type {[string, string]} */ (one.split("="))));
  const numbers = (/** @type {string} */ name) => decodeURIComponent(fields.get(name) ?? "").split(",").map(Number);
  const point = (/** @type {string} */ name) => /** @type {Point} */ (numbers(name));
  return { eye: point("eye"), look: point("look"), fov: numbers("fov")[0] ?? NaN, size };
}
