// A shape that is dragged through the picture, and its motion.
import { expect, test } from "./fixtures.mjs";
import { asking, drag, open, overlay, tab, tool } from "./page.mjs";
import { canvasPicture } from "./picture.mjs";
import { answerOf } from "./program.mjs";
import { yard } from "./scenes.mjs";

for (const [label, shape] of [["Box", "box"], ["Turned", "turned_box"], ["Sphere", "sphere"], ["Capsule", "capsule"], ["Cylinder", "cylinder"]]) {
  test(`a dragged ${label?.toLowerCase()} is answered as by \`hitscan sweep\``, async ({ page, folder, serve }) => {
    const scene = yard(folder);
    await open(page, await serve([scene]), "#v=1&size=480x320");
    await tool(page, "Sweep").click();
    await page.getByRole("group", { name: "Shape" }).getByText(label ?? "", { exact: true }).click();
    const { question, answer } = await asking(page, () => drag(page, [-3, 0.3, 6], [3, 3.2, -0.5]));
    expect(answer).toEqual(answerOf(["sweep", scene, "--shape", shape ?? "", "--contact"], question));
  });
}

test("a slider moves the shape to its contact, and the bars name the axis that decides", async ({ page, folder, serve }) => {
  const scene = yard(folder);
  await open(page, await serve([scene]), "#v=1&size=480x320");
  await tool(page, "Sweep").click();
  await page.getByLabel("Lifted by").fill("0.8");
  await page.getByLabel("Lifted by").press("Enter");
  const { question, answer } = await asking(page, () => drag(page, [-3, -0.26, 6], [-0.25, 1, 2.5]));
  expect(answer).toEqual(answerOf(["sweep", scene, "--contact"], question));
  expect(answer["status"]).toBe("hit");

  const motion = page.locator("#panel-answer");
  const slider = motion.getByRole("slider", { name: "t of the motion" });
  await slider.fill("0");
  await expect(slider).toHaveAttribute("aria-valuetext", "t = 0");
  const before = await overlay(page);
  await slider.fill("250");
  await expect(slider).toHaveAttribute("aria-valuetext", "t = 0.25");
  await expect.poll(() => overlay(page)).not.toBe(before);
  await motion.getByRole("button", { name: "To the contact" }).click();
  await expect(slider).toHaveAttribute("aria-valuetext", `t = ${answer["t"]}`);

  await tab(page, "Why").click();
  const deciding = page.locator("#panel-why .axes li.decides");
  await expect(deciding).toHaveCount(1);
  const axis = ["x", "y", "z"].find((name) => Number(answer[`n${name}`]) !== 0);
  await expect(deciding.locator(".axis-name")).toHaveText(axis ?? "");
});

test("the picture is the same with a shape over it and without", async ({ page, folder, serve }) => {
  await open(page, await serve([yard(folder)]), "#v=1&size=480x320");
  const before = (await canvasPicture(page)).rgb;
  await tool(page, "Sweep").click();
  await asking(page, () => drag(page, [-3, 0.3, 6], [3, 3.2, -0.5]));
  expect((await canvasPicture(page)).rgb.equals(before)).toBe(true);
});
