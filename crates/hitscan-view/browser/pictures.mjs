// The page's pictures in the documents: `node pictures.mjs PROGRAM SCENE FOLDER [FILE WIDTH]...` shoots them of this
// scene, and shrinks the named pictures of the folder to a width. `cargo xtask pictures` calls it.
import { chromium } from "@playwright/test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import config from "./playwright.config.mjs";
import { readPng, shrunk, writePng } from "./png.mjs";

const [program = "", scene = "", folder = "", ...large] = process.argv.slice(2);
process.env["HITSCAN_PROGRAM"] = program;
const { addressOf, view } = await import("./tests/program.mjs");
const { observe, settled } = await import("./tests/page.mjs");

const DESKTOP = { width: 920, height: 520 };
/** Tall enough for a section; the picture stays small, since it is most of the file. */
const TALL = { width: 980, height: 780 };
const PHONE = { width: 390, height: 700 };
/** Down the valley, the robots in front. */
const VALLEY = "#v=1&eye=1.6,4.81,93&look=-0.7,4.41,80";
/** Down on the robot in the middle, above the sheet. */
const ROBOT = "#v=1&eye=1.6,4.81,93&look=1.7,1.2,84";
/** A ray at a crest of the valley that the march skips. */
const CREST = `${VALLEY}&tool=ray&q=ox:0.19,oy:2.32,oz:70,dx:83.28,dy:55.05,dz:-43.48`;

/** @type {{name: string, fragment: string, options: import("@playwright/test").BrowserContextOptions, act: (page: import("@playwright/test").Page) => Promise<void>}[]} */
const PICTURES = [
  { name: "view-light.png", fragment: VALLEY, options: { viewport: DESKTOP, colorScheme: "light" }, act: (page) => shoot(page) },
  { name: "view-dark.png", fragment: VALLEY, options: { viewport: DESKTOP, colorScheme: "dark" }, act: (page) => shoot(page) },
  { name: "view-phone.png", fragment: ROBOT, options: { viewport: PHONE, colorScheme: "light", hasTouch: true, isMobile: true }, act: (page) => shoot(page, [0.5, 0.325]) },
  { name: "view-why.png", fragment: `${CREST}&size=420x300`, options: { viewport: TALL, colorScheme: "light" }, act: why },
];

/**
 * Shoots the robot in the middle.
 * @param {import("@playwright/test").Page} page
 * @param {[number, number]} [at] its place, as fractions of the picture
 */
async function shoot(page, [across, down] = [0.66, 0.695]) {
  const box = await page.locator("#picture").boundingBox();
  if (!box) throw new Error("the page has no picture");
  await page.mouse.click(box.x + box.width * across, box.y + box.height * down);
  await page.getByRole("tab", { name: "Answer" }).click();
  await page.locator("#panel-answer .verdict").waitFor();
}

/** Shows the section of the link's ray. @param {import("@playwright/test").Page} page */
async function why(page) {
  await page.getByRole("tab", { name: "Why" }).click();
  await page.getByRole("img", { name: /^Section over/ }).waitFor();
  await page.getByRole("heading", { name: "Section along the ray" }).evaluate((heading) => (heading.parentElement ?? heading).scrollIntoView());
}

const browser = await chromium.launch(config.use?.launchOptions);
const server = await view([scene]);
try {
  for (const { name, fragment, options, act } of PICTURES) {
    const context = await browser.newContext(options);
    await observe(context);
    const page = await context.newPage();
    await page.goto(addressOf(server, fragment));
    await settled(page);
    await act(page);
    await settled(page);
    // How fast rays were says something of the machine that makes the pictures, and of nothing else.
    await page.locator("#readout").evaluate((readout) => {
      readout.textContent = readout.textContent?.replace(/\s+·\s+[^·]*rays\/s a thread$/, "") ?? "";
    });
    const path = join(folder, name);
    await page.screenshot({ path, animations: "disabled", caret: "hide" });
    writeFileSync(path, writePng(readPng(path)));
    await context.close();
  }
} finally {
  await server.stop();
  await browser.close();
}

for (let at = 0; at + 1 < large.length; at += 2) {
  const path = join(folder, large[at] ?? "");
  writeFileSync(path, writePng(shrunk(readPng(path), Number(large[at + 1]))));
}
