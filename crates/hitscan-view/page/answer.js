/** The panel Answer: what the current question is answered, column by column. */

import { columnsOf, isText, unitOf } from "./columns.js";
import { glanceOf, listed } from "./answer_text.js";
import { copyButtons } from "./copy_buttons.js";
import { button, empty, facts, fill, make, section } from "./elements.js";
import { duration } from "./format.js";
import { bitsOf, fieldText } from "./numbers.js";
import { motionSlider } from "./answer_motion.js";
import { questionForm } from "./question_form.js";
import { virtualList } from "./virtual_list.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./messages.js").Answer} Answer
 * @typedef {import("./messages.js").Row} Row
 * @typedef {import("./store.js").Shot} Shot
 */

/**
 * @param {App} app
 * @param {HTMLElement} element
 */
export function mount(app, element) {
  let bits = false;
  let chosen = 0;
  /** @type {number | null} */
  let shown = null;
  const body = make("div", { class: "answer" });
  const form = questionForm(app);
  const copy = copyButtons(app);
  const motion = motionSlider(app);
  element.append(body, form.element, copy.element);

  const list = virtualList({
    label: "Answers",
    role: "listbox",
    class: "answer-list",
    draw: (row) => listRow(app.store.state.current?.answer?.answers[row] ?? {}, row),
    onselect: (row) => {
      chosen = row;
      list.select(row);
      redraw();
    },
  });

  const table = make("div");

  function redraw() {
    const shot = app.store.state.current;
    if (shot?.answer) fill(table, columnTable(shot, shot.answer, chosen, bits));
  }

  const bitsButton = button({
    label: "Exact bits",
    class: "outlined",
    onclick: () => {
      bits = !bits;
      bitsButton.setAttribute("aria-pressed", String(bits));
      redraw();
    },
  });
  bitsButton.setAttribute("aria-pressed", "false");

  app.store.watch(["current"], ({ current: shot }) => {
    form.show(shot);
    copy.show(shot);
    if (shot?.key !== shown) chosen = 0;
    shown = shot?.key ?? null;
    if (!shot) {
      fill(body, empty("Nothing is asked yet", "Click in the picture, or give the canvas the focus, press C for the crosshair and Enter to ask."));
      return;
    }
    if (!shot.answer) {
      fill(body, shot.refused ? refusal(shot) : make("p", { class: "section waiting" }, "Asking …"));
      return;
    }
    const count = shot.answer.answers.length;
    const values = make("div", { class: "section" }, count > 1 ? list.element : null, table, make("div", { class: "buttons" }, bitsButton));
    fill(body, head(app, shot.answer), motion, count > 0 ? values : null, places(shot.answer));
    if (count > 1) list.show(count, chosen);
    redraw();
  });
}

/** @param {App} app @param {Answer} answer */
function head(app, answer) {
  const { kind, word, advice } = glanceOf(answer);
  const why = button({ label: kind === "miss" ? "Why not?" : "Why?", class: "outlined", onclick: () => app.store.set({ tab: "why" }) });
  return make(
    "div",
    { class: "section answer-head" },
    make("div", { class: "answer-verdict" }, verdict(kind, word), answer.tool === "height" ? null : why),
    make("p", { class: "answer-sentence" }, answer.invalid ?? answer.sentence),
    advice ? make("p", { class: "note" }, advice) : null,
  );
}

/**
 * A word with its sign.
 * @param {string} role
 * @param {string} word
 */
function verdict(role, word) {
  return make("span", { class: "verdict" }, make("span", { class: "sign", "data-role": role, "aria-hidden": "true" }), word);
}

/** @param {Shot} shot */
function refusal({ refused }) {
  const found = refused?.found === undefined ? null : JSON.stringify(refused.found);
  return make(
    "div",
    { class: "section answer-head" },
    make("div", { class: "answer-verdict" }, verdict("invalid", "refused")),
    facts([
      ["field", refused?.field ?? ""],
      ...(found === null ? [] : [/** @type {[string, string]} */ (["found", found])]),
      ["expected", refused?.expected ?? ""],
      ...(refused?.limit ? [/** @type {[string, string]} */ (["limit", refused.limit])] : []),
    ]),
    make("p", { class: "note" }, "Change the question below and it is asked again."),
  );
}

/**
 * The columns of one answer in the order of the contract.
 * @param {Shot} shot
 * @param {Answer} answer
 * @param {number} chosen
 * @param {boolean} bits
 */
function columnTable(shot, answer, chosen, bits) {
  const row = answer.answers[chosen] ?? {};
  const known = chosen === 0 ? (answer.bits ?? {}) : {};
  const lines = columnsOf(answer.tool, shot.options, row).map((column) => {
    const value = row[column];
    const unit = value === undefined ? "" : unitOf(answer.tool, column);
    const exact = typeof value === "number" && column !== "triangle" && column !== "row" ? (known[column] ?? bitsOf(value)) : "";
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, column),
      make("td", { class: isText(column) ? "text" : "number" }, value === undefined ? make("span", { class: "none" }, "–") : fieldText(value)),
      make("td", { class: "unit" }, unit),
      bits ? make("td", { class: "bits" }, exact) : null,
    );
  });
  const name = answer.answers.length > 1 ? `Answer ${chosen + 1} of ${answer.answers.length}` : "Answer";
  const heads = ["column", "value", "unit", ...(bits ? ["bits"] : [])].map((text) => make("th", { scope: "col" }, text));
  return make(
    "table",
    { class: "columns" },
    make("caption", { class: "hidden" }, name),
    make("thead", { class: "hidden" }, make("tr", {}, ...heads)),
    make("tbody", {}, ...lines),
  );
}

/** @param {Row} row @param {number} index */
function listRow(row, index) {
  const { measure, value, thing, beside } = listed(row);
  return make(
    "div",
    { role: "option" },
    make("span", { class: "row-number" }, String(index + 1)),
    make("span", { class: "number" }, measure ? `${measure} ${fieldText(value)}` : ""),
    make("span", { class: "row-thing" }, thing),
    make("span", { class: "row-beside" }, beside),
  );
}

/**
 * Where it was hit in other spaces, and what it cost.
 * @param {Answer} answer
 */
function places({ answers, local, bind, median_ns: median }) {
  const point = (/** @type {readonly unknown[]} */ values) => make("span", { class: "number" }, values.map((value) => fieldText(/** @type {number} */ (value))).join("  "));
  const { x, y, z } = answers[0] ?? {};
  /** @type {[string, Node | string][]} */
  const rows = [];
  if (local && x !== undefined) rows.push(["world", point([x, y, z])]);
  if (local) rows.push(["local", point(local)]);
  if (bind) rows.push(["strongest joint", bind.joint], ["in bind space", point(bind.point)]);
  if (median !== undefined) rows.push(["median time", `${duration(median)} of 101 repeats`]);
  return rows.length === 0 ? null : section("Place and time", facts(rows));
}
