/** Whether keys of one letter or sign do anything; kept for this address (WCAG 2.1.4). */

const KEY = "hitscan-single-keys";

/** What keeps it where there is no storage. */
let isOff = false;

/** Whether they are on. */
export function singleKeys() {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return !isOff;
  }
}

/** @param {boolean} on */
export function setSingleKeys(on) {
  isOff = !on;
  try {
    if (on) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, "off");
  } catch {
    // Without storage it holds for this visit.
  }
}

/** Whether a key is a letter, a digit or a sign. @param {string} key */
export const isSingle = (key) => key.length === 1 && key !== " ";
