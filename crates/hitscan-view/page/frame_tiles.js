/** Where the tiles of a frame that holds only what changed go. Pure. */

/** @import { Changes } from "./protocol.js" */

/**
 * A rectangle of the picture of tiles, and where it goes in the whole picture.
 * @typedef {{from: [number, number], to: [number, number], size: [number, number]}} Copy
 */

/**
 * The rectangles that are to be copied; tiles that are side by side in both pictures are one. A tile at the
 * right or the lower edge of the whole picture reaches beyond it.
 * @param {Changes} changes
 * @param {number} width of the whole picture, pixels
 * @param {number} drawn width of the picture of tiles, pixels
 * @returns {Copy[]}
 */
export function tileCopies({ tile: [across, down], tiles }, width, drawn) {
  const columns = Math.ceil(width / across);
  const row = Math.floor(drawn / across);
  /** @type {Copy[]} */
  const copies = [];
  tiles.forEach((tile, at) => {
    const last = copies.at(-1);
    const goesOn = at % row > 0 && tile % columns > 0 && tile === tiles[at - 1] + 1;
    if (last && goesOn) last.size[0] += across;
    else {
      copies.push({
        from: [(at % row) * across, Math.floor(at / row) * down],
        to: [(tile % columns) * across, Math.floor(tile / columns) * down],
        size: [across, down],
      });
    }
  });
  return copies;
}
