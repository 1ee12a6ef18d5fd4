/** The boxes of the tree in the picture, level by level. */

import { make, section } from "./elements.js";
import { whole } from "./format.js";
import { check, note, slider } from "./panel_parts.js";

/** Deeper than any tree is drawn. */
const DEEPEST = 24;

/** @param {App} app */
export function sceneBoxes({ store, overlay, transport }) {
  const level = slider("Level of the tree", { min: -1, max: DEEPEST }, (value) => store.set({ level: value }));
  const own = check("The selected object's own tree", () => void request());
  const told = make("p", { class: "note", "aria-live": "polite" });
  let running = false;
  let again = false;

  /** Asks for the boxes; while an answer is awaited only the last wish counts. */
  async function request() {
    again = running;
    if (running) return;
    const { level: depth, selected, connection } = store.state;
    /** @type {Mark[]} */
    let marks = [];
    told.textContent = "";
    if (depth >= 0 && connection.phase === "ready") {
      running = true;
      const object = own.input.checked && selected !== null ? selected : undefined;
      try {
        const { boxes, count } = await transport.request("overlay", { boxes: "tree", level: depth, object });
        marks = boxes.map((points) => ({ role: "box", points, box: true }));
        const drawn = count > boxes.length ? `, of which ${whole(boxes.length)} are drawn` : "";
        told.textContent = count === 0 ? "The tree is not that deep." : `${whole(count)} boxes${drawn}.`;
      } catch (error) {
        told.textContent = error instanceof Error ? error.message : String(error);
      }
      running = false;
    }
    overlay.set("scene-tree", marks);
    if (again) void request();
  }

  store.watch(["level"], ({ level: depth }) => level.tell(depth, depth < 0 ? "none" : `level ${depth}`));
  store.watch(["selected"], ({ selected }) => {
    own.element.hidden = selected === null;
  });
  store.watch(["level", "selected", "scene", "poses", "connection"], () => void request());
  const keys = note(make("kbd", {}, "["), " ", make("kbd", {}, "]"), " in the picture change the level.");
  return section("Boxes of the tree", level.element, own.element, told, keys);
}
