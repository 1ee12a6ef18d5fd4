/** A question as a command line and as a row of a table. Pure. */

import { csvText, usedColumns } from "./csv.js";
import { fieldText } from "./numbers.js";

const ALL = 0xffffffff;

/** The names in a field of the column `ignore`, where a `;` of a name is `\;`. @param {string} field */
export const ignoredNames = (field) =>
  field
    .split(/(?<!\\);/)
    .map((name) => name.replaceAll("\\;", ";").trim())
    .filter(Boolean);

/** The names that a question passes through, and the layers that it sees: its own and the view's. @param {Asked} asked */
export function filterOf({ question, hidden = [], layers = ALL }) {
  const ignored = ignoredNames(String(question.ignore ?? ""));
  const own = typeof question.mask === "number" ? question.mask : ALL;
  return { ignored: [...ignored, ...hidden], mask: (own & layers) >>> 0, seesAll: ((own & layers) >>> 0) === ALL };
}

/** The header and the row, as a table has them. @param {Asked} asked */
export function tableRow(asked) {
  const question = { ...asked.question };
  const { ignored, mask, seesAll } = filterOf(asked);
  if (ignored.length > 0) question.ignore = ignored.map((name) => name.replaceAll(";", "\\;")).join(";");
  if (!seesAll) question.mask = mask;
  return csvText(usedColumns(asked.tool, asked.options, [question]), [question]);
}

/**
 * A line for a POSIX shell that asks the program the same; models stand as the scene file says.
 * @param {Asked} asked @param {string} scene its path
 */
export function commandLine(asked, scene) {
  const { tool, options, question } = asked;
  const isPairs = Object.keys(question).length === 0;
  const words = ["hitscan", tool, shellWord(scene), ...(isPairs ? [] : ["-"]), ...optionWords(options, tool)].join(" ");
  if (isPairs) return words;
  const format = tableRow(asked).replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("%", "%%");
  return `printf ${shellWord(format)} | ${words}`;
}

const UNSAID = ["hits=nearest", "sides=both", "method=exact", "overlaps=stop", "each=object"];

/** What the program calls the page's words: of options, and of their values. */
const PROGRAM_WORDS = new Map([["overlaps", "initial-overlap"], ["leave", "escape"], ["turned_box", "obb"]]);

/** The options that are not the default, as words. @param {Options} options @param {string} tool */
function optionWords(options, tool) {
  return Object.entries(options).flatMap(([name, value]) => {
    if (String(value) === "false" || UNSAID.includes(`${name}=${value}`)) return [];
    if (name === "shape" && value === "box" && tool === "sweep") return [];
    const word = `--${PROGRAM_WORDS.get(name) ?? name}`;
    const text = fieldText(/** @type {Value} */ (value));
    return String(value) === "true" ? [word] : [word, shellWord(PROGRAM_WORDS.get(text) ?? text)];
  });
}

/** A word that a POSIX shell reads as this text. @param {string} text */
export function shellWord(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
