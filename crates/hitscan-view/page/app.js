/**
 * What modules are given. Types only: there is no code here.
 */

/**
 * A pixel that was pointed at, in the frame that was shown then.
 * @typedef {object} Pick
 * @property {number} frame
 * @property {import("./messages.js").Pair} pixel in that frame's own pixels
 * @property {import("./messages.js").Pair} place in CSS pixels from the upper left of the picture
 */

/**
 * A tool of the rail.
 * @typedef {object} Tool
 * @property {import("./store.js").ToolName} id
 * @property {string} label
 * @property {string} hint one sentence: what a click does
 * @property {(app: App, element: HTMLElement) => void} [mount] fills the options above the answer
 * @property {(pick: Pick, app: App) => void} tap a click, a touch, or Enter at the crosshair
 * @property {(drag: {phase: "start" | "move" | "end" | "cancel", from: Pick, to: Pick}, app: App) => void} [drag]
 * @property {(pick: Pick | null, app: App) => void} [hover] null: the pointer has left
 */

/**
 * A tab of the inspector.
 * @typedef {object} Panel
 * @property {"answer" | "why" | "scene" | "shots"} id
 * @property {string} label
 * @property {(app: App, element: HTMLElement) => void} mount
 */

/**
 * @typedef {object} App
 * @property {import("./store.js").Store} store
 * @property {import("./transport.js").Transport} transport
 * @property {import("./overlay.js").Overlay} overlay
 * @property {import("./asker.js").Asker} asker
 * @property {import("./view_control.js").ViewControl} control moves the camera
 * @property {(sentence: string) => void} announce into the status line
 */

export {};
