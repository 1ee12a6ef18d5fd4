/** The shape of sweeps and overlaps: its kind and its size. */

import { field, fill, make, numberInput, segmented } from "./elements.js";
import { shortest } from "./numbers.js";
import { RefusedError } from "./transport.js";
import { turn as turned } from "./vector.js";
import { placedLines, shapeLines } from "./wireframe.js";

/** @type {ShapeSettings} */
export const DEFAULT_SHAPE = { kind: "box", size: [1, 1, 1], radius: 0.5, height: 1.8, turn: 30, lift: 0.1, hull: "", outline: null };

/** The columns of the shape that rests on a point. @param {ShapeSettings} shape @param {Point} point @param {Wireframe | null} outline of a hull @returns {Row} */
export function shapeRow({ kind, size, radius, height, turn, lift, hull }, [x, y, z], outline) {
  const [hx, hy, hz] = size.map((whole) => whole / 2);
  const half = { half_x: hx ?? 0, half_y: hy ?? 0, half_z: hz ?? 0 };
  const foot = y + lift;
  const angle = (turn * Math.PI) / 360;
  const rows = {
    box: { min_x: x - half.half_x, min_y: foot, min_z: z - half.half_z, max_x: x + half.half_x, max_y: foot + size[1], max_z: z + half.half_z },
    turned_box: { cx: x, cy: foot + half.half_y, cz: z, ...half, qx: 0, qy: Math.sin(angle), qz: 0, qw: Math.cos(angle) },
    sphere: { cx: x, cy: foot + radius, cz: z, radius },
    cylinder: { ax: x, ay: foot, az: z, bx: x, by: foot + height, bz: z, radius },
    hull: { ...hullPlace(outline?.bounds, [x, foot, z], angle), qx: 0, qy: Math.sin(angle), qz: 0, qw: Math.cos(angle) },
    capsule: { ax: x, ay: foot + radius, az: z, bx: x, by: foot + Math.max(height - radius, radius), bz: z, radius },
  };
  const numbers = Object.entries(rows[kind]).map(([column, value]) => [column, shortest(value)]);
  return { ...(kind === "hull" ? { hull } : {}), ...Object.fromEntries(numbers) };
}

/** Where a hull's own origin is when the middle of its box is above a point that it rests on. @param {[Point, Point] | undefined} bounds @param {Point} foot @param {number} angle half of that about +Y */
function hullPlace([low, high] = [[0, 0, 0], [0, 0, 0]], [x, y, z], angle) {
  const [mx, , mz] = turned([(low[0] + high[0]) / 2, 0, (low[2] + high[2]) / 2], [0, 1, 0], 2 * angle);
  return { cx: x - mx, cy: y - low[1], cz: z - mz };
}

/** The lines of a shape where a row puts it. @param {ShapeSettings} shape @param {Row} row @param {Wireframe | null} outline of a hull */
export const settingsLines = ({ kind }, row, outline) => (kind === "hull" ? placedLines(outline?.lines ?? [], row) : shapeLines(kind, row));

/** @param {App} app @param {ShapeSettings} shape @param {(shape: ShapeSettings) => void} onchange */
export function shapeFields({ store, transport, announce }, shape, onchange) {
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
  const hulls = make("select", { onchange: () => choose(hulls.value) });
  const hull = field("Hull", hulls);
  const choices = /** @type {const} */ ([["box", "Box"], ["turned_box", "Turned"], ["sphere", "Sphere"], ["capsule", "Capsule"], ["cylinder", "Cylinder"], ["hull", "Hull"]]);
  const kind = segmented({ label: "Shape", choices: choices.map(([value, label]) => ({ value, label })), value: shape.kind, onchange: (value) => {
    now = { ...now, kind: value };
    choose(hulls.value);
  } });
  function fit() {
    size.hidden = !now.kind.endsWith("box");
    turn.hidden = now.kind !== "turned_box" && now.kind !== "hull";
    hull.hidden = now.kind !== "hull";
    radius.hidden = !size.hidden || !hull.hidden;
    height.hidden = now.kind !== "capsule" && now.kind !== "cylinder";
  }

  /** The program sends the lines of a hull of the scene, so that it can rest on its foot. @param {string} name */
  function choose(name) {
    const outline = now.kind !== "hull" ? null : transport.request("wireframe", { object: name, place: "origin" }).catch((error) => {
      if (!(error instanceof RefusedError)) throw error;
      announce(`The hull ${name} is not known: expected ${error.refused.expected}.`);
      return null;
    });
    set({ hull: name, outline });
  }

  store.watch(["scene"], ({ scene }) => {
    const names = (scene?.objects ?? []).filter(({ kind }) => kind === "hull").map(({ name }) => name);
    fill(hulls, ...names.map((name) => make("option", { value: name }, name)));
    const input = kind.element.querySelector('input[value="hull"]');
    if (input instanceof HTMLInputElement) input.disabled = names.length === 0;
    const name = names.includes(now.hull) ? now.hull : (names[0] ?? "");
    hulls.value = name;
    if (names.length === 0 && now.kind === "hull") {
      kind.set("box");
      now = { ...now, kind: "box" };
    }
    choose(name);
  });
  fit();
  return make("div", { class: "tool-fields" }, kind.element, hull, size, turn, radius, height, one("Lifted by", "lift", "m", -1e6));
}
