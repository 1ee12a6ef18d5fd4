// A fragment without its key, and which key the program is sent.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { createKey, withoutKey } from "../../page/page_key.js";

/** @type {Map<string, string>} */
let storage;
let isClosed = false;
/** @type {string[]} */
let addresses;

beforeEach(() => {
  storage = new Map();
  isClosed = false;
  addresses = [];
  const open = () => {
    if (isClosed) throw new Error("closed");
    return storage;
  };
  Object.assign(globalThis, {
    localStorage: {
      getItem: (/** @type {string} */ name) => open().get(name) ?? null,
      setItem: (/** @type {string} */ name, /** @type {string} */ value) => void open().set(name, value),
    },
    location: { pathname: "/", search: "", hash: "#v=1&key=new&tool=ray" },
    history: { state: null, replaceState: (/** @type {null} */ _state, /** @type {string} */ _title, /** @type {string} */ address) => addresses.push(address) },
  });
});

test("a fragment keeps all but its key", () => {
  assert.equal(withoutKey("#v=1&key=00ff&tool=ray"), "#v=1&tool=ray");
  assert.equal(withoutKey("#key=00ff"), "");
  assert.equal(withoutKey(""), "");
  assert.equal(withoutKey("#scene=key%3D1"), "#scene=key%3D1");
});

test("a key that is accepted is kept, and leaves the address", () => {
  const key = createKey("new");
  assert.equal(key.said(), "new");
  assert.deepEqual(addresses, []);
  key.accepted();
  assert.deepEqual([key.said(), key.inAddress(), addresses], ["new", undefined, ["/#v=1&tool=ray"]]);
  assert.equal(createKey(undefined).said(), "new");
});

test("where nothing can be kept the address keeps it", () => {
  isClosed = true;
  const key = createKey("new");
  key.accepted();
  assert.deepEqual([key.said(), key.inAddress(), addresses], ["new", "new", []]);
  assert.equal(createKey(undefined).said(), undefined);
});

test("an old link's key gives way to the one that is kept, once", () => {
  storage.set("hitscan-key", "good");
  const key = createKey("old");
  assert.deepEqual([key.said(), key.refused(), key.said(), key.refused()], ["old", true, "good", false]);
  assert.deepEqual([key.take(undefined), key.take("good"), key.take("newer"), key.said()], [false, false, true, "newer"]);
});
