/** The beginning: makes the parts, joins them, and hears the program. */

import { createAsker } from "./asker.js";
import { byId } from "./elements.js";
import { createFrames } from "./frames.js";
import { mountHeader } from "./header.js";
import { mountInspector } from "./inspector.js";
import { mountKeys } from "./keys.js";
import { linkOf, readLink, stateOf, writeLink } from "./link.js";
import { mountNotices } from "./notices.js";
import { createOverlay } from "./overlay.js";
import { createKey } from "./page_key.js";
import { mountTimeline } from "./panels.js";
import { mountPointer } from "./pointer.js";
import { mountReadout } from "./readout.js";
import { createRunning } from "./running.js";
import { mountSheetRoom } from "./sheet_room.js";
import { keepShots, kept, shotOfLink } from "./shots_kept.js";
import { createStore } from "./store.js";
import { setTheme, theme } from "./theme.js";
import { mountTools } from "./tools.js";
import { mountTouch } from "./touch.js";
import { createTransport } from "./transport.js";
import { createViewControl } from "./view_control.js";
import { createViewLog } from "./view_log.js";
import { mountTint } from "./viewshed_tint.js";

/** The address follows what is shown after so much rest, milliseconds. */
const SETTLED = 400;

setTheme(theme());
const store = createStore();
const status = byId("status");
const picture = /** @type {HTMLCanvasElement} */ (byId("picture"));
const dialog = /** @type {HTMLDialogElement} */ (byId("keys"));
let link = readLink(location.hash);
const key = createKey(link.key);

/** @param {string} sentence */
const announce = (sentence) => status.replaceChildren(sentence);

const running = createRunning(byId("running"), { cancel: (id) => transport.cancel(id), announce });
const address = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/view`;
const transport = createTransport(address, {
  connection(opened, retryIn, close) {
    if (opened) {
      store.set({ connection: { phase: "loading", done: 0 } });
      transport.send("hello", { key: key.said() });
      return;
    }
    const { phase } = store.state.connection;
    if (phase === "key" || phase === "version" || phase === "failed" || phase === "full") return;
    const reason = close?.reason || undefined;
    store.set({ connection: { phase: "lost", retryAt: performance.now() + retryIn, reason } });
    // A program of another version answers the address, and refuses the protocol.
    if (close && close.code === 1006) void transport.sameVersion().then((same) => same || otherVersion());
  },
  message: hear,
  frame: (frame) => frames.hear(frame),
  waiting: running.hear,
});
const overlay = createOverlay(/** @type {HTMLCanvasElement} */ (byId("overlay")), store, transport);
const views = createViewLog();
const frames = createFrames(store, transport, views, { stage: byId("stage"), view: byId("view"), picture });
const asker = createAsker(store, transport, views, overlay, announce);
const control = createViewControl(store, asker, byId("view"));
/** @type {import("./app.js").App} */
const app = { store, transport, overlay, asker, control, announce };

const { tool, choose } = mountTools(app);
mountPointer(app, picture, tool);
mountTouch(app, picture, tool);
mountKeys(app, picture, { tool, choose, copyLink, reload, dialog });
mountHeader(app, { copyLink, reload, dialog });
mountInspector(app);
mountSheetRoom(app);
mountReadout(app);
mountTint(app);
mountNotices(app, { retry: () => transport.connect(), reload, overview });
mountTimeline?.(app, byId("timeline"));
followAddress();
key.whenBrought(() => store.state.connection.phase === "key" && transport.connect());
keepShots(store);
transport.connect();

function otherVersion() {
  transport.giveUp();
  store.set({ connection: { phase: "version" } });
}

/** @param {import("./messages.js").ServerMessage} message one that answers no request */
function hear(message) {
  if (message.type === "loading" || message.type === "scene") key.accepted();
  if (message.type === "loading") {
    store.set({ connection: { phase: "loading", file: message.file, done: message.done } });
  } else if (message.type === "scene") begin(message);
  else if (message.type === "cast") frames.cast(message.view);
  else if (message.type === "sending") frames.sending(message.frame);
  else if (message.type === "timed") asker.timed(message.id, message.median_ns);
  else if (message.type === "failed") {
    if (message.keeps) store.set({ connection: { phase: "ready" }, failure: message.message });
    else store.set({ connection: { phase: "failed", message: message.message } });
  } else if (message.type === "refused") refused(message);
  else if (message.type === "bye") announce(`The program says: ${message.reason}.`);
}

/** @param {import("./messages.js").Refused} message */
function refused({ field, expected, limit }) {
  if (field === "key") {
    if (key.refused()) {
      transport.connect();
      return;
    }
    transport.giveUp();
    store.set({ connection: { phase: "key", given: key.said() !== undefined } });
  } else if (store.state.connection.phase !== "ready" && limit) {
    store.set({ connection: { phase: "full", limit } });
  } else {
    frames.refused();
    // Without a picture before there is none: the link cannot be shown.
    if (!store.state.frame) store.set({ refusedView: { field, expected } });
    announce(`Refused: ${field}, expected ${expected}.`);
  }
}

/** @param {import("./messages.js").Scene} scene */
function begin(scene) {
  const { scene: before, camera } = store.state;
  const same = before !== null && before.name === scene.name && camera !== null;
  // The scene comes first: whoever hears of the camera finds it there.
  store.set({ scene, reading: store.state.reading + 1, failure: null });
  if (same) store.set(fitting(store.state, scene));
  else {
    const fits = link.scene === undefined || link.scene === scene.name;
    if (!fits) announce(`The link is to the scene ${link.scene}; this is ${scene.name}.`);
    applyLink(fits ? link : {}, scene);
  }
  store.set({ connection: { phase: "ready" } });
  if (!same && !(before === null && restoreShots(scene))) askLinked(link);
}

/**
 * Brings back the shots from before a reload of the page.
 * @param {import("./messages.js").Scene} scene
 * @returns {boolean} whether the link's question is one of them, or it has none
 */
function restoreShots(scene) {
  const { shots, current } = kept(scene);
  if (shots.length === 0) return false;
  const linked = link.question ? shotOfLink(shots, link, store.state.poses) : current;
  asker.restore(shots, linked ?? null);
  return !link.question || linked !== undefined;
}

/**
 * What of hidden objects and poses is still in a scene.
 * @param {Pick<import("./store.js").State, "hide" | "poses">} state
 * @param {import("./messages.js").Scene} scene
 */
function fitting({ hide, poses }, { objects }) {
  const clips = new Map(objects.map(({ name, clips: of }) => [name, (of ?? []).map((clip) => clip.name)]));
  return {
    hide: hide.filter((name) => clips.has(name)),
    poses: poses.filter(({ object, clip, blend }) => {
      const has = clips.get(object) ?? [];
      return has.includes(clip) && (!blend || has.includes(blend.clip));
    }),
  };
}

/**
 * Sends a link's question once the world is shown as the link has it.
 * @param {import("./link.js").Link} from
 */
function askLinked({ question, tool: asked, options, poses = [], past }) {
  const { camera } = store.state;
  if (!question || !asked || asked === "look" || asked === "ruler") return;
  const end = store.watch(["frame", "camera"], (state) => {
    const left = state.camera !== camera;
    if (!left && state.frame?.camera !== camera) return;
    queueMicrotask(() => end());
    if (!left) void asker.ask({ tool: asked, question, options, world: past ? { poses, past } : undefined });
  });
}

/**
 * @param {import("./link.js").Link} from
 * @param {import("./messages.js").Scene} scene
 */
function applyLink(from, scene) {
  const { size, options, fixedSize } = store.state;
  // The window's own size need not be kept.
  const other = fixedSize !== null || from.size?.[0] !== size[0] || from.size?.[1] !== size[1];
  // How far objects are apart is queried with the tool Closest.
  const chosen = from.tool === "distance" ? "closest" : (from.tool ?? "ray");
  const given = from.options && chosen !== "look" && chosen !== "ruler" ? { ...options, [chosen]: from.options } : options;
  const shown = stateOf(from, scene.start ?? scene.camera, scene.objects);
  store.set({
    ...shown,
    ...fitting(shown, scene),
    refusedView: null,
    fixedSize: other ? (from.size ?? null) : null,
    tool: chosen,
    options: given,
  });
}

/** The address's fragment follows the state, and a fragment that is typed or clicked is shown. */
function followAddress() {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let own = location.hash;
  const write = () => {
    const { camera, connection, fixedSize } = store.state;
    if (!camera || connection.phase !== "ready") return;
    own = `#${writeLink(linkOf(store.state, { key: key.inAddress(), size: fixedSize ?? undefined }))}`;
    if (own !== location.hash) history.replaceState(null, "", own);
  };
  store.watch(["camera", "mode", "outline", "hide", "layers", "poses", "current", "tool", "fixedSize"], () => {
    clearTimeout(timer);
    timer = setTimeout(write, SETTLED);
  });
  globalThis.addEventListener("hashchange", () => {
    if (location.hash === own) return;
    link = readLink(location.hash);
    const { scene, connection } = store.state;
    if (key.take(link.key) || !scene) {
      transport.connect();
      return;
    }
    if (connection.phase === "ready") key.accepted();
    applyLink(link, scene);
    askLinked(link);
  });
}

/**
 * Copies the address, with the picture's size: who opens it sees the same picture.
 * @returns {Promise<boolean>} whether the clipboard has it
 */
async function copyLink() {
  const shown = linkOf(store.state, { size: store.state.size });
  const text = `${location.origin}${location.pathname}#${writeLink(shown)}`;
  try {
    await navigator.clipboard.writeText(text);
    announce("The link to this view is copied.");
    return true;
  } catch {
    // Where a page may not write to the clipboard, the address bar has it.
    history.replaceState(null, "", `#${writeLink({ ...shown, key: key.inAddress() })}`);
    announce("The clipboard is closed to pages here; the link is in the address bar.");
    return false;
  }
}

/** Shows the scene as without a link. */
function overview() {
  const { scene } = store.state;
  if (scene) applyLink({}, scene);
  store.set({ refusedView: null });
}

function reload() {
  announce("Reading the scene's files again.");
  transport.request("reload", {}).catch(() => undefined);
}
