/** A shot seen from its side: of the places beside it that from which the program sees most of it. */

import { besides, shotPoints } from "./side_view.js";
import { inTables } from "./table_frame.js";
import { along, sub } from "./vector.js";

/** @import { Camera, Point } from "./messages.js" */
/** @import { Shot } from "./store.js" */

/** Ends of a shot lie on surfaces; so far from them it is looked for, of its length. */
const FROM_END = 0.02;

/**
 * @param {App} app
 * @param {Shot} shot
 */
export async function lookFromSide({ asker, announce, control, store }, shot) {
  const { camera } = store.state;
  const points = shot.answer && shotPoints(shot.answer, shot.explanation);
  if (!camera || !points) {
    announce("This shot has no side: it goes nowhere");
    return;
  }
  const [first, last] = points;
  const looked = [FROM_END, 0.5, 1 - FROM_END].map((part) => along(first, sub(last, first), part));
  let [best, most] = [/** @type {Camera | null} */ (null), -1];
  for (const one of besides(camera, control.aspect(), points)) {
    const seen = await Promise.all(looked.map((point) => isSeen(one.eye, point)));
    const count = seen.filter(Boolean).length;
    if (count > most) [best, most] = [one, count];
    if (most === looked.length) break;
  }
  // Whoever has moved the camera meanwhile keeps it.
  if (!best || store.state.camera !== camera) return;
  control.travel(best);
  announce("The shot from its side; Backspace goes back");

  /** Whether nothing is between two points, as the program decides. @param {Point} from @param {Point} to */
  async function isSeen(from, to) {
    const [[ox, oy, oz], [dx, dy, dz]] = [from, sub(to, from)];
    const question = { ...inTables({ ox, oy, oz }, store.state.scene?.origin), dx, dy, dz, t_max: 1 };
    const answer = await asker.quiet({ tool: "ray", question, options: { hits: "any" } }).catch(() => null);
    return answer?.answers[0]?.status === "miss";
  }
}
