// Poses of a crowd in links: what is written short is read as it was.
import assert from "node:assert/strict";
import test from "node:test";
import { posesInShort, readLink, stateOf, writeLink } from "../../page/link.js";
import { shiftedPoses, shortPoses } from "../../page/link_shift.js";
import { advanced, posesOf, tracksOf } from "../../page/playback.js";

const CAMERA = /** @type {import("../../page/messages.js").Camera} */ ({ eye: [1, 2, 3], look: [0, 0, 0], fov: 50, projection: "perspective" });
/** A thousand models in one clip, each at a time of its own. */
const objects = Array.from({ length: 1000 }, (_, at) => ({
  name: `fox ${at}`,
  kind: /** @type {const} */ ("model"),
  clips: [{ name: "Run", start: 0, end: 1.158 }],
  clip: "Run",
  time: (at * 0.6180339887) % 1.158,
}));
const scene = { name: "crowd.toml", version: "1", objects, camera: CAMERA, source: { file: "/crowd.toml" } };

/** The poses after some steps of the timeline. @param {number[]} steps */
function played(...steps) {
  const tracks = steps.reduce((now, secs) => advanced(objects, now, secs), tracksOf(objects));
  return posesOf(objects, tracks);
}

test("a crowd that went on by the slider is one number", () => {
  for (const steps of [[0.25], [0.1, 0.2, 0.3333333], [-0.7], [5.0001]]) {
    const { poses, left } = played(...steps);
    const text = writeLink(posesInShort(poses, scene));
    assert.equal(left, 0);
    assert.ok(text.length < 200, `${text.length}`);
    const read = stateOf(readLink(text), CAMERA, objects).poses;
    assert.deepEqual(read, poses);
  }
});

test("models that were posed otherwise are listed beside it", () => {
  const { poses } = played(0.25);
  const some = poses.slice(0, 100).map((pose, at) => (at === 7 ? { ...pose, time: 0.5 } : pose));
  const few = { ...scene, objects: objects.slice(0, 101) };
  const short = shortPoses(some, few);
  assert.deepEqual(short.poses, [some[7], { object: "fox 100", clip: "Run", time: objects[100]?.time }]);
  const all = shiftedPoses(short.shift, short.poses, few.objects);
  assert.deepEqual(all.slice(0, 100), some);
});

test("poses stand in the scene's order, of models at rest too", () => {
  const resting = { name: "statue", kind: /** @type {const} */ ("model"), clips: [{ name: "Nod", start: 0, end: 1 }] };
  const mixed = [resting, ...objects.slice(0, 5)];
  const { poses } = posesOf(mixed, advanced(mixed, tracksOf(mixed), 0.25));
  assert.equal(poses[0]?.object, "statue");
  const read = stateOf(readLink(writeLink(posesInShort(poses, { ...scene, objects: mixed }))), CAMERA, mixed).poses;
  assert.deepEqual(read, poses);
});

test("what is no common shift is listed, and old links are read", () => {
  const some = objects.slice(0, 9).map(({ name }, at) => ({ object: name, clip: "Run", time: [0.1, 0.7, 0.2, 1, 0.9, 0.3, 0.55, 0.45, 0.8][at] ?? 0 }));
  assert.deepEqual(shortPoses(some, { ...scene, objects: objects.slice(0, 9) }), { poses: some });
  assert.deepEqual(shortPoses(some, { ...scene, objects_total: 20_000 }), { poses: some });
  assert.equal(readLink("pose=a:Run:1&shift=soon").shift, undefined);
  assert.deepEqual(stateOf(readLink("pose=fox%201:Run:0.5"), CAMERA, objects).poses, [{ object: "fox 1", clip: "Run", time: 0.5 }]);
});
