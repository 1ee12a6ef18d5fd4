/** The state of the timeline: which clip each model shows, at what time, and how it goes on. Pure. */

/**
 * @typedef {import("./messages.js").Clip} Clip
 * @typedef {import("./messages.js").SceneObject} SceneObject
 * @typedef {import("./messages.js").Pose} Pose
 *
 * @typedef {object} Track
 * @property {string} object
 * @property {string} clip
 * @property {number} time seconds on the clip's own timeline
 * @property {string} second the clip that is blended in, empty for none
 * @property {number} weight its weight, 0 to 1
 */

export const MIN_SPEED = 0.1;
export const MAX_SPEED = 4;

/** Poses may take so much of a view, which has 64 KiB in all. */
const MOST_CHARACTERS = 56 * 1024;

/** One step of `,` and `.`, seconds. */
export const STEP_SECS = 1 / 30;

/**
 * The tracks of a scene: each model that has clips, as the scene file says, else at the start of its first.
 * @param {readonly SceneObject[]} objects
 * @returns {Track[]}
 */
export function tracksOf(objects) {
  return objects.flatMap((object) => {
    const first = object.clips?.[0];
    if (!first) return [];
    const clip = object.clips?.find(({ name }) => name === object.clip) ?? first;
    const time = object.clip === undefined ? clip.start : (object.time ?? clip.start);
    return [{ object: object.name, clip: clip.name, time, second: "", weight: 0.5 }];
  });
}

/**
 * A time of a clip that goes round.
 * @param {Clip | undefined} clip
 * @param {number} time
 */
export function wrapped(clip, time) {
  if (!clip) return time;
  const length = clip.end - clip.start;
  if (!(length > 0)) return clip.start;
  const past = (time - clip.start) % length;
  return clip.start + (past < 0 ? past + length : past);
}

/**
 * The clip of a track.
 * @param {SceneObject | undefined} object the track's
 * @param {Track} track
 */
export function clipOf(object, track) {
  return object?.clips?.find(({ name }) => name === track.clip);
}

/**
 * All tracks after some seconds.
 * @param {readonly SceneObject[]} objects those of the tracks, in their order
 * @param {readonly Track[]} tracks
 * @param {number} secs may be negative
 * @returns {Track[]}
 */
export function advanced(objects, tracks, secs) {
  return tracks.map((track, at) => ({ ...track, time: wrapped(clipOf(objects[at], track), track.time + secs) }));
}

/**
 * The tracks as the poses of a view, of those models alone that do not stand as in the scene; the second clip
 * goes along by its share of the first. A view is a control message of at most 64 KiB: what would make it longer
 * is left out, and counted.
 * @param {readonly SceneObject[]} objects those of the tracks
 * @param {readonly Track[]} tracks
 * @returns {{poses: Pose[], left: number}}
 */
export function posesOf(objects, tracks) {
  const scene = tracksOf(objects);
  const changed = tracks.flatMap((track, at) => (isSame(track, scene[at]) ? [] : [{ track, object: objects[at] }]));
  /** @type {Pose[]} */
  const poses = [];
  let characters = 0;
  for (const { track, object } of changed) {
    const pose = poseOf(object, track);
    characters += JSON.stringify(pose).length + 1;
    if (characters > MOST_CHARACTERS) break;
    poses.push(pose);
  }
  return { poses, left: changed.length - poses.length };
}

/** @param {Track} track @param {Track | undefined} other */
function isSame(track, other) {
  return track.clip === other?.clip && track.time === other.time && track.second === "";
}

/**
 * @param {SceneObject | undefined} model the track's
 * @param {Track} track
 * @returns {Pose}
 */
function poseOf(model, { object, clip, time, second, weight }) {
  const pose = { object, clip, time: rounded(time) };
  if (second === "") return pose;
  const clips = model?.clips ?? [];
  const [one, two] = [clip, second].map((name) => clips.find((each) => each.name === name));
  const share = one && one.end > one.start ? (time - one.start) / (one.end - one.start) : 0;
  const secondTime = two ? two.start + share * (two.end - two.start) : 0;
  return { ...pose, blend: { clip: second, time: rounded(secondTime), weight } };
}

/**
 * Milliseconds of a clip's time are enough, and make short links.
 * @param {number} secs
 */
function rounded(secs) {
  return Math.round(secs * 1e4) / 1e4;
}

/**
 * A time as text, `1.25 s`.
 * @param {number} secs
 */
export function timeText(secs) {
  return `${secs.toFixed(2)} s`;
}

/**
 * The position of a slider with even steps in the logarithm, 0 to 100, for a speed.
 * @param {number} speed
 */
export function speedPosition(speed) {
  return (Math.log(speed / MIN_SPEED) / Math.log(MAX_SPEED / MIN_SPEED)) * 100;
}

/**
 * The speed at a position; it rests at 1.
 * @param {number} position
 */
export function speedAt(position) {
  const speed = MIN_SPEED * (MAX_SPEED / MIN_SPEED) ** (position / 100);
  return Math.abs(Math.log(speed)) < 0.04 ? 1 : Math.round(speed * 100) / 100;
}
