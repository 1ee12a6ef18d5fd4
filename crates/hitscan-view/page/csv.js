/** Tables as CSV text, as the program reads and writes them. Pure. */

import { defaultOf, questionColumns } from "./columns.js";
import { fieldText } from "./numbers.js";

/** A field, quoted where it has to be. @param {Value | undefined} value */
export function csvField(value) {
  const text = fieldText(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @param {readonly string[]} columns @param {readonly Row[]} rows */
export function csvText(columns, rows) {
  const lines = rows.map((row) => columns.map((column) => csvField(row[column])).join(","));
  return [columns.join(","), ...lines, ""].join("\n");
}

/**
 * The columns of a table of these questions: those that are required, and those that a row has.
 * @param {AskTool} tool @param {Options} options @param {readonly Row[]} questions
 */
export function usedColumns(tool, options, questions) {
  const columns = questionColumns(tool, options, questions[0]);
  return columns.filter((column) => defaultOf(column, options) === undefined || questions.some((row) => column in row));
}

/**
 * Tables of questions, one for each command line that they need; pairs are queried without a table.
 * @param {readonly Pick<Asked, "name" | "tool" | "options" | "question">[]} shots
 */
export function questionTables(shots) {
  /** @type {Map<string, {tool: AskTool, options: Options, rows: Row[]}>} */
  const groups = new Map();
  for (const { name, tool, options, question } of shots) {
    if (Object.keys(question).length === 0) continue;
    const key = JSON.stringify([tool, "half_x" in question && tool === "height", Object.entries(options).sort()]);
    const group = groups.get(key) ?? { tool, options, rows: [] };
    groups.set(key, group);
    group.rows.push({ ...question, name });
  }
  /** @type {Partial<Record<AskTool, number>>} */
  const counts = {};
  return [...groups.values()].map(({ tool, options, rows }) => {
    const number = (counts[tool] = (counts[tool] ?? 0) + 1);
    const file = number === 1 ? `${tool}.csv` : `${tool}-${number}.csv`;
    return { file, text: csvText(["name", ...usedColumns(tool, options, rows)], rows) };
  });
}
