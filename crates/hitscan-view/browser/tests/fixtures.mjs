// What every test of the page has: a folder, servers that end with it, and a page on which any console
// message or report of the security policy is a failure.
import { test as base, expect } from "@playwright/test";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { observe } from "./page.mjs";
import { Folder, view } from "./program.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * @typedef {import("@playwright/test").Page} Page
 * @typedef {(parameters?: string[], options?: { port?: number, cwd?: string }) => Promise<import("./program.mjs").Server>} Serve
 */

/** What a browser itself says of a server that is gone. */
export const LOST = [/^error: WebSocket connection to .* failed/, /^error: Failed to load resource: net::ERR_CONNECTION_(REFUSED|RESET)$/];

/** @typedef {{ folder: Folder, serve: Serve, quiet: { allowed: RegExp[] } }} Own */

/** @type {import("@playwright/test").Fixtures<Own, {}, import("@playwright/test").PlaywrightTestArgs>} */
const own = {
  folder: async ({}, use) => {
    const folder = new Folder();
    await use(folder);
    folder.remove();
  },
  serve: async ({ context }, use) => {
    /** @type {import("./program.mjs").Server[]} */
    const servers = [];
    await use(async (parameters = [], options = {}) => {
      const server = await view(parameters, options);
      servers.push(server);
      return server;
    });
    // A page whose server is gone would say so.
    await Promise.all(context.pages().map((page) => page.close()));
    await Promise.all(servers.map((server) => server.stop()));
  },
  quiet: [
    async ({ context }, use) => {
      /** @type {string[]} */
      const messages = [];
      const quiet = { allowed: /** @type {RegExp[]} */ ([]) };
      context.on("console", (message) => messages.push(`${message.type()}: ${message.text()}`));
      context.on("weberror", (error) => messages.push(`error: ${error.error().message}`));
      await context.addInitScript(() => {
        document.addEventListener("securitypolicyviolation", (event) => {
          console.error(`policy ${event.violatedDirective}: ${event.blockedURI}`);
        });
      });
      await observe(context);
      await use(quiet);
      const unexpected = messages.filter((text) => !quiet.allowed.some((one) => one.test(text)));
      expect(unexpected).toEqual([]);
    },
    { auto: true },
  ],
};

export const test = base.extend(own);

export { expect };

/**
 * Fails where axe-core finds anything on the page as it is.
 * @param {Page} page
 */
export async function expectAccessible(page) {
  // Evaluated through the debugger, which the page's policy does not bind.
  await page.evaluate(axe);
  const violations = await page.evaluate(async () => {
    // @ts-expect-error the script above defines it
    const { violations } = await globalThis.axe.run(document);
    return violations.map((/** @type {any} */ one) => ({
      rule: one.id,
      nodes: one.nodes.map((/** @type {any} */ node) => `${node.target}: ${node.failureSummary}`),
    }));
  });
  expect(violations).toEqual([]);
}
