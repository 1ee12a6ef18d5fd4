/** Handles in the picture for the points of the current question: what is dragged is asked as it moves. */

import { draggables } from "./question_points.js";

/** @param {App} app */
export function mountHandles({ asker, overlay, store }) {
  let asking = false;
  /** @type {(() => void) | null} */
  let next = null;

  /** Asks, or remembers the last wish while an answer is awaited. @param {Row} question @param {Shot} shot @param {boolean} keep */
  async function ask(question, shot, keep) {
    next = () => ask(question, shot, keep);
    if (asking) return;
    asking = true;
    next = null;
    await asker.ask({ tool: shot.tool, question, options: shot.options, keep });
    asking = false;
    const wish = /** @type {(() => void) | null} */ (next);
    wish?.();
  }

  store.watch(["current", "tab", "tool"], ({ current: shot, tab, tool }) => {
    // A question that waits for its answer leaves the handles of the one before, so that a drag goes on.
    if (shot && !shot.answer && !shot.refused) return;
    const question = shot?.answer?.question ?? shot?.question;
    const points = shot && question && tab === "answer" && tool === shot.tool ? draggables(tool, question, shot.answer?.answers[0]) : [];
    overlay.set("handles", points.map(({ point, moved, ...rest }) => {
      const to = (/** @type {boolean} */ keep) => (/** @type {Point} */ place) => void (shot && ask(moved(place), shot, keep));
      return { role: "handle", points: [point], handle: { ...rest, move: to(false), end: to(true) } };
    }));
  });
}
