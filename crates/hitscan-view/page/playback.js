/** The state of the timeline: which clip each model shows, at what time, and how it goes on. Pure. */

const MIN_SPEED = 0.1;
const MAX_SPEED = 4;

/** Poses may take so much of a view, which has 64 KiB in all. */
const MOST_CHARACTERS = 56 * 1024;

/** The tracks of models with clips: as the scene file says, else at rest before the start of the first clip. @param {readonly SceneObject[]} models @returns {Track[]} */
export function tracksOf(models) {
  return models.map(({ name, clips = [], clip: own, time }) => {
    const clip = clips.find((one) => one.name === own) ?? clips[0];
    const start = clip?.start ?? 0;
    return { object: name, clip: clip?.name ?? "", time: own === undefined ? start : (time ?? start), second: "", weight: 0.5, rest: own === undefined };
  });
}

/** A time of a clip that goes round. @param {Clip | undefined} clip @param {number} time */
export function wrapped(clip, time) {
  if (!clip) return time;
  const length = clip.end - clip.start;
  if (!(length > 0)) return clip.start;
  return clip.start + ((((time - clip.start) % length) + length) % length);
}

/** The clip of a track. @param {SceneObject | undefined} model the track's @param {string} [name] */
export const clipOf = (model, name) => model?.clips?.find((clip) => clip.name === name);

/** All tracks after some seconds, which may be negative. @param {readonly SceneObject[]} models @param {readonly Track[]} tracks @param {number} secs */
export function advanced(models, tracks, secs) {
  return tracks.map((track, at) => ({ ...track, time: wrapped(clipOf(models[at], track.clip), track.time + secs), rest: false }));
}

/**
 * The tracks as the poses of a view, of those models alone that are not posed as in the scene. What would make the
 * view too long a message is omitted, and counted.
 * @param {readonly SceneObject[]} models @param {readonly Track[]} tracks
 */
export function posesOf(models, tracks) {
  const scene = tracksOf(models);
  const isSame = (/** @type {Track} */ { clip, time, second, rest }, at = 0) => {
    const own = scene[at];
    return rest || (own?.rest === false && clip === own.clip && time === own.time && second === "");
  };
  const changed = tracks.flatMap((track, at) => (isSame(track, at) ? [] : [poseOf(models[at], track)]));
  let characters = 0;
  const first = changed.findIndex((pose) => (characters += JSON.stringify(pose).length + 1) > MOST_CHARACTERS);
  const poses = first < 0 ? changed : changed.slice(0, first);
  return { poses, left: changed.length - poses.length };
}

/** A track as a pose; the second clip goes along by its fraction of the first. @param {SceneObject | undefined} model @param {Track} track @returns {Pose} */
function poseOf(model, { object, clip, time, second, weight }) {
  const [one, two] = [clipOf(model, clip), clipOf(model, second)];
  const pose = { object, clip, time: rounded(time, one) };
  if (!one || !two) return pose;
  const share = one.end > one.start ? (time - one.start) / (one.end - one.start) : 0;
  return { ...pose, blend: { clip: second, time: rounded(two.start + share * (two.end - two.start), two), weight } };
}

/** A tenth of a millisecond is enough, and makes short links; the clip's ends are exact. @param {number} secs @param {Clip} [clip] */
const rounded = (secs, clip) => (secs === clip?.start || secs === clip?.end ? secs : Math.round(secs * 1e4) / 1e4);

/** The position, 0 to 100, of a slider that is even in the logarithm. @param {number} speed */
export const speedPosition = (speed) => (Math.log(speed / MIN_SPEED) / Math.log(MAX_SPEED / MIN_SPEED)) * 100;

/** The speed at a position; it rests at 1. @param {number} position */
export function speedAt(position) {
  const speed = MIN_SPEED * (MAX_SPEED / MIN_SPEED) ** (position / 100);
  return Math.abs(Math.log(speed)) < 0.04 ? 1 : Math.round(speed * 100) / 100;
}
