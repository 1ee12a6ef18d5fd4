/** The panel Shots: each question that was asked, named and undoable; tables out and in. */

import { glanceOf } from "./answer_text.js";
import { askedOf } from "./copy_buttons.js";
import { questionTables } from "./csv.js";
import { button, empty, fill, make, section } from "./elements.js";
import { clear, EMPTY, neighbour, observed, redo, remove, rename, undo } from "./shot_list.js";
import { tableDrop } from "./shots_tables.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./store.js").Shot} Shot
 * @typedef {import("./shot_list.js").ShotList} ShotList
 */

/** More shots than these are kept and saved, and not listed. */
const MOST_LISTED = 500;

/**
 * @param {App} app
 * @param {HTMLElement} element
 */
export function mount(app, element) {
  const { store } = app;
  /** @type {ShotList} */
  let list = EMPTY;
  /** @type {number | null} */
  let renaming = null;

  const undoButton = button({ label: "Undo", icon: "undo", quiet: true, onclick: () => go(undo, "Undone") });
  const redoButton = button({ label: "Redo", icon: "redo", quiet: true, onclick: () => go(redo, "Done again") });
  const save = button({ label: "Save as tables", icon: "save", class: "outlined", onclick: () => saveAll() });
  const clearButton = button({ label: "Delete all", onclick: () => change(clear(list)) });
  const rows = make("ol", { class: "shots" });
  const none = empty("Nothing is asked yet", "Each question that is asked is listed here. Open a table of questions below, or drop one on the page.");
  const tables = tableDrop(app);
  element.append(
    make("h2", { class: "hidden" }, "Shots"),
    section("Questions asked", make("div", { class: "buttons" }, undoButton, redoButton, save, clearButton), none, rows),
    tables.element,
  );
  element.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.target instanceof HTMLInputElement) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) go(redo, "Done again");
    else go(undo, "Undone");
  });

  /** @param {ShotList} next */
  function change(next) {
    if (next === list) return;
    list = next;
    const { current } = store.state;
    const kept = current && next.shots.some(({ key }) => key === current.key);
    store.set({ shots: [...next.shots], ...(kept ? {} : { current: next.shots.at(-1) ?? null }) });
  }

  /** @param {(list: ShotList) => ShotList} step @param {string} word */
  function go(step, word) {
    const what = (step === undo ? list.past : list.future).at(-1)?.what;
    if (what === undefined) return;
    change(step(list));
    app.announce(`${word}: ${what}`);
  }

  /** @param {Shot} shot */
  function deleteShot(shot) {
    const next = neighbour(list.shots, shot.key);
    if (store.state.current?.key === shot.key) store.set({ current: next });
    change(remove(list, shot.key));
    app.announce(`${shot.name} is deleted; undo brings it back`);
  }

  function saveAll() {
    const asked = store.state.shots.map((shot) => askedOf(shot, store.state));
    const files = questionTables(asked);
    for (const { file, text } of files) download(file, text);
    app.announce(files.length === 0 ? "No shot has a question that a table could hold" : `Saved ${files.map(({ file }) => file).join(", ")}`);
  }

  store.watch(["shots", "current"], ({ shots, current }) => {
    list = sameShots(list, shots) ? list : observed(list, shots);
    undoButton.disabled = list.past.length === 0;
    redoButton.disabled = list.future.length === 0;
    save.disabled = shots.length === 0;
    clearButton.disabled = shots.length === 0;
    const listed = shots.slice(-MOST_LISTED);
    fill(rows, ...listed.map((shot) => shotRow(shot, shot.key === current?.key)).reverse());
    rows.hidden = shots.length === 0;
    none.hidden = shots.length > 0;
  });

  /** @param {Shot} shot @param {boolean} isCurrent */
  function shotRow(shot, isCurrent) {
    if (renaming === shot.key) return make("li", { class: "shot" }, nameField(shot));
    const { kind, word } = shot.answer ? glanceOf(shot.answer) : shot.refused ? { kind: "invalid", word: "refused" } : { kind: "none", word: "asking" };
    const show = make(
      "button",
      { type: "button", class: "shot-show", "aria-current": isCurrent ? "true" : null, onclick: () => store.set({ current: shot, tool: shot.tool }) },
      make("span", { class: "sign", "data-role": shot.as_of_ms > 0 ? "past" : kind, "aria-hidden": "true" }),
      make("span", { class: "row-title" }, shot.name),
      make("span", { class: "row-beside" }, shot.as_of_ms > 0 ? `${word}, ${shot.as_of_ms} ms ago` : word),
    );
    const edit = button({ label: "Rename", onclick: () => startRename(shot) });
    edit.setAttribute("aria-label", `Rename ${shot.name}`);
    const drop = button({ label: `Delete ${shot.name}`, icon: "remove", quiet: true, onclick: () => deleteShot(shot) });
    return make("li", { class: "shot" }, show, edit, drop);
  }

  /** @param {Shot} shot */
  function startRename(shot) {
    renaming = shot.key;
    store.set({ shots: [...store.state.shots] });
    const field = rows.querySelector("input");
    field?.focus();
    field?.select();
  }

  /** @param {Shot} shot */
  function nameField(shot) {
    const field = make("input", { type: "text", "aria-label": `Name of ${shot.name}`, autocomplete: "off" });
    field.value = shot.name;
    const done = (/** @type {boolean} */ keep) => {
      if (renaming === null) return;
      renaming = null;
      const next = keep ? rename(list, shot.key, field.value) : list;
      if (next === list) store.set({ shots: [...store.state.shots] });
      else change(next);
    };
    field.addEventListener("blur", () => done(true));
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === "Escape") {
        event.stopPropagation();
        event.preventDefault();
        done(event.key === "Enter");
      }
    });
    return field;
  }
}

/**
 * Whether the store holds what the list holds.
 * @param {ShotList} list
 * @param {readonly Shot[]} shots
 */
function sameShots(list, shots) {
  return list.shots.length === shots.length && list.shots.every((shot, at) => shot === shots[at]);
}

/**
 * Saves a file that the page has made.
 * @param {string} name
 * @param {string} text
 */
function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = make("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
