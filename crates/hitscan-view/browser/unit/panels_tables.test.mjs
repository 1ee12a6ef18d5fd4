import assert from "node:assert/strict";
import test from "node:test";
import { changeSentence } from "../../page/answer_text.js";
import { columnsOf, questionColumns, readField } from "../../page/columns.js";
import { commandLine, shellWord, tableRow } from "../../page/copy_as.js";
import { csvText, questionTables } from "../../page/csv.js";
import { readLink } from "../../page/link.js";
import { bitsOf, f32Text, fieldText, significant } from "../../page/numbers.js";
import { hasPythonTest, pythonTest } from "../../page/python_test.js";
import { rustTest } from "../../page/rust_test.js";
import { inScene, inTables } from "../../page/table_frame.js";
import { marksOfRow, tableSentence } from "../../page/table_rows.js";
import { sweepOptions } from "../../page/tool_options.js";
import { createViewLog, UNPOSED } from "../../page/view_log.js";

/** @type {Asked} */
const RAY = {
  name: "Ray 1",
  tool: "ray",
  question: { ox: 1.5, oy: 20, oz: -3, dx: 0, dy: -1, dz: 0, t_max: 40 },
  options: { sides: "front" },
  answers: [{ status: "hit", t: 12.25, object: "fox", part: "tail", triangle: 7 }],
  total: 1,
  world: UNPOSED,
};

/** @type {SceneSource} */
const SCENE = { file: "/levels/my scene.toml" };
/** A walking fox, and the same a moment before. @type {Asked} */
const POSED = { ...RAY, world: { poses: [{ object: "fox", clip: "Walk", time: 2, blend: { clip: "Run", time: 0.5, weight: 0.25 } }] } };
/** @type {Asked} */
const PAST = { ...RAY, world: { poses: [{ object: "fox", clip: "Walk", time: 2 }], past: { poses: [{ object: "cat", clip: "0", time: 1 }], start: 100, end: 200, time: 150 } } };

test("numbers are written as the program writes them", () => {
  const texts = [1, -0.1, 1e-7, 3e38, 1e15, 1e16, 0.00001, -0, 0].map(fieldText);
  assert.deepEqual(texts, ["1", "-0.1", "1e-7", "3e+38", "1000000000000000", "1e+16", "0.00001", "-0", "0"]);
  assert.equal(fieldText(undefined), "");
});

test("the fewest digits of an f32 are read back as the same f32", () => {
  for (const value of [0.1, 1 / 3, 16777217, 1.1920929e-7, 3.4028235e38, 1e-45]) {
    assert.equal(Math.fround(Number(f32Text(value))), Math.fround(value));
  }
  assert.equal(f32Text(Math.fround(0.1)), "0.1");
  assert.equal(bitsOf(3.1415927), "0x40490fdb");
  assert.equal(bitsOf(-0), "0x80000000");
  assert.deepEqual([0.001234, 1234.5, 12, 0].map(significant), ["0.00123", "1235", "12", "0"]);
});

test("fields are read as the program reads them", () => {
  assert.deepEqual(readField("ox", " 1e3 "), { value: 1000 });
  assert.deepEqual(readField("t_max", ""), {});
  assert.deepEqual(readField("t_max", "Infinity"), {});
  assert.deepEqual(readField("ignore", "a;b"), { value: "a;b" });
  assert.ok("expected" in readField("ox", ""));
  assert.ok("expected" in readField("ox", "12,5"));
  assert.ok("expected" in readField("ox", "1e39"));
  assert.ok("expected" in readField("mask", "-1"));
});

test("an answer's columns keep the contract's order, whatever else there is", () => {
  const columns = columnsOf("sweep", {}, { side: "front", object: "a", row: 3, status: "hit", start: "separate" });
  assert.deepEqual(columns, ["row", "status", "t", "nx", "ny", "nz", "object", "part", "triangle", "side", "start"]);
  assert.deepEqual(columnsOf("sweep", { contact: true }, { status: "overlap", out_x: 1, separation: -1 }).slice(8, 10), ["start", "x"]);
  assert.deepEqual(columnsOf("overlap", {}, { max_x: 1, object_b: "b", object_a: "a" }), ["object_a", "object_b", "max_x"]);
  assert.deepEqual(columnsOf("ray", { hits: "any" }, { status: "hit" }), ["status"]);
  assert.deepEqual(questionColumns("overlap", { shape: "sphere" }).slice(0, 5), ["cx", "cy", "cz", "radius", "margin"]);
});

test("columns of what turns, of objects that move and of hulls are the program's", () => {
  const turn = ["axis_x", "axis_y", "axis_z", "angle", "pivot_x", "pivot_y", "pivot_z", "tolerance", "mask", "ignore"];
  assert.deepEqual(questionColumns("sweep", { object: true, turning: true }), ["mover", "dx", "dy", "dz", ...turn]);
  assert.deepEqual(columnsOf("sweep", { object: true, turning: true }, { status: "hit" }).slice(-3), ["mover_part", "mover_triangle", "gap"]);
  assert.deepEqual(questionColumns("distance", {}), ["object_a", "object_b", "max_distance", "mask", "ignore"]);
  // A hull is named, and is at its own origin where nothing says otherwise.
  assert.deepEqual(readField("radius", "", { shape: "hull" }), {});
  assert.ok("expected" in readField("radius", "", { shape: "cylinder" }));
  assert.deepEqual(readField("hull", "7", { shape: "hull" }), { value: "7" });
  assert.equal(tableRow({ ...RAY, tool: "overlap", options: { shape: "hull" }, question: { hull: "rock", cy: 2 } }), "hull,cy\nrock,2\n");
  assert.deepEqual(readLink("#v=1&tool=sweep&q=mover:7,dx:1&options=object:true").question, { mover: "7", dx: 1 });
});

test("what turns has the options of the program, and no others", () => {
  const given = { hits: "all", sides: "front", overlaps: "leave", shape: "sphere" };
  assert.deepEqual(sweepOptions(given, { shape: "hull", turning: true, tolerance: 0.01 }), { shape: "hull", turning: true, tolerance: 0.01 });
  assert.deepEqual(sweepOptions({ hits: "any" }, { object: true, turning: true }), { hits: "any", object: true, turning: true });
  assert.deepEqual(sweepOptions(given, { object: true }), { hits: "all", sides: "front", overlaps: "leave", object: true, contact: true });
  const swing = { cx: 0, cy: 1, cz: 0, radius: 0.5, dx: 0, dy: 0, dz: 0, axis_x: 0, axis_y: 1, axis_z: 0, angle: 1.5, pivot_x: 1, pivot_y: 0, pivot_z: 0 };
  /** @type {Asked} */
  const asked = { ...RAY, tool: "sweep", question: swing, options: { shape: "sphere", turning: true, tolerance: 0.01 }, answers: [{ status: "hit", t: 0.5, object: "fox", gap: 0.0078125 }] };
  assert.ok(commandLine(asked, SCENE).endsWith(" - --shape sphere --turning --tolerance 0.01"), commandLine(asked, SCENE));
  const rust = rustTest(asked, SCENE);
  assert.match(rust, /ShapeCast::new\(shape, motion\)\.unwrap\(\)\.turning\(\[0\.0, f32::from_bits\(0x3f800000\), 0\.0\]/);
  assert.match(rust, /\.with_tolerance\(0\.01\)/);
  assert.match(rust, /assert_eq!\(hit\.gap\.to_bits\(\), 0x3c000000\)/);
  assert.match(pythonTest(asked, SCENE), /view\.cast_turnings\(\[hitscan\.Sphere\(\[0, 1, 0\], 0\.5\)\], \[\[0, 1, 0\]\], \[1\.5\], motion=\[\[0, 0, 0\]\], pivot=\[\[1, 0, 0\]\], tolerance=0\.01\)/);
  assert.ok(hasPythonTest(asked) && !hasPythonTest({ ...asked, options: { shape: "hull" } }));
  const whole = { ...asked, question: { mover: "the \"fox\"", dx: 0, dy: 0.5, dz: 0, axis_x: 0, axis_y: 1, axis_z: 0, angle: 1.5 }, options: { object: true, turning: true } };
  assert.match(pythonTest(whole, SCENE), /view\.cast_turning_objects\(\["the \\"fox\\""\], \[\[0, 1, 0\]\], \[1\.5\], motion=\[\[0, 0\.5, 0\]\]\)/);
  assert.ok(hasPythonTest(whole) && !hasPythonTest({ ...whole, options: { object: true, hits: "all" } }));
});

test("CSV is quoted where it has to be", () => {
  const text = csvText(["name", "x"], [{ name: 'a "b", c', x: 1.5 }, { name: " d", x: 1e-9 }, {}]);
  assert.equal(text, 'name,x\n"a ""b"", c",1.5\n" d",1e-9\n,\n');
});

test("shots become one table for each command line", () => {
  const sphere = { name: "s", tool: /** @type {const} */ ("sweep"), options: { shape: "sphere" }, question: { cx: 0, cy: 1, cz: 2, radius: 3, dx: 1, dy: 0, dz: 0 } };
  const pairs = { name: "p", tool: /** @type {const} */ ("overlap"), options: {}, question: {} };
  const tables = questionTables([RAY, sphere, { ...RAY, name: "other", options: {} }, { ...RAY, name: "again" }, pairs]);
  assert.deepEqual(tables.map(({ file }) => file), ["ray.csv", "sweep.csv", "ray-2.csv"]);
  assert.equal(tables[0]?.text, "name,ox,oy,oz,dx,dy,dz,t_max\nRay 1,1.5,20,-3,0,-1,0,40\nagain,1.5,20,-3,0,-1,0,40\n");
});

test("a command line asks the same of the program", () => {
  const table = "'ox,oy,oz,dx,dy,dz,t_max\\n1.5,20,-3,0,-1,0,40\\n'";
  assert.equal(commandLine(RAY, SCENE), `printf ${table} | hitscan ray '/levels/my scene.toml' - --sides front`);
  const filtered = { ...RAY, options: {}, question: { ...RAY.question, mask: 2, ignore: "it's;50%" } };
  assert.match(commandLine(filtered, SCENE), /,2,it'\\''s;50%%\\n/);
  assert.equal(tableRow(filtered).split("\n")[0], "ox,oy,oz,dx,dy,dz,t_max,mask,ignore");
  const pairs = { ...RAY, tool: /** @type {const} */ ("overlap"), question: {}, options: { exact: true } };
  assert.equal(commandLine(pairs, { file: "demo:" }), "hitscan overlap demo: --exact");
  /** @type {Asked} */
  const move = { ...RAY, tool: "sweep", question: { radius: 1 }, options: { shape: "turned_box", overlaps: "leave" } };
  assert.match(commandLine(move, SCENE), / --shape obb --initial-overlap escape$/);
  const map = { file: "/maps/a.png", options: ["--spacing=30,30"], text: "[[terrain]]" };
  assert.match(commandLine(RAY, map), / \| hitscan ray \/maps\/a\.png --spacing=30,30 - --sides front$/);
  assert.equal(shellWord("a'b"), "'a'\\''b'");
});

test("a command line in poses of its own has them in a link", () => {
  const words = commandLine(POSED, SCENE).split(" --link ");
  assert.equal(words[0], "hitscan ray '/levels/my scene.toml'");
  const link = readLink(words[1]?.replaceAll("'", "") ?? "");
  assert.deepEqual(link, { poses: POSED.world.poses, tool: "ray", question: RAY.question, options: RAY.options });
  const past = readLink(commandLine(PAST, SCENE).split("'").at(-2) ?? "");
  assert.deepEqual({ poses: past.poses, past: past.past }, PAST.world);
});

test("a Rust test poses the world as the shot saw it", () => {
  const posed = rustTest(POSED, SCENE, undefined);
  assert.match(posed, /let pose = model\.pose_at\(model\.find_clip\("Walk"\)\.unwrap\(\), 2\.0\)\.unwrap\(\);/);
  assert.match(posed, /pose\.blended\(&model\.pose_at\(model\.find_clip\("Run"\)\.unwrap\(\), 0\.5\)\.unwrap\(\), 0\.25\)/);
  const past = rustTest(PAST, SCENE, undefined);
  assert.match(past, /find_clip\("0"\)\.unwrap\(\)[^]*world\.record\(100\)[^]*object_named\("cat"\)[^]*world\.record\(200\)[^]*world\.at\(150\.0\)/);
});

test("tests of more answers than are shown count all, and compare those that are", () => {
  /** @type {Asked} */
  const all = { ...RAY, options: { hits: "all" }, total: 1500 };
  assert.match(rustTest(all, SCENE, undefined), /assert_eq!\(t\.len\(\), 1500\);\n {4}assert_eq!\(t\[\.\.1\], \[0x41440000\]\);/);
  assert.match(pythonTest(all, SCENE), /assert len\(hits\.t\) == 1500\n/);
  /** @type {Asked} */
  const near = { ...RAY, tool: "overlap", question: { cx: 1, cy: 2, cz: 3, radius: 1 }, options: { shape: "sphere" }, answers: [{ status: "overlap", separation: -1 }], total: 1500 };
  assert.match(rustTest(near, SCENE, undefined), /contacts\.len\(\), 1500/);
  assert.match(pythonTest(near, SCENE), /len\(contacts\) == 1500/);
});

test("a Python test asks the same with the same digits", () => {
  const text = pythonTest(RAY, SCENE);
  assert.match(text, /^import hitscan\nimport numpy as np\n\n\ndef test_ray_1\(\):\n/);
  assert.match(text, /view\.cast_rays\(\[\[1\.5, 20, -3\]\], \[\[0, -1, 0\]\], t_max=40, sides="front"\)/);
  assert.match(text, /assert hits\.t\[0\] == np\.float32\(12\.25\)/);
  const filtered = pythonTest({ ...RAY, question: { ...RAY.question, mask: 2, ignore: "a\\;b;c", t_max: "inf" } }, { file: "/a.png", text: "[[terrain]]\nheights = \"/a.png\"\n" });
  assert.match(filtered, /t_max=np\.inf, sides="front", layers=0x2, ignore=\["a;b", "c"\]/);
  assert.match(filtered, /write_text\("\[\[terrain\]\]\\nheights = \\"\/a\.png\\"\\n", encoding="utf-8"\)/);
  const past = pythonTest(PAST, { file: "demo:" });
  assert.match(past, /write_demo\(folder\)[^]*world\.record\(100\)[^]*world\.record\(200\)\n {4}view = world\.at\(150\)/);
});

test("what has become of an answer is told", () => {
  const answer = (/** @type {Row} */ row) => ({ tool: /** @type {const} */ ("ray"), question: {}, answers: [row], sentence: "" });
  const [bruno, valley, miss] = [answer({ status: "hit", t: 8.9234, object: "bruno" }), answer({ status: "hit", t: 17.7, object: "valley" }), answer({ status: "miss" })];
  assert.equal(changeSentence(bruno, valley), "The scene changed: was bruno t 8.92, now valley t 17.7.");
  assert.equal(changeSentence(bruno, miss), "The scene changed: was bruno t 8.92, now miss.");
  assert.equal(changeSentence(bruno, { ...bruno }), null);
});

test("the world of an answer is that of its view, or between two", () => {
  const log = createViewLog();
  const walking = { object: "fox", clip: "Walk", time: 0.5 };
  log.note(1, 1000, []);
  log.note(2, 1500, [walking]);
  const answer = { tool: /** @type {const} */ ("ray"), question: {}, answers: [], sentence: "" };
  assert.equal(log.worldOf(answer), UNPOSED);
  assert.deepEqual(log.worldOf({ ...answer, view: 2 }), { poses: [walking] });
  const between = { poses: [walking], past: { poses: [], start: 1000, end: 1500, time: 1200 } };
  assert.deepEqual(log.worldOf({ ...answer, view: 2, past: { view: 1, time: 1200 } }), between);
  for (let view = 3; view < 400; view += 1) log.note(view, 1500 + view, []);
  assert.equal(log.worldOf({ ...answer, view: 2 }), null);
});

test("a Rust test holds exact bits", () => {
  const text = rustTest(RAY, { file: '/a"b.toml' });
  assert.match(text, /^use hitscan::\{QueryFilter, Ray, Sides\};\nuse std::path::Path;\n/);
  assert.match(text, /fn shot_ray_1\(\) \{/);
  assert.match(text, /Path::new\("\/a\\"b.toml"\)/);
  assert.match(text, /let origin = \[f32::from_bits\(0x3fc00000\), f32::from_bits\(0x41a00000\), f32::from_bits\(0xc0400000\)\];/);
  assert.match(text, /\.with_range\(0\.0, f32::from_bits\(0x42200000\)\)\.unwrap\(\);/);
  assert.match(text, /cast_ray\(&ray, \(Sides::Front, filter\)\)\.unwrap\(\);\n {4}assert_eq!\(hit\.t\.to_bits\(\), 0x41440000\);/);
  assert.match(text, /Some\("fox"\)/);
  const miss = rustTest({ ...RAY, answers: [{ status: "miss" }], question: { ...RAY.question, ignore: "a", mask: 2 } }, SCENE);
  assert.match(miss, /assert_eq!\(snapshot\.cast_ray\(&ray, \(Sides::Front, filter\)\), None\);/);
  assert.match(miss, /\.exclude\(&ignored\)\.layers\(0x2\);/);
});

test("a Rust test of shapes has the library's names", () => {
  const question = { cx: 1, cy: 2, cz: 3, radius: 0.5 };
  const options = { shape: "sphere", overlaps: "leave", each: "triangle" };
  const move = rustTest({ ...RAY, tool: "sweep", question: { ...question, dx: 1, dy: 0, dz: 0 }, options }, SCENE);
  assert.match(move, /^use hitscan::\{InitialOverlap, QueryFilter, ShapeCast, Sides, Sphere\};\n/);
  assert.match(move, /\.with_initial_overlap\(InitialOverlap::Escape\);/);
  const resting = rustTest({ ...RAY, tool: "overlap", question, options }, SCENE);
  assert.match(resting, /^use hitscan::\{ContactsPer, QueryFilter, Sphere\};\n/);
  assert.match(resting, /ContactsPer::Triangle, filter\);/);
});

test("a table is told in a sentence and drawn", () => {
  const question = { ox: 0, oy: 9, oz: 0, dx: 0, dy: -2, dz: 0 };
  /** @type {TableAnswer} */
  const table = {
    name: "answers.csv",
    tool: "ray",
    columns: [],
    rows: 1200,
    invalid: 1,
    compared: true,
    differing: 3,
    shown: [
      { row: 0, question, answer: { status: "hit", x: 0, y: 5, z: 0 } },
      { row: 1, question, answer: { status: "miss" } },
      { row: 2, question: {}, answer: { status: "invalid" } },
    ],
  };
  assert.equal(tableSentence(table), "answers.csv: 1\u202f200 rows, 3 rows differ from the file, 1 row invalid, 3 shown");
  assert.deepEqual(table.shown.flatMap((row) => marksOfRow(row.question, row.answer)), [
    { role: "hit", points: [[0, 9, 0], [0, 5, 0]] },
    { role: "miss", points: [[0, 9, 0], [0, -11, 0]] },
  ]);
});

test("rows are turned into metres of the scene and back where tables have an origin", () => {
  /** @type {import("../../page/messages.js").Point} */
  const origin = [500000.5, 100, -6200000.25];
  const row = { ox: 500002.5, oy: 101.5, oz: -6200003.25, dx: 1, min_x: 500000.5, cz: 0, height: 112.5, radius: 2, half_x: 3, qx: 0.5, mask: 5, ignore: "x", t: 4 };
  const own = { ox: 2, oy: 1.5, oz: -3, dx: 1, min_x: 0, cz: 6200000.25, height: 12.5, radius: 2, half_x: 3, qx: 0.5, mask: 5, ignore: "x", t: 4 };
  assert.deepEqual(inScene(row, origin), own);
  assert.deepEqual(inTables(own, origin), row);
  assert.equal(inScene(row, undefined), row);
  assert.equal(inTables(row, undefined), row);
  const asked = { ...RAY, question: { ...RAY.question, ox: 500002.5, oy: 120, oz: -6200000.25 } };
  assert.ok(rustTest(asked, SCENE, origin).includes(`let origin = [f32::from_bits(${bitsOf(2)}), f32::from_bits(${bitsOf(20)}), 0.0];`));
});
