/**
 * Elements of the page, made without a word of markup: text goes in as text.
 */

/**
 * @typedef {Node | string | null | false | undefined} Child
 * @typedef {Record<string, unknown>} Attributes `on…` are listeners, `class` a class, the rest
 *   attributes: true is the empty one; null, undefined and false leave it out
 */

/**
 * Makes an element.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * Replaces the children of an element.
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  element.replaceChildren(
    ...children.filter((child) => child !== null && child !== undefined && child !== false),
  );
}

/**
 * The element with this id, which index.html has.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no #${id}`);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * An icon: a symbol of index.html, hidden from readers of the screen.
 * @param {string} name
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#icon-${name}`);
  svg.append(use);
  return svg;
}

/**
 * A button with a word, an icon, or both.
 * @param {{label: string, icon?: string, quiet?: boolean, onclick: () => void, class?: string}} options
 *   quiet: the label is for readers of the screen and the tooltip alone
 */
export function button({ label, icon: name, quiet = false, onclick, class: extra = "" }) {
  const attributes = {
    type: "button",
    class: `button ${quiet ? "icon-button" : ""} ${extra}`.trim(),
    title: quiet ? label : null,
    "aria-label": quiet ? label : null,
    onclick,
  };
  return make("button", attributes, name ? icon(name) : null, quiet ? null : label);
}

/**
 * One of a few choices, as buttons side by side. One of them is refused for a reason, which is said below, or none.
 * @template {string} T
 * @param {{label: string, choices: {value: T, label: string}[], value: T, onchange: (value: T) => void}} options
 * @returns {{element: HTMLElement, set: (value: T) => void, refuse: (value: T | null, why?: string) => void}}
 */
export function segmented({ label, choices, value, onchange }) {
  const name = `choice-${(groups += 1)}`;
  const inputs = choices.map((choice) =>
    make("input", {
      type: "radio",
      name,
      value: choice.value,
      onchange: () => onchange(choice.value),
    }),
  );
  const set = (/** @type {T} */ next) => {
    for (const input of inputs) input.checked = input.value === next;
  };
  set(value);
  const labels = choices.map((choice, at) => make("label", {}, inputs[at], make("span", {}, choice.label)));
  const legend = make("legend", {}, label);
  const reason = make("p", { class: "note", id: `${name}-reason` });
  const refuse = (/** @type {T | null} */ refused, why = "") => {
    reason.textContent = why;
    for (const input of inputs) {
      input.disabled = input.value === refused;
      if (input.disabled) input.setAttribute("aria-describedby", reason.id);
      else input.removeAttribute("aria-describedby");
    }
  };
  return { element: make("fieldset", { class: "segmented" }, legend, make("div", {}, ...labels), reason), set, refuse };
}

let groups = 0;

/**
 * A field with its label, and a unit behind it.
 * @param {string} label
 * @param {HTMLInputElement | HTMLSelectElement | HTMLOutputElement} control
 * @param {string} [unit]
 */
export function field(label, control, unit) {
  return make(
    "label",
    { class: "field" },
    make("span", { class: "field-label" }, label),
    make("span", { class: "field-control" }, control, unit ? make("span", { class: "unit" }, unit) : null),
  );
}

/**
 * A number that can be typed; what is no number is marked and not passed on.
 * @param {{value?: number | null, min?: number, max?: number, label?: string, placeholder?: string,
 *   onchange: (value: number | null) => void}} options `label` where there is no label beside it; an
 *   empty field is null
 * @returns {HTMLInputElement & {show: (value: number | null | undefined) => void}}
 */
export function numberInput({ value, min = -Infinity, max = Infinity, label, placeholder, onchange }) {
  const input = make("input", {
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    spellcheck: "false",
    class: "number",
    placeholder,
    "aria-label": label,
    onchange: () => {
      const text = input.value.trim();
      const number = text === "" ? null : Number(text);
      const good = number === null || (Number.isFinite(number) && number >= min && number <= max);
      input.setAttribute("aria-invalid", String(!good));
      if (good) onchange(number);
    },
  });
  const show = (/** @type {number | null | undefined} */ next) => {
    input.value = next === null || next === undefined ? "" : String(next);
    input.removeAttribute("aria-invalid");
  };
  show(value);
  return Object.assign(input, { show });
}

/**
 * Names with values below each other.
 * @param {[string, Child | Child[]][]} rows
 */
export function facts(rows) {
  const cells = rows.flatMap(([name, value]) => [
    make("dt", {}, name),
    make("dd", {}, ...(Array.isArray(value) ? value : [value])),
  ]);
  return make("dl", { class: "facts" }, ...cells);
}

/**
 * A part of a panel under a heading.
 * @param {string} title
 * @param {...Child} children
 */
export function section(title, ...children) {
  return make("section", { class: "section" }, make("h3", {}, title), ...children);
}

/**
 * What is shown where there is nothing yet: what it is, and what to do.
 * @param {string} title
 * @param {string} what
 * @param {...Child} actions
 */
export function empty(title, what, ...actions) {
  return make("div", { class: "empty" }, make("h3", {}, title), make("p", {}, what), ...actions);
}
