// The fragment there and back: equal numbers to the last bit, whatever a name is made of.
import assert from "node:assert/strict";
import { test } from "node:test";
import { linkOf, linkOfShot, readLink, stateOf, writeLink } from "../../page/link.js";
import { INITIAL } from "../../page/store.js";

/** @type {import("../../page/messages.js").Camera} */
const HOME = { eye: [1, 2, 3], look: [0, 0, 0], fov: 50, projection: "perspective" };

test("an empty fragment says nothing", () => {
  for (const text of ["", "#", "#v=1", "#&&&", "#=3", "#eye", "#v=1&nothing=here&x"]) assert.deepEqual(readLink(text), {});
});

test("the text is the protocol's", () => {
  const text = writeLink({
    scene: "demo",
    eye: [0.1, -2, 1e-7],
    look: [0, 1.5, 1e21],
    fov: 60,
    projection: "orthographic",
    size: [640, 360],
    mode: "cost",
    outline: true,
    hide: ["a b", "c"],
    layers: 3,
    poses: [
      { object: "robot", clip: "walk", time: 0.25 },
      { object: "robot", clip: "walk", time: 1, blend: { clip: "wave", time: 2, weight: 0.5 } },
    ],
    tool: "sweep",
    question: { min_x: 1, ignore: "a;b" },
    options: { shape: "box", signed: true },
    key: "00ff",
  });
  assert.equal(
    text,
    "v=1&scene=demo&eye=0.1,-2,1e-7&look=0,1.5,1e%2B21&fov=60&projection=orthographic&size=640x360&mode=cost&outline=1&hide=a%20b;c&layers=3" +
      "&pose=robot:walk:0.25&pose=robot:walk:1:wave:2:0.5&tool=sweep&q=min_x:1,ignore:a%3Bb&options=shape:box,signed:true&key=00ff",
  );
});

test("pairs are asked by a question without columns", () => {
  const link = { tool: /** @type {const} */ ("overlap"), question: {}, options: { exact: true } };
  assert.equal(writeLink(link), "v=1&tool=overlap&q=&options=exact:true");
  assert.deepEqual(readLink(`#${writeLink(link)}`), link);
  assert.deepEqual(readLink("#v=1&tool=overlap"), { tool: "overlap" });
});

test("the program's words in a link are read as the page's", () => {
  const options = { shape: "turned_box", overlaps: "leave" };
  for (const words of ["shape:obb,initial_overlap:escape", "shape:turned-box,overlaps:escape", "shape:turned_box,overlaps:leave"]) {
    assert.deepEqual(readLink(`#v=1&tool=sweep&options=${words}`).options, options);
  }
  assert.equal(writeLink({ options }), "v=1&options=shape:turned_box,overlaps:leave");
  assert.deepEqual(readLink("#options=initial_overlap:stop").options, { overlaps: "stop" });
});

test("names with the marks between them come back, and links without such names read as ever", () => {
  assert.equal(writeLink({ hide: ["a;b", "c"] }), "v=1&hide=a%3Bb;c");
  assert.deepEqual(readLink("#v=1&hide=a%3Bb;c"), { hide: ["a;b", "c"] });
  assert.deepEqual(readLink("#v=1&hide=crate;ball"), { hide: ["crate", "ball"] });
  const question = { ox: 1, ignore: "a\\;b;c" };
  assert.deepEqual(readLink(writeLink({ question })), { question });
});

test("any name and any finite number come back as they were", () => {
  const names = ["<img onerror=alert(1)>", "a;b:c,d&e=f#g%h", "Bäume und 山", " ", "%", "%zz", "true", "7"];
  const numbers = [0, -0.1, 1 / 3, 5e-324, 1.7976931348623157e308, Math.fround(0.1), 2 ** 53, -1e-20];
  for (const name of names) {
    for (const number of numbers) {
      /** @type {import("../../page/link.js").Link} */
      const link = {
        scene: name,
        eye: [number, 1, 0 - number],
        hide: [name, "other"],
        poses: [{ object: name, clip: name, time: number, blend: { clip: name, time: number, weight: 0.25 } }],
        question: { ox: number },
        key: name,
      };
      assert.deepEqual(readLink(`#${writeLink(link)}`), link);
    }
  }
});

test("commas that are encoded part as well", () => {
  assert.deepEqual(readLink("eye=1%2C2%2C3").eye, [1, 2, 3]);
});

test("a value that is none is left alone", () => {
  for (const text of ["eye=1,2", "eye=1,2,NaN", "eye=1,2,Infinity", "eye=1,,3", "fov=0", "fov=180", "fov=x", "size=0x9", "size=1.5x2", "size=9", "mode=x", "projection=fish", "tool=look", "tool=laser", "layers=-1", "layers=1.5", "pose=a", "pose=a:b", "past=1,2", "past=3,2,2", "past=1,2,1.5", "was=a:b:1", "pose=a:b:c", "pose=a:b:1:c:2"]) {
    assert.deepEqual(readLink(text), {}, text);
  }
});

test("a link's state is its own where it says something, else the scene's", () => {
  assert.deepEqual(stateOf({}, HOME).camera, HOME);
  assert.deepEqual(stateOf({ eye: [9, 9, 9] }, { ...HOME, projection: "orthographic" }).camera, { ...HOME, eye: [9, 9, 9] });
  const state = stateOf(readLink("mode=cost&outline=1&hide=a&layers=6&pose=a:b:1"), HOME);
  assert.deepEqual([state.mode, state.outline, state.hide, state.layers, state.poses.length], ["cost", true, ["a"], 6, 1]);
});

/** @type {import("../../page/messages.js").Scene} */
const SCENE = { name: "s.toml", version: "1", objects: [], camera: HOME, source: { file: "/s.toml" } };

test("defaults are left out, the last question is in", () => {
  const state = { ...INITIAL, camera: HOME };
  assert.equal(writeLink(linkOf(state)), "v=1&eye=1,2,3&look=0,0,0&fov=50");
  const seen = { camera: HOME, size: /** @type {[number, number]} */ ([4, 3]), mode: /** @type {const} */ ("picture"), outline: false, hide: [], layers: null };
  const walking = { object: "a", clip: "b", time: 1 };
  /** @type {import("../../page/store.js").Shot} */
  const shot = { key: 1, name: "Ray 1", tool: "height", question: { x: 1, z: 2 }, options: { method: "max", radius: 5 }, as_of_ms: 0, reading: 1, seen, world: { poses: [] } };
  const link = linkOf({ ...state, current: shot, tool: "look" }, { size: [8, 6] });
  assert.deepEqual([link.tool, link.question, link.options, link.size], ["height", { x: 1, z: 2 }, { method: "max", radius: 5 }, [8, 6]]);
  // The world was posed otherwise when it was queried: the view's link is of the view, the shot's of the shot.
  assert.equal(linkOf({ ...state, current: shot, poses: [walking] }).question, undefined);
  const own = linkOfShot({ ...shot, world: { poses: [walking], past: { poses: [], start: 1, end: 3, time: 2 } } }, SCENE);
  assert.equal(writeLink(own), "v=1&scene=s.toml&eye=1,2,3&look=0,0,0&fov=50&size=4x3&pose=a:b:1&past=1,3,2&tool=height&q=x:1,z:2&options=method:max,radius:5");
  assert.deepEqual(readLink(writeLink(own)).past, own.past);
  // A past shot is one of the view while nothing has moved; names of digits are names.
  const past = { poses: [], start: 1, end: 3, time: 2 };
  assert.deepEqual(linkOf({ ...state, current: { ...shot, world: { poses: [], past } } }).past, past);
  assert.deepEqual(readLink("q=ox:1,ignore:007").question, { ox: 1, ignore: "007" });
});
