// three-mesh-bvh as a page like that of `hitscan view`: a ray for each pixel, drawn on a canvas.
//
// One tree, built once by its surface area heuristic and shared by as many workers as there are processors; each takes
// rows of the picture until there are none. The next picture is cast while one is drawn.
import { BufferAttribute, BufferGeometry } from "three";
import { MeshBVH, SAH } from "./node_modules/three-mesh-bvh/src/index.js";

/** @import { Frame } from "./observe.mjs" */

/** Pictures at once: one is cast, one is drawn. */
const PICTURES = 2;
const MOST_RAYS = 2560 * 1440;

const picture = /** @type {HTMLCanvasElement} */ (document.querySelector("#picture"));
const context = /** @type {CanvasRenderingContext2D} */ (picture.getContext("2d", { alpha: false }));
const shared = (/** @type {number} */ bytes) => new SharedArrayBuffer(bytes);
const buffers = Array.from({ length: PICTURES }, () => ({
  pixels: new Uint8ClampedArray(shared(4 * MOST_RAYS)),
  distances: new Float32Array(shared(4 * MOST_RAYS)),
  row: new Int32Array(shared(4)),
}));
/** @type {Worker[]} */
let workers = [];

/** Reads the mesh, builds its tree and starts the workers; how many triangles it has. */
async function start() {
  const text = await (await fetch("mesh.obj")).text();
  /** @type {number[]} */
  const points = [];
  /** @type {number[]} */
  const corners = [];
  for (const line of text.split("\n")) {
    const [kind, ...numbers] = line.split(" ");
    if (kind === "v") points.push(...numbers.map(Number));
    if (kind === "f") corners.push(...numbers.map((number) => Number(number) - 1));
  }
  const positions = new Float32Array(shared(4 * points.length));
  positions.set(points);
  const index = new Uint32Array(shared(4 * corners.length));
  index.set(corners);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(index, 1));
  const bvh = new MeshBVH(geometry, { strategy: SAH, useSharedArrayBuffer: true });
  const tree = MeshBVH.serialize(bvh, { cloneBuffers: false });
  workers = Array.from({ length: navigator.hardwareConcurrency }, () => new Worker("peer_worker.mjs", { type: "module" }));
  await Promise.all(workers.map((worker) => told(worker, { tree, positions, buffers })));
  return corners.length / 3;
}

/** Tells a worker something; fulfilled when it has done it. @param {Worker} worker @param {unknown} what */
function told(worker, what) {
  return new Promise((resolve, reject) => {
    worker.onmessage = () => resolve(undefined);
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage(what);
  });
}

/** Casts a view into one of the buffers. @param {Frame} frame @param {number} number */
async function cast(frame, number) {
  Atomics.store(buffers[number].row, 0, 0);
  await Promise.all(workers.map((worker) => told(worker, { frame, number })));
}

/** How many pixels a view's picture has. @param {Frame} frame @returns {[number, number]} */
const sizeOf = ({ size: [width, height], scale }) => [Math.ceil(width / scale), Math.ceil(height / scale)];

/** Draws a buffer as an animation frame. @param {Frame} frame @param {number} number */
async function draw(frame, number) {
  const [width, height] = sizeOf(frame);
  const image = new ImageData(buffers[number].pixels.slice(0, 4 * width * height), width, height);
  await new Promise((resolve) => requestAnimationFrame(resolve));
  if (picture.width !== width || picture.height !== height) [picture.width, picture.height] = [width, height];
  picture.style.width = `${width * frame.scale}px`;
  context.putImageData(image, 0, 0);
}

Object.assign(globalThis, {
  peer: {
    ready: start(),

    /** Casts and draws these views, over and over, for so many milliseconds. @param {{ frames: Frame[], ms: number }} what */
    async replay({ frames, ms }) {
      const begin = performance.now();
      let [drawn, rays] = [0, 0];
      let casting = cast(frames[0], 0);
      for (let goesOn = true; goesOn; drawn += 1) {
        const frame = frames[drawn % frames.length];
        await casting;
        goesOn = performance.now() < begin + ms;
        if (goesOn) casting = cast(frames[(drawn + 1) % frames.length], (drawn + 1) % PICTURES);
        await draw(frame, drawn % PICTURES);
        const [width, height] = sizeOf(frame);
        rays += width * height;
      }
      return { seconds: (performance.now() - begin) / 1000, frames: drawn, rays };
    },

    /** How far each ray of a view goes, row by row; null where it meets nothing. @param {Frame} frame */
    async distances(frame) {
      await cast(frame, 0);
      const [width, height] = sizeOf(frame);
      const distances = Array.from(buffers[0].distances.slice(0, width * height));
      return { distances: distances.map((distance) => (distance < 0 ? null : distance)) };
    },
  },
});
