import assert from "node:assert/strict";
import test from "node:test";
import { columnsOf, questionColumns, readField } from "../../page/columns.js";
import { commandLine, shellWord, tableRow } from "../../page/copy_as.js";
import { csvText, questionTables } from "../../page/csv.js";
import { bitsOf, f32Text, fieldText, significant } from "../../page/numbers.js";
import { rustTest } from "../../page/rust_test.js";
import { inScene, inTables } from "../../page/table_frame.js";
import { marksOfRow, tableSentence } from "../../page/table_rows.js";

/** @type {Asked} */
const RAY = {
  name: "Ray 1",
  tool: "ray",
  question: { ox: 1.5, oy: 20, oz: -3, dx: 0, dy: -1, dz: 0, t_max: 40 },
  options: { sides: "front" },
  answers: [{ status: "hit", t: 12.25, object: "fox", part: "tail", triangle: 7 }],
};

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
  assert.equal(commandLine(RAY, "my scene.toml"), `printf ${table} | hitscan ray 'my scene.toml' - --sides front`);
  const filtered = { ...RAY, options: {}, hidden: ["it's", "50%"], layers: 6, question: { ...RAY.question, mask: 3 } };
  assert.match(commandLine(filtered, "s.toml"), /,2,it'\\''s;50%%\\n/);
  assert.equal(tableRow(filtered).split("\n")[0], "ox,oy,oz,dx,dy,dz,t_max,mask,ignore");
  const pairs = { ...RAY, tool: /** @type {const} */ ("overlap"), question: {}, options: { exact: true } };
  assert.equal(commandLine(pairs, "s.toml"), "hitscan overlap s.toml --exact");
  /** @type {Asked} */
  const move = { ...RAY, tool: "sweep", question: { radius: 1 }, options: { shape: "turned_box", overlaps: "leave" } };
  assert.match(commandLine(move, "s.toml"), / --shape obb --initial-overlap escape$/);
  assert.equal(shellWord("a'b"), "'a'\\''b'");
});

test("a Rust test holds exact bits", () => {
  const text = rustTest(RAY, 'a"b.toml');
  assert.match(text, /^use hitscan::\{QueryFilter, Ray, Sides\};\nuse std::path::Path;\n/);
  assert.match(text, /fn ray_1\(\) \{/);
  assert.match(text, /Path::new\("a\\"b.toml"\)/);
  assert.match(text, /let origin = \[f32::from_bits\(0x3fc00000\), f32::from_bits\(0x41a00000\), f32::from_bits\(0xc0400000\)\];/);
  assert.match(text, /\.with_range\(0\.0, f32::from_bits\(0x42200000\)\)\.unwrap\(\);/);
  assert.match(text, /cast_ray\(&ray, Sides::Front, filter\)\.unwrap\(\);\n {4}assert_eq!\(hit\.t\.to_bits\(\), 0x41440000\);/);
  assert.match(text, /Some\("fox"\)/);
  const miss = rustTest({ ...RAY, answers: [{ status: "miss" }], hidden: ["a"], layers: 2 }, "s.toml");
  assert.match(miss, /assert_eq!\(snapshot\.cast_ray\(&ray, Sides::Front, filter\), None\);/);
  assert.match(miss, /\.exclude\(&ignored\)\.layers\(0x2\);/);
});

test("a Rust test of shapes has the library's names", () => {
  const question = { cx: 1, cy: 2, cz: 3, radius: 0.5 };
  const options = { shape: "sphere", overlaps: "leave", each: "triangle" };
  const move = rustTest({ ...RAY, tool: "sweep", question: { ...question, dx: 1, dy: 0, dz: 0 }, options }, "s.toml");
  assert.match(move, /^use hitscan::\{InitialOverlap, QueryFilter, ShapeCast, Sides, Sphere\};\n/);
  assert.match(move, /\.with_initial_overlap\(InitialOverlap::Escape\);/);
  const resting = rustTest({ ...RAY, tool: "overlap", question, options }, "s.toml");
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
  assert.ok(rustTest(asked, "world.toml", origin).includes(`let origin = [f32::from_bits(${bitsOf(2)}), f32::from_bits(${bitsOf(20)}), 0.0];`));
});
