/**
 * The keyboard: whatever the pointer can do, keys can, wherever no other element has a use for them. Those
 * of time belong to the timeline, those of the camera's history to its panel.
 */

import { button, fill, make } from "./elements.js";
import { isForPicture } from "./key_focus.js";
import { setSingleKeys, singleKeys } from "./key_switch.js";
import { check } from "./panel_parts.js";
import { forPointer } from "./pointer_words.js";
import { tapWith } from "./tool_tap.js";

/** @import { App, Tool } from "./app.js" */
/** @import { Pair } from "./messages.js" */

/** An arrow key turns by so much, radians. */
const STEP = Math.PI / 36;
/** Flying goes so far in a second, of the distance to what is ahead; Shift four times as far. */
const PACE = 0.8;
/** What is ahead is queried so often, milliseconds. */
const MEASURES = 200;

/** What each key does, as the dialog says it; gestures are words. @type {[string, [string, string | string[]][]][]} */
const HELP = [
  ["Shoot", [
    ["Choose a tool, first to last", ["1", "0"]],
    ["Crosshair", ["C"]],
    ["Move it by a pixel, by ten", ["Arrows", "Shift"]],
    ["Shoot there", ["Enter"]],
    ["Back: crosshair, shot", ["Esc"]],
  ]],
  ["Look", [
    ["Orbit", ["Arrows"]],
    ["Nearer, farther", ["+", "-"]],
    ["Fly ahead, back, sideways", ["W", "S", "A", "D"]],
    ["Fly down, up", ["Q", "E"]],
    ["Fly faster", ["Shift"]],
    ["Show the selection", ["F"]],
    ["Show everything", ["Home"]],
    ["From above", ["T"]],
    ["Orthographic, perspective", ["O"]],
    ["The view before, after", ["Backspace", "Shift"]],
  ]],
  ["Time and tree", [
    ["Play, pause", ["Space"]],
    ["A step back, ahead", [",", "."]],
    ["Level of the tree", ["[", "]"]],
  ]],
  ["Page", [
    ["Copy a link to this view", ["L"]],
    ["Undo and redo of shots", ["Ctrl+Z", "Shift"]],
    ["Read the scene's files again", ["Shift", "R"]],
    ["All keys", ["?"]],
  ]],
  ["Pointer", [
    ["Shoot", "Click"],
    ["Orbit about the point under it", "Drag"],
    ["Orbit where the tool drags", "Alt drag"],
    ["Pan", "Right drag"],
    ["Go to the point and back", "Wheel"],
  ]],
  ["Touch", [
    ["Shoot", "Tap"],
    ["Orbit", "One finger"],
    ["Pan, nearer and farther", "Two fingers"],
    ["Orbit about that point", "Long press"],
  ]],
];

/**
 * @param {App} app
 * @param {HTMLCanvasElement} picture
 * @param {{tool: () => Tool, choose: (number: number) => void, copyLink: () => unknown, reload: () => void, dialog: HTMLDialogElement}} actions
 */
export function mountKeys(app, picture, { tool, choose, copyLink, reload, dialog }) {
  const { control, overlay, store } = app;
  /** The crosshair's ray of the whole picture. @type {Pair | null} */
  let cross = null;
  /** Keys that fly while they are held. @type {Set<string>} */
  const held = new Set();
  let fast = false;
  let flying = 0;

  /** The CSS place of the middle of the crosshair's ray. @returns {Pair} */
  function crossPlace() {
    const [width, height] = store.state.frame?.size ?? [1, 1];
    const [x, y] = cross ?? middle();
    const view = picture.parentElement ?? picture;
    return [((x + 0.5) / width) * view.clientWidth, ((y + 0.5) / height) * view.clientHeight];
  }

  /** The ray in the middle of the picture. @returns {Pair} */
  function middle() {
    const [width, height] = store.state.frame?.size ?? [1, 1];
    return [Math.floor(width / 2), Math.floor(height / 2)];
  }

  /** @param {Pair | null} next */
  function setCross(next) {
    const [width, height] = store.state.frame?.size ?? [1, 1];
    const within = (/** @type {number} */ at, /** @type {number} */ count) => Math.max(0, Math.min(count - 1, at));
    cross = next && [within(next[0], width), within(next[1], height)];
    overlay.setCrosshair(cross && crossPlace());
    const at = cross && control.pick(crossPlace());
    tool().hover?.(at, app);
  }

  /** @param {number} x @param {number} y @param {boolean} far */
  function arrow(x, y, far) {
    const by = far ? 10 : 1;
    if (cross) setCross([cross[0] + x * by, cross[1] + y * by]);
    else {
      const { camera } = store.state;
      if (camera) control.orbit(camera.look, -x * STEP * (far ? 3 : 1), y * STEP * (far ? 3 : 1));
    }
  }

  function fire() {
    if (!cross) setCross(middle());
    const at = control.pick(crossPlace());
    if (at) void tapWith(tool(), at, app);
  }

  function fly() {
    if (flying !== 0) return;
    let last = performance.now();
    let measured = -Infinity;
    const step = (/** @type {number} */ now) => {
      flying = 0;
      if (held.size === 0) return;
      const seconds = Math.max(0, Math.min(0.1, (now - last) / 1000));
      last = now;
      if (now - measured > MEASURES) {
        measured = now;
        control.measure(crossPlace());
      }
      const by = seconds * PACE * control.depth() * (fast ? 4 : 1);
      const toward = (/** @type {string} */ ahead, /** @type {string} */ behind) =>
        (held.has(ahead) ? by : 0) - (held.has(behind) ? by : 0);
      control.fly([toward("d", "a"), toward("e", "q"), toward("w", "s")]);
      flying = requestAnimationFrame(step);
    };
    flying = requestAnimationFrame(step);
  }

  /** @type {Record<string, (event: KeyboardEvent) => void>} */
  const actions = {
    ArrowLeft: ({ shiftKey }) => arrow(-1, 0, shiftKey),
    ArrowRight: ({ shiftKey }) => arrow(1, 0, shiftKey),
    ArrowUp: ({ shiftKey }) => arrow(0, -1, shiftKey),
    ArrowDown: ({ shiftKey }) => arrow(0, 1, shiftKey),
    Enter: fire,
    Home: () => control.home(),
    Escape: () => tool().escape?.(app) || (cross ? setCross(null) : store.set({ current: null })),
    "[": () => store.set({ level: Math.max(-1, store.state.level - 1) }),
    "]": () => store.set({ level: Math.min(64, store.state.level + 1) }),
    "+": () => nearer(1 / 1.15),
    "=": () => nearer(1 / 1.15),
    "-": () => nearer(1.15),
    "?": () => dialog.showModal(),
    c: () => setCross(cross ? null : middle()),
    f: () => control.frameSelection(),
    t: () => control.top(),
    o: () => control.toggleProjection(),
    l: () => void copyLink(),
    R: reload,
  };

  /** @param {number} factor */
  function nearer(factor) {
    const { camera } = store.state;
    if (camera) control.dolly(camera.look, factor);
  }

  document.addEventListener("keydown", (event) => {
    if (!isForPicture(event)) return;
    const low = event.key.toLowerCase();
    if (/^[0-9]$/.test(event.key)) choose((Number(event.key) + 9) % 10);
    else if ("wasdqe".includes(low) && event.key.length === 1) {
      held.add(low);
      fast = event.shiftKey;
      fly();
    } else {
      const action = actions[event.key] ?? actions[event.key === "r" ? "" : low];
      if (!action) return;
      action(event);
    }
    event.preventDefault();
  });
  document.addEventListener("keyup", (event) => {
    held.delete(event.key.toLowerCase());
    fast = event.shiftKey;
  });
  globalThis.addEventListener("blur", () => held.clear());
  store.watch(["frame"], () => overlay.setCrosshair(cross && crossPlace()));

  fillHelp(dialog);
}

/** @param {HTMLDialogElement} dialog */
function fillHelp(dialog) {
  const parts = HELP.map(([title, rows]) => {
    const cells = rows.flatMap(([what, keys]) => [
      make("dt", {}, what),
      typeof keys === "string"
        ? make("dd", {}, keys)
        : make("dd", {}, ...keys.flatMap((key) => [" ", make("kbd", {}, key)])),
    ]);
    return make("section", {}, make("h3", { class: "caption" }, title), make("dl", {}, ...cells));
  });
  const single = check("Keys of one letter, digit or sign (without them arrows, Enter, Space, Home and Esc are left)", setSingleKeys);
  single.input.checked = singleKeys();
  const close = button({ label: "Close", icon: "close", quiet: true, onclick: () => dialog.close() });
  fill(
    dialog,
    make("header", {}, make("h2", { id: "keys-title" }, "Keys and gestures"), close),
    make("p", { class: "keys-note" }, forPointer("Keys work wherever no text field has the focus; arrows, Enter and Space are the picture's while it has the focus: click it, or press Tab until its frame shows.")),
    single.element,
    make("div", { class: "columns" }, ...parts),
  );
}
