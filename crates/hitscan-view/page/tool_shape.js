/** The shape that sweeps and overlaps ask with: its kind and its size. */

import { make, field, numberInput, segmented } from "./elements.js";

/**
 * @typedef {import("./messages.js").Point} Point
 * @typedef {import("./messages.js").Row} Row
 * @typedef {"box" | "turned_box" | "sphere" | "capsule"} ShapeKind
 * @typedef {{kind: ShapeKind, size: Point, radius: number, height: number, turn: number, lift: number}} Shape
 *   size: of the box, metres; height: of the capsule, ends included; turn: degrees about +Y; lift: metres above what was pointed at
 */

/** @type {Shape} */
export const DEFAULT_SHAPE = { kind: "box", size: [1, 1, 1], radius: 0.5, height: 1.8, turn: 30, lift: 0.1 };

/**
 * The columns of the shape that stands on a point.
 * @param {Shape} shape
 * @param {Point} point
 * @returns {Row}
 */
export function shapeRow({ kind, size, radius, height, turn, lift }, [x, y, z]) {
  const half = size.map((whole) => whole / 2);
  const [hx = 0, hy = 0, hz = 0] = half;
  const foot = y + lift;
  /** @type {Row} */
  let row;
  switch (kind) {
    case "box":
      row = { min_x: x - hx, min_y: foot, min_z: z - hz, max_x: x + hx, max_y: foot + 2 * hy, max_z: z + hz };
      break;
    case "turned_box": {
      const angle = (turn * Math.PI) / 360;
      row = { cx: x, cy: foot + hy, cz: z, half_x: hx, half_y: hy, half_z: hz, qx: 0, qy: Math.sin(angle), qz: 0, qw: Math.cos(angle) };
      break;
    }
    case "sphere":
      row = { cx: x, cy: foot + radius, cz: z, radius };
      break;
    case "capsule": {
      const top = foot + Math.max(height - radius, radius);
      row = { ax: x, ay: foot + radius, az: z, bx: x, by: top, bz: z, radius };
      break;
    }
  }
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, Math.fround(Number(value))]));
}

/**
 * The fields of a shape.
 * @param {Shape} shape
 * @param {(shape: Shape) => void} onchange
 */
export function shapeFields(shape, onchange) {
  let now = shape;
  const set = (/** @type {Partial<Shape>} */ changes) => {
    now = { ...now, ...changes };
    fitted();
    onchange(now);
  };
  const number = (/** @type {string} */ label, /** @type {number} */ value, /** @type {(value: number) => Partial<Shape>} */ changes, min = 0) =>
    numberInput({ label, value, min, onchange: (typed) => set(changes(typed ?? value)) });
  const axis = (/** @type {number} */ at) => (/** @type {number} */ value) => ({ size: /** @type {Point} */ (now.size.map((old, i) => (i === at ? value : old))) });
  const size = make(
    "div",
    { class: "point", role: "group", "aria-label": "Size" },
    make("span", { class: "field-label" }, "Size, m"),
    ...["x", "y", "z"].map((name, at) => number(`Size along ${name}`, shape.size[at] ?? 1, axis(at))),
  );
  const radius = field("Radius", number("Radius", shape.radius, (value) => ({ radius: value })), "m");
  const height = field("Height", number("Height", shape.height, (value) => ({ height: value })), "m");
  const turn = field("Turned by", number("Turned by", shape.turn, (value) => ({ turn: value }), -360), "°");
  const lift = field("Lifted by", number("Lifted by", shape.lift, (value) => ({ lift: value }), -1e6), "m");
  const kind = segmented({
    label: "Shape",
    choices: [
      { value: "box", label: "Box" },
      { value: "turned_box", label: "Turned" },
      { value: "sphere", label: "Sphere" },
      { value: "capsule", label: "Capsule" },
    ],
    value: shape.kind,
    onchange: (value) => set({ kind: /** @type {ShapeKind} */ (value) }),
  });
  function fitted() {
    size.hidden = now.kind !== "box" && now.kind !== "turned_box";
    turn.hidden = now.kind !== "turned_box";
    radius.hidden = now.kind !== "sphere" && now.kind !== "capsule";
    height.hidden = now.kind !== "capsule";
  }
  fitted();
  return make("div", { class: "tool-fields" }, kind.element, size, turn, radius, height, lift);
}
