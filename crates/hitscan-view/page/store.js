/**
 * What the page shows: one object of state, and who is to hear of its changes.
 *
 * State is replaced, never altered: `store.set({ tool: "height" })`. Whoever watches a key is
 * called once after each `set` that changed it. A `set` from within a watcher waits until all have
 * heard of the one before, so everybody hears of every state in the same order.
 */

/**
 * @typedef {import("./app.js").Connection} Connection
 * @typedef {import("./app.js").Shot} Shot
 * @typedef {import("./app.js").ShownFrame} ShownFrame
 * @typedef {import("./app.js").State} State
 * @typedef {import("./app.js").ToolName} ToolName
 */

/** @type {State} */
export const INITIAL = {
  connection: { phase: "connecting" },
  scene: null,
  reading: 0,
  failure: null,
  refusedView: null,
  camera: null,
  size: [1, 1],
  fixedSize: null,
  mode: "picture",
  outline: false,
  hide: [],
  layers: null,
  poses: [],
  viewshed: null,
  playing: false,
  asOf: 0,
  frame: null,
  tool: "ray",
  picking: null,
  options: { ray: {}, height: {}, sweep: {}, overlap: {}, closest: {}, arc: {}, sight: { blocker: true }, viewshed: {}, distance: {} },
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
