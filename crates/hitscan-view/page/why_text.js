/** Explanations in words: verdicts, candidates, visits, axes, misses. */

import { f32Text, significant } from "./numbers.js";

/**
 * @typedef {import("./messages.js").Candidate} Candidate
 * @typedef {import("./messages.js").Visit} Visit
 * @typedef {import("./messages.js").Axis} Axis
 * @typedef {import("./messages.js").Approach} Approach
 */

/** A verdict's word and its sign, which stands beside its colour. @type {Record<string, [string, string]>} */
const VERDICTS = {
  answer: ["answer", "●"],
  hit: ["hit", "●"],
  tie: ["tie", "="],
  farther: ["farther", "›"],
  out_of_range: ["out of range", "↦"],
  beyond: ["beyond the range", "↦"],
  behind: ["behind the start", "↤"],
  wrong_side: ["wrong side", "◑"],
  parts: ["parts", "↗"],
  left_out: ["left out", "⌐"],
  hole: ["hole", "○"],
  missed: ["missed", "×"],
  box_missed: ["box missed", "×"],
  filtered: ["filtered", "∅"],
  opened: ["opened", "▾"],
};

/** @param {string} verdict */
export function verdictWord(verdict) {
  return VERDICTS[verdict]?.[0] ?? verdict.replaceAll("_", " ");
}

/** @param {string} verdict */
export function verdictSign(verdict) {
  return VERDICTS[verdict]?.[1] ?? "·";
}

/** What a candidate's clause is where the program gives none. @type {Record<string, string>} */
const CLAUSES = {
  answer: "it is the answer",
  missed: "the question meets its box, and nothing in it",
  box_missed: "not even its box is met",
};

/**
 * What a thing is called: object, part, triangle.
 * @param {{object?: string | null, part?: string | null, triangle?: number | null}} thing
 */
export function thingName({ object, part, triangle }) {
  const names = [object, part].filter((name) => name !== undefined && name !== null && name !== "");
  if (triangle !== undefined && triangle !== null) names.push(`triangle ${triangle}`);
  return names.join(", ");
}

/**
 * A candidate in a sentence, its name aside.
 * @param {Candidate} candidate
 */
export function candidateSentence({ verdict, why }) {
  if (verdict === "filtered") return sentence(`left out by the question's ${why || "filter"}`);
  return sentence(why || CLAUSES[verdict] || verdictWord(verdict));
}

const KINDS = /** @type {Record<string, string>} */ ({
  world_node: "Boxes of objects",
  object: "Object",
  part: "Part",
  tree_node: "Boxes of triangles",
  block: "Block of terrain",
  cell: "Cell of terrain",
  cluster: "Cluster",
  triangle: "Triangle",
  solid: "Solid",
});

/**
 * What a step looks at.
 * @param {Visit} visit
 */
export function visitTitle({ what, depth, object, part }) {
  const kind = KINDS[what] ?? what;
  const level = ["world_node", "tree_node", "block", "cluster"].includes(what) && depth !== undefined ? `, depth ${depth}` : "";
  const of = [object, part].filter(Boolean).join(", ");
  return `${kind}${level}${of ? ` · ${of}` : ""}`;
}

/**
 * What becomes of a step, in a sentence.
 * @param {Visit} visit
 */
export function visitSentence({ verdict, why, t }) {
  const range = t ? ` (t ${f32Text(t[0])} to ${f32Text(t[1])})` : "";
  return why ? sentence(why) : sentence(`${verdictWord(verdict)}${range}`);
}

/**
 * What an axis of a sweep says, in a sentence without its name.
 * @param {Axis} axis
 */
export function axisSentence({ enter, leave, decides, never }) {
  if (never) return "They never overlap along it, so there is no hit.";
  const from = enter === undefined ? "the start" : `t = ${significant(enter)}`;
  const to = leave === undefined ? "the end" : `t = ${significant(leave)}`;
  const interval = enter === undefined && leave === undefined ? "overlap all the time" : `overlap from ${from} to ${to}`;
  return sentence(`they ${interval}${decides ? "; it is entered last and decides" : ""}`);
}

/**
 * What a miss came nearest to, one sentence each.
 * @param {Approach} approach
 * @returns {string[]}
 */
export function approachSentences({ distance, t, object, triangle, filtered, change }) {
  const sentences = [];
  if (distance !== undefined && object !== undefined) {
    const where = t === undefined ? "" : ` at t = ${significant(t)}`;
    sentences.push(`The nearest approach is ${metres(distance)} from ${thingName({ object, triangle })}${where}.`);
  }
  if (filtered && filtered.length > 0) sentences.push(`The filter removed ${listed(filtered)}.`);
  if (change) sentences.push(sentence(change));
  return sentences;
}

/**
 * A length for people.
 * @param {number} value metres
 */
export function metres(value) {
  const size = Math.abs(value);
  if (size !== 0 && size < 0.001) return `${significant(value * 1e6)} µm`;
  if (size !== 0 && size < 1) return `${significant(value * 1000)} mm`;
  return `${significant(value)} m`;
}

/** @param {readonly string[]} names */
export function listed(names) {
  const some = names.slice(0, 8);
  const more = names.length - some.length;
  if (more > 0) return `${some.join(", ")} and ${more} more`;
  return some.length < 2 ? some.join("") : `${some.slice(0, -1).join(", ")} and ${some.at(-1)}`;
}

/**
 * A clause as a sentence.
 * @param {string} clause
 */
export function sentence(clause) {
  const text = clause.trim();
  if (text === "") return "";
  const ended = /[.!?]$/.test(text) ? text : `${text}.`;
  return `${ended[0]?.toUpperCase()}${ended.slice(1)}`;
}
