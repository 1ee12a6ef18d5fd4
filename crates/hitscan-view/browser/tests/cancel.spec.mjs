// Questions that would take long: refused by a limit, or cancelled by a button, a key, or the next one.
import { expect, expectAccessible, test } from "./fixtures.mjs";
import { open, status, tab, tool } from "./page.mjs";

/** @typedef {import("@playwright/test").Page} Page */

/**
 * Two plains of the same samples in one place, 900 m on each side: which of their triangles intersect takes seconds.
 * @param {import("./program.mjs").Folder} folder
 */
function plains(folder) {
  const side = 901;
  const row = `${"0 ".repeat(side)}\n`;
  folder.write("plain.asc", `ncols ${side}\nnrows ${side}\nxllcorner 0\nyllcorner 0\ncellsize 1\n${row.repeat(side)}`);
  const terrain = '[[terrain]]\nheights = "plain.asc"\n';
  return folder.write("plains.toml", terrain.repeat(2));
}

/** A link that queries a box on the plains, triangle by triangle. @param {number} side */
const eachTriangle = (side) => `#v=1&size=120x80&tool=overlap&q=min_x:0,min_y:-1,min_z:0,max_x:${side},max_y:1,max_z:${side}&options=each:triangle`;

const running = (/** @type {Page} */ page) => page.getByRole("group", { name: "A question that runs" });
const answer = (/** @type {Page} */ page) => page.locator("#panel-answer");

/** Sends a query that takes seconds, and waits until the page says that it runs. @param {Page} page */
async function askLong(page) {
  await tool(page, "Overlap").click();
  await page.getByRole("button", { name: "Pairs that meet", exact: true }).click();
  await expect(running(page)).toBeVisible();
  await expect(running(page)).toContainText("Overlap runs");
}

test("each triangle of a huge box is refused by the limit's name; of a smaller one the first rows are shown", async ({ page, context, folder, serve }) => {
  const server = await serve([plains(folder)]);
  await open(page, server, eachTriangle(900));
  await expect(answer(page)).toContainText("STEPS");
  await expect(answer(page)).toContainText("a smaller shape");
  // Another tab, which repeats no query.
  const other = await context.newPage();
  await open(other, server, eachTriangle(40));
  await expect(answer(other)).toContainText(/The first 1\s?000 of \d/);
  await expect(status(other)).toContainText("It is the first of");
});

test("a question that runs is shown, and ends by its button", async ({ page, folder, serve }) => {
  await open(page, await serve([plains(folder)]), "#v=1&size=120x80");
  await askLong(page);
  await expectAccessible(page);
  await running(page).getByRole("button", { name: "Cancel" }).click();
  await expect(running(page)).toBeHidden();
  await expect(answer(page)).toContainText("cancelled");
  await expect(status(page)).toHaveText("Overlap is cancelled.");
  // The page is as it was: the next question is answered.
  await page.getByRole("button", { name: "Pairs of boxes", exact: true }).click();
  await expect(answer(page)).toContainText("1 pair");
});

test("Escape ends it too, wherever the focus is", async ({ page, folder, serve }) => {
  await open(page, await serve([plains(folder)]), "#v=1&size=120x80");
  await askLong(page);
  await page.keyboard.press("Escape");
  await expect(running(page)).toBeHidden();
  await expect(answer(page)).toContainText("cancelled");
});

test("a new question of a tool cancels the last", async ({ page, folder, serve }) => {
  await open(page, await serve([plains(folder)]), "#v=1&size=120x80");
  await askLong(page);
  await page.getByRole("button", { name: "Pairs of boxes", exact: true }).click();
  await expect(answer(page)).toContainText("1 pair");
  await expect(running(page)).toBeHidden();
  await tab(page, "Shots").click();
  await expect(page.locator("#panel-shots .shot").nth(1)).toContainText("cancelled");
});
