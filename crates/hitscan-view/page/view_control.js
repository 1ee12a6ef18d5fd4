/**
 * Moves the camera: what pointer, touch and keys have in common.
 *
 * The points about which it moves are queried from the program by the pixel; until the answer is here
 * the depth of the last one serves.
 */

import {
  above,
  depthOf,
  dollied,
  flown,
  framed,
  moved,
  orbited,
  panned,
  pointAt,
  reach,
  within,
} from "./camera.js";
import { newest } from "./newest.js";
import { inScene, inTables } from "./table_frame.js";
import { add, length, sub } from "./vector.js";

/** @import { Pick } from "./app.js" */
/** @import { Camera, Pair, Point } from "./messages.js" */

/** @typedef {ReturnType<typeof createViewControl>} ViewControl */

/** The eye stays so far above the ground, metres. */
const CLEARANCE = 0.25;
/** The ground below the eye is queried so often while it moves, milliseconds. */
const PAUSE = 50;
/** A journey to another camera takes so long, milliseconds. */
const JOURNEY = 240;

/**
 * @param {import("./store.js").Store} store
 * @param {import("./asker.js").Asker} asker
 * @param {HTMLElement} view the picture's frame
 */
export function createViewControl(store, asker, view) {
  /** How far ahead the last point was that was pointed at. @type {number | null} */
  let lastDepth = null;
  let journey = 0;
  /** Where a journey leads. @type {Camera | null} */
  let heading = null;

  const aspect = () => {
    const { frame, size } = store.state;
    const [width, height] = frame?.size ?? size;
    return width / height;
  };

  /**
   * A CSS place as a fraction of the picture.
   * @param {Pair} place
   * @returns {Pair}
   */
  const fraction = (place) => [place[0] / view.clientWidth, place[1] / view.clientHeight];

  /** @param {Camera} camera @param {boolean} [underway] on a journey that goes on */
  function go(camera, underway = false) {
    if (!underway) journey += 1;
    heading = null;
    store.set({ camera: within(camera, store.state.scene?.bounds) });
    void lift();
  }

  /** Raises an eye that is within terrain: queried from the program, never computed here. */
  const lift = newest(async () => {
    const { scene, hide } = store.state;
    const ground = scene?.objects.some(({ kind, name }) => kind === "terrain" && !hide.includes(name));
    if (!ground) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    const { camera } = store.state;
    if (!camera) return;
    const [x, , z] = camera.eye;
    try {
      const { answers } = await asker.quiet({ tool: "height", question: inTables({ x, z }, scene?.origin) });
      const now = store.state.camera;
      const { height } = inScene(answers[0] ?? {}, scene?.origin);
      if (!now || typeof height !== "number" || now.eye[0] !== x || now.eye[2] !== z) return;
      const missing = height + CLEARANCE - now.eye[1];
      if (missing > 0) store.set({ camera: moved(now, [0, missing, 0]) });
    } catch {
      // Without a connection the camera does not move either.
    }
  });

  /**
   * A pixel of the frame shown.
   * @param {Pair} place in CSS pixels of the picture
   * @returns {Pick | null}
   */
  function pick(place) {
    const { frame } = store.state;
    if (!frame) return null;
    const [u, v] = fraction(place);
    const along = (/** @type {number} */ share, /** @type {number} */ rays) =>
      Math.floor(Math.max(0, Math.min(rays - 1, Math.floor(share * rays))) / frame.scale);
    return { frame: frame.frame, pixel: [along(u, frame.size[0]), along(v, frame.size[1])], place };
  }

  /**
   * The point that a pixel shows, by the program's own ray; null in the sky.
   * @param {Pick} at
   * @returns {Promise<Point | null>}
   */
  async function hitAt({ frame, pixel }) {
    try {
      const { answers, lines } = await asker.quiet({ tool: "ray", frame, pixel });
      const ray = lines?.find(({ role }) => role === "ray");
      const point = answers[0]?.status === "hit" ? ray?.points.at(-1) : undefined;
      const { camera } = store.state;
      if (point && camera) lastDepth = depthOf(camera, point);
      return point ?? null;
    } catch {
      return null;
    }
  }

  /** How far ahead surfaces are, as far as is known, metres: between a 10,000th of the scene's diagonal and all of it. */
  function depth() {
    const { camera, scene } = store.state;
    const whole = scene?.bounds ? length(sub(scene.bounds[1], scene.bounds[0])) : 0;
    const ahead = lastDepth && lastDepth > 0 ? lastDepth : camera ? reach(camera) : 1;
    return whole > 0 ? Math.max(whole / 1e4, Math.min(whole, ahead)) : ahead;
  }

  /**
   * A point on the pointer's ray at the depth of the last hit, until an answer gives a better one.
   * @param {Pair} place in CSS pixels
   * @returns {Point | null}
   */
  function guess(place) {
    const { camera } = store.state;
    if (!camera) return null;
    return pointAt(camera, aspect(), fraction(place), lastDepth && lastDepth > 0 ? lastDepth : reach(camera));
  }

  /**
   * Travels to a camera, at once where motion is unwelcome.
   * @param {Camera} to
   */
  function travel(to) {
    const { camera: from } = store.state;
    if (!from || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      go(to);
      return;
    }
    journey += 1;
    heading = to;
    const mine = journey;
    const start = performance.now();
    const step = (/** @type {number} */ now) => {
      if (mine !== journey) return;
      const share = Math.min(1, Math.max(0, (now - start) / JOURNEY));
      if (share === 1) {
        go(to, true);
        return;
      }
      const eased = 1 - (1 - share) ** 3;
      const between = (/** @type {Point} */ a, /** @type {Point} */ b) =>
        /** @type {Point} */ (a.map((value, axis) => value + (b[axis] - value) * eased));
      store.set({ camera: { ...to, eye: between(from.eye, to.eye), look: between(from.look, to.look) } });
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  /** @param {(camera: Camera) => Camera} change */
  function alter(change) {
    const { camera } = store.state;
    if (camera) go(change(camera));
  }

  return {
    /** Where a journey leads, if there is one. */
    heading: () => heading,
    aspect,
    depth,
    fraction,
    go,
    guess,
    hitAt,
    pick,
    travel,

    /** @param {Point} pivot @param {number} yaw radians @param {number} pitch radians */
    orbit: (pivot, yaw, pitch) => alter((camera) => orbited(camera, pivot, yaw, pitch)),

    /** @param {Point} grabbed @param {Pair} place in CSS pixels */
    pan: (grabbed, place) => alter((camera) => panned(camera, aspect(), grabbed, fraction(place))),

    /** @param {Point} target @param {number} factor */
    dolly: (target, factor) => alter((camera) => dollied(camera, target, factor)),

    /** @param {Point} by metres to the right, up and ahead */
    fly: (by) => alter((camera) => flown(camera, by)),

    /** Queries how far ahead the surface at a place is. @param {Pair} place in CSS pixels */
    measure(place) {
      const at = pick(place);
      if (at) void hitAt(at);
    },

    /** From straight above. */
    top() {
      const { camera, scene } = store.state;
      if (camera && scene?.bounds) travel(above(camera, aspect(), scene.bounds));
    },

    toggleProjection: () =>
      alter((camera) => ({ ...camera, projection: camera.projection === "orthographic" ? "perspective" : "orthographic" })),

    /** @param {number} fov degrees */
    setFov: (fov) => alter((camera) => ({ ...camera, fov })),

    /** The scene's overview. */
    home() {
      const { scene } = store.state;
      if (scene) travel(scene.camera);
    },

    /** What is selected or was hit last, from where it is in view as a whole. */
    frameSelection() {
      const { scene, camera, selected, current } = store.state;
      const name = selected ?? current?.answer?.answers[0]?.object;
      const bounds = scene?.objects.find((object) => object.name === name)?.bounds;
      if (camera && bounds) travel(framed(camera, aspect(), bounds));
      else if (scene) travel(scene.camera);
    },

    /** A box and what is around it, which may be a mere point. @param {[Point, Point]} bounds */
    frameBounds([min, max]) {
      const { camera, scene } = store.state;
      const whole = scene?.bounds ? length(sub(scene.bounds[1], scene.bounds[0])) : 1;
      const margin = Math.max(length(sub(max, min)) / 4, whole / 100);
      const around = /** @type {Point} */ ([margin, margin, margin]);
      if (camera) travel(framed(camera, aspect(), [sub(min, around), add(max, around)]));
    },
  };
}
