/** The moving shape of a sweep: a slider takes it through t. */

import { button, make, section } from "./elements.js";
import { f32Text } from "./numbers.js";
import { shapeLines } from "./wireframe.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./store.js").Shot} Shot
 */

/** Steps of the slider; the answer's own t is reached by the button beside it. */
const STEPS = 1000;

/** @param {App} app */
export function motionSlider(app) {
  let t = 1;
  /** @type {Shot | null} */
  let sweep = null;
  const slider = make("input", { type: "range", min: "0", max: String(STEPS), "aria-label": "t of the motion", oninput: () => go(Number(slider.value) / STEPS) });
  const text = make("output", { class: "step-count" });
  const contact = button({ label: "To the contact", class: "outlined", onclick: () => go(contactT() ?? 1) });
  const element = section("Motion", make("div", { class: "step-bar" }, slider, text), make("div", { class: "buttons" }, contact));
  element.hidden = true;

  function contactT() {
    const found = sweep?.answer?.answers[0]?.t;
    return typeof found === "number" ? found : undefined;
  }

  /** @param {number} to */
  function go(to) {
    t = to;
    slider.value = String(Math.round(t * STEPS));
    text.textContent = `t = ${f32Text(t)}`;
    slider.setAttribute("aria-valuetext", text.textContent);
    draw();
  }

  function draw() {
    const question = sweep?.answer?.question;
    const shape = String(sweep?.options.shape ?? "box");
    const isVisible = question && app.store.state.tab === "answer";
    const role = t === contactT() ? "contact" : "motion";
    app.overlay.set("sweep-shape", isVisible ? shapeLines(shape, question, t).map((points) => ({ role: role === "contact" ? "disc" : "disc", points, closed: false })) : []);
  }

  app.store.watch(["current", "tab"], ({ current }) => {
    const next = current?.tool === "sweep" && current.answer && current.answer.invalid === undefined ? current : null;
    element.hidden = next === null;
    const changed = next?.answer !== sweep?.answer;
    sweep = next;
    if (changed && next) go(contactT() ?? 1);
    else draw();
    contact.disabled = contactT() === undefined;
  });
  return element;
}
