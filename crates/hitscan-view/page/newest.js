/** Work that answers a pointer: one at a time, and of what comes meanwhile the newest alone. Pure. */

/**
 * @template {unknown[]} T
 * @param {(...given: T) => Promise<unknown>} work which never rejects
 * @returns {(...given: T) => Promise<void>} fulfilled when nothing waits
 */
export function newest(work) {
  let busy = false;
  /** @type {T | null} */
  let waiting = null;
  return async (...given) => {
    waiting = given;
    if (busy) return;
    busy = true;
    for (let next = /** @type {T | null} */ (given); next; next = waiting) {
      waiting = null;
      await work(...next);
    }
    busy = false;
  };
}
