/** One question and its answer as lines of a Rust test. */

import { bitsOf, f32Text } from "./numbers.js";
import { f32, f64, number, readable, rustString, shapeOf, vector } from "./rust_values.js";

/** @typedef {import("./messages.js").Row} Row */
/** @typedef {import("./messages.js").Options} Options */
/** @typedef {import("./rust_test.js").Asked} Asked */

/** @param {Options} options */
function sidesOf(options) {
  const sides = String(options.sides ?? "both");
  return `Sides::${sides[0]?.toUpperCase()}${sides.slice(1)}`;
}

/**
 * @typedef {object} Query
 * @property {string[]} uses names of the crate's root
 * @property {string[]} imports
 * @property {string[]} lines
 * @property {string[]} asserts
 */

/** @param {Asked} shot @returns {Query} */
export function queryOf(shot) {
  switch (shot.tool) {
    case "ray":
      return rayQuery(shot);
    case "arc":
      return arcQuery(shot);
    case "sweep":
      return sweepQuery(shot);
    case "height":
      return heightQuery(shot);
    case "overlap":
      return overlapQuery(shot);
    case "closest":
      return closestQuery(shot);
  }
}

/** @param {Row} question */
function rangeOf(question) {
  if (!("t_min" in question) && !("t_max" in question)) return "";
  return `.with_range(${f32(number(question, "t_min"))}, ${f32(number(question, "t_max", Infinity))}).unwrap()`;
}

/** @param {Asked} shot @returns {Query} */
function rayQuery({ question, options, answers }) {
  const [origin, direction] = [["ox", "oy", "oz"], ["dx", "dy", "dz"]];
  const lines = [
    `let origin = ${vector(question, origin)}; ${readable(question, origin)}`,
    `let direction = ${vector(question, direction)}; ${readable(question, direction)}`,
    `let ray = Ray::new(origin, direction).unwrap()${rangeOf(question)};`,
  ];
  const uses = ["Ray", "Sides"];
  const cast = `(&ray, ${sidesOf(options)}, filter)`;
  return { uses, imports: [], lines, asserts: hitAsserts("ray", cast, String(options.hits ?? "nearest"), answers) };
}

/** @param {Asked} shot @returns {Query} */
function arcQuery({ question, options, answers }) {
  const lines = [
    `let origin = ${vector(question, ["ox", "oy", "oz"])};`,
    `let velocity = ${vector(question, ["vx", "vy", "vz"])};`,
    `let gravity = ${vector(question, ["gx", "gy", "gz"], [0, -9.81, 0])};`,
    `let arc = BallisticArc::new(origin, velocity, gravity).unwrap()${rangeOf(question)};`,
  ];
  const cast = `(&arc, ${sidesOf(options)}, filter)`;
  const asserts = hitAsserts("arc", cast, String(options.hits ?? "nearest"), answers);
  return { uses: ["BallisticArc", "Sides"], imports: [], lines, asserts };
}

/** @param {Asked} shot @returns {Query} */
function sweepQuery({ question, options, answers }) {
  const shape = shapeOf(question, options);
  const leave = options.overlaps === "leave";
  const lines = [
    ...shape.lines,
    `let motion = ${vector(question, ["dx", "dy", "dz"])};`,
    `let cast = ShapeCast::new(shape, motion).unwrap()${leave ? ".with_overlaps(Overlaps::Leave)" : ""};`,
  ];
  const uses = ["ShapeCast", "Sides", ...shape.uses, ...(leave ? ["Overlaps"] : [])];
  const call = `(&cast, ${sidesOf(options)}, filter)`;
  const asserts = hitAsserts("shape", call, String(options.hits ?? "nearest"), answers);
  return { uses, imports: shape.imports, lines, asserts };
}

/** @param {Asked} shot @returns {Query} */
function heightQuery({ question, options, answers }) {
  const at = vector(question, ["x", "z"]);
  const answer = answers[0] ?? {};
  const found = answer.status === "ok";
  const bits = bitsOf(number(answer, "height"));
  if (options.method === "footprint") {
    const lines = [
      "half_x" in question
        ? `let footprint = Footprint::rectangle(${at}, [${f64(question, "half_x")}, ${f64(question, "half_z")}], ${f64(question, "angle")}).unwrap();`
        : `let footprint = Footprint::disc(${at}, ${f64(question, "radius")}).unwrap();`,
      "let under = snapshot.footprint(&footprint, filter);",
    ];
    const asserts = found
      ? ["let UnderFootprint::Ground(ground) = under else { panic!(\"no ground\") };", `assert_eq!(ground.height.to_bits(), ${bits});`]
      : [`assert_eq!(under, UnderFootprint::${titled(String(answer.status ?? "outside"))});`];
    return { uses: [], imports: ["use hitscan::height_field::{Footprint, UnderFootprint};"], lines, asserts };
  }
  const method = String(options.method ?? "exact");
  const call =
    method === "exact"
      ? `height(${at}, filter)`
      : `${method}_height(${at}, ${Number(options.radius ?? 0)}_f64, filter)`;
  const asserts = found
    ? ["let Ground::Height(ground) = ground else { panic!(\"no ground\") };", `assert_eq!(ground.height.to_bits(), ${bits});`]
    : [`assert_eq!(ground, Ground::${titled(String(answer.status ?? "outside"))});`];
  return { uses: [], imports: ["use hitscan::height_field::Ground;"], lines: [`let ground = snapshot.${call};`], asserts };
}

/** @param {string} word */
function titled(word) {
  return `${word[0]?.toUpperCase()}${word.slice(1)}`;
}

/** @param {Asked} shot @returns {Query} */
function overlapQuery({ question, options, answers }) {
  if (Object.keys(question).length === 0) {
    const lines = ["let pairs = snapshot.broad_phase_pairs(filter);"];
    return { uses: [], imports: [], lines, asserts: [`assert_eq!(pairs.len(), ${answers.length});`] };
  }
  const shape = shapeOf(question, options);
  const each = options.each === "triangle" ? "Each::Triangle" : "Each::Object";
  const found = answers.filter((answer) => answer.status !== "separate" && answer.status !== "invalid");
  return {
    uses: ["Each", ...shape.uses],
    imports: shape.imports,
    lines: [...shape.lines, `let contacts = snapshot.contacts(shape, ${f32(number(question, "margin"))}, ${each}, filter);`],
    asserts: [
      `assert_eq!(contacts.len(), ${found.length});`,
      ...found
        .slice(0, 8)
        .map((answer, i) => `assert_eq!(contacts[${i}].separation.to_bits(), ${bitsOf(number(answer, "separation"))});`),
    ],
  };
}

/** @param {Asked} shot @returns {Query} */
function closestQuery({ question, options, answers }) {
  const signed = String(options.signed) === "true" ? "_signed" : "";
  const point = vector(question, ["px", "py", "pz"]);
  const limit = f32(number(question, "max_distance", Infinity));
  const answer = answers[0] ?? {};
  const lines = [`let found = snapshot.closest_point${signed}(${point}, ${limit}, filter);`];
  if (answer.status === "none") return { uses: [], imports: [], lines, asserts: ["assert_eq!(found, None);"] };
  return {
    uses: [],
    imports: [],
    lines,
    asserts: [
      "let found = found.unwrap();",
      `assert_eq!(found.distance.to_bits(), ${bitsOf(number(answer, "distance"))});`,
      ...namedAsserts("found", answer),
    ],
  };
}

/**
 * What a cast answers.
 * @param {"ray" | "arc" | "shape"} kind
 * @param {string} call
 * @param {string} hits
 * @param {Row[]} answers
 */
function hitAsserts(kind, call, hits, answers) {
  const met = answers.filter(({ status }) => status === "hit" || status === "overlap");
  if (hits === "any") return [`assert_eq!(snapshot.cast_${kind}_any${call}, ${met.length > 0});`];
  if (hits === "all") {
    return [
      `let hits = snapshot.cast_${kind}_all${call};`,
      `let t: Vec<u32> = hits.iter().map(|hit| hit.t.to_bits()).collect();`,
      `assert_eq!(t, [${met.map((answer) => bitsOf(number(answer, "t"))).join(", ")}]${met.length === 0 ? " as [u32; 0]" : ""});`,
    ];
  }
  const answer = met[0];
  if (!answer) return [`assert_eq!(snapshot.cast_${kind}${call}, None);`];
  const t = number(answer, "t");
  return [
    `let hit = snapshot.cast_${kind}${call}.unwrap();`,
    `assert_eq!(hit.t.to_bits(), ${bitsOf(t)}); // ${f32Text(t)}`,
    ...namedAsserts("hit", answer),
  ];
}

/** @param {string} what @param {Row} answer */
function namedAsserts(what, answer) {
  const lines = [];
  if ("object" in answer) {
    lines.push(`let object = ${what}.object.unwrap();`, `assert_eq!(scene.object_name(object), Some(${rustString(String(answer.object))}));`);
  }
  if ("triangle" in answer) {
    lines.push(`assert_eq!(${what}.triangle.map(|id| id.triangle), Some(${number(answer, "triangle")}));`);
  }
  return lines;
}
