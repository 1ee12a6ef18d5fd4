/** The panel Answer: what the current question is answered, column by column. */

import { drawResting, motionSlider } from "./answer_motion.js";
import { changeSentence, glanceOf, isExplained, isOfPairs, listed, pairBounds, posedText } from "./answer_text.js";
import { columnsOf, unitOf } from "./columns.js";
import { copyButtons } from "./copy_buttons.js";
import { button, empty, facts, fill, make, section } from "./elements.js";
import { duration, whole } from "./format.js";
import { bitsOf, fieldText } from "./numbers.js";
import { note, verdict } from "./panel_parts.js";
import { forPointer } from "./pointer_words.js";
import { questionForm } from "./question_form.js";
import { pointInTables } from "./table_frame.js";
import { countsNote, eyeFacts } from "./viewshed_text.js";
import { virtualList } from "./virtual_list.js";

/** @param {App} app @param {HTMLElement} element */
export function mount(app, element) {
  const { store } = app;
  let chosen = 0;
  /** @type {number | undefined} */
  let shown;
  const body = make("div");
  const table = make("div");
  const form = questionForm(app);
  const copy = copyButtons(app);
  const motion = motionSlider(app);
  drawResting(app);
  element.append(body, form.element, copy.element);

  const list = virtualList({
    label: "Answers",
    role: "listbox",
    class: "answer-list",
    draw: (row) => listRow(store.state.current?.answer?.answers[row] ?? {}, row),
    onselect(row) {
      chosen = row;
      list.select(row);
      redraw();
      framePair();
    },
  });
  const bits = button({ label: "Exact bits", class: "outlined", onclick: () => {
    bits.setAttribute("aria-pressed", String(bits.ariaPressed !== "true"));
    redraw();
  } });
  bits.ariaPressed = "false";

  function redraw() {
    const shot = store.state.current;
    if (shot?.answer) fill(table, columnTable(shot, shot.answer, chosen, bits.ariaPressed === "true"));
  }

  /** Brings the chosen pair into view, and names it there. */
  function framePair() {
    const answer = store.state.current?.answer;
    const bounds = answer && isOfPairs(answer) ? pairBounds(answer, chosen) : null;
    if (!answer || !bounds) return;
    const isOfIt = (/** @type {{answer?: number}} */ drawn) => drawn.answer === chosen;
    const boxes = (answer.boxes ?? []).filter(isOfIt).map(({ role, points }) => ({ role, points, box: true }));
    const lines = (answer.lines ?? []).filter(isOfIt).map(({ role, points }) => ({ role, points }));
    const label = listed(answer.answers[chosen] ?? {}).thing;
    app.overlay.set("pair", [...boxes, ...lines].map((mark, at) => (at === 0 ? { ...mark, label } : mark)));
    app.control.frameBounds(bounds);
  }

  store.watch(["current"], ({ current: shot }) => {
    if (shot?.key !== shown) app.overlay.set("pair", []);
    form.show(shot);
    copy.show(shot);
    if (shot?.key !== shown) chosen = 0;
    shown = shot?.key;
    const answer = shot?.answer;
    if (!shot) fill(body, empty("Nothing is asked yet", forPointer("Click in the picture. Or, while it has the focus, press C for the crosshair and Enter to ask.")));
    else if (!answer) fill(body, shot.refused ? refusal(shot.refused) : make("p", { class: "section note" }, "Asking …"));
    else {
      const count = answer.answers.length;
      const values = make("div", { class: "section" }, count > 1 ? list.element : null, table, make("div", { class: "buttons" }, bits));
      const more = answer.answers_total ?? count;
      if (more > count) values.prepend(note(`The first ${whole(count)} of ${whole(more)} answers.`));
      fill(body, head(app, answer, shot), motion, count > 0 ? values : null, places(shot, answer, app.store.state.scene?.origin));
      if (count > 1) list.show(count, chosen);
      redraw();
    }
  });
}

/** @param {App} app @param {Answer} answer @param {Shot} shot */
function head({ store }, answer, { before, options }) {
  const { kind, word, advice } = glanceOf(answer);
  const explained = isExplained(answer.tool, options) && kind !== "invalid" && !word.endsWith("s");
  const why = button({ label: kind === "miss" ? "Why not?" : "Why?", class: "outlined", onclick: () => store.set({ tab: "why" }) });
  // What cannot be explained is not said to be.
  const said = word === "miss" && !explained ? "" : advice;
  const text = make("p", { class: "answer-sentence" }, answer.invalid ?? answer.sentence);
  const change = before ? changeSentence(before, answer) : null;
  const changed = change ? make("p", { class: "change" }, change) : null;
  return make("div", { class: "section" }, make("div", { class: "between" }, verdict(kind, word), explained ? why : null), changed, text, said ? note(said) : null);
}

/** @param {Refused} refused */
function refusal({ field, found, expected, limit }) {
  if (field === "cancelled") return make("div", { class: "section" }, verdict("none", "cancelled"), note("Nobody waits for the answer any more. Change the question, or ask it again."));
  const rows = /** @type {[string, unknown][]} */ ([["field", field], ["found", found], ["expected", expected], ["limit", limit]]);
  const given = rows.filter(([, value]) => value !== undefined);
  const texts = given.map(([name, value]) => /** @type {[string, string]} */ ([name, typeof value === "string" ? value : JSON.stringify(value)]));
  return make("div", { class: "section" }, verdict("invalid", "refused"), facts(texts), note("Change the question, and it is asked again."));
}

/**
 * The columns of one answer in the order of the contract; those without a value are named below.
 * @param {Shot} shot @param {Answer} answer @param {number} chosen @param {boolean} bits
 */
function columnTable({ options }, { tool, answers, bits: exact = {} }, chosen, bits) {
  const row = answers[chosen] ?? {};
  const columns = columnsOf(tool, options, row);
  const lines = columns.filter((column) => column in row).map((column) => {
    const value = row[column];
    const isFloat = typeof value === "number" && !/^(row|(mover_)?triangle.*)$/.test(column);
    const pattern = isFloat ? ((chosen === 0 && exact[column]) || bitsOf(value)) : "";
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, column),
      make("td", { class: "number", "data-column": column }, fieldText(value)),
      make("td", { class: "unit" }, unitOf(tool, column)),
      bits ? make("td", { class: "bits" }, pattern) : null,
    );
  });
  const heads = ["column", "value", "unit", ...(bits ? ["bits"] : [])].map((text) => make("th", { scope: "col" }, text));
  const caption = make("caption", { class: "hidden" }, `Answer ${chosen + 1} of ${answers.length}`);
  const none = columns.filter((column) => !(column in row));
  const table = make("table", { class: "columns" }, caption, make("thead", { class: "hidden" }, make("tr", {}, ...heads)), make("tbody", {}, ...lines));
  return make("div", {}, table, none.length > 0 ? note(`No value: ${none.join(", ")}`) : null);
}

/** @param {Row} row @param {number} index */
function listRow(row, index) {
  const { measure, thing, beside } = listed(row);
  const texts = [["row-number", String(index + 1)], ["number", measure ? `${measure} ${fieldText(row[measure])}` : ""], ["row-title", thing], ["row-beside", beside]];
  return make("div", { role: "option" }, ...texts.map(([name, text]) => make("span", { class: name }, text)));
}

/**
 * Where it was hit in other spaces, and what it cost: the program sends the time after the answer.
 * @param {Shot} shot @param {Answer} answer @param {Point} [origin] of the tables
 */
function places({ tool, options, median, world, as_of_ms }, { answers, invalid, lines, local, bind }, origin) {
  const point = (/** @type {(Value | undefined)[]} */ values) => make("span", { class: "number vector" }, ...values.flatMap((value, at) => [at > 0 ? "  " : "", make("span", {}, fieldText(value))]));
  const { x, y, z } = answers[0] ?? {};
  /** @type {[string, Node | string][]} */
  const rows = local ? [["world", point([x, y, z])], ["local", point(local)]] : [];
  const blockedAt = lines?.find(({ role }) => role === "unseen")?.points[0];
  if (blockedAt) rows.push(["blocked at", point(pointInTables(blockedAt, origin))]);
  rows.push(...eyeFacts(answers[0] ?? {}));
  if (bind) rows.push(["strongest joint", bind.joint], ["in bind space", point(bind.point)]);
  const isTimed = tool !== "overlap" && tool !== "viewshed" && options.method !== "footprint" && !invalid;
  if (isTimed) rows.push(["median of 101 repeats", median === undefined ? "…" : duration(median)]);
  if (world && world.poses.length > 0) rows.push(["posed", posedText(world.poses)]);
  if (as_of_ms > 0) rows.push(["asked of", `${as_of_ms} ms ago`]);
  const counts = tool === "viewshed" && !invalid ? note(countsNote(options)) : null;
  return rows.length > 0 || counts ? section("Place and time", rows.length > 0 ? facts(rows) : null, counts) : null;
}
