/**
 * The columns and options of each tool, in the order of the contract's tables.
 *
 * No DOM here: panels build their fields from it, tables and commands their text.
 */

/**
 * @typedef {import("./messages.js").AskTool} Tool
 * @typedef {import("./messages.js").Value} Value
 * @typedef {import("./messages.js").Row} Row
 * @typedef {import("./messages.js").Options} Options
 */

const FILTER = ["mask", "ignore"];
const SURFACE = ["nx", "ny", "nz", "object", "part", "triangle"];

/** Columns of a shape. @type {Record<string, readonly string[]>} */
export const SHAPES = {
  box: ["min_x", "min_y", "min_z", "max_x", "max_y", "max_z"],
  turned_box: ["cx", "cy", "cz", "half_x", "half_y", "half_z", "qx", "qy", "qz", "qw"],
  sphere: ["cx", "cy", "cz", "radius"],
  capsule: ["ax", "ay", "az", "bx", "by", "bz", "radius"],
};

const SIDES = ["both", "front", "back"];

/** The choices of each option; the first is the default. @type {Record<Tool, Record<string, readonly string[]>>} */
export const OPTIONS = {
  ray: { hits: ["nearest", "any", "all"], sides: SIDES, method: ["exact", "march"] },
  sweep: {
    shape: Object.keys(SHAPES),
    hits: ["nearest", "any", "all"],
    sides: SIDES,
    overlaps: ["stop", "leave"],
  },
  height: { method: ["exact", "max", "mean", "footprint"] },
  overlap: { shape: Object.keys(SHAPES), each: ["object", "triangle"] },
  closest: { signed: ["false", "true"] },
  arc: { hits: ["nearest", "any"], sides: SIDES },
};

/** What a column that is left out means; those without an entry are required. @type {Record<string, string>} */
export const DEFAULTS = {
  t_min: "0",
  t_max: "no end",
  gx: "0",
  gy: "-9.81",
  gz: "0",
  margin: "0",
  max_distance: "no limit",
  angle: "0",
  mask: "all layers",
  ignore: "none",
};

/**
 * The columns of a question.
 * @param {Tool} tool
 * @param {Options} options
 * @param {Row} [question] tells whether a footprint is a disc or a rectangle
 * @returns {string[]}
 */
export function questionColumns(tool, options, question = {}) {
  const shape = SHAPES[String(options.shape ?? "box")] ?? [];
  switch (tool) {
    case "ray":
      return ["ox", "oy", "oz", "dx", "dy", "dz", "t_min", "t_max", ...FILTER];
    case "height":
      if (options.method !== "footprint") return ["x", "z", ...FILTER];
      return "half_x" in question
        ? ["x", "z", "half_x", "half_z", "angle", ...FILTER]
        : ["x", "z", "radius", ...FILTER];
    case "sweep":
      return [...shape, "dx", "dy", "dz", ...FILTER];
    case "overlap":
      return [...shape, "margin", ...FILTER];
    case "closest":
      return ["px", "py", "pz", "max_distance", ...FILTER];
    case "arc":
      return ["ox", "oy", "oz", "vx", "vy", "vz", "gx", "gy", "gz", "t_min", "t_max", ...FILTER];
  }
}

/**
 * The columns of an answer, `row` aside.
 * @param {Tool} tool
 * @param {Options} options
 * @returns {string[]}
 */
export function answerColumns(tool, options) {
  const place = ["x", "y", "z"];
  const hit = [...place, ...SURFACE, "u", "v", "side"];
  if (options.hits === "any") return ["status"];
  switch (tool) {
    case "ray":
      return ["status", "t", "distance", ...hit];
    case "arc":
      return ["status", "t", ...hit];
    case "height":
      return options.method === "footprint"
        ? ["status", "height", "nx", "ny", "nz", "object", "min", "max", "slope", "plane", "coverage"]
        : ["status", "height", "nx", "ny", "nz", "object", "triangle"];
    case "sweep":
      return ["status", "t", ...SURFACE];
    case "overlap":
      return ["status", "separation", "nx", "ny", "nz", ...place, "object", "part", "triangle"];
    case "closest":
      return ["status", "distance", ...place, ...SURFACE, "u", "v"];
  }
}

/**
 * An answer's columns with what it has beyond the command's: `row` in front, others behind, as they came.
 * @param {Tool} tool
 * @param {Options} options
 * @param {Row} answer
 * @returns {string[]}
 */
export function columnsOf(tool, options, answer) {
  const known = answerColumns(tool, options);
  const beyond = Object.keys(answer).filter((column) => column !== "row" && !known.includes(column));
  return ["row" in answer ? ["row"] : [], known, beyond].flat();
}

/** What columns are measured in. */
const METRES = new Set(
  ["distance", "x", "y", "z", "height", "min", "max", "plane", "separation", "radius", "margin"].concat(
    ["max_distance", "ox", "oy", "oz", "px", "py", "pz", "half_x", "half_y", "half_z"],
  ),
);

/**
 * The unit of a column, empty where it has none.
 * @param {Tool} tool
 * @param {string} column
 * @returns {string}
 */
export function unitOf(tool, column) {
  if (METRES.has(column)) return "m";
  if (column === "slope" || column === "angle") return "rad";
  if (tool === "arc" && /^t(_|$)/.test(column)) return "s";
  if (tool === "arc" && /^v[xyz]$/.test(column)) return "m/s";
  if (tool === "arc" && /^g[xyz]$/.test(column)) return "m/s²";
  return "";
}

const TEXT = new Set(["status", "object", "part", "side", "ignore", "start"]);

/**
 * Whether a column holds text.
 * @param {string} column
 */
export function isText(column) {
  return TEXT.has(column);
}

/**
 * Reads a field: nothing for its default, text for a column of text, else a finite number.
 * @param {string} column
 * @param {string} text
 * @returns {{value?: Value} | {expected: string}}
 */
export function readField(column, text) {
  const trimmed = text.trim();
  if (trimmed === "") return column in DEFAULTS ? {} : { expected: "a number" };
  if (isText(column)) return { value: trimmed };
  const value = Number(trimmed);
  if (column === "t_max" && value === Infinity) return {};
  if (column === "mask") {
    const fits = Number.isInteger(value) && value >= 0 && value < 2 ** 32;
    return fits ? { value } : { expected: "a whole number from 0 to 4294967295, a bit each layer" };
  }
  if (!Number.isFinite(value)) return { expected: "a number such as 1.5 or -2e3" };
  return Number.isFinite(Math.fround(value)) ? { value } : { expected: "a number that an f32 can hold" };
}
