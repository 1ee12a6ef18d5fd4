// Whatever the pointer can do, the keyboard can: a shot, a sweep and its explanation without a mouse.
import { expect, test } from "./fixtures.mjs";
import { asking, fragment, open, picture, settled, status, tab, tabTo, tool } from "./page.mjs";
import { answerOf, hitscan } from "./program.mjs";
import { yard } from "./scenes.mjs";

test("shot, sweep and explanation by keys alone", async ({ page, folder, serve }) => {
  const scene = yard(folder);
  await open(page, await serve([scene]), "#v=1&size=480x320");
  await tabTo(page, picture(page));
  await page.keyboard.press("c");
  const middle = await asking(page, () => page.keyboard.press("Enter"));
  expect(middle.answer).toEqual(answerOf(["ray", scene], middle.question));
  for (const key of ["ArrowRight", "Shift+ArrowRight", "Shift+ArrowDown", "ArrowUp"]) await page.keyboard.press(key);
  const aside = await asking(page, () => page.keyboard.press("Enter"));
  expect(aside.question).not.toEqual(middle.question);
  expect(aside.answer).toEqual(answerOf(["ray", scene], aside.question));

  await page.keyboard.press("3");
  await expect(tool(page, "Sweep")).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Enter");
  await expect(status(page)).toHaveText(/start is set/);
  for (let presses = 0; presses < 8; presses += 1) await page.keyboard.press("Shift+ArrowLeft");
  const sweep = await asking(page, () => page.keyboard.press("Enter"));
  expect(sweep.answer).toEqual(answerOf(["sweep", scene, "--contact"], sweep.question));

  await tabTo(page, tab(page, "Answer"));
  await page.keyboard.press("ArrowRight");
  await expect(tab(page, "Why")).toBeFocused();
  const candidates = page.getByRole("listbox", { name: "Candidates" });
  await expect(candidates).toBeVisible();
  const explained = explanation(["sweep", scene], sweep.question);
  await tabTo(page, candidates);
  await page.keyboard.press("Home");
  for (const candidate of explained.candidates) {
    const chosen = candidates.locator('[aria-selected="true"]');
    await expect(chosen.locator(".row-title")).toContainText(candidate.object);
    if (candidate.t !== null) await expect(chosen.locator(".row-t")).toHaveText(String(candidate.t));
    await page.keyboard.press("ArrowDown");
  }
});

test("the steps of a ray are walked by keys", async ({ page, folder, serve }) => {
  const scene = yard(folder);
  await open(page, await serve([scene]), "#v=1&size=480x320");
  await tabTo(page, picture(page));
  const { sentence } = await asking(page, () => page.keyboard.press("Enter"));
  await tabTo(page, tab(page, "Answer"));
  await page.keyboard.press("ArrowRight");
  const slider = page.getByRole("slider", { name: "Step of the walk" });
  await tabTo(page, slider);
  const detail = page.locator(".step-detail");
  await expect(detail).toContainText(sentence.replace(/\.$/, ""));
  await page.keyboard.press("Home");
  await expect(slider).toHaveAttribute("aria-valuetext", /^step 1 of /);
  const first = await detail.textContent();
  await page.keyboard.press("]");
  await expect(slider).toHaveAttribute("aria-valuetext", /^step 2 of /);
  expect(await detail.textContent()).not.toBe(first);
  await page.keyboard.press("[");
  await expect(detail).toHaveText(first ?? "");
  await page.keyboard.press("End");
  await expect(detail).toContainText("Answer.");
});

test("keys move the camera wherever no other element has a use for them", async ({ page, folder, serve }) => {
  await open(page, await serve([yard(folder)]), "#v=1&size=480x320");
  const home = await fragment(page, /eye=/);
  // An arrow is the toolbar's, a letter that of a field in which text is typed.
  await tool(page, "Ray").focus();
  await page.keyboard.press("ArrowLeft");
  await tab(page, "Scene").click();
  await page.getByRole("searchbox").first().fill("t");
  await page.keyboard.press("w");
  await settled(page);
  expect(new URL(page.url()).hash).toBe(home);
  await tab(page, "Scene").focus();
  await page.keyboard.press("t");
  const above = await fragment(page, /eye=0,[^&]*,0&/);
  await page.keyboard.press("o");
  await fragment(page, /projection=orthographic/);
  await page.keyboard.press("Backspace");
  await page.waitForFunction((before) => location.hash === before, above);
  await page.keyboard.press("Backspace");
  await page.waitForFunction((before) => location.hash === before, home);
  await page.keyboard.press("Shift+Backspace");
  await page.waitForFunction((before) => location.hash === before, above);
  await picture(page).focus();
  await page.keyboard.press("Home");
  await page.waitForFunction((before) => location.hash === before, home);
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction((before) => location.hash !== before, home);
  await page.keyboard.press("Home");
  await page.waitForFunction((before) => location.hash === before, home);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys and gestures" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
});

/**
 * What `--explain` says of a question.
 * @param {string[]} parameters
 * @param {Record<string, string>} question
 * @returns {{candidates: {object: string, t: number | null, verdict: string}[]}}
 */
function explanation(parameters, question) {
  const input = `${Object.keys(question).join(",")}\n${Object.values(question).join(",")}\n`;
  return JSON.parse(hitscan([...parameters, "-", "--explain", "0", "--json"], { input }));
}
