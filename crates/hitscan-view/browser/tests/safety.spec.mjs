// What comes from files is text, and states without a picture say what to do.
import { expect, test } from "./fixtures.mjs";
import { asking, click, open, sizeOf, status, tab } from "./page.mjs";
import { answerOf } from "./program.mjs";
import { named, nothing, pair } from "./scenes.mjs";

const HOSTILE = "<img src=x onerror=\"document.title='taken'\">";

test("a model named as markup is its name and nothing else", async ({ page, folder, serve }) => {
  const scene = named(folder, HOSTILE);
  await open(page, await serve([scene]), "#v=1&size=300x200");
  const [width, height] = await sizeOf(page);
  const { question, answer } = await asking(page, () => click(page, [width >> 1, height >> 1]));
  expect(answer).toEqual(answerOf(["ray", scene], question));
  expect(answer["object"]).toBe(HOSTILE);
  await expect(status(page)).toContainText(HOSTILE);
  await tab(page, "Why").click();
  await expect(page.getByRole("listbox", { name: "Candidates" })).toContainText(HOSTILE);
  await tab(page, "Scene").click();
  const tree = page.getByRole("tree", { name: "Objects" });
  await tree.getByRole("treeitem").first().click();
  await expect(page.locator(".object-detail")).toContainText(HOSTILE);
  await tree.press("ArrowRight");
  await expect(tree.getByRole("treeitem")).toHaveCount(2);
  expect(await page.locator("img").count()).toBe(0);
  expect(await page.title()).not.toBe("taken");
});

test("an empty scene says what to do", async ({ page, folder, serve }) => {
  const server = await serve([nothing(folder)]);
  await page.goto(server.url);
  await expect(page.getByRole("heading", { name: "The scene is empty" })).toBeVisible();
});

test("files that cannot be read again leave the old scene, and say where", async ({ page, folder, serve }) => {
  const scene = pair(folder);
  await open(page, await serve([scene]), "#v=1&size=300x200");
  folder.write("pair.toml", "[[sphere]]\nname = 'ball'\ncenter = [0, 0\n");
  const notice = page.getByRole("region", { name: "Notice" });
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: "Read the scene again" }).click();
  await expect(notice).toContainText("the scene before stays");
  await expect(notice).toContainText("pair.toml");
  const { question, answer } = await asking(page, () => click(page, [100, 100]));
  pair(folder);
  expect(answer).toEqual(answerOf(["ray", scene], question));
  await notice.getByRole("button", { name: "Read again" }).click();
  await expect(notice).toBeHidden();
});

test("a watched scene is read again when its files change", async ({ page, folder, serve }) => {
  await open(page, await serve([pair(folder), "--watch"]), "#v=1&size=300x200");
  await tab(page, "Scene").click();
  const tree = page.getByRole("tree", { name: "Objects" });
  await expect(tree).toContainText("block");
  pair(folder, "renamed");
  await expect(tree).toContainText("renamed");
});

test("another host, origin or method is refused", async ({ page, folder, serve, request }) => {
  const server = await serve([pair(folder)]);
  const at = (/** @type {Record<string, string>} */ headers) => request.get(server.url, { headers }).then((answer) => answer.status());
  expect(await at({})).toBe(200);
  expect(await at({ Host: `evil.example:${server.port}` })).toBe(421);
  expect(await at({ "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors" })).toBe(403);
  expect((await request.post(server.url)).status()).toBe(405);
  await open(page, server, "#v=1&size=100x100");
  const policy = (await request.get(server.url)).headers()["content-security-policy"] ?? "";
  for (const part of ["default-src 'none'", "script-src 'self'", "require-trusted-types-for 'script'", "frame-ancestors 'none'"]) expect(policy).toContain(part);
});
