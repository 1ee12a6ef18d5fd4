//! The tiles of a picture that differ from what a page shows, side by side in one picture.

use std::ops::Range;

/// The width and height of a tile, pixels.
pub(super) const TILE: [u16; 2] = [64, 16];

/// A picture as a page shows it once it has drawn what was sent.
pub(super) struct OnPage {
    size: [usize; 2],
    /// 8-bit sRGB, red, green and blue of each pixel, row by row.
    codes: Vec<u8>,
}

/// Tiles that a page has to draw.
pub(super) struct Changes {
    /// Their numbers, row by row from the upper left.
    pub(super) tiles: Vec<u16>,
    /// The size of the picture of them: as many tiles a row as the whole picture has, or all.
    pub(super) size: [u32; 2],
    /// Its pixels; what of a tile is beyond the edge of the whole picture is black.
    pub(super) codes: Vec<u8>,
}

impl OnPage {
    /// A picture that is shown as a whole. There is a code for each channel of each pixel.
    pub(super) fn new(size: [u32; 2], codes: Vec<u8>) -> Self {
        Self {
            size: size.map(|side| side as usize),
            codes,
        }
    }

    /// Takes over the tiles of a picture of this size in which a code differs by more than `tolerance`.
    pub(super) fn take(&mut self, codes: &[u8], tolerance: u8) -> Changes {
        let [columns, rows] = self.tiles();
        let mut tiles = Vec::new();
        for number in 0..columns * rows {
            let differs = |range: Range<usize>| {
                let pairs = self.codes[range.clone()].iter().zip(&codes[range]);
                pairs.fold(0, |most, (a, b)| most.max(a.abs_diff(*b))) > tolerance
            };
            if self.rows_of(number).any(differs) {
                tiles.push(number);
            }
        }
        for number in &tiles {
            for range in self.rows_of(*number) {
                self.codes[range.clone()].copy_from_slice(&codes[range]);
            }
        }
        self.changes(tiles)
    }

    /// Whether these are all tiles.
    pub(super) fn is_all(&self, changes: &Changes) -> bool {
        let [columns, rows] = self.tiles();
        changes.tiles.len() == columns * rows
    }

    /// How many tiles there are in a row and in a column.
    fn tiles(&self) -> [usize; 2] {
        let [width, height] = self.size;
        [
            width.div_ceil(TILE[0].into()),
            height.div_ceil(TILE[1].into()),
        ]
    }

    /// Where the rows of a tile's pixels are.
    fn rows_of(&self, tile: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let [width, height] = self.size;
        let [columns, _] = self.tiles();
        let [across, down] = TILE.map(usize::from);
        let (x, y) = (tile % columns * across, tile / columns * down);
        let end = (x + across).min(width);
        (y..(y + down).min(height)).map(move |row| 3 * (row * width + x)..3 * (row * width + end))
    }

    /// The picture of these tiles.
    fn changes(&self, tiles: Vec<usize>) -> Changes {
        let [across, down] = TILE.map(usize::from);
        let columns = tiles.len().min(self.tiles()[0]);
        let size = [
            columns * across,
            tiles.len().div_ceil(columns.max(1)) * down,
        ];
        let mut codes = vec![0; 3 * size[0] * size[1]];
        for (place, tile) in tiles.iter().enumerate() {
            let (x, y) = (place % columns * across, place / columns * down);
            for (row, range) in (y..).zip(self.rows_of(*tile)) {
                let start = 3 * (row * size[0] + x);
                codes[start..start + range.len()].copy_from_slice(&self.codes[range]);
            }
        }
        // A view has at most 3,686,400 rays, and so fewer than 65,536 tiles.
        let number = |tile| u16::try_from(tile).unwrap_or(u16::MAX);
        Changes {
            tiles: tiles.into_iter().map(number).collect(),
            size: size.map(|side| u32::try_from(side).unwrap_or(u32::MAX)),
            codes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws changes as a page does, pixel by pixel.
    fn draw(shown: &mut [u8], [width, height]: [u32; 2], changes: &Changes) {
        let [across, down] = TILE.map(u32::from);
        let columns = width.div_ceil(across);
        for (place, tile) in (0..).zip(&changes.tiles) {
            let tile = u32::from(*tile);
            for y in 0..down {
                for x in 0..across {
                    let to = [tile % columns * across + x, tile / columns * down + y];
                    let drawn = changes.size[0] / across;
                    let from = [place % drawn * across + x, place / drawn * down + y];
                    if to[0] < width && to[1] < height {
                        let [from, to] = [(from, changes.size[0]), (to, width)]
                            .map(|([x, y], width)| 3 * (y * width + x) as usize);
                        shown[to..to + 3].copy_from_slice(&changes.codes[from..from + 3]);
                    }
                }
            }
        }
    }

    #[test]
    fn what_a_page_draws_is_the_picture() {
        for size in [[1, 1], [64, 16], [65, 17], [300, 50], [7, 200]] {
            let count = 3 * size[0] * size[1];
            let before: Vec<u8> = (0..count).map(|at: u32| at.to_le_bytes()[0]).collect();
            let mut now = before.clone();
            // Some pixels of some tiles, those of the last one among them.
            for at in (0..now.len()).step_by(4001).chain([now.len() - 1]) {
                now[at] = now[at].wrapping_add(9);
            }
            let mut page = before.clone();
            let mut shown = OnPage::new(size, before);
            let changes = shown.take(&now, 0);
            draw(&mut page, size, &changes);
            assert_eq!(page, now, "{size:?}");
            assert_eq!(shown.codes, now);
            assert_eq!(shown.is_all(&changes), size[0] <= 64 && size[1] <= 16);
            let none = shown.take(&now, 0);
            assert!(none.tiles.is_empty() && none.codes.is_empty());
        }
    }

    #[test]
    fn only_tiles_that_changed_are_there() {
        let size = [200, 40];
        let before = vec![100; 3 * 200 * 40];
        let mut shown = OnPage::new(size, before.clone());
        let mut now = before;
        // Row 20, column 70: the second tile of the second row.
        now[3 * (20 * 200 + 70) + 1] = 97;
        let changes = shown.take(&now, 3);
        assert!(changes.tiles.is_empty(), "by no more than 3");
        let changes = shown.take(&now, 2);
        assert_eq!((changes.tiles, changes.size), (vec![5], [64, 16]));
    }
}
