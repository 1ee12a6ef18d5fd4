// The camera as a person sets it: the scene's own, its angle, places that are kept, and how far away it goes.
import { cameraOf } from "./camera.mjs";
import { expect, test } from "./fixtures.mjs";
import { fragment, open, picture, settled, sizeOf, tab } from "./page.mjs";
import { parade, yard } from "./scenes.mjs";

/** @typedef {import("@playwright/test").Page} Page */

/** The camera that the address states once it is another one than before. @param {Page} page @param {string} before */
async function cameraAfter(page, before) {
  await page.waitForFunction((hash) => location.hash !== hash, before);
  return cameraOf(await fragment(page, /eye=/), await sizeOf(page));
}

test("a scene opens at its own camera; its angle is set and places are kept", async ({ page, folder, serve }) => {
  await open(page, await serve([parade(folder)]));
  const home = await fragment(page, /eye=/);
  expect(cameraOf(home, await sizeOf(page))).toMatchObject({ eye: [12, 9, 34], look: [12, 1, 6], fov: 40 });
  await tab(page, "Scene").click();
  const angle = page.getByRole("slider", { name: "Field of view" });
  await expect(angle).toHaveValue("40");
  await angle.fill("75");
  expect((await cameraAfter(page, home)).fov).toBe(75);
  const wide = await fragment(page, /fov=75/);
  await page.getByRole("button", { name: "Keep this place" }).click();
  await page.getByRole("button", { name: "From above" }).click();
  const above = await cameraAfter(page, wide);
  expect([above.eye[0], above.eye[2]].map((at, axis) => Math.abs(at - [above.look[0], above.look[2]][axis]))).toEqual([expect.closeTo(0, 2), expect.closeTo(0, 2)]);

  // It is kept for the scene, also by the next visit.
  await page.reload();
  await settled(page);
  await tab(page, "Scene").click();
  const before = await fragment(page, /eye=/);
  await page.getByRole("button", { name: "Place 1", exact: true }).click();
  const kept = await cameraAfter(page, before);
  await page.waitForFunction(() => /eye=12,9,34/.test(decodeURIComponent(location.hash)));
  expect(kept.fov).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Remove Place 1" }).click();
  await expect(page.getByRole("button", { name: "Place 1", exact: true })).toHaveCount(0);
});

test("the wheel goes to what is under the pointer, and not out of the scene's reach", async ({ page, folder, serve }) => {
  await open(page, await serve([yard(folder)]), "#v=1&size=480x320&eye=2,14,20&look=0,1,0&fov=50");
  const start = await fragment(page, /eye=/);
  const box = await picture(page).boundingBox();
  if (!box) throw new Error("no picture");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  for (let notch = 0; notch < 40; notch += 1) await page.mouse.wheel(0, -100);
  await settled(page);
  const near = await cameraAfter(page, start);
  // What the middle shows is on the ground, about 23 m ahead: all but a few centimetres of that are gone.
  expect(near.eye[1]).toBeLessThan(4);
  expect(near.eye.every(Number.isFinite)).toBe(true);
  const nearest = await fragment(page, /eye=/);
  // By the depth in view a key still moves it, and by little.
  await picture(page).focus();
  await page.keyboard.down("w");
  await page.evaluate(async () => {
    for (let at = 0; at < 6; at += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
  await page.keyboard.up("w");
  const moved = await cameraAfter(page, nearest);
  const way = Math.hypot(...moved.eye.map((at, axis) => at - (near.eye[axis] ?? 0)));
  expect(way).toBeGreaterThan(0);
  expect(way).toBeLessThan(5);

  const middle = await fragment(page, /eye=/);
  for (let notch = 0; notch < 60; notch += 1) await page.mouse.wheel(0, 1000);
  await settled(page);
  const far = await cameraAfter(page, middle);
  expect(Math.hypot(...far.eye)).toBeLessThan(1e5);
});
