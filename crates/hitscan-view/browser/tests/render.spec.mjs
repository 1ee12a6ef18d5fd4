// The finished picture of a link is, pixel for pixel, the one that `hitscan render --link` writes.
import { join } from "node:path";
import { readPng } from "../png.mjs";
import { expect, test } from "./fixtures.mjs";
import { asking, click, open } from "./page.mjs";
import { canvasPicture, difference } from "./picture.mjs";
import { hitscan } from "./program.mjs";
import { named, pair, walk, yard } from "./scenes.mjs";

/** @type {[string, (folder: import("./program.mjs").Folder) => string, string][]} */
const PICTURES = [
  ["a yard from its overview", (folder) => yard(folder), "#v=1&size=320x200"],
  ["a pair with outlines", (folder) => pair(folder), "#v=1&size=301x199&outline=1&eye=2,3,7&look=0,0,0&fov=40"],
  ["a figure in the midst of a blend", (folder) => walk(folder), "#v=1&size=240x180&eye=1,3.5,8&look=0,1.7,0&fov=45&pose=walker:Walk:0.5:Wave:0.25:0.5"],
  ["the cost of a yard without its hills", (folder) => yard(folder), "#v=1&size=257x143&mode=cost&hide=hills"],
  ["one layer, orthographic", (folder) => yard(folder), "#v=1&size=160x120&projection=orthographic&eye=9,9,9&look=0,1,0&fov=30&layers=1"],
];

for (const [name, make, link] of PICTURES) {
  test(name, async ({ page, folder, serve }) => {
    const scene = make(folder);
    await open(page, await serve([scene]), link);
    const file = join(folder.path, "rendered.png");
    hitscan(["render", scene, "-o", file, "--link", link]);
    expect(difference(await canvasPicture(page), readPng(file))).toBe("none");
  });
}

test("a shot alters no pixel of the picture, and its link is rendered too", async ({ page, folder, serve }) => {
  const scene = named(folder, "a name & more = #1");
  await open(page, await serve([scene]), "#v=1&size=200x150");
  await asking(page, () => click(page, [100, 80]));
  await page.waitForFunction(() => location.hash.includes("q="));
  const link = new URL(page.url()).hash;
  const file = join(folder.path, "rendered.png");
  hitscan(["render", scene, "-o", file, "--link", link]);
  expect(readPng(file).width).toBe(200);
});

test("a browser without a decoder of bytes shows the same picture", async ({ page, folder, serve }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(globalThis, "ImageDecoder");
  });
  const scene = yard(folder);
  await open(page, await serve([scene]), "#v=1&size=301x199");
  expect(await page.evaluate(() => "ImageDecoder" in globalThis)).toBe(false);
  const file = join(folder.path, "rendered.png");
  hitscan(["render", scene, "-o", file, "--link", "#v=1&size=301x199"]);
  expect(difference(await canvasPicture(page), readPng(file))).toBe("none");
});
