/** The tree of objects and parts: searched, selected, hidden, framed. */

import { button, fill, icon, make } from "./elements.js";
import { whole } from "./format.js";
import { KINDS, treeRows } from "./scene_tree.js";
import { virtualList } from "./virtual_list.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./scene_tree.js").TreeRow} TreeRow
 */

/** @param {App} app */
export function objectTree(app) {
  const { store } = app;
  /** @type {Set<string>} */
  const open = new Set();
  /** @type {TreeRow[]} */
  let rows = [];
  let part = "";

  const search = make("input", {
    type: "search",
    placeholder: "Search objects and parts",
    "aria-label": "Search objects and parts",
    oninput: () => refresh(),
  });
  const found = make("p", { class: "note", "aria-live": "polite" });
  const shownAll = button({ label: "Show all", onclick: () => store.set({ hide: [] }) });
  const list = virtualList({ label: "Objects", role: "tree", class: "tree", draw: (row) => drawRow(rows[row]), onselect: select, onkey: key });

  /** @param {number} row */
  function select(row) {
    const at = rows[row];
    if (!at) return;
    part = at.part ?? "";
    store.set({ selected: at.object.name });
    list.select(row);
  }

  /** @param {string} name @param {boolean} shown */
  function setOpen(name, shown) {
    if (shown) open.add(name);
    else open.delete(name);
    refresh();
  }

  /** @param {string} name */
  function toggleHidden(name) {
    const { hide } = store.state;
    store.set({ hide: hide.includes(name) ? hide.filter((one) => one !== name) : [...hide, name] });
    app.announce(`${name} is ${hide.includes(name) ? "shown" : "hidden: no ray meets it"}`);
  }

  /** @param {string} pressed @param {number} row */
  function key(pressed, row) {
    const at = rows[row];
    if (!at) return false;
    const { name } = at.object;
    if (pressed === "ArrowRight" && at.open === false) setOpen(name, true);
    else if (pressed === "ArrowRight" && at.open) select(row + 1);
    else if (pressed === "ArrowLeft" && at.open) setOpen(name, false);
    else if (pressed === "ArrowLeft" && at.level === 2) select(rows.findIndex((one) => one.object === at.object));
    else if (pressed === "h" || pressed === "H" || pressed === " ") toggleHidden(name);
    else return false;
    return true;
  }

  /** @param {TreeRow | undefined} row */
  function drawRow(row) {
    if (!row) return make("div", { role: "treeitem" });
    const { object, level } = row;
    const { name } = object;
    const hidden = store.state.hide.includes(name);
    const item = make("div", {
      role: "treeitem",
      "aria-level": level,
      "aria-posinset": row.position,
      "aria-setsize": row.size,
      "aria-expanded": row.open === undefined ? null : String(row.open),
      class: `level-${level} ${hidden ? "is-hidden" : ""}`,
    });
    if (row.part !== undefined) {
      item.append(make("span", { class: "row-title" }, row.part));
      return item;
    }
    const twisty = make("span", { class: "twisty", "aria-hidden": "true", onclick: (/** @type {Event} */ event) => {
      event.stopPropagation();
      setOpen(name, !row.open);
    } });
    if (row.open !== undefined) twisty.append(icon(row.open ? "down" : "right"));
    const eye = make("button", {
      type: "button",
      class: "button icon-button",
      tabindex: "-1",
      "aria-label": `${hidden ? "Show" : "Hide"} ${name}`,
      title: hidden ? "Show (H)" : "Hide from all rays (H)",
      onclick: () => toggleHidden(name),
    });
    fill(eye, icon(hidden ? "eye-off" : "eye"));
    item.append(twisty, make("span", { class: "row-title" }, name), make("span", { class: "row-beside" }, KINDS[object.kind] ?? object.kind), eye);
    return item;
  }

  function refresh() {
    const { scene, hide } = store.state;
    const objects = scene?.objects ?? [];
    rows = treeRows(objects, search.value, open);
    list.show(rows.length, selectedRow());
    const matching = rows.filter(({ level }) => level === 1).length;
    const total = scene?.objects_total ?? objects.length;
    const cut = total > objects.length ? `; the first ${whole(objects.length)} of ${whole(total)} are listed` : "";
    const hidden = hide.length > 0 ? `; ${whole(hide.length)} hidden` : "";
    found.textContent = search.value.trim() === "" && !cut && !hidden ? "" : `${whole(matching)} found${cut}${hidden}`;
    shownAll.hidden = hide.length === 0;
    search.hidden = objects.length < 2;
  }

  function selectedRow() {
    const { selected } = store.state;
    const own = (/** @type {TreeRow} */ row) => row.object.name === selected;
    const exact = rows.findIndex((row) => own(row) && (row.part ?? "") === part);
    return exact >= 0 ? exact : rows.findIndex(own);
  }

  store.watch(["scene", "hide", "selected"], refresh);
  store.watch(["tab"], ({ tab }) => {
    if (tab === "scene") queueMicrotask(refresh);
  });
  return { element: make("div", { class: "objects" }, search, list.element, make("div", { class: "object-foot" }, found, shownAll)) };
}
