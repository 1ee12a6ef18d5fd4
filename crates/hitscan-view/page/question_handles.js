/** Handles in the picture for the points of the current question: what is dragged is queried as it moves. */

import { newest } from "./newest.js";
import { draggables } from "./question_points.js";
import { inScene, inTables } from "./table_frame.js";

/** @param {App} app */
export function mountHandles({ asker, overlay, store }) {
  /** @type {(shot: Shot, question: Row, keep: boolean) => Promise<void>} */
  const ask = newest(({ tool, options }, question, keep) =>
    asker.ask({ tool, question: inTables(question, store.state.scene?.origin), options, keep }));

  store.watch(["current", "tab", "tool"], ({ current: shot, scene, tab, tool }) => {
    // A question that waits for its answer leaves the handles of the one before, so that a drag goes on.
    if (shot && !shot.answer && !shot.refused) return;
    const question = shot?.answer?.question ?? shot?.question;
    const isShown = shot && question && tab === "answer" && tool === shot.tool;
    const seen = (/** @type {Row} */ row) => inScene(row, scene?.origin);
    const points = isShown ? draggables(tool, seen(question), seen(shot.answer?.answers[0] ?? {})) : [];
    overlay.set("handles", points.map(({ point, moved, ...rest }) => {
      const to = (/** @type {boolean} */ keep) => (/** @type {Point} */ place) => void (shot && ask(shot, moved(place), keep));
      return { role: "handle", points: [point], handle: { ...rest, move: to(false), end: to(true) } };
    }));
  });
}
