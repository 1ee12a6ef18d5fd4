// The page and its server: two pages at once, a server that dies and comes back, and a picture at rest.
import { LOST, expect, test } from "./fixtures.mjs";
import { asking, click, observed, open, picture, settled, shown, sizeOf } from "./page.mjs";
import { canvasPicture, difference } from "./picture.mjs";
import { answerOf } from "./program.mjs";
import { pair, walk, yard } from "./scenes.mjs";

/** @typedef {import("@playwright/test").Page} Page */

test("two pages at once see and ask each their own", async ({ page, context, folder, serve }) => {
  const scene = walk(folder);
  const server = await serve([scene]);
  const other = await context.newPage();
  const [here, there] = ["eye=1,3.5,8&look=0,1.7,0", "eye=9,6,2&look=0,1,0&pose=walker:Walk:1.5"];
  await open(page, server, `#v=1&size=240x160&${here}`);
  const alone = await canvasPicture(page);
  await open(other, server, `#v=1&size=320x200&${there}`);
  // Both move at the same time, and both come to rest.
  for (const one of [page, other]) await picture(one).focus();
  for (const key of ["ArrowLeft", "ArrowRight"]) await Promise.all([page, other].map((one) => picture(one).press(key)));
  await Promise.all([settled(page), settled(other)]);
  await page.evaluate((hash) => (location.hash = hash), `#v=1&size=240x160&${here}`);
  await settled(page);
  expect(difference(await canvasPicture(page), alone)).toBe("none");
  expect(await sizeOf(other)).toEqual([320, 200]);

  const posed = walk(folder, { file: "posed.toml", clip: "Walk", time: 1.5 });
  const [first, second] = [await asking(page, () => click(page, [120, 80])), await asking(other, () => click(other, [160, 100]))];
  expect(first.answer).toEqual(answerOf(["ray", scene], first.question));
  expect(second.answer).toEqual(answerOf(["ray", posed], second.question));
  expect(await shown(page)).toEqual(first);
});

test("a server that is killed and started again finds the page as it was", async ({ page, folder, serve, quiet }) => {
  quiet.allowed.push(...LOST);
  const scene = yard(folder);
  const server = await serve([scene, "--no-key"]);
  await open(page, server, "#v=1&size=320x200&eye=6,7,9&look=0,1,0");
  const before = await canvasPicture(page);
  const shot = await asking(page, () => click(page, [150, 110]));
  await server.stop("SIGKILL");
  const notice = page.getByRole("region", { name: "Notice" });
  await expect(notice.getByRole("heading", { name: "Connection lost" })).toBeVisible();
  // The picture and the answer stay.
  expect(difference(await canvasPicture(page), before)).toBe("none");
  expect(await shown(page)).toEqual(shot);

  await serve([scene, "--no-key"], { port: server.port });
  await notice.getByRole("button", { name: "Try now" }).click();
  await expect(notice).toBeHidden();
  await settled(page);
  expect(difference(await canvasPicture(page), before)).toBe("none");
  expect(await shown(page)).toEqual(shot);
  const again = await asking(page, () => click(page, [150, 110]));
  expect(again).toEqual(shot);
  await page.getByRole("button", { name: "Why?" }).click();
  await expect(page.getByRole("listbox", { name: "Steps" })).toBeVisible();
});

test("the page comes back by itself", async ({ page, folder, serve, quiet }) => {
  quiet.allowed.push(...LOST);
  const scene = pair(folder);
  const server = await serve([scene, "--no-key"]);
  await open(page, server, "#v=1&size=200x120");
  expect(await server.stop("SIGINT")).toBe(130);
  const notice = page.getByRole("region", { name: "Notice" });
  await expect(notice).toBeVisible();
  await serve([scene, "--no-key"], { port: server.port });
  await expect(notice).toBeHidden();
  await settled(page);
});

test("at rest no frame is asked for, sent or drawn", async ({ page, folder, serve }) => {
  await open(page, await serve([walk(folder)]), "#v=1&size=320x200");
  await asking(page, () => click(page, [160, 100]));
  await settled(page);
  await page.evaluate(async () => {
    // What the click drew is drawn, and the address has followed.
    while (!location.hash.includes("q=")) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
  const before = await observed(page);
  // This much rest is what is measured.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1500)));
  const after = await observed(page);
  expect(after.animated).toBe(before.animated);
  expect(after.frames).toBe(before.frames);
  expect(after.sent.slice(before.sent.length).filter((type) => type !== "ping")).toEqual([]);
});
