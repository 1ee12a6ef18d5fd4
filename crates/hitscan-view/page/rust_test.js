/** A question and its answer as a Rust test with exact bits, for a report or a regression. */

import { queryOf } from "./rust_query.js";
import { number, rustString } from "./rust_values.js";

/** @typedef {import("./messages.js").Row} Row */
/** @typedef {import("./messages.js").Options} Options */
/** @typedef {import("./messages.js").AskTool} Tool */

/**
 * What is asked and answered, as far as it can be told elsewhere.
 * @typedef {object} Asked
 * @property {string} name
 * @property {Tool} tool
 * @property {Row} question
 * @property {Options} options
 * @property {Row[]} answers
 * @property {string[]} [hidden] objects that the view hides
 * @property {number} [layers] the view's layers
 * @property {Pose[]} [poses] models that do not stand as in the scene
 * @typedef {import("./messages.js").Pose} Pose
 */

/**
 * @param {Asked} shot
 * @param {string} scene the path of the scene file
 * @returns {string}
 */
export function rustTest(shot, scene) {
  const query = queryOf(shot);
  const names = [...new Set(["QueryFilter", ...query.uses])].sort();
  const body = [
    ...(shot.poses ?? []).map(poseComment),
    `let scene = hitscan_assets::load_scene(Path::new(${rustString(scene)})).unwrap();`,
    "let snapshot = scene.world().now();",
    ...filterLines(shot),
    ...query.lines,
    ...query.asserts,
  ];
  return [
    `use hitscan::{${names.join(", ")}};`,
    ...query.imports,
    "use std::path::Path;",
    "",
    "#[test]",
    `fn ${identifier(shot.name)}() {`,
    ...body.map((line) => `    ${line}`),
    "}",
    "",
  ].join("\n");
}

/** @param {Pose} pose */
function poseComment({ object, clip, time }) {
  return `// In the scene file, model ${JSON.stringify(object)}: clip = ${JSON.stringify(clip)}, time = ${time}`;
}

/**
 * A name as a Rust function's.
 * @param {string} name
 */
export function identifier(name) {
  const words = name.toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, "");
  return /^[a-z]/.test(words) ? words : `shot_${words || "1"}`;
}

/** @param {Asked} shot */
function filterLines({ question, hidden = [], layers }) {
  const ignored = String(question.ignore ?? "").split(";").filter(Boolean).concat(hidden);
  const all = 0xffffffff;
  const mask = (number(question, "mask", all) & (layers ?? all)) >>> 0;
  const lines = [];
  let filter = "QueryFilter::new()";
  if (ignored.length > 0) {
    lines.push(
      `let names = [${ignored.map(rustString).join(", ")}];`,
      "let ignored: Vec<_> = snapshot",
      "    .objects()",
      "    .filter(|&object| scene.object_name(object).is_some_and(|name| names.contains(&name)))",
      "    .collect();",
    );
    filter += ".exclude(&ignored)";
  }
  if (mask !== all) filter += `.layers(0x${mask.toString(16)})`;
  return [...lines, `let filter = ${filter};`];
}
