// A click fires the ray that drew the pixel, and what the page answers is what the command answers.
import { cameraOf, offset, pixelOf } from "./camera.mjs";
import { expect, test } from "./fixtures.mjs";
import { asking, click, fragment, open, picture, shown, sizeOf, status } from "./page.mjs";
import { canvasPicture } from "./picture.mjs";
import { answersOf } from "./program.mjs";
import { random } from "./random.mjs";
import { SCREEN, SHARED_EDGES, yard } from "./scenes.mjs";

/** @typedef {[number, number]} Pixel */

const SHARED = 70;
const SILHOUETTES = 80;
const ANYWHERE = 50;

/**
 * Pixels whose colour is far from that of the next one: the silhouettes.
 * @param {import("./picture.mjs").Picture} picture
 * @returns {Pixel[]}
 */
function steps({ width, height, rgb }) {
  /** @type {Pixel[]} */
  const found = [];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width - 1; x += 1) {
      const at = (y * width + x) * 3;
      const step = [0, 1, 2].reduce((sum, channel) => sum + Math.abs((rgb[at + channel] ?? 0) - (rgb[at + 3 + channel] ?? 0)), 0);
      if (step > 90) found.push([x + (step & 1), y]);
    }
  }
  return found;
}

test("200 pixels are answered as by `hitscan ray`", async ({ page, folder, serve }) => {
  test.slow();
  const scene = yard(folder);
  await open(page, await serve([scene]), "#v=1&size=480x320");
  const size = await sizeOf(page);
  const camera = cameraOf(await fragment(page, /eye=/), size);
  const chance = random(20);
  const below = (/** @type {number} */ count) => Math.floor(chance() * count);

  /** @type {Pixel[]} */
  const shared = Array.from({ length: SHARED }, () => {
    const [a, b] = (SHARED_EDGES[below(SHARED_EDGES.length)] ?? []).map((at) => SCREEN[at] ?? [0, 0, 0]);
    const along = chance();
    const at = (/** @type {0 | 1 | 2} */ axis) => (a?.[axis] ?? 0) + along * ((b?.[axis] ?? 0) - (a?.[axis] ?? 0));
    return pixelOf(camera, [at(0), at(1), at(2)]);
  });
  const edges = steps(await canvasPicture(page));
  expect(edges.length).toBeGreaterThan(SILHOUETTES);
  const silhouettes = Array.from({ length: SILHOUETTES }, () => edges[below(edges.length)] ?? [0, 0]);
  const anywhere = Array.from({ length: ANYWHERE }, () => /** @type {Pixel} */ ([below(size[0]), below(size[1])]));

  /** @type {{pixel: Pixel, shot: Awaited<ReturnType<typeof shown>>}[]} */
  const shots = [];
  for (const pixel of [...shared, ...silhouettes, ...anywhere]) {
    shots.push({ pixel, shot: await asking(page, () => click(page, pixel)) });
  }
  // The program sends it once the answer is there.
  await expect(page.locator("dl.facts dt:text('median of 101 repeats') + dd")).toHaveText(/^[\d.]+ (ns|µs|ms|s)$/);
  const answers = answersOf(["ray", scene], shots.map(({ shot }) => shot.question));
  for (const [at, { pixel, shot }] of shots.entries()) {
    expect(shot.answer, `pixel ${pixel}`).toEqual(answers[at]);
    const { dx, dy, dz } = shot.question;
    expect(offset(camera, pixel, [Number(dx), Number(dy), Number(dz)]), `pixel ${pixel}`).toBeLessThan(0.01);
  }
  const words = shots.map(({ shot }) => shot.word);
  expect(words).toContain("hit");
  expect(words).toContain("miss");
  expect(new Set(answers.map(({ object }) => object)).size).toBeGreaterThan(4);
});

test("an answer is said in the status line and kept as a shot", async ({ page, folder, serve }) => {
  await open(page, await serve([yard(folder)]), "#v=1&size=480x320");
  const [width, height] = await sizeOf(page);
  const { sentence, answer } = await asking(page, () => click(page, [width >> 1, height >> 1]));
  expect(answer["status"]).toBe("hit");
  await expect(status(page)).toHaveText(sentence);
  await expect(picture(page)).toBeVisible();
  await expect(page.locator("#panel-shots .shot")).toHaveCount(1);
});

test("sides, all hits, layers and ignored objects are those of the command", async ({ page, folder, serve }) => {
  const scene = yard(folder);
  await open(page, await serve([scene]), "#v=1&size=480x320");
  const size = await sizeOf(page);
  const camera = cameraOf(await fragment(page, /eye=/), size);
  const options = page.getByRole("region", { name: "Options of the tool" });
  await asking(page, () => click(page, pixelOf(camera, [-0.25, 1.5, 2.5])));

  const ask = (/** @type {string} */ group, /** @type {string} */ choice) =>
    asking(page, () => options.getByRole("group", { name: group }).getByText(choice, { exact: true }).click());
  const back = await ask("Sides", "Back");
  expect(back.answer).toEqual(answersOf(["ray", scene, "--sides", "back"], [back.question])[0]);
  await ask("Sides", "Both");
  const any = await ask("Hits", "Any");
  expect(any.answer).toEqual(answersOf(["ray", scene, "--hits", "any"], [any.question])[0]);

  const all = await ask("Hits", "All");
  const rows = answersOf(["ray", scene, "--hits", "all"], [all.question]);
  const list = page.getByRole("listbox", { name: "Answers" }).getByRole("option");
  await expect(list).toHaveCount(rows.length);
  for (const [at, row] of rows.entries()) {
    await list.nth(at).click();
    expect((await shown(page)).answer).toEqual(row);
  }

  await ask("Hits", "Nearest");
  await options.getByText("Range and filter").click();
  const ignored = options.getByLabel("Ignored");
  await ignored.fill("crate;ball");
  const without = await asking(page, () => ignored.press("Enter"));
  expect(without.question["ignore"]).toBe("crate;ball");
  expect(without.answer).toEqual(answersOf(["ray", scene], [without.question])[0]);
  expect(without.answer["object"]).not.toBe("crate");
  const mask = options.getByLabel("Layers (mask)");
  await mask.fill("2");
  const layer = await asking(page, () => mask.press("Enter"));
  expect(layer.answer).toEqual(answersOf(["ray", scene], [layer.question])[0]);
  expect(layer.word).toBe("miss");
});
