/** Copy as: the current question as a link, a command line, a row of a table, a Rust test. */

import { commandLine, tableRow } from "./copy_as.js";
import { button, make, section } from "./elements.js";
import { linkOf, readLink, writeLink } from "./link.js";
import { rustTest } from "./rust_test.js";

/** A shot with what the view adds to its question. @param {Shot} shot @param {State} state @returns {Asked} */
export function askedOf({ name, tool, question = {}, options, answer, poses }, { hide, layers }) {
  const answers = answer?.answers ?? [];
  return { name, tool, question: answer?.question ?? question, options, answers, hidden: hide, layers: layers ?? undefined, poses };
}

/** @param {State} state */
function linkText(state) {
  const { key } = readLink(location.hash);
  return `${location.origin}${location.pathname}#${writeLink(linkOf(state, { key, size: state.size }))}`;
}

/** @param {App} app */
export function copyButtons({ store, announce }) {
  const text = make("textarea", { class: "copied code", readonly: true, rows: "6", "aria-label": "Copied text" });

  /** @param {string} what @param {(asked: Asked, scene: string, state: State) => string} write */
  const copier = (what, write) =>
    button({ label: what, class: "outlined", onclick: async () => {
      const { state } = store;
      if (!state.current) return;
      text.value = write(askedOf(state.current, state), state.scene?.name ?? "scene.toml", state);
      text.hidden = false;
      try {
        await navigator.clipboard.writeText(text.value);
        announce(`${what} copied`);
      } catch {
        // Without a secure context, as with --listen, a page may not write the clipboard.
        text.select();
        announce(`${what} is selected: copy it with Ctrl+C`);
      }
    } });

  const row = copier("Table row", tableRow);
  const test = copier("Rust test", (asked, scene, state) => rustTest(asked, scene, state.scene?.origin));
  const link = copier("Link", (_asked, _scene, state) => linkText(state));
  const element = section("Copy as", make("div", { class: "buttons" }, link, copier("Command line", commandLine), row, test), text);
  return {
    element,
    /** @param {Shot | null} shot */
    show(shot) {
      element.hidden = !shot?.answer;
      text.hidden = true;
      // The march is the program's, to compare with: the library has none.
      test.disabled = shot?.options.method === "march";
      row.disabled = Object.keys(shot?.answer?.question ?? {}).length === 0;
    },
  };
}
