/** The steps of a walk: a slider, a list beside it, and the box of each step in the picture. */

import { button, fill, make, section } from "./elements.js";
import { whole } from "./format.js";
import { f32Text } from "./numbers.js";
import { listRow } from "./panel_parts.js";
import { virtualList } from "./virtual_list.js";
import { parents, verdictWord, visitSentence, visitTitle } from "./why_text.js";

/** @param {App} app */
export function steps(app) {
  /** @type {readonly Visit[]} */
  let visits = [];
  /** The row of the answer comes after those of the visits. */
  let at = 0;
  let last = "";
  /** @type {Explanation | undefined} */
  let shown;

  const slider = make("input", { type: "range", min: "0", "aria-label": "Step of the walk", oninput: () => go(Number(slider.value)) });
  const count = make("output", { class: "value" });
  const detail = make("p", { class: "step-detail" });
  const list = virtualList({
    label: "Steps",
    role: "listbox",
    class: "steps",
    draw(row) {
      const visit = visits[row];
      const [title, text] = visit ? [visitTitle(visit), visitSentence(visit)] : ["Answer", last];
      return listRow({ number: visit ? row + 1 : undefined, verdict: visit?.verdict ?? "answer", title, text, depth: visit?.depth });
    },
    onselect: go,
    onkey: bracket,
  });
  const back = button({ label: "Step back", icon: "back", quiet: true, onclick: () => go(at - 1) });
  const forward = button({ label: "Step forward", icon: "forward", quiet: true, onclick: () => go(at + 1) });
  slider.addEventListener("keydown", (event) => {
    if (bracket(event.key)) event.preventDefault();
  });

  /** @param {string} key */
  function bracket(key) {
    if (key === "[") go(at - 1);
    else if (key === "]") go(at + 1);
    return key === "[" || key === "]";
  }

  /** @param {number} step */
  function go(step) {
    at = Math.min(Math.max(step, 0), visits.length);
    list.select(at);
    tell();
    draw();
  }

  function tell() {
    const visit = visits[at];
    const all = shown?.visit_count ?? visits.length;
    const cut = all > visits.length ? `, the first ${whole(visits.length)} are listed` : "";
    slider.value = String(at);
    count.textContent = visit ? `${whole(at + 1)} of ${whole(all)}` : `after ${whole(all)}`;
    const [title, text] = visit ? [visitTitle(visit), visitSentence(visit)] : ["Answer", last];
    const best = visit?.best === undefined ? "" : ` The best so far: t = ${f32Text(visit.best)}.`;
    fill(detail, make("strong", {}, `${title}. `), text + best, cut && at === visits.length ? ` (${whole(all)} steps${cut}.)` : "");
    slider.setAttribute("aria-valuetext", `step ${at + 1} of ${all}: ${title}. ${text}`);
    back.disabled = at === 0;
    forward.disabled = at === visits.length;
  }

  function draw() {
    const isSeen = shown && app.store.state.tab === "why";
    const drawn = isSeen && visits[at] ? [...parents(visits, at), at] : [];
    app.overlay.set("why-steps", drawn.flatMap((step) => markOf(visits[step], step === at ? step : null)));
  }

  return {
    element: section("Steps", make("div", { class: "slider" }, back, slider, forward, count), detail, list.element),
    /** @param {Explanation | undefined} explanation undefined: nothing is drawn @param {string} answer the last line */
    show(explanation, answer) {
      if (explanation && explanation !== shown) {
        visits = explanation.visits ?? [];
        at = visits.length;
        slider.max = String(at);
        queueMicrotask(() => {
          list.show(visits.length + 1, at);
          list.select(at);
        });
      }
      last = answer;
      shown = explanation;
      tell();
      draw();
    },
  };
}

/** Verdicts of boxes that are not looked into. */
const SHUT = ["missed", "behind", "beyond", "farther", "filtered"];

/** What is drawn of a step. @param {Visit | undefined} visit @param {number | null} current its number, of the current one @returns {Mark[]} */
function markOf(visit, current) {
  const points = visit?.points ?? [];
  if (!visit || points.length === 0) return [];
  const label = current === null ? undefined : `${whole(current + 1)}: ${verdictWord(visit.verdict)}`;
  if (points.length === 8) return [{ role: SHUT.includes(visit.verdict) ? "passed" : "box", points, box: true, label }];
  return [{ role: visit.verdict === "hit" ? "triangle" : "passed", points, closed: true, label }];
}
