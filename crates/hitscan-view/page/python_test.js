/** A question and its answer as a Python test, over numpy arrays. Pure. */

import { MOST_PAIRS } from "./answer_text.js";
import { filterOf, putBack, testName } from "./copy_as.js";
import { f32Text, numberOf } from "./numbers.js";

/** @param {Asked} asked @param {SceneSource} source */
export function pythonTest(asked, source) {
  const { imports, lines: scene } = sceneLines(source);
  const body = [...scene, ...worldLines(asked), ...BY_TOOL[asked.tool](asked, asked.answers[0] ?? {})];
  return [
    ...imports.map((module) => `import ${module}`),
    ...(imports.length > 0 ? [""] : []),
    "import hitscan",
    "import numpy as np",
    "",
    "",
    `def test_${testName(asked) || "shot"}():`,
    ...body.map((line) => `    ${line}`),
    "",
  ].join("\n");
}

/** What reads the scene. @param {SceneSource} source */
function sceneLines({ file, text: written }) {
  if (file !== "demo:" && written === undefined) return { imports: [], lines: [`world = hitscan.World.from_scene(${text(file)})`] };
  const write = file === "demo:" ? "hitscan.write_demo(folder)" : `(folder / "scene.toml").write_text(${text(written ?? "")}, encoding="utf-8")`;
  const lines = ["folder = pathlib.Path(tempfile.mkdtemp())", write, 'world = hitscan.World.from_scene(folder / "scene.toml")'];
  return { imports: ["pathlib", "tempfile"], lines };
}

/** The world in the poses of the shot, as `view`. @param {Asked} asked */
function worldLines({ world: { poses, past } }) {
  if (!past) return [...poses.flatMap(poseLines), ...(poses.length > 0 ? ["world.update()"] : []), "view = world"];
  const back = putBack(poses, past);
  return [
    ...back.map((object, at) => `as_in_scene_${at} = world.pose(world.handle(${text(object)}))`),
    "world.keep_history(2)",
    ...past.poses.flatMap(poseLines),
    "world.update()",
    `world.record(${past.start})`,
    ...back.map((object, at) => `world.set_pose(world.handle(${text(object)}), as_in_scene_${at})`),
    ...poses.flatMap(poseLines),
    "world.update()",
    `world.record(${past.end})`,
    `view = world.at(${past.time})`,
  ];
}

/** @param {Pose} pose */
function poseLines({ object, clip, time, blend }) {
  const at = (/** @type {string} */ name, /** @type {number} */ secs) => `model.pose(${text(name)}, ${secs})`;
  const pose = blend ? `${at(clip, time)}.blended(${at(blend.clip, blend.time)}, ${blend.weight})` : at(clip, time);
  return [`model = world.model(world.handle(${text(object)}))`, `world.set_pose(world.handle(${text(object)}), ${pose})`];
}

/** @type {Record<AskTool, (asked: Asked, answer: Row) => string[]>} */
const BY_TOOL = {
  ray(asked) {
    const { question: q } = asked;
    return hits(asked, "rays", `${vectors(q, "ox", "oy", "oz")}, ${vectors(q, "dx", "dy", "dz")}${range(q)}`);
  },
  arc(asked) {
    const q = { gx: 0, gy: -9.81, gz: 0, ...asked.question };
    return hits(asked, "arcs", `${vectors(q, "ox", "oy", "oz")}, ${vectors(q, "vx", "vy", "vz")}, acceleration=${vector(q, "gx", "gy", "gz")}${range(q)}`);
  },
  sweep(asked) {
    const { question: q, options } = asked;
    const initial = options.overlaps === "leave" ? ', initial_overlap="escape"' : "";
    const motion = vectors(q, "dx", "dy", "dz");
    const mover = options.object ? text(String(q.mover)) : shape(q, options);
    const kind = options.object ? "objects" : "shapes";
    return options.turning ? turningHit(asked, mover, motion) : hits(asked, kind, `[${mover}], ${motion}${initial}`);
  },
  distance(asked, answer) {
    const { question: q } = asked;
    const most = q.max_distance === undefined ? "" : `, max_distance=${number(q, "max_distance")}`;
    const call = `found = view.distances([${text(String(q.object_a))}], [${text(String(q.object_b))}]${most}${filter(asked)})`;
    if (answer.status === "none") return [call, "assert found.status.tolist() == [hitscan.Status.MISS]"];
    return [call, same("found.distance[0]", answer.distance)];
  },
  height(asked, answer) {
    const { question: q, options } = asked;
    const at = vectors(q, "x", "z");
    const method = options.method ?? "exact";
    const area = "half_x" in q ? `half_sizes=(${number(q, "half_x")}, ${number(q, "half_z")}), angle=${number(q, "angle")}` : `radius=${number(q, "radius")}`;
    const means = method === "exact" ? "" : `, method=${text(String(method))}, radius=${Number(options.radius ?? 0)}`;
    const call = method === "footprint" ? `footprints(${at}, ${area}${filter(asked)})` : `height(${at}${means}${filter(asked)})`;
    const status = `assert ground.status.tolist() == [hitscan.GroundStatus.${String(answer.status ?? "outside").toUpperCase()}]`;
    return [`ground = view.${call}`, status, ...(answer.status === "ok" ? [same("ground.height[0]", answer.height)] : [])];
  },
  overlap(asked) {
    const { question: q, options, answers } = asked;
    if (Object.keys(q).length === 0) {
      const call = options.exact ? "overlaps()" : "broad_phase_pairs()";
      return [`assert len(view.${call}) ${asked.total > MOST_PAIRS ? `> ${MOST_PAIRS}` : `== ${asked.total}`}`];
    }
    const found = answers.filter(({ status }) => status !== "separate" && status !== "invalid");
    const each = options.each === "triangle" ? ', each="triangle"' : "";
    const margin = q.margin === undefined ? "" : `, margin=${number(q, "margin")}`;
    const checks = found.slice(0, 8).map(({ separation }, at) => same(`contacts.separation[${at}]`, separation));
    return [`contacts = view.contacts([${shape(q, options)}]${margin}${each}${filter(asked)})`, `assert len(contacts) == ${found.length && asked.total}`, ...checks];
  },
  closest(asked, answer) {
    const { question: q, options } = asked;
    const most = q.max_distance === undefined ? "" : `, max_distance=${number(q, "max_distance")}`;
    const signed = String(options.signed) === "true" ? ", signed=True" : "";
    const call = `closest = view.closest_points(${vectors(q, "px", "py", "pz")}${most}${signed}${filter(asked)})`;
    if (answer.status === "none") return [call, "assert closest.found.tolist() == [False]"];
    return [call, same("closest.distance[0]", answer.distance), ...named("closest", answer)];
  },
  sight(asked, answer) {
    const { question: q } = asked;
    const ends = `${vectors(q, "x", "y", "z")}, ${vectors(q, "target_x", "target_y", "target_z")}${filter(asked)}`;
    if (answer.status === "visible" || answer.t === undefined) return [`assert view.is_visible(${ends}).tolist() == [${answer.status === "visible" ? "True" : "False"}]`];
    return [`blockers = view.first_blocker(${ends})`, same("blockers.t[0]", answer.t), ...named("blockers", answer)];
  },
  viewshed(asked, { status, object, visible, hidden }) {
    const { question: q, options } = asked;
    const eye = vector(q, ...("y" in q ? ["x", "y", "z"] : ["x", "z"]));
    const limits = ["above", "target_above", "max_distance"].filter((name) => name in options).map((name) => `, ${name}=${options[name]}`);
    const call = `seen = view.viewshed(${text(String(object ?? options.terrain ?? ""))}, ${eye}${limits.join("")}${filter(asked)})`;
    if (status !== "ok") return [call, "assert seen is None"];
    const counted = (/** @type {string} */ kind, /** @type {Value | undefined} */ count) => `assert (seen.samples == hitscan.Visibility.${kind}).sum() == ${count}`;
    return [call, counted("VISIBLE", visible), counted("HIDDEN", hidden)];
  },
};

/** Whether the package queries this by arrays: a hull of the scene, and all hits of an object, it does by tables alone. @param {Asked} asked */
export const hasPythonTest = ({ options }) => options.shape !== "hull" && !(options.object && options.hits === "all");

/** @param {Asked} asked @param {string} mover @param {string} motion */
function turningHit(asked, mover, motion) {
  const { question: q, options, answers: [first = {}] } = asked;
  const pivot = q.pivot_x === undefined ? "" : `, pivot=${vectors(q, "pivot_x", "pivot_y", "pivot_z")}`;
  const near = q.tolerance ?? options.tolerance;
  const tolerance = near === undefined ? "" : `, tolerance=${Number(near)}`;
  const how = `${vectors(q, "axis_x", "axis_y", "axis_z")}, [${number(q, "angle")}], motion=${motion}${pivot}${tolerance}`;
  const query = options.object ? "cast_turning_objects" : "cast_turnings";
  const call = `hits = view.${query}([${mover}], ${how}${filter(asked)})`;
  const isHit = first.status === "hit" || first.status === "overlap";
  const met = `assert hits.hit.tolist() == [${isHit ? "True" : "False"}]`;
  if (!isHit || first.t === undefined) return [call, met];
  return [call, met, same("hits.t[0]", first.t), ...(first.gap === undefined ? [] : [same("hits.gap[0]", first.gap)]), ...named("hits", first)];
}

/** @param {Asked} asked @param {"rays" | "arcs" | "shapes" | "objects"} kind @param {string} question */
function hits(asked, kind, question) {
  const { options, answers } = asked;
  const sides = options.sides === undefined || options.sides === "both" ? "" : `, sides=${text(String(options.sides))}`;
  const call = (/** @type {string} */ suffix) => `view.cast_${kind}${suffix}(${question}${sides}${filter(asked)})`;
  const met = answers.filter(({ status }) => status === "hit" || status === "overlap");
  const [first] = met;
  if (options.hits === "any") return [`assert ${call("_any")}.tolist() == [${first ? "True" : "False"}]`];
  if (options.hits === "all") {
    const checks = met.map(({ t }, at) => same(`hits.t[${at}]`, t));
    return [`hits = ${call("_all")}`, `assert len(hits.t) == ${met.length && asked.total}`, ...checks];
  }
  if (!first) return [`assert ${call("")}.hit.tolist() == [False]`];
  return [`hits = ${call("")}`, "assert hits.hit.tolist() == [True]", same("hits.t[0]", first.t), ...named("hits", first)];
}

/** Which object and triangle are hit. @param {string} what @param {Row} answer */
function named(what, { object, triangle }) {
  const lines = [];
  if (object !== undefined) lines.push(`assert ${what}.object[0] == world.handle(${text(String(object))})`);
  if (triangle !== undefined) lines.push(`assert ${what}.triangle[0] == ${triangle}`);
  return lines;
}

/** @param {Row} q @param {Options} options */
function shape(q, options) {
  const center = vector(q, "cx", "cy", "cz");
  const shapes = {
    box: `Box(${vector(q, "min_x", "min_y", "min_z")}, ${vector(q, "max_x", "max_y", "max_z")})`,
    turned_box: `OrientedBox(${center}, ${vector(q, "half_x", "half_y", "half_z")}, ${vector(q, "qx", "qy", "qz", "qw")})`,
    sphere: `Sphere(${center}, ${number(q, "radius")})`,
    cylinder: `Cylinder(${vector(q, "ax", "ay", "az")}, ${vector(q, "bx", "by", "bz")}, ${number(q, "radius")})`,
    capsule: `Capsule(${vector(q, "ax", "ay", "az")}, ${vector(q, "bx", "by", "bz")}, ${number(q, "radius")})`,
  };
  return `hitscan.${shapes[/** @type {Exclude<ShapeKind, "hull">} */ (options.shape ?? "box")]}`;
}

/** What the question passes through, and the layers that it sees. @param {Asked} asked */
function filter(asked) {
  const { ignored, mask, seesAll } = filterOf(asked);
  const layers = seesAll ? "" : `, layers=0x${mask.toString(16)}`;
  return ignored.length === 0 ? layers : `${layers}, ignore=[${ignored.map(text).join(", ")}]`;
}

/** @param {Row} q */
function range({ t_min: from, t_max: to }) {
  const limit = (/** @type {string} */ name, /** @type {Value | undefined} */ value) => (value === undefined ? "" : `, ${name}=${number({ value }, "value")}`);
  return limit("t_min", from) + limit("t_max", to);
}

/** An f32 of the answer, to the bit. @param {string} what @param {Value | undefined} value */
const same = (what, value) => `assert ${what} == np.float32(${f32Text(Number(value))})`;

/** @param {Row} q @param {string} column */
function number(q, column) {
  const value = numberOf(q[column] ?? (column === "qw" && q.qx === undefined ? 1 : 0));
  return value === Infinity ? "np.inf" : Object.is(value, -0) ? "-0.0" : String(value);
}

/** @param {Row} q @param {string[]} columns */
const vector = (q, ...columns) => `[${columns.map((column) => number(q, column)).join(", ")}]`;

/** One question's row of an array of them. @param {Row} q @param {string[]} columns */
const vectors = (q, ...columns) => `[${vector(q, ...columns)}]`;

/** A string literal. @param {string} value */
const text = (value) => JSON.stringify(value);
