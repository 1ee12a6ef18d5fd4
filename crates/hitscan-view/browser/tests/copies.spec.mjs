// Every copy of a shot is the same query: run elsewhere, it is answered to the bit as in the page.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "./fixtures.mjs";
import { asking, click, open, scrubbedAt, settled, shown, timeline } from "./page.mjs";
import { Folder, records, typed } from "./program.mjs";
import { mappedYard, quarry, walk, yard } from "./scenes.mjs";

/** @typedef {import("@playwright/test").Page} Page */

/** Where the copied tests go, and the files that they read, for whoever runs them; nowhere without. */
const COPIES = process.env["HITSCAN_COPIES"];

/** A question of each kind in the yard, as links have them. */
const QUESTIONS = [
  "tool=ray&q=ox:3,oy:9,oz:-1,dx:0.1,dy:-1,dz:0.05",
  "tool=ray&q=ox:-4,oy:1.7,oz:9,dx:0.01,dy:0,dz:-1,ignore:plank&options=hits:all,sides:front",
  "tool=ray&q=ox:3,oy:9,oz:-1,dx:0,dy:1,dz:0&options=hits:any",
  "tool=height&q=x:1.3,z:-2.7",
  "tool=height&q=x:1.3,z:-2.7&options=method:mean,radius:2",
  "tool=height&q=x:1.3,z:-2.7,radius:1.5&options=method:footprint",
  "tool=height&q=x:1.3,z:-2.7,half_x:1,half_z:0.5,angle:0.3&options=method:footprint",
  "tool=ray&q=ox:-0.2,oy:9,oz:1.9,dx:0,dy:-1,dz:0,t_min:1,t_max:8,mask:2",
  "tool=sweep&q=cx:3,cy:9,cz:-1,radius:0.3,dx:0.1,dy:-9,dz:0&options=shape:sphere",
  "tool=sweep&q=min_x:2,min_y:8,min_z:-2,max_x:3,max_y:9,max_z:-1,dx:0.1,dy:-9,dz:0&options=contact:true",
  "tool=sweep&q=cx:3,cy:9,cz:-1,half_x:0.5,half_y:0.2,half_z:0.3,qx:0,qy:0.6,qz:0,qw:0.8,dx:0,dy:-9,dz:0&options=shape:turned_box,hits:all",
  "tool=sweep&q=ax:3,ay:2,az:-1,bx:3,by:3,bz:-1,radius:0.2,dx:0,dy:5,dz:0&options=shape:capsule,overlaps:leave",
  "tool=overlap&q=min_x:-2,min_y:0,min_z:0,max_x:1,max_y:2,max_z:3",
  "tool=overlap&q=&options=exact:true",
  "tool=overlap&q=",
  "tool=overlap&q=cx:0,cy:1,cz:0,radius:2,margin:0.5&options=shape:sphere,each:triangle",
  "tool=closest&q=px:3.1,py:5,pz:-1.2",
  "tool=closest&q=px:3.1,py:2.4,pz:-1.2,max_distance:9&options=signed:true",
  "tool=arc&q=ox:0,oy:6,oz:8,vx:0.5,vy:1,vz:-4",
  "tool=sight&q=x:3,y:9,z:-1,target_x:3.2,target_y:-2,target_z:-1.1&options=blocker:true",
  "tool=sight&q=x:-4,y:1.7,z:9,target_x:-4,target_y:1.8,target_z:8,ignore:plank&options=blocker:true",
];

/** The same of what moves, turns, or is how far apart in the quarry. */
const MOTIONS = [
  "tool=sweep&q=ax:-6,ay:1,az:-2,bx:-6,by:2,bz:-2,radius:0.25,dx:6,dy:0,dz:0&options=shape:cylinder",
  "tool=sweep&q=hull:rock,cx:-6,cy:0.5,cz:-2,qy:0.6,qw:0.8,dx:6,dy:0,dz:0&options=shape:hull,hits:all",
  "tool=overlap&q=hull:rock,cx:-3,cy:0.5,cz:-2,radius:0.25,margin:1&options=shape:hull",
  "tool=sweep&q=cx:-5,cy:1,cz:1,half_x:2,half_y:0.2,half_z:0.1,qx:0,qy:0,qz:0,qw:1,dx:0,dy:0,dz:0,axis_y:1,angle:2,pivot_x:-6,pivot_y:0,pivot_z:1&options=shape:turned_box,turning:true,tolerance:0.01",
  "tool=sweep&q=cx:-6,cy:1,cz:-2,radius:0.5,dx:1,dy:0,dz:0,axis_z:1,angle:3&options=shape:sphere,turning:true,hits:any",
  "tool=sweep&q=mover:guard,dx:-3,dy:0,dz:-6&options=object:true,contact:true",
  "tool=sweep&q=mover:guard,dx:3,dy:0.5,dz:-4,axis_y:2,angle:1,tolerance:0.05,ignore:floor&options=object:true,turning:true",
  "tool=sweep&q=mover:guard,dx:-1,dy:0,dz:0,axis_y:1,angle:3,pivot_x:-3,pivot_y:0,pivot_z:1&options=object:true,turning:true,hits:any",
  "tool=distance&q=object_a:rock,object_b:guard",
  "tool=distance&q=object_a:rock,object_b:guard,max_distance:0.5",
];

/** Presses a button of Copy as; what is copied. @param {Page} page @param {string} name */
async function copied(page, name) {
  await page.getByRole("button", { name, exact: true }).click();
  return page.getByLabel("Copied text").inputValue();
}

/** What of a row of the program is in the page. @param {string} output @param {Record<string, string>} answer */
function sameColumns(output, answer) {
  const [row = {}] = records(output);
  return Object.fromEntries(Object.keys(answer).map((column) => [column, row[column]]));
}

/**
 * Tries every copy of the shot that the page shows.
 * @param {Page} page
 * @param {string} name of the tests that are kept
 */
async function expectCopies(page, name) {
  const shot = await shown(page);
  const elsewhere = new Folder();
  const line = await copied(page, "Command line");
  expect(sameColumns(typed(line, elsewhere), shot.answer), line).toEqual(shot.answer);
  elsewhere.remove();

  const link = await copied(page, "Link");
  const other = await page.context().newPage();
  await other.goto(link);
  await expect(other.locator("#panel-answer .verdict")).toBeVisible();
  await settled(other);
  expect(await shown(other)).toEqual(shot);
  await other.close();

  const rust = await copied(page, "Rust test");
  expect(rust).toContain("#[test]");
  if (COPIES !== undefined) writeFileSync(join(COPIES, "rust", `${name}.rs`), rust);
  if (await page.getByRole("button", { name: "Python test", exact: true }).isDisabled()) return;
  const python = await copied(page, "Python test");
  expect(python).toContain("def test_");
  if (COPIES !== undefined) writeFileSync(join(COPIES, "python", `test_${name}.py`), python);
}

/** Scenes of copies that are run later stay. @param {Folder} folder @param {(folder: Folder) => string} make */
function kept(folder, make) {
  if (COPIES === undefined) return make(folder);
  for (const part of ["rust", "python", "scenes"]) mkdirSync(join(COPIES, part), { recursive: true });
  const place = Object.assign(Object.create(Folder.prototype), { path: join(COPIES, "scenes") });
  return make(place);
}

for (const [at, question] of QUESTIONS.entries()) {
  test(`copies of ${question}`, async ({ page, folder, serve }) => {
    await open(page, await serve([kept(folder, yard)]), `#v=1&size=200x120&${question}`);
    await expect(page.locator("#panel-answer .verdict")).toBeVisible();
    await expectCopies(page, `yard_${at}`);
  });
}

for (const [at, question] of MOTIONS.entries()) {
  test(`copies of ${question}`, async ({ page, folder, serve }) => {
    await open(page, await serve([kept(folder, quarry)]), `#v=1&size=200x120&${question}`);
    await expect(page.locator("#panel-answer .verdict")).toBeVisible();
    // Hulls of the scene have no Python test.
    const hasPython = !question.includes("shape:hull");
    await expect(page.getByRole("button", { name: "Python test", exact: true })).toBeEnabled({ enabled: hasPython });
    await expectCopies(page, `quarry_${at}`);
  });
}

test("copies where tables are in map coordinates", async ({ page, folder, serve }) => {
  await open(page, await serve([kept(folder, mappedYard)]), "#v=1&size=200x120");
  await asking(page, () => click(page, [100, 70]));
  await expectCopies(page, "mapped");
});

test("copies of the demo, and of a height map with options, name what they read", async ({ page, folder, serve }) => {
  await open(page, await serve(), "#v=1&size=200x120");
  await asking(page, () => click(page, [100, 80]));
  await expectCopies(page, "demo");
  const map = kept(folder, (place) => {
    yard(place);
    return join(place.path, "hills.asc");
  });
  await open(page, await serve([map, "--spacing", "3,2"]), "#v=1&size=200x120");
  await asking(page, () => click(page, [100, 70]));
  await expectCopies(page, "map");
});

test("copies of a posed shot are of its pose, though the slider has moved on", async ({ page, folder, serve }) => {
  await open(page, await serve([kept(folder, walk)]), "#v=1&size=320x200&eye=1,3.5,8&look=0,1.7,0&fov=45");
  const slider = timeline(page).getByRole("slider", { name: "Time of the clip" });
  await slider.fill("250");
  await settled(page);
  const shot = await asking(page, () => click(page, [140, 110]));
  await expect(page.locator("#panel-answer dl.facts")).toContainText("walker: Walk at 0.5 s");
  await slider.fill("900");
  await settled(page);
  expect(await shown(page)).toEqual(shot);
  await expectCopies(page, "posed");
});

test("copies of a shot into the past, between two views, are of that moment", async ({ page, folder, serve }) => {
  await open(page, await serve([kept(folder, walk)]), "#v=1&size=320x200&eye=1,3.5,8&look=0,1.7,0&fov=45");
  const start = (await page.evaluate(() => Math.floor(performance.now()))) + 1000;
  await scrubbedAt(page, start, "100");
  await scrubbedAt(page, start + 200, "600");
  await timeline(page).getByRole("slider", { name: "How long ago is shot at" }).fill("150");
  for (const [at, pixel] of /** @type {[number, number][]} */ ([[140, 110], [120, 90], [160, 60]]).entries()) {
    await asking(page, () => click(page, pixel));
    await expectCopies(page, `past_${at}`);
  }
});

test("an answer of a scene that has changed is asked again, and says what it was", async ({ page, folder, serve }) => {
  const ball = (/** @type {number} */ radius) => `[[sphere]]\nname = "ball"\ncenter = [0.0, 0.0, 0.0]\nradius = ${radius}\n`;
  const scene = folder.write("ball.toml", ball(1.5));
  await open(page, await serve([scene, "--watch"]), "#v=1&size=200x120&tool=ray&q=ox:0,oy:0,oz:5,dx:0,dy:0,dz:-1");
  const change = page.locator("#panel-answer .change");
  await expect(page.locator("#panel-answer table.columns")).toBeVisible();
  expect((await shown(page)).answer["t"]).toBe("3.5");
  await expect(change).toHaveCount(0);
  folder.write("ball.toml", ball(2));
  await expect(change).toHaveText("The scene changed: was ball t 3.5, now ball t 3.");
  expect((await shown(page)).answer["t"]).toBe("3");
  folder.write("ball.toml", "");
  await expect(change).toHaveText("The scene changed: was ball t 3, now miss.");
});
