/** Which steps of a walk lead to which: depths of several trees, one below the other. Pure. */

/** @typedef {import("./messages.js").Visit} Visit */

/** How many of the steps that lead to one are drawn with it. */
const MOST_PARENTS = 12;

/** The trees from the outside in: objects, the parts of a model, then triangles. @type {Record<string, number>} */
const TREES = { world_node: 0, object: 0, part: 1 };

/** More than any tree is deep. */
const TREE_DEPTH = 1000;

/**
 * How far in a step is, over all trees.
 * @param {Visit} visit
 */
function levelOf({ what, depth = 0 }) {
  return (TREES[what] ?? 2) * TREE_DEPTH + depth;
}

/**
 * The steps that lead to one: further and further out, the last that was opened.
 * @param {readonly Visit[]} visits
 * @param {number} at
 * @returns {number[]} the outermost first
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
