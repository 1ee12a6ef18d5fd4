/**
 * Messages of `hitscan.view.v1`: made, checked and read. Pure: no socket, no document.
 *
 * What the page sends is built here, so that a misspelt field is an error of the type checker; what
 * the server sends is checked here once, so that nobody behind has to doubt it.
 */

/** @import { Pair, ServerMessage } from "./messages.js" */

export const PROTOCOL = "hitscan.view.v1";

/** The limits that the page keeps by itself; the server's `limits.rs` holds them all. */
export const LIMITS = {
  rays: 2560 * 1440,
  /** Bytes of a frame: three a ray, and room for its headers. */
  frame: 4 * 2560 * 1440,
  control: 64 * 1024,
  table: 8 * 1024 * 1024,
  asks: 16,
  visible: 4096,
};

/** The picture's header, bytes. */
export const HEADER = 36;

/** A message that is not of the protocol. */
export class ProtocolError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "ProtocolError";
  }
}

/**
 * A frame: its header, and the bytes of its picture.
 * @typedef {object} Frame
 * @property {number} frame its number
 * @property {number} view the number of the view that it shows
 * @property {"picture" | "cost"} kind
 * @property {number} scale a pixel covers scale x scale rays
 * @property {number} width of this picture, pixels
 * @property {number} height
 * @property {number} pass 0 is the first look in plain light
 * @property {boolean} finished
 * @property {number} rays cast for it
 * @property {number} micros of casting
 * @property {number} greatest count of the legend, of a cost
 * @property {Changes} [changes] where it holds only tiles that changed
 * @property {Part} [part] where it is a part of a frame
 * @property {Uint8Array<ArrayBuffer>} picture PNG; of the tiles, where there are changes, and empty without any; of a
 *   part its bytes
 */

/**
 * What of a picture differs from that of an earlier frame.
 * @typedef {object} Changes
 * @property {number} base the number of the frame that shows the other tiles
 * @property {Pair} tile width and height of a tile, pixels
 * @property {number[]} tiles counted row by row from the upper left, in the order of the picture
 */

/**
 * Which bytes of a frame these are, its header among them.
 * @typedef {{start: number, end: number, total: number}} Part
 */

/**
 * Reads a binary message.
 * @param {ArrayBuffer} bytes
 * @returns {Frame}
 */
export function readFrame(bytes) {
  if (bytes.byteLength < HEADER) {
    throw new ProtocolError(`a frame of ${bytes.byteLength} bytes; its header has ${HEADER}`);
  }
  const header = new DataView(bytes);
  const byte = (/** @type {number} */ at) => header.getUint8(at);
  if (byte(0) !== 1) throw new ProtocolError(`a frame of version ${byte(0)}; expected 1`);
  if (byte(1) > 1) throw new ProtocolError(`a frame of kind ${byte(1)}; expected 0 or 1`);
  if (byte(2) > 2) throw new ProtocolError(`a frame of codec ${byte(2)}; expected 0 (PNG), 1 (changed tiles) or 2 (a part)`);
  if (byte(3) === 0) throw new ProtocolError("a frame of scale 0; expected at least 1");
  return {
    frame: header.getUint32(4, true),
    view: header.getUint32(8, true),
    kind: byte(1) === 0 ? "picture" : "cost",
    scale: byte(3),
    width: header.getUint16(12, true),
    height: header.getUint16(14, true),
    pass: header.getUint16(16, true),
    finished: header.getUint16(18, true) === 1,
    rays: Number(header.getBigUint64(20, true)),
    micros: header.getUint32(28, true),
    greatest: header.getFloat32(32, true),
    ...(byte(2) === 0 ? { picture: new Uint8Array(bytes, HEADER) } : byte(2) === 1 ? readChanges(bytes) : readPart(bytes)),
  };
}

/**
 * Reads what follows the header in a frame of changed tiles.
 * @param {ArrayBuffer} bytes of the whole frame
 */
function readChanges(bytes) {
  const body = new DataView(bytes, HEADER);
  const count = body.byteLength < 12 ? 0 : body.getUint32(8, true);
  const start = 12 + 2 * count;
  if (body.byteLength < start) throw new ProtocolError(`a frame of ${bytes.byteLength} bytes; its ${count} tiles need more`);
  const tile = /** @type {Pair} */ ([body.getUint16(4, true), body.getUint16(6, true)]);
  if (tile[0] === 0 || tile[1] === 0) throw new ProtocolError("a frame of tiles without pixels");
  const tiles = Array.from({ length: count }, (_, at) => body.getUint16(12 + 2 * at, true));
  return {
    changes: { base: body.getUint32(0, true), tile, tiles },
    picture: new Uint8Array(bytes, HEADER + start),
  };
}

/**
 * Reads what follows the header in a part of a frame.
 * @param {ArrayBuffer} bytes of the whole message
 */
function readPart(bytes) {
  if (bytes.byteLength < HEADER + 8) throw new ProtocolError(`a part of a frame of ${bytes.byteLength} bytes; its head has ${HEADER + 8}`);
  const body = new DataView(bytes, HEADER);
  const picture = new Uint8Array(bytes, HEADER + 8);
  const [start, total] = [body.getUint32(0, true), body.getUint32(4, true)];
  const end = start + picture.length;
  if (end > total || total > LIMITS.frame) throw new ProtocolError(`bytes ${start} to ${end} of a frame of ${total}`);
  return { part: { start, end, total }, picture };
}

/** What a field must be: a name of `typeof`, or "list" or "object"; with `?` it may be absent. */
const FIELDS = /** @type {Record<string, Record<string, string>>} */ ({
  loading: { done: "number", file: "string?" },
  scene: {
    name: "string",
    version: "string",
    title: "string?",
    objects: "list",
    camera: "object",
    bounds: "list?",
    notes: "list?",
    start: "object?",
    objects_total: "number?",
    origin: "list?",
    source: "object",
  },
  cast: { view: "number" },
  sending: { frame: "number" },
  failed: { message: "string", keeps: "boolean" },
  answer: {
    id: "number",
    tool: "string",
    question: "object",
    answers: "list",
    sentence: "string",
    invalid: "string?",
    local: "list?",
    bind: "object?",
    bits: "object?",
    view: "number?",
    past: "object?",
    lines: "list?",
    boxes: "list?",
    wireframe: "list?",
    pivot: "list?",
  },
  timed: { id: "number", median_ns: "number" },
  explanation: {
    id: "number",
    ask: "number",
    candidates: "list",
    visits: "list?",
    visit_count: "number?",
    near: "list?",
    approach: "object?",
    section: "object?",
    axes: "list?",
    expected: "object?",
    sentence: "string?",
  },
  cancelled: { id: "number" },
  visible: { id: "number", visible: "list" },
  overlay: { id: "number", boxes: "list", count: "number" },
  wireframe: { id: "number", lines: "list", bounds: "list?" },
  table: {
    id: "number",
    name: "string",
    tool: "string",
    columns: "list",
    rows: "number",
    shown: "list",
  },
  refused: { field: "string", expected: "string", limit: "string?" },
  pong: {},
  bye: { reason: "string" },
});

/**
 * Reads a text message.
 * @param {string} text
 * @returns {ServerMessage}
 */
export function readMessage(text) {
  /** @type {unknown} */
  let message;
  try {
    message = JSON.parse(text);
  } catch {
    throw new ProtocolError(`a message that is not JSON: ${text.slice(0, 60)}`);
  }
  if (kindOf(message) !== "object") throw new ProtocolError("a message that is not an object");
  const fields = /** @type {Record<string, unknown>} */ (message);
  const type = fields.type;
  if (typeof type !== "string" || !Object.hasOwn(FIELDS, type)) {
    throw new ProtocolError(`a message of type ${JSON.stringify(type)}, which is not known`);
  }
  for (const [field, expected] of Object.entries(FIELDS[type])) {
    const optional = expected.endsWith("?");
    const found = kindOf(fields[field]);
    if (found === "undefined" && optional) continue;
    const kind = optional ? expected.slice(0, -1) : expected;
    if (found !== kind) {
      throw new ProtocolError(`${type}: ${field} is ${found}; expected ${kind}`);
    }
  }
  return /** @type {ServerMessage} */ (message);
}

/** @param {unknown} value */
function kindOf(value) {
  if (Array.isArray(value)) return "list";
  return value === null ? "null" : typeof value;
}

/**
 * Writes a message of the page; absent fields are omitted.
 * @param {string} type
 * @param {number} id
 * @param {object} [fields]
 */
export function writeMessage(type, id, fields = {}) {
  const text = JSON.stringify({ type, id, ...fields }, (key, value) => {
    if (typeof value === "number" && !Number.isFinite(value)) {
      throw new ProtocolError(`${type}: ${key} is ${value}; numbers are finite`);
    }
    return value;
  });
  if (text.length > LIMITS.control) {
    throw new ProtocolError(`${type}: ${text.length} characters; at most ${LIMITS.control}`);
  }
  return text;
}

/**
 * Writes a table: the length of a JSON object, that object, the bytes of the file.
 * @param {number} id
 * @param {{name: string, tool?: string, options?: object}} fields
 * @param {Uint8Array} file
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function writeTable(id, fields, file) {
  const head = new TextEncoder().encode(writeMessage("table", id, fields));
  const bytes = new Uint8Array(4 + head.length + file.length);
  new DataView(bytes.buffer).setUint32(0, head.length, true);
  bytes.set(head, 4);
  bytes.set(file, 4 + head.length);
  return bytes;
}

/**
 * The size of a picture that fills `width` x `height`, within the limit of rays.
 * @param {number} width pixels, any number
 * @param {number} height
 * @returns {Pair}
 */
export function pictureSize(width, height) {
  const whole = (/** @type {number} */ length) => Math.max(1, Math.floor(length));
  const size = /** @type {Pair} */ ([whole(width), whole(height)]);
  if (size[0] * size[1] <= LIMITS.rays) return size;
  const share = Math.sqrt(LIMITS.rays / (size[0] * size[1]));
  const [across, down] = [whole(size[0] * share), whole(size[1] * share)];
  // Of a very long picture the short side does not go below a ray.
  return [Math.min(across, whole(LIMITS.rays / down)), Math.min(down, whole(LIMITS.rays / across))];
}
