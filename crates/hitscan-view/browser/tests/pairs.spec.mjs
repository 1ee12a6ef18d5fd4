// The pairs of objects that overlap: the list of `hitscan overlap`, text for text, drawn and framed.
import { expect, test } from "./fixtures.mjs";
import { asking, fragment, open, shown, status, tab, tool } from "./page.mjs";
import { canvasPicture } from "./picture.mjs";
import { hitscan, records } from "./program.mjs";

/**
 * Two triangles that cross, a third in the plane of one, and solids that overlap.
 * @param {import("./program.mjs").Folder} folder
 */
function heap(folder) {
  const triangles = ["v 0 0 0\nv 2 0 0\nv 0 2 0", "v 0.5 0.5 -1\nv 0.5 0.5 1\nv 1.5 1.5 1", "v 0.5 0.1 0\nv 1 0.1 0\nv 0.5 0.6 0"];
  const models = triangles.map((corners, at) => {
    folder.write(`${at}.obj`, `${corners}\nf 1 2 3\n`);
    return `[[model]]\nfile = "${at}.obj"\n`;
  });
  const boxes = [0, 1, 2].map((at) => `[[box]]\nmin = [${at * 0.75 - 4}, 0.0, 0.0]\nmax = [${at * 0.75 - 3}, 1.0, 1.0]\n`);
  const ball = "[[sphere]]\ncenter = [-3.5, 0.5, 0.5]\nradius = 0.1\n";
  return folder.write("heap.toml", [...models, ...boxes, ball].join("\n"));
}

/** What is drawn over the picture. @param {import("@playwright/test").Page} page */
const overlay = async (page) => (await canvasPicture(page, "#overlay")).rgb.toString("base64");

/** The rows of `hitscan overlap`, without empty fields. @param {string[]} parameters */
function listed(parameters) {
  const rows = records(hitscan(["overlap", ...parameters]));
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== "")));
}

for (const [name, options] of /** @type {[string, string[]][]} */ ([["Pairs of boxes", []], ["Pairs that meet", ["--exact"]]])) {
  test(`${name} are those of \`hitscan overlap ${options.join(" ")}\`, and a click frames one`, async ({ page, folder, serve }) => {
    const scene = heap(folder);
    const rows = listed([scene, ...options]);
    expect(rows.length).toBeGreaterThan(2);
    await open(page, await serve([scene]), "#v=1&size=120x80");
    await tool(page, "Overlap").click();
    const before = await overlay(page);
    const first = await asking(page, () => page.getByRole("button", { name, exact: true }).click());
    expect(first.answer).toEqual(rows[0]);
    expect(Object.keys(first.answer)).toEqual(Object.keys(rows[0] ?? {}));
    expect(first.word).toBe(`${rows.length} pairs`);
    await expect(status(page)).toContainText(String(rows.length));
    expect(await overlay(page)).not.toBe(before);
    await fragment(page, options.length > 0 ? /tool=overlap&q=&options=exact:true/ : /tool=overlap&q=/);

    const list = page.getByRole("listbox", { name: "Answers" });
    for (const at of [1, Math.min(rows.length - 1, 4)]) {
      const eye = (await fragment(page, /eye=/)).match(/eye=([^&]+)/)?.[1];
      await list.getByRole("option").nth(at).click();
      await expect.poll(async () => (await shown(page)).answer).toEqual(rows[at]);
      await page.waitForFunction((was) => !location.hash.includes(`eye=${was}&`), eye);
    }
    await tab(page, "Why").click();
    await expect(page.locator("#panel-why")).toContainText("Pairs are all that meet");
  });
}

test("a link to pairs lists them again", async ({ page, folder, serve }) => {
  const scene = heap(folder);
  await open(page, await serve([scene]), "#v=1&size=120x80&tool=overlap&q=&options=exact:true");
  await expect(page.locator("#panel-answer .verdict")).toHaveText(`${listed([scene, "--exact"]).length} pairs`);
});

test("an object with a semicolon in its name is hidden, in the answer's question and in the link", async ({ page, folder, serve }) => {
  const sphere = (/** @type {string} */ name, /** @type {number} */ z) => `[[sphere]]\nname = "${name}"\ncenter = [0.0, 0.0, ${z}.0]\nradius = 1.0\n`;
  const scene = folder.write("named.toml", [sphere("a;b", 0), sphere("c", -5)].join("\n"));
  await open(page, await serve([scene]), "#v=1&size=80x80&eye=0,0,9&look=0,0,0&hide=a%3Bb");
  const { question, answer } = await asking(page, () => page.locator("#picture").click());
  expect(question["ignore"]).toBe("a\\;b");
  expect(answer["object"]).toBe("c");
  expect(await fragment(page, /hide=/)).toContain("hide=a%3Bb");
});
