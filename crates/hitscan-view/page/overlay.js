/**
 * What is drawn over the picture, with the camera of the frame shown.
 *
 * Owners hand in marks of the world; this module projects them, queries which parts lie behind surfaces
 * (any-hit rays of the program, once the picture is at rest), and paints.
 */

import { clipped, projector } from "./camera.js";
import { paintCrosshair, paintGroup, paintHandle } from "./overlay_paint.js";
import { LIMITS } from "./protocol.js";
import { ROLES } from "./roles.js";
import { along, sub } from "./vector.js";

/** @import { Pair, Point } from "./messages.js" */
/** @import { ShownFrame } from "./store.js" */

/** @typedef {import("./app.js").Handle} Handle */
/** @typedef {import("./app.js").Mark} Mark */
/** @typedef {ReturnType<typeof createOverlay>} Overlay */

/** Pairs of corners that differ in one bit: the edges of a box. */
const EDGES = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((corner) =>
  [1, 2, 4].filter((bit) => !(corner & bit)).map((bit) => [corner, corner | bit]),
);
/** Of a line's segment so many pieces are looked for behind surfaces, at most. */
const PIECES = 48;
/** What lies on a surface is looked for this part of its distance before it. */
const BEFORE = 1e-3;
/** Nothing nearer to the eye is drawn, metres. */
const NEAR = 1e-3;

/**
 * @param {HTMLCanvasElement} canvas
 * @param {import("./store.js").Store} store
 * @param {import("./transport.js").Transport} transport
 */
export function createOverlay(canvas, store, transport) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  /** @type {Map<string, Mark[]>} */
  const owners = new Map();
  /** Of each piece of each mark, whether it is seen. @type {WeakMap<Mark, boolean[]>} */
  const seen = new WeakMap();
  /** @type {{handle: Handle, point: Point, place: Pair}[]} */
  let handles = [];
  /** @type {Pair | null} */
  let crosshair = null;
  let asking = false;
  let asked = "";
  let version = 0;
  let drawing = false;
  /** Whether nothing is drawn. */
  let blank = true;

  /** Draws before the next picture is shown, once however often it is called. */
  function redraw() {
    if (drawing) return;
    drawing = true;
    queueMicrotask(() => {
      drawing = false;
      draw();
    });
  }

  function draw() {
    // Without anything to draw there is no frame to draw it on.
    const frame = owners.size > 0 || crosshair ? store.state.frame : null;
    handles = [];
    if (!frame && blank) return;
    blank = !frame;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const ratio = globalThis.devicePixelRatio || 1;
    const size = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    if (!frame) return;
    const project = projector(frame.camera, frame.size[0] / frame.size[1]);
    const near = frame.camera.projection === "orthographic" ? -Infinity : NEAR;
    const screen = (/** @type {Point} */ point) => {
      const { place, depth } = project(point);
      return { x: place[0] * width, y: place[1] * height, ahead: depth >= near };
    };
    for (const marks of owners.values()) {
      /** @type {Map<string, import("./overlay_paint.js").Group>} */
      const groups = new Map();
      for (const mark of marks) {
        const style = ROLES[mark.role] ?? ROLES.segment;
        const group = groups.get(mark.role) ?? { style, lines: [], hidden: [], ends: [], hulls: [], labels: [] };
        groups.set(mark.role, group);
        piecesOf(mark).forEach(([a, b], at) => {
          const kept = clipped(project, a, b, near);
          if (!kept) return;
          const flags = seen.get(mark);
          const list = flags && flags[at] === false ? group.hidden : group.lines;
          list.push([screen(kept[0]), screen(kept[1])]);
        });
        const shown = mark.points.map(screen);
        if (mark.box && shown.every(({ ahead }) => ahead)) group.hulls.push(shown);
        else if (!mark.box) group.ends.push(shown);
        const last = shown.at(-1);
        if (mark.label && last?.ahead) group.labels.push({ at: last, text: mark.label });
        if (mark.handle && last?.ahead) {
          handles.push({ handle: mark.handle, point: mark.points[0], place: [last.x, last.y] });
        }
      }
      for (const group of groups.values()) paintGroup(context, group);
    }
    for (const { place } of handles) paintHandle(context, place);
    if (crosshair) paintCrosshair(context, crosshair, [width, height]);
    lookBehind(frame);
  }

  /** Queries which pieces are seen, once for each picture at rest and set of marks. @param {ShownFrame} frame */
  function lookBehind(frame) {
    const resting = frame.scale === 1 && !store.state.playing && store.state.camera === frame.camera;
    const now = `${frame.view} ${version}`;
    if (asking || !resting || asked === now) return;
    /** @type {{mark: Mark, count: number}[]} */
    const parts = [];
    /** @type {Point[]} */
    const points = [];
    for (const mark of [...owners.values()].flat()) {
      const pieces = piecesOf(mark);
      if (pieces.length === 0 || points.length + pieces.length > LIMITS.visible) continue;
      parts.push({ mark, count: pieces.length });
      for (const [a, b] of pieces) {
        const middle = along(a, sub(b, a), 0.5);
        points.push(along(middle, sub(frame.camera.eye, middle), BEFORE));
      }
    }
    asked = now;
    if (points.length === 0) return;
    asking = true;
    transport
      .request("visible", { frame: frame.frame, points })
      .then(({ visible }) => {
        let from = 0;
        for (const { mark, count } of parts) seen.set(mark, visible.slice(from, (from += count)));
      })
      .catch(() => undefined)
      .finally(() => {
        asking = false;
        redraw();
      });
  }

  store.watch(["frame"], redraw);

  return {
    /**
     * Replaces what an owner draws.
     * @param {string} owner
     * @param {Mark[]} marks
     */
    set(owner, marks) {
      if (marks.length === 0 && !owners.has(owner)) return;
      if (marks.length === 0) owners.delete(owner);
      else owners.set(owner, marks);
      version += 1;
      redraw();
    },

    /** @param {Pair | null} place in CSS pixels */
    setCrosshair(place) {
      crosshair = place;
      redraw();
    },

    /**
     * The handle within `radius` of a place, the nearest of them.
     * @param {Pair} place in CSS pixels
     * @param {number} radius
     */
    handleAt(place, radius) {
      let [best, least] = [/** @type {typeof handles[0] | null} */ (null), radius];
      for (const one of handles) {
        const distance = Math.hypot(one.place[0] - place[0], one.place[1] - place[1]);
        if (distance <= least) [best, least] = [one, distance];
      }
      return best;
    },

    redraw,
  };
}

/**
 * The pieces of a mark's lines.
 * @param {Mark} mark
 * @returns {[Point, Point][]}
 */
function piecesOf(mark) {
  const { points } = mark;
  if (mark.box) return EDGES.flatMap(([a, b]) => split(points[a], points[b], 8));
  const count = points.length;
  if (count < 2) return [];
  const last = mark.closed ?? ROLES[mark.role]?.closed ? count : count - 1;
  const pieces = Math.max(1, Math.floor(PIECES / last));
  return points.slice(0, last).flatMap((point, at) => split(point, points[(at + 1) % count], pieces));
}

/**
 * @param {Point} a
 * @param {Point} b
 * @param {number} count
 * @returns {[Point, Point][]}
 */
function split(a, b, count) {
  const by = sub(b, a);
  return Array.from({ length: count }, (_, at) => [along(a, by, at / count), along(a, by, (at + 1) / count)]);
}
