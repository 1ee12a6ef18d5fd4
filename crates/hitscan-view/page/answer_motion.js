/** What moves in a sweep: a slider takes it through t; of what turns, and of hulls and objects, several places are drawn. */

import { button, make, section } from "./elements.js";
import { f32Text } from "./numbers.js";
import { slider } from "./panel_parts.js";
import { inScene } from "./table_frame.js";
import { movedLines, shapeLines } from "./wireframe.js";

/** Places of the slider. */
const STEPS = 1000;
/** Of more lines than these the places on the way are not drawn. */
const MOST_LINES = 200;

/** A hull that rests, which no box shows. @param {App} app */
export function drawResting({ store, overlay }) {
  store.watch(["current", "tab"], ({ current, tab }) => {
    const lines = current?.tool === "overlap" && tab === "answer" ? (current.answer?.wireframe ?? []) : [];
    overlay.set("resting-shape", lines.map((points) => ({ role: "shape", points })));
  });
}

/** @param {App} app */
export function motionSlider({ store, overlay }) {
  let t = 1;
  /** @type {Shot | null} */
  let sweep = null;
  const moved = slider("t of the motion", { min: 0, max: STEPS }, (step) => go(step / STEPS));
  const contact = button({ label: "To the contact", class: "outlined", onclick: () => go(contactT() ?? 1) });
  const element = section("Motion", moved.element, make("div", { class: "buttons" }, contact));

  /** When it hits something, which may be between two places of the slider. */
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

  /** What moves where it is at a time. */
  function linesAt() {
    const { answer, options } = sweep ?? {};
    const { scene, tab } = store.state;
    if (!answer || tab !== "answer") return () => [];
    const question = inScene(answer.question, scene?.origin);
    const lines = answer.wireframe ?? (options?.object ? [] : shapeLines(String(options?.shape ?? "box"), question));
    return (/** @type {number} */ at) => movedLines(lines, question, at, answer.pivot);
  }

  function draw() {
    overlay.set("sweep-shape", linesAt()(t).map((points) => ({ role: "arc", points })));
  }

  /** Where it starts, places on the way, and where it hits something or ends; a box of the answer shows a plain shape. */
  function drawPlaces() {
    const { answer } = sweep ?? {};
    const end = contactT() ?? 1;
    const marks = (/** @type {string} */ role, /** @type {number} */ at) => linesAt()(at).map((points) => ({ role, points }));
    const isTold = answer?.wireframe !== undefined || answer?.pivot !== undefined;
    const few = (answer?.wireframe?.length ?? 0) <= MOST_LINES;
    const between = answer?.pivot && few ? [0.25, 0.5, 0.75].flatMap((part) => marks("between", end * part)) : [];
    overlay.set("sweep-places", isTold ? [...marks("shape", 0), ...between, ...(end < 1 ? marks("between", 1) : []), ...marks("shape", end)] : []);
  }

  store.watch(["current", "tab"], ({ current }) => {
    const next = current?.tool === "sweep" && current.answer && current.answer.invalid === undefined ? current : null;
    const changed = next?.answer !== sweep?.answer;
    sweep = next;
    element.hidden = next === null;
    contact.disabled = contactT() === undefined;
    drawPlaces();
    if (changed && next) go(contactT() ?? 1);
    else draw();
  });
  return element;
}
