/** The tree of a scene's objects and parts as rows of a list, and its layers. Pure. */

/**
 * The rows that match a search: an object by its name or kind, or by a part's name, and then its parts are listed.
 * @param {readonly SceneObject[]} objects @param {string} search @param {ReadonlySet<string>} open names of objects
 * @returns {TreeRow[]}
 */
export function treeRows(objects, search, open) {
  const wanted = search.trim().toLowerCase();
  const has = (/** @type {string} */ text) => text.toLowerCase().includes(wanted);
  const found = objects.flatMap((object) => {
    const { name, kind, parts = [] } = object;
    const whole = wanted === "" || has(name) || has(kind.replace("_", " "));
    const matching = whole ? parts : parts.filter(has);
    if (!whole && matching.length === 0) return [];
    const isOpen = open.has(name) || !whole;
    return [{ object, parts: isOpen ? matching : [], open: parts.length === 0 ? undefined : isOpen }];
  });
  return found.flatMap(({ object, parts, open: isOpen }, at) => [
    { object, level: 1, open: isOpen, position: at + 1, size: found.length },
    ...parts.map((part, i) => ({ object, part, level: 2, position: i + 1, size: parts.length })),
  ]);
}

/** The layers that objects are in, with how many are in each; bit 0 is layer 1. @param {readonly SceneObject[]} objects */
export function layersOf(objects) {
  const bits = Array.from({ length: 32 }, (_, bit) => bit);
  const counted = bits.map((bit) => ({ bit, count: objects.filter(({ layers = 1 }) => (layers >>> bit) & 1).length }));
  return counted.filter(({ count }) => count > 0);
}

/** A mask with one layer more or less; all of them is null. @param {number | null} mask @param {number} bit @param {boolean} seen */
export function withLayer(mask, bit, seen) {
  const before = mask ?? 0xffffffff;
  const after = (seen ? before | (1 << bit) : before & ~(1 << bit)) >>> 0;
  return after === 0xffffffff ? null : after;
}
