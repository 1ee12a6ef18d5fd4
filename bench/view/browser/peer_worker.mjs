// A worker of the peer: casts rows of a picture, and lights what they meet.
import { BufferAttribute, BufferGeometry, DoubleSide, Ray, Vector3 } from "three";
import { MeshBVH } from "./node_modules/three-mesh-bvh/src/index.js";

/** @import { Frame } from "./observe.mjs" */

/** A row is taken at a time, so that workers end together. */
const ROWS = 4;
const SUN = new Vector3(0.5, 0.8, 0.35).normalize();
const SKY = [150, 180, 220];
const MISSED = -1;

/** @type {MeshBVH} */
let bvh;
/** @type {{ pixels: Uint8ClampedArray, distances: Float32Array, row: Int32Array }[]} */
let buffers = [];

globalThis.onmessage = ({ data }) => {
  if ("tree" in data) {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(data.positions, 3));
    geometry.setIndex(new BufferAttribute(data.tree.index, 1));
    bvh = MeshBVH.deserialize(data.tree, geometry, { setIndex: false });
    buffers = data.buffers;
  } else cast(data.frame, data.number);
  postMessage("done");
};

/**
 * Casts rows of a view until there are none: the rays of `hitscan::Camera` through the middle of each block.
 * @param {Frame} frame
 * @param {number} number
 */
function cast({ eye, look, fov, size: [wide, high], scale }, number) {
  const { pixels, distances, row } = buffers[number];
  const [width, height] = [Math.ceil(wide / scale), Math.ceil(high / scale)];
  const origin = new Vector3(...eye.map(Math.fround));
  const forward = new Vector3(...look.map(Math.fround)).sub(origin).normalize();
  const right = new Vector3().crossVectors(forward, new Vector3(0, 1, 0)).normalize();
  const halfHeight = Math.tan((fov * Math.PI) / 360);
  const up = new Vector3().crossVectors(right, forward).multiplyScalar(halfHeight);
  right.multiplyScalar((halfHeight * wide) / high);
  const ray = new Ray(origin, new Vector3());
  for (let first = Atomics.add(row, 0, ROWS); first < height; first = Atomics.add(row, 0, ROWS)) {
    for (let y = first; y < Math.min(first + ROWS, height); y += 1) {
      const down = (2 * (y + 0.5) * scale) / high - 1;
      for (let x = 0; x < width; x += 1) {
        const across = (2 * (x + 0.5) * scale) / wide - 1;
        ray.direction.copy(forward).addScaledVector(right, across).addScaledVector(up, -down).normalize();
        const hit = bvh.raycastFirst(ray, DoubleSide);
        const pixel = y * width + x;
        distances[pixel] = hit ? hit.distance : MISSED;
        const light = hit ? 60 + 180 * Math.max(0, hit.face.normal.dot(SUN)) : 0;
        for (let color = 0; color < 3; color += 1) pixels[4 * pixel + color] = hit ? light : SKY[color];
        pixels[4 * pixel + 3] = 255;
      }
    }
  }
}
