// A viewshed: what is said of it, how it is copied, and which tints the program still has.
import assert from "node:assert/strict";
import test from "node:test";
import { columnsOf, questionColumns, unitOf } from "../../page/columns.js";
import { commandLine, tableRow } from "../../page/copy_as.js";
import { readLink } from "../../page/link.js";
import { pythonTest } from "../../page/python_test.js";
import { rustTest } from "../../page/rust_test.js";
import { UNPOSED } from "../../page/view_log.js";
import { countsNote, eyeFacts } from "../../page/viewshed_text.js";
import { isKept, KEPT } from "../../page/viewshed_tint.js";

const ANSWER = { status: "ok", object: "ridge", visible: 120, hidden: 169, outside: 0, share: 0.4152, area: 120, eye: "x 2.500, y 2.500, z 8.250" };

/** @type {Asked} */
const SEEN = {
  name: "Viewshed 1",
  tool: "viewshed",
  question: { x: 2.5, z: 8.25, mask: 3, ignore: "it's;a crate" },
  options: { above: 1.8, terrain: "ridge", max_distance: 900 },
  answers: [ANSWER],
  total: 1,
  world: UNPOSED,
};

/** @type {SceneSource} */
const SCENE = { file: "/levels/my scene.toml" };

test("the command line has the eye by its names, the filter and the options", () => {
  const line = "hitscan viewshed '/levels/my scene.toml' --eye x=2.5,z=8.25 --mask 3 --ignore 'it'\\''s;a crate' --above 1.8 --terrain ridge --max-distance 900 -o viewshed.png";
  assert.equal(commandLine(SEEN, SCENE), line);
  const at = { ...SEEN, question: { x: 1, y: 4.5, z: -2 }, options: { curvature: true, refraction: 0.13, target_above: 2 } };
  assert.equal(commandLine(at, { file: "demo:" }), "hitscan viewshed demo: --eye x=1,z=-2,y=4.5 --curvature --refraction 0.13 --target-above 2 -o viewshed.png");
  // In map coordinates the eye is in metres of the scene, to the bit of the f32 that was queried.
  const mapped = /** @type {Scene} */ ({ origin: [500000, 90, 6200000] });
  assert.match(commandLine({ ...at, question: { x: 500001.25, z: 6199998.5 } }, SCENE, mapped), / --eye x=1\.25,z=-1\.5 /);
});

test("the command line of a posed shot has all of it in the link", () => {
  const world = { poses: [{ object: "fox", clip: "Walk", time: 2 }] };
  const [start, link, end] = commandLine({ ...SEEN, question: { x: 2.5, z: 8.25 }, world }, SCENE).split("'").slice(2);
  assert.deepEqual([start, end], [" --link ", " -o viewshed.png"]);
  assert.deepEqual(readLink(link ?? ""), { poses: world.poses, tool: "viewshed", question: { x: 2.5, z: 8.25 }, options: SEEN.options });
});

test("tests count the samples, and are none where nothing is seen from", () => {
  const rust = rustTest(SEEN, SCENE, undefined);
  assert.match(rust, /use hitscan::height_field::\{ViewshedQuery, Visibility\};/);
  assert.match(rust, /ViewshedQuery::standing\(\[f32::from_bits\(0x40200000\), f32::from_bits\(0x41040000\)\]\)\.with_above\(1\.8\)\.unwrap\(\)\.with_max_distance\(900\.0\)\.unwrap\(\);/);
  assert.match(rust, /count\(Visibility::Visible\), 120\);[^]*count\(Visibility::Hidden\), 169\);/);
  const python = pythonTest(SEEN, SCENE);
  assert.match(python, /view\.viewshed\("ridge", \[2\.5, 8\.25\], above=1\.8, max_distance=900, layers=0x3, ignore=\["it's", "a crate"\]\)/);
  assert.match(python, /hitscan\.Visibility\.VISIBLE\)\.sum\(\) == 120/);
  const off = { ...SEEN, answers: [{ status: "outside" }] };
  assert.match(rustTest(off, SCENE, undefined), /assert!\(viewshed\.is_none\(\)\);/);
  assert.match(pythonTest(off, SCENE), /assert seen is None/);
});

test("the columns are those of the question and of the counts", () => {
  assert.deepEqual(questionColumns("viewshed", {}, { x: 1, z: 2 }), ["x", "z", "mask", "ignore"]);
  assert.deepEqual(questionColumns("viewshed", {}, { x: 1, y: 3, z: 2 }), ["x", "y", "z", "mask", "ignore"]);
  // Where the eye was is shown beside them.
  assert.deepEqual(columnsOf("viewshed", {}, ANSWER), ["status", "object", "visible", "hidden", "outside", "share", "area"]);
  assert.equal(unitOf("viewshed", "area"), "m²");
  assert.equal(tableRow({ ...SEEN, question: { x: 2.5, z: 8.25 } }), "x,z\n2.5,8.25\n");
});

test("where the eye was is said in the scene and on its map", () => {
  assert.deepEqual(eyeFacts(ANSWER), [["eye, in the scene", "x 2.500, y 2.500, z 8.250"]]);
  assert.deepEqual(eyeFacts({ eye: "x 1.000, y 2.000, z 3.000 (lon 11.5, lat 57.5, height 90.000)" }), [
    ["eye, in the scene", "x 1.000, y 2.000, z 3.000"],
    ["eye, on the map", "lon 11.5, lat 57.5, height 90.000"],
  ]);
  assert.deepEqual(eyeFacts({ status: "outside" }), []);
  assert.match(countsNote({}), /^Terrain, models and solids hide/);
  assert.match(countsNote({ curvature: true }), /curvature/);
});

test("the last viewsheds are kept, whichever of them is shown", () => {
  const all = Array.from({ length: KEPT + 2 }, (_, at) => 10 + at * 3);
  assert.deepEqual(all.map((ask) => isKept(ask, all)), [false, false, ...Array.from({ length: KEPT }, () => true)]);
});
