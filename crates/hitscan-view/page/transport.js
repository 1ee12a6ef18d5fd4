/**
 * The one module that touches the engine: messages over a WebSocket, and nothing else.
 *
 * Whoever answers the same messages from elsewhere (a worker, say) replaces this file alone. A lost
 * connection is made again after 0.5 s, then twice as long each time, to 8 s at most; what was
 * sent on it is refused to the senders as `connection`.
 */

import { PROTOCOL, ProtocolError, readFrame, readMessage, writeMessage, writeTable } from "./protocol.js";

/** @import { Refused, ServerMessage, ServerMessages } from "./messages.js" */
/** @import { Frame } from "./protocol.js" */
/** @import { Waiting } from "./running.js" */

/**
 * What answers each request.
 * @typedef {{ask: "answer", explain: "explanation", visible: "visible", overlay: "overlay", wireframe: "wireframe", reload: "scene"}} Replies
 */

/**
 * What a question is called where it runs for long, and its kind: a new one of a kind cancels the last.
 * @typedef {{what?: string, kind?: string}} Naming
 */

/** A request that the server refused, or that the connection took with it. */
export class RefusedError extends Error {
  /** @param {Refused} refused */
  constructor(refused) {
    super(`${refused.field}: expected ${refused.expected}`);
    this.name = "RefusedError";
    this.refused = refused;
  }
}

const cancelled = () => new RefusedError({ field: "cancelled", expected: "no answer any more" });
const noConnection = () => new RefusedError({ field: "connection", expected: "a connection to the program" });

/** The first pause before a retry, and the longest, milliseconds. */
const PAUSE = 500;
const LONGEST_PAUSE = 8000;
/** A message at least so often, so that neither side takes the other for gone, milliseconds. */
const PING = 10_000;

/**
 * @typedef {object} Hearers
 * @property {(opened: boolean, retryIn: number, close: CloseEvent | null) => void} connection
 * @property {(message: ServerMessage) => void} message those that answer no request
 * @property {(frame: Frame) => void} frame
 * @property {(waiting: readonly Waiting[]) => void} waiting the questions that are not answered, after each
 *   change, in the order in which they were sent
 */

/** @typedef {ReturnType<typeof createTransport>} Transport */

/**
 * @param {string} address of the WebSocket
 * @param {Hearers} hearers
 */
export function createTransport(address, hearers) {
  /** @type {WebSocket | null} */
  let socket = null;
  let lastId = 0;
  let attempt = 0;
  let wanted = true;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let retry;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let pinging;
  /**
   * What is not answered: without `what` nobody is notified of it; of two of one `kind` only the later is wanted.
   * @type {Map<number, {resolve: (reply: any) => void, reject: (error: Error) => void, what?: string, kind?: string, began: number}>}
   */
  const pending = new Map();

  function nextId() {
    lastId = lastId === 2 ** 32 - 1 ? 1 : lastId + 1;
    return lastId;
  }

  /** Leaves the connection that there is, and refuses what was sent on it. */
  function leave() {
    clearTimeout(retry);
    clearInterval(pinging);
    const left = socket;
    socket = null;
    left?.close();
    for (const { reject } of pending.values()) reject(noConnection());
    pending.clear();
    tellWaiting();
  }

  function tellWaiting() {
    const asked = [...pending].map(([id, { what = "", began }]) => ({ id, what, began }));
    hearers.waiting(asked.filter(({ what }) => what !== ""));
  }

  /** Ends a question. @param {number} ask its id */
  function cancel(ask) {
    if (pending.has(ask)) send("cancel", { ask });
  }

  function connect() {
    leave();
    wanted = true;
    const opening = new WebSocket(address, PROTOCOL);
    socket = opening;
    opening.binaryType = "arraybuffer";
    opening.onopen = () => {
      if (socket !== opening) return;
      pinging = setInterval(() => send("ping"), PING);
      hearers.connection(true, 0, null);
    };
    opening.onmessage = ({ data }) => {
      if (socket !== opening) return;
      try {
        if (typeof data === "string") hear(readMessage(data));
        else hearers.frame(readFrame(data));
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
        opening.close(4000, "protocol");
      }
    };
    opening.onclose = (event) => {
      if (socket !== opening) return;
      leave();
      const pause = Math.min(PAUSE * 2 ** attempt, LONGEST_PAUSE);
      attempt += 1;
      if (wanted) retry = setTimeout(connect, pause);
      hearers.connection(false, pause, event);
    };
  }

  /** @param {ServerMessage} message */
  function hear(message) {
    // A connection that ends before it has brought a scene is not one: its retries go on.
    if (message.type === "scene") attempt = 0;
    const id = "id" in message ? message.id : undefined;
    const asker = id === undefined ? undefined : pending.get(id);
    if (id === undefined || !asker || message.type === "loading") {
      hearers.message(message);
      return;
    }
    pending.delete(id);
    tellWaiting();
    if (message.type === "cancelled") asker.reject(cancelled());
    else if (message.type === "refused") asker.reject(new RefusedError(message));
    else asker.resolve(message);
    if (message.type === "scene" || message.type === "failed") hearers.message(message);
  }

  /**
   * Sends a message that nobody waits for.
   * @param {"hello" | "view" | "shown" | "received" | "ping" | "reload" | "cancel"} type
   * @param {object} [fields]
   * @returns {number} its id; 0 where there is no connection
   */
  function send(type, fields) {
    if (socket?.readyState !== WebSocket.OPEN) return 0;
    const id = nextId();
    socket.send(writeMessage(type, id, fields));
    return id;
  }

  /**
   * @template T
   * @param {(id: number) => string | Uint8Array<ArrayBuffer>} write
   * @param {Naming} [naming]
   * @returns {Promise<T>}
   */
  function post(write, { what, kind } = {}) {
    return new Promise((resolve, reject) => {
      if (socket?.readyState !== WebSocket.OPEN) {
        reject(noConnection());
        return;
      }
      for (const [asked, last] of pending) if (kind !== undefined && last.kind === kind) cancel(asked);
      const id = nextId();
      const message = write(id);
      pending.set(id, { resolve, reject, what, kind, began: performance.now() });
      socket.send(message);
      tellWaiting();
    });
  }

  return {
    connect,
    send,
    cancel,

    /**
     * Whether what answers at this address speaks this protocol; true where nothing answers, since a
     * retry will show it. A refused handshake looks to a page like no connection at all. Beside the page
     * itself the file has its plain name, under which no version of it is kept.
     * @returns {Promise<boolean>}
     */
    async sameVersion() {
      try {
        const answer = await fetch("protocol.js", { cache: "no-store" });
        return !answer.ok || (await answer.text()).includes(`"${PROTOCOL}"`);
      } catch {
        return true;
      }
    },

    /** No retries from here on: what is wrong is not the connection. */
    giveUp() {
      wanted = false;
      clearTimeout(retry);
    },

    /**
     * Sends a message and waits for its answer.
     * @template {keyof Replies} T
     * @param {T} type
     * @param {object} fields
     * @param {Naming} [naming]
     * @returns {Promise<ServerMessages[Replies[T]]>} rejected with a `RefusedError`
     */
    request(type, fields, naming) {
      return post((id) => writeMessage(type, id, fields), naming);
    },

    /**
     * Sends a table of questions or answers.
     * @param {{name: string, tool?: string, options?: object}} fields
     * @param {Uint8Array} file
     * @returns {Promise<ServerMessages["table"]>} rejected with a `RefusedError`
     */
    table(fields, file) {
      return post((id) => writeTable(id, fields, file), { what: `The table ${fields.name}` });
    },
  };
}
