/** A question as a command line and as a row of a table, and what tests of it share. Pure. */

import { csvText, usedColumns } from "./csv.js";
import { posesInShort, writeLink } from "./link.js";
import { f32Text, fieldText } from "./numbers.js";
import { inScene } from "./table_frame.js";

const ALL = 0xffffffff;

/** The names in a field of the column `ignore`, where a `;` of a name is `\;`. @param {string} field */
export const ignoredNames = (field) =>
  field
    .split(/(?<!\\);/)
    .map((name) => name.replaceAll("\\;", ";").trim())
    .filter(Boolean);

/** The names that a question passes through, and the layers that it sees. @param {Asked} asked */
export function filterOf({ question }) {
  const mask = typeof question.mask === "number" ? question.mask : ALL;
  return { ignored: ignoredNames(String(question.ignore ?? "")), mask, seesAll: mask === ALL };
}

/** The name of a shot as that of a function. @param {Asked} asked */
export const testName = ({ name }) => name.toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, "");

/**
 * The models that are back in their own poses at the later of two moments.
 * @param {readonly Pose[]} poses of the later @param {NonNullable<AskedWorld["past"]>} past
 */
export function putBack(poses, past) {
  const posed = new Set(poses.map(({ object }) => object));
  return past.poses.filter(({ object }) => !posed.has(object)).map(({ object }) => object);
}

/** The header and the row, as a table has them. @param {Asked} asked */
export const tableRow = ({ tool, options, question }) => csvText(usedColumns(tool, options, [question]), [question]);

/**
 * A line for a POSIX shell, in any folder, that runs the same query: in the poses and at the time of
 * the shot by a link, where they are not the scene's own.
 * @param {Asked} asked @param {SceneSource} source @param {Scene | null} [at] whose poses need not be stated
 */
export function commandLine(asked, { file, options: read = [] }, at = null) {
  const { tool, options, question, world } = asked;
  const scene = ["hitscan", tool, shellWord(file), ...read.map(shellWord)];
  const output = tool === "viewshed" ? ["-o", "viewshed.png"] : [];
  if (world.poses.length > 0 || world.past) {
    const link = writeLink({ ...posesInShort(world.poses, at, world.past), past: world.past, tool, question, options });
    return [...scene, "--link", shellWord(link), ...output].join(" ");
  }
  if (tool === "viewshed") return [...scene, ...eyeWords(inScene(question, at?.origin)), ...optionWords(options, tool), ...output].join(" ");
  const isPairs = Object.keys(question).length === 0;
  const words = [...scene, ...(isPairs ? [] : ["-"]), ...optionWords(options, tool)].join(" ");
  if (isPairs) return words;
  const format = tableRow(asked).replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("%", "%%");
  return `printf ${shellWord(format)} | ${words}`;
}

/** The eye of a viewshed in metres of the scene, and what it looks through. @param {Row} question */
function eyeWords(question) {
  const eye = ["x", "z", "y"].filter((axis) => axis in question).map((axis) => `${axis}=${f32Text(Number(question[axis]))}`);
  const filter = ["mask", "ignore"].filter((name) => name in question).flatMap((name) => [`--${name}`, shellWord(fieldText(question[name]))]);
  return ["--eye", eye.join(","), ...filter];
}

const UNSAID = ["hits=nearest", "sides=both", "method=exact", "overlaps=stop", "each=object"];

/** What the program calls the page's words: of options, and of their values. */
const PROGRAM_WORDS = new Map([["overlaps", "initial-overlap"], ["leave", "escape"], ["turned_box", "obb"], ["target_above", "target-above"], ["max_distance", "max-distance"], ["earth_radius", "earth-radius"]]);

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
