/**
 * The line at the bottom right: size, scale, frames a second, rays a second; and the legend of a cost.
 */

import { byId, fill, make } from "./elements.js";
import { short, whole } from "./format.js";

/** The readout changes at most so often, milliseconds. */
const PAUSE = 250;

/** @param {import("./app.js").App} app */
export function mountReadout({ store }) {
  const readout = byId("readout");
  const legend = byId("legend");
  const ends = [make("span", {}), make("span", {})];
  fill(
    legend,
    make("p", { class: "caption" }, "Tests for each ray"),
    make("div", { class: "scale", "aria-hidden": "true" }),
    make("p", { class: "ends" }, ...ends),
    make("p", { class: "muted" }, "Boxes and triangles"),
  );
  /** When the last frames were shown. @type {number[]} */
  let times = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  function write() {
    timer = undefined;
    const { frame, mode } = store.state;
    if (!frame) return;
    const now = performance.now();
    times = times.filter((time) => now - time < 1000);
    const pace = frame.micros > 0 ? `${short((frame.rays / frame.micros) * 1e6)}rays/s a thread` : "";
    const [width, height] = frame.size;
    // A frame of what was shown before finishes nothing.
    const finished = frame.finished && frame.kind === mode;
    const refining = times.length < 4 && (frame.scale === 1 || frame.kind === "cost" || frame.kind !== mode);
    const resting = finished ? "finished" : refining ? "refining" : `${times.length} fps`;
    const parts = [`${width} × ${height}`, `1 : ${frame.scale}`, resting, pace];
    readout.textContent = parts.filter(Boolean).join("  ·  ");
  }

  store.watch(["mode"], write);
  store.watch(["frame"], ({ frame }) => {
    if (!frame) return;
    times.push(performance.now());
    if (frame.finished) {
      clearTimeout(timer);
      write();
    } else timer ??= setTimeout(write, PAUSE);
    legend.hidden = frame.kind !== "cost";
    if (frame.kind === "cost") [ends[0].textContent, ends[1].textContent] = ["0", whole(frame.greatest)];
  });
}
