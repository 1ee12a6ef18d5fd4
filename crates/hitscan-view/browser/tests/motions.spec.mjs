// Hulls, cylinders and compounds as they are hit; hulls, objects and turns in motion; how far objects are apart.
import { expect, expectAccessible, test } from "./fixtures.mjs";
import { cameraOf, pixelOf } from "./camera.mjs";
import { asking, click, drag, fragment, open, overlay, settled, shown, sizeOf, status, tab, tool } from "./page.mjs";
import { answerOf } from "./program.mjs";
import { quarry } from "./scenes.mjs";

/** @typedef {import("@playwright/test").Page} Page */

/** Clicks what shows a point of the world. @param {Page} page @param {import("./camera.mjs").Point} point */
async function clickAt(page, point) {
  const camera = cameraOf(await fragment(page, /eye=/), await sizeOf(page));
  await click(page, pixelOf(camera, point));
}

const choice = (/** @type {Page} */ page, /** @type {string} */ group, /** @type {string} */ label) => page.getByRole("group", { name: group, exact: true }).getByText(label, { exact: true });
const slider = (/** @type {Page} */ page) => page.locator("#panel-answer").getByRole("slider", { name: "t of the motion" });

/** Types into a field of the tool. @param {Page} page @param {string} label @param {string} text */
async function type(page, label, text) {
  const input = page.locator("#tool-options").getByLabel(label);
  await input.fill(text);
  await input.press("Enter");
}

test("a click names the face of a hull, the cylinder, and the part of a compound", async ({ page, folder, serve }) => {
  const scene = quarry(folder);
  await open(page, await serve([scene]), "#v=1&size=480x320");
  for (const [point, object, part] of /** @type {const} */ ([[[3, 1, 0.9], "rock", undefined], [[-3, 2, -1.4], "pillar", undefined], [[0, 2.1, 3.3], "guard", "head"]])) {
    const { question, answer, sentence } = await asking(page, () => clickAt(page, [...point]));
    expect(answer).toEqual(answerOf(["ray", scene], question));
    expect([answer["object"], answer["part"]]).toEqual([object, part]);
    expect(sentence).toContain(part === undefined ? `Hits ${object}` : `Hits ${object}, part ${part}`);
    expect("triangle" in answer).toBe(object === "rock");
  }
  await tab(page, "Scene").click();
  const tree = page.getByRole("tree", { name: "Objects" });
  for (const kind of ["hull", "cylinder", "compound"]) await expect(tree).toContainText(kind);
  await page.getByLabel("Search objects and parts").fill("head");
  await expect(tree.getByRole("treeitem")).toHaveCount(2);
});

test("a hull of the scene is moved and rests, named and drawn", async ({ page, folder, serve }) => {
  const scene = quarry(folder);
  await open(page, await serve([scene]), "#v=1&size=480x320");
  await tool(page, "Sweep").click();
  await choice(page, "Shape", "Hull").click();
  await expect(page.getByRole("combobox", { name: "Hull" })).toHaveValue("rock");
  const { question, answer } = await asking(page, () => drag(page, [-6, 0, 4], [-3, 0.9, -1.4]));
  expect(question["hull"]).toBe("rock");
  // It rests on its foot, so much above what was pointed at.
  expect(Math.abs(Number(question["cy"]) - 0.1)).toBeLessThan(0.02);
  expect(answer).toEqual(answerOf(["sweep", scene, "--shape", "hull", "--contact"], question));
  const before = await overlay(page);
  await slider(page).fill("300");
  await expect.poll(() => overlay(page)).not.toBe(before);

  await tool(page, "Overlap").click();
  await choice(page, "Shape", "Hull").last().click();
  const rests = await asking(page, () => clickAt(page, [-3, 0, 0.5]));
  expect(rests.answer).toEqual(answerOf(["overlap", scene, "--shape", "hull"], rests.question));
});

test("a shape turns while it is dragged, and says how near it came", async ({ page, folder, serve }) => {
  const scene = quarry(folder);
  await open(page, await serve([scene]), "#v=1&size=480x320");
  await tool(page, "Sweep").click();
  await choice(page, "Shape", "Turned").first().click();
  await type(page, "Size along x", "4");
  await type(page, "Size along z", "0.2");
  await type(page, "Turned by", "0");
  await choice(page, "Turning", "Yes").click();
  await expect(page.getByRole("group", { name: "Sides", exact: true }).first()).toBeHidden();
  await type(page, "Angle", "-115");
  await type(page, "Tolerance", "0.001");
  const { question, answer, sentence } = await asking(page, () => drag(page, [-4.5, 0, 0], [-4, 0, -0.5]));
  expect(Number(question["angle"])).toBeCloseTo((-115 * Math.PI) / 180, 5);
  expect(answer).toEqual(answerOf(["sweep", scene, "--shape", "obb", "--turning", "--tolerance", "0.001"], question));
  expect([answer["status"], answer["object"]]).toEqual(["hit", "pillar"]);
  expect(Number(answer["gap"])).toBeLessThanOrEqual(0.001);
  expect(sentence).toContain("from it");
  await expect(page.locator("#panel-answer").getByRole("button", { name: "Why?" })).toHaveCount(0);
  const before = await overlay(page);
  await slider(page).fill("0");
  await expect.poll(() => overlay(page)).not.toBe(before);
  await expectAccessible(page);

  // The query of its link is the same.
  await settled(page);
  const first = await shown(page);
  await page.reload();
  await settled(page);
  await expect(page.locator("#panel-answer .verdict")).toBeVisible();
  expect(await shown(page)).toEqual(first);

  await choice(page, "Turning", "Yes").click();
  await choice(page, "About", "Where it starts").click();
  const about = await asking(page, () => drag(page, [-5, 0, 1.5], [-4, 0, 1]));
  expect(about.question["pivot_x"]).toBeDefined();
  expect(about.answer).toEqual(answerOf(["sweep", scene, "--shape", "box", "--turning"], about.question));
});

test("of what turns not all hits are asked for, which is said, and are again once it does not", async ({ page, folder, serve }) => {
  const scene = quarry(folder);
  await open(page, await serve([scene]), "#v=1&size=480x320");
  await tool(page, "Sweep").click();
  const hits = (/** @type {string} */ name) => page.locator("#tool-options").getByRole("group", { name: "Hits", exact: true }).getByRole("radio", { name, exact: true });
  await choice(page, "Hits", "All").click();
  await choice(page, "Turning", "Yes").click();
  await expect(hits("All")).toBeDisabled();
  await expect(hits("All")).toHaveAccessibleDescription("What turns has one hit.");
  await expect(page.getByText("What turns has one hit.")).toBeVisible();
  await expect(hits("Nearest")).toBeChecked();
  await expectAccessible(page);
  const turned = await asking(page, () => drag(page, [-6, 0, -2], [-2, 0, -2]));
  expect(turned.answer).toEqual(answerOf(["sweep", scene, "--turning"], turned.question));

  await choice(page, "Turning", "No").click();
  await expect(hits("All")).toBeEnabled();
  await expect(hits("All")).toBeChecked();
  await expect(page.getByText("What turns has one hit.")).toBeHidden();
  // The sweep that is shown turns still.
  const any = await asking(page, () => choice(page, "Hits", "Any").click());
  expect(any.answer).toEqual(answerOf(["sweep", scene, "--turning", "--hits", "any"], turned.question));
  await choice(page, "Hits", "All").click();
  await expect(page.locator("#status")).toHaveText(/turns, and stays as it is/);
  const all = await asking(page, () => drag(page, [-6, 0, -2], [-2, 0, -2]));
  expect(all.answer).toEqual(answerOf(["sweep", scene, "--contact", "--hits", "all"], all.question));
});

test("an object of the scene is dragged, and turns", async ({ page, folder, serve }) => {
  const scene = quarry(folder);
  await open(page, await serve([scene]), "#v=1&size=480x320");
  await tool(page, "Sweep").click();
  await choice(page, "Moves", "An object").click();
  const { question, answer } = await asking(page, () => drag(page, [0, 1, 3.4], [-3, 1, -1.4]));
  expect(question["mover"]).toBe("guard");
  expect(answer).toEqual(answerOf(["sweep", scene, "--object", "--contact"], question));
  expect(answer["mover_part"]).toBe("body");
  await page.getByRole("button", { name: "Why?" }).click();
  await expect(page.getByRole("listbox", { name: "Candidates" })).toContainText("pillar");
  await tab(page, "Answer").click();

  await choice(page, "Turning", "Yes").click();
  await choice(page, "Axis", "Z").click();
  const turned = await asking(page, () => drag(page, [0, 1, 3.4], [2.6, 0.9, 0.9]));
  expect(turned.answer).toEqual(answerOf(["sweep", scene, "--object", "--turning"], turned.question));
});

test("two clicks ask how far two objects are apart", async ({ page, folder, serve }) => {
  const scene = quarry(folder);
  await open(page, await serve([scene]), "#v=1&size=480x320");
  await tool(page, "Closest").click();
  await choice(page, "Of", "Two objects").click();
  await clickAt(page, [3, 1, 0.9]);
  await expect(status(page)).toHaveText(/rock is the first/);
  const { question, answer, word, sentence } = await asking(page, () => clickAt(page, [-3, 2, -1.4]));
  expect(question).toEqual({ object_a: "rock", object_b: "pillar" });
  expect(answer).toEqual(answerOf(["distance", scene], question));
  expect([word, sentence.endsWith("m apart.")]).toEqual(["apart", true]);
  await clickAt(page, [3, 1, 0.9]);
  await expect(status(page)).toHaveText(/rock is the first/);
  await page.keyboard.press("Escape");
  await clickAt(page, [0, 2.1, 3.3]);
  await expect(status(page)).toHaveText(/guard is the first/);
});
