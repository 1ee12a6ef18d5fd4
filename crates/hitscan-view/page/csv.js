/** Tables as CSV text, as the program reads and writes them (RFC 4180, a header, line feeds). */

import { questionColumns } from "./columns.js";
import { fieldText } from "./numbers.js";

/** @typedef {import("./messages.js").Row} Row */
/** @typedef {import("./messages.js").AskTool} Tool */
/** @typedef {import("./messages.js").Options} Options */

/**
 * A field, quoted where it has to be.
 * @param {number | string | undefined} value
 */
export function csvField(value) {
  const text = fieldText(value);
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * @param {readonly string[]} columns
 * @param {readonly Row[]} rows
 * @returns {string}
 */
export function csvText(columns, rows) {
  const lines = rows.map((row) => columns.map((column) => csvField(row[column])).join(","));
  return [columns.map(csvField).join(","), ...lines, ""].join("\n");
}

/**
 * The columns of a table of these questions: those that are required, and those that a row has.
 * @param {Tool} tool
 * @param {Options} options
 * @param {readonly Row[]} questions
 */
export function usedColumns(tool, options, questions) {
  const optional = new Set(["t_min", "t_max", "gx", "gy", "gz", "margin", "max_distance"].concat(["angle", "mask", "ignore"]));
  const columns = questionColumns(tool, options, questions[0]);
  return columns.filter((column) => !optional.has(column) || questions.some((row) => column in row));
}

/**
 * Tables of questions, one for each command line that they need.
 * @param {readonly {name: string, tool: Tool, options: Options, question: Row}[]} shots
 * @returns {{file: string, options: Options, tool: Tool, text: string}[]}
 */
export function questionTables(shots) {
  /** @type {Map<string, {tool: Tool, options: Options, rows: Row[]}>} */
  const groups = new Map();
  for (const { name, tool, options, question } of shots) {
    if (Object.keys(question).length === 0) continue;
    const kind = "half_x" in question && tool === "height" ? "rectangle" : "";
    const key = JSON.stringify([tool, kind, Object.entries(options).sort()]);
    const group = groups.get(key) ?? { tool, options, rows: [] };
    group.rows.push({ ...question, name });
    groups.set(key, group);
  }
  /** @type {Map<Tool, number>} */
  const counts = new Map();
  return [...groups.values()].map(({ tool, options, rows }) => {
    const number = (counts.get(tool) ?? 0) + 1;
    counts.set(tool, number);
    const file = number === 1 ? `${tool}.csv` : `${tool}-${number}.csv`;
    const columns = ["name", ...usedColumns(tool, options, rows)];
    return { file, options, tool, text: csvText(columns, rows) };
  });
}
