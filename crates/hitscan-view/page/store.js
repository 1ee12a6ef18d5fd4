/**
 * What the page shows: one object of state, and who is to hear of its changes.
 *
 * State is replaced, never altered: `store.set({ tool: "height" })`. Whoever watches a key is
 * called once after each `set` that changed it. A `set` from within a watcher waits until all have
 * heard of the one before, so everybody hears of every state in the same order.
 */

/**
 * @typedef {import("./messages.js").Answer} Answer
 * @typedef {import("./messages.js").AskTool} AskTool
 * @typedef {import("./messages.js").Camera} Camera
 * @typedef {import("./messages.js").Explanation} Explanation
 * @typedef {import("./messages.js").Mode} Mode
 * @typedef {import("./messages.js").Options} Options
 * @typedef {import("./messages.js").Pair} Pair
 * @typedef {import("./messages.js").Pose} Pose
 * @typedef {import("./messages.js").Refused} Refused
 * @typedef {import("./messages.js").Row} Row
 * @typedef {import("./messages.js").Scene} Scene
 * @typedef {AskTool | "look"} ToolName
 */

/**
 * How the page stands with the server.
 * @typedef {{phase: "connecting"}
 *   | {phase: "loading", file?: string, done: number}
 *   | {phase: "ready"}
 *   | {phase: "lost", retryAt: number, reason?: string}
 *   | {phase: "version"}
 *   | {phase: "key", given: boolean}
 *   | {phase: "full", limit: string}
 *   | {phase: "failed", message: string}} Connection
 *   `lost`: it retries at that time of `performance.now()`; `failed`: there is no scene to show.
 */

/**
 * A question that was asked, and what has come of it so far.
 * @typedef {object} Shot
 * @property {number} key counted up by the page
 * @property {number} [ask] the id of its message on this connection; a lost connection removes it
 * @property {string} name
 * @property {AskTool} tool
 * @property {Row} [question] as typed, or as the answer says
 * @property {Options} options
 * @property {number} as_of_ms 0: the world as shown
 * @property {Pose[]} poses of the world that was asked
 * @property {Answer} [answer]
 * @property {Refused} [refused]
 * @property {Explanation} [explanation]
 */

/**
 * The frame that is on the screen, with what it was cast for.
 * @typedef {object} ShownFrame
 * @property {number} frame
 * @property {number} view
 * @property {Camera} camera
 * @property {Pair} size of the whole picture, rays
 * @property {number} scale
 * @property {boolean} finished
 * @property {number} pass
 * @property {"picture" | "cost"} kind
 * @property {number} greatest count of the legend
 * @property {number} rays
 * @property {number} micros
 */

/**
 * @typedef {object} State
 * @property {Connection} connection
 * @property {Scene | null} scene kept when the connection is lost
 * @property {string | null} failure why the scene's files could not be read again
 * @property {Camera | null} camera the one wanted; overlays are drawn with `frame.camera`
 * @property {Pair} size of the picture wanted, rays
 * @property {Pair | null} fixedSize a link's size, kept until the picture is to fit the window
 * @property {Mode} mode
 * @property {boolean} outline
 * @property {string[]} hide names of objects
 * @property {number | null} layers a mask; null: all
 * @property {Pose[]} poses those that differ from the scene's
 * @property {boolean} playing poses change by themselves, so the picture moves
 * @property {number} asOf milliseconds before what is shown, for what is shot
 * @property {ShownFrame | null} frame
 * @property {ToolName} tool
 * @property {Record<AskTool, Options>} options of each tool
 * @property {Shot | null} current the shot that Answer and Why tell of
 * @property {Shot[]} shots those kept, oldest first
 * @property {string | null} selected an object's name: F frames it
 * @property {number} level of the tree of boxes that is drawn; -1: none
 * @property {"answer" | "why" | "scene" | "shots"} tab
 * @property {boolean} inspector open or closed
 */

/** @type {State} */
export const INITIAL = {
  connection: { phase: "connecting" },
  scene: null,
  failure: null,
  camera: null,
  size: [1, 1],
  fixedSize: null,
  mode: "picture",
  outline: false,
  hide: [],
  layers: null,
  poses: [],
  playing: false,
  asOf: 0,
  frame: null,
  tool: "ray",
  options: { ray: {}, height: {}, sweep: {}, overlap: {}, closest: {}, arc: {} },
  current: null,
  shots: [],
  selected: null,
  level: -1,
  tab: "answer",
  inspector: true,
};

/**
 * @typedef {ReturnType<typeof createStore>} Store
 */

/** @param {State} initial */
export function createStore(initial = INITIAL) {
  let state = { ...initial };
  /** @type {Set<{keys: (keyof State)[], hear: (state: Readonly<State>) => void}>} */
  const watchers = new Set();
  /** @type {Partial<State>[]} */
  const waiting = [];
  let telling = false;

  /** @param {Partial<State>} patch */
  function apply(patch) {
    const keys = /** @type {(keyof State)[]} */ (Object.keys(patch));
    const changed = new Set(keys.filter((key) => !Object.is(state[key], patch[key])));
    if (changed.size === 0) return;
    state = { ...state, ...patch };
    for (const watcher of [...watchers]) {
      if (watcher.keys.some((key) => changed.has(key))) watcher.hear(state);
    }
  }

  return {
    /** The state as of the last change. */
    get state() {
      return /** @type {Readonly<State>} */ (state);
    },

    /** @param {Partial<State>} patch the keys to replace */
    set(patch) {
      waiting.push(patch);
      if (telling) return;
      telling = true;
      try {
        for (let next = waiting.shift(); next; next = waiting.shift()) apply(next);
      } finally {
        telling = false;
      }
    },

    /**
     * Calls `hear` at once and after each change of one of `keys`.
     * @param {(keyof State)[]} keys
     * @param {(state: Readonly<State>) => void} hear
     * @returns {() => void} ends it
     */
    watch(keys, hear) {
      const watcher = { keys, hear };
      watchers.add(watcher);
      hear(state);
      return () => watchers.delete(watcher);
    },
  };
}
