// Tables: questions are answered, answers are compared row by row, what cannot be read is said with its place.
import { readFileSync } from "node:fs";
import { expect, test } from "./fixtures.mjs";
import { asking, click, open, sizeOf, status, tab } from "./page.mjs";
import { answersOf, hitscan, records } from "./program.mjs";
import { random } from "./random.mjs";
import { yard } from "./scenes.mjs";

/** @typedef {import("@playwright/test").Page} Page */

/** Rays from above the yard, a row each. @param {number} count */
function rays(count) {
  const chance = random(7);
  const between = (/** @type {number} */ low, /** @type {number} */ high) => Math.round((low + chance() * (high - low)) * 256) / 256;
  const rows = Array.from({ length: count }, () => [between(-6, 6), 8, between(-6, 6), between(-1, 1), -1, between(-1, 1)].join(","));
  return `${["ox,oy,oz,dx,dy,dz", ...rows].join("\n")}\n`;
}

/** The rows that the page shows: their number, the texts by column, and what the file has where it differs. @param {Page} page */
const rowsShown = (page) =>
  page.locator("#panel-shots .rows-frame").evaluate((frame) => {
    const heads = [...frame.querySelectorAll("thead th")].map((head) => head.textContent ?? "");
    return [...frame.querySelectorAll("tbody tr")].map((row) => {
      const cells = [...row.children];
      const value = (/** @type {Element} */ cell) => cell.querySelector("ins")?.textContent ?? cell.textContent ?? "";
      const differs = cells.flatMap((cell, at) => {
        const file = cell.querySelector("del")?.textContent;
        return file === undefined || file === null ? [] : [[heads[at] ?? "", file]];
      });
      const texts = cells.map((cell, at) => [heads[at] ?? "", value(cell)]).filter(([, text]) => text !== "");
      return { texts: Object.fromEntries(texts), differs: Object.fromEntries(differs) };
    });
  });

/** Opens a table by its button. @param {Page} page @param {string} name @param {string} text */
async function openTable(page, name, text) {
  await tab(page, "Shots").click();
  await page.getByLabel("Table of questions or answers").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
}

test("a table of questions is answered as by the command", async ({ page, folder, serve }) => {
  const scene = yard(folder);
  await open(page, await serve([scene]), "#v=1&size=480x320");
  const table = rays(40);
  await openTable(page, "rays.csv", table);
  await expect(status(page)).toHaveText("rays.csv: 40 rows");
  const output = records(hitscan(["ray", scene, "-"], { input: table }));
  const shown = await rowsShown(page);
  expect(shown).toHaveLength(40);
  for (const [at, expected] of output.entries()) {
    const { row, ...texts } = shown[at]?.texts ?? {};
    expect(row).toBe(String(at));
    expect(texts).toEqual(Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== "")));
  }
  await page.locator("#panel-shots .rows-frame").getByRole("button", { name: "7", exact: true }).click();
  const columns = page.locator("#panel-answer table.columns");
  await expect(columns.locator("tr", { hasText: /^status/ }).locator("td").first()).toHaveText(output[7]?.["status"] ?? "");
});

test("of an answer table exactly the three altered rows are marked, with both values", async ({ page, folder, serve }) => {
  const scene = yard(folder);
  await open(page, await serve([scene]), "#v=1&size=480x320");
  const lines = hitscan(["ray", scene, "-"], { input: rays(60) }).trimEnd().split("\n");
  const [head = "", ...rows] = lines;
  const column = (/** @type {string} */ name) => head.split(",").indexOf(name);
  /** @type {[number, string, (value: string) => string][]} */
  const altered = [
    [3, "t", (value) => String(Math.fround(Number(value) + 0.001))],
    [17, "object", () => "nobody"],
    [41, "ny", (value) => String(Number(value) + 0.5)],
  ];
  /** @type {Map<number, {column: string, was: string, is: string}>} */
  const marks = new Map();
  for (const [from, name, change] of altered) {
    const row = rows.findIndex((line, at) => at >= from && line.split(",")[column("status")] === "hit");
    const cells = (rows[row] ?? "").split(",");
    const was = cells[column(name)] ?? "";
    cells[column(name)] = change(was);
    rows[row] = cells.join(",");
    marks.set(row, { column: name, was, is: change(was) });
  }
  await openTable(page, "answers.csv", `${[head, ...rows].join("\n")}\n`);
  await expect(status(page)).toHaveText("answers.csv: 60 rows, 3 rows differ from the file");
  const differing = (await rowsShown(page)).filter(({ differs }) => Object.keys(differs).length > 0);
  expect(differing.map(({ texts }) => Number(texts["row"])).sort((a, b) => a - b)).toEqual([...marks.keys()].sort((a, b) => a - b));
  for (const { texts, differs } of differing) {
    const { column: name, was, is } = marks.get(Number(texts["row"])) ?? { column: "", was: "", is: "" };
    expect(differs).toEqual({ [name]: is });
    expect(texts[name]).toBe(was);
  }
  await expect(page.locator("#panel-shots .row-differs")).toHaveCount(3);
});

test("a dropped table that is broken is refused with its place, and harms nothing", async ({ page, folder, serve }) => {
  const scene = yard(folder);
  await open(page, await serve([scene]), "#v=1&size=480x320");
  const broken = `${rays(5).trimEnd()}\n1,2,3\n`;
  await page.evaluate((text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], "broken.csv", { type: "text/csv" }));
    const drop = (/** @type {string} */ type) => document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    drop("dragover");
    drop("drop");
  }, broken);
  const problem = page.getByRole("alert").filter({ hasText: "broken.csv cannot be used" });
  await expect(problem).toBeVisible();
  await expect(problem).toContainText(/line 7|row 5/);
  await expect(problem).toContainText("Expected");
  const [width, height] = await sizeOf(page);
  const { question, answer } = await asking(page, () => click(page, [width >> 1, height >> 1]));
  expect(answer).toEqual(answersOf(["ray", scene], [question])[0]);

  await openTable(page, "ridge.glb", "glTF");
  await expect(page.getByRole("alert").filter({ hasText: "ridge.glb cannot be used" })).toContainText("hitscan view FILE");
});

test("shots are saved as a table that the command answers alike", async ({ page, folder, serve }) => {
  const scene = yard(folder);
  await open(page, await serve([scene]), "#v=1&size=480x320");
  const [width, height] = await sizeOf(page);
  const shots = [];
  for (const at of [0.3, 0.5, 0.7]) shots.push(await asking(page, () => click(page, [Math.floor(width * at), Math.floor(height * at)])));
  await tab(page, "Shots").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as tables" }).click()]);
  const saved = readFileSync((await download.path()) ?? "", "utf8");
  const answers = records(hitscan(["ray", scene, "-"], { input: saved }));
  expect(answers.length).toBe(3);
  for (const [at, { answer }] of shots.entries()) expect(answers[at]).toMatchObject(answer);

  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.locator("#panel-shots .shot")).toHaveCount(2);
  await page.getByRole("button", { name: "Redo" }).click();
  await expect(page.locator("#panel-shots .shot")).toHaveCount(3);
});

test("rows are named by what is passed through, say why they are invalid, and eyes with targets are of sight", async ({ page, folder, serve }) => {
  await open(page, await serve([yard(folder)]), "#v=1&size=480x320");
  await openTable(page, "rays.csv", "ox,oy,oz,dx,dy,dz,about\n0,8,0,0,-1,0,straight down\n0,8,0,0,0,0,nowhere\n");
  await expect(status(page)).toHaveText("rays.csv: 2 rows, 1 row invalid");
  const heads = await page.locator("#panel-shots .rows-frame thead th").allTextContents();
  expect(heads.slice(0, 4)).toEqual(["row", "why invalid", "status", "about"]);
  const [first, second] = await rowsShown(page);
  expect(first?.texts["about"]).toBe("straight down");
  expect(first?.texts["why invalid"]).toBeUndefined();
  expect(second?.texts["about"]).toBe("nowhere");
  expect(second?.texts["why invalid"]).toContain("direction");

  await openTable(page, "height-eyes.csv", "x,y,z,target_x,target_y,target_z,about\n0,8,0,0,20,0,up\n0,8,0,0,-9,0,down\n");
  await expect(status(page)).toHaveText("height-eyes.csv: 2 rows");
  expect((await rowsShown(page)).map(({ texts }) => [texts["about"], texts["status"]])).toEqual([["up", "visible"], ["down", "blocked"]]);
});

test("tables beyond a limit are refused by its name", async ({ page, folder, serve }) => {
  await open(page, await serve([yard(folder)]), "#v=1&size=480x320");
  const names = Array.from({ length: 999 }, (_, at) => `c${at}`);
  const refused = (/** @type {string} */ name) => page.getByRole("alert").filter({ hasText: `${name} cannot be used` });
  await openTable(page, "wide.csv", `x,z,${names.join(",")}\n1,2${",".repeat(999)}\n`);
  await expect(refused("wide.csv")).toContainText("TABLE_COLUMNS");
  await expect(refused("wide.csv")).toContainText("at most 1000 columns");
  await openTable(page, "long.csv", `x,z\n${"1,2\n".repeat(2_100_000)}`);
  await expect(refused("long.csv")).toContainText("TABLE_BYTES");
});
