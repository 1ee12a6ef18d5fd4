/** Values of questions and answers as Rust source with exact bits. */

import { bitsOf, f32Text } from "./numbers.js";

/** @typedef {import("./messages.js").Row} Row */
/** @typedef {import("./messages.js").Options} Options */

/** @param {string} text */
export function rustString(text) {
  return `"${text.replace(/[\\"]/g, "\\$&").replace(/[^\x20-\x7e]/gu, (c) => `\\u{${c.codePointAt(0)?.toString(16)}}`)}"`;
}

/**
 * An f32 by its bits, infinity and zero by name.
 * @param {number} value
 */
export function f32(value) {
  if (value === Infinity) return "f32::INFINITY";
  return Object.is(value, 0) ? "0.0" : `f32::from_bits(${bitsOf(value)})`;
}

/**
 * @param {Row} row
 * @param {string} column
 * @param {number} [fallback]
 */
export function number(row, column, fallback = 0) {
  const value = row[column];
  return typeof value === "number" ? value : fallback;
}

/**
 * @param {Row} row
 * @param {readonly string[]} columns
 * @param {readonly number[]} [fallbacks]
 */
export function vector(row, columns, fallbacks = [0, 0, 0]) {
  return `[${columns.map((column, i) => f32(number(row, column, fallbacks[i]))).join(", ")}]`;
}

/**
 * The numbers of a vector for people.
 * @param {Row} row
 * @param {readonly string[]} columns
 */
export function readable(row, columns) {
  return `// ${columns.map((column) => f32Text(number(row, column))).join(", ")}`;
}

/** @param {Row} row @param {string} column an f64 that is read from f32 digits */
export function f64(row, column) {
  return `f64::from(${f32(number(row, column))})`;
}

/**
 * @param {Row} question
 * @param {Options} options
 * @returns {{uses: string[], imports: string[], lines: string[]}}
 */
export function shapeOf(question, options) {
  const center = vector(question, ["cx", "cy", "cz"]);
  switch (options.shape) {
    case "sphere":
      return one("Sphere", `${center}, ${f64(question, "radius")}`);
    case "capsule": {
      const ends = `${vector(question, ["ax", "ay", "az"])}, ${vector(question, ["bx", "by", "bz"])}`;
      return one("Capsule", `${ends}, ${f64(question, "radius")}`);
    }
    case "turned_box": {
      const turn = ["qx", "qy", "qz", "qw"].map((column) => f64(question, column)).join(", ");
      const half = vector(question, ["half_x", "half_y", "half_z"]);
      const obb = one("Obb", `${center}, ${half}, DQuat::from_xyzw(${turn})`);
      return { ...obb, imports: ["use hitscan::glam::DQuat;"] };
    }
    default:
      return one(
        "Aabb",
        `${vector(question, ["min_x", "min_y", "min_z"])}, ${vector(question, ["max_x", "max_y", "max_z"])}`,
      );
  }
}

/** @param {string} type @param {string} values */
function one(type, values) {
  return { uses: [type], imports: [], lines: [`let shape = ${type}::new(${values}).unwrap();`] };
}
