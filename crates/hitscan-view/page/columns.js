/** The columns and options of each tool, in the order of the contract's tables. Pure. */

const FILTER = ["mask", "ignore"];
const PLACE = ["x", "y", "z"];
const TARGET = ["target_x", "target_y", "target_z"];
const SURFACE = ["nx", "ny", "nz", "object", "part", "triangle"];
const NEAREST = ["x0", "y0", "z0", "x1", "y1", "z1"];
const HIT = [...PLACE, ...SURFACE, "u", "v", "side"];

/** @type {Record<string, readonly string[]>} */
export const SHAPES = {
  box: ["min_x", "min_y", "min_z", "max_x", "max_y", "max_z"],
  turned_box: ["cx", "cy", "cz", "half_x", "half_y", "half_z", "qx", "qy", "qz", "qw"],
  sphere: ["cx", "cy", "cz", "radius"],
  capsule: ["ax", "ay", "az", "bx", "by", "bz", "radius"],
  cylinder: ["ax", "ay", "az", "bx", "by", "bz", "radius"],
  hull: ["hull", "cx", "cy", "cz", "qx", "qy", "qz", "qw", "radius"],
};

/** How a sweep turns. */
const TURN = ["axis_x", "axis_y", "axis_z", "angle", "pivot_x", "pivot_y", "pivot_z", "tolerance"];

/** Columns that hold names. */
export const NAMES = ["ignore", "hull", "mover", "object_a", "object_b"];

/** The choices of each option that has a field; the first is the default. @type {Record<string, readonly string[]>} */
export const CHOICES = {
  hits: ["nearest", "any", "all"],
  sides: ["both", "front", "back"],
  method: ["exact", "march"],
  overlaps: ["stop", "leave"],
  each: ["object", "triangle"],
  signed: ["false", "true"],
};

/** What an omitted column means; those that are not here are required. @type {Record<string, string>} */
const DEFAULTS = {
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
  axis_x: "0",
  axis_y: "0",
  axis_z: "0",
  pivot_x: "the middle",
  pivot_y: "the middle",
  pivot_z: "the middle",
  tolerance: "size / 10000",
};

/** Those of a hull besides, which is named. @type {Record<string, string>} */
const HULL_DEFAULTS = { cx: "0", cy: "0", cz: "0", qx: "0", qy: "0", qz: "0", qw: "1", radius: "the hull's" };

/** What an omitted column means with these options; nothing where it is required. @param {string} column @param {Options} options */
export const defaultOf = (column, options) => (options.shape === "hull" ? HULL_DEFAULTS[column] : undefined) ?? DEFAULTS[column];

/**
 * The columns of a question, which itself decides whether a footprint is a disc or a rectangle.
 * @param {AskTool} tool @param {Options} options @param {Row} [question]
 */
export function questionColumns(tool, options, question = {}) {
  const shape = SHAPES[String(options.shape ?? "box")] ?? [];
  const size = options.method !== "footprint" ? [] : "half_x" in question ? ["half_x", "half_z", "angle"] : ["radius"];
  const own = {
    ray: ["ox", "oy", "oz", "dx", "dy", "dz", "t_min", "t_max"],
    height: ["x", "z", ...size],
    sweep: [...(options.object ? ["mover"] : shape), "dx", "dy", "dz", ...(options.turning ? TURN : [])],
    overlap: [...shape, "margin"],
    closest: ["px", "py", "pz", "max_distance"],
    arc: ["ox", "oy", "oz", "vx", "vy", "vz", "gx", "gy", "gz", "t_min", "t_max"],
    sight: [...PLACE, ...TARGET],
    viewshed: "y" in question ? PLACE : ["x", "z"],
    distance: ["object_a", "object_b", "max_distance"],
  };
  return [...own[tool], ...FILTER];
}

/** The columns of an answer, `row` aside. @param {AskTool} tool @param {Options} options */
function answerColumns(tool, options) {
  if (options.hits === "any" || (tool === "sight" && !options.blocker)) return ["status"];
  const contact = options.contact ? ["start", ...PLACE, "side", "separation", "out_x", "out_y", "out_z"] : [];
  const last = options.method === "footprint" ? ["object", "min", "max", "slope", "plane", "coverage"] : ["object", "triangle"];
  const own = {
    ray: ["t", "distance", ...HIT],
    height: ["height", "nx", "ny", "nz", ...last],
    sweep: ["t", ...SURFACE, ...(options.object ? ["mover_part", "mover_triangle"] : []), ...contact, ...(options.turning ? ["gap"] : [])],
    overlap: ["separation", "nx", "ny", "nz", ...PLACE, "object", "part", "triangle"],
    closest: ["distance", ...PLACE, ...SURFACE, "u", "v"],
    arc: ["t", ...HIT],
    sight: ["t", "object", "part", "triangle"],
    viewshed: ["object", "visible", "hidden", "outside", "share", "area"],
    distance: ["distance", "nx", "ny", "nz", ...NEAREST, "part_a", "triangle_a", "part_b", "triangle_b"],
  };
  return ["status", ...own[tool]];
}

/** Those of pairs of objects: boxes, or triangles that intersect. */
const PAIRS = ["kind", "object_a", "part_a", "triangle_a", "object_b", "part_b", "triangle_b"].concat(
  SHAPES.box ?? [],
  NEAREST,
);

/**
 * An answer's columns with what it has beyond the command's: `row` in front, others behind, as they came.
 * @param {AskTool} tool @param {Options} options @param {Row} answer
 */
export function columnsOf(tool, options, answer) {
  if ("object_a" in answer) return PAIRS.filter((column) => column in answer);
  const known = answerColumns(tool, options);
  const beyond = Object.keys(answer).filter((column) => column !== "row" && column !== "eye" && !known.includes(column));
  return [...("row" in answer ? ["row"] : []), ...known, ...beyond];
}

const METRES = /^(distance|[xyz][01]?|height|min|max|(min|max|target|pivot)_.|plane|gap|tolerance|separation|radius|margin|max_distance|[abcop][xyz]|half_.)$/;

/** The unit of a column, empty where it has none. @param {AskTool} tool @param {string} column */
export function unitOf(tool, column) {
  if (METRES.test(column)) return "m";
  if (column === "area") return "m²";
  if (column === "slope" || column === "angle") return "rad";
  if (tool !== "arc") return "";
  return /^t(_|$)/.test(column) ? "s" : /^v[xyz]$/.test(column) ? "m/s" : /^g[xyz]$/.test(column) ? "m/s²" : "";
}

/**
 * Reads a field: nothing for its default, text for names, else a finite number.
 * @param {string} column @param {string} text @param {Options} [options]
 * @returns {{value?: Value} | {expected: string}}
 */
export function readField(column, text, options = {}) {
  const trimmed = text.trim();
  const isName = NAMES.includes(column);
  if (trimmed === "") return defaultOf(column, options) !== undefined ? {} : { expected: isName ? "the name of an object" : "a number" };
  if (isName) return { value: trimmed };
  const value = Number(trimmed);
  if (column === "t_max" && value === Infinity) return {};
  if (column === "mask" && value >>> 0 !== value) return { expected: "a whole number from 0 to 4294967295, a bit each layer" };
  if (!Number.isFinite(value)) return { expected: "a number such as 1.5 or -2e3" };
  return Number.isFinite(Math.fround(value)) ? { value } : { expected: "a number that an f32 can hold" };
}
