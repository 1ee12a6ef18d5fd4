// The finished picture of a link is, pixel for pixel, the one that `hitscan render --link` writes.
import { join } from "node:path";
import { readPng } from "../png.mjs";
import { expect, test } from "./fixtures.mjs";
import { asking, click, observed, open, settled } from "./page.mjs";
import { canvasPicture, difference } from "./picture.mjs";
import { hitscan } from "./program.mjs";
import { PARADE, named, painted, parade, pair, walk, yard } from "./scenes.mjs";

/** @type {[string, (folder: import("./program.mjs").Folder) => string, string][]} */
const PICTURES = [
  ["a yard from its overview", (folder) => yard(folder), "#v=1&size=320x200"],
  ["a pair with outlines", (folder) => pair(folder), "#v=1&size=301x199&outline=1&eye=2,3,7&look=0,0,0&fov=40"],
  ["a figure in the midst of a blend", (folder) => walk(folder), "#v=1&size=240x180&eye=1,3.5,8&look=0,1.7,0&fov=45&pose=walker:Walk:0.5:Wave:0.25:0.5"],
  ["the cost of a yard without its hills", (folder) => yard(folder), "#v=1&size=257x143&mode=cost&hide=hills"],
  ["a texture, from the scene's camera", (folder) => painted(folder), "#v=1&size=160x120"],
  ["figures from the scene's camera", (folder) => parade(folder), "#v=1&size=160x120"],
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

test("a picture at rest comes as a whole and then as tiles that changed", async ({ page, folder, serve }) => {
  const scene = yard(folder);
  // The upper half is sky.
  const link = "#v=1&size=640x400&eye=9,2,9&look=0,3,0&fov=60";
  await open(page, await serve([scene]), link);
  const { heads, view } = await observed(page);
  const codecs = heads.filter((head) => head.view === view).map(({ codec }) => codec);
  expect(codecs.length).toBeLessThanOrEqual(6);
  expect(codecs[0]).toBe(0);
  expect(codecs).toContain(1);
  const file = join(folder.path, "rendered.png");
  hitscan(["render", scene, "-o", file, "--link", link]);
  expect(difference(await canvasPicture(page), readPng(file))).toBe("none");
});

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

test("a cost is that of the poses alone, whatever moved before", async ({ page, folder, serve }) => {
  const scene = parade(folder);
  const link = (/** @type {number} */ step) => {
    const poses = Array.from({ length: PARADE }, (_, at) => `&pose=figure${at}:Walk:${((at * 7 + step * 3) % 11) / 5.5}`);
    return `#v=1&size=240x160&mode=cost${poses.join("")}`;
  };
  await open(page, await serve([scene]), link(0));
  for (const step of [1, 2, 3, 4]) {
    await page.evaluate((hash) => location.assign(hash), link(step));
    await settled(page);
  }
  const file = join(folder.path, "rendered.png");
  hitscan(["render", scene, "-o", file, "--link", link(4)]);
  expect(difference(await canvasPicture(page), readPng(file))).toBe("none");
});

test("a cost is seen coarsely at once, and is not finished before it is fine", async ({ page, folder, serve }) => {
  await open(page, await serve([yard(folder)]), "#v=1&size=640x400");
  const readout = page.locator("#readout");
  await expect(readout).toContainText("finished");
  await page.getByRole("group", { name: "Shown" }).getByText("Cost", { exact: true }).click();
  await settled(page);
  const { heads, view } = await observed(page);
  const costs = heads.filter((head) => head.kind === 1 && head.view === view);
  expect(costs.map(({ scale }) => scale)).toEqual([4, 2, 1]);
  expect(costs.map(({ finished }) => finished)).toEqual([false, false, true]);
  await expect(readout).toContainText("1 : 1  ·  finished");
});

test("a model that is drawn without textures has another picture", async ({ page, folder, serve }) => {
  const scene = painted(folder);
  await open(page, await serve([scene, "--textures", "off"]), "#v=1&size=160x120");
  const [plain, textured] = ["off", "on"].map((textures) => {
    const file = join(folder.path, `${textures}.png`);
    hitscan(["render", scene, "-o", file, "--link", "#v=1&size=160x120", "--textures", textures]);
    return readPng(file);
  });
  if (!plain || !textured) throw new Error("two pictures");
  expect(difference(await canvasPicture(page), plain)).toBe("none");
  expect(difference(textured, plain)).not.toBe("none");
});

test("a window of more pixels than a picture may have is filled", async ({ page, folder, serve }) => {
  await page.setViewportSize({ width: 3440, height: 1440 });
  await page.goto((await serve([pair(folder)])).url);
  await expect.poll(async () => (await observed(page)).shown).toBeGreaterThan(0);
  const [stage, view] = await page.evaluate(() =>
    ["stage", "view"].map((id) => {
      const { width, height } = /** @type {HTMLElement} */ (document.getElementById(id)).getBoundingClientRect();
      return [width, height];
    }),
  );
  // Whole pixels of the picture and of the screen differ by one at most.
  stage?.forEach((side, axis) => expect(Math.abs(side - (view?.[axis] ?? 0))).toBeLessThan(2));
});
