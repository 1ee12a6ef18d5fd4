/**
 * Questions that run for a while: what runs is shown with a button that ends it, as Esc does.
 */

import { button, fill, make } from "./elements.js";
import { isTyped } from "./key_focus.js";

/** A question that is answered sooner is not shown, milliseconds. */
const SOON = 500;

/**
 * A question that is not answered.
 * @typedef {object} Waiting
 * @property {number} id its message's
 * @property {string} what it is called
 * @property {number} began by `performance.now()`
 */

/**
 * @param {HTMLElement} element
 * @param {{cancel: (id: number) => void, announce: (sentence: string) => void}} app
 */
export function createRunning(element, { cancel, announce }) {
  /** @type {readonly Waiting[]} */
  let waiting = [];
  let told = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  const name = make("p", { class: "running-name" });
  const end = button({ label: "Cancel", icon: "close", class: "outlined", onclick: cancelLast });
  fill(element, make("progress", { "aria-label": "Running" }), name, end);

  /** Those that have run long enough to be shown, the last one last. */
  const shown = () => waiting.filter(({ began }) => performance.now() - began >= SOON);

  function show() {
    clearTimeout(timer);
    const long = shown();
    const last = long.at(-1);
    const next = waiting.find(({ began }) => performance.now() - began < SOON);
    if (next) timer = setTimeout(show, Math.max(1, next.began + SOON - performance.now()));
    if (!last && element.contains(document.activeElement)) document.getElementById("picture")?.focus();
    element.hidden = !last;
    const others = long.length - 1;
    const text = last ? `${last.what} runs${others > 0 ? `, and ${others} more` : ""}` : "";
    if (name.textContent !== text) name.textContent = text;
    if (last && told !== text) announce(`${text}. Escape cancels.`);
    // What is queried again by itself says nothing of its answer; an answer that is said comes after this.
    if (!last && told) announce("What ran has ended.");
    told = text;
  }

  function cancelLast() {
    const last = shown().at(-1);
    if (!last) return;
    cancel(last.id);
    announce(`${last.what} is cancelled.`);
    told = "";
  }

  // Before anything that a picked tool or a field makes of the key; text that is typed keeps it.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || element.hidden || isTyped(event)) return;
    event.preventDefault();
    event.stopPropagation();
    cancelLast();
  }, true);

  return {
    /** @param {readonly Waiting[]} list what is not answered, in the order in which it was sent */
    hear(list) {
      waiting = list;
      show();
    },
  };
}
