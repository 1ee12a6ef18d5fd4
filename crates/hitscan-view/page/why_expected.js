/** Another object that was expected: picked in the picture or by its name, and what kept it from being the answer. */

import { button, byId, facts, field, fill, make, section } from "./elements.js";
import { earlierSentence, expectedMarks, figures, nearText, reasonSentence, reasonWord } from "./expected_text.js";
import { note, verdict } from "./panel_parts.js";
import { forPointer } from "./pointer_words.js";
import { thingName } from "./why_text.js";

/** @import { Expected, Near } from "./messages.js" */
/** @import { Shot } from "./store.js" */

/** More names than these are not listed; they can be typed. */
const MOST_NAMES = 1000;

/** @param {App} app @param {(isTold: boolean) => void} onTold what is expected is shown, or no more */
export function expectation(app, onTold) {
  const { asker, announce, overlay, store } = app;
  /** What is expected, of the shots to come too; empty: nothing. */
  let wanted = "";
  /** The shot and the object that were queried last. */
  let asked = "";
  /** What is shown of it. @type {Shot["expected"]} */
  let shown;

  const names = make("datalist", { id: "expected-names" });
  const input = make("input", {
    type: "search",
    list: names.id,
    placeholder: "name of an object",
    autocomplete: "off",
    spellcheck: "false",
    onchange: () => want(input.value.trim()),
  });
  const pick = button({ label: "Pick in the picture", class: "outlined", onclick: () => (store.state.picking === picker ? leave() : start()) });
  const told = make("div", { class: "expected", "aria-live": "polite" });
  const element = section("Expected another object?", field("Object", input), make("div", { class: "buttons" }, pick), names, told);
  const near = make("div");

  /** @type {Tool} */
  const picker = {
    id: "look",
    label: "Pick",
    hint: "Click the object that you expected, or press Enter at the crosshair. Esc leaves.",
    async tap({ frame, pixel }) {
      const answer = await asker.quiet({ tool: "ray", frame, pixel }).catch(() => null);
      const object = answer?.answers[0]?.object;
      if (store.state.picking !== picker) return;
      if (!answer) announce("There is no connection: nothing was picked");
      else if (typeof object !== "string") announce(forPointer("Nothing is there. Pick an object, or press Esc."));
      else {
        leave();
        want(object);
      }
    },
  };

  function start() {
    store.set({ picking: picker });
    announce(forPointer(picker.hint));
    byId("picture").focus();
  }

  function leave() {
    store.set({ picking: null });
  }

  /** @param {string} object */
  function want(object) {
    wanted = object;
    input.value = object;
    asked = "";
    refresh();
  }

  /** Requests what is wanted of the shot that is shown, once. */
  function refresh() {
    const { current: shot, tab, connection } = store.state;
    // After the explanation, which queries a shot again that the program has dropped.
    const isOpen = tab === "why" && shot?.explanation !== undefined && wanted !== "";
    const known = shot?.expected?.object === wanted ? shot.expected : undefined;
    tell(isOpen ? known : undefined, shot);
    const wish = `${shot?.key} ${wanted}`;
    if (!isOpen || known || asked === wish || connection.phase !== "ready") return;
    asked = wish;
    void asker.expect(shot, wanted).finally(() => {
      if (asked === wish) asked = "";
    });
  }

  /** @param {Shot["expected"]} expected @param {Shot | null} shot */
  function tell(expected, shot) {
    if (expected === shown) return;
    shown = expected;
    const start = shot?.answer?.lines?.find(({ role }) => role === "ray")?.points[0];
    overlay.set("why-expected", expectedMarks(expected?.found, start));
    onTold(expected?.found !== undefined);
    input.setAttribute("aria-invalid", String(expected?.refused !== undefined));
    const { refused, found } = expected ?? {};
    if (refused) fill(told, note(`${refused.field}: expected ${refused.expected}.`));
    else if (found) fill(told, ...parts(found, shot));
    else fill(told);
  }

  /** @param {Expected} found @param {Shot | null} shot */
  function parts(found, shot) {
    const { origin } = store.state.scene ?? {};
    const march = shot?.options.method === "march" ? note("A march looks at the ground alone; this is what the exact search finds.") : null;
    if (found.is_hit) return [verdict("hit", "hit"), make("p", { class: "answer-sentence" }, `${found.object} is what the shot hits.`), march];
    const earlier = earlierSentence(found);
    return [
      ...found.reasons.flatMap((reason) => {
        const rows = figures(found, reason, origin);
        const text = make("p", { class: "answer-sentence" }, reasonSentence(found, reason));
        return [verdict("miss", reasonWord(reason)), text, rows.length > 0 ? facts(rows) : null];
      }),
      found.reasons.length === 0 ? note(`${found.object} is none of the candidates.`) : null,
      earlier ? make("p", { class: "change" }, earlier) : null,
      march,
    ];
  }

  // Before the picture's own keys, which would remove the shot.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || store.state.picking !== picker) return;
    event.preventDefault();
    event.stopPropagation();
    leave();
    announce("Nothing was picked");
    pick.focus();
  }, true);
  store.watch(["picking"], ({ picking }) => pick.setAttribute("aria-pressed", String(picking === picker)));
  store.watch(["tool", "tab", "scene"], () => {
    if (store.state.picking === picker) leave();
  });
  store.watch(["scene"], ({ scene }) => {
    const options = (scene?.objects ?? []).slice(0, MOST_NAMES).map(({ name }) => make("option", { value: name }));
    names.replaceChildren(...options);
    // Of objects beyond those that are listed the program says whether there is one.
    const isWhole = (scene?.objects_total ?? 0) <= (scene?.objects.length ?? 0);
    if (wanted !== "" && isWhole && !scene?.objects.some((object) => object.name === wanted)) want("");
  });
  store.watch(["current", "tab", "connection"], refresh);

  return {
    element,
    /** The near misses of an explanation; each may be what was expected. @param {readonly Near[]} misses @param {boolean} hits whether something is hit */
    near(misses, hits) {
      const rows = misses.map((one) => {
        const name = button({ label: one.object, class: "outlined", onclick: () => want(one.object) });
        const { part, triangle } = one;
        const on = part === undefined && triangle === undefined ? "" : ` (${thingName({ part, triangle })})`;
        return make("li", {}, name, make("span", {}, nearText(one) + on));
      });
      const lead = hits ? "Passed before the hit; choose one to see what it lacks." : "Choose one to see what it lacks.";
      fill(near, section("Near misses", make("ul", { class: "near" }, ...rows), note(lead)));
      return near;
    },
  };
}
