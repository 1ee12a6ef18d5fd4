/** Which rows of a long list are to be drawn, and where. Pure. */

/** Rows above and below what is seen are drawn too, so that scrolling shows no gap. */
const MARGIN_ROWS = 8;

/** @typedef {{rowHeight: number, scrollTop: number, height: number}} Place pixels */

/** The rows to draw; `end` is after the last. @param {Place & {count: number}} list */
export function windowOf({ count, rowHeight, scrollTop, height }) {
  const first = Math.floor(Math.max(scrollTop, 0) / rowHeight) - MARGIN_ROWS;
  const end = Math.ceil((Math.max(scrollTop, 0) + height) / rowHeight) + MARGIN_ROWS;
  return { first: Math.max(Math.min(first, count - 1), 0), end: Math.min(Math.max(end, 0), count) };
}

/** Where to scroll so that a row is seen, and no farther than needed. @param {Place & {row: number}} list */
export function scrollToRow({ rowHeight, scrollTop, height, row }) {
  return Math.min(Math.max(scrollTop, (row + 1) * rowHeight - height), row * rowHeight);
}

/**
 * The row that a key leads to, or null where the key is none of a list's.
 * @param {string} key @param {number} row @param {number} count @param {number} page rows
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
