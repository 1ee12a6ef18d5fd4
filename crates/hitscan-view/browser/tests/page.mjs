// What tests do on the page, and read from it, as its user does: by roles, labels and texts.
import { expect } from "@playwright/test";
import { cameraOf, pixelOf } from "./camera.mjs";
import { canvasPicture } from "./picture.mjs";
import { addressOf } from "./program.mjs";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {Record<string, string>} Texts column and text */

/**
 * What the page has sent and received, counted by `observe`. `still` is how many bytes of pictures at rest had come
 * when a frame or its first part came, or when a view was sent. On so many looks in a row as `rests` says the view
 * `restsAt` was finished.
 * @typedef {{view: number, moving: boolean, finished: number, shown: number, frames: number, heads: {kind: number, codec: number, scale: number, view: number, finished: boolean, moving: boolean, bytes: number, still: number}[], sent: string[], views: {view: number, moving: boolean, still: number, now_ms: number, poses?: object[]}[], animated: number, rests: number, restsAt: number}} Observed
 */

/**
 * Observes sockets and animation frames from the beginning of each page; it alters nothing.
 * @param {import("@playwright/test").BrowserContext} context
 */
export async function observe(context) {
  await context.addInitScript(() => {
    /** @type {Observed} */
    const seen = { view: 0, moving: true, finished: 0, shown: 0, frames: 0, heads: [], sent: [], views: [], animated: 0, rests: 0, restsAt: 0 };
    Object.assign(globalThis, { observed: seen });
    /** @type {Map<number, number>} frame to finished view */
    const last = new Map();
    /** @type {Set<number>} numbers of views that move */
    const moving = new Set();
    let still = 0;
    const request = globalThis.requestAnimationFrame;
    globalThis.requestAnimationFrame = (callback) => {
      seen.animated += 1;
      return request(callback);
    };
    const Plain = globalThis.WebSocket;
    globalThis.WebSocket = class extends Plain {
      /** @param {string | URL} address @param {string | string[]} [protocols] */
      constructor(address, protocols) {
        super(address, protocols);
        this.addEventListener("message", ({ data }) => {
          if (!(data instanceof ArrayBuffer)) return;
          const head = new DataView(data);
          // Of a frame in parts the frame's own header is in the first.
          const inParts = head.getUint8(2) === 2;
          const bytes = data.byteLength - (inParts ? 44 : 0);
          const view = head.getUint32(8, true);
          const before = still;
          if (!moving.has(view)) still += bytes;
          const begun = seen.heads.at(-1);
          if (begun && inParts && head.getUint32(36, true) > 0) {
            begun.bytes += bytes;
            return;
          }
          seen.frames += 1;
          seen.heads.push({ kind: head.getUint8(1), codec: head.getUint8(inParts ? 46 : 2), scale: head.getUint8(3), view, finished: head.getUint16(18, true) === 1, moving: moving.has(view), bytes, still: before });
          if (head.getUint16(18, true) === 1) last.set(head.getUint32(4, true), head.getUint32(8, true));
        });
      }
      /** @param {string | ArrayBufferLike | Blob | ArrayBufferView} data */
      send(data) {
        if (typeof data === "string") {
          const message = JSON.parse(data);
          seen.sent.push(message.type);
          if (message.type === "view") {
            Object.assign(seen, { view: message.view, moving: message.moving });
            seen.views.push({ view: message.view, moving: message.moving, still, now_ms: message.now_ms, poses: message.poses });
            if (message.moving) moving.add(message.view);
          }
          if (message.type === "hello") Object.assign(seen, { view: 0, moving: true, finished: 0 });
          if (message.type === "shown") {
            seen.shown = message.frame;
            seen.finished = last.get(message.frame) ?? seen.finished;
          }
        }
        super.send(/** @type {string} */ (data));
      }
    };
  });
}

/** What was observed so far. @param {Page} page @returns {Promise<Observed>} */
export const observed = (page) => page.evaluate(() => /** @type {any} */ (globalThis).observed);

/** On so many animation frames in a row a picture is finished before it is taken for settled. */
const STILL = 5;

/**
 * Waits until the picture of the newest view is finished and drawn, and no other follows.
 * @param {Page} page
 */
export async function settled(page) {
  await page.evaluate(() => void Object.assign(/** @type {any} */ (globalThis).observed, { rests: 0 }));
  // Looked at on each animation frame; what was done before is a view by the third.
  await page.waitForFunction((frames) => {
    const seen = /** @type {any} */ (globalThis).observed;
    const finished = !seen.moving && seen.view > 0 && seen.finished === seen.view;
    seen.rests = finished && seen.restsAt === seen.view ? seen.rests + 1 : 0;
    seen.restsAt = seen.view;
    return seen.rests >= frames;
  }, STILL);
}

/**
 * Opens the page; its picture is finished then.
 * @param {Page} page
 * @param {import("./program.mjs").Server} server
 * @param {string} [fragment] a link's, with its `#`
 */
export async function open(page, server, fragment = "") {
  await page.goto(addressOf(server, fragment));
  await settled(page);
}

export const picture = (/** @type {Page} */ page) => page.locator("#picture");
export const status = (/** @type {Page} */ page) => page.getByRole("status");
export const tool = (/** @type {Page} */ page, /** @type {string} */ name) => page.getByRole("toolbar", { name: "Tools" }).getByRole("button", { name, exact: true });
export const tab = (/** @type {Page} */ page, /** @type {string} */ name) => page.getByRole("tab", { name, exact: true });

/**
 * Does something that sends a question, and waits for its answer.
 * @param {Page} page
 * @param {() => Promise<unknown>} act
 */
export async function asking(page, act) {
  const first = page.locator("#panel-shots .shot").first();
  const before = (await first.count()) > 0 ? await first.locator(".row-title").textContent() : null;
  await act();
  await page.waitForFunction((name) => {
    const shot = document.querySelector("#panel-shots .shot");
    const title = shot?.querySelector(".row-title")?.textContent ?? null;
    const word = shot?.querySelector(".row-beside")?.textContent ?? "";
    return title !== name && !word.startsWith("asking");
  }, before);
  return shown(page);
}

/**
 * The question and the answer that the page shows, text for text.
 * @param {Page} page
 * @returns {Promise<{question: Texts, answer: Texts, word: string, sentence: string}>}
 */
export const shown = (page) =>
  page.evaluate(() => {
    const text = (/** @type {Element | null | undefined} */ element) => element?.textContent ?? "";
    const rows = [...document.querySelectorAll("#panel-answer table.columns tbody tr")];
    const cells = rows.map((row) => [text(row.querySelector("th")), text(row.querySelector("td"))]);
    const inputs = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("#panel-answer .question input[name]"));
    return {
      question: Object.fromEntries([...inputs].filter(({ value }) => value !== "").map(({ name, value }) => [name, value])),
      answer: Object.fromEntries(cells.filter(([, value]) => value !== "–")),
      word: text(document.querySelector("#panel-answer .verdict")),
      sentence: text(document.querySelector("#panel-answer .answer-sentence")),
    };
  });

/**
 * The middle of a ray of the whole picture, in CSS pixels of the page.
 * @param {Page} page
 * @param {readonly [number, number]} pixel
 */
export async function placeOf(page, [x, y]) {
  const box = await picture(page).boundingBox();
  const [width, height] = await sizeOf(page);
  expect(box).not.toBeNull();
  const { x: left, y: top, width: wide, height: high } = box ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: left + ((x + 0.5) / width) * wide, y: top + ((y + 0.5) / height) * high };
}

/** The picture's size in rays, once it is at rest. @param {Page} page @returns {Promise<[number, number]>} */
export const sizeOf = (page) => picture(page).evaluate((canvas) => (canvas instanceof HTMLCanvasElement ? [canvas.width, canvas.height] : [0, 0]));

/**
 * Clicks the middle of a pixel.
 * @param {Page} page
 * @param {readonly [number, number]} pixel
 */
export async function click(page, pixel) {
  const { x, y } = await placeOf(page, pixel);
  await page.mouse.click(x, y);
}

/**
 * Presses Tab until this has the focus.
 * @param {Page} page
 * @param {import("@playwright/test").Locator} target
 */
export async function tabTo(page, target) {
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("Tab does not come to it");
}

/** The fragment of the address once it says so. @param {Page} page @param {RegExp} says */
export async function fragment(page, says) {
  await page.waitForFunction((source) => new RegExp(source).test(location.hash), says.source);
  return new URL(page.url()).hash;
}

/**
 * Drags between the pixels that show two points of the world.
 * @param {Page} page
 * @param {import("./camera.mjs").Point} from
 * @param {import("./camera.mjs").Point} to
 */
export async function drag(page, from, to) {
  const camera = cameraOf(await fragment(page, /eye=/), await sizeOf(page));
  const [start, end] = [await placeOf(page, pixelOf(camera, from)), await placeOf(page, pixelOf(camera, to))];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  for (let step = 1; step <= 6; step += 1) await page.mouse.move(start.x + ((end.x - start.x) * step) / 6, start.y + ((end.y - start.y) * step) / 6);
  await page.mouse.up();
}

/** What is drawn over the picture. @param {Page} page */
export const overlay = async (page) => (await canvasPicture(page, "#overlay")).rgb.toString("base64");

export const timeline = (/** @type {Page} */ page) => page.getByRole("region", { name: "Timeline" });
export const scrubber = (/** @type {Page} */ page) => timeline(page).getByRole("slider", { name: "Time of the clip" });

/**
 * Scrubs to a place while the page's clock is stopped: at `ms` for the view that moves, 100 ms later for the
 * one at rest.
 * @param {Page} page
 * @param {number} ms
 * @param {string} place the slider's value
 */
export async function scrubbedAt(page, ms, place) {
  const stand = (/** @type {number} */ at) => page.evaluate((now) => void (performance.now = () => now), at);
  const sent = (await observed(page)).views.length;
  await stand(ms);
  await scrubber(page).fill(place);
  await page.waitForFunction((count) => /** @type {any} */ (globalThis).observed.views.length > count, sent);
  await stand(ms + 100);
  await settled(page);
  const { now_ms: rest } = (await observed(page)).views.at(-1) ?? {};
  expect(rest).toBe(ms + 100);
}
