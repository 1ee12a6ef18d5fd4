/** Copy as: the current question as a link, a command line, a row of a table, a Rust test. */

import { commandLine, tableRow } from "./copy_as.js";
import { button, make, section } from "./elements.js";
import { linkOf, readLink, writeLink } from "./link.js";
import { rustTest } from "./rust_test.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./store.js").Shot} Shot
 * @typedef {import("./store.js").State} State
 * @typedef {import("./rust_test.js").Asked} Asked
 */

/**
 * A shot with what the view adds to its question.
 * @param {Shot} shot
 * @param {Readonly<State>} state
 * @returns {Asked}
 */
export function askedOf(shot, state) {
  return {
    name: shot.name,
    tool: shot.tool,
    question: shot.answer?.question ?? shot.question ?? {},
    options: shot.options,
    answers: shot.answer?.answers ?? [],
    hidden: state.hide,
    layers: state.layers ?? undefined,
    poses: shot.poses,
  };
}

/** @param {Readonly<State>} state */
function linkText(state) {
  const { key } = readLink(location.hash);
  return `${location.origin}${location.pathname}#${writeLink(linkOf(state, { key, size: state.size }))}`;
}

/** @param {App} app */
export function copyButtons(app) {
  const text = make("textarea", { class: "copied code", readonly: true, rows: "6", "aria-label": "Copied text" });
  text.hidden = true;

  /** @param {string} what @param {string} copied */
  async function copy(what, copied) {
    text.value = copied;
    text.hidden = false;
    try {
      await navigator.clipboard.writeText(copied);
      app.announce(`${what} copied`);
    } catch {
      // Without a secure context, as with --listen, a page may not write the clipboard.
      text.select();
      app.announce(`${what} is selected: copy it with Ctrl+C`);
    }
  }

  /** @param {string} what @param {(asked: Asked, scene: string) => string} write */
  const copier = (what, write) =>
    button({
      label: what,
      class: "outlined",
      onclick: () => {
        const { state } = app.store;
        if (state.current) void copy(what, write(askedOf(state.current, state), state.scene?.name ?? "scene.toml"));
      },
    });

  const test = copier("Rust test", rustTest);
  const row = copier("Table row", tableRow);
  const buttons = [copier("Link", () => linkText(app.store.state)), copier("Command line", commandLine), row, test];
  const element = section("Copy as", make("div", { class: "buttons" }, ...buttons), text);
  return {
    element,
    /** @param {Shot | null} shot */
    show(shot) {
      element.hidden = !shot?.answer;
      test.disabled = shot?.options.method === "march";
      test.title = test.disabled ? "The march is the program's, to compare with; the library has none" : "";
      row.disabled = Object.keys(shot?.answer?.question ?? {}).length === 0;
      text.hidden = true;
    },
  };
}
