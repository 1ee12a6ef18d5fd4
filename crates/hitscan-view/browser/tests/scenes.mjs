// Scenes that the tests make for themselves: small, with something of each kind, and drawn in a moment.
import { square, triangle, walker } from "./models.mjs";

/** @typedef {import("./program.mjs").Folder} Folder */

/** Samples of the hills each way; they are one metre apart, the middle one over the origin. */
const SAMPLES = 25;

/**
 * Hills as an ESRI ASCII grid: two ridges, and a hole in a corner.
 * @param {Folder} folder
 */
function hills(folder) {
  const middle = (SAMPLES - 1) / 2;
  const rows = Array.from({ length: SAMPLES }, (_, row) =>
    Array.from({ length: SAMPLES }, (_, column) => {
      if (row < 3 && column < 3) return -9999;
      const [x, z] = [column - middle, row - middle];
      const height = 0.6 * Math.sin(x * 0.7) + 0.4 * Math.cos(z * 0.9) + 2.4 * Math.exp(-((z + 7) ** 2) / 4);
      return Math.round(height * 64) / 64;
    }).join(" "),
  );
  const head = [`ncols ${SAMPLES}`, `nrows ${SAMPLES}`, "xllcenter 0", "yllcenter 0", "cellsize 1", "NODATA_value -9999"];
  folder.write("hills.asc", `${[...head, ...rows].join("\n")}\n`);
  return `[[terrain]]\nname = "hills"\nheights = "hills.asc"\norigin = [${-middle}.0, 0.0, ${-middle}.0]\n`;
}

/** The corners of the screen, a folded strip whose triangles share edges: `[x, y, z]` by its 1-based number. */
export const SCREEN = Array.from({ length: 5 }, (_, at) =>
  [0, 1].map((up) => /** @type {[number, number, number]} */ ([-4 + at, 1 + 2 * up, at % 2 === 0 ? -1 : -1.5])),
).flat();

/** Its edges, as pairs of indices of `SCREEN`: those that two triangles share. */
export const SHARED_EDGES = [0, 2, 4, 6].flatMap((at) => (at === 0 ? [[at + 1, at + 2]] : [[at, at + 1], [at + 1, at + 2]]));

/** @param {Folder} folder */
function screen(folder) {
  const vertices = SCREEN.map((at) => `v ${at.join(" ")}`);
  const faces = [1, 3, 5, 7].flatMap((at) => [`f ${at} ${at + 2} ${at + 1}`, `f ${at + 1} ${at + 2} ${at + 3}`]);
  folder.write("screen.obj", `${["o screen", ...vertices, ...faces].join("\n")}\n`);
  return '[[model]]\nname = "screen"\nfile = "screen.obj"\n';
}

/** Solids of every kind. */
const SOLIDS = `
[[sphere]]
name = "ball"
center = [3.0, 2.2, -1.0]
radius = 1.2

[[box]]
name = "crate"
min = [-1.0, 0.8, 1.0]
max = [0.5, 2.3, 2.5]
layers = 2

[[capsule]]
name = "post"
a = [2.0, 1.0, 3.0]
b = [2.0, 3.0, 3.0]
radius = 0.4

[[turned_box]]
name = "plank"
center = [-4.0, 1.6, 3.0]
half_size = [1.4, 0.15, 0.5]
rotation = [0.0, 0.383, 0.0, 0.924]
`;

/**
 * Something of each kind; its path.
 * @param {Folder} folder
 */
export const yard = (folder) => folder.write("yard.toml", [hills(folder), screen(folder), SOLIDS].join("\n"));

/** What x, y and z of tables are at the middle of `mappedYard`. */
export const MAP_ORIGIN = /** @type {const} */ ({ x: 512345.5, y: 93.25, z: 6212345.75 });

/**
 * The same in map coordinates; its path.
 * @param {Folder} folder
 */
export function mappedYard(folder) {
  const world = `[world]\norigin = [${MAP_ORIGIN.x}, ${MAP_ORIGIN.y}, ${MAP_ORIGIN.z}]\n`;
  return folder.write("mapped.toml", [world, hills(folder), screen(folder), SOLIDS].join("\n"));
}

/**
 * A sphere, a box and nothing else: the smallest scene with a silhouette.
 * @param {Folder} folder
 * @param {string} [name] of the box
 */
export function pair(folder, name = "block") {
  const text = `[[sphere]]\nname = "ball"\ncenter = [-1.5, 0.0, 0.0]\nradius = 1.0\n\n[[box]]\nname = ${JSON.stringify(name)}\nmin = [0.5, -1.0, -1.0]\nmax = [2.5, 1.0, 1.0]\n`;
  return folder.write("pair.toml", text);
}

/** A floor, and on it what is made of several pieces or of corners. */
const QUARRY = `
[[box]]
name = "floor"
min = [-8.0, -0.5, -8.0]
max = [8.0, 0.0, 8.0]

[[hull]]
name = "rock"
points = [[-1, 0, -1], [1, 0, -1], [1, 0, 1], [-1, 0, 1], [-0.6, 1.2, -0.4], [0.5, 1.4, 0.2], [0, 1, 0.7]]
translation = [3.0, 0.25, 0.0]

[[cylinder]]
name = "pillar"
a = [-3.0, 0.0, -2.0]
b = [-3.0, 3.0, -2.0]
radius = 0.6

[[compound]]
name = "guard"
[[compound.part]]
name = "body"
shape = "capsule"
a = [0.0, 0.55, 3.0]
b = [0.0, 1.3, 3.0]
radius = 0.45
[[compound.part]]
name = "head"
shape = "sphere"
center = [0.0, 2.1, 3.0]
radius = 0.35
`;

/**
 * A hull, a cylinder and a compound on a floor, seen from the scene's own camera; its path.
 * @param {Folder} folder
 */
export const quarry = (folder) => folder.write("quarry.toml", `[camera]\neye = [1.0, 7.0, 13.0]\nlook = [0.0, 0.8, 0.0]\nfov = 42.0\n${QUARRY}`);

/**
 * A figure that walks over the hills, in a rest pose or at a time of its clip.
 * @param {Folder} folder
 * @param {{file?: string, clip?: string, time?: number}} [pose] file: of the scene
 */
export function walk(folder, { file = "walk.toml", clip, time } = {}) {
  folder.write("walker.gltf", walker());
  const at = clip === undefined ? "" : `clip = ${JSON.stringify(clip)}\ntime = ${time ?? 0}\n`;
  const model = `[[model]]\nname = "walker"\nfile = "walker.gltf"\ntranslation = [0.0, 1.5, 0.0]\n${at}`;
  return folder.write(file, `${hills(folder)}\n${model}`);
}

/** How many figures `parade` has. */
export const PARADE = 40;

/**
 * Figures side by side, seen from the scene's own camera; its path.
 * @param {Folder} folder
 */
export function parade(folder) {
  folder.write("walker.gltf", walker());
  const camera = "[camera]\neye = [12.0, 9.0, 34.0]\nlook = [12.0, 1.0, 6.0]\nfov = 40.0\n";
  const figures = Array.from({ length: PARADE }, (_, at) => {
    const place = `[${(at % 8) * 3}.0, 0.0, ${Math.floor(at / 8) * 3}.0]`;
    return `[[model]]\nname = "figure${at}"\nfile = "walker.gltf"\ntranslation = ${place}\n`;
  });
  return folder.write("parade.toml", [camera, ...figures].join("\n"));
}

/**
 * A square that shows an image of red and green above blue and white; its path.
 * @param {Folder} folder
 */
export function painted(folder) {
  folder.write("painted.gltf", square());
  return folder.write("painted.toml", '[[model]]\nname = "square"\nfile = "painted.gltf"\n\n[camera]\neye = [0.0, 0.0, 3.0]\nlook = [0.0, 0.0, 0.0]\n');
}

/**
 * One model whose object bears this name.
 * @param {Folder} folder
 * @param {string} name
 */
export function named(folder, name) {
  folder.write("part.gltf", triangle(name));
  return folder.write("named.toml", `[[model]]\nname = ${JSON.stringify(name)}\nfile = "part.gltf"\n`);
}

/** @param {Folder} folder */
export const nothing = (folder) => folder.write("nothing.toml", "");
