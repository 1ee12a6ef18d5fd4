/**
 * Frames: requested by views, drawn, and acknowledged as shown. Pull, never push.
 *
 * One view is being cast while the picture moves: what changes meanwhile is kept, and the newest is
 * sent when its rays are cast, or before the next animation frame. At rest there is one view more,
 * which the program refines to the end, and then nothing.
 */

import { createAssembly } from "./frame_parts.js";
import { tileCopies } from "./frame_tiles.js";
import { LIMITS, pictureSize } from "./protocol.js";

/** @import { Pair } from "./messages.js" */
/** @import { Frame } from "./protocol.js" */

/** @typedef {ReturnType<typeof createFrames>} Frames */

/** Without a change for so long the picture is at rest, milliseconds. */
const REST = 140;
/** Views are so far apart at least, milliseconds: the program hears 240 messages a second. */
const GAP = 11;
/** Phones have up to four pixels a point each way; two of them are cast. */
const MOST_RATIO = 2;

/**
 * @param {import("./store.js").Store} store
 * @param {import("./transport.js").Transport} transport
 * @param {import("./view_log.js").ViewLog} views
 * @param {{stage: HTMLElement, view: HTMLElement, picture: HTMLCanvasElement}} elements
 */
export function createFrames(store, transport, views, { stage, view, picture }) {
  const context = /** @type {CanvasRenderingContext2D} */ (picture.getContext("2d", { alpha: false }));
  /** What each view that may still bring frames was for. @type {Map<number, {camera: import("./messages.js").Camera, size: Pair}>} */
  const sent = new Map();
  /** The number of the frame that the picture shows. */
  let shows = 0;
  /** The frame that comes next, and when the program's word of it came. */
  let announced = { frame: 0, at: 0 };
  let assembly = createAssembly();
  let number = 0;
  let sentAt = 0;
  let unanswered = false;
  let dirty = false;
  let resting = true;
  let scheduled = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let restTimer;
  /** The drawing of one frame waits for the one before. @type {Promise<void>} */
  let drawn = Promise.resolve();

  /** Something has changed that the picture shows. @param {boolean} moves false: a single step */
  function changed(moves) {
    dirty = true;
    resting = !moves;
    clearTimeout(restTimer);
    if (moves) {
      restTimer = setTimeout(() => {
        if (store.state.playing) return;
        dirty = true;
        resting = true;
        schedule();
      }, REST);
    }
    // What waits for rays is sent when they are cast.
    if (!waits()) schedule();
  }

  /** Whether the next view has to wait. A picture at rest is given up for a newer view; a moving one is soon cast. */
  const waits = () => unanswered && !resting;

  function schedule() {
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(() => {
      scheduled = false;
      send();
    });
  }

  function send() {
    const { camera, size, connection, poses, hide, layers, mode, outline, viewshed } = store.state;
    if (!dirty || !camera || connection.phase !== "ready") return;
    if (waits()) return;
    const now = performance.now();
    if (now - sentAt < GAP) {
      schedule();
      return;
    }
    sentAt = now;
    dirty = false;
    number += 1;
    unanswered = !resting;
    sent.set(number, { camera, size });
    views.note(number, Math.floor(now), poses);
    transport.send("view", {
      view: number,
      size,
      camera,
      mode,
      moving: !resting,
      now_ms: Math.floor(now),
      poses: poses.length > 0 ? poses : undefined,
      hide: hide.length > 0 ? hide : undefined,
      layers: layers ?? undefined,
      outline: outline || undefined,
      viewshed: viewshed ?? undefined,
      partial: true,
      sending: true,
      parts: true,
    });
  }

  /**
   * Draws a frame and then says so.
   * @param {Frame} frame
   * @param {object} shown what is said
   */
  function show(frame, shown) {
    // A picture that cannot be read is passed over, so that the next one may come.
    const passOver = () => undefined;
    drawn = drawn.then(() => draw(frame)).catch(passOver).then(() => void transport.send("shown", shown));
  }

  /**
   * Draws a frame, where it is still wanted.
   * @param {Frame} frame
   */
  async function draw(frame) {
    const image = frame.picture.length > 0 ? await decoded(frame) : null;
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const wanted = sent.get(frame.view);
    // Tiles of a picture that is not there cannot be drawn.
    if (wanted && (!frame.changes || frame.changes.base === shows)) {
      if (image) paint(frame, image);
      shows = frame.frame;
      place(frame, wanted.size);
      for (const before of sent.keys()) if (before < frame.view) sent.delete(before);
      const { picture: _, changes: _changes, width: _width, height: _height, ...header } = frame;
      store.set({ frame: { ...header, ...wanted } });
    }
    image?.close();
  }

  /** @param {Frame} frame @param {VideoFrame | ImageBitmap} image */
  function paint({ changes, width, height }, image) {
    if (!changes) {
      if (picture.width !== width || picture.height !== height) [picture.width, picture.height] = [width, height];
      context.drawImage(image, 0, 0);
      return;
    }
    const drawn = "displayWidth" in image ? image.displayWidth : image.width;
    for (const { from, to, size } of tileCopies(changes, width, drawn)) {
      context.drawImage(image, ...from, ...size, ...to, ...size);
    }
  }

  /**
   * Gives the picture its size on the page: whole pixels of the screen, as far as it fits.
   * @param {Frame} frame
   * @param {Pair} size
   */
  function place(frame, size) {
    const ratio = pixelRatio();
    const [across, down] = [(stage.clientWidth * ratio) / size[0], (stage.clientHeight * ratio) / size[1]];
    // A stage of more pixels than a picture may have is filled all the same.
    const isLimited = store.state.fixedSize === null && stage.clientWidth * stage.clientHeight * ratio * ratio > LIMITS.rays;
    const share = isLimited ? Math.min(across, down) : Math.min(1, across, down);
    const [width, height] = [(size[0] / ratio) * share, (size[1] / ratio) * share];
    view.style.width = `${width}px`;
    view.style.height = `${height}px`;
    picture.style.width = `${((frame.width * frame.scale) / size[0]) * width}px`;
    picture.style.height = `${((frame.height * frame.scale) / size[1]) * height}px`;
  }

  /** The window's size, or a link's. */
  function resize() {
    const { fixedSize, size } = store.state;
    stage.toggleAttribute("data-fixed", fixedSize !== null);
    const ratio = pixelRatio();
    const next = fixedSize ?? pictureSize(stage.clientWidth * ratio, stage.clientHeight * ratio);
    if (next[0] !== size[0] || next[1] !== size[1]) store.set({ size: next });
  }

  new ResizeObserver(resize).observe(stage);
  store.watch(["fixedSize"], resize);
  store.watch(["camera", "size", "poses", "playing"], () => changed(true));
  store.watch(["mode", "outline", "hide", "layers", "viewshed"], () => changed(!resting));
  store.watch(["connection"], ({ connection }) => {
    if (connection.phase !== "ready") return;
    sent.clear();
    assembly = createAssembly();
    unanswered = false;
    changed(false);
  });

  return {
    /** The rays of a view are cast, and its frame is on its way. @param {number} view */
    cast(view) {
      if (view !== number) return;
      unanswered = false;
      if (dirty) send();
    },

    /** A frame is sent, and is what comes next. @param {number} frame */
    sending(frame) {
      announced = { frame, at: performance.now() };
    },

    /** @param {Frame} message a frame, or a part of one */
    hear({ part, ...frame }) {
      const took = announced.frame === frame.frame ? performance.now() - announced.at : undefined;
      const arrived = { frame: frame.frame, took_us: took === undefined ? undefined : Math.round(took * 1000) };
      if (!part) return show(frame, arrived);
      transport.send("received", { ...arrived, end: part.end });
      const whole = assembly.add(frame.frame, part, frame.picture);
      if (whole) show(whole, { frame: frame.frame });
    },

    /** The last view was refused: nothing will come of it. */
    refused() {
      unanswered = false;
      if (dirty) schedule();
    },
  };
}

/**
 * The image of a frame's PNG. Where the browser has a decoder of bytes, no blob is made, which takes a message
 * to another process and back; a page from elsewhere without TLS has none. What is drawn tile by tile is a
 * bitmap, since a video frame is converted each time.
 * @param {Frame} frame
 * @returns {Promise<VideoFrame | ImageBitmap>}
 */
async function decoded({ picture: png, changes }) {
  if (changes || !("ImageDecoder" in globalThis)) {
    const blob = new Blob([png], { type: "image/png" });
    return createImageBitmap(blob, { colorSpaceConversion: "none", premultiplyAlpha: "none" });
  }
  const decoder = new ImageDecoder({ data: png, type: "image/png", colorSpaceConversion: "none" });
  try {
    return (await decoder.decode()).image;
  } finally {
    decoder.close();
  }
}

/** Rays for each CSS pixel, each way. */
function pixelRatio() {
  return Math.min(globalThis.devicePixelRatio || 1, MOST_RATIO);
}
