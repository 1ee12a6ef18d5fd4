/**
 * The rail of tools: which one is chosen, what it is for, and its options above the answer.
 */

import { byId, fill, icon, make } from "./elements.js";
import { tools as more } from "./panels.js";
import { forPointer } from "./pointer_words.js";
import { heightTool } from "./tool_height.js";
import { rayTool } from "./tool_ray.js";

/** @import { App, Tool } from "./app.js" */

/** @type {Tool} */
const lookTool = {
  id: "look",
  label: "Look",
  hint: "Moves the camera alone; a click asks nothing.",
  tap: () => undefined,
};

/** In the order of the rail, and so of the keys 1 to 9 and 0. @type {Tool["id"][]} */
const ORDER = ["ray", "height", "sweep", "overlap", "closest", "arc", "sight", "viewshed", "ruler", "look"];

/** @type {Tool[]} */
export const TOOLS = [rayTool, heightTool, lookTool, ...more].sort(
  (a, b) => ORDER.indexOf(a.id) - ORDER.indexOf(b.id),
);

/**
 * @param {App} app
 * @returns {{tool: () => Tool, choose: (number: number) => void}}
 */
export function mountTools(app) {
  const { store } = app;
  const rail = byId("rail");
  const options = byId("tool-options");
  const hint = byId("hint");

  const chosenTool = () => TOOLS.find(({ id }) => id === store.state.tool) ?? rayTool;
  const tool = () => store.state.picking ?? chosenTool();
  const numberOf = (/** @type {Tool} */ { id }) => ORDER.indexOf(id) + 1;
  const keyOf = (/** @type {Tool} */ one) => numberOf(one) % 10;
  const choose = (/** @type {number} */ number) => {
    const found = TOOLS.find((one) => numberOf(one) === number + 1);
    if (!found || found.id === store.state.tool) return;
    store.set({ tool: found.id });
    app.announce(`${found.label}: ${forPointer(found.hint)}`);
  };

  const buttons = TOOLS.map((one) =>
    make(
      "button",
      {
        type: "button",
        class: "tool",
        title: `${forPointer(one.hint)} (${keyOf(one)})`,
        onclick: () => choose(numberOf(one) - 1),
      },
      icon(one.id),
      make("span", {}, one.label.split(" ")[0]),
    ),
  );
  fill(rail, ...buttons);
  rail.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const at = buttons.findIndex((one) => one === document.activeElement);
    if (by === undefined || at < 0) return;
    event.preventDefault();
    buttons[(at + by + buttons.length) % buttons.length].focus();
  });

  // Options are made once for each tool, so that what was typed stays.
  const parts = TOOLS.map((one) => {
    const element = make("div", { class: "options" });
    one.mount?.(app, element);
    return element;
  });

  store.watch(["tool"], () => {
    const chosen = TOOLS.indexOf(chosenTool());
    buttons.forEach((one, at) => {
      one.setAttribute("aria-pressed", String(at === chosen));
      one.tabIndex = at === chosen ? 0 : -1;
    });
    // A narrow page's bar may hold more than fits.
    buttons[chosen]?.scrollIntoView({ block: "nearest", inline: "nearest" });
    const part = parts[chosen];
    fill(options, make("h2", { class: "tool-title" }, chosenTool().label), part);
  });

  // The hint goes once it has been followed.
  store.watch(["tool", "picking", "current", "connection", "frame"], ({ picking, current, connection, frame }) => {
    hint.hidden = connection.phase !== "ready" || (current !== null && picking === null) || frame === null;
    const words = forPointer(tool().hint);
    if (hint.textContent !== words) hint.textContent = words;
  });

  return { tool, choose };
}
