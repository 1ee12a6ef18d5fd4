/** The scale of a section: from metres along and up to pixels, its ticks, and its lines as SVG paths. Pure. */

/** The whole length that there is to show. @param {Section} section @returns {[number, number]} */
export function extentOf({ ray, ground, march }) {
  return spanOf([ray, ground, march?.samples ?? []].flatMap((line) => line.map(([s]) => s)), 1);
}

/** What there is to see of it: up to the hit or the nearest approach, with a margin of a tenth. @param {Section} section @returns {[number, number]} */
export function focusOf(section) {
  const [from, to] = section.focus;
  const whole = extentOf(section);
  const margin = Math.max((to - from) / 10, 0.5);
  return [Math.max(from - margin, whole[0]), Math.min(to + margin, whole[1])];
}

/**
 * The scale for a part of the length: all ground in it fits, and the ray where it is near, with a margin of a twentieth.
 * @param {Section} section @param {readonly [number, number]} along @param {{width: number, height: number}} size pixels
 * @returns {Scale}
 */
export function scaleOf(section, [s0, s1], { width, height }) {
  const ground = heightsWithin(section.ground, s0, s1);
  const [floor, top] = spanOf(ground, 1);
  const reach = Math.max(top - floor, (s1 - s0) / 50);
  // A ray high above does not press the ground flat: what is more than two reaches away is cut off.
  const above = [section.ray, section.march?.samples ?? []].flatMap((line) => heightsWithin(line, s0, s1));
  const near = above.filter((y) => ground.length === 0 || (y > floor - 2 * reach && y < top + 2 * reach));
  const [least, most] = spanOf([...ground, ...near], reach);
  const margin = (most - least) / 20;
  const [low, high] = [least - margin, most + margin];
  return { s0, s1, low, high, width, height, exaggeration: height / (high - low) / (width / (s1 - s0)) };
}

/** The heights of a line between two places, those at their edges included. @param {Profile} line @param {number} s0 @param {number} s1 */
export function heightsWithin(line, s0, s1) {
  return line.flatMap(([s, y], i) => {
    const [next, after] = line[i + 1] ?? [s, null];
    if (y === null) return [];
    const own = s >= s0 && s <= s1 ? [y] : [];
    if (after === null || next === s) return own;
    const parts = [s0, s1].map((edge) => (edge - s) / (next - s)).filter((part) => part > 0 && part < 1);
    return [...own, ...parts.map((part) => y + part * (after - y))];
  });
}

/** Minimum and maximum, at least so far apart. @param {readonly number[]} values @param {number} least @returns {[number, number]} */
function spanOf(values, least) {
  if (values.length === 0) return [0, least];
  const [low, high] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  const lack = Math.max(least - (high - low), 0) / 2;
  return [low - lack, high + lack];
}

/** @param {Scale} scale @param {number} s */
export const xOf = ({ s0, s1, width }, s) => ((s - s0) / (s1 - s0)) * width;

/** @param {Scale} scale @param {number} y */
export const yOf = ({ low, high, height }, y) => ((high - y) / (high - low)) * height;

/** Round values between two numbers: steps of 1, 2 or 5 times a power of ten. @param {number} low @param {number} high @param {number} count about so many */
export function ticks(low, high, count) {
  const raw = (high - low) / Math.max(count, 1);
  if (!(raw > 0) || !Number.isFinite(raw)) return [];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5].find((one) => raw / power <= one) ?? 10);
  const decimals = Math.max(-Math.floor(Math.log10(step) + 1e-9), 0);
  const first = Math.ceil(low / step - 1e-9);
  const found = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: found }, (_, i) => Number(((first + i) * step).toFixed(decimals)));
}

/** A line as path data, interrupted where there is no height. @param {Scale} scale @param {Profile} line */
export function linePath(scale, line) {
  return runsOf(line).map((run) => `M${run.map(([s, y]) => `${pixel(xOf(scale, s))} ${pixel(yOf(scale, y))}`).join("L")}`).join("");
}

/** What is below a line, as path data. @param {Scale} scale @param {Profile} line */
export function areaPath(scale, line) {
  const x = (/** @type {readonly number[] | undefined} */ at) => pixel(xOf(scale, at?.[0] ?? 0));
  return runsOf(line).map((run) => `${linePath(scale, run)}L${x(run.at(-1))} ${scale.height}L${x(run[0])} ${scale.height}Z`).join("");
}

/** The stretches of a line that have heights. @param {Profile} line @returns {[number, number][][]} */
function runsOf(line) {
  /** @type {[number, number][][]} */
  const runs = [[]];
  for (const [s, y] of line) {
    if (y === null) runs.push([]);
    else runs.at(-1)?.push([s, y]);
  }
  return runs.filter((run) => run.length > 0);
}

/** Boxes as path data. @param {Scale} scale @param {readonly (readonly [number, number, number, number])[]} boxes s0, s1, low, high */
export function boxesPath(scale, boxes) {
  const seen = boxes.filter(([s0, s1]) => s1 >= scale.s0 && s0 <= scale.s1);
  return seen
    .map(([s0, s1, low, high]) => {
      const [x0, x1] = [xOf(scale, s0), xOf(scale, s1)].map(pixel);
      return `M${x0} ${pixel(yOf(scale, high))}H${x1}V${pixel(yOf(scale, low))}H${x0}Z`;
    })
    .join("");
}

/** A square at each point, as path data. @param {Scale} scale @param {Profile} points @param {number} size pixels */
export function marksPath(scale, points, size) {
  const corner = (/** @type {number} */ at) => pixel(at - size / 2);
  return points.map(([s, y]) => `M${corner(xOf(scale, s))} ${corner(yOf(scale, y ?? 0))}h${size}v${size}h${-size}Z`).join("");
}

/**
 * A part of the length, nearer (a factor below 1) or farther around a place, that does not leave the whole.
 * @param {readonly [number, number]} along @param {number} factor @param {number} center @param {readonly [number, number]} whole
 * @returns {[number, number]}
 */
export function zoomed([s0, s1], factor, center, whole) {
  const most = whole[1] - whole[0];
  const length = Math.min(Math.max((s1 - s0) * factor, most / 1e5), most);
  const start = center - ((center - s0) / (s1 - s0)) * length;
  const from = Math.min(Math.max(start, whole[0]), whole[1] - length);
  return [from, from + length];
}

/** A tenth of a pixel is enough, and far outside is far enough. @param {number} value */
const pixel = (value) => Math.round(Math.min(Math.max(value, -1e4), 1e4) * 10) / 10;
