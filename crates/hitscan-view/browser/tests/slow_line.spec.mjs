// The page works over a slow line: what is slow is slow, and nothing is lost or out of order.
import { join } from "node:path";
import { readPng } from "../png.mjs";
import { expect, test } from "./fixtures.mjs";
import { asking, click, fragment, observed, placeOf, settled } from "./page.mjs";
import { canvasPicture, difference } from "./picture.mjs";
import { addressOf, answerOf, hitscan } from "./program.mjs";
import { yard } from "./scenes.mjs";
import { NEAR, openLine } from "../slow_line.mjs";

test("over 1 Mbit/s the picture and an answer are those of the program", async ({ page, folder, serve, context }) => {
  const scene = yard(folder);
  const server = await serve([scene, "--host", NEAR]);
  const line = await openLine(server.port, { bits: 1e6, roundTripMs: 40 });
  try {
    const link = "#v=1&size=160x100";
    await page.goto(addressOf({ url: line.url + new URL(server.url).hash }, link));
    await settled(page);
    const shot = await asking(page, () => click(page, [80, 60]));
    expect(shot.answer).toEqual(answerOf(["ray", scene], shot.question));
    // All that came went through the line: the page's files and the frames.
    expect(line.carried.down).toBeGreaterThan(100_000);
    expect(line.carried.up).toBeGreaterThan(5_000);
    const near = await context.newPage();
    await near.goto(addressOf(server, link));
    await settled(near);
    expect(difference(await canvasPicture(page), await canvasPicture(near))).toBe("none");
    await page.close();
  } finally {
    await line.close();
  }
});

/** @typedef {import("@playwright/test").Page} Page */

/**
 * Orbits until so many frames of moving views are there; these.
 * @param {Page} page
 * @param {number} count
 */
async function orbit(page, count) {
  const first = (await observed(page)).heads.length;
  const { x, y } = await placeOf(page, [320, 200]);
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 0; ; step += 1) {
    await page.mouse.move(x + 60 * Math.sin(step / 20), y);
    const moving = (await observed(page)).heads.slice(first).filter((head) => head.moving);
    if (moving.length < count) continue;
    await page.mouse.up();
    return moving.slice(0, count);
  }
}

/** @param {number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

test("over 1 Mbit/s what moves is so coarse that frames follow one another", async ({ page, folder, serve, context }) => {
  const scene = yard(folder);
  const server = await serve([scene, "--host", NEAR]);
  const line = await openLine(server.port, { bits: 1e6, roundTripMs: 40 });
  try {
    const link = "#v=1&size=640x400";
    const near = await context.newPage();
    await near.goto(addressOf(server, link));
    await settled(near);
    const fine = await orbit(near, 12);
    await near.close();
    await page.goto(addressOf({ url: line.url + new URL(server.url).hash }, link));
    await settled(page);
    const coarse = await orbit(page, 12);
    const scales = (/** @type {{scale: number}[]} */ heads) => heads.map(({ scale }) => scale);
    // Where the processors are busy, the picture is coarse on loopback too.
    expect(median(scales(coarse))).toBeGreaterThan(Math.min(2.5, median(scales(fine))));
    // The line carries 125,000 bytes in a second: five such frames, and in loopback's scale less than that.
    const bytes = median(coarse.map((head) => head.bytes));
    expect(bytes).toBeLessThan(25_000);
    // At rest it becomes as fine as anywhere.
    await settled(page);
    const { heads } = await observed(page);
    expect(heads.at(-1)).toMatchObject({ finished: true, scale: 1 });
    await page.close();
  } finally {
    await line.close();
  }
});

test("over 1 Mbit/s what moves goes before a still that is on the line, and the still is complete afterwards", async ({ page, folder, serve }) => {
  const scene = yard(folder);
  const server = await serve([scene, "--host", NEAR]);
  const line = await openLine(server.port, { bits: 1e6, roundTripMs: 40 });
  try {
    await page.goto(addressOf({ url: line.url + new URL(server.url).hash }, "#v=1&size=640x400"));
    await expect.poll(async () => (await observed(page)).shown).toBeGreaterThan(0);
    // What refines the first picture comes.
    const { down } = line.carried;
    await expect.poll(() => line.carried.down).toBeGreaterThan(down + 5_000);
    const moving = await orbit(page, 30);
    const { views } = await observed(page);
    const begun = views.find((view) => view.moving);
    // A tenth of a second of this line is 12,500 bytes; the whole still is many times as much.
    expect((moving[0]?.still ?? Infinity) - (begun?.still ?? 0)).toBeLessThan(30_000);
    // Frame after frame, with no still between them.
    expect((moving.at(-1)?.still ?? Infinity) - (moving[0]?.still ?? 0)).toBeLessThan(30_000);
    const numbers = moving.map(({ view }) => view);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    await settled(page);
    const link = await fragment(page, /eye=/);
    const file = join(folder.path, "rendered.png");
    hitscan(["render", scene, "-o", file, "--link", link]);
    expect(difference(await canvasPicture(page), readPng(file))).toBe("none");
    await page.close();
  } finally {
    await line.close();
  }
});
