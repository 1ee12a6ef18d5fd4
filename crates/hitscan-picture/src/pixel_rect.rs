//! Rectangles of pixels, and how a picture is cut into them.

/// A rectangle of pixels; of a pass, of its blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PixelRect {
    /// The first column.
    pub x: u32,
    /// The first row.
    pub y: u32,
    /// How many columns there are.
    pub width: u32,
    /// How many rows there are.
    pub height: u32,
}

impl PixelRect {
    /// How many pixels there are.
    #[must_use]
    pub fn count(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// What of it is in a picture of this size.
    pub(crate) fn within(self, [width, height]: [u32; 2]) -> Self {
        let (x, y) = (self.x.min(width), self.y.min(height));
        Self {
            x,
            y,
            width: self.width.min(width - x),
            height: self.height.min(height - y),
        }
    }

    /// The column and row of each pixel, row by row.
    pub(crate) fn pixels(self) -> impl Iterator<Item = [u32; 2]> {
        let columns = self.x..self.x + self.width;
        (self.y..self.y + self.height).flat_map(move |y| columns.clone().map(move |x| [x, y]))
    }

    /// The column and row of each pixel, in blocks of this size: what is near comes together.
    pub(crate) fn pixels_by_block(self, size: [u32; 2]) -> impl Iterator<Item = [u32; 2]> {
        let blocks = Self::tiles([self.width, self.height], size).into_iter();
        let pixels = blocks.flat_map(Self::pixels);
        pixels.map(move |[x, y]| [self.x + x, self.y + y])
    }

    /// The number of a pixel within it, row by row.
    pub(crate) fn place_of(self, [x, y]: [u32; 2]) -> usize {
        (y - self.y) as usize * self.width as usize + (x - self.x) as usize
    }

    /// All of a picture of this size in tiles of about `side` x `side` pixels, row by row.
    pub(crate) fn tiles([width, height]: [u32; 2], side: [u32; 2]) -> Vec<Self> {
        let starts = |size: u32, side: u32| (0..size.div_ceil(side)).map(move |tile| tile * side);
        let [across, down] = side;
        let tiles = starts(height, down).flat_map(|y| {
            starts(width, across).map(move |x| Self {
                x,
                y,
                width: across.min(width - x),
                height: down.min(height - y),
            })
        });
        tiles.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_cover_a_picture_once() {
        for size in [[1, 1], [64, 32], [65, 31], [7, 200]] {
            let tiles = PixelRect::tiles(size, [64, 32]);
            let mut pixels: Vec<_> = tiles.into_iter().flat_map(PixelRect::pixels).collect();
            let count = pixels.len();
            pixels.sort_unstable();
            pixels.dedup();
            assert_eq!(pixels.len(), count);
            assert_eq!(count as u64, u64::from(size[0]) * u64::from(size[1]));
        }
    }

    #[test]
    fn blocks_have_each_pixel_once() {
        let rect = PixelRect {
            x: 3,
            y: 5,
            width: 70,
            height: 6,
        };
        let mut pixels: Vec<_> = rect.pixels_by_block([32, 4]).collect();
        assert_eq!(
            pixels[..33],
            [&*(3..35).map(|x| [x, 5]).collect::<Vec<_>>(), &[[3, 6]]].concat()
        );
        assert_eq!(pixels[128], [35, 5]);
        pixels.sort_unstable_by_key(|&pixel| rect.place_of(pixel));
        assert!(pixels.into_iter().eq(rect.pixels()));
    }

    #[test]
    fn what_is_outside_is_cut_off() {
        let rect = |x, y, width, height| PixelRect {
            x,
            y,
            width,
            height,
        };
        assert_eq!(rect(5, 0, 9, 2).within([8, 9]), rect(5, 0, 3, 2));
        assert_eq!(rect(50, 3, 9, 2).within([8, 9]).count(), 0);
        let huge = rect(0, 0, u32::MAX, u32::MAX).within([3, 2]);
        assert_eq!(huge, rect(0, 0, 3, 2));
    }
}
