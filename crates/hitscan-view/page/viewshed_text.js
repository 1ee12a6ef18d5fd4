/** A viewshed as words: where its eye was, and what counts. Pure. */

/** @import { Options, Row } from "./messages.js" */

/**
 * Where the eye was, in metres of the scene and, where it has one, on its map.
 * @param {Row} answer the first
 * @returns {[string, string][]}
 */
export function eyeFacts({ eye }) {
  const [, scene, map] = /^(.*?)(?: \((.*)\))?$/.exec(String(eye ?? "")) ?? [];
  if (!scene) return [];
  return [["eye, in the scene", scene], ...(map ? [/** @type {[string, string]} */ (["eye, on the map", map])] : [])];
}

/** What hides the ground, and what the tint says. @param {Options} options */
export function countsNote({ curvature }) {
  const hides = curvature === true
    ? "Terrain hides, lowered by the earth's curvature; models and solids have to be left out by the filter."
    : "Terrain, models and solids hide, models as they were posed when it was asked; what the view hides or the filter leaves out does not.";
  return `${hides} Each sample is decided exactly. In the picture the ground is yellow where the nearest sample is seen, and dark where it is not; holes and what is too far have no tint.`;
}
