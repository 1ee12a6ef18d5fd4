/** Numbers and sizes for people. Pure. */

/** Points of a thousand in counts: a thin space, which every language reads. */
const THIN = "\u202f";

/**
 * A whole number with its thousands apart.
 * @param {number} count
 */
export function whole(count) {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, THIN);
}

/**
 * A number with a few significant digits and a prefix: 12.3 M.
 * @param {number} value
 */
export function short(value) {
  const prefixes = ["", "k", "M", "G", "T"];
  let at = 0;
  let rest = value;
  while (Math.abs(rest) >= 999.5 && at < prefixes.length - 1) {
    rest /= 1000;
    at += 1;
  }
  const digits = at === 0 || Math.abs(rest) >= 99.95 ? 0 : 1;
  return `${rest.toFixed(digits)}${at === 0 ? "" : ` ${prefixes[at]}`}`;
}

/**
 * Nanoseconds in the unit that suits them.
 * @param {number} nanoseconds
 */
export function duration(nanoseconds) {
  if (nanoseconds < 1000) return `${Math.round(nanoseconds)} ns`;
  if (nanoseconds < 1e6) return `${(nanoseconds / 1e3).toPrecision(3)} µs`;
  if (nanoseconds < 1e9) return `${(nanoseconds / 1e6).toPrecision(3)} ms`;
  return `${(nanoseconds / 1e9).toPrecision(3)} s`;
}
