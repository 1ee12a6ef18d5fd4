/** The camera as fields: from above, orthographic, the angle, back and ahead, places kept for this scene. */

import { ahead, back, NOWHERE, rested } from "./camera_history.js";
import { button, fill, make, section } from "./elements.js";
import { isForPicture } from "./key_focus.js";
import { check, slider } from "./panel_parts.js";

/** The camera is at rest after so long, milliseconds: less than the address waits, so that each camera that it states is a place. */
const RESTS = 300;
/** More places than these are not kept. */
const MOST_PLACES = 50;

/** @typedef {{name: string, camera: import("./messages.js").Camera}} Place */

/** @param {App} app */
export function cameraPanel({ store, control, announce }) {
  let history = NOWHERE;
  /** @type {Place[]} */
  let places = [];
  /** The scene whose places these are. */
  let known = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  const backButton = button({ label: "Camera back (Backspace)", icon: "undo", quiet: true, onclick: () => go(back) });
  const aheadButton = button({ label: "Camera ahead (Shift Backspace)", icon: "redo", quiet: true, onclick: () => go(ahead) });
  const top = button({ label: "From above", class: "outlined", onclick: () => control.top() });
  const keep = button({ label: "Keep this place", icon: "save", class: "outlined", onclick: keepPlace });
  const flat = check("Orthographic", () => control.toggleProjection());
  const angle = slider("Field of view", { min: 10, max: 120, step: 1 }, (fov) => control.setFov(fov));
  const list = make("ol", { class: "places" });
  const element = section(
    "Camera",
    make("div", { class: "buttons" }, backButton, aheadButton, top, keep),
    flat.element,
    make("div", { class: "field" }, make("span", { class: "field-label" }, "Field of view"), angle.element),
    list,
  );

  /** @param {(history: import("./camera_history.js").CameraHistory) => import("./camera_history.js").CameraHistory} step */
  function go(step) {
    note();
    history = step(history);
    tell();
    const camera = history.past.at(-1);
    if (camera) control.travel(camera);
  }

  /** The current camera is a place to come back to. */
  function note() {
    clearTimeout(timer);
    const camera = control.heading() ?? store.state.camera;
    if (camera) history = rested(history, camera);
    tell();
  }

  function tell() {
    backButton.disabled = history.past.length < 2;
    aheadButton.disabled = history.future.length === 0;
  }

  const key = () => `hitscan-places ${store.state.scene?.source.file ?? ""}`;

  function keepPlace() {
    const { camera } = store.state;
    if (!camera) return;
    const last = Math.max(0, ...places.map(({ name }) => Number(name.replace("Place ", "")) || 0));
    places = [...places, { name: `Place ${last + 1}`, camera }].slice(-MOST_PLACES);
    save();
    announce(`${places.at(-1)?.name} is kept for this scene`);
  }

  function save() {
    try {
      localStorage.setItem(key(), JSON.stringify(places));
    } catch {
      // Without storage they are kept for this visit.
    }
    draw();
  }

  function draw() {
    const rows = places.map((place, at) => {
      const show = button({ label: place.name, onclick: () => control.travel(place.camera) });
      const remove = button({ label: `Remove ${place.name}`, icon: "remove", quiet: true, onclick: () => {
        places = places.filter((_, other) => other !== at);
        save();
      } });
      return make("li", {}, show, remove);
    });
    fill(list, ...rows);
    list.hidden = places.length === 0;
  }

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Backspace" || !isForPicture(event)) return;
    event.preventDefault();
    go(event.shiftKey ? ahead : back);
  });
  store.watch(["camera"], ({ camera }) => {
    if (!camera) return;
    flat.input.checked = camera.projection === "orthographic";
    angle.tell(camera.fov, `${Math.round(camera.fov)}°`);
    clearTimeout(timer);
    timer = setTimeout(note, RESTS);
  });
  store.watch(["scene"], () => {
    if (key() === known) return;
    known = key();
    places = placesIn(known);
    draw();
  });
  return element;
}

/** What was kept; whatever else is there is left alone. @param {string} key @returns {Place[]} */
function placesIn(key) {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isPlace).slice(0, MOST_PLACES) : [];
  } catch {
    return [];
  }
}

/** @param {any} place @returns {place is Place} */
function isPlace(place) {
  const isPoint = (/** @type {unknown} */ point) => Array.isArray(point) && point.length === 3 && point.every(Number.isFinite);
  const { name, camera } = place ?? {};
  return typeof name === "string" && isPoint(camera?.eye) && isPoint(camera?.look) && camera.fov > 0 && camera.fov < 180;
}
