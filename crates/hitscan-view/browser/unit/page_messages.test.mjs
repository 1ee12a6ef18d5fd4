// Messages against the golden ones, and against broken ones.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { HEADER, LIMITS, ProtocolError, pictureSize, readFrame, readMessage, writeMessage, writeTable } from "../../page/protocol.js";

const FOLDER = new URL("../../messages/", import.meta.url);
const files = existsSync(FOLDER) ? readdirSync(FOLDER, { recursive: true }).map(String) : [];
const golden = files
  .filter((name) => name.endsWith(".json"))
  .map((name) => ({ name, text: readFileSync(new URL(name, FOLDER), "utf8") }))
  .map(({ name, text }) => ({ name, text, message: JSON.parse(text) }));
const FROM_PAGE = new Set(["hello", "view", "shown", "received", "ask", "explain", "cancel", "reload", "ping"]);
/** `visible`, `overlay` and `wireframe` go both ways. @param {any} message */
const isOfPage = (message) =>
  FROM_PAGE.has(message.type) || "points" in message || typeof message.boxes === "string" || (message.type === "wireframe" && !("lines" in message));

test("the server's golden messages are read as they are", () => {
  for (const { name, text, message } of golden) {
    if (!isOfPage(message)) assert.deepEqual(readMessage(text), message, name);
  }
});

test("the page's golden messages are written as they are", () => {
  for (const { name, message } of golden) {
    const { type, id, ...fields } = message;
    if (isOfPage(message)) assert.deepEqual(JSON.parse(writeMessage(type, id, fields)), message, name);
  }
});

/** A frame's header as the protocol lays it out, with a picture of three bytes. */
function frame() {
  const bytes = new Uint8Array(HEADER + 3);
  const view = new DataView(bytes.buffer);
  bytes.set([1, 1, 0, 3]);
  view.setUint32(4, 70_000, true);
  view.setUint32(8, 4_000_000_000, true);
  view.setUint16(12, 427, true);
  view.setUint16(14, 240, true);
  view.setUint16(16, 2, true);
  view.setUint16(18, 1, true);
  view.setBigUint64(20, 123_456_789_012n, true);
  view.setUint32(28, 31_000, true);
  view.setFloat32(32, 187, true);
  bytes.set([7, 8, 9], HEADER);
  return bytes;
}

test("a frame's header is read field by field", () => {
  const { picture, ...header } = readFrame(frame().buffer);
  assert.deepEqual(header, {
    frame: 70_000,
    view: 4_000_000_000,
    kind: "cost",
    scale: 3,
    width: 427,
    height: 240,
    pass: 2,
    finished: true,
    rays: 123_456_789_012,
    micros: 31_000,
    greatest: 187,
  });
  assert.deepEqual([...picture], [7, 8, 9]);
});

test("a frame of another version, kind, codec or scale is none", () => {
  for (const [at, value] of [[0, 0], [0, 2], [1, 2], [2, 2], [2, 3], [3, 0]]) {
    const bytes = frame();
    bytes[at] = value;
    assert.throws(() => readFrame(bytes.buffer), ProtocolError);
  }
  for (let length = 0; length < HEADER; length++) assert.throws(() => readFrame(new ArrayBuffer(length)), ProtocolError);
});

/** A frame of three changed tiles, with a picture of two bytes. */
function tiles() {
  const head = frame().subarray(0, HEADER);
  head[2] = 1;
  const body = new DataView(new ArrayBuffer(12 + 3 * 2 + 2));
  body.setUint32(0, 69_999, true);
  body.setUint16(4, 64, true);
  body.setUint16(6, 16, true);
  body.setUint32(8, 3, true);
  [0, 1, 7].forEach((tile, at) => body.setUint16(12 + 2 * at, tile, true));
  body.setUint16(18, 0x0605, true);
  return new Uint8Array([...head, ...new Uint8Array(body.buffer)]);
}

test("a frame of changed tiles says which they are", () => {
  const { changes, picture, frame } = readFrame(tiles().buffer);
  assert.deepEqual(changes, { base: 69_999, tile: [64, 16], tiles: [0, 1, 7] });
  assert.deepEqual([frame, ...picture], [70_000, 5, 6]);
  for (let length = HEADER; length < HEADER + 12 + 3 * 2; length++) {
    assert.throws(() => readFrame(tiles().buffer.slice(0, length)), ProtocolError, `${length} bytes`);
  }
  const flat = tiles();
  flat[HEADER + 4] = 0;
  assert.throws(() => readFrame(flat.buffer), ProtocolError);
});

test("what is not a message is told so", () => {
  for (const text of ["", "{", "[]", "null", "7", '"scene"', "{}", '{"type":7}', '{"type":"toString"}', '{"type":"loading"}', '{"type":"loading","done":"1"}', '{"type":"refused","field":"x"}', '{"type":"answer","id":1,"tool":"ray","question":[],"answers":[],"sentence":""}']) {
    assert.throws(() => readMessage(text), ProtocolError, text);
  }
});

test("a message of the page leaves out what is absent and refuses what JSON cannot say", () => {
  assert.equal(writeMessage("hello", 1, { key: undefined }), '{"type":"hello","id":1}');
  assert.equal(writeMessage("ask", 2, { question: { ox: 0.1, oy: 5e-324 } }), '{"type":"ask","id":2,"question":{"ox":0.1,"oy":5e-324}}');
  for (const bad of [NaN, Infinity, -Infinity]) assert.throws(() => writeMessage("ask", 3, { question: { ox: bad } }), ProtocolError);
  assert.throws(() => writeMessage("ask", 4, { question: { ignore: "x".repeat(LIMITS.control) } }), ProtocolError);
});

test("a table's message is the length of its head, the head, the file", () => {
  const bytes = writeTable(9, { name: "rays.csv" }, new Uint8Array([1, 2, 3]));
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const head = new TextDecoder().decode(bytes.subarray(4, 4 + length));
  assert.deepEqual(JSON.parse(head), { type: "table", id: 9, name: "rays.csv" });
  assert.deepEqual([...bytes.subarray(4 + length)], [1, 2, 3]);
});

test("a picture has at least one ray and at most the limit", () => {
  assert.deepEqual(pictureSize(0, -3), [1, 1]);
  assert.deepEqual(pictureSize(1280.9, 720.2), [1280, 720]);
  for (const [width, height] of [[2560, 1440], [5120, 2880], [100_000, 2], [3, 1_000_000_000], [1_000_000_000, 3]]) {
    const [w, h] = pictureSize(width, height);
    assert.ok(w >= 1 && h >= 1 && w * h <= LIMITS.rays, `${w} x ${h}`);
  }
});
