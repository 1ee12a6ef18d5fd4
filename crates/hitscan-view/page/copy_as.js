/** A question as something that can be pasted elsewhere: a command line, a row of a table. */

import { csvField, csvText, usedColumns } from "./csv.js";
import { numberText } from "./numbers.js";

/** @typedef {import("./rust_test.js").Asked} Asked */
/** @typedef {import("./messages.js").Options} Options */

/**
 * The header and the row, as a table has them.
 * @param {Asked} shot
 */
export function tableRow(shot) {
  const { tool, options, question } = withFilter(shot);
  return csvText(usedColumns(tool, options, [question]), [question]);
}

/**
 * A line for a POSIX shell that asks the program the same; models stand as the scene file says.
 * @param {Asked} shot
 * @param {string} scene the path of the scene file
 */
export function commandLine(shot, scene) {
  const { tool, options, question } = withFilter(shot);
  const words = ["hitscan", tool, shellWord(scene), ...optionWords(options, tool)];
  if (Object.keys(question).length === 0) return words.join(" ");
  const columns = usedColumns(tool, options, [question]);
  const row = columns.map((column) => csvField(question[column])).join(",");
  const table = shellWord(printfText(`${columns.join(",")}\n${row}\n`));
  words.splice(3, 0, "-");
  return `printf ${table} | ${words.join(" ")}`;
}

/**
 * A text as the format of `printf`.
 * @param {string} text
 */
function printfText(text) {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("%", "%%");
}

/**
 * The options that are not the default, as words of a command line.
 * @param {Options} options
 * @param {string} tool
 */
export function optionWords(options, tool) {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === false || value === "false") return [];
    if (value === true || value === "true") return [`--${name}`];
    if (name !== "shape" && isDefault(name, value)) return [];
    if (name === "shape" && tool === "sweep" && value === "box") return [];
    return [`--${name}`, typeof value === "number" ? numberText(value) : shellWord(value)];
  });
}

/** @param {string} name @param {string | number} value */
function isDefault(name, value) {
  const defaults = ["hits=nearest", "sides=both", "method=exact", "overlaps=stop", "each=object"];
  return defaults.includes(`${name}=${value}`);
}

/**
 * A word that a POSIX shell reads as this text.
 * @param {string} text
 */
export function shellWord(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * The question with what the view hides and masks, which a table says in two columns.
 * @param {Asked} shot
 */
function withFilter(shot) {
  const { hidden = [], layers } = shot;
  const question = { ...shot.question };
  if (Object.keys(question).length === 0) return shot;
  const ignored = [String(question.ignore ?? ""), ...hidden].filter(Boolean);
  if (ignored.length > 0) question.ignore = ignored.join(";");
  if (layers !== undefined) {
    const mask = typeof question.mask === "number" ? question.mask : 0xffffffff;
    question.mask = (mask & layers) >>> 0;
  }
  return { ...shot, question };
}
