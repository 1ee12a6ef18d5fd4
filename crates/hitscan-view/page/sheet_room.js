/** On a narrow page the sheet lies over the picture: the picture moves up so far that the hit stays in view. */

import { projector } from "./camera.js";
import { byId } from "./elements.js";

/** The hit stays so far above the sheet, CSS pixels. */
const ROOM = 32;

/** @param {App} app */
export function mountSheetRoom({ store }) {
  const view = byId("view");
  const sheet = byId("inspector");
  const narrow = globalThis.matchMedia("(max-width: 56em)");

  // Fingers are measured on the picture: it stays where it is while it is pressed.
  let pressed = 0;

  function place() {
    if (pressed > 0) return;
    const { current, frame } = store.state;
    const point = pointOfAnswer(current?.answer);
    const isOver = narrow.matches && sheet.dataset.height === "half";
    view.style.translate = "";
    if (!isOver || !point || !frame) return;
    const { place: [, down], depth } = projector(frame.camera, frame.size[0] / frame.size[1])(point);
    if (frame.camera.projection !== "orthographic" && depth <= 0) return;
    const { top, height } = view.getBoundingClientRect();
    // The sheet's height is on its way: where it ends is what counts.
    const end = sheet.getBoundingClientRect().bottom - 0.48 * globalThis.innerHeight;
    const hidden = top + down * height + ROOM - end;
    // What is above the picture's upper edge stays there.
    if (hidden > 0 && down > 0 && down < 1) view.style.translate = `0 ${-Math.min(hidden, down * height - ROOM)}px`;
  }

  new MutationObserver(place).observe(sheet, { attributes: true, attributeFilter: ["data-height"] });
  narrow.addEventListener("change", place);
  store.watch(["current", "frame"], place);
  view.addEventListener("pointerdown", () => {
    pressed += 1;
  });
  for (const type of ["pointerup", "pointercancel"]) {
    globalThis.addEventListener(type, () => {
      if (pressed === 0) return;
      pressed -= 1;
      place();
    });
  }
}

/** Where an answer is in the picture: where its first line ends that shows the hit. @param {Answer | undefined} answer @returns {Point | null} */
export function pointOfAnswer(answer) {
  const roles = ["ray", "arc", "contact", "segment", "unseen", "seen", "normal"];
  const lines = answer?.lines ?? [];
  const line = roles.map((role) => lines.find((one) => one.role === role)).find(Boolean);
  return (line?.role === "unseen" || line?.role === "normal" ? line.points[0] : line?.points.at(-1)) ?? null;
}
