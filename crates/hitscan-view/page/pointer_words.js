/** What a press is called: a click, or where fingers point a tap. */

const isCoarse = () => globalThis.matchMedia?.("(pointer: coarse)").matches ?? false;

/** A text that speaks of clicks, as it is for who points with fingers. @param {string} text */
export const tapped = (text) => text.replace(/\bClick\b/g, "Tap").replace(/\bclick\b/g, "tap").replace(/,? or press (Enter at the crosshair|Esc)\b/, "").replace(/ Esc (ends the line|leaves)\./, "");

/** A text that speaks of clicks, for who reads it here. @param {string} text */
export const forPointer = (text) => (isCoarse() ? tapped(text) : text);
