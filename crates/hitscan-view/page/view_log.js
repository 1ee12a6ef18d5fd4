/** The views that the page has sent: the poses of the world of an answer. */

/** @import { Answer, AskedWorld, Pose } from "./messages.js" */

/** The program keeps 256 views of the past. */
const MOST = 300;

/** The scene as its file poses it. @type {AskedWorld} */
export const UNPOSED = { poses: [] };

/** @typedef {ReturnType<typeof createViewLog>} ViewLog */

export function createViewLog() {
  /** @type {Map<number, {now: number, poses: readonly Pose[]}>} in the order of their numbers */
  const sent = new Map();
  return {
    /** @param {number} view @param {number} now its clock, milliseconds @param {readonly Pose[]} poses */
    note(view, now, poses) {
      sent.set(view, { now, poses });
      for (const first of sent.keys()) {
        if (sent.size <= MOST) break;
        sent.delete(first);
      }
    },

    /**
     * The world that was queried; null where it is not kept any more.
     * @param {Answer} answer
     * @returns {AskedWorld | null}
     */
    worldOf({ view, past }) {
      if (view === undefined) return UNPOSED;
      const later = sent.get(view);
      const earlier = past && sent.get(past.view);
      if (!later || (past && !earlier)) return null;
      const poses = [...later.poses];
      if (!past || !earlier) return { poses };
      return { poses, past: { poses: [...earlier.poses], start: earlier.now, end: later.now, time: past.time } };
    },
  };
}

/** Whether two worlds are the same by what is said of them. @param {AskedWorld} one @param {AskedWorld} other */
export const isSameWorld = (one, other) => JSON.stringify(one) === JSON.stringify(other);
