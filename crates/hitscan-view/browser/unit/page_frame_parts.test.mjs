// Frames in parts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createAssembly } from "../../page/frame_parts.js";
import { HEADER, ProtocolError, readFrame } from "../../page/protocol.js";

/** A frame of a picture of so many bytes. @param {number} number @param {number} length */
function frame(number, length) {
  const bytes = Uint8Array.from({ length: HEADER + length }, (_, at) => at % 251);
  bytes.set([1, 0, 0, 1]);
  new DataView(bytes.buffer).setUint32(4, number, true);
  return bytes;
}

/** A message with the bytes from `start` to `end` of a frame. @param {Uint8Array} whole @param {number} start @param {number} end */
function message(whole, start, end) {
  const head = whole.slice(0, HEADER);
  head[2] = 2;
  const body = new DataView(new ArrayBuffer(8));
  body.setUint32(0, start, true);
  body.setUint32(4, whole.length, true);
  return new Uint8Array([...head, ...new Uint8Array(body.buffer), ...whole.slice(start, end)]);
}

/** @param {ReturnType<typeof createAssembly>} assembly @param {Uint8Array<ArrayBuffer>} bytes */
function add(assembly, bytes) {
  const { frame: number, part, picture } = readFrame(bytes.buffer);
  assert.ok(part);
  return assembly.add(number, part, picture);
}

test("parts in their order are the frame", () => {
  const whole = frame(7, 100);
  const assembly = createAssembly();
  assert.equal(add(assembly, message(whole, 0, 20)), null);
  assert.equal(add(assembly, message(whole, 20, 90)), null);
  assert.deepEqual(add(assembly, message(whole, 90, whole.length)), readFrame(whole.buffer));
});

test("a frame that begins takes the place of what was begun", () => {
  const [dropped, whole] = [frame(7, 100), frame(8, 50)];
  const assembly = createAssembly();
  assert.equal(add(assembly, message(dropped, 0, 50)), null);
  assert.equal(add(assembly, message(whole, 0, 40)), null);
  assert.throws(() => add(assembly, message(dropped, 50, 60)), ProtocolError);
  assert.deepEqual(add(assembly, message(whole, 40, whole.length))?.frame, 8);
});

test("parts that do not follow, or are of no frame, are not the protocol's", () => {
  const whole = frame(7, 100);
  assert.throws(() => add(createAssembly(), message(whole, 1, 20)), ProtocolError);
  const assembly = createAssembly();
  add(assembly, message(whole, 0, 20));
  for (const [start, end] of [[10, 30], [21, 30]]) assert.throws(() => add(assembly, message(whole, start ?? 0, end ?? 0)), ProtocolError);
  // Beyond the frame's end, of a frame too large, of a part in a part, and cut off.
  const beyond = message(whole, 0, whole.length);
  new DataView(beyond.buffer).setUint32(HEADER, 1, true);
  const large = message(whole, 0, 20);
  new DataView(large.buffer).setUint32(HEADER + 4, 2 ** 31, true);
  for (const bytes of [beyond, large, message(whole, 0, 0).slice(0, HEADER + 7)]) {
    assert.throws(() => readFrame(bytes.buffer), ProtocolError);
  }
  const nested = message(whole, 0, whole.length);
  assert.throws(() => add(createAssembly(), message(nested, 0, nested.length)), ProtocolError);
});
