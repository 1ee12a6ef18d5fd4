/** The list of shots with undo: pure steps from list to list. */

/**
 * @typedef {import("./store.js").Shot} Shot
 *
 * @typedef {object} ShotList
 * @property {readonly Shot[]} shots oldest first
 * @property {readonly Step[]} past
 * @property {readonly Step[]} future
 *
 * @typedef {{what: string, shots: readonly Shot[]}} Step an edit in words, and the list without it
 */

/** How many steps can be undone. */
export const MAX_STEPS = 100;

/** @type {ShotList} */
export const EMPTY = { shots: [], past: [], future: [] };

/**
 * The list after an edit, which can be undone.
 * @param {ShotList} list
 * @param {string} what
 * @param {readonly Shot[]} shots
 * @returns {ShotList}
 */
function edited(list, what, shots) {
  return { shots, past: [...list.past, { what, shots: list.shots }].slice(-MAX_STEPS), future: [] };
}

/**
 * The list as the store has it. New and missing shots are an edit; newer answers of the same are none,
 * and are taken over into the steps, so that undoing loses no answer.
 * @param {ShotList} list
 * @param {readonly Shot[]} shots
 * @returns {ShotList}
 */
export function observed(list, shots) {
  if (shots === list.shots) return list;
  const known = new Set(list.shots.map(({ key }) => key));
  const added = shots.filter(({ key }) => !known.has(key));
  if (added.length === 0 && shots.length === list.shots.length) {
    return { ...list, shots, past: fresh(list.past, shots), future: fresh(list.future, shots) };
  }
  return edited(list, added[0] ? `Ask ${added[0].name}` : "Delete", shots);
}

/**
 * Steps with newer answers; names stay those of the step.
 * @param {readonly Step[]} steps
 * @param {readonly Shot[]} newer
 */
function fresh(steps, newer) {
  const byKey = new Map(newer.map((shot) => [shot.key, shot]));
  return steps.map((step) => ({
    ...step,
    shots: step.shots.map((shot) => ({ ...shot, ...byKey.get(shot.key), name: shot.name })),
  }));
}

/**
 * @param {ShotList} list
 * @param {number} key
 * @param {string} name
 */
export function rename(list, key, name) {
  const shot = list.shots.find((one) => one.key === key);
  const trimmed = name.trim();
  if (!shot || trimmed === "" || trimmed === shot.name) return list;
  const shots = list.shots.map((one) => (one === shot ? { ...one, name: trimmed } : one));
  return edited(list, `Rename ${shot.name}`, shots);
}

/**
 * @param {ShotList} list
 * @param {number} key
 */
export function remove(list, key) {
  const shot = list.shots.find((one) => one.key === key);
  if (!shot) return list;
  return edited(list, `Delete ${shot.name}`, list.shots.filter((one) => one !== shot));
}

/**
 * The shot to look at once one is deleted: the one after it, else the last.
 * @param {readonly Shot[]} before
 * @param {number} key
 * @returns {Shot | null}
 */
export function neighbour(before, key) {
  const at = before.findIndex((one) => one.key === key);
  return before[at + 1] ?? before[at - 1] ?? null;
}

/** @param {ShotList} list */
export function clear(list) {
  return list.shots.length === 0 ? list : edited(list, "Delete all", []);
}

/**
 * The list before the last edit.
 * @param {ShotList} list
 * @returns {ShotList}
 */
export function undo(list) {
  const step = list.past.at(-1);
  if (!step) return list;
  const undone = { what: step.what, shots: list.shots };
  return { shots: step.shots, past: list.past.slice(0, -1), future: [...list.future, undone] };
}

/**
 * The list before the last undo.
 * @param {ShotList} list
 * @returns {ShotList}
 */
export function redo(list) {
  const step = list.future.at(-1);
  if (!step) return list;
  const done = { what: step.what, shots: list.shots };
  return { shots: step.shots, past: [...list.past, done], future: list.future.slice(0, -1) };
}
