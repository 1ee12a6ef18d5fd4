/** A tap with the tool in use; where nothing can be queried it is said, whatever the tool is. */

import { NO_CONNECTION } from "./asker.js";
import { RefusedError } from "./transport.js";

/** @import { App, Pick, Tool } from "./app.js" */

/** When there is nobody to ask. */
const UNCONNECTED = ["connecting", "lost", "version", "key", "full"];

/** @param {Tool} tool @param {Pick} pick @param {App} app */
export async function tapWith(tool, pick, app) {
  if (tool.id !== "look" && UNCONNECTED.includes(app.store.state.connection.phase)) {
    app.announce(NO_CONNECTION);
    return;
  }
  try {
    await tool.tap(pick, app);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    const { field, expected } = error.refused;
    app.announce(field === "connection" ? NO_CONNECTION : `Refused: ${field}, expected ${expected}.`);
  }
}
