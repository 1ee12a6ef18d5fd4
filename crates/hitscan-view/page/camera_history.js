/** The history of the camera: back and ahead through where it has rested. Pure. */

/** @import { Camera } from "./messages.js" */

/** So many places are kept. */
const MOST = 100;

/** @typedef {{past: readonly Camera[], future: readonly Camera[]}} CameraHistory the last of `past` is the present one */

/** @type {CameraHistory} */
export const NOWHERE = { past: [], future: [] };

/** Whether two cameras show the same. @param {Camera | undefined} one @param {Camera} other */
const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** The camera has come to rest. @param {CameraHistory} history @param {Camera} camera @returns {CameraHistory} */
export function rested(history, camera) {
  if (isSame(history.past.at(-1), camera)) return history;
  return { past: [...history.past, camera].slice(-MOST), future: [] };
}

/** @param {CameraHistory} history @returns {CameraHistory} */
export function back({ past, future }) {
  const present = past.at(-1);
  if (past.length < 2 || !present) return { past, future };
  return { past: past.slice(0, -1), future: [...future, present] };
}

/** @param {CameraHistory} history @returns {CameraHistory} */
export function ahead({ past, future }) {
  const next = future.at(-1);
  return next ? { past: [...past, next], future: future.slice(0, -1) } : { past, future };
}
