// What a browser requests when the page is opened: all files at once, and the second time the first alone.
import { readdirSync } from "node:fs";
import { expect, test } from "./fixtures.mjs";
import { open } from "./page.mjs";
import { pair } from "./scenes.mjs";

const VIEW = "#v=1&size=200x120";
const MODULES = readdirSync(new URL("../../page/", import.meta.url)).filter((name) => name.endsWith(".js"));

/** What a page has fetched over the network, but for its socket. @param {import("@playwright/test").Page} page */
const fetched = (page) =>
  page.evaluate(() => {
    const entries = /** @type {PerformanceResourceTiming[]} */ ([...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]);
    return entries.filter(({ transferSize }) => transferSize > 0).map(({ name }) => new URL(name).pathname);
  });

test("a first opening asks for all files at once, a second for the first alone", async ({ page, context, folder, serve }) => {
  const server = await serve([pair(folder)]);
  const debug = await context.newCDPSession(page);
  await debug.send("Network.enable");
  /** @type {{ path: string, by: string }[]} */
  const asked = [];
  debug.on("Network.requestWillBeSent", ({ request, initiator, type }) => {
    if (type !== "Document") asked.push({ path: new URL(request.url).pathname, by: initiator.type });
  });
  await open(page, server, VIEW);
  const modules = asked.filter(({ path }) => path.endsWith(".js"));
  expect(modules.map(({ path }) => path.split("/").at(-1)).sort()).toEqual([...MODULES].sort());
  // None waits for another that imports it.
  expect(asked.filter(({ by }) => by !== "parser")).toEqual([]);
  const first = await fetched(page);
  expect(first.length).toBeGreaterThan(MODULES.length);

  const other = await context.newPage();
  await open(other, server, VIEW);
  expect(await fetched(other)).toEqual(["/"]);
  await other.reload();
  expect(await fetched(other)).toEqual(["/"]);
});
