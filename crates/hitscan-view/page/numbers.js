/** Numbers as text: as the program's tables have them, as bits, and short for people. Pure. */

const view = new DataView(new ArrayBuffer(4));

/** The bits of the nearest f32, such as `0x40490fdb`. @param {number} value */
export function bitsOf(value) {
  view.setFloat32(0, value);
  return `0x${view.getUint32(0).toString(16).padStart(8, "0")}`;
}

/** The number with the fewest digits that is read as the nearest f32; never -0. @param {number} value */
export function shortest(value) {
  const single = Math.fround(value) + 0;
  for (let digits = 1; digits <= 9; digits += 1) {
    const short = Number(single.toPrecision(digits));
    if (Math.fround(short) === single) return short;
  }
  return single;
}

/** The fewest digits that are read back as the same f32. @param {number} value */
export const f32Text = (value) => numberText(shortest(value));

/** The number of a field, which may be text such as "inf". @param {Value} value */
export const numberOf = (value) => (typeof value === "string" && /^\s*\+?inf(inity)?\s*$/i.test(value) ? Infinity : Number(value));

/** A value as the program's tables write it. @param {Value | undefined} value */
export function fieldText(value) {
  return typeof value === "number" ? numberText(value) : (value ?? "");
}

/** The shortest text of a number, from 1e16 up and below 1e-5 with an exponent. @param {number} value */
export function numberText(value) {
  if (Object.is(value, -0)) return "-0";
  const size = Math.abs(value);
  return size !== 0 && (size >= 1e16 || size < 1e-5) ? value.toExponential() : String(value);
}

/** Three significant digits without an exponent. @param {number} value */
export function significant(value) {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const text = value.toFixed(Math.min(Math.max(2 - Math.floor(Math.log10(Math.abs(value))), 0), 9));
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** A length for people. @param {number} value metres */
export function metres(value) {
  const size = Math.abs(value);
  if (size === 0 || size >= 1) return `${significant(value)} m`;
  return size < 0.001 ? `${significant(value * 1e6)} µm` : `${significant(value * 1000)} mm`;
}
