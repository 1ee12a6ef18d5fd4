/**
 * Mouse and pen: a click shoots, a drag orbits about the point under the pointer, the right button
 * pans with the grabbed point under the pointer, the wheel goes to it and back.
 */

import { depthOf, pointAt } from "./camera.js";
import { newest } from "./newest.js";
import { tapWith } from "./tool_tap.js";

/** @import { App, Pick, Tool } from "./app.js" */
/** @import { Pair, Point } from "./messages.js" */

/** A press that moves less far is a click, CSS pixels. */
const SLACK = 4;
/** How near to a handle a press takes it. */
const HANDLE = 12;
/** A drag over the picture's height turns by so much, radians. */
const TURN = Math.PI;
/** The wheel's factor a CSS pixel. */
const WHEEL = 0.0015;

/**
 * @param {App} app
 * @param {HTMLCanvasElement} picture
 * @param {() => Tool} tool
 */
export function mountPointer(app, picture, tool) {
  const { control, overlay } = app;
  /** @type {{end: (event: PointerEvent, cancelled: boolean) => void, move: (place: Pair) => void} | null} */
  let gesture = null;
  /** Where the wheel turned last, and the point that it goes to. @type {{place: Pair, target: Point | null} | null} */
  let wheel = null;
  let hovering = false;

  picture.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch" || gesture) return;
    const place = placeOf(event, picture);
    const from = control.pick(place);
    if (!from) return;
    picture.setPointerCapture(event.pointerId);
    wheel = null;
    const grabbed = event.button === 0 ? overlay.handleAt(place, HANDLE) : null;
    const pans = event.button !== 0 || event.shiftKey;
    const tap = () => void tapWith(tool(), from, app);
    if (grabbed) gesture = dragHandle(app, grabbed, picture, from, tap);
    else if (pans) gesture = pan(app, from, picture);
    else gesture = press(app, from, picture, event.altKey ? null : tool(), tap);
  });

  picture.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch") return;
    const place = placeOf(event, picture);
    if (gesture) gesture.move(place);
    else hover(place);
  });

  const end = (/** @type {PointerEvent} */ event) => {
    if (event.pointerType === "touch") return;
    const ended = gesture;
    gesture = null;
    ended?.end(event, event.type === "pointercancel");
    delete picture.dataset.cursor;
  };
  picture.addEventListener("pointerup", end);
  picture.addEventListener("pointercancel", end);
  picture.addEventListener("contextmenu", (event) => event.preventDefault());
  picture.addEventListener("pointerleave", () => tool().hover?.(null, app));

  picture.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const place = placeOf(event, picture);
      const near = wheel && Math.hypot(wheel.place[0] - place[0], wheel.place[1] - place[1]) <= SLACK;
      if (!wheel || !near) {
        const mine = { place, target: control.guess(place) };
        wheel = mine;
        const at = control.pick(place);
        // Where the answer is late, the wheel has gone to the guess so far; the target is exact from here.
        if (at) void control.hitAt(at).then((hit) => (mine.target = hit ?? mine.target));
      }
      // A wheel that counts lines, and the pinch of a trackpad, which comes as a wheel with Ctrl.
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : event.ctrlKey ? 8 : 1;
      const by = Math.max(-240, Math.min(240, event.deltaY * unit));
      if (wheel.target) control.dolly(wheel.target, Math.exp(by * WHEEL));
    },
    { passive: false },
  );

  /** @param {Pair} place */
  function hover(place) {
    const handle = overlay.handleAt(place, HANDLE)?.handle;
    picture.dataset.cursor = handle ? "grab" : "";
    picture.title = handle?.label ?? "";
    const { hover: tell } = tool();
    if (!tell || hovering) return;
    hovering = true;
    requestAnimationFrame(() => {
      hovering = false;
      tell(control.pick(place), app);
    });
  }
}

/**
 * Where an event is, in CSS pixels of the picture.
 * @param {MouseEvent} event
 * @param {HTMLElement} picture
 * @returns {Pair}
 */
export function placeOf(event, picture) {
  const { left, top } = picture.getBoundingClientRect();
  return [event.clientX - left, event.clientY - top];
}

/**
 * A press of the left button or of one finger: a tap where it stays, else the tool's drag or an orbit.
 * @param {App} app
 * @param {Pick} from
 * @param {HTMLElement} picture
 * @param {Tool | null} tool null: the camera's alone
 * @param {() => void} tap
 * @param {Point | null} [pivot] known already
 */
export function press(app, from, picture, tool, tap, pivot = null) {
  const { control } = app;
  let about = pivot ?? control.guess(from.place);
  let last = from.place;
  let dragged = false;
  if (!pivot && !tool?.drag) void control.hitAt(from).then((hit) => (about = hit ?? about));
  const drag = (/** @type {"start" | "move" | "end" | "cancel"} */ phase, /** @type {Pair} */ place) => {
    const to = control.pick(place);
    if (to) tool?.drag?.({ phase, from, to }, app);
  };
  return {
    /** @param {Pair} place */
    move(place) {
      if (!dragged && Math.hypot(place[0] - from.place[0], place[1] - from.place[1]) < SLACK) return;
      if (!dragged && tool?.drag) drag("start", from.place);
      dragged = true;
      if (tool?.drag) drag("move", place);
      else if (about) {
        picture.dataset.cursor = "grabbing";
        const turn = TURN / picture.clientHeight;
        control.orbit(about, (place[0] - last[0]) * turn, (last[1] - place[1]) * turn);
      }
      last = place;
    },
    /** @param {unknown} _event @param {boolean} cancelled */
    end(_event, cancelled) {
      if (!dragged && !cancelled) tap();
      else if (dragged && tool?.drag) drag(cancelled ? "cancel" : "end", last);
    },
    /** Whether it is a drag by now. */
    dragged: () => dragged,
  };
}

/**
 * @param {App} app
 * @param {Pick} from
 * @param {HTMLElement} picture
 */
function pan({ control, store }, from, picture) {
  let grabbed = control.guess(from.place);
  /** @type {Pair | null} */
  let last = null;
  let panned = store.state.camera;
  const move = (/** @type {Pair} */ place) => {
    last = place;
    if (grabbed) control.pan(grabbed, place);
    panned = store.state.camera;
  };
  void control.hitAt(from).then((hit) => {
    grabbed = hit ?? grabbed;
    // An answer that is later than the last move still sets it right.
    if (last && store.state.camera === panned) move(last);
  });
  picture.dataset.cursor = "move";
  return { move, end: () => undefined };
}

/**
 * A press on a handle: a tap where it stays, else the handle's drag.
 * @param {App} app
 * @param {NonNullable<ReturnType<import("./overlay.js").Overlay["handleAt"]>>} grabbed
 * @param {HTMLElement} picture
 * @param {Pick} from
 * @param {() => void} tap
 */
export function dragHandle({ control, store }, { handle, point }, picture, from, tap) {
  let last = point;
  let dragged = false;
  const follow = newest(async (/** @type {Pair} */ place) => {
    const { camera } = store.state;
    const at = control.pick(place);
    if (!camera || !at) return;
    if (handle.snap === "surface") last = (await control.hitAt(at)) ?? last;
    else last = pointAt(camera, control.aspect(), control.fraction(place), depthOf(camera, point));
    handle.move(last);
  });
  return {
    /** @param {Pair} place */
    move(place) {
      if (!dragged && Math.hypot(place[0] - from.place[0], place[1] - from.place[1]) < SLACK) return;
      dragged = true;
      picture.dataset.cursor = "grabbing";
      void follow(place);
    },
    /** @param {unknown} _event @param {boolean} cancelled */
    end(_event, cancelled) {
      if (dragged) handle.end(last);
      else if (!cancelled) tap();
    },
    dragged: () => dragged,
  };
}
