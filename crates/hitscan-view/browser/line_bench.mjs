// What a user waits for over lines of 1, 10 and 100 Mbit/s: `node line_bench.mjs PROGRAM [ROUNDS]` prints a table,
// medians over rounds in which the lines take turns. `cargo xtask bench lines` calls it.
//
// The page is that of the demo in Chromium, its picture 1280x720 rays. A time ends in the page itself: a frame is
// drawn when the page sends `shown`, an answer in the animation frame after the panel has its sentence.
import { chromium } from "@playwright/test";
import { cpus, loadavg } from "node:os";
import config from "./playwright.config.mjs";
import { NEAR, openLine } from "./slow_line.mjs";

const [program = "", rounds = "5"] = process.argv.slice(2);
process.env["HITSCAN_PROGRAM"] = program;
const { view } = await import("./tests/program.mjs");

/** @typedef {import("@playwright/test").Page} Page */

const LINES = [
  { name: "1 Mbit/s, 40 ms", line: { bits: 1e6, roundTripMs: 40 } },
  { name: "10 Mbit/s, 20 ms", line: { bits: 1e7, roundTripMs: 20 } },
  { name: "100 Mbit/s, 5 ms", line: { bits: 1e8, roundTripMs: 5 } },
];
/** Room for the picture beside the inspector. */
const VIEWPORT = { width: 1800, height: 900 };
const FRAGMENT = "#v=1&size=1280x720";
/** How long the picture is dragged, milliseconds. */
const ORBIT_MS = 4000;
/** Places of the picture that are clicked, in turns, as fractions of it. */
const PLACES = [[0.5, 0.6], [0.35, 0.7], [0.65, 0.55], [0.45, 0.8]];

/** Observes the page from its beginning; it alters nothing. In the page. */
function observe() {
  const seen = { firstShown: 0, finishedView: 0, finishedAt: 0, view: 0, moving: true, frames: 0, moved: /** @type {number[]} */ ([]) };
  Object.assign(globalThis, { seen });
  /** @type {Map<number, {view: number, finished: boolean}>} */
  const frames = new Map();
  /** The views that move. @type {Set<number>} */
  const moving = new Set();
  const Plain = globalThis.WebSocket;
  globalThis.WebSocket = class extends Plain {
    /** @param {string | URL} address @param {string | string[]} [protocols] */
    constructor(address, protocols) {
      super(address, protocols);
      this.addEventListener("message", ({ data }) => {
        if (!(data instanceof ArrayBuffer)) return;
        const head = new DataView(data);
        // Of a frame in parts the first one counts.
        if (head.getUint8(2) === 2 && head.getUint32(36, true) > 0) return;
        seen.frames += 1;
        frames.set(head.getUint32(4, true), { view: head.getUint32(8, true), finished: head.getUint16(18, true) === 1 });
      });
    }
    /** @param {string | ArrayBufferLike | Blob | ArrayBufferView} data */
    send(data) {
      const message = typeof data === "string" ? JSON.parse(data) : {};
      if (message.type === "view") Object.assign(seen, { view: message.view, moving: message.moving });
      if (message.type === "view" && message.moving) moving.add(message.view);
      const drawn = message.type === "shown" ? frames.get(message.frame) : undefined;
      if (drawn && moving.has(drawn.view)) seen.moved.push(performance.now());
      if (drawn && seen.firstShown === 0) seen.firstShown = performance.now();
      if (drawn?.finished) Object.assign(seen, { finishedView: drawn.view, finishedAt: performance.now() });
      super.send(/** @type {string} */ (data));
    }
  };
}

/** Waits until the newest view is finished and drawn. @param {Page} page */
const finished = (page) =>
  page.waitForFunction(() => {
    const { view, moving, finishedView } = /** @type {any} */ (globalThis).seen;
    return !moving && view > 0 && finishedView === view;
  }, undefined, { timeout: 300_000, polling: 20 });

/**
 * Clicks a place of the picture; milliseconds from the button's release to the animation frame after the answer.
 * @param {Page} page
 * @param {number} number of the click
 */
async function click(page, number) {
  const box = await page.locator("#picture").boundingBox();
  const [across = 0, down = 0] = PLACES[number % PLACES.length] ?? [];
  if (!box) throw new Error("the page has no picture");
  await page.evaluate(() => {
    const panel = /** @type {HTMLElement} */ (document.querySelector("#panel-answer"));
    Object.assign(globalThis, { answered: new Promise((resolve) => {
      let begin = 0;
      let isAsked = false;
      document.addEventListener("pointerup", () => (begin = performance.now()), { capture: true, once: true });
      const look = new MutationObserver(() => {
        const has = panel.querySelector(".answer-sentence") !== null;
        isAsked ||= begin > 0 && !has;
        if (!isAsked || !has) return;
        look.disconnect();
        requestAnimationFrame(() => resolve(performance.now() - begin));
      });
      look.observe(panel, { childList: true, subtree: true });
    }) });
  });
  await page.mouse.click(box.x + box.width * across, box.y + box.height * down);
  return /** @type {Promise<number>} */ (page.evaluate(() => /** @type {any} */ (globalThis).answered));
}

/**
 * Drags the picture for so long; milliseconds from the first move to the first frame that moves, and such frames a
 * second from there.
 * @param {Page} page
 */
async function orbit(page) {
  const box = await page.locator("#picture").boundingBox();
  if (!box) throw new Error("the page has no picture");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  const begin = await page.evaluate(() => performance.now());
  const end = performance.now() + ORBIT_MS;
  for (let step = 1; performance.now() < end; step += 1) await page.mouse.move(x + 200 * Math.sin(step / 40), y);
  const moved = await page.evaluate((begin) => /** @type {any} */ (globalThis).seen.moved.filter((/** @type {number} */ at) => at > begin), begin);
  await page.mouse.up();
  const [first = NaN, last = NaN] = [moved[0], moved.at(-1)];
  return { firstMoved: first - begin, moved: ((moved.length - 1) * 1000) / (last - first) };
}

/** What is measured over one line, milliseconds and bytes. */
const ROWS = /** @type {const} */ ([
  ["opened", "opening: from the address to the first picture, s"],
  ["openedBytes", "its bytes, kB"],
  ["refined", "a still refined to the end after a turn by a key, s"],
  ["refinedBytes", "its bytes, kB"],
  ["refinedFrames", "its frames"],
  ["atRest", "click to answer drawn, at rest, ms"],
  ["whileRefined", "click to answer drawn, while a still is refined, ms"],
  ["firstMoved", "an orbit begun while a still is refined: to its first frame, ms"],
  ["moved", "its frames a second"],
]);

/** @typedef {Record<(typeof ROWS)[number][0], number>} Measured */

/**
 * @param {import("@playwright/test").Browser} browser
 * @param {number} port
 * @param {import("./slow_line.mjs").LineOf} line
 * @param {number} round
 * @returns {Promise<Measured>}
 */
async function measure(browser, port, line, round) {
  const { url, carried, close } = await openLine(port, line);
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  /** @type {string[]} */
  const errors = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  try {
    await page.addInitScript(observe);
    await page.goto(url + FRAGMENT, { timeout: 300_000 });
    await page.waitForFunction(() => /** @type {any} */ (globalThis).seen.firstShown > 0, undefined, { timeout: 300_000, polling: 5 });
    const openedBytes = carried.down;
    const seen = () => page.evaluate(() => ({ .../** @type {any} */ (globalThis).seen, now: performance.now() }));
    const opened = (await seen()).firstShown;
    await finished(page);

    const atRest = await click(page, round);

    await page.locator("#picture").focus();
    const before = { ...(await seen()), down: carried.down };
    await page.evaluate(() => document.addEventListener("keydown", () => Object.assign(globalThis, { pressed: performance.now() }), { capture: true, once: true }));
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction((view) => /** @type {any} */ (globalThis).seen.view > view, before.view, { polling: 5 });
    await finished(page);
    const after = await seen();
    const pressed = await page.evaluate(() => /** @type {number} */ (/** @type {any} */ (globalThis).pressed));

    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((view) => !(/** @type {any} */ (globalThis).seen.moving) && /** @type {any} */ (globalThis).seen.view > view, after.view, { polling: 5 });
    const whileRefined = await click(page, round + 1);
    await page.keyboard.press("ArrowRight");
    const { view } = await seen();
    await page.waitForFunction((view) => !(/** @type {any} */ (globalThis).seen.moving) && /** @type {any} */ (globalThis).seen.view > view, view, { polling: 5 });
    const { frames } = await seen();
    await page.waitForFunction((frames) => /** @type {any} */ (globalThis).seen.frames > frames, frames, { polling: 5 });
    const orbited = await orbit(page);
    if (errors.length > 0) throw new Error(errors.join("; "));
    return { ...orbited, opened, openedBytes, refined: after.finishedAt - pressed, refinedBytes: carried.down - before.down, refinedFrames: after.frames - before.frames, atRest, whileRefined };
  } finally {
    await context.close();
    await close();
  }
}

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? NaN;
}

/** @param {string} row @param {number} value */
function told(row, value) {
  if (row.endsWith(", s")) return (value / 1000).toFixed(2);
  if (row.endsWith(", kB")) return (value / 1000).toFixed(0);
  return value.toFixed(row.endsWith("a second") ? 1 : 0);
}

const browser = await chromium.launch(config.use?.launchOptions);
const server = await view(["--host", NEAR, "--no-key"]);
const [load = 0] = loadavg();
/** @type {Measured[][]} */
const found = LINES.map(() => []);
try {
  for (let round = 0; round < Number(rounds); round += 1) {
    for (const [at, { name, line }] of LINES.entries()) {
      const measured = await measure(browser, server.port, line, round);
      console.error(`round ${round + 1}, ${name}: ${ROWS.map(([key]) => `${key} ${measured[key].toFixed(0)}`).join(", ")}`);
      found[at]?.push(measured);
    }
  }
} finally {
  await server.stop();
  await browser.close();
}
console.log(`| | ${LINES.map(({ name }) => name).join(" | ")} |`);
console.log(`|---|${LINES.map(() => "--:").join("|")}|`);
for (const [key, row] of ROWS) {
  const cells = found.map((rows) => told(row, median(rows.map((one) => one[key]))));
  console.log(`| ${row} | ${cells.join(" | ")} |`);
}
console.log(`\nMedians of ${rounds} rounds, the lines in turns, on ${cpus().length} processors with a load average of ${load.toFixed(1)} before.`);
