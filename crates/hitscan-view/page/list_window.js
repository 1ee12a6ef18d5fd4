/** Which rows of a long list are to be drawn, and where. */

/** How many rows above and below what is seen are drawn too, so that scrolling shows no gap. */
const MARGIN_ROWS = 8;

/**
 * The rows to draw.
 * @param {{count: number, rowHeight: number, scrollTop: number, height: number}} list all but the count in pixels
 * @returns {{first: number, end: number}} end is after the last
 */
export function windowOf({ count, rowHeight, scrollTop, height }) {
  const first = Math.floor(Math.max(scrollTop, 0) / rowHeight) - MARGIN_ROWS;
  const end = Math.ceil((Math.max(scrollTop, 0) + height) / rowHeight) + MARGIN_ROWS;
  return { first: Math.max(Math.min(first, count - 1), 0), end: Math.min(Math.max(end, 0), count) };
}

/**
 * Where to scroll so that a row is seen, and no farther than needed.
 * @param {{rowHeight: number, scrollTop: number, height: number, row: number}} list
 * @returns {number}
 */
export function scrollToRow({ rowHeight, scrollTop, height, row }) {
  const top = row * rowHeight;
  if (top < scrollTop) return top;
  const least = top + rowHeight - height;
  return least > scrollTop ? least : scrollTop;
}

/**
 * The row that a key leads to, or null where the key is none of a list's.
 * @param {string} key
 * @param {number} row
 * @param {number} count
 * @param {number} page rows
 * @returns {number | null}
 */
export function rowOfKey(key, row, count, page) {
  const moves = /** @type {Record<string, number>} */ ({
    ArrowUp: row - 1,
    ArrowDown: row + 1,
    PageUp: row - page,
    PageDown: row + page,
    Home: 0,
    End: count - 1,
  });
  const to = moves[key];
  return to === undefined || count === 0 ? null : Math.min(Math.max(to, 0), count - 1);
}
