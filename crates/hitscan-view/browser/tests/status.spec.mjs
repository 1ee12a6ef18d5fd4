// The status line: all of a sentence is read on it, and where nothing can be queried it says so.
import { LOST, expect, expectAccessible, test } from "./fixtures.mjs";
import { asking, click, open, picture, settled, sizeOf, status, tool } from "./page.mjs";
import { named, pair } from "./scenes.mjs";

const NO_CONNECTION = "There is no connection: nothing was asked.";

for (const viewport of [{ width: 1280, height: 720 }, { width: 1920, height: 1080 }]) {
  test.describe(`${viewport.width} pixels wide`, () => {
    test.use({ viewport });

    test("a long sentence is not cut, and leaves the picture its size", async ({ page, folder, serve }) => {
      await open(page, await serve([named(folder, "a very long name of words ".repeat(12).trim())]), "#v=1&size=200x120");
      const before = await page.locator("#stage").boundingBox();
      const [width, height] = await sizeOf(page);
      const { sentence } = await asking(page, () => click(page, [width >> 1, height >> 1]));
      expect(sentence.length).toBeGreaterThan(300);
      await expect(status(page)).toHaveText(sentence);
      const seen = await status(page).evaluate((line) => {
        const text = document.createRange();
        text.selectNodeContents(line);
        const { top, bottom, left, right } = text.getBoundingClientRect();
        const beside = document.getElementById("readout")?.getBoundingClientRect();
        const foot = line.parentElement?.getBoundingClientRect();
        // What is painted there is the line itself, from its first word to its last.
        const at = [...text.getClientRects()].map((one) => document.elementFromPoint(one.left + 2, one.top + one.height / 2));
        return {
          isWhole: line.scrollWidth <= line.clientWidth && line.scrollHeight <= line.clientHeight,
          isInside: left >= 0 && right <= (beside?.left ?? 0) && bottom <= innerHeight && top >= (foot?.top ?? innerHeight),
          isOnTop: at.every((one) => one === line),
          lines: at.length,
        };
      });
      expect(seen).toMatchObject({ isWhole: true, isInside: true, isOnTop: true });
      expect(seen.lines).toBeGreaterThan(1);
      await settled(page);
      expect(await page.locator("#stage").boundingBox()).toEqual(before);
      await expectAccessible(page);
    });
  });
}

test("a tap without a connection says so, with any tool and by keys", async ({ page, folder, serve, quiet }) => {
  quiet.allowed.push(...LOST);
  const server = await serve([pair(folder)]);
  await open(page, server, "#v=1&size=300x200");
  await server.stop();
  await expect(page.getByRole("heading", { name: "Connection lost" })).toBeVisible();
  await expect(status(page)).toHaveText("Connection lost.");
  for (const name of ["Ruler", "Sight", "Arc", "Overlap", "Sweep", "Closest", "Height", "Ray"]) {
    await tool(page, name).click();
    await expect(status(page)).not.toHaveText(NO_CONNECTION);
    await click(page, [150, 100]);
    await expect(status(page)).toHaveText(NO_CONNECTION);
    await tool(page, "Look").click();
    await expect(status(page)).toHaveText(/^Look/);
    await tool(page, name).click();
    await picture(page).press("Enter");
    await expect(status(page)).toHaveText(NO_CONNECTION);
  }
  await expect(page.locator("#panel-shots .shot")).toHaveCount(0);
});
