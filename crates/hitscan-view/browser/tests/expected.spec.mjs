// "I expected that it hits X": by how much it misses it, and what kept it out, as `--expect` reports it.
import { cameraOf, pixelOf } from "./camera.mjs";
import { expect, expectAccessible, test } from "./fixtures.mjs";
import { asking, click, fragment, open, picture, placeOf, scrubbedAt, settled, sizeOf, tab, tabTo } from "./page.mjs";
import { hitscan } from "./program.mjs";
import { walk, yard } from "./scenes.mjs";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {import("./camera.mjs").Point} Point */

const VIEW = "#v=1&size=480x320&eye=0,5,14&look=0,1,0&fov=40";
/** Over the ball, which it passes by 0.6 m at t = 3, and off the map. */
const OVER = "&tool=ray&q=ox:0,oy:4,oz:-1,dx:1,dy:0,dz:0";

const why = (/** @type {Page} */ page) => page.locator("#panel-why");
const told = (/** @type {Page} */ page) => why(page).locator(".expected");
const name = (/** @type {Page} */ page) => why(page).getByLabel("Object", { exact: true });
const button = (/** @type {Page} */ page, /** @type {string} */ name) => page.getByRole("button", { name, exact: true });
const pick = (/** @type {Page} */ page) => button(page, "Pick in the picture");

/** What `--expect` says of a ray. @param {string} scene @param {Record<string, string | number>} question @param {string} object */
function expectedOf(scene, question, object) {
  const input = `${Object.keys(question).join(",")}\n${Object.values(question).join(",")}\n`;
  return JSON.parse(hitscan(["ray", scene, "-", "--explain", "0", "--json", "--expect", object], { input })).expected;
}

/** @param {string} clause */
const sentence = (clause) => `${clause[0]?.toUpperCase()}${clause.slice(1)}.`;

/** A link's shot and its reasons. @param {Page} page @param {string} link @param {import("./program.mjs").Server} server */
async function explained(page, server, link) {
  await open(page, server, link);
  await tab(page, "Why").click();
  await expect(why(page).getByRole("heading", { name: "Expected another object?" })).toBeVisible();
}

/** Clicks the pixel that shows a point, whatever that does. @param {Page} page @param {Point} point */
async function clickAt(page, point) {
  const pixel = pixelOf(cameraOf(VIEW, await sizeOf(page)), point);
  await click(page, pixel);
}

test("an object is picked in the picture, and told as by --expect", async ({ page, folder, serve }) => {
  const scene = yard(folder);
  await explained(page, await serve([scene]), VIEW + OVER);
  const shots = await page.locator("#panel-shots .shot").count();
  await pick(page).click();
  await expect(pick(page)).toHaveAttribute("aria-pressed", "true");
  await expect(page.locator("#hint")).toContainText("Click the object that you expected");
  await expectAccessible(page);
  // The sky is no object; what is picked then is.
  await clickAt(page, [0, 7, -30]);
  await expect(page.locator("#status")).toHaveText(/^Nothing is there/);
  await clickAt(page, [3.6, 2.6, 0]);
  await expect(pick(page)).toHaveAttribute("aria-pressed", "false");
  await expect(name(page)).toHaveValue("ball");
  const { reasons } = expectedOf(scene, { ox: 0, oy: 4, oz: -1, dx: 1, dy: 0, dz: 0 }, "ball");
  expect(reasons[0].reason).toBe("missed");
  await expect(told(page)).toContainText(sentence(reasons[0].why));
  await expect(told(page).locator("dt:text('misses by') + dd")).toHaveText("600 mm");
  await expect(told(page).locator("dt:text('nearest at t') + dd")).toHaveText("3");
  // From the origin the ball's middle is 3 m ahead and 1.8 m below, its radius 1.2 m.
  const angle = ((Math.atan2(1.8, 3) - Math.asin(1.2 / Math.hypot(3, 1.8))) * 180) / Math.PI;
  await expect(told(page).locator("dt:text('turned to hit') + dd")).toHaveText(`${angle.toFixed(1)}°`);
  // The next click is a shot again, and what was expected is reported for it as well.
  expect(await page.locator("#panel-shots .shot").count()).toBe(shots);
  await asking(page, () => clickAt(page, [-0.25, 1.5, 2.5]));
  await expect(told(page)).toContainText(/ball|It |The ray/);
  await expectAccessible(page);
});

test("by keys alone: an object is named, another picked at the crosshair, and Escape leaves", async ({ page, folder, serve }) => {
  const scene = yard(folder);
  await explained(page, await serve([scene]), `${VIEW}&tool=ray&q=ox:-0.25,oy:1.5,oz:14,dx:0,dy:0,dz:-1`);
  await tabTo(page, name(page));
  await page.keyboard.type("screen");
  await page.keyboard.press("Enter");
  const { reasons } = expectedOf(scene, { ox: -0.25, oy: 1.5, oz: 14, dx: 0, dy: 0, dz: -1 }, "screen");
  expect(reasons.map((/** @type {any} */ one) => one.reason)).toContain("hidden");
  await expect(told(page)).toContainText("crate is hit at t = 11.5");
  await tabTo(page, pick(page));
  await page.keyboard.press("Enter");
  await expect(picture(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(pick(page)).toBeFocused();
  await expect(pick(page)).toHaveAttribute("aria-pressed", "false");
  // The shot is still there.
  await expect(told(page)).toContainText("crate is hit at t = 11.5");
  await page.keyboard.press("Enter");
  await page.keyboard.press("c");
  await page.keyboard.press("Enter");
  await expect(name(page)).not.toHaveValue("screen");
  await expect(pick(page)).toHaveAttribute("aria-pressed", "false");
  // What is no object is said to be none.
  await name(page).fill("nobody");
  await name(page).press("Enter");
  await expect(told(page)).toContainText("expect: expected the name of an object");
});

test("a click beside an object lists it as a near miss, though it hits", async ({ page, folder, serve }) => {
  await open(page, await serve([yard(folder)]), "#v=1&size=480x320&eye=3,9,6&look=3,2.2,-1&fov=40");
  const camera = cameraOf("#v=1&eye=3,9,6&look=3,2.2,-1&fov=40", await sizeOf(page));
  const [x, y] = pixelOf(camera, [3, 2.2, -1]);
  // From the middle of the ball to the right, until it is not hit any more.
  let shot = { answer: /** @type {Record<string, string>} */ ({}) };
  for (let aside = 20; aside < 120; aside += 5) {
    shot = await asking(page, () => click(page, [x + aside, y]));
    if (shot.answer["object"] !== "ball") break;
  }
  expect(shot.answer["object"]).toBe("hills");
  await tab(page, "Why").click();
  const near = why(page).locator(".near li");
  await expect(near.first()).toContainText(/^ball.*by .* at t = /);
  await expect(why(page).locator(".near")).not.toContainText("hills");
  await near.first().getByRole("button").click();
  await expect(told(page).locator("dt:text('misses by')")).toBeVisible();
  await expect(name(page)).toHaveValue("ball");
});

test("the ground under a shot into the sky is no near miss, and no change is a negative t_min", async ({ page, folder, serve }) => {
  await open(page, await serve([yard(folder)]), "#v=1&size=480x320&eye=0,2,0&look=3,9,3&fov=40");
  const { word } = await asking(page, () => click(page, [240, 160]));
  expect(word).toBe("miss");
  await tab(page, "Why").click();
  await expect(why(page).getByRole("heading", { name: "Nearest approach" })).toBeVisible();
  await expect(why(page).locator(".near li", { hasText: "hills" })).toHaveCount(0);
  await expect(why(page).locator(".change", { hasText: "t_min" })).toHaveCount(0);
  await expect(why(page)).not.toContainText("from hills");
});

test("what was there a moment ago is told", async ({ page, folder, serve }) => {
  const view = "#v=1&size=320x200&eye=1,3.5,8&look=0,1.7,0&fov=45";
  await open(page, await serve([walk(folder)]), view);
  // The views of the page's beginning are more than a second ago.
  const start = (await page.evaluate(() => performance.now())) + 5000;
  await scrubbedAt(page, Math.round(start), "100");
  await scrubbedAt(page, Math.round(start) + 200, "1000");
  const camera = cameraOf(view, await sizeOf(page));
  const { answer } = await asking(page, () => click(page, pixelOf(camera, [-1.1, 1.3, 0.4])));
  expect(answer["object"]).not.toBe("walker");
  await tab(page, "Why").click();
  await name(page).fill("walker");
  await name(page).press("Enter");
  // The last view of then was at rest 100 ms after the first, and 200 ms before the one that was shot at.
  await expect(told(page)).toContainText("It was there 0.2 s ago");
});

test("a shot is looked at from its side, and the camera goes back", async ({ page, folder, serve }) => {
  await open(page, await serve([yard(folder)]), VIEW);
  const before = await fragment(page, /eye=/);
  const { question, answer } = await asking(page, () => clickAt(page, [-0.25, 1.5, 2.5]));
  const shot = await fragment(page, /q=/);
  await tab(page, "Why").click();
  await button(page, "From the side").click();
  await page.waitForFunction((was) => location.hash !== was, shot);
  await settled(page);
  const aside = await fragment(page, /eye=/);
  const [width, height] = await sizeOf(page);
  await expect.poll(async () => {
    const camera = cameraOf(await fragment(page, /eye=/), [width, height]);
    const ends = [["ox", "oy", "oz"], ["x", "y", "z"]].map((names) => names.map((one) => Number({ ...question, ...answer }[one])));
    const [[x0 = 0, y0 = 0] = [], [x1 = 0, y1 = 0] = []] = ends.map((end) => pixelOf(camera, /** @type {Point} */ (end)));
    const isInside = [x0, x1].every((x) => x >= 0 && x < width) && [y0, y1].every((y) => y >= 0 && y < height);
    return isInside && Math.hypot(x1 - x0, y1 - y0) > 0.5 * height;
  }).toBe(true);
  expect(aside).not.toBe(shot);
  await picture(page).focus();
  await page.keyboard.press("Backspace");
  const eye = /** @type {RegExpExecArray} */ (/eye=[^&]*&look=[^&]*/.exec(before))[0];
  await page.waitForFunction((was) => location.hash.includes(was), eye);
});

test("a section shows the shot, and speaks of the ground where that decides", async ({ page, folder, serve }) => {
  const server = await serve([yard(folder)]);
  // The ball is hit, 1.3 m from where it starts; the map goes on behind it.
  await explained(page, server, `${VIEW}&tool=ray&q=ox:0.5,oy:2.2,oz:-1,dx:1,dy:0,dz:0`);
  const chart = why(page).getByRole("img", { name: /^Section over hills/ });
  const along = async () => Number(/([\d.]+) m along/.exec((await chart.getAttribute("aria-label")) ?? "")?.[1]);
  await expect(why(page)).toContainText("The ray ends at ball; hills is not what decides.");
  await expect(why(page)).not.toContainText("classic march");
  expect(await along()).toBeLessThan(4);
  await button(page, "All of it").click();
  expect(await along()).toBeGreaterThan(10);
  await button(page, "The shot").click();
  expect(await along()).toBeLessThan(4);
  // Down to the ground, which decides.
  await explained(page, server, `${VIEW}&tool=ray&q=ox:-8,oy:4,oz:3,dx:1,dy:-1,dz:0`);
  await expect(why(page)).toContainText("The classic march");
  expect(await along()).toBeLessThan(8);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("an object is picked by a tap", async ({ page, folder, serve }) => {
    await open(page, await serve([yard(folder)]), VIEW + OVER);
    await tab(page, "Why").tap();
    await expect(why(page).getByRole("heading", { name: "Expected another object?" })).toBeVisible();
    await pick(page).scrollIntoViewIfNeeded();
    const size = await pick(page).boundingBox();
    expect(size?.height).toBeGreaterThanOrEqual(44);
    await pick(page).tap();
    const { x, y } = await placeOf(page, pixelOf(cameraOf(VIEW, await sizeOf(page)), [3.6, 2.6, 0]));
    await page.touchscreen.tap(x, y);
    await expect(name(page)).toHaveValue("ball");
    await expect(told(page).locator("dt:text('misses by') + dd")).toHaveText("600 mm");
    await expectAccessible(page);
  });
});
