/**
 * Copy as: the current shot as a link, a command line, a row of a table, a test. Each says all that its
 * answer came from.
 */

import { commandLine, tableRow } from "./copy_as.js";
import { button, make, section } from "./elements.js";
import { linkOfShot, writeLink } from "./link.js";
import { note } from "./panel_parts.js";
import { hasPythonTest, pythonTest } from "./python_test.js";
import { rustTest } from "./rust_test.js";
import { isSameWorld, UNPOSED } from "./view_log.js";

/** A shot as it is copied elsewhere. @param {Shot} shot @returns {Asked} */
export function askedOf({ name, tool, question = {}, options, answer, world }) {
  const answers = answer?.answers ?? [];
  const total = answer?.answers_total ?? answers.length;
  return { name, tool, question: answer?.question ?? question, options, answers, total, world: world ?? UNPOSED };
}

/** @param {Shot} shot @param {State} state */
function linkText(shot, { scene }) {
  return `${location.origin}${location.pathname}#${writeLink(linkOfShot(shot, scene))}`;
}

/** @param {App} app */
export function copyButtons({ store, announce }) {
  const text = make("textarea", { class: "copied code", readonly: true, rows: "6", "aria-label": "Copied text" });

  /** @param {string} what @param {(asked: Asked, source: SceneSource, shot: Shot) => string} write */
  const copier = (what, write) =>
    button({ label: what, class: "outlined", onclick: async () => {
      const { current, scene } = store.state;
      if (!current || !scene) return;
      text.value = write(askedOf(current), scene.source, current);
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
  const rust = copier("Rust test", (asked, source) => rustTest(asked, source, store.state.scene?.origin));
  const python = copier("Python test", pythonTest);
  const link = copier("Link", (_asked, _source, shot) => linkText(shot, store.state));
  const buttons = [link, copier("Command line", (asked, source) => commandLine(asked, source, store.state.scene)), row, rust, python];
  const posed = note("The row asks the scene as its file poses it, and now. The others ask what was asked here.");
  const lost = note("The poses that this was asked in are not known any more: ask again, and copy that.");
  const element = section("Copy as", make("div", { class: "buttons" }, ...buttons), posed, lost, text);
  return {
    element,
    /** @param {Shot | null} shot */
    show(shot) {
      element.hidden = !shot?.answer;
      text.hidden = true;
      const { world } = shot ?? {};
      lost.hidden = world !== null;
      posed.hidden = !world || isSameWorld(world, UNPOSED);
      for (const each of buttons) each.disabled = world === null;
      // The march is the program's, to compare with: the library has none. Curvature lowers the terrain first. Nor does it take what is no question.
      const isTestable = shot?.options.method !== "march" && shot?.options.curvature !== true && shot?.answer?.invalid === undefined;
      rust.disabled ||= !isTestable;
      python.disabled ||= !isTestable || (shot !== null && !hasPythonTest(askedOf(shot)));
      row.disabled ||= Object.keys(shot?.answer?.question ?? {}).length === 0;
    },
  };
}
