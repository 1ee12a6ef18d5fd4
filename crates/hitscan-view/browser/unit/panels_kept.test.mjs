// The text that keeps shots over a reload: bounded, of one scene, and nothing where it is not such a text.
import assert from "node:assert/strict";
import { test } from "node:test";
import { keptShots, keptText, shotOfLink } from "../../page/shots_kept.js";

const scene = /** @type {import("../../page/messages.js").Scene} */ ({ name: "yard", source: { file: "/a/yard.toml" } });
const seen = /** @type {import("../../page/app.js").Seen} */ ({ camera: null, size: [2, 2], mode: "picture", outline: false, hide: [], layers: null });
/** @param {number} key @param {Partial<import("../../page/store.js").Shot>} [more] */
const shot = (key, more) => /** @type {import("../../page/store.js").Shot} */ ({ key, name: `Ray ${key}`, tool: "ray", question: { ox: key }, options: {}, as_of_ms: 0, world: { poses: [] }, seen, reading: 3, ask: 7, answer: {}, ...more });

test("what is kept of a scene is brought back for it alone", () => {
  const text = keptText(scene, [shot(1), shot(2, { question: undefined }), shot(3, { world: null }), shot(4)], shot(4));
  const { shots, current } = keptShots(text, scene);
  assert.deepEqual(shots.map(({ key, ask, answer, unasked }) => [key, ask, answer, unasked]), [[1, undefined, undefined, true], [4, undefined, undefined, true]]);
  assert.equal(current, shots[1]);
  for (const other of [{ ...scene, name: "else" }, { ...scene, source: { file: "/b/yard.toml" } }]) assert.deepEqual(keptShots(text, other).shots, []);
  for (const wrong of [null, "", "{", "[]", "3", text.replace('"shots"', '"shot"')]) assert.deepEqual(keptShots(wrong, scene), { shots: [], current: null });
});

test("the newest are kept, to a number and a length of text", () => {
  const many = Array.from({ length: 150 }, (_, at) => shot(at));
  assert.deepEqual(keptShots(keptText(scene, many, null), scene).shots.map(({ key }) => key), many.slice(50).map(({ key }) => key));
  const long = Array.from({ length: 50 }, (_, at) => shot(at, { question: { ignore: "x".repeat(20_000) } }));
  const text = keptText(scene, long, null);
  assert.ok(text.length < 210_000);
  assert.deepEqual(keptShots(text, scene).shots.map(({ key }) => key), long.slice(-9).map(({ key }) => key));
});

test("a link's question is the newest shot that asks the same of the same world", () => {
  const posed = [{ object: "a", clip: "walk", time: 1 }];
  const shots = [shot(1), shot(1, { key: 2 }), shot(1, { key: 3, world: { poses: posed } }), shot(1, { key: 4, options: { hits: "all" } })];
  const link = { tool: /** @type {const} */ ("ray"), question: { ox: 1 } };
  assert.equal(shotOfLink(shots, link, [])?.key, 2);
  assert.equal(shotOfLink(shots, link, posed)?.key, 3);
  assert.equal(shotOfLink(shots, { ...link, options: { hits: "all" } }, [])?.key, 4);
  assert.equal(shotOfLink(shots, { ...link, question: { ox: 2 } }, []), undefined);
});
