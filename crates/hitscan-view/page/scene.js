/** The panel Scene: what is there, what is shown of it, and how. */

import { corners } from "./camera.js";
import { button, empty, facts, fill, make, section } from "./elements.js";
import { whole } from "./format.js";
import { significant } from "./numbers.js";
import { sceneBoxes } from "./scene_boxes.js";
import { layersOf, withLayer } from "./scene_tree.js";
import { objectTree } from "./scene_objects.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./messages.js").Point} Point
 * @typedef {import("./messages.js").Scene} Scene
 */

/**
 * @param {App} app
 * @param {HTMLElement} element
 */
export function mount(app, element) {
  const { store } = app;
  const head = make("div", { class: "section" });
  const layers = make("div", { class: "layers" });
  const tree = objectTree(app);
  const detail = make("div");
  const boxes = sceneBoxes(app);
  const layerSection = section("Layers", layers);
  element.append(head, section("Objects", tree.element, detail), layerSection, boxes);

  store.watch(["scene", "failure"], ({ scene, failure }) => {
    fill(head, ...(scene ? about(app, scene, failure) : [empty("No scene yet", "The program is still loading it.")]));
    element.classList.toggle("without-scene", !scene);
  });
  store.watch(["scene", "layers"], ({ scene, layers: mask }) => {
    const known = layersOf(scene?.objects ?? []);
    layerSection.hidden = known.length < 2 && mask === null;
    fill(layers, ...known.map(({ bit, count }) => layerCheck(app, bit, count, mask)));
  });
  store.watch(["scene", "selected", "tab"], ({ scene, selected, tab }) => {
    const object = scene?.objects.find(({ name }) => name === selected);
    const bounds = object?.bounds;
    app.overlay.set("scene-selected", tab === "scene" && bounds ? [{ role: "box", points: corners(bounds), box: true, label: object.name }] : []);
    fill(detail, object ? aboutObject(object) : null);
  });
}

/** @param {App} app @param {Scene} scene @param {string | null} failure */
function about(app, scene, failure) {
  const total = scene.objects_total ?? scene.objects.length;
  const triangles = scene.objects.reduce((sum, object) => sum + (object.triangles ?? 0), 0);
  const size = scene.bounds ? sizeText(scene.bounds) : "empty";
  const reload = button({
    label: "Reload the files",
    icon: "reload",
    class: "outlined",
    onclick: () => void reloaded(app, reload),
  });
  const notes = (scene.notes ?? []).map((note) => make("li", {}, note));
  return [
    make("h2", { class: "scene-title" }, scene.title ?? scene.name),
    facts([
      ["objects", whole(total)],
      ["triangles", whole(triangles)],
      ["size", size],
      ["program", `hitscan ${scene.version}`],
    ]),
    total === 0 ? make("p", { class: "note" }, "The scene is empty. Start `hitscan view FILE` with a scene, a model or a height map.") : null,
    notes.length > 0 ? make("ul", { class: "scene-notes" }, ...notes) : null,
    failure === null ? null : make("pre", { class: "problem", tabindex: "0", role: "region", "aria-label": "Why the files could not be read again" }, failure),
    make("div", { class: "buttons" }, reload),
  ];
}

/** @param {App} app @param {HTMLButtonElement} reload */
async function reloaded(app, reload) {
  reload.disabled = true;
  try {
    await app.transport.request("reload", {});
  } catch (error) {
    app.announce(`The files could not be read again: ${error instanceof Error ? error.message : error}`);
  }
  reload.disabled = false;
}

/** @param {import("./messages.js").SceneObject} object */
function aboutObject(object) {
  const layers = layersOf([object]).map(({ bit }) => bit + 1);
  /** @type {[string, string][]} */
  const rows = [];
  if (object.bounds) {
    rows.push(["from", pointText(object.bounds[0])], ["to", pointText(object.bounds[1])], ["size", sizeText(object.bounds)]);
  }
  if (object.triangles !== undefined) rows.push(["triangles", whole(object.triangles)]);
  rows.push([layers.length === 1 ? "layer" : "layers", layers.join(", ") || "none"]);
  if (object.clips?.length) rows.push(["clips", object.clips.map(({ name }) => name).join(", ")]);
  return make("div", { class: "object-detail" }, make("h4", {}, object.name), facts(rows));
}

/** @param {App} app @param {number} bit @param {number} count @param {number | null} mask */
function layerCheck({ store }, bit, count, mask) {
  const input = make("input", {
    type: "checkbox",
    onchange: () => store.set({ layers: withLayer(store.state.layers, bit, input.checked) }),
  });
  input.checked = (((mask ?? 0xffffffff) >>> bit) & 1) === 1;
  return make("label", { class: "check" }, input, `Layer ${bit + 1}`, make("span", { class: "note" }, count === 1 ? "1 object" : `${whole(count)} objects`));
}

/** @param {Point} point */
function pointText(point) {
  return point.map(significant).join("  ");
}

/** @param {[Point, Point]} bounds */
function sizeText([min, max]) {
  return `${max.map((high, axis) => significant(high - (min[axis] ?? 0))).join(" × ")} m`;
}
