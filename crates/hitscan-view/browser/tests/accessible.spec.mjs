// axe-core finds nothing in any state of the page: light and dark, on a desktop and on a phone.
import { LOST, expect, expectAccessible, test } from "./fixtures.mjs";
import { asking, click, open, sizeOf, tab, tool } from "./page.mjs";
import { nothing, walk, yard } from "./scenes.mjs";

/** @typedef {import("@playwright/test").Page} Page */

const DESKTOP = { width: 1280, height: 720 };
const PHONE = { width: 390, height: 844 };
const LOOKS = /** @type {const} */ ([
  ["light, desktop", "light", DESKTOP],
  ["dark, desktop", "dark", DESKTOP],
  ["light, phone", "light", PHONE],
  ["dark, phone", "dark", PHONE],
]);

for (const [name, colorScheme, viewport] of LOOKS) {
  test.describe(name, () => {
    test.use({ colorScheme, viewport });

    test("answers, reasons, scene and shots", async ({ page, folder, serve, context }) => {
      await context.grantPermissions(["clipboard-write"]);
      await open(page, await serve([yard(folder)]), "#v=1&size=320x200");
      await expectAccessible(page);
      await asking(page, () => click(page, [150, 120]));
      await show(page, "Answer");
      await page.getByRole("button", { name: "Exact bits" }).click();
      await page.locator("summary", { hasText: "Question" }).click();
      await page.getByRole("button", { name: "Table row" }).click();
      await expectAccessible(page);
      await page.getByLabel("ox, m").fill("far");
      await page.getByRole("button", { name: "Ask again" }).click();
      await expectAccessible(page);
      await tab(page, "Why").click();
      await expect(page.getByRole("listbox", { name: "Steps" })).toBeVisible();
      await expectAccessible(page);
      await page.locator("#panel-why").getByLabel("Object", { exact: true }).fill("ball");
      await page.keyboard.press("Enter");
      await expect(page.locator("#panel-why .expected p").first()).toBeVisible();
      await expectAccessible(page);
      await tab(page, "Scene").click();
      await page.getByRole("treeitem").first().click();
      await expectAccessible(page);
      await tab(page, "Shots").click();
      const table = "ox,oy,oz,dx,dy,dz,status\n0,9,0,0,-1,0,miss\n";
      await page.getByLabel("Table of questions or answers").setInputFiles({ name: "rays.csv", mimeType: "text/csv", buffer: Buffer.from(table) });
      await expect(page.locator(".row-differs")).toHaveCount(1);
      await expectAccessible(page);
    });

    test("a miss, every tool, the menu and the keys", async ({ page, folder, serve }) => {
      await open(page, await serve([yard(folder)]), "#v=1&size=320x200&eye=0,6,16&look=0,6,0");
      await show(page, "Answer");
      await expectAccessible(page);
      await asking(page, () => click(page, [160, 5]));
      await tab(page, "Why").click();
      await expect(page.getByRole("heading", { name: "Nearest approach" })).toBeVisible();
      await expectAccessible(page);
      await tab(page, "Answer").click();
      for (const one of ["Height", "Sweep", "Overlap", "Closest", "Arc", "Viewshed", "Look"]) {
        await tool(page, one).click();
        await expectAccessible(page);
      }
      await page.getByRole("button", { name: "More" }).click();
      await expectAccessible(page);
      await page.getByRole("button", { name: /^Keys and gestures/ }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await expectAccessible(page);
    });

    test("the timeline, a cost, and a connection that is lost", async ({ page, folder, serve, quiet }) => {
      quiet.allowed.push(...LOST);
      const server = await serve([walk(folder)]);
      await open(page, server, "#v=1&size=320x200&mode=cost");
      await expect(page.getByRole("region", { name: "Timeline" })).toBeVisible();
      await expectAccessible(page);
      await server.stop();
      await expect(page.getByRole("heading", { name: "Connection lost" })).toBeVisible();
      await expectAccessible(page);
    });

    test("an empty scene", async ({ page, folder, serve }) => {
      await page.goto((await serve([nothing(folder)])).url);
      await expect(page.getByRole("heading", { name: "The scene is empty" })).toBeVisible();
      await expectAccessible(page);
    });
  });
}

test("text of 200 % leaves every control within reach", async ({ page, folder, serve }) => {
  await open(page, await serve([yard(folder)]), "#v=1&size=320x200");
  await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
  await asking(page, () => click(page, [150, 120]));
  const [width] = await sizeOf(page);
  expect(width).toBe(320);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(wide).toBe(0);
  for (const name of ["Answer", "Why", "Scene", "Shots"]) await expect(tab(page, name)).toBeInViewport();
  // The rail scrolls where it is longer than the window.
  for (const name of ["Ray", "Look"]) {
    await tool(page, name).scrollIntoViewIfNeeded();
    await expect(tool(page, name)).toBeInViewport();
  }
});

/** Opens a tab; on a phone the sheet comes up with it. @param {Page} page @param {string} name */
async function show(page, name) {
  await tab(page, name).click();
}
