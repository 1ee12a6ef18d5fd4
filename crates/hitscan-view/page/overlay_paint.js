/**
 * Strokes and signs of the overlay: every line has a dark casing, so that it shows on any ground.
 */

import { CASING, COLORS } from "./roles.js";

/**
 * @typedef {{x: number, y: number, ahead: boolean}} Spot
 * @typedef {[Spot, Spot]} Stroke
 */

/**
 * The marks of one role.
 * @typedef {object} Group
 * @property {import("./roles.js").Style} style
 * @property {Stroke[]} lines
 * @property {Stroke[]} hidden behind surfaces
 * @property {Spot[][]} ends lines whose last point, or each point, bears the sign
 * @property {Spot[][]} hulls boxes that lie ahead as a whole, by their corners
 * @property {{at: Spot, text: string}[]} labels
 */

const DASHES = { solid: [], dashed: [9, 6], dotted: [0.1, 7] };
const HIDDEN = [0.1, 5.5];
const FONT = "600 12px system-ui, -apple-system, 'Segoe UI', sans-serif";

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Group} group
 */
export function paintGroup(context, group) {
  const { style } = group;
  const color = COLORS[style.color];
  context.lineCap = "round";
  context.lineJoin = "round";
  if (style.sign === "hatch") for (const hull of group.hulls) hatch(context, hull, color);
  const behind = pathOf(group.hidden);
  const before = pathOf(group.lines);
  stroke(context, behind, color, Math.max(2, style.width - 0.5), HIDDEN, 0.85);
  stroke(context, before, color, style.width, DASHES[style.dash], 1);
  for (const spots of group.ends) sign(context, style.sign, spots, color);
  for (const { at, text } of group.labels) label(context, at, text);
}

/**
 * Strokes that follow each other are one line, so that dashes run on.
 * @param {Stroke[]} strokes
 */
function pathOf(strokes) {
  const path = new Path2D();
  /** @type {Spot | null} */
  let last = null;
  for (const [a, b] of strokes) {
    if (!last || Math.abs(last.x - a.x) + Math.abs(last.y - a.y) > 0.01) path.moveTo(a.x, a.y);
    path.lineTo(b.x, b.y);
    last = b;
  }
  return path;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Path2D} path
 * @param {string} color
 * @param {number} width
 * @param {number[]} dash
 * @param {number} alpha
 */
function stroke(context, path, color, width, dash, alpha) {
  context.globalAlpha = alpha;
  context.setLineDash(dash);
  context.strokeStyle = CASING;
  context.lineWidth = width + 2;
  context.stroke(path);
  context.strokeStyle = color;
  context.lineWidth = width;
  context.stroke(path);
  context.setLineDash([]);
  context.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Path2D} path
 * @param {string} color
 */
function solid(context, path, color) {
  context.strokeStyle = CASING;
  context.lineWidth = 2.5;
  context.stroke(path);
  context.fillStyle = color;
  context.fill(path);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import("./roles.js").Sign} kind
 * @param {Spot[]} spots
 * @param {string} color
 */
function sign(context, kind, spots, color) {
  const tip = spots.at(-1);
  if (!tip?.ahead) return;
  const path = new Path2D();
  if (kind === "dot") {
    path.arc(tip.x, tip.y, 4.5, 0, 2 * Math.PI);
    solid(context, path, color);
  } else if (kind === "ring") {
    path.arc(tip.x, tip.y, 5, 0, 2 * Math.PI);
    stroke(context, path, color, 2, [], 1);
  } else if (kind === "squares") {
    for (const { x, y, ahead } of spots) if (ahead) path.rect(x - 2.5, y - 2.5, 5, 5);
    solid(context, path, color);
  } else if (kind === "arrow" || kind === "open-arrow") {
    const far = spots.filter((spot) => spot.ahead && Math.hypot(spot.x - tip.x, spot.y - tip.y) > 3);
    const from = far.at(-1);
    if (!from) {
      // Seen from behind, an arrow is a point.
      path.arc(tip.x, tip.y, 4, 0, 2 * Math.PI);
    } else {
      const angle = Math.atan2(tip.y - from.y, tip.x - from.x);
      // The head reaches beyond the round end of its line.
      const [x, y] = [tip.x + 4 * Math.cos(angle), tip.y + 4 * Math.sin(angle)];
      const wing = (/** @type {number} */ side) => {
        const turned = angle + side * (kind === "arrow" ? 2.65 : 2.45);
        return /** @type {const} */ ([x + 11 * Math.cos(turned), y + 11 * Math.sin(turned)]);
      };
      path.moveTo(...wing(1));
      path.lineTo(x, y);
      path.lineTo(...wing(-1));
    }
    if (kind === "arrow") {
      path.closePath();
      solid(context, path, color);
    } else stroke(context, path, color, 2, [], 1);
  }
}

/**
 * Hatches the outline of a box.
 * @param {CanvasRenderingContext2D} context
 * @param {Spot[]} corners
 * @param {string} color
 */
function hatch(context, corners, color) {
  const hull = convexHull(corners);
  const path = new Path2D();
  hull.forEach(({ x, y }, at) => (at === 0 ? path.moveTo(x, y) : path.lineTo(x, y)));
  path.closePath();
  const [left, right] = [Math.min(...hull.map(({ x }) => x)), Math.max(...hull.map(({ x }) => x))];
  const [top, bottom] = [Math.min(...hull.map(({ y }) => y)), Math.max(...hull.map(({ y }) => y))];
  const reach = Math.min(bottom - top, 4000);
  context.save();
  context.clip(path);
  const lines = new Path2D();
  for (let x = Math.max(left - reach, -4000); x < Math.min(right, 8000); x += 9) {
    lines.moveTo(x, bottom);
    lines.lineTo(x + reach, bottom - reach);
  }
  stroke(context, lines, color, 1.25, [], 0.7);
  context.restore();
}

/**
 * Andrew's monotone chain (1979).
 * @param {Spot[]} spots
 */
function convexHull(spots) {
  const sorted = [...spots].sort((a, b) => a.x - b.x || a.y - b.y);
  const chain = (/** @type {Spot[]} */ list) => {
    /** @type {Spot[]} */
    const hull = [];
    for (const spot of list) {
      while (hull.length >= 2 && turnsRight(hull[hull.length - 2], hull[hull.length - 1], spot)) hull.pop();
      hull.push(spot);
    }
    return hull.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.reverse())];
}

/** @param {Spot} a @param {Spot} b @param {Spot} c */
function turnsRight(a, b, c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) <= 0;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Spot} at
 * @param {string} text
 */
function label(context, at, text) {
  context.font = FONT;
  context.textBaseline = "middle";
  context.lineWidth = 4;
  context.strokeStyle = CASING;
  context.strokeText(text, at.x + 10, at.y);
  context.fillStyle = "#ffffff";
  context.fillText(text, at.x + 10, at.y);
}

/**
 * What can be dragged: a white ring, which leaves the sign within it in view.
 * @param {CanvasRenderingContext2D} context
 * @param {import("./messages.js").Pair} place
 */
export function paintHandle(context, [x, y]) {
  const path = new Path2D();
  path.arc(x, y, 9, 0, 2 * Math.PI);
  stroke(context, path, "#ffffff", 1.5, [], 1);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import("./messages.js").Pair} place
 * @param {import("./messages.js").Pair} size
 */
export function paintCrosshair(context, [x, y], [width, height]) {
  const path = new Path2D();
  path.moveTo(0, y);
  path.lineTo(x - 8, y);
  path.moveTo(x + 8, y);
  path.lineTo(width, y);
  path.moveTo(x, 0);
  path.lineTo(x, y - 8);
  path.moveTo(x, y + 8);
  path.lineTo(x, height);
  stroke(context, path, "#ffffff", 1, [], 0.9);
  const middle = new Path2D();
  middle.rect(x - 1, y - 1, 2, 2);
  solid(context, middle, "#ffffff");
}
