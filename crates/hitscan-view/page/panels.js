/** The panels of the inspector, the timeline and the tools that have a module of their own. */

/** @type {import("./app.js").Panel[]} */
export const panels = [];

/** @type {import("./app.js").Tool[]} */
export const tools = [];

/** @type {((app: import("./app.js").App, element: HTMLElement) => void) | null} */
export const mountTimeline = null;
