/** What an answer is at a glance: its kind, and what to do about it. Pure. */

import { whole } from "./format.js";
import { metres, significant } from "./numbers.js";

/** @import { Answer, AskTool, Options, Point, Pose, Row } from "./messages.js" */

/** The kind of each status, which gives colour and sign; what is not here is a hit. @type {Record<string, string>} */
const KINDS = {
  overlap: "overlap",
  inside: "overlap",
  miss: "miss",
  blocked: "miss",
  none: "miss",
  separate: "miss",
  outside: "miss",
  hole: "miss",
  empty: "miss",
  undecided: "miss",
  invalid: "invalid",
};

/** @type {Record<string, string>} */
const ADVICE = {
  miss: "Why tells what it came nearest to, and the smallest change that makes it a hit.",
  none: "Nothing is within the greatest distance. Leave it empty to look without limit.",
  separate: "The shape meets nothing. A margin finds what is near.",
  outside: "The point is off every map.",
  hole: "The map has no data here.",
  empty: "The radius reaches no sample: make it greater than half the spacing.",
  overlap: "It overlaps at the start already: move the start, or let it leave.",
  inside: "It is inside.",
  undecided: "Nothing is proved beyond that t: start a little away from what is touched.",
  blocked: "Why lists all that is between the two.",
  invalid: "Change the question below.",
};

/** So many pairs are counted, at most. */
export const MOST_PAIRS = 100_000;

/** Whether an answer lists pairs of objects, which are no question's. @param {Answer} answer */
export const isOfPairs = ({ tool, question, invalid }) => tool === "overlap" && invalid === undefined && Object.keys(question).length === 0;

/**
 * The box around what is drawn of an answer that lists pairs: corners of minimum and maximum coordinates.
 * @param {Answer} answer @param {number} pair its number
 * @returns {[Point, Point] | null}
 */
export function pairBounds({ lines = [], boxes = [] }, pair) {
  const points = [...lines, ...boxes].filter(({ answer }) => answer === pair).flatMap((drawn) => drawn.points);
  const [first, ...rest] = points;
  if (!first) return null;
  const reduce = (/** @type {(...numbers: number[]) => number} */ pick) =>
    rest.reduce((end, point) => /** @type {Point} */ (end.map((number, axis) => pick(number, point[axis]))), first);
  return [reduce(Math.min), reduce(Math.max)];
}

/** Whether Why explains a tool's answers. @param {AskTool} tool @param {Options} options */
export const isExplained = (tool, options) => tool !== "height" && tool !== "viewshed" && tool !== "distance" && !options.turning;

/** @param {Answer} answer */
export function glanceOf({ answers, answers_total: total = answers.length, invalid, tool }) {
  const status = invalid === undefined ? answers[0]?.status : "invalid";
  if (status === undefined) {
    // Pairs of objects have no status.
    const word = total === 1 ? "1 pair" : total > MOST_PAIRS ? `over ${whole(MOST_PAIRS)} pairs` : `${whole(total)} pairs`;
    return answers.length > 0 ? { kind: "overlap", word, advice: "" } : { kind: "miss", word, advice: "No two objects meet." };
  }
  const isOfPlace = tool === "overlap" || tool === "distance";
  const advice = isOfPlace && status === "overlap" ? "" : (ADVICE[status] ?? "");
  return { kind: KINDS[status] ?? "hit", word: String(status), advice };
}

/** What is hit in short: "bruno 8.92 m". @param {Answer} answer */
function shortly(answer) {
  const row = answer.answers[0] ?? {};
  const { measure, thing } = listed(row);
  const { word } = glanceOf(answer);
  const value = measure === undefined ? undefined : row[measure];
  if (typeof value !== "number") return word;
  return `${thing || word} ${measure === "t" ? `t ${significant(value)}` : metres(value)}`;
}

/** What has become of an answer since the scene changed; null where it is the same. @param {Answer} before @param {Answer} now */
export function changeSentence(before, now) {
  const told = (/** @type {Answer} */ { answers, answers_total, invalid }) => JSON.stringify([answers, answers_total, invalid]);
  if (told(before) === told(now)) return null;
  const [was, is] = [shortly(before), shortly(now)];
  return was === is ? `The scene changed, and so did other columns of the answer: ${is}.` : `The scene changed: was ${was}, now ${is}.`;
}

/** The first models that were posed, with their clips and times. @param {readonly Pose[]} poses */
export function posedText(poses) {
  const shown = poses.slice(0, 3).map(({ object, clip, time, blend }) => {
    const second = blend ? ` with ${blend.clip} at ${blend.time} s, ${Math.round(blend.weight * 100)} %` : "";
    return `${object}: ${clip} at ${time} s${second}`;
  });
  const left = poses.length - shown.length;
  return [...shown, ...(left > 0 ? [`${whole(left)} more`] : [])].join("; ");
}

/** A row of a list of answers: its measure, and what it is of. @param {Row} row */
export function listed(row) {
  const measure = ["t", "distance", "separation", "height", "kind"].find((column) => column in row);
  const thing = (/** @type {string} */ suffix) => {
    const triangle = row[`triangle${suffix}`];
    return [row[`object${suffix}`], row[`part${suffix}`], triangle === undefined ? "" : `triangle ${triangle}`].filter(Boolean).join(", ");
  };
  const name = "object_a" in row ? `${thing("_a")} – ${thing("_b")}` : thing("");
  return { measure, thing: name, beside: String(row.side ?? row.status ?? "") };
}
