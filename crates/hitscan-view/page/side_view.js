/** Where to look at a shot from, so that it is seen from its side. Pure. */

import { axes, fitted } from "./camera.js";
import { add, cross, scale, sub, unit } from "./vector.js";

/** @import { Answer, Camera, Explanation, Point } from "./messages.js" */

/** The lines of an answer that a shot goes along. */
const SHOTS = ["ray", "motion", "arc", "seen", "segment"];
/** How far from level it may look down on the shot, radians. */
const TILTS = [0.12, 0.5, 1];

/**
 * What there is to see of a shot, its two ends first: up to the hit, or to where it comes nearest to something;
 * null where it goes nowhere.
 * @param {Answer} answer
 * @param {Explanation} [explanation]
 * @returns {[Point, Point, ...Point[]] | null}
 */
export function shotPoints({ lines = [], boxes = [], wireframe = [], answers }, explanation) {
  const line = lines.find(({ role, points }) => SHOTS.includes(role) && points.length > 1)?.points;
  const [first, last] = [line?.[0], line?.at(-1)];
  if (!line || !first || !last) return null;
  const { on_ray: from, on_object: to } = explanation?.approach ?? {};
  if (answers[0]?.status === "miss" && from && to) return [first, from, to];
  // What an eye does not see goes on from there.
  const unseen = lines.find(({ role }) => role === "unseen")?.points ?? [];
  const shapes = boxes.filter(({ role }) => role !== "intersection").flatMap(({ points }) => points);
  return [first, unseen.at(-1) ?? last, ...line, ...shapes, ...wireframe.flat()];
}

/**
 * Cameras beside a shot, from either side and ever more from above: in each all points fill the picture.
 * @param {Camera} camera whose angle and projection they have
 * @param {number} aspect
 * @param {readonly [Point, Point, ...Point[]]} points
 * @returns {Camera[]}
 */
export function besides(camera, aspect, points) {
  const [first, last] = points;
  const { right } = axes(camera);
  // Of a shot straight up or down every side is one.
  const level = unit(cross(sub(last, first), [0, 1, 0])) ?? right;
  return TILTS.flatMap((tilt) =>
    [1, -1].map((side) => {
      const away = add(scale(level, side * Math.cos(tilt)), [0, Math.sin(tilt), 0]);
      return fitted({ ...camera, eye: away, look: [0, 0, 0] }, aspect, points);
    }),
  );
}
