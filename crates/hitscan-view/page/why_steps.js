/** The steps of a walk: a slider, a list beside it, and the box of each step in the picture. */

import { button, fill, make, section } from "./elements.js";
import { whole } from "./format.js";
import { f32Text } from "./numbers.js";
import { virtualList } from "./virtual_list.js";
import { parents } from "./visit_tree.js";
import { verdictSign, verdictWord, visitSentence, visitTitle } from "./why_text.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./messages.js").Explanation} Explanation
 * @typedef {import("./messages.js").Visit} Visit
 */

/** @param {App} app */
export function steps(app) {
  /** @type {readonly Visit[]} */
  let visits = [];
  let at = 0;
  let last = "";
  /** @type {Explanation | undefined} */
  let shown;

  const slider = make("input", {
    type: "range",
    min: "0",
    "aria-label": "Step of the walk",
    oninput: () => go(Number(slider.value)),
  });
  const count = make("output", { class: "step-count" });
  const detail = make("p", { class: "step-detail" });
  const list = virtualList({
    label: "Steps",
    role: "listbox",
    class: "steps",
    draw: (row) => stepRow(visits[row], row, last),
    onselect: go,
    onkey: (key) => {
      if (key !== "[" && key !== "]") return false;
      go(at + (key === "]" ? 1 : -1));
      return true;
    },
  });
  const back = button({ label: "Step back", icon: "back", quiet: true, onclick: () => go(at - 1) });
  const forward = button({ label: "Step forward", icon: "forward", quiet: true, onclick: () => go(at + 1) });
  slider.addEventListener("keydown", (event) => {
    if (event.key !== "[" && event.key !== "]") return;
    event.preventDefault();
    event.stopPropagation();
    go(at + (event.key === "]" ? 1 : -1));
  });
  const element = section("Steps", make("div", { class: "step-bar" }, back, slider, forward, count), detail, list.element);

  /** The steps, and one more that says the answer. */
  const rows = () => visits.length + 1;

  /** @param {number} step */
  function go(step) {
    at = Math.min(Math.max(step, 0), rows() - 1);
    slider.value = String(at);
    list.select(at);
    tell();
    draw();
  }

  function tell() {
    const visit = visits[at];
    const all = shown?.visit_count ?? visits.length;
    const cut = all > visits.length ? ` of ${whole(all)}, the first ${whole(visits.length)} are listed` : ` of ${whole(all)}`;
    count.textContent = visit ? `${whole(at + 1)}${cut}` : `answer after ${whole(all)}`;
    slider.setAttribute("aria-valuetext", visit ? `step ${at + 1}${cut}: ${visitTitle(visit)}. ${visitSentence(visit)}` : last);
    back.disabled = at === 0;
    forward.disabled = at === rows() - 1;
    if (!visit) fill(detail, make("strong", {}, "Answer. "), last);
    else fill(detail, make("strong", {}, `${visitTitle(visit)}. `), visitSentence(visit), visit.best === undefined ? "" : ` The best so far: t = ${f32Text(visit.best)}.`);
  }

  function draw() {
    const visit = visits[at];
    if (!visit) {
      app.overlay.set("why-steps", []);
      return;
    }
    const marks = [...parents(visits, at), at].flatMap((step) => markOf(visits[step], step === at ? step : null));
    app.overlay.set("why-steps", marks);
  }

  return {
    element,
    /** @param {string} sentence the last line: the answer */
    conclude(sentence) {
      last = sentence;
      tell();
    },
    /** @param {Explanation | undefined} explanation undefined: nothing is drawn */
    show(explanation) {
      if (explanation !== shown && explanation) {
        visits = explanation.visits ?? [];
        at = visits.length;
        slider.max = String(visits.length);
        slider.value = slider.max;
        queueMicrotask(() => {
          list.show(rows(), at);
          list.select(at);
        });
      }
      shown = explanation ?? shown;
      if (explanation && visits.length > 0) draw();
      else app.overlay.set("why-steps", []);
    },
  };
}

/** Verdicts of boxes that are not looked into. */
const SHUT = ["missed", "behind", "beyond", "farther", "filtered"];

/**
 * What is drawn of a step.
 * @param {Visit | undefined} visit
 * @param {number | null} current its number where it is the current one, which has a label
 * @returns {import("./overlay.js").Mark[]}
 */
function markOf(visit, current) {
  const points = visit?.points ?? [];
  if (!visit || points.length === 0) return [];
  const label = current === null ? undefined : `${whole(current + 1)}: ${verdictWord(visit.verdict)}`;
  const shut = SHUT.includes(visit.verdict);
  if (points.length === 8) return [{ role: shut ? "passed" : "box", points, box: true, label }];
  return [{ role: visit.verdict === "hit" ? "triangle" : "passed", points, closed: true, label }];
}

/** @param {Visit | undefined} visit @param {number} row @param {string} last */
function stepRow(visit, row, last) {
  const depth = Math.min(visit?.depth ?? 0, 12);
  const lines = make(
    "span",
    { class: "row-lines" },
    make("span", { class: "row-title" }, visit ? visitTitle(visit) : "Answer"),
    make("span", { class: "row-sentence" }, visit ? visitSentence(visit) : last),
  );
  lines.style.paddingLeft = `${depth * 0.375}rem`;
  const verdict = visit?.verdict ?? "answer";
  return make(
    "div",
    { role: "option", class: `verdict-${verdict}` },
    make("span", { class: "row-number" }, visit ? String(row + 1) : ""),
    make("span", { class: "row-sign", "aria-hidden": "true" }, verdictSign(verdict)),
    lines,
  );
}
