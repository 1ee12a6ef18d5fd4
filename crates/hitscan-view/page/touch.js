/**
 * Touch: a tap shoots, one finger orbits, two pan and pinch, a long press makes the point under the
 * finger the one that is orbited.
 */

import { dragHandle, placeOf, press } from "./pointer.js";
import { tapWith } from "./tool_tap.js";

/** @import { App, Tool } from "./app.js" */
/** @import { Pair, Point } from "./messages.js" */

/** A finger that stays so long is a long press, milliseconds. */
const LONG = 500;
/** How near to a handle a finger takes it, CSS pixels. */
const HANDLE = 28;

/**
 * @param {App} app
 * @param {HTMLCanvasElement} picture
 * @param {() => Tool} tool
 */
export function mountTouch(app, picture, tool) {
  const { control, overlay } = app;
  /** @type {Map<number, Pair>} */
  const fingers = new Map();
  /** What one finger does. @type {{move: (place: Pair) => void, end: (event: unknown, cancelled: boolean) => void, dragged?: () => boolean} | null} */
  let single = null;
  /** What two fingers hold. @type {{grabbed: Point, apart: number} | null} */
  let double = null;
  /** The point of the last long press. @type {Point | null} */
  let pivot = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let long;

  /** @returns {{middle: Pair, apart: number}} */
  function hold() {
    const [a, b] = [...fingers.values()];
    const middle = /** @type {Pair} */ ([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
    return { middle, apart: Math.max(1, Math.hypot(a[0] - b[0], a[1] - b[1])) };
  }

  picture.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    const place = placeOf(event, picture);
    fingers.set(event.pointerId, place);
    picture.setPointerCapture(event.pointerId);
    clearTimeout(long);
    if (fingers.size === 1) begin(place);
    else if (fingers.size === 2) pinch();
  });

  /** @param {Pair} place */
  function begin(place) {
    const from = control.pick(place);
    if (!from) return;
    const handle = overlay.handleAt(place, HANDLE);
    if (handle) {
      single = dragHandle(app, handle, picture, from, () => void tapWith(tool(), from, app));
      return;
    }
    single = press(app, from, picture, tool(), () => void tapWith(tool(), from, app), pivot);
    long = setTimeout(() => {
      if (single?.dragged?.()) return;
      // The finger orbits that point from here on, whatever the tool.
      single = null;
      void control.hitAt(from).then((hit) => {
        if (!hit) return;
        pivot = hit;
        overlay.set("pivot", [{ role: "approach", points: [hit], label: "Orbits here" }]);
        if (fingers.size === 1) single = press(app, from, picture, null, () => undefined, hit);
      });
    }, LONG);
  }

  function pinch() {
    single?.end(null, true);
    single = null;
    const { middle, apart } = hold();
    const grabbed = control.guess(middle);
    if (!grabbed) return;
    const mine = { grabbed, apart };
    double = mine;
    const at = control.pick(middle);
    if (at) void control.hitAt(at).then((hit) => (mine.grabbed = hit ?? mine.grabbed));
  }

  picture.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, placeOf(event, picture));
    if (double && fingers.size === 2) {
      const { middle, apart } = hold();
      control.dolly(double.grabbed, double.apart / apart);
      control.pan(double.grabbed, middle);
      double.apart = apart;
    } else single?.move(placeOf(event, picture));
  });

  const end = (/** @type {PointerEvent} */ event) => {
    if (!fingers.delete(event.pointerId)) return;
    clearTimeout(long);
    if (fingers.size === 0) {
      single?.end(event, event.type === "pointercancel");
      overlay.set("pivot", []);
      single = null;
    }
    // A finger that is left over after two does nothing until it is lifted.
    double = null;
    delete picture.dataset.cursor;
  };
  picture.addEventListener("pointerup", end);
  picture.addEventListener("pointercancel", end);
}
