// Models that the tests write: glTF with its bytes in the file.

/**
 * A buffer of numbers, and what glTF says of it.
 * @typedef {{bytes: Buffer, type: string, componentType: number, count: number, target?: number, min?: number[], max?: number[]}} Column
 */

const FLOAT = 5126;
const SHORT = 5123;

/**
 * @param {string} type
 * @param {number[][]} rows
 * @param {object} [more]
 * @returns {Column}
 */
function floats(type, rows, more = {}) {
  return { bytes: Buffer.from(new Float32Array(rows.flat()).buffer), type, componentType: FLOAT, count: rows.length, ...more };
}

/** @param {number[]} values @returns {Column} */
function indices(values) {
  return { bytes: Buffer.from(new Uint16Array(values).buffer), type: "SCALAR", componentType: SHORT, count: values.length };
}

/** @param {number[][]} points @returns {Column} */
function positions(points) {
  const along = (/** @type {(...values: number[]) => number} */ pick) => [0, 1, 2].map((axis) => pick(...points.map((point) => point[axis] ?? 0)));
  return floats("VEC3", points, { min: along(Math.min), max: along(Math.max) });
}

/**
 * A glTF file of these columns, in their order.
 * @param {object} document all but buffers, views and accessors
 * @param {Column[]} columns
 */
function gltf(document, columns) {
  let offset = 0;
  const padded = columns.map(({ bytes }) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]));
  const bufferViews = columns.map(({ bytes }, at) => {
    const view = { buffer: 0, byteOffset: offset, byteLength: bytes.length };
    offset += padded[at]?.length ?? 0;
    return view;
  });
  const accessors = columns.map(({ bytes: _, ...accessor }, bufferView) => ({ bufferView, ...accessor }));
  const uri = `data:application/octet-stream;base64,${Buffer.concat(padded).toString("base64")}`;
  return JSON.stringify({ asset: { version: "2.0" }, ...document, buffers: [{ byteLength: offset, uri }], bufferViews, accessors });
}

/** The corners and triangles of a box about the origin. @param {number[]} half */
function box(half) {
  const corners = Array.from({ length: 8 }, (_, at) => half.map((size, axis) => ((at >> axis) & 1 ? size : -size)));
  const faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
  return { corners, triangles: faces.flatMap(([a = 0, b = 0, c = 0, d = 0]) => [a, b, c, a, c, d]) };
}

/**
 * A figure of a body and an arm. The clip `Walk`, two seconds, carries it two metres along x; `Wave`, one second,
 * turns the arm, which is bound to the joint `elbow`.
 */
export function walker() {
  const body = box([0.5, 1, 0.4]);
  const arm = box([1, 0.2, 0.2]);
  const turned = [0, 0, Math.sin(Math.PI / 6), Math.cos(Math.PI / 6)];
  const columns = [
    positions(body.corners),
    indices(body.triangles),
    positions(arm.corners),
    indices(arm.triangles),
    floats("VEC4", arm.corners.map(([x = 0]) => (x < 0 ? [1, 0, 0, 0] : [0.25, 0.75, 0, 0]))),
    { ...indices(arm.corners.flatMap(() => [0, 1, 0, 0])), type: "VEC4", count: arm.corners.length },
    floats("MAT4", [0, -1].map((x) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1])),
    floats("SCALAR", [[0], [2]], { min: [0], max: [2] }),
    floats("VEC3", [[-1, 0, 0], [1, 0, 0]]),
    floats("SCALAR", [[0], [0.5], [1]], { min: [0], max: [1] }),
    floats("VEC4", [[0, 0, 0, 1], turned, [0, 0, 0, 1]]),
  ];
  const primitive = (/** @type {number} */ from, /** @type {object} */ more = {}) => ({
    primitives: [{ attributes: { POSITION: from, ...more }, indices: from + 1 }],
  });
  const clip = (/** @type {string} */ name, /** @type {number} */ input, /** @type {number} */ node, /** @type {string} */ path) => ({
    name,
    samplers: [{ input, output: input + 1, interpolation: "LINEAR" }],
    channels: [{ sampler: 0, target: { node, path } }],
  });
  return gltf(
    {
      scene: 0,
      scenes: [{ nodes: [0, 2] }],
      nodes: [
        { name: "hip", children: [1, 3] },
        { name: "body", mesh: 0 },
        { name: "arm", mesh: 1, skin: 0 },
        { name: "shoulder", translation: [0.8, 0.5, 0], children: [4] },
        { name: "elbow", translation: [1, 0, 0] },
      ],
      meshes: [primitive(0), primitive(2, { WEIGHTS_0: 4, JOINTS_0: 5 })],
      skins: [{ joints: [3, 4], inverseBindMatrices: 6 }],
      animations: [clip("Walk", 7, 0, "translation"), clip("Wave", 9, 4, "rotation")],
    },
    columns,
  );
}

/**
 * One triangle, as a part that bears this name.
 * @param {string} name
 */
export function triangle(name) {
  const columns = [positions([[-1, -1, 0], [1, -1, 0], [0, 1, 0]]), indices([0, 1, 2])];
  const node = { name, mesh: 0 };
  const mesh = { primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] };
  return gltf({ scene: 0, scenes: [{ nodes: [0] }], nodes: [node], meshes: [mesh] }, columns);
}

/** Two texels by two as PNG: red and green above blue and white. */
const TEXELS = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP4z8DA8J+BkYHh////DAAe9gT9Ce00PgAAAABJRU5ErkJggg==";

/** A square in the plane z = 0 that shows the image of `TEXELS` to +z, texel by texel. */
export function square() {
  const corners = [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]];
  const places = floats("VEC2", [[0, 1], [1, 1], [1, 0], [0, 0]]);
  const attributes = { POSITION: 0, TEXCOORD_0: 1 };
  const document = {
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes, indices: 2, material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
    textures: [{ source: 0 }],
    images: [{ uri: `data:image/png;base64,${TEXELS}` }],
  };
  return gltf(document, [positions(corners), places, indices([0, 1, 2, 0, 2, 3])]);
}
