// Links: the address holds what the page shows, and opening it shows the same.
import { cameraOf, pixelOf } from "./camera.mjs";
import { expect, test } from "./fixtures.mjs";
import { asking, click, fragment, open, picture, settled, shown, sizeOf, tab } from "./page.mjs";
import { canvasPicture, difference } from "./picture.mjs";
import { addressOf } from "./program.mjs";
import { yard } from "./scenes.mjs";

test("a link leads to the same picture and the same answer, and back", async ({ page, context, folder, serve }) => {
  const server = await serve([yard(folder)]);
  await open(page, server, "#v=1&size=400x260");
  await page.getByRole("group", { name: "Shown" }).getByText("Cost", { exact: true }).click();
  await page.getByRole("button", { name: "Outlines of objects and creases" }).click();
  await picture(page).focus();
  for (const key of ["ArrowLeft", "ArrowUp", "+"]) await page.keyboard.press(key);
  await tab(page, "Scene").click();
  const plank = page.getByRole("button", { name: "Hide plank" });
  await plank.click();
  await settled(page);
  await tab(page, "Answer").click();
  const camera = cameraOf(await fragment(page, /hide=plank/), await sizeOf(page));
  const shot = await asking(page, () => click(page, pixelOf(camera, [3, 2.6, -0.2])));
  const link = await fragment(page, /tool=ray&q=/);
  await settled(page);
  for (const part of ["mode=cost", "outline=1", "hide=plank", "size=400x260", "scene=yard.toml"]) expect(link).toContain(part);

  const other = await context.newPage();
  await open(other, server, link);
  await expect(other.locator("#panel-answer table.columns")).toBeVisible();
  expect(await shown(other)).toEqual(shot);
  expect(difference(await canvasPicture(other), await canvasPicture(page))).toBe("none");
  expect(await fragment(other, /tool=ray&q=/)).toBe(link);
  await other.close();

  // A fragment that is typed is followed, and back is where it was.
  const before = await canvasPicture(page);
  await page.evaluate(() => (location.hash = "#v=1&size=400x260"));
  await settled(page);
  expect(difference(await canvasPicture(page), before)).not.toBe("none");
  await page.goBack();
  await fragment(page, /mode=cost/);
  await settled(page);
  expect(difference(await canvasPicture(page), before)).toBe("none");
});

test("the copied link and command say the question", async ({ page, context, folder, serve }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const server = await serve([yard(folder)]);
  await open(page, server, "#v=1&size=480x320");
  const [width, height] = await sizeOf(page);
  const { question } = await asking(page, () => click(page, [width >> 1, height >> 1]));
  const copied = page.getByLabel("Copied text");
  await page.getByRole("button", { name: "Command line" }).click();
  await expect(copied).toHaveValue(/^printf .* \| hitscan ray \S*yard\S* -/);
  await expect(copied).toHaveValue(new RegExp(`${question["dx"]}`));
  await page.getByRole("button", { name: "Table row" }).click();
  await expect(copied).toHaveValue(`${Object.keys(question).join(",")}\n${Object.values(question).join(",")}\n`);
  await page.getByRole("button", { name: "Rust test" }).click();
  await expect(copied).toHaveValue(/#\[test\][^]*f32::from_bits\(0x[0-9a-f_]+\)/);
  await picture(page).focus();
  await page.keyboard.press("l");
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(`${new URL("/", server.url).href}#v=1&scene=yard.toml`);
});

test("a link to another scene, or with fields that are unknown, is left alone", async ({ page, folder, serve }) => {
  const server = await serve([yard(folder)]);
  await open(page, server, "#v=1&scene=elsewhere&eye=0,50,0&look=0,0,1&later=3");
  expect(await fragment(page, /scene=yard\.toml/)).not.toContain("eye=0,50,0");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/yard/);
});

test("a link that cannot be shown says so, and leads to the whole scene", async ({ page, folder, serve }) => {
  const server = await serve([yard(folder)]);
  await page.goto(addressOf(server, "#v=1&size=200x120&eye=1,2,3&look=1,2,3"));
  const notice = page.getByRole("region", { name: "Notice" });
  await expect(notice.getByRole("heading", { name: "The link cannot be shown" })).toBeVisible();
  await notice.getByRole("button", { name: "Show everything" }).click();
  await expect(notice).toBeHidden();
  await settled(page);
});
