// What is said and drawn of an object that was expected, and where a shot is seen from its side.
import assert from "node:assert/strict";
import test from "node:test";
import { projector } from "../../page/camera.js";
import { degrees, earlierSentence, expectedMarks, figures, nearText, reasonSentence, reasonWord } from "../../page/expected_text.js";
import { besides, shotPoints } from "../../page/side_view.js";
import { cross, length, sub } from "../../page/vector.js";

/** @import { Answer, Camera, Expected, Point } from "../../page/messages.js" */

/** @type {Expected} */
const PASSED = {
  object: "ball",
  is_hit: false,
  reasons: [
    {
      reason: "missed",
      approach: { object: "ball", distance: 0.5, t: 4, on_ray: [4, 6.5, 4], on_object: [4, 6, 4] },
      turn: { angle: Math.PI / 20, t: 3.5, point: [3.2, 5.6, 4] },
      why: "the ray passes it by 0.5 m at t = 4",
    },
  ],
  earlier: { tried_ms: 840, ago_ms: 300, point: [4, 5, 4] },
};

/** @type {Expected} */
const HIDDEN = {
  object: "fox",
  is_hit: false,
  met: { object: "fox", t: 9, distance: 9, point: [9, 0, 0], side: "front" },
  reasons: [{ reason: "hidden", by: { object: "wall", t: 4, distance: 4, point: [4, 0, 0], side: "front" }, why: "wall is hit at t = 4, 5 m before it" }],
};

test("what kept an object from being the answer is told in a sentence and in figures", () => {
  const [passed] = PASSED.reasons;
  const [hidden] = HIDDEN.reasons;
  assert.ok(passed && hidden);
  assert.equal(reasonSentence(PASSED, passed), "The ray passes it by 0.5 m at t = 4.");
  assert.equal(reasonSentence(HIDDEN, hidden), "wall is hit at t = 4, 5 m before it.");
  assert.deepEqual(figures(PASSED, passed), [
    ["misses by", "500 mm"],
    ["turned to hit", "9°"],
    ["nearest at t", "4"],
    ["there the shot", "4  6.5  4"],
    ["and the object", "4  6  4"],
  ]);
  const onMap = Object.fromEntries(figures(PASSED, passed, [500_000.25, 0, 6_000_000.1]));
  assert.equal(onMap["and the object"], "500004.25  6  6000004.1");
  assert.deepEqual(figures(HIDDEN, hidden), [
    ["hidden by", "wall"],
    ["which is at t", "4"],
    ["at", "4  0  0"],
    ["met at t", "9"],
    ["where it is met", "9  0  0"],
  ]);
  assert.deepEqual(["wrong_side", "out_of_range", "hidden"].map((reason) => reasonWord({ reason, why: "" })), ["facing away", "out of range", "hidden"]);
  assert.equal(reasonSentence(HIDDEN, { reason: "filtered", why: "layers" }), "Left out by the question's layers.");
  assert.equal(degrees(0.0001), "0.00573°");
  assert.equal(nearText({ object: "ball", distance: 0.25, t: 15, on_ray: [0, 0, 0], on_object: [0, 0, 0] }), "by 250 mm at t = 15");
});

test("another time is told where it was looked for", () => {
  assert.equal(earlierSentence(PASSED), "It was there 0.3 s ago: the same shot hits ball in the view of then.");
  assert.equal(earlierSentence({ ...PASSED, earlier: { tried_ms: 840 } }), "Nor does the same shot hit ball in any view of the 0.84 s before it.");
  assert.equal(earlierSentence(HIDDEN), "");
});

test("the nearest pair of points, the correction, and what is hidden are drawn", () => {
  assert.deepEqual(expectedMarks(PASSED, [0, 6.5, 4]), [
    { role: "turned", points: [[0, 6.5, 4], [3.2, 5.6, 4]] },
    { role: "approach", points: [[4, 6.5, 4], [4, 6, 4]], label: "500 mm, 9°" },
    { role: "was", points: [[4, 5, 4]], label: "0.3 s ago" },
  ]);
  assert.deepEqual(expectedMarks(HIDDEN, [0, 0, 0]), [{ role: "approach", points: [[4, 0, 0], [9, 0, 0]], label: "fox" }]);
  assert.deepEqual(expectedMarks(undefined, [0, 0, 0]), []);
});

/** @param {Point[]} points @param {string} status @returns {Answer} */
const ray = (points, status) => ({ tool: "ray", question: {}, answers: [{ status }], sentence: "", lines: [{ role: "ray", points }] });

test("a shot is seen from its side: its ends fill the picture, and it is no dot", () => {
  /** @type {Camera[]} */
  const cameras = [
    { eye: [0, 5, 14], look: [0, 1, 0], fov: 40, projection: "perspective" },
    { eye: [0, 5, 14], look: [0, 1, 0], fov: 70, projection: "orthographic" },
  ];
  /** @type {Point[][]} */
  const shots = [[[0, 5, 14], [0, 1, 0]], [[0, 5, 14], [300, 60, -200]], [[3, 90, 3], [3, 1, 3]], [[0, 0, 0], [0.02, 0, 0.01]]];
  for (const camera of cameras) {
    for (const aspect of [0.5, 1.8]) {
      for (const shot of shots) {
        const points = shotPoints(ray(shot, "hit"));
        assert.ok(points);
        const places = besides(camera, aspect, points);
        assert.equal(places.length, 6);
        for (const one of places) {
          const project = projector(one, aspect);
          const [a, b] = [project(points[0]), project(points[1])];
          for (const { place } of [a, b]) assert.ok(place.every((at) => at >= 0 && at <= 1), `${place}`);
          // At right angles but for the look from above.
          const along = sub(points[1], points[0]);
          const ahead = sub(one.look, one.eye);
          const sine = length(cross(along, ahead)) / length(along) / length(ahead);
          assert.ok(sine > 0.5, `${sine}`);
        }
        const [first] = places;
        const project = first && projector(first, aspect);
        const [a, b] = points.map((point) => project?.(point).place ?? [0, 0]);
        const apart = Math.max(Math.abs((a?.[0] ?? 0) - (b?.[0] ?? 0)), Math.abs((a?.[1] ?? 0) - (b?.[1] ?? 0)));
        assert.ok(length(sub(points[1], points[0])) < 0.1 || apart > 0.5, `${apart}`);
      }
    }
  }
  const miss = ray([[0, 0, 0], [0, 0, -500]], "miss");
  const nearest = { ask: 1, candidates: [], approach: { on_ray: /** @type {Point} */ ([0, 0, -7]), on_object: /** @type {Point} */ ([0, 1, -7]) } };
  assert.deepEqual(shotPoints(miss, nearest), [[0, 0, 0], [0, 0, -7], [0, 1, -7]]);
  assert.equal(shotPoints({ ...miss, lines: [] }), null);
  const seen = { role: /** @type {const} */ ("seen"), points: /** @type {Point[]} */ ([[0, 0, 0], [0, 0, -4]]) };
  const unseen = { role: /** @type {const} */ ("unseen"), points: /** @type {Point[]} */ ([[0, 0, -4], [0, 0, -9]]) };
  const blocked = { ...miss, answers: [{ status: "blocked" }], lines: [unseen, seen] };
  assert.deepEqual(shotPoints(blocked)?.slice(0, 2), [[0, 0, 0], [0, 0, -9]]);
});
