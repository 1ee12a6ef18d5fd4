/** The boxes of the tree in the picture, level by level. */

import { make, section } from "./elements.js";
import { whole } from "./format.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./messages.js").Point} Point
 */

/** Deeper than any tree is drawn. */
const DEEPEST = 24;

/** @param {App} app */
export function sceneBoxes(app) {
  const { store } = app;
  const slider = make("input", {
    type: "range",
    min: "-1",
    max: String(DEEPEST),
    "aria-label": "Level of the tree",
    oninput: () => store.set({ level: Number(slider.value) }),
  });
  const own = make("input", { type: "checkbox", onchange: () => void request() });
  const value = make("output", { class: "step-count" });
  const note = make("p", { class: "note", "aria-live": "polite" });
  const ownLabel = make("label", { class: "check" }, own, "The selected object's own tree");
  let running = false;
  let again = false;

  /** Asks for the boxes; while an answer is awaited only the last wish counts. */
  async function request() {
    const { level, selected, connection } = store.state;
    if (running) {
      again = true;
      return;
    }
    if (level < 0 || connection.phase !== "ready") {
      app.overlay.set("scene-tree", []);
      note.textContent = "";
      return;
    }
    running = true;
    const object = own.checked && selected !== null ? selected : undefined;
    try {
      const { boxes, count } = await app.transport.request("overlay", { boxes: "tree", level, object });
      app.overlay.set("scene-tree", boxes.map((points) => ({ role: "box", points, box: true })));
      const drawn = count > boxes.length ? `, of which ${whole(boxes.length)} are drawn` : "";
      note.textContent = count === 0 ? "The tree is not that deep." : `${whole(count)} boxes${drawn}.`;
    } catch (error) {
      app.overlay.set("scene-tree", []);
      note.textContent = error instanceof Error ? error.message : String(error);
    }
    running = false;
    if (again) {
      again = false;
      void request();
    }
  }

  store.watch(["level"], ({ level }) => {
    slider.value = String(level);
    value.textContent = level < 0 ? "none" : `level ${level}`;
    slider.setAttribute("aria-valuetext", value.textContent);
  });
  store.watch(["selected"], ({ selected }) => {
    ownLabel.hidden = selected === null;
  });
  store.watch(["level", "selected", "scene", "poses", "connection"], () => void request());
  const keys = make("p", { class: "note" }, make("kbd", {}, "["), " ", make("kbd", {}, "]"), " in the picture change the level.");
  return section("Boxes of the tree", make("div", { class: "step-bar" }, slider, value), ownLabel, note, keys);
}
