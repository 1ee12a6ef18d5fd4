/** The shape that sweeps and overlaps ask with: its kind and its size. */

import { field, make, numberInput, segmented } from "./elements.js";
import { shortest } from "./numbers.js";

/** @type {ShapeSettings} */
export const DEFAULT_SHAPE = { kind: "box", size: [1, 1, 1], radius: 0.5, height: 1.8, turn: 30, lift: 0.1 };

/** The columns of the shape that stands on a point. @param {ShapeSettings} shape @param {Point} point @returns {Row} */
export function shapeRow({ kind, size, radius, height, turn, lift }, [x, y, z]) {
  const [hx, hy, hz] = size.map((whole) => whole / 2);
  const half = { half_x: hx ?? 0, half_y: hy ?? 0, half_z: hz ?? 0 };
  const foot = y + lift;
  const angle = (turn * Math.PI) / 360;
  const rows = {
    box: { min_x: x - half.half_x, min_y: foot, min_z: z - half.half_z, max_x: x + half.half_x, max_y: foot + size[1], max_z: z + half.half_z },
    turned_box: { cx: x, cy: foot + half.half_y, cz: z, ...half, qx: 0, qy: Math.sin(angle), qz: 0, qw: Math.cos(angle) },
    sphere: { cx: x, cy: foot + radius, cz: z, radius },
    capsule: { ax: x, ay: foot + radius, az: z, bx: x, by: foot + Math.max(height - radius, radius), bz: z, radius },
  };
  return Object.fromEntries(Object.entries(rows[kind]).map(([column, value]) => [column, shortest(value)]));
}

/** @param {ShapeSettings} shape @param {(shape: ShapeSettings) => void} onchange */
export function shapeFields(shape, onchange) {
  let now = shape;
  const set = (/** @type {Partial<ShapeSettings>} */ changes) => {
    now = { ...now, ...changes };
    fit();
    onchange(now);
  };
  const axes = ["x", "y", "z"].map((name, axis) =>
    numberInput({ label: `Size along ${name}`, value: shape.size[axis], min: 0, onchange: (typed) => {
      const size = now.size.map((old, i) => (i === axis ? (typed ?? old) : old));
      set({ size: /** @type {Point} */ (size) });
    } }),
  );
  const size = make("div", { class: "point", role: "group", "aria-label": "Size" }, make("span", { class: "field-label" }, "Size, m"), ...axes);
  /** @param {string} label @param {"radius" | "height" | "turn" | "lift"} key @param {string} unit @param {number} [min] */
  const one = (label, key, unit, min = 0) => field(label, numberInput({ value: shape[key], min, onchange: (typed) => set({ [key]: typed ?? shape[key] }) }), unit);
  const [radius, height, turn] = [one("Radius", "radius", "m"), one("Height", "height", "m"), one("Turned by", "turn", "°", -360)];
  const choices = /** @type {const} */ ([["box", "Box"], ["turned_box", "Turned"], ["sphere", "Sphere"], ["capsule", "Capsule"]]);
  const kind = segmented({ label: "Shape", choices: choices.map(([value, label]) => ({ value, label })), value: shape.kind, onchange: (value) => set({ kind: value }) });
  function fit() {
    size.hidden = !now.kind.endsWith("box");
    turn.hidden = now.kind !== "turned_box";
    radius.hidden = !size.hidden;
    height.hidden = now.kind !== "capsule";
  }
  fit();
  return make("div", { class: "tool-fields" }, kind.element, size, turn, radius, height, one("Lifted by", "lift", "m", -1e6));
}
