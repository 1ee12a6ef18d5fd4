/** The tree of objects and parts: searched, selected, hidden. */

import { button, icon, make } from "./elements.js";
import { whole } from "./format.js";
import { treeRows } from "./scene_tree.js";
import { virtualList } from "./virtual_list.js";

/** @param {App} app */
export function objectTree({ store, announce }) {
  /** @type {Set<string>} */
  const open = new Set();
  /** @type {TreeRow[]} */
  let rows = [];
  let part = "";
  const label = "Search objects and parts";
  const search = make("input", { type: "search", placeholder: label, "aria-label": label, oninput: () => refresh() });
  const found = make("p", { class: "note", "aria-live": "polite" });
  const showAll = button({ label: "Show all", onclick: () => store.set({ hide: [] }) });
  const list = virtualList({ label: "Objects", role: "tree", class: "tree", draw: drawRow, onselect: select, onkey: key });

  /** @param {number} row */
  function select(row) {
    const at = rows[row];
    if (!at) return;
    part = at.part ?? "";
    store.set({ selected: at.object.name });
    list.select(row);
  }

  /** @param {string} name @param {boolean} isOpen */
  function setOpen(name, isOpen) {
    if (isOpen) open.add(name);
    else open.delete(name);
    refresh();
  }

  /** @param {string} name */
  function toggleHidden(name) {
    const { hide } = store.state;
    const was = hide.includes(name);
    store.set({ hide: was ? hide.filter((one) => one !== name) : [...hide, name] });
    announce(`${name} is ${was ? "shown" : "hidden: no ray meets it"}`);
  }

  /** @param {string} pressed @param {number} row */
  function key(pressed, row) {
    const at = rows[row];
    if (!at) return false;
    const { name } = at.object;
    if (pressed === "ArrowRight" && at.open === false) setOpen(name, true);
    else if (pressed === "ArrowRight" && at.open) select(row + 1);
    else if (pressed === "ArrowLeft" && at.open) setOpen(name, false);
    else if (pressed === "ArrowLeft" && at.level === 2) select(rows.findIndex(({ object }) => object === at.object));
    else if (/^[hH ]$/.test(pressed)) toggleHidden(name);
    else return false;
    return true;
  }

  /** @param {number} at */
  function drawRow(at) {
    const { object, part: name, level, open: isOpen, position, size } = /** @type {TreeRow} */ (rows[at]);
    const hidden = store.state.hide.includes(object.name);
    const aria = { "aria-level": level, "aria-posinset": position, "aria-setsize": size, "aria-expanded": isOpen === undefined ? null : String(isOpen) };
    const title = make("span", { class: "row-title" }, name ?? object.name);
    const attributes = { role: "treeitem", class: `level-${level} ${hidden ? "is-hidden" : ""}`, ...aria };
    if (name !== undefined) return make("div", attributes, title);
    const twisty = make("span", { class: "twisty", "aria-hidden": "true" }, isOpen === undefined ? null : icon(isOpen ? "down" : "right"));
    twisty.addEventListener("click", (event) => {
      event.stopPropagation();
      setOpen(object.name, !isOpen);
    });
    const eye = button({ label: `${hidden ? "Show" : "Hide"} ${object.name} (H)`, icon: hidden ? "eye-off" : "eye", quiet: true, onclick: () => toggleHidden(object.name) });
    eye.tabIndex = -1;
    return make("div", attributes, twisty, title, make("span", { class: "row-beside" }, object.kind.replace("_", " ")), eye);
  }

  function refresh() {
    const { scene, hide, selected } = store.state;
    const { objects = [], objects_total: total = objects.length } = scene ?? {};
    rows = treeRows(objects, search.value, open);
    const exact = rows.findIndex((row) => row.object.name === selected && (row.part ?? "") === part);
    list.show(rows.length, exact >= 0 ? exact : rows.findIndex((row) => row.object.name === selected));
    const texts = [
      search.value.trim() === "" ? "" : `${whole(rows.filter(({ level }) => level === 1).length)} found`,
      total > objects.length ? `the first ${whole(objects.length)} of ${whole(total)} are listed` : "",
      hide.length > 0 ? `${whole(hide.length)} hidden` : "",
    ];
    found.textContent = texts.filter(Boolean).join("; ");
    showAll.hidden = hide.length === 0;
  }

  store.watch(["scene", "hide", "selected"], refresh);
  return make("div", { class: "objects" }, search, list.element, make("div", { class: "between" }, found, showAll));
}
