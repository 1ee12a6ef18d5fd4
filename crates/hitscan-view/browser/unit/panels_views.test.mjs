import assert from "node:assert/strict";
import test from "node:test";
import { glanceOf, isOfPairs, listed, pairBounds } from "../../page/answer_text.js";
import { rowOfKey, scrollToRow, windowOf } from "../../page/list_window.js";
import { advanced, posesOf, speedAt, speedPosition, tracksOf, wrapped } from "../../page/playback.js";
import { draggables, shifted } from "../../page/question_points.js";
import { layersOf, treeRows, withLayer } from "../../page/scene_tree.js";
import { areaPath, extentOf, focusOf, heightsWithin, linePath, scaleOf, ticks, xOf, yOf, zoomed } from "../../page/section_scale.js";
import * as shots from "../../page/shot_list.js";
import { metres } from "../../page/numbers.js";
import { approachSentences, axisSentence, candidateSentence, groundSentence, marchSentence, parents, sentence } from "../../page/why_text.js";
import { middleOf, movedLines, shapeLines } from "../../page/wireframe.js";

test("of a long list only what is seen is drawn", () => {
  const list = { count: 10_000, rowHeight: 40, scrollTop: 4000, height: 400 };
  assert.deepEqual(windowOf(list), { first: 92, end: 118 });
  assert.deepEqual(windowOf({ ...list, count: 3 }), { first: 2, end: 3 });
  assert.deepEqual(windowOf({ ...list, count: 0, scrollTop: 0 }), { first: 0, end: 0 });
  assert.equal(scrollToRow({ ...list, row: 5 }), 200);
  assert.equal(scrollToRow({ ...list, row: 105 }), 4000);
  assert.equal(scrollToRow({ ...list, row: 200 }), 7640);
  const keys = ["ArrowDown", "PageUp", "Home", "End", "x"];
  assert.deepEqual(keys.map((key) => rowOfKey(key, 5, 10, 8)), [6, 0, 0, 9, null]);
});

/** @type {Section} */
const CUT = {
  object: "ridge",
  ray: [[0, 10], [20, 0]],
  focus: [0, 20],
  ground: [[0, 0], [10, 4], [11, null], [12, 2], [20, 0]],
};

test("a section's scale holds the ground and the ray near it", () => {
  assert.deepEqual(extentOf(CUT), [0, 20]);
  const scale = scaleOf(CUT, [0, 20], { width: 200, height: 100 });
  assert.deepEqual([scale.low, scale.high], [-0.5, 10.5]);
  assert.deepEqual([xOf(scale, 10), yOf(scale, 10.5), yOf(scale, -0.5)], [100, 0, 100]);
  assert.equal(scale.exaggeration, 100 / 11 / 10);
  const high = { ...CUT, ray: /** @type {[number, number][]} */ ([[0, 900], [20, 0]]) };
  assert.ok(scaleOf(high, [0, 20], { width: 200, height: 100 }).high < 13);
  assert.deepEqual(heightsWithin(CUT.ground, 5, 10), [2, 4]);
});

test("a section shows what matters, with a margin, and no more than there is", () => {
  assert.deepEqual(focusOf(CUT), [0, 20]);
  assert.deepEqual(focusOf({ ...CUT, focus: [10, 15] }), [9.5, 15.5]);
  assert.deepEqual(focusOf({ ...CUT, focus: [0, 10] }), [0, 11]);
  assert.deepEqual(focusOf({ ...CUT, focus: [7, 7] }), [6.5, 7.5]);
  assert.equal(groundSentence({ ...CUT, end: "fox" }), "The ray ends at fox; ridge is not what decides.");
  assert.equal(groundSentence(CUT), "The ray goes over ridge, which decides nothing here.");
});

test("lines are interrupted over holes", () => {
  const scale = { s0: 0, s1: 20, low: 0, high: 10, width: 200, height: 100, exaggeration: 1 };
  assert.equal(linePath(scale, CUT.ground), "M0 100L100 60M120 80L200 100");
  assert.equal(areaPath(scale, CUT.ground), "M0 100L100 60L100 100L0 100ZM120 80L200 100L200 100L120 100Z");
});

test("ticks are round, and zooming stays within the whole", () => {
  assert.deepEqual(ticks(0, 1, 4), [0, 0.5, 1]);
  assert.deepEqual(ticks(-3, 103, 5), [0, 50, 100]);
  assert.deepEqual(ticks(0.31, 0.35, 4), [0.31, 0.32, 0.33, 0.34, 0.35]);
  assert.deepEqual(ticks(1, 1, 4), []);
  assert.deepEqual(zoomed([0, 100], 0.5, 100, [0, 100]), [50, 100]);
  assert.deepEqual(zoomed([50, 100], 4, 75, [0, 100]), [0, 100]);
});

/** @param {number} key @returns {Shot} */
const shot = (key) => ({ key, name: `Ray ${key}`, tool: "ray", options: {}, as_of_ms: 0, reading: 1, seen: { camera: null, size: [1, 1], mode: "picture", outline: false, hide: [], layers: null } });

test("shots are undone and done again, and keep their answers", () => {
  const [one, two] = [shot(1), shot(2)];
  let list = shots.observed(shots.observed(shots.EMPTY, [one]), [one, two]);
  list = shots.rename(list, 2, "  mine ");
  assert.deepEqual(list.shots.map(({ name }) => name), ["Ray 1", "mine"]);
  const refused = { field: "x", expected: "y" };
  list = shots.observed(list, list.shots.map((each) => ({ ...each, refused })));
  assert.equal(list.past.length, 3);
  list = shots.undo(shots.undo(list));
  assert.deepEqual(list.shots.map(({ name, refused: why }) => [name, why]), [["Ray 1", refused]]);
  list = shots.redo(shots.redo(list));
  assert.deepEqual(list.shots.map(({ name }) => name), ["Ray 1", "mine"]);
  assert.equal(shots.neighbour(list.shots, 2)?.key, 1);
  list = shots.remove(list, 1);
  assert.deepEqual(shots.undo(list).shots.length, 2);
  assert.equal(shots.redo(list), list);
  assert.equal(shots.undo(shots.EMPTY), shots.EMPTY);
});

/** @type {SceneObject[]} */
const OBJECTS = [
  { name: "ridge", kind: "terrain" },
  { name: "fox", kind: "model", layers: 6, parts: ["head", "tail"], clips: [{ name: "Walk", start: 0, end: 1 }, { name: "Run", start: 1, end: 3 }], clip: "Run", time: 2 },
];

test("the tree lists parts where it is open, and where a search is for them", () => {
  const names = (/** @type {string} */ search, /** @type {string[]} */ open) =>
    treeRows(OBJECTS, search, new Set(open)).map(({ object, part }) => part ?? object.name);
  assert.deepEqual(names("", []), ["ridge", "fox"]);
  assert.deepEqual(names("", ["fox"]), ["ridge", "fox", "head", "tail"]);
  assert.deepEqual(names("TAIL", []), ["fox", "tail"]);
  assert.deepEqual(names("terr", []), ["ridge"]);
  assert.deepEqual(layersOf(OBJECTS), [{ bit: 0, count: 1 }, { bit: 1, count: 1 }, { bit: 2, count: 1 }]);
  assert.equal(withLayer(null, 31, false), 0x7fffffff);
  assert.equal(withLayer(0x7fffffff, 31, true), null);
});

test("clips go round, and only what differs from the scene is a pose", () => {
  const models = OBJECTS.slice(1);
  const tracks = tracksOf(models);
  assert.deepEqual(posesOf(models, tracks), { poses: [], left: 0 });
  const later = advanced(models, tracks, 1.5);
  assert.equal(later[0]?.time, 1.5);
  const blended = later.map((track) => ({ ...track, second: "Walk", weight: 0.25 }));
  assert.deepEqual(posesOf(models, blended).poses, [{ object: "fox", clip: "Run", time: 1.5, blend: { clip: "Walk", time: 0.25, weight: 0.25 } }]);
  assert.equal(wrapped({ name: "", start: 2, end: 2 }, 7), 2);
  assert.equal(wrapped({ name: "", start: 1, end: 3 }, 0.5), 2.5);
  const crowd = Array.from({ length: 5000 }, (_, i) => ({ ...OBJECTS[1], name: `crowd0.${i}`, kind: /** @type {const} */ ("model") }));
  const { poses, left } = posesOf(crowd, advanced(crowd, tracksOf(crowd), 0.1));
  assert.equal(poses.length + left, 5000);
  assert.ok(JSON.stringify(poses).length < 60 * 1024);
});

test("a model that the scene poses by no clip rests until it is posed, at its clip's exact start too", () => {
  const start = 1 / 24;
  const models = [{ name: "fox", kind: /** @type {const} */ ("model"), clips: [{ name: "Walk", start, end: 2 }] }];
  const tracks = tracksOf(models);
  assert.deepEqual(posesOf(models, tracks), { poses: [], left: 0 });
  assert.deepEqual(posesOf(models, advanced(models, tracks, 0)).poses, [{ object: "fox", clip: "Walk", time: start }]);
  assert.deepEqual(posesOf(models, advanced(models, tracks, 0.1)).poses, [{ object: "fox", clip: "Walk", time: 0.1417 }]);
});

test("the speed's slider is even in the logarithm and rests at 1", () => {
  assert.equal(speedAt(0), 0.1);
  assert.equal(speedAt(100), 4);
  assert.equal(speedAt(speedPosition(1) + 0.5), 1);
});

test("points that are dragged change their question", () => {
  const question = { min_x: 0, min_y: 0, min_z: 0, max_x: 2, max_y: 2, max_z: 2, dx: 4, dy: 0, dz: 0 };
  const [start, end] = draggables("sweep", question);
  assert.deepEqual([start?.point, end?.point], [[1, 1, 1], [5, 1, 1]]);
  const moved = start?.moved([2, 1, 1]) ?? {};
  assert.deepEqual([moved.min_x, moved.max_x, moved.dx], [1, 3, 3]);
  assert.equal(end?.moved([1, 5, 1]).dy, 4);
  assert.deepEqual(shifted({ ax: 0, ay: 0, az: 0, bx: 0, by: 1, bz: 0, radius: 1 }, [0, 2, 0]), { ax: 0, ay: 2, az: 0, bx: 0, by: 3, bz: 0, radius: 1 });
  assert.deepEqual(draggables("height", { x: 1, z: 2 }, { status: "hole" }), []);
});

test("shapes are drawn where they are at t", () => {
  const box = { min_x: 0, min_y: 0, min_z: 0, max_x: 1, max_y: 1, max_z: 1, dx: 2, dy: 0, dz: 0 };
  const lines = movedLines(shapeLines("box", box), box, 0.5);
  assert.equal(lines.length, 12);
  assert.deepEqual(lines[0], [[1, 0, 0], [2, 0, 0]]);
  const turned = { cx: 0, cy: 0, cz: 0, half_x: 1, half_y: 1, half_z: 1, qx: 0, qy: 0, qz: 0, qw: 2 };
  assert.deepEqual(shapeLines("turned_box", turned)[0], [[-1, -1, -1], [1, -1, -1]]);
  // A quarter of a turn about +Y through x = 1, right-handed, halfway through the motion.
  const turning = { dx: 0, dy: 2, dz: 0, axis_x: 0, axis_y: 5, axis_z: 0, angle: Math.PI };
  const [[moved = [NaN, NaN, NaN]] = []] = movedLines([[[0, 0, 0]]], turning, 0.5, [1, 0, 0]);
  assert.ok(Math.hypot(moved[0] - 1, moved[1] - 1, moved[2] - 1) < 1e-12, String(moved));
  assert.deepEqual(middleOf([[[0, 0, 0], [2, 4, 6]], [[1, 9, 1]]]), [1, 4.5, 3]);
  const cylinder = shapeLines("cylinder", { ax: 0, ay: 0, az: 0, bx: 0, by: 2, bz: 0, radius: 1 }).flat();
  assert.ok(cylinder.every(([, y]) => y === 0 || y === 2));
  for (const line of shapeLines("sphere", { cx: 1, cy: 2, cz: 3, radius: 2 })) {
    for (const [x, y, z] of line) assert.ok(Math.abs(Math.hypot(x - 1, y - 2, z - 3) - 2) < 1e-9);
  }
  const capsule = shapeLines("capsule", { ax: 0, ay: 0, az: 0, bx: 0, by: 2, bz: 0, radius: 1 }).flat();
  assert.equal(Math.max(...capsule.map(([, y]) => y)), 3);
  assert.equal(Math.min(...capsule.map(([, y]) => y)), -1);
});

test("a step is led to by what was opened around it", () => {
  const visit = (/** @type {string} */ what, /** @type {number} */ depth, /** @type {string} */ verdict, /** @type {string} */ object) =>
    /** @type {Visit} */ ({ what, depth, verdict, object });
  const walk = [
    visit("world_node", 0, "opened", ""),
    visit("object", 1, "opened", "fox"),
    visit("tree_node", 0, "opened", "fox"),
    visit("tree_node", 1, "missed", "fox"),
    visit("object", 1, "opened", "ridge"),
    visit("block", 0, "opened", "ridge"),
    visit("triangle", 3, "hit", "ridge"),
  ].map(({ object, ...rest }) => (object ? { object, ...rest } : rest));
  assert.deepEqual(parents(walk, 6), [0, 4, 5]);
  assert.deepEqual(parents(walk, 3), [0, 1, 2]);
  assert.deepEqual(parents(walk, 0), []);
});

test("answers and reasons are told in sentences", () => {
  assert.equal(sentence("it is nearer"), "It is nearer.");
  assert.equal(sentence("bruno is nearer", ["ada", "bruno"]), "bruno is nearer.");
  const base = { tool: /** @type {const} */ ("ray"), question: {}, sentence: "" };
  const kinds = ["hit", "miss", "overlap", "invalid"].map((status) => glanceOf({ ...base, answers: [{ status }] }).kind);
  assert.deepEqual(kinds, ["hit", "miss", "overlap", "invalid"]);
  const pairs = { ...base, tool: /** @type {const} */ ("overlap"), question: {}, answers: [{ object_a: "a" }, { object_a: "b" }] };
  assert.equal(glanceOf(pairs).word, "2 pairs");
  assert.equal(glanceOf({ ...pairs, answers_total: 1234 }).word, "1\u202f234 pairs");
  assert.equal(glanceOf({ ...pairs, answers_total: 100_001 }).word, "over 100\u202f000 pairs");
  /** @type {import("../../page/messages.js").Line[]} */
  const lines = [{ role: "overlap", points: [[1, 2, 3], [0, 5, 3]], answer: 1 }];
  assert.deepEqual(pairBounds({ ...pairs, lines }, 1), [[0, 2, 3], [1, 5, 3]]);
  assert.equal(pairBounds({ ...pairs, lines }, 0), null);
  assert.deepEqual([pairs, { ...pairs, question: { px: 1 } }, { ...pairs, tool: /** @type {const} */ ("ray") }].map(isOfPairs), [true, false, false]);
  assert.equal(listed({ object_a: "a", triangle_a: 1, object_b: "b" }).thing, "a, triangle 1 – b");
  assert.equal(candidateSentence({ object: "a", verdict: "filtered", why: "layers" }), "Left out by the question's layers.");
  assert.equal(candidateSentence({ object: "a", verdict: "out_of_range", why: "" }), "Out of range.");
  assert.equal(axisSentence({ name: "x", enter: 0.25, leave: 0.5, decides: true }), "They overlap from t = 0.25 to t = 0.5; it is entered last and decides.");
  assert.equal(axisSentence({ name: "x" }), "They overlap all the time.");
  assert.deepEqual(approachSentences({ distance: 0.0125, object: "fox", triangle: 3, t: 2, filtered: ["a", "b"] }), [
    "The nearest approach is 12.5 mm from fox, triangle 3 at t = 2.",
    "The filter removed a and b.",
  ]);
  const march = { samples: CUT.ray, bisections: [], hit: /** @type {[number, number]} */ ([24, -3]), stepped_over: 0.25 };
  assert.equal(marchSentence({ ...CUT, march }), "The classic march steps over a ridge that the ray is in for 250 mm, and answers 5 m from the exact hit, along the ray.");
  assert.deepEqual([0, 1e-5, 0.02, 3.14159].map(metres), ["0 m", "10 µm", "20 mm", "3.14 m"]);
});
