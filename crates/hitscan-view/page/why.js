/** The panel Why: what the question met, step by step, and why its answer is the answer. */

import { button, empty, fill, make, section } from "./elements.js";
import { fieldText } from "./numbers.js";
import { sectionChart } from "./why_section.js";
import { steps } from "./why_steps.js";
import { approachSentences, axisSentence, candidateSentence, metres, sentence, thingName, verdictSign, verdictWord } from "./why_text.js";
import { virtualList } from "./virtual_list.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./messages.js").Approach} Approach
 * @typedef {import("./messages.js").Axis} Axis
 * @typedef {import("./messages.js").Candidate} Candidate
 * @typedef {import("./messages.js").Explanation} Explanation
 * @typedef {import("./store.js").Shot} Shot
 */

/**
 * @param {App} app
 * @param {HTMLElement} element
 */
export function mount(app, element) {
  const walk = steps(app);
  const chart = sectionChart();
  /** @type {number | null} the shot that is being explained */
  let asked = null;
  /** @type {Explanation | undefined} */
  let shown;

  app.store.watch(["current", "tab", "connection"], ({ current: shot, tab, connection }) => {
    const explanation = shot?.explanation;
    walk.show(tab === "why" ? explanation : undefined);
    drawApproach(app, tab === "why" ? explanation?.approach : undefined);
    if (tab !== "why") return;
    if (shot?.explanation && shown === shot.explanation) return;
    shown = shot?.explanation;
    if (!shot?.answer) {
      fill(element, empty("Nothing to explain yet", "Ask something first: click in the picture. Then come back, and see why that is the answer."));
    } else if (shot.tool === "height" || isPairs(shot)) {
      fill(element, empty("No candidates here", UNEXPLAINED[shot.tool] ?? ""));
    } else if (!explanation) {
      if (connection.phase === "ready") {
        if (asked !== shot.key) start(shot);
      } else fill(element, empty("No connection", "It is explained once the program answers again."));
    } else {
      fill(element, ...content(shot, explanation));
    }
  });

  /** @param {Shot} shot */
  async function explain(shot) {
    const { explanation, refused } = await app.asker.explain(shot);
    if (explanation || app.store.state.current?.key !== shot.key) return;
    asked = null;
    const { field, expected } = refused ?? { field: "connection", expected: "an answer" };
    const again = button({ label: "Try again", class: "outlined", onclick: () => start(shot) });
    fill(element, empty("It is not explained", `${field}: expected ${expected}.`, again));
  }

  /** @param {Shot} shot */
  function start(shot) {
    asked = shot.key;
    fill(element, make("p", { class: "waiting" }, "Walking again, with a recorder …"));
    void explain(shot);
  }

  /** @param {Shot} shot @param {Explanation} explanation */
  function content(shot, explanation) {
    const { candidates, visits, section: cut, axes, approach } = explanation;
    const last = sentence(explanation.sentence ?? shot.answer?.sentence ?? "");
    if (cut) chart.show(cut);
    walk.conclude(last);
    return [
      make("h2", { class: "hidden" }, "Why"),
      make("div", { class: "section" }, make("p", { class: "answer-sentence" }, last)),
      approach ? missSection(approach) : null,
      axes && axes.length > 0 ? axesSection(axes) : null,
      cut ? chart.element : null,
      visits && visits.length > 0 ? walk.element : null,
      candidateSection(candidates),
    ];
  }
}

const UNEXPLAINED = /** @type {Record<string, string>} */ ({
  height: "A height is that of the triangle under the point, or of the samples within the radius: Answer names them.",
  overlap: "Pairs are all that meet; there is none that could have come before another.",
});

/** @param {Shot} shot */
function isPairs(shot) {
  return shot.tool === "overlap" && Object.keys(shot.answer?.question ?? {}).length === 0;
}

/**
 * A miss: the nearest approach, what was passed, what the filter removed, the smallest change.
 * @param {Approach} approach
 */
function missSection(approach) {
  const passed = approach.passed ?? [];
  const rows = passed.map(({ object, distance }) =>
    make("tr", {}, make("th", { scope: "row" }, object), make("td", { class: "number" }, metres(distance))),
  );
  const table = make(
    "div",
    { class: "table-frame", tabindex: "0", role: "region", "aria-label": "What was passed" },
    make("table", {}, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "passed"), make("th", { scope: "col", class: "number" }, "at a distance of"))), make("tbody", {}, ...rows)),
  );
  const sentences = approachSentences(approach);
  const change = approach.change ? sentences.pop() : undefined;
  return section(
    "Nearest approach",
    ...sentences.map((text) => make("p", {}, text)),
    change ? make("p", { class: "change" }, make("strong", {}, "Smallest change: "), change) : null,
    rows.length > 0 ? table : null,
  );
}

/**
 * The nearest approach in the picture.
 * @param {App} app
 * @param {Approach | undefined} approach
 */
function drawApproach(app, approach) {
  const { on_ray: from, on_object: to, distance, change } = approach ?? {};
  const label = distance === undefined ? undefined : metres(distance);
  app.overlay.set("why-approach", from && to && (change ?? label) ? [{ role: "approach", points: [from, to], label }] : []);
}

/**
 * For each axis the interval of t in which the two overlap; where all do, there is the hit.
 * @param {readonly Axis[]} axes
 */
function axesSection(axes) {
  const rows = axes.map((axis) => {
    const { name, enter = 0, leave = 1, decides, never } = axis;
    const bar = make("span", { class: `axis-bar ${decides ? "decides" : ""}` });
    const [from, to] = [enter, leave].map((t) => Math.min(Math.max(t, 0), 1) * 100);
    bar.style.left = `${from}%`;
    bar.style.right = `${100 - (to ?? 100)}%`;
    bar.hidden = never === true || enter > 1 || leave < 0;
    return make(
      "li",
      { class: decides ? "decides" : "" },
      make("span", { class: "axis-name" }, name),
      make("span", { class: "axis-track", "aria-hidden": "true" }, bar),
      make("span", { class: "axis-text" }, axisSentence(axis)),
    );
  });
  const deciding = axes.find(({ decides }) => decides);
  const lead = deciding ? `${deciding.name} is entered last: it decides when they meet, and gives the normal.` : "There is no t at which they overlap along every axis.";
  return section("Overlap along each axis, t from 0 to 1", make("ul", { class: "axes" }, ...rows), make("p", { class: "note" }, lead));
}

/** @param {readonly Candidate[]} candidates */
function candidateSection(candidates) {
  const list = virtualList({
    label: "Candidates",
    role: "listbox",
    class: "candidates",
    draw: (row) => candidateRow(candidates[row]),
    onselect: (row) => {
      list.select(row);
      const one = candidates[row];
      if (one) fill(detail, make("strong", {}, thingName(one)), ` ${verdictWord(one.verdict)}${one.t === null || one.t === undefined ? "" : `, t = ${fieldText(one.t)}`}. ${candidateSentence(one)}`);
    },
  });
  const detail = make("p", { class: "note", "aria-live": "polite" });
  queueMicrotask(() => list.show(candidates.length));
  const title = candidates.length === 1 ? "1 candidate" : `${candidates.length} candidates`;
  return section(title, candidates.length === 0 ? make("p", { class: "note" }, "The scene is empty: there was nothing to meet.") : list.element, detail);
}

/** @param {Candidate | undefined} candidate */
function candidateRow(candidate) {
  if (!candidate) return make("div", { role: "option" });
  const { t, verdict } = candidate;
  return make(
    "div",
    { role: "option", class: `verdict-${verdict}` },
    make("span", { class: "row-sign", "aria-hidden": "true" }, verdictSign(verdict)),
    make(
      "span",
      { class: "row-lines" },
      make("span", { class: "row-title" }, thingName(candidate)),
      make("span", { class: "row-sentence" }, candidateSentence(candidate)),
    ),
    make("span", { class: "number row-t" }, t === null || t === undefined ? "" : fieldText(t)),
  );
}
