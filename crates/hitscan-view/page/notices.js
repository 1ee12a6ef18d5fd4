/**
 * What is shown over the picture where there is none, or where something is wrong: what it is, and what
 * to do. The picture stays where there is one.
 */

import { button, byId, fill, make } from "./elements.js";

/** @import { Child } from "./elements.js" */
/** @import { State } from "./store.js" */

/**
 * @typedef {object} Notice
 * @property {string} title
 * @property {Child[]} body
 * @property {boolean} [strip] a strip at the foot of the picture, which stays in use
 */

/**
 * @param {import("./app.js").App} app
 * @param {{retry: () => void, reload: () => void, overview: () => void}} actions
 */
export function mountNotices({ store, announce }, { retry, reload, overview }) {
  const element = byId("notice");
  const stage = byId("stage");
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let counting;
  let told = "";

  const again = () => button({ label: "Try now", class: "outlined", onclick: retry });
  const loadPage = () => button({ label: "Load the page again", class: "primary", onclick: () => location.reload() });
  const p = (/** @type {Child[]} */ ...children) => make("p", {}, ...children);
  const code = (/** @type {string} */ text) => make("code", {}, text);

  /** @param {Readonly<State>} state @returns {Notice | null} */
  function noticeOf({ connection, scene, failure, refusedView, frame }) {
    if (connection.phase === "lost") {
      const seconds = Math.max(0, Math.ceil((connection.retryAt - performance.now()) / 1000));
      const when = seconds > 0 ? `Trying again in ${seconds} s.` : "Trying again.";
      const kept = scene ? "Picture, shots and settings are kept." : "Is the program running? Start it with hitscan view.";
      const why = connection.reason ? `The program closed it: ${connection.reason}. ` : "";
      return { title: "Connection lost", body: [p(`${why}${when} ${kept}`), again()], strip: scene !== null };
    }
    if (connection.phase === "version") {
      return {
        title: "This page is of another version",
        body: [p("The program was changed since the page was loaded. The address keeps what is shown."), loadPage()],
      };
    }
    if (connection.phase === "key") {
      const what = connection.given ? "The key that this page has is not the program’s, which has a new one each time that it is started." : "This address has no key, and the browser has none for it.";
      return {
        title: connection.given ? "The key does not fit" : "A key is needed",
        body: [
          p(`${what} The key keeps others out. Open the address that `, code("hitscan view"), " printed, with all that follows the #."),
          p("Once that is open, links to this address open in this browser too."),
          button({ label: "Try again", class: "outlined", onclick: retry }),
        ],
      };
    }
    if (connection.phase === "full") {
      return {
        title: "Too many pages are open",
        body: [p(`The program serves a limited number of pages at once (${connection.limit}). Close one of them; this one then goes on by itself.`), again()],
      };
    }
    if (connection.phase === "failed") {
      return {
        title: "The scene cannot be read",
        body: [make("pre", { tabindex: 0 }, connection.message), p("Mend the file, then start the program again.")],
      };
    }
    if (connection.phase === "loading") {
      const percent = Math.round(connection.done * 100);
      const progress = make("progress", { max: 100, value: percent, "aria-label": "Loaded" });
      const file = connection.file ? `${connection.file}, ${percent} %` : `${percent} %`;
      return { title: scene ? "Reading the scene again" : "Loading the scene", body: [progress, p(file)], strip: scene !== null };
    }
    if (failure) {
      return {
        title: "The files could not be read again; the scene before stays",
        body: [
          make("div", { class: "buttons" }, button({ label: "Read again", class: "outlined", onclick: reload }), button({ label: "Dismiss", onclick: () => store.set({ failure: null }) })),
          make("pre", { tabindex: 0 }, failure),
        ],
        strip: true,
      };
    }
    if (scene && scene.objects.length === 0) {
      return {
        title: "The scene is empty",
        body: [
          p("There is nothing to hit. Add an object to the scene file and read it again, or start ", code("hitscan view FILE"), " with a model or a height map."),
          button({ label: "Read the scene again", class: "primary", onclick: reload }),
        ],
      };
    }
    if (!frame && refusedView) {
      return {
        title: "The link cannot be shown",
        body: [p(`${refusedView.field}: expected ${refusedView.expected}.`), button({ label: "Show everything", class: "primary", onclick: overview })],
      };
    }
    if (!frame) return { title: connection.phase === "connecting" ? "Connecting" : "Casting the first picture", body: [make("progress", { "aria-label": "Waiting" })] };
    return null;
  }

  function show() {
    const notice = noticeOf(store.state);
    stage.toggleAttribute("data-lost", store.state.connection.phase === "lost");
    element.hidden = !notice;
    byId("hint").classList.toggle("hidden", notice !== null);
    if (!notice) {
      if (told && store.state.scene) announce(greeting(store.state.scene));
      told = "";
      return;
    }
    element.classList.toggle("strip", notice.strip === true);
    element.dataset.wait = String(!store.state.frame && notice.title === "Connecting");
    // What counts down is replaced in its place, so that a button keeps the focus.
    if (told === notice.title && store.state.connection.phase === "lost") {
      element.querySelector(".card p")?.replaceChildren(...(notice.body[0] instanceof Element ? notice.body[0].childNodes : []));
      return;
    }
    if (told !== notice.title && notice.title !== "Connecting") announce(`${notice.title}.`);
    told = notice.title;
    fill(element, make("div", { class: "card" }, make("h2", {}, notice.title), ...notice.body));
  }

  store.watch(["connection", "scene", "failure", "refusedView"], ({ connection }) => {
    clearInterval(counting);
    if (connection.phase === "lost") counting = setInterval(show, 1000);
    show();
  });
  /** @param {import("./messages.js").Scene} scene */
  function greeting({ title, name, objects, objects_total: total = objects.length }) {
    return `${title || name}: ${total === 1 ? "1 object" : `${total} objects`}.`;
  }

  // The first frame takes the card away; later ones change nothing here.
  const first = store.watch(["frame"], ({ frame }) => {
    if (!frame) return;
    queueMicrotask(() => first());
    show();
  });
}
