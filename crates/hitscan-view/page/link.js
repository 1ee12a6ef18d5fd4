/**
 * The fragment of the page's address and what it says. Pure.
 *
 * `--link` of the program reads the same (PROTOCOL.md, "Links"). Names are percent-encoded with the
 * marks that part them, so that a name may hold any character. A field that is unknown, or whose
 * value is none, is left alone: the page shows what it can.
 */

import { NAMES } from "./columns.js";
import { shiftedPoses, shortPoses } from "./link_shift.js";
import { isSameWorld } from "./view_log.js";

/** @import { AskedWorld, Camera, Options, Pair, Point, Pose, Row, Scene, SceneObject } from "./messages.js" */
/** @import { Shot, ToolName } from "./store.js" */

/**
 * @typedef {object} Link
 * @property {string} [scene]
 * @property {Point} [eye]
 * @property {Point} [look]
 * @property {number} [fov]
 * @property {"orthographic"} [projection]
 * @property {Pair} [size]
 * @property {"cost"} [mode]
 * @property {boolean} [outline]
 * @property {string[]} [hide]
 * @property {number} [layers]
 * @property {Pose[]} [poses]
 * @property {number} [shift] how much later than in the scene those models are that have no pose, seconds
 * @property {AskedWorld["past"]} [past]
 * @property {ToolName} [tool]
 * @property {Row} [question]
 * @property {Options} [options]
 * @property {string} [key]
 */

const TOOLS = ["ray", "height", "sweep", "overlap", "closest", "arc", "sight", "viewshed", "distance"];

/** @param {unknown} part */
const encode = (part) => encodeURIComponent(String(part));

/** @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** @param {Record<string, string | number | boolean>} record */
function pairs(record) {
  return Object.entries(record)
    .map(([name, value]) => `${encode(name)}:${encode(value)}`)
    .join(",");
}

/**
 * @param {Link} link
 * @returns {string} without the `#`
 */
export function writeLink(link) {
  const fields = ["v=1"];
  const put = (/** @type {string} */ name, /** @type {string | undefined} */ value) => {
    if (value !== undefined && value !== "") fields.push(`${name}=${value}`);
  };
  put("scene", link.scene && encode(link.scene));
  put("eye", link.eye?.map(encode).join(","));
  put("look", link.look?.map(encode).join(","));
  put("fov", link.fov === undefined ? undefined : encode(link.fov));
  put("projection", link.projection);
  put("size", link.size?.join("x"));
  put("mode", link.mode);
  put("outline", link.outline ? "1" : undefined);
  put("hide", link.hide?.map(encode).join(";"));
  put("layers", link.layers === undefined ? undefined : encode(link.layers));
  put("shift", link.shift === undefined ? undefined : encode(link.shift));
  for (const pose of link.poses ?? []) put("pose", poseText(pose));
  if (link.past) {
    const { poses, start, end, time } = link.past;
    put("past", [start, end, time].join(","));
    for (const pose of poses) put("was", poseText(pose));
  }
  put("tool", link.tool);
  // Pairs of objects are queried without columns: the field is there, and empty.
  if (link.question) fields.push(`q=${pairs(link.question)}`);
  put("options", link.options && pairs(link.options));
  put("key", link.key && encode(link.key));
  return fields.join("&");
}

/** @param {Pose} pose */
function poseText({ object, clip, time, blend }) {
  const parts = [object, clip, time, ...(blend ? [blend.clip, blend.time, blend.weight] : [])];
  return parts.map(encode).join(":");
}

/**
 * @param {string} fragment with or without the `#`
 * @returns {Link}
 */
export function readLink(fragment) {
  /** @type {Link} */
  const link = {};
  /** @type {Pose[]} */
  const before = [];
  for (const field of fragment.replace(/^#/, "").split("&")) {
    const at = field.indexOf("=");
    if (at <= 0) continue;
    const [name, value] = [field.slice(0, at), field.slice(at + 1)];
    if (name === "was") before.push(...[readPose(value.split(":").map(decode))].filter((pose) => pose !== null));
    else readField(link, name, value);
  }
  if (link.past) link.past.poses = before;
  if (link.past) delete link.shift;
  return link;
}

/**
 * @param {Link} link
 * @param {string} name
 * @param {string} value
 */
function readField(link, name, value) {
  if (name === "scene" || name === "key") link[name] = decode(value);
  else if (name === "eye" || name === "look") {
    const point = numbers(value, ",");
    if (point?.length === 3) link[name] = /** @type {Point} */ (point);
  } else if (name === "fov") {
    const fov = number(value);
    if (fov !== null && fov > 0 && fov < 180) link.fov = fov;
  } else if (name === "projection") {
    if (value === "orthographic") link.projection = value;
  } else if (name === "size") {
    const size = numbers(value, "x");
    if (size?.length === 2 && size.every((side) => Number.isInteger(side) && side >= 1)) {
      link.size = /** @type {Pair} */ (size);
    }
  } else if (name === "mode") {
    if (value === "cost") link.mode = value;
  } else if (name === "outline") link.outline = value === "1";
  else if (name === "hide") link.hide = value.split(";").map(decode);
  else if (name === "layers") {
    const layers = number(value);
    if (layers !== null && Number.isInteger(layers) && layers >= 0) link.layers = layers;
  } else if (name === "pose") {
    const pose = readPose(value.split(":").map(decode));
    if (pose) link.poses = [...(link.poses ?? []), pose];
  } else if (name === "shift") {
    const shift = number(value);
    if (shift !== null) link.shift = shift;
  } else if (name === "past") {
    const [start, end, time] = numbers(value, ",") ?? [];
    const isBetween = start !== undefined && end !== undefined && time !== undefined && start < end && start <= time && time <= end;
    if (isBetween && [start, end, time].every((ms) => Number.isInteger(ms) && ms >= 0)) link.past = { poses: [], start, end, time };
  } else if (name === "tool") {
    if (TOOLS.includes(value)) link.tool = /** @type {ToolName} */ (value);
  } else if (name === "q") link.question = record(value, number);
  else if (name === "options") link.options = withPageWords(record(value, option));
}

/** @param {string} text */
function number(text) {
  const value = text.trim() === "" ? NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}

/**
 * @param {string} value
 * @param {string} between
 */
function numbers(value, between) {
  const list = decode(value).split(between).map(number);
  return list.every((one) => one !== null) ? list : null;
}

/**
 * @param {string[]} parts
 * @returns {Pose | null}
 */
function readPose(parts) {
  const [object, clip, at, other, otherAt, share] = parts;
  const time = number(at ?? "");
  if (time === null || (parts.length !== 3 && parts.length !== 6)) return null;
  if (parts.length === 3) return { object, clip, time };
  const [blendTime, weight] = [number(otherAt), number(share)];
  if (blendTime === null || weight === null) return null;
  return { object, clip, time, blend: { clip: other, time: blendTime, weight } };
}

/** @param {string} text */
function option(text) {
  return text === "true" ? true : text === "false" ? false : number(text);
}

/**
 * Columns or options: what `read` makes nothing of is text.
 * @template T
 * @param {string} value
 * @param {(text: string) => T | null} read
 * @returns {Record<string, T | string>}
 */
function record(value, read) {
  /** @type {Record<string, T | string>} */
  const found = {};
  for (const pair of value.split(",")) {
    const at = pair.indexOf(":");
    if (at <= 0) continue;
    const [name, text] = [decode(pair.slice(0, at)), decode(pair.slice(at + 1))];
    // Names of objects may be digits.
    found[name] = (NAMES.includes(name) ? null : read(text)) ?? text;
  }
  return found;
}

/**
 * The page has one word for each thing; links have the program's aliases too (PROTOCOL.md, "Links").
 * @param {Options} options
 * @returns {Options}
 */
function withPageWords({ initial_overlap: initial, ...options }) {
  const overlaps = initial ?? options.overlaps;
  if (overlaps !== undefined) options.overlaps = overlaps === "escape" ? "leave" : overlaps;
  if (options.shape === "obb" || options.shape === "turned-box") options.shape = "turned_box";
  return options;
}

/**
 * What a link says of the state: the keys to set.
 * @param {Link} link
 * @param {Camera} home the scene's own camera
 * @param {readonly SceneObject[]} [objects] the scene's
 * @returns {Pick<import("./store.js").State, "camera" | "mode" | "outline" | "hide" | "layers" | "poses">}
 */
export function stateOf(link, home, objects = []) {
  const camera = {
    eye: link.eye ?? home.eye,
    look: link.look ?? home.look,
    fov: link.fov ?? home.fov,
    projection: link.projection ?? (link.eye ? "perspective" : home.projection),
  };
  return {
    camera: /** @type {Camera} */ (camera),
    mode: link.mode ?? "picture",
    outline: link.outline ?? false,
    hide: link.hide ?? [],
    layers: link.layers ?? null,
    poses: shiftedPoses(link.shift, link.poses ?? [], objects),
  };
}

/**
 * The link to a shot, in the view that it was queried in, of the world that it queried.
 * @param {Shot} shot @param {Scene | null} scene
 * @returns {Link}
 */
export function linkOfShot({ tool, question, answer, options, world, seen }, scene) {
  const { camera, size, mode, outline, hide, layers } = seen;
  return {
    ...viewFields({ camera, mode, outline, hide, layers, poses: [] }),
    ...posesInShort(world?.poses ?? [], scene, world?.past),
    scene: scene?.name,
    size,
    past: world?.past,
    tool,
    question: answer?.question ?? question,
    options: Object.keys(options).length > 0 ? options : undefined,
  };
}

/**
 * The fields of poses; those of two moments are listed.
 * @param {readonly Pose[]} poses @param {Scene | null} scene @param {AskedWorld["past"]} [past]
 * @returns {Link}
 */
export function posesInShort(poses, scene, past) {
  const short = past ? { poses: [...poses] } : shortPoses(poses, scene);
  return { shift: short.shift, poses: short.poses.length > 0 ? short.poses : undefined };
}

/**
 * What is shown, without what is the default.
 * @param {Pick<import("./store.js").State, "camera" | "mode" | "outline" | "hide" | "layers" | "poses">} view
 * @returns {Link}
 */
function viewFields({ camera, mode, outline, hide, layers, poses }) {
  return {
    eye: camera?.eye,
    look: camera?.look,
    fov: camera?.fov,
    projection: camera?.projection === "orthographic" ? "orthographic" : undefined,
    mode: mode === "cost" ? "cost" : undefined,
    outline: outline || undefined,
    hide: hide.length > 0 ? hide : undefined,
    layers: layers ?? undefined,
    poses: poses.length > 0 ? poses : undefined,
  };
}

/**
 * The link to a state: with the last question, unless the world that it queried is another by now.
 * @param {import("./store.js").State} state
 * @param {{size?: Pair, key?: string}} [more] the size makes it the same picture in any window
 * @returns {Link}
 */
export function linkOf(state, more = {}) {
  const { scene, current } = state;
  const question = current?.answer?.question ?? current?.question;
  const isOfView = !current?.world || isSameWorld({ poses: current.world.poses }, { poses: state.poses });
  const shot = current && question && isOfView ? { tool: current.tool, question, options: current.options } : null;
  const options = shot?.options && Object.keys(shot.options).length > 0 ? shot.options : undefined;
  const tool = shot?.tool ?? (state.tool === "ray" || state.tool === "look" || state.tool === "ruler" ? undefined : state.tool);
  const past = shot ? current?.world?.past : undefined;
  return { ...viewFields(state), ...posesInShort(state.poses, scene, past), scene: scene?.name, size: more.size, past, tool, question: shot?.question, options, key: more.key };
}
