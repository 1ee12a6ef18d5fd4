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
 * Turns the camera as a held arrow key does, a press for each animation frame; what is drawn in so many milliseconds.
 * @param {number} ms
 * @returns {Promise<{ seconds: number, frames: Frame[] }>}
 */
export async function turn(ms) {
  const { seen } = /** @type {{ seen: { drawn: Frame[] } }} */ (/** @type {unknown} */ (globalThis));
  const picture = /** @type {HTMLElement} */ (document.querySelector("#picture"));
  const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const press = async () => {
    await next();
    picture.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true, cancelable: true }));
  };
  while (seen.drawn.length === 0) await next();
  // The first frames tell the program how much fits.
  const warm = performance.now() + ms / 4;
  while (performance.now() < warm) await press();
  const first = seen.drawn.length;
  const begin = performance.now();
  while (performance.now() < begin + ms) await press();
  const seconds = (performance.now() - begin) / 1000;
  return { seconds, frames: seen.drawn.slice(first) };
}
