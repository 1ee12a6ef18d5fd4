// The camera's moves against the pinhole equation written out once more, in another way: a camera is
// compared by what it shows where.
import assert from "node:assert/strict";
import { test } from "node:test";
import { above, axes, clipped, corners, dollied, flown, framed, orbited, panned, pointAt, projector, reach, within } from "../../page/camera.js";
import { ahead, back, NOWHERE, rested } from "../../page/camera_history.js";

/** @typedef {import("../../page/messages.js").Camera} Camera */
/** @typedef {import("../../page/messages.js").Point} Point */
/** @typedef {import("../../page/messages.js").Pair} Pair */

/** @type {Camera} */
const HOME = { eye: [3, 4, 12], look: [-1, 2, 0], fov: 50, projection: "perspective" };
/** @type {Camera[]} */
const CAMERAS = [
  HOME,
  { ...HOME, projection: "orthographic" },
  { ...HOME, eye: [-40, 900, 7], look: [-40.5, 0, 7.25], fov: 17 },
  { eye: [0, 9, 0], look: [0, 0, 0], fov: 60, projection: "perspective" },
  { eye: [0, -9, 0], look: [0, 0, 0], fov: 60, projection: "perspective" },
];

/** @param {ArrayLike<number>} found @param {ArrayLike<number>} expected @param {number} within */
function near(found, expected, within = 1e-9) {
  for (let at = 0; at < expected.length; at++) {
    assert.ok(Math.abs(found[at] - expected[at]) <= within, `${[...Array.from(found)]} is not ${[...Array.from(expected)]}`);
  }
}

/** Numbers from 0 to 1 that are the same in each run (mulberry32). @param {number} seed */
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

test("a pinhole camera shows a point where similar triangles say", () => {
  /** @type {Camera} */
  const camera = { eye: [0, 0, 10], look: [0, 0, 0], fov: 90, projection: "perspective" };
  const project = projector(camera, 2);
  near(project([0, 0, 0]).place, [0.5, 0.5]);
  near(project([20, 10, 0]).place, [1, 0]);
  near(project([-10, -5, 0]).place, [0.25, 0.75]);
  assert.equal(project([0, 0, 20]).depth, -10);
});

test("looking straight down, -Z is up in the picture; straight up, +Z is", () => {
  near(axes(CAMERAS[3]).up, [0, 0, -1]);
  near(axes(CAMERAS[3]).right, [1, 0, 0]);
  near(axes(CAMERAS[4]).up, [0, 0, 1]);
});

test("of an orthographic camera, what is at its target is as large as in perspective", () => {
  const point = /** @type {Point} */ (HOME.look.map((at, axis) => at + axes(HOME).up[axis] * 0.7));
  const [one, other] = [projector(HOME, 1.5)(point), projector({ ...HOME, projection: "orthographic" }, 1.5)(point)];
  near(one.place, other.place);
});

test("places and points are inverse to each other", () => {
  const next = random(7);
  for (const camera of CAMERAS) {
    for (let at = 0; at < 200; at++) {
      const place = /** @type {Pair} */ ([next() * 1.4 - 0.2, next() * 1.4 - 0.2]);
      const depth = 0.1 + next() * 100;
      const found = projector(camera, 1.7)(pointAt(camera, 1.7, place, depth));
      near(found.place, place, 1e-9);
      near([found.depth], [depth], 1e-9);
    }
  }
});

test("an orbit keeps its pivot in place, the horizon level, and its head up", () => {
  const next = random(11);
  for (const camera of CAMERAS) {
    let turned = camera;
    const pivot = pointAt(camera, 1.5, [0.3, 0.6], 8);
    const before = projector(camera, 1.5)(pivot);
    for (let at = 0; at < 400; at++) {
      turned = orbited(turned, pivot, (next() - 0.5) * 2, (next() - 0.5) * 2);
      assert.ok(Math.abs(axes(turned).right[1]) < 1e-9);
      assert.ok(axes(turned).up[1] > 0, "the camera went over the top");
    }
    const after = projector(turned, 1.5)(pivot);
    near([reach(turned)], [reach(camera)], 1e-6);
    // From straight above, the first turn chooses what is up in the picture.
    if (camera.eye[0] !== camera.look[0]) {
      near(after.place, before.place, 1e-6);
      near([after.depth], [before.depth], 1e-6);
    }
  }
});

test("an orbit of nothing is nothing, and one there and back comes back", () => {
  near(orbited(HOME, [1, 2, 3], 0, 0).eye, HOME.eye, 1e-12);
  const there = orbited(HOME, [1, 2, 3], 0.4, 0.2);
  near(orbited(there, [1, 2, 3], -0.4, -0.2).eye, HOME.eye, 1e-9);
});

test("panning brings the grabbed point under the pointer", () => {
  for (const camera of CAMERAS) {
    const grabbed = pointAt(camera, 1.5, [0.2, 0.8], 6);
    const moved = panned(camera, 1.5, grabbed, [0.9, 0.1]);
    const shown = projector(moved, 1.5)(grabbed);
    near(shown.place, [0.9, 0.1]);
    near([shown.depth], [6]);
    near(axes(moved).forward, axes(camera).forward);
  }
});

test("a dolly keeps its target in place and all directions", () => {
  for (const camera of CAMERAS) {
    const target = pointAt(camera, 1.5, [0.7, 0.3], 9);
    const near1 = dollied(camera, target, 0.25);
    near(projector(near1, 1.5)(target).place, [0.7, 0.3], 1e-9);
    near(axes(near1).forward, axes(camera).forward);
    if (camera.projection === "perspective") near([projector(near1, 1.5)(target).depth], [9 * 0.25]);
  }
  let far = HOME;
  for (let at = 0; at < 1000; at++) far = dollied(far, [0, 0, 0], 3);
  assert.ok(far.eye.every(Number.isFinite) && reach(far) < 1e7);
  let close = HOME;
  for (let at = 0; at < 1000; at++) close = dollied(close, [0, 0, 0], 0.3);
  assert.ok(reach(close) > 0);
});

test("flying goes up by the world and ahead by the camera", () => {
  const moved = flown(HOME, [0, 2, 5]);
  const ahead = axes(HOME).forward;
  near(moved.eye, [3 + 5 * ahead[0], 6 + 5 * ahead[1], 12 + 5 * ahead[2]]);
});

test("framed bounds are in view as a whole, and fill it", () => {
  /** @type {[Point, Point][]} */
  const boxes = [[[0, 0, 0], [1, 1, 1]], [[-500, -20, -900], [500, 300, 40]], [[5, 5, 5], [5, 5, 5]], [[0, 0, 0], [300, 0.1, 0.1]]];
  for (const camera of CAMERAS) {
    for (const aspect of [0.4, 1, 2.4]) {
      for (const bounds of boxes) {
        const found = framed(camera, aspect, bounds);
        const places = corners(bounds).map((corner) => projector(found, aspect)(corner));
        for (const { place, depth } of places) {
          assert.ok(place.every((at) => at >= 0 && at <= 1), `${place}`);
          assert.ok(depth > 0 || camera.projection === "orthographic");
        }
        near(axes(found).forward, axes(camera).forward, 1e-6);
      }
    }
  }
});

test("a segment is cut where it comes before the eye", () => {
  const project = projector({ eye: [0, 0, 0], look: [0, 0, -1], fov: 60, projection: "perspective" }, 1);
  assert.equal(clipped(project, [0, 0, 1], [1, 0, 2], 0.5), null);
  const kept = clipped(project, [0, 0, -3], [4, 0, 1], 1);
  assert.deepEqual(kept?.[0], [0, 0, -3]);
  near(kept?.[1] ?? [], [2, 0, -1]);
});

test("the eye stays around the scene, and looks as it did", () => {
  /** @type {[[number, number, number], [number, number, number]]} */
  const bounds = [[0, 0, 0], [3, 0, 4]];
  const far = { eye: /** @type {[number, number, number]} */ ([2e10, 1, 0]), look: /** @type {[number, number, number]} */ ([2e10, 1, -1]), fov: 50, projection: /** @type {const} */ ("perspective") };
  const kept = within(far, bounds);
  assert.deepEqual([kept.eye, kept.look], [[103, 1, 0], [103, 1, -1]]);
  assert.equal(within(kept, bounds), kept);
  assert.equal(within(far, undefined), far);
  const top = above(far, 1, bounds);
  assert.deepEqual([top.look, top.eye[0], top.eye[2]], [[1.5, 0, 2], 1.5, 2]);
  assert.ok(top.eye[1] > 4);
});

test("the camera goes back and ahead through where it rested", () => {
  const camera = (/** @type {number} */ x) => ({ eye: /** @type {[number, number, number]} */ ([x, 0, 0]), look: /** @type {[number, number, number]} */ ([x, 0, 1]), fov: 50, projection: /** @type {const} */ ("perspective") });
  const two = rested(rested(rested(NOWHERE, camera(1)), camera(2)), camera(2));
  assert.equal(two.past.length, 2);
  const one = back(two);
  assert.deepEqual(one.past.at(-1), camera(1));
  assert.equal(back(one).past.length, 1);
  assert.deepEqual(ahead(one), two);
  assert.equal(rested(one, camera(3)).future.length, 0);
});
