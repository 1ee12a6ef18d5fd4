/** What a ruler reads between points: lengths, rise, slope and bearing. Pure. */

import { metres } from "./numbers.js";
import { sub } from "./vector.js";

/**
 * From one point to the next.
 * @typedef {object} Leg
 * @property {number} straight metres
 * @property {number} level metres along x and z
 * @property {number} rise metres, negative where it goes down
 * @property {number | null} slope degrees above the horizon; null between equal points
 * @property {number | null} bearing degrees from -z, north on a map, towards +x; null straight up or down
 */

const DEGREES = 180 / Math.PI;

/** @param {Point} from @param {Point} to @returns {Leg} */
export function legOf(from, to) {
  const [x, y, z] = sub(to, from);
  const level = Math.hypot(x, z);
  const straight = Math.hypot(x, y, z);
  const turned = Math.atan2(x, -z) * DEGREES;
  return {
    straight,
    level,
    rise: y,
    slope: straight > 0 ? Math.atan2(y, level) * DEGREES : null,
    bearing: level > 0 ? turned < 0 ? turned + 360 : turned : null,
  };
}

/** @param {readonly Point[]} points */
export function legsOf(points) {
  return points.slice(1).map((to, at) => legOf(points[at] ?? to, to));
}

/** The whole way, and straight from its first point to its last; null of less than two points. @param {readonly Point[]} points */
export function wholeOf(points) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2) return null;
  const path = legsOf(points).reduce((sum, { straight }) => sum + straight, 0);
  return { path, ...legOf(first, last) };
}

/** @param {number | null} angle degrees */
const angleText = (angle) => (angle === null ? "none" : `${angle.toFixed(2)}°`);

/** A leg as names and values, for people. @param {Leg} leg @returns {[string, string][]} */
export function legRows({ straight, level, rise, slope, bearing }) {
  return [
    ["straight", metres(straight)],
    ["horizontal", metres(level)],
    ["height difference", metres(rise)],
    ["slope", angleText(slope)],
    ["bearing", angleText(bearing)],
  ];
}

/** All that is measured, as lines of text with exact numbers. @param {readonly Point[]} points */
export function rulerText(points) {
  const header = "x,y,z,straight,horizontal,rise,slope_degrees,bearing_degrees";
  const legs = legsOf(points);
  const rows = points.map((point, at) => {
    const leg = legs[at - 1];
    const values = leg ? [leg.straight, leg.level, leg.rise, leg.slope ?? "", leg.bearing ?? ""] : ["", "", "", "", ""];
    return [...point, ...values].join(",");
  });
  return `${[header, ...rows].join("\n")}\n`;
}
