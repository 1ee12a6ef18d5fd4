// The key of the printed address: who has it sees the scene, and it goes nowhere else.
import { LOST, expect, expectAccessible, test } from "./fixtures.mjs";
import { asking, click, observed, open, picture, settled, status } from "./page.mjs";
import { canvasPicture, difference } from "./picture.mjs";
import { pair } from "./scenes.mjs";

/** @typedef {import("@playwright/test").Page} Page */

const VIEW = "#v=1&size=200x120";
const notice = (/** @type {Page} */ page) => page.getByRole("region", { name: "Notice" });
const keyOf = (/** @type {{ url: string }} */ { url }) => url.split("#key=")[1] ?? "";

test("without the key the page shows nothing, and says what to open", async ({ page, folder, serve }) => {
  const server = await serve([pair(folder)]);
  await page.goto(new URL("/", server.url).href);
  await expect(notice(page).getByRole("heading", { name: "A key is needed" })).toBeVisible();
  await expect(notice(page)).toContainText("Open the address that hitscan view printed");
  await expect(status(page)).toHaveText("A key is needed.");
  await expectAccessible(page);
  await page.goto(`${new URL("/", server.url).href}${VIEW}&key=${"0".repeat(32)}`);
  await page.reload();
  await expect(notice(page).getByRole("heading", { name: "The key does not fit" })).toBeVisible();
  expect((await observed(page)).frames).toBe(0);
});

test("the key leaves the address, and is in nothing that is copied or asked for", async ({ page, context, browser, folder, serve }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const server = await serve([pair(folder)]);
  const key = keyOf(server);
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  /** @type {string[]} */
  const asked = [];
  page.on("request", (request) => asked.push(JSON.stringify(request.headers())));
  await open(page, server, VIEW);
  expect(page.url()).not.toContain(key);
  await asking(page, () => click(page, [100, 60]));
  await page.waitForFunction(() => location.hash.includes("q="));
  expect(page.url()).not.toContain("key=");
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await picture(page).press("l");
  await expect.poll(clipboard).toContain("#v=1");
  const link = await clipboard();
  const copied = page.getByLabel("Copied text");
  for (const name of ["Link", "Command line", "Rust test", "Python test"]) {
    await page.getByRole("button", { name, exact: true }).click();
    await expect(copied).not.toHaveValue("");
    expect(`${link} ${await copied.inputValue()}`).not.toMatch(new RegExp(`key=|${key}`));
  }
  await page.reload();
  await settled(page);
  expect(asked.join("\n")).not.toContain(key);

  // The browser has it for links to this address; another has not.
  const other = await context.newPage();
  await other.goto(link);
  await settled(other);
  await other.goto("about:blank");
  await other.goto(`${link}&key=${"0".repeat(32)}`);
  await settled(other);
  const stranger = await browser.newPage();
  await stranger.goto(link);
  await expect(notice(stranger).getByRole("heading", { name: "A key is needed" })).toBeVisible();
  await stranger.close();
});

test("a page goes on when the address of a program that was started again is opened beside it", async ({ page, context, folder, serve, quiet }) => {
  quiet.allowed.push(...LOST);
  const scene = pair(folder);
  const server = await serve([scene]);
  await open(page, server, VIEW);
  const before = await canvasPicture(page);
  await server.stop();
  const again = await serve([scene], { port: server.port });
  await expect(notice(page).getByRole("heading", { name: "The key does not fit" })).toBeVisible();
  expect(difference(await canvasPicture(page), before)).toBe("none");
  const other = await context.newPage();
  await open(other, again, VIEW);
  await expect(notice(page)).toBeHidden();
  await settled(page);
  expect(difference(await canvasPicture(page), before)).toBe("none");
});
