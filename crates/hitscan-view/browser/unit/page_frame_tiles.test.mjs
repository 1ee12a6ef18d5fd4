// Where the tiles of a frame go, against a picture drawn pixel by pixel.
import assert from "node:assert/strict";
import { test } from "node:test";
import { tileCopies } from "../../page/frame_tiles.js";

/** @type {[number, number]} */
const TILE = [4, 2];

test("tiles that are side by side in both pictures are copied together", () => {
  // A picture of 3 tiles a row; its tiles 1, 2, 3, 5 in rows of two.
  const changes = { base: 1, tile: TILE, tiles: [1, 2, 3, 5] };
  assert.deepEqual(tileCopies(changes, 10, 8), [
    { from: [0, 0], to: [4, 0], size: [8, 2] },
    { from: [0, 2], to: [0, 2], size: [4, 2] },
    { from: [4, 2], to: [8, 2], size: [4, 2] },
  ]);
});

test("each tile comes to its place, whichever they are", () => {
  for (const width of [1, 4, 9, 16]) {
    const columns = Math.ceil(width / TILE[0]);
    for (let set = 1; set < 2 ** (3 * columns); set += 1) {
      const tiles = Array.from({ length: 3 * columns }, (_, tile) => tile).filter((tile) => set & (1 << tile));
      const row = Math.min(tiles.length, columns);
      /** @type {Map<string, number>} */
      const found = new Map();
      for (const { from, to, size } of tileCopies({ base: 1, tile: TILE, tiles }, width, row * TILE[0])) {
        for (let x = 0; x < size[0]; x += TILE[0]) {
          const place = (from[1] / TILE[1]) * row + (from[0] + x) / TILE[0];
          found.set(`${to[0] + x} ${to[1]}`, tiles[place] ?? -1);
        }
      }
      const expected = tiles.map((tile) => /** @type {[string, number]} */ ([`${(tile % columns) * TILE[0]} ${Math.floor(tile / columns) * TILE[1]}`, tile]));
      assert.deepEqual([...found].sort(), expected.sort());
    }
  }
});

test("without tiles there is nothing to copy", () => {
  assert.deepEqual(tileCopies({ base: 1, tile: TILE, tiles: [] }, 10, 0), []);
});
