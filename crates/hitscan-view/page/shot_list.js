/** The list of shots with undo: pure steps from list to list. */

/** How many steps can be undone. */
const MOST_STEPS = 100;

/** @type {ShotList} */
export const EMPTY = { shots: [], past: [], future: [] };

/** The list after an edit, which can be undone. @param {ShotList} list @param {string} what @param {readonly Shot[]} shots @returns {ShotList} */
function edited(list, what, shots) {
  return { shots, past: [...list.past, { what, shots: list.shots }].slice(-MOST_STEPS), future: [] };
}

/**
 * The list as the store has it. New and missing shots are an edit; newer answers of the same are none, and
 * are taken over into the steps, so that undoing loses no answer.
 * @param {ShotList} list @param {readonly Shot[]} shots @returns {ShotList}
 */
export function observed(list, shots) {
  if (list.shots.length === shots.length && list.shots.every((shot, at) => shot === shots[at])) return list;
  // Those from before a reload of the page are where the list begins.
  if (list === EMPTY && shots.every(({ unasked }) => unasked)) return { ...EMPTY, shots };
  const known = new Set(list.shots.map(({ key }) => key));
  const added = shots.find(({ key }) => !known.has(key));
  if (added || shots.length !== list.shots.length) return edited(list, added ? `Ask ${added.name}` : "Delete", shots);
  const newer = new Map(shots.map((shot) => [shot.key, shot]));
  const fresh = (/** @type {readonly Step[]} */ steps) =>
    steps.map(({ what, shots: old }) => ({ what, shots: old.map((shot) => ({ ...shot, ...newer.get(shot.key), name: shot.name })) }));
  return { shots, past: fresh(list.past), future: fresh(list.future) };
}

/** @param {ShotList} list @param {number} key @param {string} typed */
export function rename(list, key, typed) {
  const shot = list.shots.find((one) => one.key === key);
  const name = typed.trim();
  if (!shot || name === "" || name === shot.name) return list;
  return edited(list, `Rename ${shot.name}`, list.shots.map((one) => (one === shot ? { ...one, name } : one)));
}

/** @param {ShotList} list @param {number} key */
export function remove(list, key) {
  const shot = list.shots.find((one) => one.key === key);
  return shot ? edited(list, `Delete ${shot.name}`, list.shots.filter((one) => one !== shot)) : list;
}

/** The shot to look at once one is deleted: the one after it, else the one before. @param {readonly Shot[]} shots @param {number} key */
export function neighbour(shots, key) {
  const at = shots.findIndex((one) => one.key === key);
  return shots[at + 1] ?? shots[at - 1] ?? null;
}

/** @param {ShotList} list */
export function clear(list) {
  return list.shots.length === 0 ? list : edited(list, "Delete all", []);
}

/** The list before the last edit. @param {ShotList} list @returns {ShotList} */
export function undo(list) {
  const { shots, past, future } = list;
  const step = past.at(-1);
  if (!step) return list;
  return { shots: step.shots, past: past.slice(0, -1), future: [...future, { what: step.what, shots }] };
}

/** The list before the last undo. @param {ShotList} list @returns {ShotList} */
export function redo(list) {
  const { shots, past, future } = list;
  const step = future.at(-1);
  if (!step) return list;
  return { shots: step.shots, past: [...past, { what: step.what, shots }], future: future.slice(0, -1) };
}
