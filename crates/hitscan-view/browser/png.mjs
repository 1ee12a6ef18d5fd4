// PNGs of 8-bit red, green and blue: read, written, shrunk; and of 8-bit grey: read.
import { readFileSync } from "node:fs";
import { crc32, deflateSync, inflateSync } from "node:zlib";

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
  const { width, height, bytes } = decoded(path, 2, 3);
  return { width, height, rgb: bytes };
}

/**
 * Reads a PNG of 8-bit grey, without interlacing: a byte a pixel.
 * @param {string} path
 * @returns {{width: number, height: number, grey: Buffer}}
 */
export function readGrey(path) {
  const { width, height, bytes } = decoded(path, 0, 1);
  return { width, height, grey: bytes };
}

/**
 * @param {string} path
 * @param {number} color type, PNG specification, section 11.2.2
 * @param {number} channels of it, a byte each
 */
function decoded(path, color, channels) {
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
      if (body[8] !== 8 || body[9] !== color || body[12] !== 0) throw new Error(`${path}: not 8-bit of type ${color}`);
    }
    if (kind === "IDAT") data.push(body);
    at += length + 12;
  }
  return { width, height, bytes: unfiltered(inflateSync(Buffer.concat(data)), width * channels, height, channels) };
}

/**
 * What the filters of a row guess a byte to be (PNG specification, section 9), by their number.
 * @param {Buffer} rgb
 * @param {number} row bytes of one
 * @param {number} x byte in the row
 * @param {number} y
 * @param {number} channels
 */
function guesses(rgb, row, x, y, channels = 3) {
  const left = x >= channels ? (rgb[y * row + x - channels] ?? 0) : 0;
  const up = y > 0 ? (rgb[(y - 1) * row + x] ?? 0) : 0;
  const corner = x >= channels && y > 0 ? (rgb[(y - 1) * row + x - channels] ?? 0) : 0;
  return [0, left, up, (left + up) >> 1, paeth(left, up, corner)];
}

/** @param {number} left @param {number} up @param {number} corner */
function paeth(left, up, corner) {
  const at = left + up - corner;
  const [a, b, c] = [Math.abs(at - left), Math.abs(at - up), Math.abs(at - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/**
 * Undoes the filters.
 * @param {Buffer} bytes
 * @param {number} row bytes of one
 * @param {number} height
 * @param {number} channels
 */
function unfiltered(bytes, row, height, channels) {
  const rgb = Buffer.alloc(row * height);
  for (let y = 0; y < height; y += 1) {
    const kind = bytes[y * (row + 1)] ?? 0;
    for (let x = 0; x < row; x += 1) {
      const guess = guesses(rgb, row, x, y, channels)[kind];
      if (guess === undefined) throw new Error(`row ${y} has the filter ${kind}`);
      rgb[y * row + x] = ((bytes[y * (row + 1) + 1 + x] ?? 0) + guess) & 255;
    }
  }
  return rgb;
}

/**
 * The bytes of a PNG, each row with the filter that leaves the least.
 * @param {Picture} picture
 */
export function writePng({ width, height, rgb }) {
  const row = width * 3;
  const rows = Array.from({ length: height }, (_, y) => {
    const lines = [0, 1, 2, 3, 4].map((kind) => Buffer.from([kind, ...Array.from({ length: row }, (_, x) => ((rgb[y * row + x] ?? 0) - (guesses(rgb, row, x, y)[kind] ?? 0)) & 255)]));
    const weight = (/** @type {Buffer} */ line) => line.reduce((sum, byte) => sum + Math.min(byte, 256 - byte), 0);
    return lines.reduce((best, line) => (weight(line) < weight(best) ? line : best));
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", deflateSync(Buffer.concat(rows), { level: 9, memLevel: 9 })), chunk("IEND", Buffer.alloc(0))]);
}

/** @param {string} kind @param {Buffer} body */
function chunk(kind, body) {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  const named = Buffer.concat([Buffer.from(kind, "latin1"), body]);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/**
 * A smaller picture, each pixel the mean of what it covers.
 * @param {Picture} picture
 * @param {number} width
 * @returns {Picture}
 */
export function shrunk({ width: from, height: high, rgb }, width) {
  const factor = from / width;
  const height = Math.round(high / factor);
  const out = Buffer.alloc(width * height * 3);
  const covered = (/** @type {number} */ at, /** @type {number} */ end) => {
    const [low, up] = [at * factor, Math.min((at + 1) * factor, end)];
    const first = Math.floor(low);
    return Array.from({ length: Math.ceil(up) - first }, (_, step) => ({ at: first + step, share: Math.min(first + step + 1, up) - Math.max(first + step, low) }));
  };
  for (let y = 0; y < height; y += 1) {
    const rows = covered(y, high);
    for (let x = 0; x < width; x += 1) {
      const columns = covered(x, from);
      for (let channel = 0; channel < 3; channel += 1) {
        let [sum, area] = [0, 0];
        for (const row of rows) {
          for (const column of columns) {
            area += row.share * column.share;
            sum += row.share * column.share * (rgb[(row.at * from + column.at) * 3 + channel] ?? 0);
          }
        }
        out[(y * width + x) * 3 + channel] = Math.round(sum / area);
      }
    }
  }
  return { width, height, rgb: out };
}
