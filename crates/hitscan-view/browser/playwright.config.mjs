// One browser, one worker, no retries: a test that fails once has failed.
import { defineConfig } from "@playwright/test";

/** Chromium requires a sandbox that root cannot have. */
const isRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results",
  snapshotPathTemplate: "screenshots/{arg}{ext}",
  workers: 1,
  retries: 0,
  fullyParallel: false,
  forbidOnly: true,
  timeout: 60_000,
  reporter: "list",
  expect: {
    timeout: 15_000,
    toHaveScreenshot: { maxDiffPixelRatio: 0.003, threshold: 0.1, animations: "disabled", caret: "hide" },
  },
  use: {
    browserName: "chromium",
    viewport: { width: 1280, height: 720 },
    deviceScaleFactor: 1,
    launchOptions: {
      executablePath: process.env["HITSCAN_BROWSER"] ?? "/usr/bin/chromium-headless-shell",
      args: [
        ...(isRoot ? ["--no-sandbox"] : []),
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--font-render-hinting=none",
        "--force-color-profile=srgb",
      ],
    },
  },
});
