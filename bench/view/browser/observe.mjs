// What a page of `hitscan view` draws while its camera turns. Both functions run in the page.

/**
 * A frame that was drawn: what was asked for, rays a side for which a pixel stands, and the rays cast.
 * @typedef {{ eye: number[], look: number[], fov: number, size: [number, number], scale: number, rays: number }} Frame
 */

/** Observes the page's sockets from its beginning; it alters nothing. */
export function observe() {
  /** @type {{ drawn: Frame[] }} */
  const seen = { drawn: [] };
  Object.assign(globalThis, { seen });
  /** @type {Map<number, any>} */
  const views = new Map();
  /** @type {Map<number, Frame>} */
  const frames = new Map();
  const Plain = globalThis.WebSocket;
  globalThis.WebSocket = class extends Plain {
    /** @param {string | URL} address @param {string | string[]} [protocols] */
    constructor(address, protocols) {
      super(address, protocols);
      this.addEventListener("message", ({ data }) => {
        if (!(data instanceof ArrayBuffer)) return;
        const head = new DataView(data);
        const view = views.get(head.getUint32(8, true));
        if (!view) return;
        const { camera: { eye, look, fov }, size } = view;
        frames.set(head.getUint32(4, true), { eye, look, fov, size, scale: head.getUint8(3), rays: Number(head.getBigUint64(20, true)) });
      });
    }
    /** @param {string | ArrayBufferLike | Blob | ArrayBufferView} data */
    send(data) {
      const message = JSON.parse(/** @type {string} */ (data));
      if (message.type === "view") views.set(message.view, message);
      // A frame is told as shown when it is drawn.
      const drawn = message.type === "shown" ? frames.get(message.frame) : undefined;
      if (drawn) seen.drawn.push(drawn);
      super.send(/** @type {string} */ (data));
    }
  };
}

/**
 * Turns the camera as a held arrow key does, but as often as a mouse tells its place; what is drawn in so many
 * milliseconds.
 * @param {number} ms
 * @returns {Promise<{ seconds: number, frames: Frame[] }>}
 */
export async function turn(ms) {
  const { seen } = /** @type {{ seen: { drawn: Frame[] } }} */ (/** @type {unknown} */ (globalThis));
  const picture = /** @type {HTMLElement} */ (document.querySelector("#picture"));
  const wait = (/** @type {number} */ time) => new Promise((resolve) => setTimeout(resolve, time));
  while (seen.drawn.length === 0) await wait(10);
  const press = () => picture.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true, cancelable: true }));
  const pressing = setInterval(press, 8);
  // The first frames tell the program how much fits.
  await wait(ms / 4);
  const first = seen.drawn.length;
  const begin = performance.now();
  await wait(ms);
  const seconds = (performance.now() - begin) / 1000;
  const frames = seen.drawn.slice(first);
  clearInterval(pressing);
  return { seconds, frames };
}
