/** The bar above: what the scene is called, how it is shown, and what is done rarely in a menu. */

import { button, byId, fill, icon, make, segmented } from "./elements.js";
import { setTheme, theme } from "./theme.js";

/** @import { App } from "./app.js" */
/** @import { Mode } from "./messages.js" */

/** @type {{value: Mode, label: string}[]} */
const MODES = [
  { value: "picture", label: "Picture" },
  { value: "cost", label: "Cost" },
];

/**
 * @param {App} app
 * @param {{copyLink: () => Promise<boolean>, reload: () => void, dialog: HTMLDialogElement}} actions
 */
export function mountHeader({ store, control }, { copyLink, reload, dialog }) {
  const title = byId("title");
  const notes = byId("notes");
  const put = (/** @type {Mode} */ mode) => store.set({ mode });
  const modes = [0, 1].map(() => segmented({ label: "Shown", choices: MODES, value: "picture", onchange: put }));
  modes[0].element.classList.add("wide");
  modes[1].element.classList.add("narrow");
  const outline = () => store.set({ outline: !store.state.outline });
  const outlines = [
    button({ label: "Outlines of objects and creases", icon: "outline", quiet: true, onclick: outline, class: "wide" }),
    button({ label: "Outlines", icon: "outline", onclick: outline, class: "narrow" }),
  ];
  const home = () => control.home();

  const item = (/** @type {string} */ label, /** @type {string} */ name, /** @type {string} */ key, /** @type {() => void} */ onclick, extra = "") => {
    const entry = button({ label, icon: name, class: extra, onclick: () => (menu.hidePopover(), onclick()) });
    if (key) entry.append(make("kbd", { class: "wide" }, key));
    return entry;
  };
  const themes = segmented({
    label: "Look",
    choices: [
      { value: "system", label: "System" },
      { value: "light", label: "Light" },
      { value: "dark", label: "Dark" },
    ],
    value: theme(),
    onchange: setTheme,
  });
  const menu = make(
    "div",
    { id: "menu", class: "menu", popover: "auto", role: "group", "aria-label": "More" },
    modes[1].element,
    outlines[1],
    item("Show everything", "home", "", home, "narrow"),
    item("Read the scene again", "reload", "Shift R", reload),
    item("Keys and gestures", "keys", "?", () => dialog.showModal()),
    make("hr", {}),
    themes.element,
  );
  const more = button({ label: "More", icon: "more", quiet: true, onclick: () => undefined });
  more.setAttribute("popovertarget", "menu");
  const inspector = button({
    label: "Inspector",
    icon: "panel",
    quiet: true,
    onclick: () => store.set({ inspector: !store.state.inspector }),
    class: "wide",
  });

  fill(
    byId("actions"),
    modes[0].element,
    make("span", { class: "divider wide" }),
    outlines[0],
    button({ label: "Show everything (Home)", icon: "home", quiet: true, onclick: home, class: "wide" }),
    linkButton(copyLink),
    more,
    make("span", { class: "divider wide" }),
    inspector,
    menu,
  );

  store.watch(["scene"], ({ scene }) => {
    title.textContent = scene?.title || scene?.name || "hitscan view";
    document.title = scene ? `${scene.title || scene.name} – hitscan view` : "hitscan view";
    const count = scene?.notes?.length ?? 0;
    notes.hidden = count === 0;
    notes.textContent = count === 1 ? "1 note" : `${count} notes`;
    notes.title = scene?.notes?.join("\n") ?? "";
  });
  notes.addEventListener("click", () => store.set({ tab: "scene", inspector: true }));
  store.watch(["mode"], ({ mode }) => modes.forEach(({ set }) => set(mode)));
  store.watch(["outline"], (state) => {
    for (const one of outlines) one.setAttribute("aria-pressed", String(state.outline));
  });
  store.watch(["inspector"], (state) => {
    inspector.setAttribute("aria-pressed", String(state.inspector));
    inspector.setAttribute("aria-controls", "inspector");
  });
  const fit = byId("fit");
  fit.addEventListener("click", () => store.set({ fixedSize: null }));
  store.watch(["fixedSize"], ({ fixedSize }) => {
    fit.hidden = fixedSize === null;
    if (fixedSize) fit.textContent = `${fixedSize.join(" × ")}, as the link has it. Fit the window`;
  });
}

/** @param {() => Promise<boolean>} copyLink */
function linkButton(copyLink) {
  const one = button({
    label: "Copy a link to this view (L)",
    icon: "link",
    quiet: true,
    async onclick() {
      if (!(await copyLink())) return;
      // A tick for a moment: it has been copied.
      one.replaceChildren(icon("check"));
      setTimeout(() => one.replaceChildren(icon("link")), 1500);
    },
  });
  return one;
}
