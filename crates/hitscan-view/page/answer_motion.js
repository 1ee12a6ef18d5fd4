/** The moving shape of a sweep: a slider takes it through t. */

import { button, make, section } from "./elements.js";
import { f32Text } from "./numbers.js";
import { slider } from "./panel_parts.js";
import { inScene } from "./table_frame.js";
import { shapeLines } from "./wireframe.js";

/** Places of the slider. */
const STEPS = 1000;

/** @param {App} app */
export function motionSlider({ store, overlay }) {
  let t = 1;
  /** @type {Shot | null} */
  let sweep = null;
  const moved = slider("t of the motion", { min: 0, max: STEPS }, (step) => go(step / STEPS));
  const contact = button({ label: "To the contact", class: "outlined", onclick: () => go(contactT() ?? 1) });
  const element = section("Motion", moved.element, make("div", { class: "buttons" }, contact));

  /** When it meets something, which may be between two places of the slider. */
  function contactT() {
    const found = sweep?.answer?.answers[0]?.t;
    return typeof found === "number" ? found : undefined;
  }

  /** @param {number} to */
  function go(to) {
    t = to;
    moved.tell(t * STEPS, `t = ${f32Text(t)}`);
    draw();
  }

  function draw() {
    const question = sweep?.answer?.question;
    const { scene, tab } = store.state;
    const shape = String(sweep?.options.shape ?? "box");
    const lines = question && tab === "answer" ? shapeLines(shape, inScene(question, scene?.origin), t) : [];
    overlay.set("sweep-shape", lines.map((points) => ({ role: "arc", points })));
  }

  store.watch(["current", "tab"], ({ current }) => {
    const next = current?.tool === "sweep" && current.answer && current.answer.invalid === undefined ? current : null;
    const changed = next?.answer !== sweep?.answer;
    sweep = next;
    element.hidden = next === null;
    contact.disabled = contactT() === undefined;
    if (changed && next) go(contactT() ?? 1);
    else draw();
  });
  return element;
}
