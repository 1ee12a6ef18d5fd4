/** A question and its answer as a Rust test with exact bits, for a report or a regression. Pure. */

import { MOST_PAIRS } from "./answer_text.js";
import { filterOf, putBack, testName } from "./copy_as.js";
import { bitsOf, f32Text, numberOf } from "./numbers.js";
import { inScene } from "./table_frame.js";

/** The library's numbers are metres of the scene. @param {Asked} given @param {SceneSource} source @param {Point} [origin] of its tables */
export function rustTest(given, source, origin) {
  const asked = { ...given, question: inScene(given.question, origin), answers: given.answers.map((row) => inScene(row, origin)) };
  const { uses, imports = [], lines } = BY_TOOL[asked.tool](asked, asked.answers[0] ?? {});
  const body = [...sceneLines(source), ...worldLines(asked), ...filterLines(asked), ...lines];
  return [
    `use hitscan::{${["QueryFilter", ...uses].sort().join(", ")}};`,
    ...imports,
    "use std::path::Path;\n",
    "#[test]",
    `fn shot_${testName(asked)}() {`,
    ...body.map((line) => `    ${line}`),
    "}\n",
  ].join("\n");
}

/** What reads the scene. @param {SceneSource} source */
function sceneLines({ file, text: written }) {
  if (written !== undefined) return [`let scene = hitscan_assets::load_scene_text(Path::new("scene.toml"), ${text(written)}).unwrap();`];
  if (file !== "demo:") return [`let scene = hitscan_assets::load_scene(Path::new(${text(file)})).unwrap();`];
  return [
    "let mut files = hitscan_assets::MemoryFiles::default();",
    "for file in hitscan_demo::Demo::new().unwrap().files().unwrap() {",
    "    files.add(file.name, file.bytes);",
    "}",
    'let scene = hitscan_assets::load_scene_from(&files, Path::new("scene.toml")).unwrap();',
  ];
}

/** The world in the poses of the shot. @param {Asked} asked */
function worldLines({ world: { poses, past } }) {
  if (!past && poses.length === 0) return ["let snapshot = scene.world().now();"];
  const start = "let mut world = scene.world().clone();";
  if (!past) return [start, ...poses.flatMap(poseLines), "world.update();", "let snapshot = world.now();"];
  const back = putBack(poses, past);
  return [
    start,
    "world.keep_history(2);",
    ...past.poses.flatMap(poseLines),
    "world.update();",
    `world.record(${past.start}).unwrap();`,
    ...back.flatMap((object) => [
      `let object = scene.object_named(${text(object)}).unwrap();`,
      "world.set_pose(object, &scene.world().now().pose(object).unwrap()).unwrap();",
    ]),
    ...poses.flatMap(poseLines),
    "world.update();",
    `world.record(${past.end}).unwrap();`,
    `let snapshot = world.at(${past.time}.0).unwrap();`,
  ];
}

/** @param {Pose} pose */
function poseLines({ object, clip, time, blend }) {
  const at = (/** @type {string} */ name, /** @type {number} */ secs) => `model.pose_at(${clipText(name)}, ${float(secs)}).unwrap()`;
  return [
    `let object = scene.object_named(${text(object)}).unwrap();`,
    "let model = scene.world().now().model(object).unwrap();",
    `let pose = ${at(clip, time)};`,
    ...(blend ? [`let pose = pose.blended(&${at(blend.clip, blend.time)}, ${float(blend.weight)}).unwrap();`] : []),
    "world.set_pose(object, &pose).unwrap();",
  ];
}

/** A clip by its name or, where it has none, its number. @param {string} clip */
const clipText = (clip) => `model.find_clip(${text(clip)}).unwrap()`;

/** An f64. @param {number} value */
const float = (value) => (Number.isInteger(value) && Math.abs(value) < 1e21 ? `${value}.0` : String(value));

/** @typedef {{uses: string[], imports?: string[], lines: string[]}} Query names of the crate's root, other imports */

/** @type {Record<AskTool, (asked: Asked, answer: Row) => Query>} */
const BY_TOOL = {
  ray(asked) {
    const { question: q } = asked;
    const lines = [
      `let origin = ${vector(q, "ox", "oy", "oz")};`,
      `let direction = ${vector(q, "dx", "dy", "dz")};`,
      `let ray = Ray::new(origin, direction).unwrap()${range(q)};`,
    ];
    return { uses: ["Ray", "Sides"], lines: [...lines, ...hits("ray", "&ray", asked)] };
  },
  arc(asked) {
    const { question: q } = asked;
    const lines = [
      `let origin = ${vector(q, "ox", "oy", "oz")};`,
      `let velocity = ${vector(q, "vx", "vy", "vz")};`,
      `let gravity = ${vector({ gx: 0, gy: -9.81, gz: 0, ...q }, "gx", "gy", "gz")};`,
      `let arc = BallisticArc::new(origin, velocity, gravity).unwrap()${range(q)};`,
    ];
    return { uses: ["BallisticArc", "Sides"], lines: [...lines, ...hits("arc", "&arc", asked)] };
  },
  sweep(asked) {
    const { question: q, options } = asked;
    const moved = options.object ? objectMover(q) : shapeMover(q, options);
    const leaves = options.overlaps === "leave";
    const how = options.turning ? turn(q, options) : leaves ? ".with_initial_overlap(InitialOverlap::Escape)" : "";
    const cast = [`let motion = ${vector(q, "dx", "dy", "dz")};`, `let cast = ${moved.cast}${how};`];
    const kind = options.object ? "object" : "shape";
    const answers = options.turning ? turningHit(options.object ? "turning_object" : "turning", asked) : hits(kind, "&cast", asked);
    return {
      uses: [...moved.uses, ...(options.turning ? [] : ["Sides"]), ...(leaves ? ["InitialOverlap"] : [])],
      imports: moved.imports,
      lines: [...moved.lines, ...cast, ...answers],
    };
  },
  distance({ question: q }, { status, distance }) {
    const lines = ["a", "b"].map((side) => `let ${side} = scene.object_named(${text(String(q[`object_${side}`]))}).unwrap();`);
    const call = `snapshot.distance(a, b, ${f32(q.max_distance ?? Infinity)}, filter)`;
    if (status === "none") return { uses: [], lines: [...lines, `assert_eq!(${call}, None);`] };
    return {
      uses: [],
      imports: ["use hitscan::world::DistanceStatus;"],
      lines: [...lines, `let found = ${call}.unwrap();`, `assert_eq!(found.status, DistanceStatus::${titled(String(status))});`, bits("found.distance", distance)],
    };
  },
  height({ question: q, options }, answer) {
    const at = vector(q, "x", "z");
    const footprint = options.method === "footprint";
    const area = "half_x" in q ? `rectangle(${at}, [${f64(q, "half_x")}, ${f64(q, "half_z")}], ${f64(q, "angle")})` : `disc(${at}, ${f64(q, "radius")})`;
    const call = footprint
      ? `footprint(&Footprint::${area}.unwrap(), filter)`
      : (options.method ?? "exact") === "exact" ? `height(${at}, filter)` : `${options.method}_height(${at}, ${Number(options.radius ?? 0)}_f64, filter)`;
    const type = footprint ? "FootprintSample" : "Ground";
    const status = String(answer.status ?? "outside");
    const check = answer.status === "ok"
      ? [`let ${type}::${footprint ? "Ground" : "Height"}(ground) = ground else { panic!("no ground") };`, bits("ground.height", answer.height)]
      : [`assert_eq!(ground, ${type}::${titled(status)});`];
    const imports = [`use hitscan::height_field::${footprint ? "{Footprint, FootprintSample}" : "Ground"};`];
    return { uses: [], imports, lines: [`let ground = snapshot.${call};`, ...check] };
  },
  overlap({ question: q, options, answers, total }) {
    if (Object.keys(q).length === 0) {
      const query = options.exact ? "overlaps" : "broad_phase_pairs";
      return { uses: [], lines: [total > MOST_PAIRS ? `assert!(snapshot.${query}(filter).len() > ${MOST_PAIRS});` : `assert_eq!(snapshot.${query}(filter).len(), ${total});`] };
    }
    const { uses, imports, lines } = shape(q, options);
    const found = answers.filter(({ status }) => status !== "separate" && status !== "invalid");
    const query = `let contacts = snapshot.contacts(shape, ${f32(q.margin ?? 0)}, ContactsPer::${options.each === "triangle" ? "Triangle" : "Object"}, filter);`;
    const checks = found.slice(0, 8).map((answer, i) => bits(`contacts[${i}].separation`, answer.separation));
    return { uses: ["ContactsPer", ...uses], imports, lines: [...lines, query, `assert_eq!(contacts.len(), ${found.length && total});`, ...checks] };
  },
  closest({ question: q, options }, answer) {
    const query = `snapshot.closest_point${String(options.signed) === "true" ? "_signed" : ""}`;
    const call = `${query}(${vector(q, "px", "py", "pz")}, ${f32(q.max_distance ?? Infinity)}, filter)`;
    if (answer.status === "none") return { uses: [], lines: [`assert_eq!(${call}, None);`] };
    return { uses: [], lines: [`let hit = ${call}.unwrap();`, bits("hit.distance", answer.distance), ...named(answer)] };
  },
  sight({ question: q }, answer) {
    const ends = `${vector(q, "x", "y", "z")}, ${vector(q, "target_x", "target_y", "target_z")}, filter`;
    if (answer.status === "visible" || answer.t === undefined) return { uses: [], lines: [`assert_eq!(snapshot.is_visible(${ends}), ${answer.status === "visible"});`] };
    const { object, triangle } = answer;
    return {
      uses: [],
      lines: [
        `let blocker = snapshot.first_blocker(${ends}).unwrap();`,
        bits("blocker.t", answer.t),
        `assert_eq!(scene.object_name(blocker.object), Some(${text(String(object))}));`,
        ...(triangle === undefined ? [] : [`assert_eq!(blocker.triangle.map(|id| id.triangle), Some(${triangle}));`]),
      ],
    };
  },
  viewshed({ question: q, options }, { status, object, visible, hidden }) {
    const eye = "y" in q ? `at(${vector(q, "x", "y", "z")})` : `standing(${vector(q, "x", "z")})`;
    const limits = ["above", "target_above", "max_distance"].filter((name) => name in options).map((name) => `.with_${name}(${float(Number(options[name]))}).unwrap()`);
    const terrain = String(object ?? options.terrain ?? "");
    const lines = [
      ...(terrain ? [`let terrain = scene.object_named(${text(terrain)}).unwrap();`] : ["let terrain = snapshot.height_fields(()).next().unwrap().0;"]),
      `let query = ViewshedQuery::${eye}${limits.join("")};`,
      "let viewshed = snapshot.viewshed(terrain, &query, filter);",
    ];
    if (status !== "ok") return { uses: [], imports: ["use hitscan::height_field::ViewshedQuery;"], lines: [...lines, "assert!(viewshed.is_none());"] };
    return {
      uses: [],
      imports: ["use hitscan::height_field::{ViewshedQuery, Visibility};"],
      lines: [
        ...lines,
        "let viewshed = viewshed.unwrap();",
        `assert_eq!(viewshed.count(Visibility::Visible), ${visible});`,
        `assert_eq!(viewshed.count(Visibility::Hidden), ${hidden});`,
      ],
    };
  },
};

/** @param {Row} q @param {Options} options */
function shapeMover(q, options) {
  const { uses, imports, lines } = shape(q, options);
  return { uses: ["ShapeCast", ...uses], imports, lines, cast: "ShapeCast::new(shape, motion).unwrap()" };
}

/** @param {Row} q */
function objectMover(q) {
  const lines = [`let mover = scene.object_named(${text(String(q.mover))}).unwrap();`];
  return { uses: ["ObjectCast"], imports: [], lines, cast: "ObjectCast::new(mover, motion).unwrap()" };
}

/** How a cast turns. @param {Row} q @param {Options} options */
function turn(q, options) {
  const about = q.pivot_x === undefined ? "" : `.about(${vector(q, "pivot_x", "pivot_y", "pivot_z")}).unwrap()`;
  const given = q.tolerance !== undefined ? f64(q, "tolerance") : options.tolerance !== undefined ? float(Number(options.tolerance)) : undefined;
  const near = given === undefined ? "" : `.with_tolerance(${given}).unwrap()`;
  return `.turning(${vector(q, "axis_x", "axis_y", "axis_z")}, ${f64(q, "angle")}).unwrap()${about}${near}`;
}

/** @param {"turning" | "turning_object"} kind @param {Asked} asked */
function turningHit(kind, { options, answers: [first = {}] }) {
  const call = `snapshot.cast_${kind}(&cast, filter)`;
  if (options.hits === "any") return [`assert_eq!(${call}.is_some(), ${first.status !== "miss"});`];
  if (first.status === "miss") return [`assert_eq!(${call}, None);`];
  const gap = first.gap === undefined ? [] : [bits("hit.gap", first.gap)];
  return [`let hit = ${call}.unwrap();`, bits("hit.t", first.t), ...gap, ...named(first)];
}

/** A hull of the scene where a row puts it, its rotation brought to unit length as the program does. @param {Row} q @returns {Query} */
function hull(q) {
  const turned = ["qx", "qy", "qz", "qw"].map((column) => f64({ qw: 1, ...q }, column)).join(", ");
  const place = ["cx", "cy", "cz"].map((column) => f64(q, column)).join(", ");
  const rounded = q.radius === undefined ? "" : `.rounded_by(${f64(q, "radius")}).unwrap()`;
  return {
    uses: ["Primitive"],
    imports: ["use hitscan::glam::{DQuat, DVec3};", "use hitscan::world::ObjectShape;"],
    lines: [
      `let object = scene.object_named(${text(String(q.hull))}).unwrap();`,
      'let Some(ObjectShape::Primitive(Primitive::ConvexHull(hull))) = snapshot.shape(object) else { panic!("no hull") };',
      `let rotation = DQuat::from_xyzw(${turned});`,
      "let largest = rotation.to_array().into_iter().fold(0.0, |most: f64, part| most.max(part.abs()));",
      "let rotation = rotation * (1.0 / largest);",
      "let rotation = rotation * (1.0 / rotation.length_squared().sqrt());",
      `let shape = hull.placed_by(hull.scale(), rotation, DVec3::new(${place})).unwrap()${rounded};`,
    ],
  };
}

/** @param {Row} q @param {Options} options @returns {Query} */
function shape(q, options) {
  if (options.shape === "hull") return hull(q);
  const center = vector(q, "cx", "cy", "cz");
  const turned = q.qx === undefined ? { ...q, qw: 1 } : q;
  const turn = ["qx", "qy", "qz", "qw"].map((column) => f64(turned, column)).join(", ");
  const [type, values] = {
    box: ["Aabb", `${vector(q, "min_x", "min_y", "min_z")}, ${vector(q, "max_x", "max_y", "max_z")}`],
    turned_box: ["Obb", `${center}, ${vector(q, "half_x", "half_y", "half_z")}, DQuat::from_xyzw(${turn})`],
    sphere: ["Sphere", `${center}, ${f64(q, "radius")}`],
    cylinder: ["Cylinder", `${vector(q, "ax", "ay", "az")}, ${vector(q, "bx", "by", "bz")}, ${f64(q, "radius")}`],
    capsule: ["Capsule", `${vector(q, "ax", "ay", "az")}, ${vector(q, "bx", "by", "bz")}, ${f64(q, "radius")}`],
  }[/** @type {Exclude<ShapeKind, "hull">} */ (options.shape ?? "box")];
  const imports = type === "Obb" ? ["use hitscan::glam::DQuat;"] : [];
  return { uses: [type ?? ""], imports, lines: [`let shape = ${type}::new(${values}).unwrap();`] };
}

/** What a cast answers. @param {"ray" | "arc" | "shape" | "object"} kind @param {string} query @param {Asked} asked */
function hits(kind, query, { options, answers, total }) {
  const call = `(${query}, (Sides::${titled(String(options.sides ?? "both"))}, filter))`;
  const met = answers.filter(({ status }) => status === "hit" || status === "overlap");
  const [first] = met;
  if (options.hits === "any") return [`assert_eq!(snapshot.cast_${kind}_any${call}, ${met.length > 0});`];
  if (options.hits === "all") {
    const all = met.map(({ t }) => bitsOf(Number(t))).join(", ");
    return [
      `let t: Vec<u32> = snapshot.cast_${kind}_all${call}.iter().map(|hit| hit.t.to_bits()).collect();`,
      `assert_eq!(t.len(), ${met.length && total});`,
      ...(first ? [`assert_eq!(t[..${met.length}], [${all}]);`] : []),
    ];
  }
  if (!first) return [`assert_eq!(snapshot.cast_${kind}${call}, None);`];
  return [`let hit = snapshot.cast_${kind}${call}.unwrap();`, bits("hit.t", first.t), ...named(first)];
}

/** Which object and triangle are hit. @param {Row} answer */
function named({ object, triangle }) {
  const lines = [];
  if (object !== undefined) lines.push(`assert_eq!(hit.object.and_then(|object| scene.object_name(object)), Some(${text(String(object))}));`);
  if (triangle !== undefined) lines.push(`assert_eq!(hit.triangle.map(|id| id.triangle), Some(${triangle}));`);
  return lines;
}

/** @param {Asked} asked */
function filterLines(asked) {
  const { ignored, mask, seesAll } = filterOf(asked);
  const layers = seesAll ? "" : `.layers(0x${mask.toString(16)})`;
  if (ignored.length === 0) return [`let filter = QueryFilter::new()${layers};`];
  return [
    `let names = [${ignored.map(text).join(", ")}];`,
    "let is_ignored = |&object: &_| scene.object_name(object).is_some_and(|name| names.contains(&name));",
    "let ignored: Vec<_> = snapshot.objects().filter(is_ignored).collect();",
    `let filter = QueryFilter::new().exclude(&ignored)${layers};`,
  ];
}

/** An f32 by its bits; zero and infinity by name. @param {Value | undefined} value */
function f32(value) {
  const number = numberOf(value ?? 0);
  if (number === Infinity) return "f32::INFINITY";
  return Object.is(number, 0) ? "0.0" : `f32::from_bits(${bitsOf(number)})`;
}

/** @param {Row} row @param {string} column */
const f64 = (row, column) => `f64::from(${f32(row[column])})`;

/** @param {Row} row @param {string[]} columns */
const vector = (row, ...columns) => `[${columns.map((column) => f32(row[column])).join(", ")}]`;

/** @param {Row} q */
function range({ t_min: from, t_max: to }) {
  return from === undefined && to === undefined ? "" : `.with_range(${f32(from)}, ${f32(to ?? Infinity)}).unwrap()`;
}

/** @param {string} what @param {Value | undefined} value */
const bits = (what, value) => `assert_eq!(${what}.to_bits(), ${bitsOf(Number(value))}); // ${f32Text(Number(value))}`;

/** @param {string} word */
const titled = (word) => `${word[0]?.toUpperCase()}${word.slice(1)}`;

/** A string literal. @param {string} value */
function text(value) {
  const plain = value.replace(/[\\"]/g, "\\$&");
  return `"${plain.replace(/[^\x20-\x7e]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`)}"`;
}
