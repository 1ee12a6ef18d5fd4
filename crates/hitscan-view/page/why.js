/** The panel Why: what the question reached, step by step, and why its answer is the answer. */

import { isExplained, isOfPairs } from "./answer_text.js";
import { button, empty, fill, make, section } from "./elements.js";
import { fieldText, metres } from "./numbers.js";
import { listRow, note } from "./panel_parts.js";
import { lookFromSide } from "./from_side.js";
import { forPointer } from "./pointer_words.js";
import { shotPoints } from "./side_view.js";
import { expectation } from "./why_expected.js";
import { sectionChart } from "./why_section.js";
import { steps } from "./why_steps.js";
import { approachSentences, axisSentence, candidateSentence, sentence, thingName, verdictWord } from "./why_text.js";
import { virtualList } from "./virtual_list.js";

const UNEXPLAINED = /** @type {Record<string, string>} */ ({
  height: "A height is that of the triangle under the point, or of the samples within the radius: Answer names them.",
  viewshed: "Each sample is seen or not by the rule of Sight: ask that from the eye to a place, and see what hides it.",
  sweep: "What turns is proved to meet nothing before its t; there are no candidates of it to list.",
  distance: "Of all pieces of the two, Answer names the nearest.",
  overlap: "Pairs are all that meet; there is none that could have come before another.",
});

/** @param {App} app @param {HTMLElement} element */
export function mount(app, element) {
  const walk = steps(app);
  const chart = sectionChart();
  let isTold = false;
  // What is expected has an approach of its own.
  const approachMark = () => {
    const { current, tab } = app.store.state;
    drawApproach(app, tab === "why" && !isTold ? current?.explanation?.approach : undefined);
  };
  const expected = expectation(app, (told) => {
    isTold = told;
    approachMark();
  });
  /** The shot that is being explained. @type {number | null} */
  let asked = null;
  /** @type {Explanation | undefined} */
  let shown;

  app.store.watch(["current", "tab", "connection"], ({ current: shot, tab, connection }) => {
    const explanation = tab === "why" ? shot?.explanation : undefined;
    walk.show(explanation, sentence(explanation?.sentence ?? shot?.answer?.sentence ?? "", namesOf(explanation, shot?.answer)));
    approachMark();
    if (tab !== "why" || (explanation && explanation === shown)) return;
    shown = explanation;
    const isPairs = shot?.answer !== undefined && isOfPairs(shot.answer);
    if (!shot?.answer) say("Nothing to explain yet", forPointer("Ask something first: click in the picture. Then come back, and see why that is the answer."));
    else if (!isExplained(shot.tool, shot.options) || isPairs) say("No candidates here", UNEXPLAINED[shot.tool] ?? "");
    else if (explanation) fill(element, ...content(explanation, shot, shot.answer));
    else if (connection.phase !== "ready") say("No connection", "It is explained once the program answers again.");
    else if (asked !== shot.key) void explain(shot);
  });

  /** @param {string} title @param {string} text @param {...HTMLElement} actions */
  function say(title, text, ...actions) {
    fill(element, empty(title, text, ...actions));
  }

  /** @param {Shot} shot */
  async function explain(shot) {
    asked = shot.key;
    fill(element, make("p", { class: "section note" }, "Walking again, with a recorder …"));
    const { explanation, refused } = await app.asker.explain(shot);
    asked = null;
    if (explanation || app.store.state.current?.key !== shot.key) return;
    asked = shot.key;
    const again = button({ label: "Try again", class: "outlined", onclick: () => void explain(shot) });
    say("It is not explained", `${refused?.field ?? "connection"}: expected ${refused?.expected ?? "an answer"}.`, again);
  }

  /** @param {Explanation} explanation @param {Shot} shot @param {Answer} answer */
  function content(explanation, shot, answer) {
    const { candidates, visits, section: cut, axes, approach, near = [], sentence: last } = explanation;
    if (cut) chart.show(cut);
    const side = button({ label: "From the side", class: "outlined", onclick: () => void lookFromSide(app, { ...shot, explanation }) });
    return [
      make("h2", { class: "hidden" }, "Why"),
      make(
        "div",
        { class: "section" },
        make("p", { class: "answer-sentence" }, sentence(last ?? answer.sentence, namesOf({ candidates }, answer))),
        shotPoints(answer) ? make("div", { class: "buttons" }, side) : null,
      ),
      approach ? missSection(approach) : null,
      near.length > 0 ? expected.near(near, !approach) : null,
      answer.invalid === undefined ? expected.element : null,
      axes?.length ? axesSection(axes) : null,
      cut ? chart.element : null,
      visits?.length ? walk.element : null,
      candidateSection(candidates),
    ];
  }
}

/** The objects that an explanation speaks of. @param {{candidates: Candidate[]} | undefined} explanation @param {Answer | undefined} answer */
function namesOf(explanation, answer) {
  const candidates = (explanation?.candidates ?? []).slice(0, 100).map(({ object }) => object);
  return [...candidates, String(answer?.answers[0]?.object ?? "")];
}

/** A miss: the nearest approach, what the filter removed, the smallest change. @param {Approach} approach */
function missSection(approach) {
  const { change, passed = [] } = approach;
  const sentences = approachSentences(approach);
  if (sentences.length === 0 && !change) return section("Nearest approach", note("The ray passes near nothing that lies ahead."));
  return section(
    "Nearest approach",
    ...sentences.map((text) => make("p", {}, text)),
    change ? make("p", { class: "change" }, make("strong", {}, "Smallest change: "), sentence(change, [approach.object ?? "", ...passed.map(({ object }) => object)])) : null,
  );
}

/** The nearest approach in the picture. @param {App} app @param {Approach} [approach] */
function drawApproach(app, { on_ray: from, on_object: to, distance } = {}) {
  const label = distance === undefined ? undefined : metres(distance);
  app.overlay.set("why-approach", from && to ? [{ role: "approach", points: [from, to], label }] : []);
}

/** For each axis the interval of t in which the two overlap; where all do, there is the hit. @param {readonly Axis[]} axes */
function axesSection(axes) {
  const rows = axes.map((axis) => {
    const { name, enter = 0, leave = 1, decides, never } = axis;
    const bar = make("span", { class: "axis-bar", hidden: never || enter > 1 || leave < 0 });
    bar.style.left = `${Math.max(enter, 0) * 100}%`;
    bar.style.right = `${(1 - Math.min(leave, 1)) * 100}%`;
    const text = make("span", { class: "axis-text" }, axisSentence(axis));
    return make("li", { class: decides ? "decides" : null }, make("span", { class: "axis-name" }, name), make("span", { class: "axis-track" }, bar), text);
  });
  const deciding = axes.find(({ decides }) => decides);
  const lead = deciding ? `${deciding.name} is entered last: it decides when they meet, and gives the normal.` : "There is no t at which they overlap along every axis.";
  return section("Overlap along each axis, t from 0 to 1", make("ul", { class: "axes" }, ...rows), note(lead));
}

/** @param {readonly Candidate[]} candidates */
function candidateSection(candidates) {
  const detail = make("p", { class: "note", "aria-live": "polite" });
  const tOf = (/** @type {Candidate} */ { t }) => fieldText(t ?? undefined);
  const at = (/** @type {number} */ row) => /** @type {Candidate} */ (candidates[row]);
  const list = virtualList({
    label: "Candidates",
    role: "listbox",
    class: "candidates",
    draw: (row) => listRow({ verdict: at(row).verdict, title: thingName(at(row)), text: candidateSentence(at(row)), t: tOf(at(row)) }),
    onselect(row) {
      list.select(row);
      const t = tOf(at(row));
      fill(detail, make("strong", {}, thingName(at(row))), `: ${verdictWord(at(row).verdict)}${t && `, t = ${t}`}. ${candidateSentence(at(row))}`);
    },
  });
  queueMicrotask(() => list.show(candidates.length));
  if (candidates.length === 0) return section("Candidates", note("The scene is empty: there was nothing to meet."));
  return section(candidates.length === 1 ? "1 candidate" : `${candidates.length} candidates`, list.element, detail);
}
