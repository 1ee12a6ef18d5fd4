/** The tree of a scene's objects and parts as rows of a list. Pure. */

/**
 * @typedef {import("./messages.js").SceneObject} SceneObject
 *
 * @typedef {object} TreeRow
 * @property {SceneObject} object
 * @property {string} [part] absent in an object's own row
 * @property {number} level 1 for objects, 2 for parts
 * @property {boolean} [open] whether its parts are listed; absent where it has none
 * @property {number} position from 1, among its siblings
 * @property {number} size of its siblings
 */

/** What kinds are called. @type {Record<SceneObject["kind"], string>} */
export const KINDS = {
  terrain: "terrain",
  model: "model",
  mesh: "mesh",
  sphere: "sphere",
  box: "box",
  capsule: "capsule",
  turned_box: "turned box",
};

/**
 * The rows that match a search: an object by its name or kind, or by a part's name, and then its parts are listed.
 * @param {readonly SceneObject[]} objects
 * @param {string} search
 * @param {ReadonlySet<string>} open names of objects
 * @returns {TreeRow[]}
 */
export function treeRows(objects, search, open) {
  const wanted = search.trim().toLowerCase();
  const has = (/** @type {string} */ text) => text.toLowerCase().includes(wanted);
  const found = objects.flatMap((object) => {
    const parts = object.parts ?? [];
    const whole = wanted === "" || has(object.name) || has(KINDS[object.kind] ?? object.kind);
    const matching = whole ? parts : parts.filter(has);
    if (!whole && matching.length === 0) return [];
    const isOpen = open.has(object.name) || !whole;
    return [{ object, parts: isOpen ? matching : [], open: parts.length === 0 ? undefined : isOpen }];
  });
  return found.flatMap(({ object, parts, open: isOpen }, at) => [
    { object, level: 1, open: isOpen, position: at + 1, size: found.length },
    ...parts.map((part, i) => ({ object, part, level: 2, position: i + 1, size: parts.length })),
  ]);
}

/**
 * The layers that objects are in, with how many are in each; bit 0 is layer 1.
 * @param {readonly SceneObject[]} objects
 * @returns {{bit: number, count: number}[]}
 */
export function layersOf(objects) {
  const counts = new Array(32).fill(0);
  for (const { layers = 1 } of objects) {
    for (let bit = 0; bit < 32; bit += 1) if ((layers >>> bit) & 1) counts[bit] += 1;
  }
  return counts.flatMap((count, bit) => (count > 0 ? [{ bit, count }] : []));
}

/**
 * A mask with one layer more or less; all of them is null.
 * @param {number | null} mask
 * @param {number} bit
 * @param {boolean} seen
 * @returns {number | null}
 */
export function withLayer(mask, bit, seen) {
  const before = mask ?? 0xffffffff;
  const after = (seen ? before | (1 << bit) : before & ~(1 << bit)) >>> 0;
  return after === 0xffffffff ? null : after;
}
