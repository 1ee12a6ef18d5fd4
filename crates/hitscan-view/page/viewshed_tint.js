/** The ground's tint: that of the viewshed which is shown as the current shot. */

/** @import { App, Shot } from "./app.js" */

/** The program keeps so many viewsheds, the last ones. */
export const KEPT = 8;

/** Whether a shot has a viewshed that can tint the ground. @param {Shot | null} shot */
export const hasViewshed = (shot) => shot?.tool === "viewshed" && shot.answer?.answers[0]?.visible !== undefined;

/** Whether the program still keeps the viewshed of an ask. @param {number} ask @param {readonly number[]} all the ids of all asks of viewsheds */
export const isKept = (ask, all) => all.filter((one) => one > ask).length < KEPT;

/** @param {App} app */
export function mountTint({ store, asker }) {
  /** Those that were queried again for their tint: the ask's id by the id that is not kept any more. @type {Map<number, number>} */
  const again = new Map();

  store.watch(["current", "connection"], ({ current, connection, shots }) => {
    if (connection.phase !== "ready") {
      again.clear();
      return;
    }
    // While a new one is awaited, the one before stays.
    const isAwaited = current?.tool === "viewshed" && !current.answer && !current.refused;
    if (isAwaited) return;
    const ask = hasViewshed(current) ? current?.ask : undefined;
    if (!current || ask === undefined) {
      store.set({ viewshed: null });
      return;
    }
    const own = shots.flatMap((shot) => (shot.tool === "viewshed" && shot.ask !== undefined ? [shot.ask] : []));
    const id = again.get(ask) ?? ask;
    if (isKept(id, [...own, ...again.values()])) store.set({ viewshed: id });
    else void askAgain(current, ask);
  });

  /** @param {Shot} shot @param {number} ask */
  async function askAgain({ key, tool, question, options, as_of_ms, world }, ask) {
    store.set({ viewshed: null });
    try {
      const { id } = await asker.quiet({ tool, question, options, as_of_ms, world: world ?? undefined });
      again.set(ask, id);
      const { current } = store.state;
      if (current?.key === key && current.ask === ask) store.set({ viewshed: id });
    } catch {
      // What is refused now has no tint; its answer stays as it was.
    }
  }
}
