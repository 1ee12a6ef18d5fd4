// Links to many models that went on together are short, and lead to the same poses, here and in commands.
import { expect, test } from "./fixtures.mjs";
import { asking, click, fragment, open, settled, shown, timeline } from "./page.mjs";
import { records, typed } from "./program.mjs";
import { walk } from "./scenes.mjs";

/** Twenty walkers at times of their own. @param {import("./program.mjs").Folder} folder */
function crowd(folder) {
  walk(folder);
  const models = Array.from({ length: 20 }, (_, at) =>
    `[[model]]\nname = "walker ${at}"\nfile = "walker.gltf"\ntranslation = [${(at % 5) - 2}.0, 1.5, ${-Math.floor(at / 5)}.0]\nclip = "Walk"\ntime = ${(at * 0.37) % 1}\n`);
  return folder.write("crowd.toml", models.join("\n"));
}

test("a crowd that went on by the slider has one number in its link", async ({ page, context, folder, serve }) => {
  const server = await serve([crowd(folder)]);
  await open(page, server, "#v=1&size=320x200&eye=1,3.5,8&look=0,1.7,0&fov=45");
  await timeline(page).getByRole("slider", { name: "Time of the clip" }).fill("613");
  await settled(page);
  const shot = await asking(page, () => click(page, [160, 110]));
  const link = await fragment(page, /tool=ray&q=/);
  expect(link).toMatch(/[&#]shift=/);
  expect(link).not.toContain("pose=");
  expect(link.length).toBeLessThan(300);

  const other = await context.newPage();
  await open(other, server, link);
  await expect(other.locator("#panel-answer table.columns")).toBeVisible();
  expect(await shown(other)).toEqual(shot);
  expect(await fragment(other, /tool=ray&q=/)).toBe(link);
  await other.close();

  await page.getByRole("button", { name: "Command line", exact: true }).click();
  const line = await page.getByLabel("Copied text").inputValue();
  expect(line).toContain("shift=");
  const [row = {}] = records(typed(line, folder));
  for (const [column, text] of Object.entries(shot.answer)) expect(row[column], column).toBe(text);
});
