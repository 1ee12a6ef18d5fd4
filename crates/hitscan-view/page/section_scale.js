/** The scale of a section: from metres along and up to pixels, its ticks, and its lines as SVG paths. */

/**
 * @typedef {readonly (readonly [number, number | null])[]} Line points [s, y], null where there is no ground
 * @typedef {import("./messages.js").Section} Section
 *
 * @typedef {object} Scale
 * @property {number} s0 metres along the ground at the left edge
 * @property {number} s1
 * @property {number} low metres up at the lower edge
 * @property {number} high
 * @property {number} width pixels
 * @property {number} height
 * @property {number} exaggeration how much higher than long things are drawn
 */

/**
 * The whole length that there is to show.
 * @param {Section} section
 * @returns {[number, number]}
 */
export function extentOf(section) {
  const lines = [section.ray, section.ground, section.march?.samples ?? []];
  return spanOf(lines.flatMap((line) => line.map(([s]) => s)), 1);
}

/**
 * The scale for a part of the length: all heights in it fit, with a margin of a twentieth.
 * @param {Section} section
 * @param {readonly [number, number]} along
 * @param {{width: number, height: number}} size pixels
 * @returns {Scale}
 */
export function scaleOf(section, [s0, s1], { width, height }) {
  const ground = heightsWithin(section.ground, s0, s1);
  const [floor, top] = spanOf(ground, 1);
  const reach = Math.max(top - floor, (s1 - s0) / 50);
  // A ray high above the ground does not press the ground flat: what is more than two reaches away is cut off.
  const ray = heightsWithin(section.ray, s0, s1);
  const marched = heightsWithin(section.march?.samples ?? [], s0, s1);
  const near = [...ray, ...marched].filter((y) => ground.length === 0 || (y > floor - 2 * reach && y < top + 2 * reach));
  const [low, high] = spanOf([...ground, ...near], reach);
  const margin = (high - low) / 20;
  const scale = { s0, s1, low: low - margin, high: high + margin, width, height };
  const exaggeration = height / (scale.high - scale.low) / (width / (s1 - s0));
  return { ...scale, exaggeration };
}

/**
 * The heights of a line between two places, those at their edges included.
 * @param {Line} line
 * @param {number} s0
 * @param {number} s1
 * @returns {number[]}
 */
export function heightsWithin(line, s0, s1) {
  /** @type {number[]} */
  const heights = [];
  line.forEach(([s, y], i) => {
    if (y === null) return;
    if (s >= s0 && s <= s1) heights.push(y);
    const after = line[i + 1];
    if (!after || after[1] === null || after[0] === s) return;
    for (const edge of [s0, s1]) {
      const part = (edge - s) / (after[0] - s);
      if (part > 0 && part < 1) heights.push(y + part * (after[1] - y));
    }
  });
  return heights;
}

/**
 * Least and greatest, at least `least` apart.
 * @param {readonly number[]} values
 * @param {number} least
 * @returns {[number, number]}
 */
function spanOf(values, least) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return [0, least];
  const lack = Math.max(least - (high - low), 0) / 2;
  return [low - lack, high + lack];
}

/** @param {Scale} scale @param {number} s */
export function xOf(scale, s) {
  return ((s - scale.s0) / (scale.s1 - scale.s0)) * scale.width;
}

/** @param {Scale} scale @param {number} y */
export function yOf(scale, y) {
  return ((scale.high - y) / (scale.high - scale.low)) * scale.height;
}

/**
 * Round values between two numbers: steps of 1, 2 or 5 times a power of ten, about `count` of them.
 * @param {number} low
 * @param {number} high
 * @param {number} count
 * @returns {number[]}
 */
export function ticks(low, high, count) {
  const raw = (high - low) / Math.max(count, 1);
  if (!(raw > 0) || !Number.isFinite(raw)) return [];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * (raw / power <= 1 ? 1 : raw / power <= 2 ? 2 : raw / power <= 5 ? 5 : 10);
  const decimals = Math.max(-Math.floor(Math.log10(step) + 1e-9), 0);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toFixed(decimals)));
}

/**
 * A line as path data; it is interrupted where there is no height.
 * @param {Scale} scale
 * @param {Line} line
 */
export function linePath(scale, line) {
  let pen = "M";
  let path = "";
  for (const [s, y] of line) {
    if (y === null) {
      pen = "M";
      continue;
    }
    path += `${pen}${pixel(xOf(scale, s))} ${pixel(yOf(scale, y))}`;
    pen = "L";
  }
  return path;
}

/**
 * What is below a line, as path data.
 * @param {Scale} scale
 * @param {Line} line
 */
export function areaPath(scale, line) {
  const floor = pixel(scale.height);
  /** @type {[number, number][]} */
  let run = [];
  let path = "";
  const close = () => {
    const [first, last] = [run[0], run.at(-1)];
    if (run.length > 1 && first && last) {
      path += `${linePath(scale, run)}L${pixel(xOf(scale, last[0]))} ${floor}L${pixel(xOf(scale, first[0]))} ${floor}Z`;
    }
    run = [];
  };
  for (const [s, y] of line) {
    if (y === null) close();
    else run.push([s, y]);
  }
  close();
  return path;
}

/**
 * Boxes as path data.
 * @param {Scale} scale
 * @param {readonly (readonly [number, number, number, number])[]} boxes s0, s1, low, high
 */
export function boxesPath(scale, boxes) {
  return boxes
    .filter(([s0, s1]) => s1 >= scale.s0 && s0 <= scale.s1)
    .map(([s0, s1, low, high]) => {
      const [x0, x1] = [xOf(scale, Math.max(s0, scale.s0)), xOf(scale, Math.min(s1, scale.s1))];
      const [y0, y1] = [yOf(scale, high), yOf(scale, low)].map((y) => Math.min(Math.max(y, -4), scale.height + 4));
      return `M${pixel(x0)} ${pixel(y0 ?? 0)}H${pixel(x1)}V${pixel(y1 ?? 0)}H${pixel(x0)}Z`;
    })
    .join("");
}

/**
 * Ticks across a line at its points, as path data.
 * @param {Scale} scale
 * @param {Line} points
 * @param {number} size pixels
 */
export function marksPath(scale, points, size) {
  const half = size / 2;
  return points
    .filter(([s, y]) => y !== null && s >= scale.s0 && s <= scale.s1)
    .map(([s, y]) => `M${pixel(xOf(scale, s) - half)} ${pixel(yOf(scale, y ?? 0) - half)}h${size}v${size}h${-size}Z`)
    .join("");
}

/**
 * A part of the length, nearer or farther around a place, that does not leave the whole.
 * @param {readonly [number, number]} along
 * @param {number} factor below 1 is nearer
 * @param {number} center
 * @param {readonly [number, number]} whole
 * @returns {[number, number]}
 */
export function zoomed([s0, s1], factor, center, whole) {
  const most = whole[1] - whole[0];
  const length = Math.min(Math.max((s1 - s0) * factor, most / 1e5), most);
  const part = (center - s0) / (s1 - s0);
  const start = Math.min(Math.max(center - part * length, whole[0]), whole[1] - length);
  return [start, start + length];
}

/**
 * A tenth of a pixel is enough.
 * @param {number} value
 */
function pixel(value) {
  return String(Math.round(Math.min(Math.max(value, -1e5), 1e5) * 10) / 10);
}
