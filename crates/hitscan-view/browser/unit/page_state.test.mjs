// The state and who hears of it; the newest of what waits; colours that two files share.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { duration, short, whole } from "../../page/format.js";
import { newest } from "../../page/newest.js";
import { COLORS, ROLES } from "../../page/roles.js";
import { createStore } from "../../page/store.js";

test("a watcher hears at once, of its keys alone, and of real changes", () => {
  const store = createStore();
  /** @type {string[]} */
  const heard = [];
  const end = store.watch(["tool"], ({ tool }) => heard.push(tool));
  store.set({ tool: "ray" });
  store.set({ level: 3 });
  store.set({ tool: "height", level: 4 });
  end();
  store.set({ tool: "arc" });
  assert.deepEqual(heard, ["ray", "height"]);
  assert.equal(store.state.tool, "arc");
});

test("everybody hears of the same states in the same order, also of those set by who hears", () => {
  const store = createStore();
  /** @type {[string, number][]} */
  const heard = [];
  store.watch(["level"], ({ level }) => {
    heard.push(["first", level]);
    if (level === 1) store.set({ level: 2 });
  });
  store.watch(["level"], ({ level }) => heard.push(["second", level]));
  heard.length = 0;
  store.set({ level: 1 });
  assert.deepEqual(heard, [["first", 1], ["second", 1], ["first", 2], ["second", 2]]);
});

test("a watcher that fails leaves the state as it was set, and the store in use", () => {
  const store = createStore();
  let fails = false;
  store.watch(["level"], () => {
    if (fails) throw new Error("no");
  });
  fails = true;
  assert.throws(() => store.set({ level: 5 }));
  fails = false;
  store.set({ level: 6 });
  assert.equal(store.state.level, 6);
});

test("one at a time, and of what waits the newest", async () => {
  /** @type {number[]} */
  const done = [];
  /** @type {(() => void)[]} */
  const open = [];
  const work = newest(async (/** @type {number} */ one) => {
    done.push(one);
    await new Promise((resolve) => open.push(() => resolve(undefined)));
  });
  const all = work(1);
  for (const one of [2, 3, 4]) void work(one);
  assert.deepEqual(done, [1]);
  while (open.length > 0) {
    open.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await all;
  assert.deepEqual(done, [1, 4]);
});

test("numbers for people", () => {
  assert.deepEqual([0, 999, 1000, 1234567].map(whole), ["0", "999", "1\u202f000", "1\u202f234\u202f567"]);
  assert.deepEqual([0, 999, 1000, 12_345, 999_400, 999_600, 1.25e7, 4e12].map(short), ["0", "999", "1.0 k", "12.3 k", "999 k", "1.0 M", "12.5 M", "4.0 T"]);
  assert.deepEqual([412, 1234, 3.2e6, 2e9].map(duration), ["412 ns", "1.23 µs", "3.20 ms", "2.00 s"]);
});

test("the overlay's colours are the same in the style sheet", () => {
  const css = readFileSync(new URL("../../page/tokens.css", import.meta.url), "utf8");
  for (const [name, color] of Object.entries(COLORS)) assert.ok(css.includes(`--${name}: ${color};`), name);
});

test("no two meanings look alike: a colour and a second sign each", () => {
  const meanings = ["hit", "miss", "start", "march", "past", "normal"].map((role) => ROLES[role]);
  const looks = new Set(meanings.map(({ color, dash, sign }) => `${color} ${dash} ${sign}`));
  const signs = new Set(meanings.map(({ dash, sign }) => `${dash} ${sign}`));
  assert.equal(looks.size, meanings.length);
  assert.equal(signs.size, meanings.length);
});
