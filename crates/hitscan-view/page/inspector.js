/**
 * The inspector: four tabs, a column beside the picture that can be closed, or on a narrow page a
 * sheet of three heights.
 */

import { byId, fill, make } from "./elements.js";
import { panels } from "./panels.js";

/** @import { App } from "./app.js" */

/**
 * @typedef {import("./store.js").State["tab"]} Tab
 * @typedef {"peek" | "half" | "full"} Height
 */

/** @type {{id: Tab, label: string}[]} */
const TABS = [
  { id: "answer", label: "Answer" },
  { id: "why", label: "Why" },
  { id: "scene", label: "Scene" },
  { id: "shots", label: "Shots" },
];

/** @type {Height[]} */
const HEIGHTS = ["peek", "half", "full"];

/** @param {App} app */
export function mountInspector(app) {
  const { store } = app;
  const buttons = TABS.map(({ id, label }) =>
    make(
      "button",
      {
        type: "button",
        role: "tab",
        class: "tab",
        id: `tab-button-${id}`,
        "aria-controls": `tab-${id}`,
        onclick: () => choose(id),
      },
      label,
    ),
  );
  fill(byId("tabs"), ...buttons);
  byId("tabs").addEventListener("keydown", (event) => {
    const at = TABS.findIndex(({ id }) => id === store.state.tab);
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = event.key === "Home" ? 0 : event.key === "End" ? TABS.length - 1 : by && (at + by + TABS.length) % TABS.length;
    if (next === undefined) return;
    event.preventDefault();
    choose(TABS[next].id);
    buttons[next].focus();
  });
  for (const { id, mount } of panels) mount(app, byId(`panel-${id}`));

  store.watch(["tab"], ({ tab }) => {
    TABS.forEach(({ id }, at) => {
      buttons[at].setAttribute("aria-selected", String(id === tab));
      buttons[at].tabIndex = id === tab ? 0 : -1;
      byId(`tab-${id}`).hidden = id !== tab;
    });
  });
  store.watch(["inspector"], ({ inspector }) => {
    document.body.dataset.inspector = inspector ? "open" : "closed";
  });
  const setHeight = mountSheet();
  // What is picked is in the picture, which a whole sheet covers.
  store.watch(["picking"], ({ picking }) => {
    if (picking && byId("inspector").dataset.height === "full") setHeight("half");
  });

  /** @param {Tab} tab */
  function choose(tab) {
    store.set({ tab });
    if (byId("inspector").dataset.height === "peek") setHeight("half");
  }
}

/**
 * The sheet's heights: dragged by its grip, or one after the other by a click or the arrow keys.
 * @returns {(height: Height) => void}
 */
function mountSheet() {
  const sheet = byId("inspector");
  const grip = byId("grip");
  /** @type {{y: number, height: number, moved: boolean} | null} */
  let drag = null;

  const now = () => /** @type {Height} */ (sheet.dataset.height);
  const set = (/** @type {Height} */ height) => {
    sheet.dataset.height = height;
    grip.setAttribute("aria-label", `Height of the inspector: ${height}`);
  };
  set("peek");

  const step = (/** @type {number} */ by) => {
    const at = HEIGHTS.indexOf(now()) + by;
    set(HEIGHTS[Math.max(0, Math.min(HEIGHTS.length - 1, at))]);
  };

  grip.addEventListener("pointerdown", (event) => {
    drag = { y: event.clientY, height: sheet.clientHeight, moved: false };
    grip.setPointerCapture(event.pointerId);
  });
  grip.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const up = drag.y - event.clientY;
    drag.moved ||= Math.abs(up) > 6;
    if (!drag.moved) return;
    sheet.dataset.dragged = "";
    sheet.style.height = `${drag.height + up}px`;
  });
  const end = () => {
    if (!drag) return;
    const [was, is] = [drag.height, sheet.clientHeight];
    const { moved } = drag;
    drag = null;
    delete sheet.dataset.dragged;
    sheet.style.height = "";
    if (!moved) return;
    // The height nearest to where it was let go, and in any case one in the direction of the drag.
    const far = (is - was) / globalThis.innerHeight;
    step(far > 0.35 ? 2 : far > 0.04 ? 1 : far < -0.35 ? -2 : far < -0.04 ? -1 : 0);
    grip.dataset.moved = "";
  };
  grip.addEventListener("pointerup", end);
  grip.addEventListener("pointercancel", end);
  grip.addEventListener("click", () => {
    if (grip.dataset.moved !== undefined) delete grip.dataset.moved;
    else set(HEIGHTS[(HEIGHTS.indexOf(now()) + 1) % HEIGHTS.length]);
  });
  grip.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    step(by);
  });
  return set;
}
