// A phone of 390 x 844, by touch alone.
import { expect, test } from "./fixtures.mjs";
import { asking, fragment, open, picture, placeOf, settled, sizeOf, tab, tool } from "./page.mjs";
import { canvasPicture } from "./picture.mjs";
import { answerOf } from "./program.mjs";
import { yard } from "./scenes.mjs";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

/** @typedef {{x: number, y: number}} Place */

/**
 * Fingers on the screen: each call says where they are, none when all are lifted.
 * @param {import("@playwright/test").Page} page
 */
async function hand(page) {
  const session = await page.context().newCDPSession(page);
  let down = 0;
  return async (/** @type {Place[]} */ ...places) => {
    const type = places.length === 0 ? "touchEnd" : places.length > down ? "touchStart" : "touchMove";
    down = places.length;
    await session.send("Input.dispatchTouchEvent", { type, touchPoints: places.map((place, id) => ({ ...place, id })) });
  };
}

/** The middle of the picture. @param {import("@playwright/test").Page} page */
async function middle(page) {
  const [width, height] = await sizeOf(page);
  return placeOf(page, [width >> 1, height >> 1]);
}

test("a tap shoots", async ({ page, folder, serve }) => {
  const scene = yard(folder);
  await open(page, await serve([scene]), "#v=1&size=390x330");
  const fingers = await hand(page);
  const place = await middle(page);
  const shot = await asking(page, async () => {
    await fingers(place);
    await fingers();
  });
  expect(shot.answer).toEqual(answerOf(["ray", scene], shot.question));
  expect(shot.word).toBe("hit");
});

test("one finger orbits, two pan and pinch, and what is shot then is what is seen", async ({ page, folder, serve }) => {
  const scene = yard(folder);
  await open(page, await serve([scene]), "#v=1&size=390x330");
  const fingers = await hand(page);
  const { x, y } = await middle(page);
  const home = await fragment(page, /eye=/);
  await fingers({ x, y });
  for (let step = 1; step <= 5; step += 1) await fingers({ x: x + 12 * step, y: y + 4 * step });
  await fingers();
  await page.waitForFunction((before) => location.hash !== before, home);
  await settled(page);
  const turned = await fragment(page, /eye=/);
  await expect(page.locator("#panel-shots .shot")).toHaveCount(0);

  await fingers({ x: x - 30, y });
  await fingers({ x: x - 30, y }, { x: x + 30, y });
  for (let step = 1; step <= 5; step += 1) await fingers({ x: x - 30 - 8 * step, y: y + 5 * step }, { x: x + 30 + 8 * step, y: y + 5 * step });
  await fingers();
  await page.waitForFunction((before) => location.hash !== before, turned);
  await settled(page);
  await expect(page.locator("#panel-shots .shot")).toHaveCount(0);

  const place = await middle(page);
  const shot = await asking(page, async () => {
    await fingers(place);
    await fingers();
  });
  expect(shot.answer).toEqual(answerOf(["ray", scene], shot.question));
});

test("a long press makes its point the one that is orbited", async ({ page, folder, serve }) => {
  await open(page, await serve([yard(folder)]), "#v=1&size=390x330");
  const fingers = await hand(page);
  const { x, y } = await middle(page);
  const home = await fragment(page, /eye=/);
  await fingers({ x, y });
  // The mark at the point is drawn once the press is long enough.
  await expect.poll(async () => (await canvasPicture(page, "#overlay")).rgb.some((value) => value > 0)).toBe(true);
  for (let step = 1; step <= 5; step += 1) await fingers({ x: x + 10 * step, y });
  await fingers();
  await page.waitForFunction((before) => location.hash !== before, home);
  await settled(page);
  await expect(page.locator("#panel-shots .shot")).toHaveCount(0);
});

test("the sheet has three heights, and targets are 44 pixels", async ({ page, folder, serve }) => {
  await open(page, await serve([yard(folder)]), "#v=1&size=390x330");
  const grip = page.getByRole("button", { name: /^Height of the inspector/ });
  const height = async () => (await page.locator("#inspector").boundingBox())?.height ?? 0;
  const heights = [await height()];
  for (const name of ["half", "full"]) {
    await grip.tap();
    await expect(grip).toHaveAccessibleName(`Height of the inspector: ${name}`);
    await expect.poll(height).toBeGreaterThan((heights.at(-1) ?? 0) + 50);
    heights.push(await height());
  }
  await grip.tap();
  await expect.poll(height).toBe(heights[0]);
  for (const name of ["Ray", "Height", "Sweep", "Overlap", "Closest", "Arc", "Sight", "Ruler", "Look"]) await expectTarget(tool(page, name));
  for (const name of ["Answer", "Why", "Scene", "Shots"]) await expectTarget(tab(page, name));
  await expectTarget(page.getByRole("button", { name: "More" }));
  await expect(picture(page)).toBeInViewport();
});

test("the sheet that opens leaves the hit in view", async ({ page, folder, serve }) => {
  await open(page, await serve([yard(folder)]), "");
  const fingers = await hand(page);
  const [width, height] = await sizeOf(page);
  const low = await placeOf(page, [width >> 1, Math.round(height * 0.62)]);
  const { word } = await asking(page, async () => {
    await fingers(low);
    await fingers();
  });
  expect(word).toBe("hit");
  const grip = page.getByRole("button", { name: /^Height of the inspector/ });
  const view = async () => (await page.locator("#view").boundingBox())?.y ?? 0;
  const rests = await view();
  await grip.tap();
  await expect.poll(view).toBeLessThan(rests);
  // The hit has moved with the picture, and is above the sheet once that is open.
  const hit = low.y + (await view()) - rests;
  await expect.poll(async () => (await page.locator("#inspector").boundingBox())?.y ?? 0).toBeGreaterThan(hit + 8);
  expect(hit).toBeGreaterThan(0);
  await grip.tap();
  await grip.tap();
  await expect.poll(view).toBe(rests);
});

for (const theme of /** @type {const} */ (["light", "dark"])) {
  test(`every control can be reached, is 44 pixels, and says tap (${theme})`, async ({ page, folder, serve }) => {
    await page.emulateMedia({ colorScheme: theme });
    await open(page, await serve([yard(folder)]), "#v=1&size=390x330");
    await expect(page.locator("#hint")).toHaveText(/^Tap /);
    const grip = page.getByRole("button", { name: /^Height of the inspector/ });
    await grip.tap();
    await grip.tap();
    for (const name of ["Ray", "Height", "Sweep", "Overlap", "Closest", "Arc", "Sight", "Ruler", "Look"]) {
      await tool(page, name).tap();
      await expect(tool(page, name)).toBeInViewport({ ratio: 0.9 });
      expect(await tooSmall(page), name).toEqual([]);
      await expect(page.locator("#panels")).not.toContainText(/\bclick/i);
    }
    for (const name of ["Why", "Scene", "Shots"]) {
      await tab(page, name).tap();
      expect(await tooSmall(page), name).toEqual([]);
    }
  });
}

/** What fingers press and is seen, but is smaller than 44 pixels. @param {import("@playwright/test").Page} page */
const tooSmall = (page) => page.evaluate(() => {
  const pressed = document.querySelectorAll("button, select, summary, input:not([type=radio], [type=checkbox], .hidden), label:has(input[type=radio], input[type=checkbox]), [role=option], [role=treeitem]");
  return [...pressed].flatMap((element) => {
    if (!element.checkVisibility({ checkVisibilityCSS: true })) return [];
    const { width, height } = element.getBoundingClientRect();
    const name = element.getAttribute("aria-label") ?? element.textContent?.trim().slice(0, 40) ?? "";
    return Math.min(width, height) >= 43.9 ? [] : [`${element.tagName} ${element.className} ${name}: ${Math.round(width)} x ${Math.round(height)}`];
  });
});

/** @param {import("@playwright/test").Locator} target */
async function expectTarget(target) {
  const { width, height } = (await target.boundingBox()) ?? { width: 0, height: 0 };
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
}
