/** Boxes in the picture: those of trees, level by level, and those around objects as placed. */

import { make, section } from "./elements.js";
import { whole } from "./format.js";
import { newest } from "./newest.js";
import { check, note, slider } from "./panel_parts.js";

/** Deeper than any tree is drawn. */
const DEEPEST = 24;

/** @param {App} app */
export function sceneBoxes({ store, overlay, transport }) {
  const level = slider("Level of the tree", { min: -1, max: DEEPEST }, (value) => store.set({ level: value }));
  const own = check("The selected object's own tree", () => void request());
  const all = check("Boxes around all objects", () => void request());
  const told = make("p", { class: "note", "aria-live": "polite" });

  /** Draws what is requested, null for nothing; what came of it. @param {string} owner @param {object | null} wish @param {string} [label] */
  async function draw(owner, wish, label) {
    try {
      const { boxes, count } = wish ? await transport.request("overlay", wish, { what: "Boxes", kind: "overlay" }) : { boxes: [], count: 0 };
      overlay.set(owner, boxes.map((points) => ({ role: "box", points, box: true, label })));
      if (!wish || count === 0) return wish ? "The tree is not that deep." : "";
      return count > boxes.length ? `There are more than the ${whole(boxes.length)} boxes that are drawn.` : `${whole(count)} boxes.`;
    } catch (error) {
      overlay.set(owner, []);
      return error instanceof Error ? error.message : String(error);
    }
  }

  const request = newest(async () => {
    const { level: depth, selected, connection, tab } = store.state;
    const ready = connection.phase === "ready";
    const object = own.input.checked && selected !== null ? selected : undefined;
    told.textContent = await draw("scene-tree", ready && depth >= 0 ? { boxes: "tree", level: depth, object } : null);
    await draw("scene-bounds", ready && all.input.checked ? { boxes: "bounds" } : null);
    const chosen = ready && tab === "scene" && selected !== null ? selected : null;
    await draw("scene-selected", chosen === null ? null : { boxes: "bounds", object: chosen }, chosen ?? "");
  });

  store.watch(["level"], ({ level: depth }) => level.tell(depth, depth < 0 ? "none" : `level ${depth}`));
  store.watch(["selected"], ({ selected }) => {
    own.element.hidden = selected === null;
  });
  store.watch(["level", "selected", "scene", "poses", "connection", "tab"], () => void request());
  const keys = note(make("kbd", {}, "["), " ", make("kbd", {}, "]"), " in the picture change the level.");
  return section("Boxes of the tree", level.element, own.element, told, keys, all.element);
}
