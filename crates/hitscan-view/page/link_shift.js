/**
 * Poses of a crowd in short: how much later in its own clip each model is than in the scene. Pure.
 *
 * The commands read the same (`shift` of PROTOCOL.md, "Links"): both work the times out alike.
 */

import { wrapped } from "./playback.js";

/** Fewer poses than this are listed. */
const FEWEST = 4;
/** Times of poses are rounded to so much, seconds. */
const STEP = 1e-4;

/** The models that the scene poses by a clip. @param {readonly SceneObject[]} objects */
function posedByScene(objects) {
  return objects.flatMap(({ name, clips = [], clip: own, time = 0 }) => {
    const clip = clips.find((one) => one.name === own);
    return clip ? [{ object: name, clip, time }] : [];
  });
}

/** @param {{clip: Clip, time: number}} model @param {number} secs */
function timeAt({ clip, time }, secs) {
  const later = wrapped(clip, time + secs);
  return later === clip.start || later === clip.end ? later : Math.round(later * 1e4) / 1e4;
}

/**
 * All poses that a shift means, with those that are listed beside it in their place.
 * @param {number | undefined} secs @param {readonly Pose[]} listed @param {readonly SceneObject[]} objects
 * @returns {Pose[]}
 */
export function shiftedPoses(secs, listed, objects) {
  if (secs === undefined) return [...listed];
  const posed = posedByScene(objects).map((model) => ({ object: model.object, clip: model.clip.name, time: timeAt(model, secs) }));
  const poses = new Map([...posed, ...listed].map((pose) => [pose.object, pose]));
  const names = new Set(objects.map(({ name }) => name));
  return [...objects.flatMap(({ name }) => poses.get(name) ?? []), ...listed.filter(({ object }) => !names.has(object))];
}

/**
 * Poses as a shift, and those that it does not give; as they are where that is not shorter.
 * @param {readonly Pose[]} poses @param {{objects: readonly SceneObject[], objects_total?: number} | null} scene
 * @returns {{shift?: number, poses: Pose[]}}
 */
export function shortPoses(poses, scene) {
  const all = { poses: [...poses] };
  // Objects that are not listed here may have any pose.
  if (!scene || (scene.objects_total ?? 0) > scene.objects.length || poses.length < FEWEST) return all;
  const models = posedByScene(scene.objects);
  const known = new Map(poses.map((pose) => [pose.object, pose]));
  const shift = commonShift(models.flatMap((model) => {
    const pose = known.get(model.object);
    return pose && pose.clip === model.clip.name && !pose.blend ? [{ ...model, at: pose.time }] : [];
  }));
  if (shift === null) return all;
  const others = [];
  for (const model of models) {
    const pose = known.get(model.object);
    known.delete(model.object);
    if (!pose) others.push({ object: model.object, clip: model.clip.name, time: model.time });
    else if (pose.blend || pose.clip !== model.clip.name || pose.time !== timeAt(model, shift)) others.push(pose);
  }
  others.push(...known.values());
  return others.length <= poses.length / 2 ? { shift, poses: others } : all;
}

/**
 * A shift that gives the rounded times of most models: the middle of what is left of the first one's when those
 * that agree with it narrow it down.
 * @param {{clip: Clip, time: number, at: number}[]} models
 */
function commonShift(models) {
  const [first] = models;
  if (!first) return null;
  let [low, high] = [first.at - first.time - STEP / 2, first.at - first.time + STEP / 2];
  for (const { clip, time, at } of models) {
    const length = clip.end - clip.start;
    if (!(length > 0) || at === clip.start || at === clip.end) continue;
    const middle = (low + high) / 2;
    const turns = Math.round((middle - (at - time)) / length);
    const own = at - time + turns * length;
    const [from, to] = [Math.max(low, own - STEP / 2), Math.min(high, own + STEP / 2)];
    if (from <= to) [low, high] = [from, to];
  }
  return shortestWithin(low, high);
}

/** The number of fewest decimals nearest to the middle of a range. @param {number} low @param {number} high */
function shortestWithin(low, high) {
  const middle = (low + high) / 2;
  for (let digits = 4; digits <= 12; digits += 1) {
    const short = Number(middle.toFixed(digits));
    if (short > low && short < high) return short;
  }
  return middle;
}
