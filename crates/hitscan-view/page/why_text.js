/** Explanations in words: verdicts, candidates, visits, axes, misses. Pure. */

import { metres, significant } from "./numbers.js";

/** A verdict's sign, which is shown beside its colour. @type {Record<string, string>} */
const SIGNS = {
  answer: "●",
  hit: "●",
  tie: "=",
  farther: "›",
  out_of_range: "↦",
  beyond: "↦",
  behind: "↤",
  wrong_side: "◑",
  parts: "↗",
  left_out: "⌐",
  hole: "○",
  missed: "×",
  box_missed: "×",
  filtered: "∅",
  opened: "▾",
};

/** @param {string} verdict */
export const verdictSign = (verdict) => SIGNS[verdict] ?? "·";

/** @param {string} verdict */
export const verdictWord = (verdict) => verdict.replaceAll("_", " ");

/** What a candidate's clause is where the program gives none. @type {Record<string, string>} */
const CLAUSES = {
  answer: "it is the answer",
  missed: "the question meets its box, and nothing in it",
  box_missed: "not even its box is met",
};

/** Object, part, triangle. @param {{object?: string, part?: string | null, triangle?: number | null}} thing */
export function thingName({ object, part, triangle }) {
  const number = triangle === undefined || triangle === null ? "" : `triangle ${triangle}`;
  return [object, part, number].filter(Boolean).join(", ");
}

/** A candidate in a sentence, its name aside. @param {Candidate} candidate */
export function candidateSentence({ object, verdict, why }) {
  if (verdict === "filtered") return `Left out by the question's ${why || "filter"}.`;
  return sentence(why || CLAUSES[verdict] || verdictWord(verdict), [object]);
}

/** What is looked at. @type {Record<string, string>} */
const KINDS = {
  world_node: "Boxes of objects",
  tree_node: "Boxes of triangles",
  block: "Block of terrain",
  cell: "Cell of terrain",
};

/** @param {Visit} visit */
export function visitTitle({ what, depth, object, part, triangle }) {
  const level = /node|block|cluster/.test(what) && depth !== undefined ? `, depth ${depth}` : "";
  const of = thingName({ object, part, triangle });
  return `${KINDS[what] ?? titled(what)}${level}${of ? ` · ${of}` : ""}`;
}

/** What becomes of a step. @param {Visit} visit */
export const visitSentence = ({ object, verdict, why }) => sentence(why || verdictWord(verdict), object === undefined ? [] : [object]);

/** How many of the steps that lead to one are drawn with it. */
const MOST_PARENTS = 12;

/** The trees from the outside in: objects, the parts of a model, then triangles; none is deeper than 1000. @param {Visit} visit */
const levelOf = ({ what, depth = 0 }) => (({ world_node: 0, object: 0, part: 1 })[what] ?? 2) * 1000 + depth;

/**
 * The steps that lead to one, the outermost first: further and further out, the last that was opened.
 * @param {readonly Visit[]} visits @param {number} at
 */
export function parents(visits, at) {
  /** @type {number[]} */
  const found = [];
  const own = visits[at];
  if (!own) return found;
  let level = levelOf(own);
  for (let step = at - 1; step >= 0 && level > 0 && found.length < MOST_PARENTS; step -= 1) {
    const one = visits[step];
    if (one?.verdict !== "opened" || levelOf(one) >= level) continue;
    if (one.object !== undefined && one.object !== own.object) continue;
    found.unshift(step);
    level = levelOf(one);
  }
  return found;
}

/** What an axis of a sweep says, its name aside. @param {Axis} axis */
export function axisSentence({ enter, leave, decides, never }) {
  if (never) return "They never overlap along it, so there is no hit.";
  if (enter === undefined && leave === undefined) return "They overlap all the time.";
  const from = enter === undefined ? "the start" : `t = ${significant(enter)}`;
  const to = leave === undefined ? "the end" : `t = ${significant(leave)}`;
  return `They overlap from ${from} to ${to}${decides ? "; it is entered last and decides" : ""}.`;
}

/** What a miss came nearest to, and what the filter removed. @param {Approach} approach */
export function approachSentences({ distance, t, object, triangle, filtered = [] }) {
  const where = t === undefined ? "" : ` at t = ${significant(t)}`;
  const near = distance === undefined ? [] : [`The nearest approach is ${metres(distance)} from ${thingName({ object, triangle })}${where}.`];
  return filtered.length > 0 ? [...near, `The filter removed ${listed(filtered)}.`] : near;
}

/** What a section shows where it is not the ground that decides. @param {Section} section */
export function groundSentence({ end, object }) {
  if (end === undefined) return `The ray goes over ${object}, which decides nothing here.`;
  return `The ray ends at ${end}; ${object} is not what decides.`;
}

/** How the classic march fares beside the exact search. @param {Section} section */
export function marchSentence({ march, ray }) {
  if (!march) return "";
  const { stepped_over: over = 0, hit, samples, bisections } = march;
  if (over > 0) {
    const [s, y] = ray.at(-1) ?? [0, 0];
    const then = hit ? `answers ${metres(Math.hypot(hit[0] - s, hit[1] - y))} from the exact hit, along the ray` : "finds nothing";
    return `The classic march steps over a ridge that the ray is in for ${metres(over)}, and ${then}.`;
  }
  const found = hit ? `the ground as well, with ${bisections.length} bisections,` : "nothing";
  return `The classic march finds ${found} in ${samples.length} samples.`;
}

/** @param {readonly string[]} names */
function listed(names) {
  const some = names.slice(0, 8);
  if (names.length > 8) return `${some.join(", ")} and ${names.length - 8} more`;
  return some.length < 2 ? some.join("") : `${some.slice(0, -1).join(", ")} and ${some.at(-1)}`;
}

/** @param {string} word */
export const titled = (word) => `${word[0]?.toUpperCase() ?? ""}${word.slice(1)}`;

/** A clause as a sentence; an object's name at its beginning stays as it is written. @param {string} clause @param {readonly string[]} [names] */
export function sentence(clause, names = []) {
  const given = clause.trim();
  const text = names.some((name) => name !== "" && given.startsWith(name)) ? given : titled(given);
  return text === "" || /[.!?]$/.test(text) ? text : `${text}.`;
}
