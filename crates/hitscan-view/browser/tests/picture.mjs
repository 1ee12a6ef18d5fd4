// The pixels of the page's canvas, and where two pictures differ.

/** @typedef {import("../png.mjs").Picture} Picture */

/**
 * The pixels of a canvas as it is, by default those of the picture.
 * @param {import("@playwright/test").Page} page
 * @param {string} [selector]
 * @returns {Promise<Picture>}
 */
export async function canvasPicture(page, selector = "#picture") {
  const { width, height, text } = await page.locator(selector).evaluate((canvas) => {
    if (!(canvas instanceof HTMLCanvasElement)) throw new Error("no canvas");
    const { width, height } = canvas;
    // Read from a copy: the page's own canvas stays as it is drawn.
    const copy = new OffscreenCanvas(width, height).getContext("2d", { alpha: false, willReadFrequently: true });
    copy?.drawImage(canvas, 0, 0);
    const data = copy?.getImageData(0, 0, width, height).data ?? [];
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
