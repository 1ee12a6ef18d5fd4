/** What an answer is at a glance: its kind, and what to do about it. Pure. */

/**
 * @typedef {import("./messages.js").Answer} Answer
 * @typedef {import("./messages.js").Row} Row
 * @typedef {"hit" | "miss" | "overlap" | "invalid"} Kind tells colour and sign
 * @typedef {{kind: Kind, word: string, advice: string}} Glance
 */

/** The kind of each status of the contract. @type {Record<string, Kind>} */
const KINDS = {
  hit: "hit",
  ok: "hit",
  near: "hit",
  touching: "hit",
  overlap: "overlap",
  inside: "overlap",
  miss: "miss",
  none: "miss",
  separate: "miss",
  outside: "miss",
  hole: "miss",
  empty: "miss",
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
  inside: "It starts inside: the normal is zero.",
  invalid: "Change the question below.",
};

/**
 * @param {Answer} answer
 * @returns {Glance}
 */
export function glanceOf(answer) {
  const first = answer.answers[0];
  const status = answer.invalid === undefined ? String(first?.status ?? "") : "invalid";
  if (status === "") return pairsGlance(answer.answers.length);
  const kind = KINDS[status] ?? "hit";
  const advice = answer.tool === "overlap" && status === "overlap" ? "" : (ADVICE[status] ?? "");
  return { kind, word: status, advice };
}

/**
 * The glance at a list without a status: pairs of objects.
 * @param {number} count
 * @returns {Glance}
 */
function pairsGlance(count) {
  const kind = count === 0 ? "miss" : "overlap";
  const word = count === 1 ? "1 pair" : `${count} pairs`;
  return { kind, word, advice: count === 0 ? "No two objects meet." : "" };
}

/** What rows of a list are told apart by, the first that a row has. */
const MEASURES = ["t", "distance", "separation", "height", "kind"];

/**
 * A row of a list of answers: its measure, and what it is of.
 * @param {Row} row
 * @returns {{measure: string, value: number | string, thing: string, beside: string}}
 */
export function listed(row) {
  const measure = MEASURES.find((column) => column in row) ?? "";
  const pair = "object_a" in row ? [thing(row, "_a"), thing(row, "_b")].join(" – ") : thing(row, "");
  return { measure, value: row[measure] ?? "", thing: pair, beside: String(row.side ?? row.status ?? "") };
}

/** @param {Row} row @param {string} suffix */
function thing(row, suffix) {
  const triangle = row[`triangle${suffix}`];
  const names = [row[`object${suffix}`], row[`part${suffix}`]].filter((name) => name !== undefined);
  return [...names, triangle === undefined ? [] : `triangle ${triangle}`].flat().join(", ");
}
