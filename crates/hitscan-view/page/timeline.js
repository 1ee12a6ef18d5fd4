/** The timeline: play, pause, scrub; clip and blend of each model; how long ago is shot at. */

import { button, field, fill, icon, make } from "./elements.js";
import { whole } from "./format.js";
import { isForPicture } from "./key_focus.js";
import { slider } from "./panel_parts.js";
import { advanced, clipOf, posesOf, speedAt, speedPosition, tracksOf, wrapped } from "./playback.js";

/** More models than these are played, and not listed one by one. */
const MOST_LISTED = 200;
/** One step of `,` and `.`, seconds. */
const STEP_SECS = 1 / 30;

/** @param {App} app @param {HTMLElement} element */
export function mount({ store, announce }, element) {
  /** @type {SceneObject[]} */
  let models = [];
  /** @type {Track[]} */
  let tracks = [];
  /** The model that is edited, -1 for all. */
  let chosen = -1;
  /** The poses that this timeline has set. @type {readonly Pose[]} */
  let published = [];
  let speed = 1;
  let last = 0;
  const lead = () => Math.max(chosen, 0);

  const play = button({ label: "Play", icon: "play", quiet: true, onclick: () => store.set({ playing: !store.state.playing }) });
  const back = button({ label: "One step back", icon: "back", quiet: true, onclick: () => step(-1) });
  const forward = button({ label: "One step forward", icon: "forward", quiet: true, onclick: () => step(1) });
  const scrubber = slider("Time of the clip", { min: 0, max: 1000 }, scrub);
  const model = make("select", { onchange: () => choose(Number(model.value)) });
  const clip = make("select", { onchange: () => edit({ clip: clip.value }) });
  const second = make("select", { onchange: () => edit({ second: second.value }) });
  const weight = slider("Weight of the second clip", { min: 0, max: 1, step: 0.01 }, (value) => edit({ weight: value }));
  const pace = slider("Speed", { min: 0, max: 100 }, (value) => setSpeed(speedAt(value)));
  const asOf = slider("How long ago is shot at", { min: 0, max: 1000, step: 10 }, (value) => store.set({ asOf: value }));
  const modelField = field("Model", model);
  const secondField = field("Blend with", second);
  const cut = make("p", { class: "note", hidden: true });
  const row = (/** @type {string} */ label, /** @type {HTMLElement} */ control) => make("div", { class: "field" }, make("span", { class: "field-label" }, label), control);
  const weightField = row("Weight", weight.element);
  const fields = [modelField, field("Clip", clip), secondField, weightField, row("Speed", pace.element), row("Shoot at", asOf.element)];
  element.append(make("div", { class: "slider" }, play, back, forward, scrubber.element), make("div", { class: "timeline-fields" }, ...fields), cut);
  setSpeed(1);

  store.watch(["scene"], ({ scene, poses }) => {
    models = (scene?.objects ?? []).filter(({ clips }) => clips && clips.length > 0);
    adopt(poses);
    element.hidden = models.length === 0;
    const names = models.slice(0, MOST_LISTED).map(({ name }, at) => option(String(at), name));
    fill(model, models.length > 1 ? option("-1", `All ${whole(models.length)} models`) : null, ...names);
    modelField.hidden = models.length < 2;
    if (models.length > 0) choose(models.length > 1 ? -1 : 0);
  });
  store.watch(["poses"], ({ poses }) => {
    if (poses === published || models.length === 0) return;
    adopt(poses);
    choose(chosen);
  });
  store.watch(["playing"], ({ playing }) => {
    const label = playing ? "Pause" : "Play";
    fill(play, icon(label.toLowerCase()));
    play.setAttribute("aria-label", label);
    play.title = `${label} (Space)`;
    last = 0;
    if (playing && models.length > 0) requestAnimationFrame(tick);
  });
  store.watch(["asOf"], ({ asOf: ms }) => {
    asOf.tell(ms, ms === 0 ? "as shown" : `${ms} ms ago`);
    element.classList.toggle("in-the-past", ms > 0);
  });
  document.addEventListener("keydown", (event) => {
    if (!isForPicture(event) || models.length === 0) return;
    if (event.key === " ") store.set({ playing: !store.state.playing });
    else if (event.key === "," || event.key === ".") step(event.key === "," ? -1 : 1);
    else return;
    event.preventDefault();
  });

  /** @param {number} now milliseconds */
  function tick(now) {
    if (!store.state.playing) return;
    go(last === 0 ? 0 : Math.min((now - last) / 1000, 0.25) * speed);
    last = now;
    requestAnimationFrame(tick);
  }

  /** @param {number} steps */
  function step(steps) {
    store.set({ playing: false });
    go(steps * STEP_SECS);
    announce(`Time ${scrubber.output.textContent}`);
  }

  /** All models go on, or the chosen one alone. @param {number} secs */
  function go(secs) {
    const next = advanced(models, tracks, secs);
    publish(tracks.map((track, at) => (chosen < 0 || at === chosen ? (next[at] ?? track) : track)));
  }

  /** @param {number} position */
  function scrub(position) {
    const track = tracks[lead()];
    const own = clipOf(models[lead()], track?.clip);
    if (!track || !own) return;
    const time = position < 1000 ? own.start + (position / 1000) * (own.end - own.start) : own.end;
    go(time - track.time);
    // The end of the clip does not go round to its start.
    publish(tracks.map((one, at) => (at === lead() ? { ...one, time, rest: false } : one)));
  }

  /** @param {number} at */
  function choose(at) {
    chosen = at;
    model.value = String(at);
    const track = tracks[lead()];
    const names = (models[lead()]?.clips ?? []).map(({ name }) => name);
    const rests = tracksOf(models.slice(lead(), lead() + 1))[0]?.rest === true;
    fill(clip, rests ? option("", "none: at rest") : null, ...names.map((name) => option(name, name)));
    fill(second, option("", "nothing"), ...names.filter((name) => name !== track?.clip).map((name) => option(name, name)));
    clip.value = track && !track.rest ? track.clip : "";
    second.value = track?.second ?? "";
    secondField.hidden = names.length < 2;
    weightField.hidden = second.value === "";
    weight.tell(track?.weight ?? 0, String(track?.weight ?? 0));
    tell();
  }

  /** @param {Partial<Track>} changes */
  function edit(changes) {
    const wanted = changes.clip ?? changes.second;
    const scene = tracksOf(models);
    const next = tracks.map((track, at) => {
      if ((chosen >= 0 && at !== chosen) || (wanted && !clipOf(models[at], wanted))) return track;
      if (changes.clip === "") return scene[at]?.rest ? scene[at] : track;
      const changed = { ...track, ...changes, rest: false };
      if (changed.second === changed.clip) changed.second = "";
      return { ...changed, time: wrapped(clipOf(models[at], changed.clip), changed.time) };
    });
    publish(next);
    choose(chosen);
  }

  /** @param {number} next */
  function setSpeed(next) {
    speed = next;
    pace.tell(speedPosition(next), `${next} ×`);
  }

  function tell() {
    const { time = 0, clip: name } = tracks[lead()] ?? {};
    const { start = 0, end = 0 } = clipOf(models[lead()], name) ?? {};
    scrubber.tell(end > start ? ((time - start) / (end - start)) * 1000 : 0, `${time.toFixed(2)} / ${end.toFixed(2)} s`);
  }

  /** @param {Track[]} next */
  function publish(next) {
    tracks = next;
    tell();
    const { poses, left } = posesOf(models, tracks);
    cut.hidden = left === 0;
    cut.textContent = `${whole(left)} models more stand still: a view holds the poses of ${whole(poses.length)}.`;
    published = poses;
    store.set({ poses });
  }

  /** @param {readonly Pose[]} poses a link's, or those that were before */
  function adopt(poses) {
    const known = new Map(poses.map((pose) => [pose.object, pose]));
    tracks = tracksOf(models).map((track) => withPose(track, known.get(track.object)));
  }
}

/** A track as the link or an earlier scene left it. @param {Track} track @param {Pose} [pose] @returns {Track} */
function withPose(track, pose) {
  if (!pose) return track;
  const blend = pose.blend ? { second: pose.blend.clip, weight: pose.blend.weight } : {};
  return { ...track, clip: pose.clip, time: pose.time, rest: false, ...blend };
}

/** @param {string} value @param {string} text */
const option = (value, text) => make("option", { value }, text);
