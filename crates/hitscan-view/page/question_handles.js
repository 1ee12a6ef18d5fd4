/** Handles in the picture for the points of the current question: what is dragged is asked as it moves. */

import { draggables } from "./question_points.js";

/** @typedef {import("./app.js").App} App */

/** @param {App} app */
export function mountHandles(app) {
  const { store } = app;
  let asking = false;
  /** @type {(() => void) | null} */
  let next = null;

  /**
   * Asks, or remembers the last wish while an answer is awaited.
   * @param {import("./messages.js").Row} question
   * @param {import("./store.js").Shot} shot
   * @param {boolean} keep
   */
  function ask(question, shot, keep) {
    if (asking) {
      next = () => ask(question, shot, keep);
      return;
    }
    asking = true;
    const { tool, options } = shot;
    void app.asker.ask({ tool, question, options, keep }).finally(() => {
      asking = false;
      const wish = next;
      next = null;
      wish?.();
    });
  }

  store.watch(["current", "tab", "tool"], ({ current: shot, tab, tool }) => {
    const question = shot?.answer?.question ?? shot?.question;
    // An answer that is awaited leaves the handles of the one before, so that a drag goes on.
    if (shot && !shot.answer && !shot.refused) return;
    if (!shot || !question || tab !== "answer" || tool !== shot.tool) {
      app.overlay.set("handles", []);
      return;
    }
    const marks = draggables(shot.tool, question, shot.answer?.answers[0]).map(({ id, label, point, snap, moved }) => ({
      role: "handle",
      points: [point],
      handle: {
        id,
        label,
        snap,
        move: (/** @type {import("./messages.js").Point} */ to) => ask(moved(to), shot, false),
        end: (/** @type {import("./messages.js").Point} */ to) => ask(moved(to), shot, true),
      },
    }));
    app.overlay.set("handles", marks);
  });
}
