// Thirteen states as pictures, which `cargo xtask page --update` makes anew: layout, colours, lines, states.
import { expect, test } from "./fixtures.mjs";
import { asking, click, open, picture, settled, tab, tool } from "./page.mjs";
import { nothing, pair, quarry, walk, yard } from "./scenes.mjs";

/** @typedef {import("@playwright/test").Page} Page */

const DESKTOP = { width: 1024, height: 640 };
const PHONE = { width: 390, height: 844 };
/** Scenes of few colours, so that the files stay small. */
const PAIR = "#v=1&eye=2,3,7&look=0,0,0&fov=45";
const YARD = "#v=1&size=360x240&eye=0,5,14&look=0,1,0&fov=40";
const WALK = "#v=1&size=360x240&eye=1,3.5,8&look=0,1.7,0&fov=45";

/**
 * Compares the page with its picture; what depends on the machine's speed is covered.
 * @param {Page} page
 * @param {string} name
 */
async function matches(page, name) {
  await settled(page);
  const median = page.locator("dl.facts dt:text('median of') + dd");
  // On a phone the sheet covers the line that shows them.
  const mask = name.startsWith("phone") ? [median] : [page.locator("#readout"), median];
  await expect(page).toHaveScreenshot(`${name}.png`, { mask });
}

/** Clicks at a fraction of the picture. @param {Page} page @param {number} across @param {number} down */
async function clickAt(page, across, down) {
  const { width, height } = (await picture(page).boundingBox()) ?? { width: 0, height: 0 };
  return asking(page, () => click(page, [Math.floor(width * across), Math.floor(height * down)]));
}

test.describe("on a desktop", () => {
  test.use({ viewport: DESKTOP, colorScheme: "light" });

  test("a hit", async ({ page, folder, serve }) => {
    await open(page, await serve([pair(folder)]), PAIR);
    await clickAt(page, 0.35, 0.5);
    await matches(page, "hit-light");
  });

  test("a miss, and why", async ({ page, folder, serve }) => {
    await open(page, await serve([pair(folder)]), PAIR);
    await clickAt(page, 0.5, 0.2);
    await tab(page, "Why").click();
    await expect(page.getByRole("heading", { name: "Nearest approach" })).toBeVisible();
    await matches(page, "miss-light");
  });

  test("the steps of a walk", async ({ page, folder, serve }) => {
    await open(page, await serve([yard(folder)]), YARD);
    await asking(page, () => click(page, [180, 130]));
    await tab(page, "Why").click();
    await page.getByRole("slider", { name: "Step of the walk" }).fill("3");
    await matches(page, "steps-light");
  });

  test("the section of a grazing ray, and the march", async ({ page, folder, serve }) => {
    const question = "ox:1.2,oy:2.6,oz:11,dx:0,dy:-0.02,dz:-1";
    await open(page, await serve([yard(folder)]), `${YARD}&tool=ray&q=${question}`);
    await tab(page, "Why").click();
    await expect(page.getByRole("img", { name: /^Section over hills/ })).toBeVisible();
    await page.getByRole("heading", { name: "Section along the ray" }).evaluate((heading) => heading.scrollIntoView());
    await matches(page, "section-light");
  });

  test("a sweep with its bars", async ({ page, folder, serve }) => {
    const question = "min_x:-3,min_y:1,min_z:5,max_x:-2,max_y:2,max_z:6,dx:3,dy:0,dz:-5";
    await open(page, await serve([yard(folder)]), `${YARD}&tool=sweep&q=${question}`);
    await tab(page, "Why").click();
    await expect(page.locator("#panel-why .axes li.decides")).toBeVisible();
    await matches(page, "sweep-light");
  });

  test("a door that turns into a pillar", async ({ page, folder, serve }) => {
    const question = "cx:-4.5,cy:1.1,cz:0,half_x:2,half_y:1,half_z:0.1,qx:0,qy:0,qz:0,qw:1,dx:0.5,dy:0,dz:-0.5,axis_x:0,axis_y:1,axis_z:0,angle:-2";
    await open(page, await serve([quarry(folder)]), `#v=1&size=360x240&tool=sweep&q=${question}&options=shape:turned_box,turning:true,tolerance:0.01`);
    await expect(page.locator("#panel-answer .verdict")).toHaveText("hit");
    await matches(page, "turn-light");
  });

  test("rows that differ", async ({ page, folder, serve }) => {
    await open(page, await serve([pair(folder)]), PAIR);
    await tab(page, "Shots").click();
    const table = "ox,oy,oz,dx,dy,dz,status,t\n-1.5,0,5,0,0,-1,hit,4\n1.5,0,5,0,0,-1,hit,4.5\n0,9,0,1,0,0,hit,1\n";
    await page.getByLabel("Table of questions or answers").setInputFiles({ name: "rays.csv", mimeType: "text/csv", buffer: Buffer.from(table) });
    await expect(page.locator(".row-differs")).toHaveCount(2);
    await matches(page, "table-light");
  });

  test("the keys", async ({ page, folder, serve }) => {
    await open(page, await serve([pair(folder)]), PAIR);
    await picture(page).focus();
    await page.keyboard.press("?");
    await matches(page, "keys-light");
  });
});

test.describe("on a desktop, dark", () => {
  test.use({ viewport: DESKTOP, colorScheme: "dark" });

  test("a figure in time", async ({ page, folder, serve }) => {
    await open(page, await serve([walk(folder)]), `${WALK}&pose=walker:Walk:0.5`);
    await asking(page, () => click(page, [150, 130]));
    await matches(page, "timeline-dark");
  });

  test("a cost, and the scene", async ({ page, folder, serve }) => {
    await open(page, await serve([yard(folder)]), `${YARD}&mode=cost`);
    await tab(page, "Scene").click();
    await page.getByRole("treeitem").nth(1).click();
    await matches(page, "cost-dark");
  });

  test("an empty scene", async ({ page, folder, serve }) => {
    await page.goto((await serve([nothing(folder)])).url);
    await expect(page.getByRole("heading", { name: "The scene is empty" })).toBeVisible();
    await matches(page, "empty-dark");
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: PHONE, hasTouch: true, isMobile: true });

  test("an answer in the sheet", async ({ page, folder, serve }) => {
    await page.emulateMedia({ colorScheme: "light" });
    await open(page, await serve([pair(folder)]), PAIR);
    await clickAt(page, 0.3, 0.5);
    await tab(page, "Answer").tap();
    await matches(page, "phone-light");
  });

  test("a sweep's tool, dark", async ({ page, folder, serve }) => {
    await page.emulateMedia({ colorScheme: "dark" });
    await open(page, await serve([pair(folder)]), PAIR);
    await tool(page, "Sweep").tap();
    await tab(page, "Answer").tap();
    await matches(page, "phone-dark");
  });
});
