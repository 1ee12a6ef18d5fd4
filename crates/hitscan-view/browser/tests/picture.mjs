// Pictures: a decoder of the PNGs that the program writes, and the pixels of the page's canvas.
import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";

/**
 * Red, green and blue of each pixel, row by row from the top left.
 * @typedef {{width: number, height: number, rgb: Buffer}} Picture
 */

/**
 * Reads a PNG of 8-bit red, green and blue, without interlacing.
 * @param {string} path
 * @returns {Picture}
 */
export function readPng(path) {
  const file = readFileSync(path);
  /** @type {Buffer[]} */
  const data = [];
  let [width, height] = [0, 0];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const kind = file.toString("latin1", at + 4, at + 8);
    const body = file.subarray(at + 8, at + 8 + length);
    if (kind === "IHDR") {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      if (body[8] !== 8 || body[9] !== 2 || body[12] !== 0) throw new Error(`${path}: not 8-bit RGB`);
    }
    if (kind === "IDAT") data.push(body);
    at += length + 12;
  }
  return { width, height, rgb: unfiltered(inflateSync(Buffer.concat(data)), width * 3, height) };
}

/**
 * Undoes the filters of the rows (PNG specification, section 9).
 * @param {Buffer} bytes
 * @param {number} row bytes of one
 * @param {number} height
 */
function unfiltered(bytes, row, height) {
  const out = Buffer.alloc(row * height);
  for (let y = 0; y < height; y += 1) {
    const kind = bytes[y * (row + 1)];
    for (let x = 0; x < row; x += 1) {
      const left = x >= 3 ? (out[y * row + x - 3] ?? 0) : 0;
      const up = y > 0 ? (out[(y - 1) * row + x] ?? 0) : 0;
      const corner = x >= 3 && y > 0 ? (out[(y - 1) * row + x - 3] ?? 0) : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][kind ?? 5];
      if (guess === undefined) throw new Error(`row ${y} has the filter ${kind}`);
      out[y * row + x] = ((bytes[y * (row + 1) + 1 + x] ?? 0) + guess) & 255;
    }
  }
  return out;
}

/** @param {number} left @param {number} up @param {number} corner */
function paeth(left, up, corner) {
  const at = left + up - corner;
  const [a, b, c] = [Math.abs(at - left), Math.abs(at - up), Math.abs(at - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/**
 * The pixels of the canvas as it stands.
 * @param {import("@playwright/test").Page} page
 * @returns {Promise<Picture>}
 */
export async function canvasPicture(page) {
  const { width, height, text } = await page.evaluate(() => {
    const canvas = document.querySelector("canvas");
    const context = canvas?.getContext("2d", { alpha: false });
    if (!canvas || !context) throw new Error("the page has no canvas");
    const { width, height } = canvas;
    const { data } = context.getImageData(0, 0, width, height);
    let text = "";
    for (let at = 0; at < data.length; at += 4) text += String.fromCharCode(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0);
    return { width, height, text: btoa(text) };
  });
  return { width, height, rgb: Buffer.from(text, "base64") };
}

/**
 * Where two pictures of one size differ: how many pixels, and the first of them.
 * @param {Picture} a
 * @param {Picture} b
 */
export function difference(a, b) {
  if (a.width !== b.width || a.height !== b.height) return `${a.width}x${a.height} and ${b.width}x${b.height}`;
  const pixels = Array.from({ length: a.width * a.height }, (_, at) => at).filter((at) => a.rgb.compare(b.rgb, at * 3, at * 3 + 3, at * 3, at * 3 + 3) !== 0);
  const [first] = pixels;
  if (first === undefined) return "none";
  const at = (/** @type {Picture} */ { rgb }) => rgb.subarray(first * 3, first * 3 + 3).join(" ");
  return `${pixels.length} pixels, the first (${first % a.width}, ${Math.floor(first / a.width)}): ${at(a)} and ${at(b)}`;
}
