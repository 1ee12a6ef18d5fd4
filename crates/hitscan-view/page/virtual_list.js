/** A list of any length, of which only the rows that are seen are elements. */

import { make } from "./elements.js";
import { rowOfKey, scrollToRow, windowOf } from "./list_window.js";

let lists = 0;

/**
 * Each row is as high as `--row` of its class says, so that text may be 200 % large.
 * @param {object} rows
 * @param {string} rows.label
 * @param {"listbox" | "tree"} rows.role
 * @param {string} rows.class
 * @param {(row: number) => HTMLElement} rows.draw an element with the role `option` or `treeitem`
 * @param {(row: number) => void} rows.onselect by click and by key
 * @param {(key: string, row: number) => boolean} [rows.onkey] other keys; true where one is used up
 */
export function virtualList({ label, role, class: name, draw, onselect, onkey }) {
  const id = `rows-${(lists += 1)}`;
  const body = make("div", { class: "rows-body", role: "presentation" });
  const element = make("div", { class: `rows ${name}`, role, tabindex: "0", "aria-label": label }, body);
  let count = 0;
  let selected = -1;
  const rowHeight = () => parseFloat(getComputedStyle(body).lineHeight) || 40;
  const place = () => ({ rowHeight: rowHeight(), scrollTop: element.scrollTop, height: element.clientHeight });

  function redraw() {
    const at = place();
    body.style.height = `${count * at.rowHeight}px`;
    const { first, end } = windowOf({ ...at, count });
    const drawn = Array.from({ length: end - first }, (_, i) => drawRow(first + i, at.rowHeight));
    body.replaceChildren(...drawn);
    if (selected >= first && selected < end) element.setAttribute("aria-activedescendant", `${id}-${selected}`);
    else element.removeAttribute("aria-activedescendant");
  }

  /** @param {number} row @param {number} height */
  function drawRow(row, height) {
    const one = draw(row);
    one.id = `${id}-${row}`;
    one.classList.add("row");
    one.setAttribute("aria-selected", String(row === selected));
    if (role === "listbox") {
      one.setAttribute("aria-posinset", String(row + 1));
      one.setAttribute("aria-setsize", String(count));
    }
    one.style.transform = `translateY(${row * height}px)`;
    one.addEventListener("click", ({ target }) => {
      if (target instanceof Element && !target.closest("button")) onselect(row);
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
    /** Draws so many rows anew. @param {number} rows @param {number} [chosen] the selected one, -1 for none */
    show(rows, chosen = selected) {
      count = rows;
      selected = chosen;
      element.hidden = count === 0;
      redraw();
    },
    /** Selects a row and scrolls it into view. @param {number} row */
    select(row) {
      selected = row;
      if (row >= 0) element.scrollTop = scrollToRow({ ...place(), row });
      redraw();
    },
  };
}
