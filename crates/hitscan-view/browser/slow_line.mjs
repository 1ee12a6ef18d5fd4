// A line of so many bits a second between a browser and `hitscan view` on this machine, for tests and the bench.
//
// It is a proxy of bytes on loopback: 127.0.0.2 with the server's own port, as the server admits a `Host` with its
// own port alone; start the server with `--host 127.0.0.2`. Both ways are shaped alike and apart: the bytes of all
// connections share a line, each packet takes its bytes' time on it, and arrives half a round trip later. What is not
// on the line yet is not read, so that the server waits as for a real one. TCP's slow start and lost packets are not
// imitated, and nothing arrives more exactly than a timer of Node, a millisecond.
import { connect, createServer } from "node:net";

/** The address of the near end. */
export const NEAR = "127.0.0.2";

/** Bytes of a packet. */
const PACKET = 1500;

/**
 * A line: bits a second each way, and the round trip's milliseconds.
 * @typedef {{ bits: number, roundTripMs: number }} LineOf
 */

/** @typedef {{ down: number, up: number }} Carried bytes that have arrived, to the browser and to the server */

/**
 * One way of the line: what it carries is in order, a packet after another.
 * @param {LineOf} line
 * @param {(bytes: number) => void} arrived
 */
function way({ bits, roundTripMs }, arrived) {
  let freeAt = 0;
  /** @type {{ at: number, bytes: number, deliver: () => void }[]} */
  const waiting = [];
  let timed = false;

  function deliver() {
    timed = false;
    const now = performance.now();
    for (let [first] = waiting; first && first.at <= now; [first] = waiting) {
      waiting.shift();
      arrived(first.bytes);
      first.deliver();
    }
    schedule();
  }

  function schedule() {
    const [first] = waiting;
    if (timed || !first) return;
    timed = true;
    setTimeout(deliver, Math.max(0, first.at - performance.now()));
  }

  /** @param {number} at @param {number} bytes @param {() => void} run */
  function put(at, bytes, run) {
    // What leaves the line comes before what arrives at the other end: two queues in one, by time.
    let place = waiting.length;
    while (place > 0 && (waiting[place - 1]?.at ?? 0) > at) place -= 1;
    waiting.splice(place, 0, { at, bytes, deliver: run });
    schedule();
  }

  /**
   * Carries what one socket says to another.
   * @param {import("node:net").Socket} from
   * @param {import("node:net").Socket} to
   */
  return function carry(from, to) {
    from.on("data", (/** @type {Buffer} */ data) => {
      from.pause();
      for (let start = 0; start < data.length; start += PACKET) {
        const packet = data.subarray(start, start + PACKET);
        freeAt = Math.max(freeAt, performance.now()) + (packet.length * 8000) / bits;
        put(freeAt + roundTripMs / 2, packet.length, () => void to.write(packet));
      }
      put(freeAt, 0, () => void from.resume());
    });
    // An end comes behind what was said before it.
    const end = (/** @type {() => void} */ run) => put(Math.max(freeAt, performance.now()) + roundTripMs / 2, 0, run);
    from.on("end", () => end(() => void to.end()));
    from.on("close", () => end(() => void to.destroy()));
    from.on("error", () => undefined);
  };
}

/**
 * Opens a line to a server on this machine.
 * @param {number} port the server's at 127.0.0.1, and the line's own at 127.0.0.2
 * @param {LineOf} line
 * @returns {Promise<{ url: string, carried: Carried, close: () => Promise<void> }>}
 */
export async function openLine(port, line) {
  const carried = { down: 0, up: 0 };
  const down = way(line, (bytes) => (carried.down += bytes));
  const up = way(line, (bytes) => (carried.up += bytes));
  /** @type {Set<import("node:net").Socket>} */
  const sockets = new Set();
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const socket of [near, far]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    }
    up(near, far);
    down(far, near);
  });
  await new Promise((/** @type {(value?: undefined) => void} */ resolve, reject) => {
    server.once("error", reject);
    server.listen(port, NEAR, resolve);
  });
  return {
    url: `http://${NEAR}:${port}/`,
    carried,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((/** @type {(value?: undefined) => void} */ resolve) => server.close(() => resolve()));
    },
  };
}
