/** The timeline: play, pause, scrub; clip and blend of each model; how long ago is shot at. */

import { button, field, fill, make } from "./elements.js";
import { whole } from "./format.js";
import { advanced, clipOf, posesOf, speedAt, speedPosition, STEP_SECS, timeText, tracksOf, wrapped } from "./playback.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./playback.js").Track} Track
 * @typedef {import("./messages.js").SceneObject} SceneObject
 */

/** More models than these are played, and not listed one by one. */
const MOST_LISTED = 200;

/**
 * @param {App} app
 * @param {HTMLElement} element
 */
export function mount(app, element) {
  const { store } = app;
  /** @type {readonly SceneObject[]} */
  let animated = [];
  /** @type {Track[]} */
  let tracks = [];
  let chosen = 0;
  let speed = 1;
  /** @type {number | null} the time of the last animation frame */
  let last = null;

  /** The track whose time is shown. */
  const lead = () => tracks[Math.max(chosen, 0)];

  const play = button({ label: "Play", icon: "play", quiet: true, class: "play", onclick: () => store.set({ playing: !store.state.playing }) });
  const back = button({ label: "One step back", icon: "back", quiet: true, onclick: () => step(-1) });
  const forward = button({ label: "One step forward", icon: "forward", quiet: true, onclick: () => step(1) });
  const scrubber = make("input", { type: "range", class: "scrubber", min: "0", max: "1000", "aria-label": "Time of the clip", oninput: scrub });
  const time = make("output", { class: "time" });
  const model = make("select", { onchange: () => choose(Number(model.value)) });
  const clip = make("select", { onchange: () => edit({ clip: clip.value }) });
  const second = make("select", { onchange: () => edit({ second: second.value }) });
  const weight = make("input", { type: "range", min: "0", max: "1", step: "0.01", "aria-label": "Weight of the second clip", oninput: () => edit({ weight: Number(weight.value) }) });
  const speedSlider = make("input", { type: "range", min: "0", max: "100", "aria-label": "Speed", oninput: () => setSpeed(speedAt(Number(speedSlider.value))) });
  const speedText = make("output", { class: "time" });
  const asOf = make("input", { type: "range", min: "0", max: "1000", step: "10", "aria-label": "How long ago is shot at", oninput: () => store.set({ asOf: Number(asOf.value) }) });
  const asOfText = make("output", { class: "time" });
  const modelField = labelled("Model", model);
  const weightField = labelled("Weight", weight);
  const cut = make("p", { class: "note", hidden: true });
  element.append(
    make("div", { class: "transport-bar" }, play, back, forward, scrubber, time),
    make(
      "div",
      { class: "timeline-fields" },
      modelField,
      labelled("Clip", clip),
      labelled("Blend with", second),
      weightField,
      labelled("Speed", speedSlider, speedText),
      labelled("Shoot at", asOf, asOfText),
    ),
    cut,
  );
  setSpeed(1);

  store.watch(["scene"], ({ scene, poses }) => {
    animated = (scene?.objects ?? []).filter(({ clips }) => clips && clips.length > 0);
    tracks = tracksOf(animated).map((track) => withPose(track, poses));
    element.hidden = tracks.length === 0;
    chosen = 0;
    const listed = animated.slice(0, MOST_LISTED).map(({ name }, at) => option(String(at), name));
    fill(model, option("-1", `All ${tracks.length} models`), ...listed);
    modelField.hidden = tracks.length < 2;
    chosen = tracks.length < 2 ? 0 : -1;
    model.value = String(chosen);
    if (tracks.length > 0) choose(chosen);
  });
  store.watch(["playing"], ({ playing }) => {
    const label = playing ? "Pause" : "Play";
    const drawn = button({ label, icon: playing ? "pause" : "play", quiet: true, onclick: () => {} });
    fill(play, ...drawn.childNodes);
    play.setAttribute("aria-label", label);
    play.title = `${label} (Space)`;
    if (!playing || tracks.length === 0) return;
    last = null;
    requestAnimationFrame(tick);
  });
  store.watch(["asOf"], ({ asOf: ms }) => {
    asOf.value = String(ms);
    asOfText.textContent = ms === 0 ? "as shown" : `${ms} ms ago`;
    asOf.setAttribute("aria-valuetext", asOfText.textContent);
    element.classList.toggle("in-the-past", ms > 0);
  });
  document.addEventListener("hitscan-step", (event) => {
    if (event instanceof CustomEvent && tracks.length > 0) step(Number(event.detail));
  });

  /** @param {number} now */
  function tick(now) {
    if (!store.state.playing) return;
    const secs = last === null ? 0 : Math.min((now - last) / 1000, 0.25);
    last = now;
    advance(secs * speed);
    publish();
    requestAnimationFrame(tick);
  }

  /** @param {number} steps */
  function step(steps) {
    store.set({ playing: false });
    advance(steps * STEP_SECS);
    publish();
    app.announce(`Time ${time.textContent}`);
  }

  /** All models go on, or the chosen one alone. @param {number} secs */
  function advance(secs) {
    const next = advanced(animated, tracks, secs);
    tracks = chosen < 0 ? next : tracks.map((track, at) => (at === chosen ? (next[at] ?? track) : track));
  }

  function scrub() {
    const track = lead();
    if (!track) return;
    const own = clipOf(animated[Math.max(chosen, 0)], track);
    if (!own) return;
    const share = Number(scrubber.value) / 1000;
    const to = own.start + share * (own.end - own.start);
    if (chosen < 0) {
      tracks = advanced(animated, tracks, to - track.time);
      tracks = tracks.map((one, at) => (at === 0 ? { ...one, time: to } : one));
    } else {
      tracks = tracks.map((one) => (one === track ? { ...one, time: to } : one));
    }
    publish();
  }

  /** @param {number} at */
  function choose(at) {
    chosen = at;
    const track = lead();
    if (!track) return;
    const clips = animated[Math.max(at, 0)]?.clips ?? [];
    fill(clip, ...clips.map(({ name }) => option(name, name)));
    fill(second, option("", "nothing"), ...clips.filter(({ name }) => name !== track.clip).map(({ name }) => option(name, name)));
    second.disabled = clips.length < 2;
    clip.value = track.clip;
    second.value = track.second;
    weight.value = String(track.weight);
    weightField.hidden = track.second === "";
    tell();
  }

  /** @param {Partial<Track>} changes */
  function edit(changes) {
    const of = (/** @type {Track} */ track, /** @type {number} */ at) => {
      if (chosen >= 0 && at !== chosen) return track;
      const names = animated[at]?.clips?.map(({ name }) => name) ?? [];
      const wanted = changes.clip ?? changes.second;
      if (wanted && !names.includes(wanted)) return track;
      const next = { ...track, ...changes };
      if (next.second === next.clip) next.second = "";
      return { ...next, time: wrapped(clipOf(animated[at], next), next.time) };
    };
    tracks = tracks.map(of);
    choose(chosen);
    publish();
  }

  /** @param {number} next */
  function setSpeed(next) {
    speed = next;
    speedSlider.value = String(speedPosition(next));
    speedText.textContent = `${next} ×`;
    speedSlider.setAttribute("aria-valuetext", `${next} times`);
  }

  function tell() {
    const track = lead();
    const own = track && clipOf(animated[Math.max(chosen, 0)], track);
    if (!track || !own) return;
    const length = own.end - own.start;
    scrubber.value = String(length > 0 ? ((track.time - own.start) / length) * 1000 : 0);
    time.textContent = `${timeText(track.time)} / ${timeText(own.end)}`;
    scrubber.setAttribute("aria-valuetext", `${timeText(track.time)} of ${timeText(own.end)}`);
  }

  function publish() {
    tell();
    const { poses, left } = posesOf(animated, tracks);
    cut.hidden = left === 0;
    cut.textContent = `${whole(left)} models more stand still: a view holds the poses of ${whole(poses.length)} at most.`;
    store.set({ poses });
  }
}

/**
 * A track as the link or an earlier scene left it.
 * @param {Track} track
 * @param {readonly import("./messages.js").Pose[]} poses
 * @returns {Track}
 */
function withPose(track, poses) {
  const pose = poses.find(({ object }) => object === track.object);
  if (!pose) return track;
  const blend = pose.blend ? { second: pose.blend.clip, weight: pose.blend.weight } : {};
  return { ...track, clip: pose.clip, time: pose.time, ...blend };
}

/** @param {string} value @param {string} text */
function option(value, text) {
  return make("option", { value }, text);
}

/** @param {string} label @param {HTMLInputElement | HTMLSelectElement} control @param {HTMLElement} [text] */
function labelled(label, control, text) {
  const one = field(label, control);
  if (text) one.append(text);
  return one;
}
