// A browser for the bench: reads one JSON object a line, does what its `ask` names, and answers with one line.
//
// `turn` opens a page of `hitscan view` and turns its camera; `peer` opens three-mesh-bvh on a mesh; `replay` has that
// cast the views of such a turn; `distances` are its answers to one view; `close` ends.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { observe, turn } from "./observe.mjs";
import { serve } from "./serve.mjs";
import config from "../../../crates/hitscan-view/browser/playwright.config.mjs";

/** @import { ConsoleMessage, Page, WebError } from "../../../crates/hitscan-view/browser/node_modules/@playwright/test" */
/** @import { Frame } from "./observe.mjs" */

// The tests of the page have pinned Playwright already.
const tests = new URL("../../../crates/hitscan-view/browser/", import.meta.url);
const { chromium } = createRequire(tests)("@playwright/test");

/** Room for the larger picture beside the inspector. */
const VIEWPORT = { width: 1800, height: 900 };

/** What is drawn is not held to a display's sixty frames a second. */
const UNLIMITED = ["--disable-frame-rate-limit", "--disable-gpu-vsync"];

const { args = [], ...options } = config.use?.launchOptions ?? {};
const browser = await chromium.launch({ ...options, args: [...args, ...UNLIMITED] });
/** @type {{ page: Page, stop: () => void } | undefined} */
let peer;

/** A page on which any error ends what is asked of it. @param {string[]} errors */
async function newPage(errors) {
  const context = await browser.newContext({ viewport: VIEWPORT });
  context.on("weberror", (/** @type {WebError} */ error) => errors.push(String(error.error().message)));
  const page = await context.newPage();
  page.on("console", (/** @type {ConsoleMessage} */ message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  return page;
}

const asks = {
  /** @param {{ host: string, size: [number, number], ms: number }} what */
  async turn({ host, size: [width, height], ms }) {
    /** @type {string[]} */
    const errors = [];
    const page = await newPage(errors);
    await page.addInitScript(observe);
    await page.goto(`http://${host}/#v=1&size=${width}x${height}`);
    const turned = await page.evaluate(turn, ms);
    await page.context().close();
    if (errors.length > 0) throw new Error(errors.join("; "));
    return turned;
  },

  /** @param {{ mesh: string }} what */
  async peer({ mesh }) {
    /** @type {string[]} */
    const errors = [];
    const { url, stop } = await serve(mesh);
    const page = await newPage(errors);
    await page.goto(url);
    const triangles = await page.evaluate(() => /** @type {any} */ (globalThis).peer.ready);
    if (errors.length > 0) throw new Error(errors.join("; "));
    peer = { page, stop };
    return { triangles };
  },

  /** @param {{ frames: Frame[], ms: number }} what */
  async replay({ frames, ms }) {
    return peer?.page.evaluate((/** @type {unknown} */ what) => /** @type {any} */ (globalThis).peer.replay(what), { frames, ms });
  },

  /** @param {{ frame: Frame }} what */
  async distances({ frame }) {
    return peer?.page.evaluate((/** @type {unknown} */ what) => /** @type {any} */ (globalThis).peer.distances(what), frame);
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { ask, ...what } = JSON.parse(line);
  let reply;
  try {
    reply = await asks[/** @type {keyof typeof asks} */ (ask)](what);
  } catch (error) {
    reply = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
peer?.stop();
await browser.close();
