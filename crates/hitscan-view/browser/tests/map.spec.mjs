// A scene with map coordinates: what is clicked in the picture is queried in those of its tables.
import { expect, test } from "./fixtures.mjs";
import { asking, click, drag, open, overlay, tool } from "./page.mjs";
import { answerOf } from "./program.mjs";
import { MAP_ORIGIN, mappedYard, yard } from "./scenes.mjs";

/** A column's axis. @param {string} column */
const axisOf = (column) => /** @type {"x" | "y" | "z" | undefined} */ (/^(?:o|min_|max_)([xyz])$/.exec(column)?.[1]);

/**
 * Expects two questions to be the same, one of them in map coordinates.
 * @param {Record<string, string>} mapped
 * @param {Record<string, string>} plain
 */
function expectMapped(mapped, plain) {
  expect(Object.keys(mapped)).toEqual(Object.keys(plain));
  for (const [column, value] of Object.entries(mapped)) {
    const axis = axisOf(column);
    const zero = axis === undefined ? 0 : MAP_ORIGIN[axis];
    expect(Number(value) - zero, column).toBeCloseTo(Number(plain[column]), 6);
  }
}

/** @typedef {import("@playwright/test").Page} Page */

const ACTS = /** @type {const} */ ([
  ["a dragged box", "Sweep", ["sweep", "--contact"], (/** @type {Page} */ page) => drag(page, [-3, 0.3, 6], [3, 3.2, -0.5])],
  ["a thrown arc", "Arc", ["arc"], (/** @type {Page} */ page) => click(page, [240, 160])],
  ["a fired ray", "Ray", ["ray"], (/** @type {Page} */ page) => click(page, [240, 160])],
]);

for (const [what, name, [command, ...options], act] of ACTS) {
  test(`${what} is asked in the coordinates of tables, and drawn in those of the scene`, async ({ page, folder, serve }) => {
    const ask = async (/** @type {string} */ scene) => {
      await open(page, await serve([scene]), "#v=1&size=480x320");
      await tool(page, name).click();
      const { question, answer } = await asking(page, () => act(page));
      expect(answer).toEqual(answerOf([command, scene, ...options], question));
      return question;
    };
    const plain = await ask(yard(folder));
    const drawn = await overlay(page);
    const mapped = await ask(mappedYard(folder));
    expectMapped(mapped, plain);
    await expect.poll(() => overlay(page)).toBe(drawn);
  });
}
