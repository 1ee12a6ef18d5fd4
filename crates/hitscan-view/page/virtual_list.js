/** A list of any length, of which only the rows that are seen are elements. */

import { make } from "./elements.js";
import { rowOfKey, scrollToRow, windowOf } from "./list_window.js";

/**
 * @typedef {object} Rows
 * @property {string} label
 * @property {"listbox" | "tree"} role
 * @property {string} [class]
 * @property {(row: number) => HTMLElement} draw an element with the role `option` or `treeitem`
 * @property {(row: number) => void} onselect by click and by key
 * @property {(key: string, row: number) => boolean} [onkey] other keys; true where one is used up
 *
 * @typedef {ReturnType<typeof virtualList>} VirtualList
 */

let lists = 0;

/**
 * Each row is as high as `--row` of its class says, so that text may be 200 % large.
 * @param {Rows} rows
 */
export function virtualList({ label, role, class: extra = "", draw, onselect, onkey }) {
  const id = `rows-${(lists += 1)}`;
  const body = make("div", { class: "rows-body", role: "presentation" });
  const element = make("div", { class: `rows ${extra}`, role, tabindex: "0", "aria-label": label }, body);
  let count = 0;
  let selected = -1;

  const rowHeight = () => parseFloat(getComputedStyle(body).lineHeight) || 40;

  function redraw() {
    const height = rowHeight();
    body.style.height = `${count * height}px`;
    const seen = { count, rowHeight: height, scrollTop: element.scrollTop, height: element.clientHeight };
    const { first, end } = windowOf(seen);
    const drawn = [];
    for (let row = first; row < end; row += 1) drawn.push(place(row, height));
    body.replaceChildren(...drawn);
    if (selected >= first && selected < end) element.setAttribute("aria-activedescendant", `${id}-${selected}`);
    else element.removeAttribute("aria-activedescendant");
  }

  /** @param {number} row @param {number} height */
  function place(row, height) {
    const one = draw(row);
    one.id = `${id}-${row}`;
    one.classList.add("row");
    one.setAttribute("aria-selected", String(row === selected));
    if (role === "listbox") {
      one.setAttribute("aria-posinset", String(row + 1));
      one.setAttribute("aria-setsize", String(count));
    }
    one.style.transform = `translateY(${row * height}px)`;
    one.addEventListener("click", (event) => {
      if (event.target instanceof Element && event.target.closest("button, input")) return;
      onselect(row);
    });
    return one;
  }

  element.addEventListener("scroll", redraw, { passive: true });
  new ResizeObserver(redraw).observe(element);
  element.addEventListener("keydown", (event) => {
    if (event.target !== element || event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(Math.floor(element.clientHeight / rowHeight()) - 1, 1);
    const to = rowOfKey(event.key, selected, count, page);
    if (to !== null) onselect(to);
    else if (!onkey?.(event.key, selected)) return;
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    element,
    /**
     * Draws so many rows anew.
     * @param {number} rows
     * @param {number} [chosen] the selected one, -1 for none
     */
    show(rows, chosen = selected) {
      count = rows;
      selected = chosen;
      element.hidden = count === 0;
      redraw();
    },
    /**
     * Selects a row and scrolls it into view.
     * @param {number} row
     */
    select(row) {
      selected = row;
      if (row >= 0) {
        const { scrollTop, clientHeight: height } = element;
        element.scrollTop = scrollToRow({ rowHeight: rowHeight(), scrollTop, height, row });
      }
      redraw();
    },
  };
}
