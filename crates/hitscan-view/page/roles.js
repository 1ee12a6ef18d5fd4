/**
 * The signs of the overlay: what a line means is shown by its colour and by a second sign.
 *
 * Colours are Okabe and Ito's ("Color Universal Design", 2008), which stay apart for protan, deutan
 * and tritan eyes. `tokens.css` has the same under the same names; a test compares them.
 */

export const COLORS = {
  hit: "#0072b2",
  miss: "#d55e00",
  overlap: "#cc79a7",
  march: "#e69f00",
  past: "#009e73",
  normal: "#f0e442",
};

/** Around every line, so that it shows on any ground. */
export const CASING = "#0b0d10";

/**
 * @typedef {keyof typeof COLORS} ColorName
 * @typedef {"solid" | "dashed" | "dotted"} Dash
 * @typedef {"none" | "dot" | "ring" | "arrow" | "open-arrow" | "squares" | "hatch"} Sign `dot`, `ring`
 *   and the arrows at a line's end, squares at each point, hatching within a shape
 * @typedef {{color: ColorName, dash: Dash, sign: Sign, width: number, closed?: boolean}} Style
 */

/** @type {Record<string, Style>} */
export const ROLES = {
  // Lines and boxes of an answer.
  ray: { color: "hit", dash: "solid", sign: "none", width: 2.5 },
  hit: { color: "hit", dash: "solid", sign: "dot", width: 2.5 },
  miss: { color: "miss", dash: "dashed", sign: "open-arrow", width: 2.5 },
  normal: { color: "normal", dash: "solid", sign: "arrow", width: 2.5 },
  triangle: { color: "hit", dash: "solid", sign: "none", width: 2, closed: true },
  motion: { color: "hit", dash: "solid", sign: "arrow", width: 2.5 },
  arc: { color: "hit", dash: "solid", sign: "none", width: 2.5 },
  disc: { color: "hit", dash: "solid", sign: "none", width: 2, closed: true },
  seen: { color: "hit", dash: "solid", sign: "dot", width: 2.5 },
  unseen: { color: "miss", dash: "dashed", sign: "ring", width: 2.5 },
  segment: { color: "hit", dash: "solid", sign: "dot", width: 2.5 },
  shape: { color: "hit", dash: "solid", sign: "none", width: 1.5 },
  start: { color: "overlap", dash: "solid", sign: "hatch", width: 1.5 },
  between: { color: "hit", dash: "dotted", sign: "none", width: 1 },
  contact: { color: "hit", dash: "solid", sign: "dot", width: 1.5 },
  intersection: { color: "overlap", dash: "solid", sign: "hatch", width: 1.5 },
  overlap: { color: "overlap", dash: "solid", sign: "dot", width: 2.5 },
  // Why: the walk, the march, the nearest approach.
  box: { color: "hit", dash: "solid", sign: "none", width: 1.5 },
  passed: { color: "miss", dash: "dashed", sign: "none", width: 1.5 },
  march: { color: "march", dash: "solid", sign: "squares", width: 1.5 },
  approach: { color: "miss", dash: "dashed", sign: "ring", width: 1.5 },
  // What was expected: the shot turned to hit it, and where it was.
  turned: { color: "normal", dash: "dashed", sign: "open-arrow", width: 1.5 },
  was: { color: "past", dash: "dotted", sign: "ring", width: 3 },
  past: { color: "past", dash: "dotted", sign: "none", width: 3 },
  ruler: { color: "march", dash: "solid", sign: "dot", width: 2.5 },
  // What can be dragged.
  handle: { color: "hit", dash: "solid", sign: "none", width: 2.5 },
};
