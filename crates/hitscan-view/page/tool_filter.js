/** The fields that all tools have: which layers a question sees, and what it passes through. */

import { field, make, numberInput } from "./elements.js";

/**
 * @param {import("./app.js").App} app
 * @param {(column: "mask" | "ignore", value: number | string | null) => void} onchange null: the default
 * @returns {HTMLElement[]}
 */
export function filterFields({ store }, onchange) {
  const mask = numberInput({
    placeholder: "all",
    min: 0,
    max: 2 ** 32 - 1,
    onchange: (value) => onchange("mask", value),
  });
  const names = make("datalist", { id: `objects-${(lists += 1)}` });
  const ignore = make("input", {
    type: "text",
    list: names.id,
    placeholder: "none",
    autocomplete: "off",
    spellcheck: "false",
    title: "Names of objects, with ; between them; a ; of a name is \\;",
    onchange: () => onchange("ignore", ignore.value.trim() || null),
  });
  store.watch(["scene"], ({ scene }) => {
    const objects = scene?.objects.slice(0, 1000) ?? [];
    names.replaceChildren(...objects.map(({ name }) => make("option", { value: name })));
  });
  return [field("Layers (mask)", mask), field("Ignored", ignore), names];
}

let lists = 0;
