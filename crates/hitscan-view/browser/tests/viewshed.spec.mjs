// The tool Viewshed: its counts are those of the mask that the copied command writes, and the ground is tinted
// as `hitscan render --link` draws it.
import { join } from "node:path";
import { readGrey, readPng } from "../png.mjs";
import { cameraOf, pixelOf } from "./camera.mjs";
import { expect, expectAccessible, test } from "./fixtures.mjs";
import { asking, click, fragment, open, picture, settled, shown, sizeOf, status, tab, timeline, tool } from "./page.mjs";
import { canvasPicture, difference } from "./picture.mjs";
import { Folder, hitscan, typed } from "./program.mjs";
import { MAP_ORIGIN, mappedYard, walk, yard } from "./scenes.mjs";

/** @typedef {import("@playwright/test").Page} Page */

/** Presses a button of Copy as; what is copied. @param {Page} page @param {string} name */
async function copied(page, name) {
  await page.getByRole("button", { name, exact: true }).click();
  return page.getByLabel("Copied text").inputValue();
}

/** How many samples of each kind the copied command's mask has, as the page says them. @param {Page} page */
async function maskOfCopy(page) {
  const elsewhere = new Folder();
  typed(await copied(page, "Command line"), elsewhere);
  const { grey } = readGrey(join(elsewhere.path, "viewshed.png"));
  elsewhere.remove();
  const count = (/** @type {number} */ level) => String(grey.filter((one) => one === level).length);
  return { visible: count(255), hidden: count(0), outside: count(128) };
}

/** Expects the page's counts to be those of the mask. @param {Page} page */
async function expectMask(page) {
  const shot = await shown(page);
  expect(shot.word).toBe("ok");
  expect(shot.answer).toMatchObject(await maskOfCopy(page));
  return shot;
}

/** How many pixels of the picture are yellow. @param {Page} page */
async function yellow(page) {
  const { rgb } = await canvasPicture(page);
  const isYellow = (/** @type {number} */ at) => (rgb[at] ?? 0) > 150 && (rgb[at] ?? 0) - (rgb[at + 2] ?? 0) > 60;
  return Array.from({ length: rgb.length / 3 }, (_, at) => at * 3).filter(isYellow).length;
}

const CAMERA = "#v=1&size=360x240&eye=2,14,20&look=0,1,0&fov=50";

test("a click on the ground tints what is seen from there; the copied command writes the same mask", async ({ page, folder, serve }) => {
  const scene = yard(folder);
  await open(page, await serve([scene]), CAMERA);
  const before = await yellow(page);
  await tool(page, "Viewshed").click();
  await page.getByLabel("Eye above").fill("1.5");
  await page.getByLabel("Eye above").press("Enter");
  const camera = cameraOf(await fragment(page, /eye=/), await sizeOf(page));
  const seen = await asking(page, () => click(page, pixelOf(camera, [6, 0.5, 6])));
  expect(Object.keys(seen.question)).toEqual(["x", "z"]);
  expect(seen.sentence).toMatch(/^The eye sees \d+ of \d+ samples of hills \(/);
  const { answer } = await expectMask(page);
  expect(Number(answer["area"])).toBe(Number(answer["visible"]));
  await expect(page.locator("#panel-answer dl.facts")).toContainText(/eye, in the scenex [-\d.]+, y [-\d.]+, z [-\d.]+/);
  await expect(page.locator("#panel-answer")).toContainText("models and solids hide");
  await settled(page);
  expect(await yellow(page)).toBeGreaterThan(before + 1000);

  // The finished picture is the one that the program draws of the shot's link, and of the address.
  const link = await copied(page, "Link");
  const file = join(folder.path, "rendered.png");
  hitscan(["render", scene, "-o", file, "--link", link]);
  expect(difference(await canvasPicture(page), readPng(file))).toBe("none");
});

test("the tint stays on the ground as the camera turns, until another shot", async ({ page, folder, serve }) => {
  const scene = yard(folder);
  await open(page, await serve([scene]), "#v=1&size=180x120&eye=2,14,20&look=0,1,0&fov=50&tool=viewshed&q=x:6,z:6&options=above:1.5,terrain:hills");
  await expect(page.locator("#panel-answer .verdict")).toHaveText("ok");
  await picture(page).focus();
  await page.keyboard.press("ArrowLeft");
  await settled(page);
  const tinted = await yellow(page);
  // The address follows the camera a moment later.
  const address = await fragment(page, /^(?!.*eye=2,14,20&look=0,1,0&).*tool=viewshed/);
  const file = join(folder.path, "rendered.png");
  hitscan(["render", scene, "-o", file, "--link", address]);
  expect(difference(await canvasPicture(page), readPng(file))).toBe("none");
  await tool(page, "Ray").click();
  await asking(page, () => click(page, [90, 75]));
  await settled(page);
  expect(await yellow(page)).toBeLessThan(tinted / 2);
});

test("a click on an object puts the eye on it, and fields ask again", async ({ page, folder, serve }) => {
  const scene = yard(folder);
  await open(page, await serve([scene]), CAMERA);
  await tool(page, "Viewshed").click();
  const camera = cameraOf(await fragment(page, /eye=/), await sizeOf(page));
  const onCrate = await asking(page, () => click(page, pixelOf(camera, [-0.2, 2.3, 1.7])));
  expect(Number(onCrate.question["y"])).toBeCloseTo(2.301, 3);
  const flat = await expectMask(page);
  const field = async (/** @type {string} */ name, /** @type {string} */ value) => {
    await asking(page, async () => {
      await page.getByLabel(name).fill(value);
      await page.getByLabel(name).press("Enter");
    });
    return expectMask(page);
  };
  const higher = await field("Eye above", "6");
  expect(Number(higher.answer["visible"])).toBeGreaterThan(Number(flat.answer["visible"]));
  const near = await field("Greatest distance", "4");
  expect(Number(near.answer["outside"])).toBeGreaterThan(400);
  await field("Target above", "0.5");

  // Curvature is of terrain alone.
  const round = await asking(page, () => page.getByLabel("The earth's curvature").check());
  expect(round.word).toBe("invalid");
  expect(round.sentence).toContain("ignore");
  await page.getByText("Filter", { exact: true }).click();
  await asking(page, async () => {
    await page.getByLabel("Ignored").fill("screen;ball;crate;post;plank");
    await page.getByLabel("Ignored").press("Enter");
  });
  await expectMask(page);
  await field("Refraction", "0.5");
  await expect(page.getByRole("button", { name: "Rust test" })).toBeDisabled();
});

test("the eye is in map coordinates where tables are, and copies mean the same place", async ({ page, folder, serve }) => {
  await open(page, await serve([mappedYard(folder)]), CAMERA);
  await tool(page, "Viewshed").click();
  const camera = cameraOf(await fragment(page, /eye=/), await sizeOf(page));
  const { question } = await asking(page, () => click(page, pixelOf(camera, [6, 0.5, 6])));
  expect(Number(question["x"]) - MAP_ORIGIN.x).toBeCloseTo(6, 0);
  await expectMask(page);
  await expect(page.locator("#panel-answer dl.facts")).toContainText(/eye, on the mapeasting 5123\d\d/);
  await settled(page);
  const link = await copied(page, "Link");
  const shot = await shown(page);
  const other = await page.context().newPage();
  await other.goto(link);
  await expect(other.locator("#panel-answer .verdict")).toBeVisible();
  await settled(other);
  expect(await shown(other)).toEqual(shot);
  expect(difference(await canvasPicture(other), await canvasPicture(page))).toBe("none");
});

test("models hide as they were posed, and the tint outlives other shots", async ({ page, folder, serve }) => {
  await open(page, await serve([walk(folder)]), "#v=1&size=320x200&eye=2,14,20&look=0,1,0&fov=50");
  const slider = timeline(page).getByRole("slider", { name: "Time of the clip" });
  await slider.fill("500");
  await settled(page);
  await tool(page, "Viewshed").click();
  await page.getByLabel("Eye above").fill("1");
  await page.getByLabel("Eye above").press("Enter");
  const camera = cameraOf(await fragment(page, /eye=/), await sizeOf(page));
  await asking(page, () => click(page, pixelOf(camera, [0, 0.5, 6])));
  const line = await copied(page, "Command line");
  expect(line).toContain("--link");
  await expectMask(page);
  await settled(page);
  const first = await canvasPicture(page);
  // More viewsheds than the program keeps; then the first shot is shown again.
  for (let at = 0; at < 9; at += 1) await asking(page, () => click(page, [100 + at * 9, 130]));
  await settled(page);
  expect(difference(await canvasPicture(page), first)).not.toBe("none");
  await tab(page, "Shots").click();
  await page.locator("#panel-shots .shot-show").last().click();
  await expect.poll(async () => {
    await settled(page);
    return difference(await canvasPicture(page), first);
  }).toBe("none");
});

test("a place without ground below is said, and off the map is answered", async ({ page, folder, serve }) => {
  await open(page, await serve([yard(folder)]), "#v=1&size=320x200&eye=0,6,16&look=0,6,0&tool=viewshed&q=x:90,z:2&options=above:2,terrain:hills");
  await expect(page.locator("#panel-answer .verdict")).toHaveText("outside");
  await click(page, [160, 5]);
  await expect(status(page)).toHaveText("Nothing is there for the eye to stand on");
  await tab(page, "Why").click();
  await expect(page.locator("#panel-why")).toContainText("rule of Sight");
});

test("keys reach all ten tools", async ({ page, folder, serve }) => {
  await open(page, await serve([yard(folder)]), "#v=1&size=200x120");
  for (const [key, name] of [["8", "Viewshed"], ["9", "Ruler"], ["0", "Look"]]) {
    await page.keyboard.press(key ?? "");
    await expect(tool(page, name ?? "")).toHaveAttribute("aria-pressed", "true");
  }
});

for (const [name, colorScheme, viewport] of /** @type {const} */ ([
  ["light, desktop", "light", { width: 1280, height: 720 }],
  ["dark, desktop", "dark", { width: 1280, height: 720 }],
  ["light, phone", "light", { width: 390, height: 844 }],
  ["dark, phone", "dark", { width: 390, height: 844 }],
])) {
  test.describe(name, () => {
    test.use({ colorScheme, viewport });

    test("an answered viewshed has no fault that axe finds", async ({ page, folder, serve }) => {
      await open(page, await serve([yard(folder)]), "#v=1&size=320x200&tool=viewshed&q=x:6,z:6&options=above:1.5,terrain:hills");
      await expect(page.locator("#panel-answer .verdict")).toHaveText("ok");
      await tab(page, "Answer").click();
      await page.getByText("Filter", { exact: true }).click();
      await expectAccessible(page);
    });
  });
}
