// What the ruler reads, against lengths worked out by hand.
import assert from "node:assert/strict";
import test from "node:test";
import { tapped } from "../../page/pointer_words.js";
import { legOf, rulerText, wholeOf } from "../../page/ruler.js";
import { parsePoint } from "../../page/tool_sight.js";

test("a leg has its lengths, its slope and its bearing", () => {
  assert.deepEqual(legOf([1, 2, 3], [4, 2, -1]), { straight: 5, level: 5, rise: 0, slope: 0, bearing: (Math.atan2(3, 4) * 180) / Math.PI });
  const up = legOf([0, 0, 0], [0, -7, 0]);
  assert.deepEqual([up.straight, up.level, up.rise, up.slope, up.bearing], [7, 0, -7, -90, null]);
  assert.equal(legOf([0, 0, 0], [-2, 0, 0]).bearing, 270);
  assert.equal(legOf([0, 0, 0], [0, 0, 2]).bearing, 180);
  assert.equal(legOf([5, 5, 5], [5, 5, 5]).slope, null);
});

test("the way is the sum of its legs", () => {
  const whole = wholeOf([[0, 0, 0], [3, 4, 0], [3, 4, 12]]);
  assert.deepEqual([whole?.path, whole?.straight, whole?.rise], [17, 13, 4]);
  assert.equal(wholeOf([[0, 0, 0]]), null);
  assert.equal(rulerText([[0, 0, 0], [3, 4, 0]]).split("\n")[1], "0,0,0,,,,,");
});

test("points are typed with commas or spaces", () => {
  assert.deepEqual(parsePoint(" 1, -2.5,3e2 "), [1, -2.5, 300]);
  assert.deepEqual(parsePoint("1 2 3"), [1, 2, 3]);
  for (const wrong of ["", "1,2", "1,2,x", "1,,3", "1,2,1e39"]) assert.equal(parsePoint(wrong), null, wrong);
});

test("fingers tap", () => {
  assert.equal(tapped("Click a point, or click twice; clicked."), "Tap a point, or tap twice; clicked.");
});
