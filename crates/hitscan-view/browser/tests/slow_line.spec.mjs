// The page works over a slow line: what is slow is slow, and nothing is lost or out of order.
import { expect, test } from "./fixtures.mjs";
import { asking, click, settled } from "./page.mjs";
import { canvasPicture, difference } from "./picture.mjs";
import { addressOf, answerOf } from "./program.mjs";
import { yard } from "./scenes.mjs";
import { NEAR, openLine } from "../slow_line.mjs";

test("over 1 Mbit/s the picture and an answer are those of the program", async ({ page, folder, serve, context }) => {
  const scene = yard(folder);
  const server = await serve([scene, "--host", NEAR]);
  const line = await openLine(server.port, { bits: 1e6, roundTripMs: 40 });
  try {
    const link = "#v=1&size=160x100";
    await page.goto(addressOf({ url: line.url + new URL(server.url).hash }, link));
    await settled(page);
    const shot = await asking(page, () => click(page, [80, 60]));
    expect(shot.answer).toEqual(answerOf(["ray", scene], shot.question));
    // All that came went through the line: the page's files and the frames.
    expect(line.carried.down).toBeGreaterThan(100_000);
    expect(line.carried.up).toBeGreaterThan(5_000);
    const near = await context.newPage();
    await near.goto(addressOf(server, link));
    await settled(near);
    expect(difference(await canvasPicture(page), await canvasPicture(near))).toBe("none");
    await page.close();
  } finally {
    await line.close();
  }
});
