/** Shots are kept over a reload of the page: by this tab, for this address, of the scene that is shown. */

import { writeLink } from "./link.js";
import { isSameWorld } from "./view_log.js";

/** @import { Scene } from "./messages.js" */
/** @import { Link } from "./link.js" */
/** @import { Shot, State, Store } from "./store.js" */

/** The number is that of the form. */
const KEY = "hitscan-shots-1";
/** More shots than this are not kept: the oldest go. */
const MOST = 100;
/** Nor more text. */
const MOST_TEXT = 200_000;
/** Shots are kept after so much rest, milliseconds. */
const SETTLED = 400;

/** @param {Scene} scene */
const sceneText = ({ name, source }) => JSON.stringify([name, source]);

/**
 * The text that keeps shots: the newest, without their answers. A shot without a question, or of a world
 * that is not kept any more, cannot be queried again.
 * @param {Scene} scene @param {readonly Shot[]} shots @param {Shot | null} current
 */
export function keptText(scene, shots, current) {
  /** @type {string[]} */
  const texts = [];
  let room = MOST_TEXT;
  for (const { key, name, tool, question, options, as_of_ms, world, seen } of [...shots].reverse()) {
    if (!question || world === null) continue;
    const text = JSON.stringify({ key, name, tool, question, options, as_of_ms, world, seen });
    room -= text.length;
    if (room < 0 || texts.length === MOST) break;
    texts.unshift(text);
  }
  return `{"scene":${JSON.stringify(sceneText(scene))},"current":${current?.key ?? null},"shots":[${texts.join()}]}`;
}

/**
 * The shots that a text keeps of a scene, yet to be queried, and the one that was shown.
 * @param {string | null} text @param {Scene} scene
 * @returns {{shots: Shot[], current: Shot | null}}
 */
export function keptShots(text, scene) {
  try {
    const kept = JSON.parse(text ?? "null");
    if (kept?.scene === sceneText(scene)) {
      const shots = /** @type {Shot[]} */ (kept.shots.map((/** @type {Shot} */ shot) => ({ ...shot, reading: 0, unasked: true })));
      return { shots, current: shots.find(({ key }) => key === kept.current) ?? null };
    }
  } catch {
    // What is no such text keeps nothing.
  }
  return { shots: [], current: null };
}

/**
 * The shot whose query is that of a link, if there is one.
 * @param {readonly Shot[]} shots @param {Link} link @param {State["poses"]} poses the link's
 */
export function shotOfLink(shots, { tool, question, options = {}, past }, poses) {
  const text = (/** @type {Link} */ one) => writeLink({ ...one, options: Object.keys(one.options ?? {}).length > 0 ? one.options : undefined });
  const asked = text({ tool, question, options, past });
  const isAsked = (/** @type {Shot} */ shot) => text({ tool: shot.tool, question: shot.question, options: shot.options, past: shot.world?.past }) === asked;
  return [...shots].reverse().find((shot) => isAsked(shot) && isSameWorld({ poses: shot.world?.poses ?? [] }, { poses }));
}

/** What this tab keeps of a scene's shots. @param {Scene} scene */
export function kept(scene) {
  try {
    return keptShots(sessionStorage.getItem(KEY), scene);
  } catch {
    // Without storage nothing is kept.
    return keptShots(null, scene);
  }
}

/** Keeps the shots of the scene as they come and go. @param {Store} store */
export function keepShots(store) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {string | undefined} */
  let before;
  let since = 0;
  const write = () => {
    clearTimeout(timer);
    const { scene, shots, current } = store.state;
    if (!scene) return;
    try {
      sessionStorage.setItem(KEY, keptText(scene, shots.filter(({ reading }) => reading >= since), current));
    } catch {
      // Without storage, or room in it, the shots are this visit's.
    }
  };
  // A server that is started anew at this address may show another scene: its shots are those queried since.
  store.watch(["scene"], ({ scene, reading }) => {
    const text = scene ? sceneText(scene) : undefined;
    if (text !== before) since = reading;
    before = text;
  });
  store.watch(["shots", "current"], () => {
    clearTimeout(timer);
    timer = setTimeout(write, SETTLED);
  });
  globalThis.addEventListener("pagehide", write);
}
