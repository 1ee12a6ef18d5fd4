// What is shot is the model as it is shown: scrubbed, played, or as it was a moment ago.
import { cameraOf, pixelOf } from "./camera.mjs";
import { expect, test } from "./fixtures.mjs";
import { asking, click, fragment, observed, open, picture, scrubbedAt, scrubber, settled, sizeOf, timeline } from "./page.mjs";
import { answerOf } from "./program.mjs";
import { walk } from "./scenes.mjs";

/** @typedef {import("@playwright/test").Page} Page */

/** A link's view of the figure. */
const VIEW = "#v=1&size=320x200&eye=1,3.5,8&look=0,1.7,0&fov=45";


/** The clip and time of the figure in the newest view. @param {Page} page */
async function pose(page) {
  await settled(page);
  const [first] = (await observed(page)).views.at(-1)?.poses ?? [];
  const { object, ...clip } = /** @type {{object: string, clip: string, time: number}} */ (first);
  expect(object).toBe("walker");
  return clip;
}

/** @param {Page} page @param {import("./camera.mjs").Point} point */
const pixelAt = async (page, point) => pixelOf(cameraOf(VIEW, await sizeOf(page)), point);

test("a scrubbed pose is what is shot", async ({ page, folder, serve }) => {
  await open(page, await serve([walk(folder)]), VIEW);
  await scrubber(page).fill("250");
  const walking = await pose(page);
  expect(walking).toEqual({ clip: "Walk", time: 0.5 });
  await fragment(page, /pose=walker:Walk:0\.5(&|$)/);
  const scene = walk(folder, { file: "walking.toml", ...walking });
  // The figure has gone half a metre: its body's front is at x from -1 to 0.
  const body = await asking(page, async () => click(page, await pixelAt(page, [-0.9, 1.2, 0.4])));
  expect(body.answer).toEqual(answerOf(["ray", scene], body.question));
  expect(body.answer["part"]).toBe("body");
});

test("a model that is at rest is posed at its clip's exact start, and back at rest", async ({ page, folder, serve }) => {
  await open(page, await serve([walk(folder)]), VIEW);
  const clip = timeline(page).getByRole("combobox", { name: /^Clip/ });
  await expect(clip).toHaveValue("");
  await scrubber(page).fill("250");
  await scrubber(page).fill("0");
  expect(await pose(page)).toEqual({ clip: "Walk", time: 0 });
  await fragment(page, /pose=walker:Walk:0(&|$)/);
  await clip.selectOption("");
  await settled(page);
  expect((await observed(page)).views.at(-1)?.poses ?? []).toEqual([]);
});

test("a skinned arm is hit where it is, with its joint and its place in bind space", async ({ page, folder, serve }) => {
  await open(page, await serve([walk(folder)]), VIEW);
  await timeline(page).getByRole("combobox", { name: /^Clip/ }).selectOption("Wave");
  await scrubber(page).fill("500");
  const waving = await pose(page);
  expect(waving).toEqual({ clip: "Wave", time: 0.5 });
  const scene = walk(folder, { file: "waving.toml", ...waving });
  const arm = await asking(page, async () => click(page, await pixelAt(page, [1.4, 2, 0.2])));
  expect(arm.answer).toEqual(answerOf(["ray", scene], arm.question));
  expect(arm.answer["part"]).toBe("arm");
  const facts = page.locator("#panel-answer dl.facts");
  await expect(facts).toContainText("strongest joint");
  await expect(facts.locator("dt:text('strongest joint') + dd")).toHaveText("elbow");
  await expect(facts.locator("dt:text('in bind space') + dd")).toHaveText(/^-?[\d.]+ {2}-?[\d.]+ {2}-?[\d.]+$/);
});

test("a shot into the past meets the model where it was", async ({ page, folder, serve }) => {
  await open(page, await serve([walk(folder)]), VIEW);
  const start = ((await observed(page)).views.at(-1)?.now_ms ?? 0) + 1000;
  await scrubbedAt(page, start, "100");
  await scrubbedAt(page, start + 200, "1000");
  const ago = 200;
  const present = walk(folder, { file: "now.toml", ...(await pose(page)) });
  const scene = walk(folder, { file: "then.toml", clip: "Walk", time: 0.2 });

  const pixel = await pixelAt(page, [-1.1, 1.3, 0.4]);
  const here = await asking(page, () => click(page, pixel));
  expect(here.answer).toEqual(answerOf(["ray", present], here.question));
  expect(here.answer["object"]).not.toBe("walker");
  await timeline(page).getByRole("slider", { name: "How long ago is shot at" }).fill(String(ago));
  await expect(timeline(page)).toContainText(`${ago} ms ago`);
  const before = await asking(page, () => click(page, pixel));
  expect(before.question).toEqual(here.question);
  expect(before.answer).toEqual(answerOf(["ray", scene], before.question));
  expect(before.answer["object"]).toBe("walker");
});

test("play, pause and steps by keys", async ({ page, folder, serve }) => {
  await open(page, await serve([walk(folder)]), VIEW);
  await picture(page).focus();
  await page.keyboard.press("Space");
  const before = (await observed(page)).views.length;
  await page.waitForFunction((count) => /** @type {any} */ (globalThis).observed.views.length > count + 5, before);
  await page.keyboard.press("Space");
  const stopped = await pose(page);
  await page.keyboard.press(".");
  const stepped = await pose(page);
  expect(stepped.time).not.toBe(stopped.time);
  const scene = walk(folder, { file: "stepped.toml", ...stepped });
  const shot = await asking(page, async () => click(page, [160, 100]));
  expect(shot.answer).toEqual(answerOf(["ray", scene], shot.question));
});
