/** The panel Scene: what is there, and what is shown of it. */

import { cameraPanel } from "./camera_panel.js";
import { button, empty, facts, fill, make, section } from "./elements.js";
import { whole } from "./format.js";
import { significant } from "./numbers.js";
import { check, note } from "./panel_parts.js";
import { sceneBoxes } from "./scene_boxes.js";
import { objectTree } from "./scene_objects.js";
import { layersOf, withLayer } from "./scene_tree.js";

/** @param {App} app @param {HTMLElement} element */
export function mount(app, element) {
  const { store } = app;
  const head = make("div", { class: "section" });
  const layers = make("div", {});
  const detail = make("div", { class: "object-detail" });
  const objects = section("Objects", objectTree(app), detail);
  const layerSection = section("Layers", layers);
  const boxes = sceneBoxes(app);
  element.append(head, cameraPanel(app), objects, layerSection, boxes);

  store.watch(["scene", "failure"], ({ scene, failure }) => {
    fill(head, ...(scene ? about(app, scene, failure) : [empty("No scene yet", "The program is still loading it.")]));
    objects.hidden = boxes.hidden = !scene;
  });
  store.watch(["scene", "layers"], ({ scene, layers: mask }) => {
    const known = layersOf(scene?.objects ?? []);
    layerSection.hidden = known.length < 2 && mask === null;
    const checks = known.map(({ bit, count }) => {
      const one = check(`Layer ${bit + 1}`, (seen) => store.set({ layers: withLayer(store.state.layers, bit, seen) }));
      one.input.checked = (((mask ?? ~0) >>> bit) & 1) === 1;
      one.element.append(make("span", { class: "note" }, count === 1 ? "1 object" : `${whole(count)} objects`));
      return one.element;
    });
    fill(layers, ...checks);
  });
  store.watch(["scene", "selected"], ({ scene, selected }) => {
    const object = scene?.objects.find(({ name }) => name === selected);
    fill(detail, ...(object ? aboutObject(object) : []));
  });
}

/** @param {App} app @param {Scene} scene @param {string | null} failure */
function about(app, scene, failure) {
  const total = scene.objects_total ?? scene.objects.length;
  const reload = button({ label: "Reload the files", icon: "reload", class: "outlined", onclick: () => void reloaded(app, reload) });
  const notes = (scene.notes ?? []).map((text) => make("li", {}, text));
  return [
    make("h2", { class: "scene-title" }, scene.title ?? scene.name),
    facts([
      ["objects", whole(total)],
      ["triangles", whole(scene.objects.reduce((sum, { triangles = 0 }) => sum + triangles, 0))],
      ["size", scene.bounds ? sizeText(scene.bounds) : "empty"],
      ["program", `hitscan ${scene.version}`],
    ]),
    total === 0 ? note("The scene is empty. Start hitscan view FILE with a scene, a model or a height map.") : null,
    notes.length > 0 ? make("ul", { class: "scene-notes" }, ...notes) : null,
    failure === null ? null : make("pre", { class: "problem", tabindex: "0", role: "region", "aria-label": "Why the files could not be read again" }, failure),
    make("div", { class: "buttons" }, reload),
  ];
}

/** @param {App} app @param {HTMLButtonElement} reload */
async function reloaded({ transport, announce }, reload) {
  reload.disabled = true;
  try {
    await transport.request("reload", {});
  } catch (error) {
    announce(`The files could not be read again: ${error instanceof Error ? error.message : error}`);
  }
  reload.disabled = false;
}

/** @param {SceneObject} object */
function aboutObject(object) {
  const { bounds, triangles, clips = [] } = object;
  const point = (/** @type {Point} */ at) => make("span", { class: "number" }, at.map(significant).join("  "));
  const layers = layersOf([object]).map(({ bit }) => bit + 1);
  /** @type {[string, string | Node][]} */
  const rows = bounds ? [["from", point(bounds[0])], ["to", point(bounds[1])], ["size", sizeText(bounds)]] : [];
  if (triangles !== undefined) rows.push(["triangles", whole(triangles)]);
  rows.push(["layers", layers.join(", ") || "none"]);
  if (clips.length > 0) rows.push(["clips", clips.map(({ name }) => name).join(", ")]);
  return [make("h4", {}, object.name), facts(rows)];
}

/** @param {[Point, Point]} bounds */
function sizeText([min, max]) {
  return `${max.map((high, axis) => significant(high - (min[axis] ?? 0))).join(" × ")} m`;
}
