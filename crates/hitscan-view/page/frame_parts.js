/** Frames that come in parts, put together. Pure. */

import { ProtocolError, readFrame } from "./protocol.js";

/** @import { Frame } from "./protocol.js" */

/** Puts parts together, which come in their order. Of a frame that another takes the place of no more comes. */
export function createAssembly() {
  /** @type {{frame: number, bytes: Uint8Array<ArrayBuffer>, end: number} | null} */
  let begun = null;

  return {
    /**
     * Takes a part; the frame, where that was its last.
     * @param {number} frame its number
     * @param {NonNullable<Frame["part"]>} part
     * @param {Uint8Array} bytes
     * @returns {Frame | null}
     */
    add(frame, { start, end, total }, bytes) {
      if (start === 0) begun = { frame, bytes: new Uint8Array(total), end: 0 };
      if (begun?.frame !== frame || begun.end !== start || begun.bytes.length !== total) {
        throw new ProtocolError(`bytes ${start} to ${end} of frame ${frame}, which do not follow what came before`);
      }
      begun.bytes.set(bytes, start);
      begun.end = end;
      if (end < total) return null;
      const whole = readFrame(begun.bytes.buffer);
      begun = null;
      if (whole.part) throw new ProtocolError(`frame ${frame} is in parts once more`);
      return whole;
    },
  };
}
