// Shots over a reload of the page: they are the tab's, of the scene, and queried again.
import { expect, test } from "./fixtures.mjs";
import { asking, click, open, settled, shown, sizeOf, tab } from "./page.mjs";
import { yard } from "./scenes.mjs";

/** @typedef {import("@playwright/test").Page} Page */

/** The shots as they are listed, newest first, once all are answered. @param {Page} page */
async function listed(page) {
  await tab(page, "Shots").click();
  const rows = page.locator("#panel-shots .shot");
  await expect(rows.locator(".row-beside", { hasText: "asking" })).toHaveCount(0);
  return rows.locator(".shot-show").allTextContents();
}

/** Queries three pixels. @param {Page} page */
async function askThree(page) {
  const [width, height] = await sizeOf(page);
  const answers = [];
  for (const at of [0.3, 0.5, 0.7]) answers.push(await asking(page, () => click(page, [Math.floor(width * at), Math.floor(height * at)])));
  return answers;
}

test("a reload keeps the shots, their names, the one that is shown, and asks them again", async ({ page, folder, serve }) => {
  await open(page, await serve([yard(folder)]), "#v=1&size=480x320");
  const answers = await askThree(page);
  await tab(page, "Shots").click();
  await page.getByRole("button", { name: "Rename" }).first().click();
  await page.getByRole("textbox", { name: /^Name of/ }).fill("by the wall");
  await page.keyboard.press("Enter");
  await page.locator("#panel-shots .shot-show").nth(1).click();
  const before = await listed(page);
  expect(before).toHaveLength(3);
  expect(before[0]).toContain("by the wall");

  await page.reload();
  await settled(page);
  expect(await listed(page)).toEqual(before);
  await expect(page.locator("#panel-shots .shot-show[aria-current=true]")).toHaveText(before[1] ?? "");
  await expect(page.getByRole("button", { name: "Undo" })).toBeDisabled();
  await tab(page, "Answer").click();
  const { question, answer } = await shown(page);
  expect({ question, answer }).toEqual({ question: answers[1]?.question, answer: answers[1]?.answer });

  // A new shot has a name of its own, and a shot that is deleted stays so.
  await askThree(page);
  const names = (await listed(page)).length;
  expect(names).toBe(6);
  await page.getByRole("button", { name: "Delete all" }).click();
  // The address follows.
  await page.waitForFunction(() => !location.hash.includes("q="));
  await page.reload();
  await settled(page);
  await tab(page, "Shots").click();
  await expect(page.locator("#panel-shots .shot")).toHaveCount(0);
});

test("a scene shows its own shots alone, and another tab none of them", async ({ page, context, folder, serve }) => {
  const server = await serve([yard(folder)]);
  await open(page, server, "#v=1&size=480x320");
  await askThree(page);
  expect(await listed(page)).toHaveLength(3);
  const other = await context.newPage();
  await open(other, server, "#v=1&size=480x320");
  await tab(other, "Shots").click();
  await expect(other.locator("#panel-shots .shot")).toHaveCount(0);
  await other.close();

  await page.goto("about:blank");
  await server.stop();
  await serve([], { port: server.port }).then((demo) => open(page, demo, "#v=1&size=480x320"));
  await tab(page, "Shots").click();
  await expect(page.locator("#panel-shots .shot")).toHaveCount(0);
});

test("Ctrl+Z takes a shot back wherever no text is typed, and Shift does it again", async ({ page, folder, serve }) => {
  await open(page, await serve([yard(folder)]), "#v=1&size=480x320");
  await askThree(page);
  const count = async () => (await listed(page)).length;
  for (const focused of [page.locator("#picture"), tab(page, "Answer")]) {
    await focused.focus();
    await page.keyboard.press("Control+z");
    await expect.poll(count).toBe(2);
    await focused.focus();
    await page.keyboard.press("Control+Shift+z");
    await expect.poll(count).toBe(3);
  }
  // A field has an undo of its own.
  await tab(page, "Scene").click();
  await page.getByRole("searchbox").first().fill("a");
  await page.keyboard.press("Control+z");
  expect(await count()).toBe(3);
});
