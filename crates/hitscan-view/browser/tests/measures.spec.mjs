// Sight and the ruler: what is between two points, how far they are apart, by mouse and by keys.
import { cameraOf, pixelOf } from "./camera.mjs";
import { expect, test } from "./fixtures.mjs";
import { asking, click, fragment, open, settled, shown, sizeOf, status, tool } from "./page.mjs";
import { canvasPicture } from "./picture.mjs";
import { answerOf } from "./program.mjs";
import { yard } from "./scenes.mjs";

/** @typedef {import("@playwright/test").Page} Page */

/** What `hitscan sight` answers of a question. @param {string} scene @param {Record<string, string>} question */
const sightOf = (scene, question) => answerOf(["sight", scene, "--blocker"], question);

test("two clicks ask whether one point sees the other, as hitscan sight does", async ({ page, folder, serve }) => {
  const scene = yard(folder);
  await open(page, await serve([scene]), "#v=1&size=480x320");
  await tool(page, "Sight").click();
  const camera = cameraOf(await fragment(page, /eye=/), await sizeOf(page));
  const [ball, crate, post, plank] = /** @type {import("./camera.mjs").Point[]} */ ([[3, 2.2, -1], [-0.2, 2.3, 1.7], [2, 2, 3], [-4, 1.6, 3]]);
  for (const [eye, target] of [[crate, ball], [ball, post], [plank, crate], [post, plank]]) {
    await click(page, pixelOf(camera, eye ?? [0, 0, 0]));
    await expect(status(page)).toHaveText(/eye is set/);
    const shot = await asking(page, () => click(page, pixelOf(camera, target ?? [0, 0, 0])));
    expect(shot.answer).toEqual(sightOf(scene, shot.question));
    if (shot.word !== "blocked") continue;
    await expect(page.locator("#panel-answer dl.facts")).toContainText("blocked at");
    expect(shot.sentence).toContain(shot.answer["object"]);
  }
});

test("sight is typed, told as blocked, and explained", async ({ page, folder, serve }) => {
  const wall = '[[box]]\nname = "wall"\nmin = [4.0, 0.0, -9.0]\nmax = [5.0, 3.0, 9.0]\n';
  const scene = folder.write("wall.toml", wall);
  await open(page, await serve([scene]), "#v=1&size=200x120");
  await tool(page, "Sight").click();
  await page.getByText("Type the points").click();
  await page.getByLabel("Eye: x, y, z").fill("0, 1.7, 0");
  await page.getByLabel("Target: x, y, z").fill("8 1.7");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await expect(page.getByLabel("Target: x, y, z")).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("Target: x, y, z").fill("8 1.7 0");
  const shot = await asking(page, () => page.getByLabel("Target: x, y, z").press("Enter"));
  expect(shot.answer).toEqual({ status: "blocked", t: "0.5", object: "wall" });
  expect(shot.answer).toEqual(sightOf(scene, shot.question));
  await expect(page.locator("#panel-answer .answer-sentence")).toHaveText("The target is hidden behind wall 50 % of the way to it.");
  await page.getByRole("button", { name: "Why not?" }).click();
  await expect(page.getByRole("listbox", { name: "Candidates" })).toContainText("wall");
});

test("a begun sight is ended by Esc", async ({ page, folder, serve }) => {
  await open(page, await serve([yard(folder)]), "#v=1&size=480x320");
  await tool(page, "Sight").click();
  const isDrawn = async () => (await canvasPicture(page, "#overlay")).rgb.some((value) => value > 0);
  const camera = cameraOf(await fragment(page, /eye=/), await sizeOf(page));
  await click(page, pixelOf(camera, [3, 2.2, -1]));
  await expect(status(page)).toHaveText(/eye is set/);
  await expect.poll(isDrawn).toBe(true);
  await page.keyboard.press("Escape");
  await expect.poll(isDrawn).toBe(false);
});

/** What the ruler reads, by name. @param {Page} page @returns {Promise<Record<string, string>>} */
const reads = (page) => page.locator(".ruler-read dl").evaluate((list) => {
  const texts = (/** @type {string} */ of) => [...list.querySelectorAll(of)].map(({ textContent }) => textContent ?? "");
  const values = texts("dd");
  return Object.fromEntries(texts("dt").map((name, at) => [name, values[at] ?? ""]));
});

test("the ruler measures between typed points, and Esc ends the line", async ({ page, folder, serve }) => {
  await open(page, await serve([yard(folder)]), "#v=1&size=480x320");
  await tool(page, "Ruler").click();
  const next = page.getByLabel("Next point: x, y, z");
  for (const point of ["0, 0, 0", "3, 4, 0", "3, 4, -12"]) {
    await next.fill(point);
    await next.press("Enter");
  }
  const read = await reads(page);
  expect(read).toMatchObject({ "path length": "17 m", straight: "13 m", horizontal: "12.4 m", "height difference": "4 m" });
  expect(read["bearing"]).toBe(`${((Math.atan2(3, 12) * 180) / Math.PI).toFixed(2)}°`);
  expect(read["slope"]).toBe(`${((Math.atan2(4, Math.hypot(3, 12)) * 180) / Math.PI).toFixed(2)}°`);
  await page.locator("#picture").focus();
  await page.keyboard.press("Escape");
  await expect(status(page)).toHaveText(/line is ended/);
  await next.fill("1,1,1");
  await next.press("Enter");
  await expect(page.locator(".ruler-points li")).toHaveCount(1);
});

test("clicks put the ruler's points on what is hit, to the bit", async ({ page, folder, serve }) => {
  const scene = yard(folder);
  await open(page, await serve([scene]), "#v=1&size=480x320");
  const places = /** @type {[number, number][]} */ ([[240, 250], [200, 220]]);
  const hits = [];
  for (const place of places) {
    const { answer } = await asking(page, () => click(page, place));
    hits.push([answer["x"], answer["y"], answer["z"]].join(", "));
  }
  await tool(page, "Ruler").click();
  for (const [at, place] of places.entries()) {
    await click(page, place);
    await expect(page.locator(".ruler-points li")).toHaveCount(at + 1);
  }
  expect(await page.locator(".ruler-points li > .number").allTextContents()).toEqual(hits);
});

test("keys of one letter can be turned off, and stay off", async ({ page, folder, serve }) => {
  await open(page, await serve([yard(folder)]), "#v=1&size=200x120");
  await page.keyboard.press("?");
  await page.getByLabel(/^Keys of one letter/).uncheck();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.keyboard.press("2");
  await page.keyboard.press("?");
  await expect(tool(page, "Ray")).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.reload();
  await settled(page);
  await page.keyboard.press("2");
  await expect(tool(page, "Ray")).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: /^Keys and gestures/ }).click();
  await page.getByLabel(/^Keys of one letter/).check();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.keyboard.press("2");
  await expect(tool(page, "Height")).toHaveAttribute("aria-pressed", "true");
});

test("a link of sight asks it again", async ({ page, folder, serve }) => {
  const scene = yard(folder);
  await open(page, await serve([scene]), "#v=1&size=200x120&tool=sight&q=x:3,y:9,z:-1,target_x:3.2,target_y:-2,target_z:-1.1&options=blocker:true");
  await expect(page.locator("#panel-answer .verdict")).toBeVisible();
  const shot = await shown(page);
  expect(shot.word).toBe("blocked");
  expect(shot.answer).toEqual(sightOf(scene, shot.question));
});
