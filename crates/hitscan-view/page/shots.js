/** The panel Shots: each question that was asked, named and undoable; tables out and in. */

import { glanceOf } from "./answer_text.js";
import { askedOf } from "./copy_buttons.js";
import { questionTables } from "./csv.js";
import { button, empty, fill, make, section } from "./elements.js";
import { isTyped } from "./key_focus.js";
import { sign } from "./panel_parts.js";
import { clear, EMPTY, neighbour, observed, redo, remove, rename, undo } from "./shot_list.js";
import { tableDrop } from "./shots_tables.js";

/** More shots than these are kept and saved, and not listed. */
const MOST_LISTED = 500;

/** @param {App} app @param {HTMLElement} element */
export function mount(app, element) {
  const { store, announce } = app;
  let list = EMPTY;
  /** @type {number | null} */
  let renaming = null;

  const undoButton = button({ label: "Undo", icon: "undo", quiet: true, onclick: () => go(undo, "Undone") });
  const redoButton = button({ label: "Redo", icon: "redo", quiet: true, onclick: () => go(redo, "Done again") });
  const save = button({ label: "Save as tables", icon: "save", class: "outlined", onclick: saveAll });
  const clearButton = button({ label: "Delete all", onclick: () => change(clear(list)) });
  const rows = make("ol", { class: "shots" });
  const none = empty("Nothing is asked yet", "Each question that is asked is listed here. Or open a table of questions below.");
  const buttons = make("div", { class: "buttons" }, undoButton, redoButton, save, clearButton);
  element.append(make("h2", { class: "hidden" }, "Shots"), section("Questions asked", buttons, none, rows), tableDrop(app));
  document.addEventListener("keydown", (event) => {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || isTyped(event) || (key !== "z" && key !== "y")) return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) go(redo, "Done again");
    else go(undo, "Undone");
  });

  /** @param {ShotList} next */
  function change(next) {
    if (next === list) return;
    list = next;
    const { current } = store.state;
    const kept = next.shots.find(({ key }) => key === current?.key);
    store.set({ shots: [...next.shots], current: kept ?? next.shots.at(-1) ?? null });
  }

  /** @param {(list: ShotList) => ShotList} step @param {string} word */
  function go(step, word) {
    const what = (step === undo ? list.past : list.future).at(-1)?.what;
    if (what === undefined) return;
    change(step(list));
    announce(`${word}: ${what}`);
  }

  /** @param {Shot} shot */
  function drop(shot) {
    if (store.state.current?.key === shot.key) store.set({ current: neighbour(list.shots, shot.key) });
    change(remove(list, shot.key));
    announce(`${shot.name} is deleted; undo brings it back`);
  }

  function saveAll() {
    const files = questionTables(store.state.shots.map((shot) => askedOf(shot)));
    for (const { file, text } of files) download(file, text);
    const names = files.map(({ file }) => file).join(", ");
    announce(names ? `Saved ${names}` : "No shot has a question that a table could hold");
  }

  store.watch(["shots", "current"], ({ shots }) => {
    list = observed(list, shots);
    redraw();
  });

  function redraw() {
    const { shots, current } = store.state;
    undoButton.disabled = list.past.length === 0;
    redoButton.disabled = list.future.length === 0;
    save.disabled = clearButton.disabled = rows.hidden = shots.length === 0;
    none.hidden = shots.length > 0;
    fill(rows, ...shots.slice(-MOST_LISTED).map((shot) => shotRow(shot, shot.key === current?.key)).reverse());
  }

  /** @param {Shot} shot @param {boolean} isCurrent */
  function shotRow(shot, isCurrent) {
    if (renaming === shot.key) return make("li", { class: "shot" }, nameField(shot));
    const { answer, refused, as_of_ms: ms, name } = shot;
    const { kind, word } = answer ? glanceOf(answer) : refused ? { kind: "invalid", word: refused.field === "cancelled" ? "cancelled" : "refused" } : { kind: "none", word: "asking" };
    const show = make(
      "button",
      { type: "button", class: "shot-show", "aria-current": isCurrent ? "true" : null, onclick: () => store.set({ current: shot, tool: shot.tool }) },
      sign(ms > 0 ? "past" : kind),
      make("span", { class: "row-title" }, name),
      make("span", { class: "row-beside" }, ms > 0 ? `${word}, ${ms} ms ago` : word),
    );
    const edit = button({ label: "Rename", onclick: () => {
      renaming = shot.key;
      redraw();
      rows.querySelector("input")?.select();
    } });
    edit.setAttribute("aria-label", `Rename ${name}`);
    return make("li", { class: "shot" }, show, edit, button({ label: `Delete ${name}`, icon: "remove", quiet: true, onclick: () => drop(shot) }));
  }

  /** @param {Shot} shot */
  function nameField(shot) {
    const input = make("input", { type: "text", "aria-label": `Name of ${shot.name}`, autocomplete: "off" });
    input.value = shot.name;
    const done = (/** @type {boolean} */ keep) => {
      if (renaming === null) return;
      renaming = null;
      if (keep) change(rename(list, shot.key, input.value));
      redraw();
    };
    input.addEventListener("blur", () => done(true));
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== "Escape") return;
      event.stopPropagation();
      event.preventDefault();
      done(event.key === "Enter");
    });
    return input;
  }
}

/** Saves a file that the page has made. @param {string} name @param {string} text */
function download(name, text) {
  const href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  make("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}
