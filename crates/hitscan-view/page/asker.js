/**
 * Queries the program, and keeps what came of it: the shot, its answer, its explanation.
 */

import { changeSentence } from "./answer_text.js";
import { metres } from "./numbers.js";
import { RefusedError } from "./transport.js";

/** @import { Answer, Ask, Explanation } from "./messages.js" */
/** @import { Mark } from "./overlay.js" */
/** @import { Shot } from "./store.js" */

/**
 * A question: by its columns, or by a pixel of a frame.
 * @typedef {Ask & {name?: string, keep?: boolean}} Question `keep: false` shows it and leaves the
 *   list of shots alone, for what is being dragged or typed
 */

/** @typedef {ReturnType<typeof createAsker>} Asker */

/** What is said where there is nobody to ask. */
export const NO_CONNECTION = "There is no connection: nothing was asked.";
/** Of pairs so many are drawn, from the first. */
const DRAWN_PAIRS = 200;
/** A shot that could not be queried again for want of a connection is tried after so long, milliseconds. */
const RENEWED = 500;
/** More shots than this are not kept: the oldest go. */
const MOST_SHOTS = 1000;

/**
 * @param {import("./store.js").Store} store
 * @param {import("./transport.js").Transport} transport
 * @param {import("./view_log.js").ViewLog} views
 * @param {import("./overlay.js").Overlay} overlay
 * @param {(sentence: string) => void} announce
 */
export function createAsker(store, transport, views, overlay, announce) {
  let keys = 0;
  let isAsking = false;

  /**
   * Replaces a shot wherever it is.
   * @param {number} key
   * @param {Partial<Shot>} patch
   * @returns {Shot | null} null where it has been removed
   */
  function update(key, patch) {
    const { current, shots } = store.state;
    const before = current?.key === key ? current : shots.find((shot) => shot.key === key);
    if (!before) return null;
    const after = { ...before, ...patch };
    store.set({
      current: current?.key === key ? after : current,
      shots: shots.map((shot) => (shot.key === key ? after : shot)),
    });
    return after;
  }

  /**
   * Sends a question without a trace in the page.
   * @param {Ask} asked
   * @param {string} [kind] a new one of this kind cancels the last
   * @returns {Promise<Answer & {id: number}>} rejected with a `RefusedError`
   */
  function quiet({ tool, question, frame, pixel, options, as_of_ms, world }, kind) {
    const given = options && Object.keys(options).length > 0 ? options : undefined;
    const fields = { tool, question, frame, pixel, options: given, as_of_ms: (!world && as_of_ms) || undefined, world };
    return transport.request("ask", fields, { what: titled(tool), kind });
  }

  /** What an answer adds to its shot. @param {Answer & {id: number}} answer @returns {Partial<Shot>} */
  const answered = (answer) => ({ answer, ask: answer.id, question: answer.question, refused: undefined, explanation: undefined, expected: undefined });

  /**
   * Queries a shot again, in the world that it queried.
   * @param {Shot} shot
   */
  async function askAgain({ tool, question, options, as_of_ms, world }) {
    const { reading } = store.state;
    const answer = await quiet({ tool, question, options, as_of_ms, world: world ?? undefined });
    return { ...answered(answer), reading, world: world ?? views.worldOf(answer) };
  }

  /**
   * Sends the question, and shows the shot.
   * @param {Question} asked
   * @returns {Promise<Shot>} with its answer, or with why it was refused
   */
  async function ask({ name, keep = true, ...asked }) {
    const key = (keys += 1);
    const { asOf, shots, reading, current: before } = store.state;
    const { camera, size, mode, outline, hide, layers } = store.state;
    const options = asked.options ?? {};
    const as_of_ms = asked.world?.past ? asked.world.past.end - asked.world.past.time : (asked.as_of_ms ?? asOf);
    const title = name ?? `${titled(asked.tool)} ${key}`;
    /** @type {Shot} */
    const shot = {
      key,
      name: title,
      tool: asked.tool,
      question: asked.question,
      options,
      as_of_ms,
      world: asked.world,
      seen: { camera, size, mode, outline, hide, layers },
      reading,
    };
    store.set({ current: shot, shots: keep ? [...shots, shot].slice(-MOST_SHOTS) : shots });
    try {
      const answer = await quiet({ ...asked, as_of_ms }, `ask ${asked.tool}`);
      const patch = { ...answered(answer), world: asked.world ?? views.worldOf(answer) };
      if (store.state.current?.key === key) announce(answer.sentence);
      return update(key, patch) ?? { ...shot, ...patch };
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      const { refused } = error;
      if (refused.field === "connection" && !shot.question) {
        // A pixel of a lost connection's frame can never be queried again.
        const { current } = store.state;
        store.set({
          current: current?.key === key ? before : current,
          shots: store.state.shots.filter((one) => one.key !== key),
        });
        announce(NO_CONNECTION);
        return { ...shot, refused };
      }
      if (refused.field !== "cancelled") announce(`Refused: ${refused.field}, expected ${refused.expected}.`);
      return update(key, { refused }) ?? { ...shot, refused };
    }
  }

  /**
   * Requests why; a shot that the program has dropped, or never had, is queried again first.
   * @param {Shot} shot
   * @param {string} [expect] why it is not this object
   * @returns {Promise<Explanation>} rejected with a `RefusedError`
   */
  function why(shot, expect) {
    const naming = { what: "Why", kind: expect === undefined ? "explain" : "expect" };
    const again = async () => {
      const patch = await askAgain(shot);
      update(shot.key, patch);
      return transport.request("explain", { ask: patch.ask ?? 0, expect }, naming);
    };
    const known = shot.ask === undefined ? again() : transport.request("explain", { ask: shot.ask, expect }, naming);
    return known.catch((error) => {
      const forgotten = error instanceof RefusedError && error.refused.field === "ask";
      if (forgotten && shot.ask !== undefined && shot.question) return again();
      throw error;
    });
  }

  /**
   * Explains a shot.
   * @param {Shot} shot
   * @returns {Promise<Shot>} with its explanation, or with why it was refused
   */
  async function explain(shot) {
    try {
      const explanation = await why(shot);
      return update(shot.key, { explanation }) ?? { ...shot, explanation };
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      return update(shot.key, { refused: error.refused }) ?? { ...shot, refused: error.refused };
    }
  }

  /**
   * Requests what kept an object from being the answer of a shot, and keeps it with the shot.
   * @param {Shot} shot
   * @param {string} object its name
   */
  async function expect(shot, object) {
    try {
      const { expected: found } = await why(shot, object);
      update(shot.key, { expected: { object, found } });
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      // What is not answered for want of a connection can be requested again.
      if (error.refused.field !== "connection") update(shot.key, { expected: { object, refused: error.refused } });
    }
  }

  /**
   * Notes how long the library takes for an answer.
   * @param {number} id the ask's
   * @param {number} median nanoseconds
   */
  function timed(id, median) {
    const { current, shots } = store.state;
    const shot = current?.ask === id ? current : shots.find(({ ask }) => ask === id);
    if (shot) update(shot.key, { median });
  }

  /**
   * Queries a shot in the scene as it was read last, and keeps the answer before.
   * @param {Shot} shot
   */
  async function renew(shot) {
    const { reading } = store.state;
    // Where it is refused, or the connection ends, it is not repeated over and over.
    update(shot.key, { reading });
    try {
      const patch = await askAgain(shot);
      const after = update(shot.key, { ...patch, before: shot.answer });
      const change = after?.answer && shot.answer && changeSentence(shot.answer, after.answer);
      if (change && store.state.current?.key === shot.key) announce(change);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      // In a task of its own, so that a connection may come first.
      if (error.refused.field === "connection") setTimeout(() => update(shot.key, { reading: shot.reading }), RENEWED);
      else update(shot.key, { answer: undefined, before: shot.answer, explanation: undefined, refused: error.refused });
    }
  }

  /**
   * Takes in the shots from before a reload of the page, which are queried again one after another.
   * @param {readonly Shot[]} kept
   * @param {Shot | null} shown one of them
   */
  function restore(kept, shown) {
    const { reading } = store.state;
    const shots = kept.map((shot) => ({ ...shot, reading }));
    keys = Math.max(keys, ...shots.map(({ key }) => key));
    store.set({ shots, current: shots.find(({ key }) => key === shown?.key) ?? null });
  }

  async function askRestored() {
    if (isAsking) return;
    isAsking = true;
    try {
      for (;;) {
        const { connection, current, shots } = store.state;
        const shot = [current, ...shots].find((one) => one?.unasked);
        if (!shot || connection.phase !== "ready") return;
        update(shot.key, { ...(await askAgain(shot).catch(refusal)), unasked: undefined });
      }
    } catch (error) {
      // Without a connection they wait for the next.
      if (!(error instanceof RefusedError)) throw error;
    } finally {
      isAsking = false;
    }
  }

  /** What a refusal adds to its shot; that of a lost connection is none of the question's. @param {unknown} error @returns {Partial<Shot>} */
  function refusal(error) {
    if (!(error instanceof RefusedError) || error.refused.field === "connection") throw error;
    return { refused: error.refused };
  }

  store.watch(["shots", "connection"], () => void askRestored());
  store.watch(["current", "connection", "reading"], ({ current, connection, reading }) => {
    const isOld = current?.answer && current.question && current.reading !== reading;
    if (isOld && connection.phase === "ready") void renew(current);
  });
  store.watch(["current"], ({ current }) => overlay.set("answer", marksOf(current?.answer, (current?.as_of_ms ?? 0) > 0)));
  store.watch(["connection"], ({ connection, current, shots }) => {
    if (connection.phase !== "lost") return;
    const without = (/** @type {Shot} */ shot) => ({ ...shot, ask: undefined });
    store.set({ current: current && without(current), shots: shots.map(without) });
  });

  return { ask, restore, quiet, explain, expect, timed };
}

/** A tool's name at the beginning of a line. @param {string} tool */
const titled = (tool) => `${tool[0].toUpperCase()}${tool.slice(1)}`;

/**
 * What an answer draws; of the past it is a dotted ghost.
 * @param {Answer} [answer]
 * @param {boolean} [past]
 * @returns {Mark[]}
 */
export function marksOf(answer, past = false) {
  if (!answer) return [];
  const status = answer.answers[0]?.status;
  const isDrawn = (/** @type {{answer?: number}} */ drawn) => (drawn.answer ?? 0) < DRAWN_PAIRS;
  const lines = (answer.lines ?? []).filter(isDrawn).map(({ role, points }) => {
    const along = role === "ray" || role === "motion" || role === "arc";
    if (past && role !== "normal") return { role: "past", points, closed: role === "triangle" };
    if (answer.tool === "distance" && role === "segment") return { role, points, label: metres(Number(answer.answers[0]?.distance)) };
    if (along && status === "miss") return { role: "miss", points };
    return { role: along && role !== "motion" && status === "hit" ? "hit" : role, points };
  });
  // Each hit of many has its dot, where its normal begins.
  const normals = answer.answers.length > 1 ? lines.filter(({ role }) => role === "normal") : [];
  const dots = normals.map(({ points }) => ({ role: "hit", points: points.slice(0, 1) }));
  const boxes = (answer.boxes ?? []).filter(isDrawn).map(({ role, points }) => {
    const clear = role === "start" && status !== "overlap";
    return { role: past ? "past" : clear ? "shape" : role, points, box: true };
  });
  return [...boxes, ...lines, ...dots];
}
