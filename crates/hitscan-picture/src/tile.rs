//! The parts in which a picture is painted: passes over all of it, and tiles of a pass.

use crate::outline::Seen;
use crate::sequence::MAX_SAMPLES;
use glam::Vec3;

/// Which rays of a picture are cast together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pass {
    /// A first look in plain light: one ray through the middle of each block of `step` x `step` pixels,
    /// as far as the picture reaches. 0 counts as 1.
    Look {
        /// The side of a block, pixels.
        step: u32,
    },
    /// A sample of each pixel in the light of the options, counted from 1 to [`MAX_SAMPLES`]; where in a
    /// pixel its ray goes is a function of this number alone.
    Sample(u32),
}

impl Pass {
    /// The side of a block for which there is one ray, pixels.
    #[must_use]
    pub fn step(self) -> u32 {
        match self {
            Self::Look { step } => step.max(1),
            Self::Sample(_) => 1,
        }
    }

    /// The pass as frames number it: 0 is the first look.
    #[must_use]
    pub fn number(self) -> u32 {
        match self {
            Self::Look { .. } => 0,
            Self::Sample(number) => number,
        }
    }

    /// The pass after this one at rest; `None` after the last.
    ///
    /// ```
    /// use hitscan_picture::{MAX_SAMPLES, Pass};
    /// assert_eq!(Pass::Look { step: 1 }.next(), Some(Pass::Sample(1)));
    /// assert_eq!(Pass::Sample(MAX_SAMPLES).next(), None);
    /// ```
    #[must_use]
    pub fn next(self) -> Option<Self> {
        let next = self.number() + 1;
        (next <= MAX_SAMPLES).then_some(Self::Sample(next))
    }

    /// The width and height of the pass over a picture of this size: one for each block.
    #[must_use]
    pub fn size(self, picture: [u32; 2]) -> [u32; 2] {
        picture.map(|side| side.div_ceil(self.step()))
    }
}

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

/// A tile of a pass with its rays cast, for a [`Film`](crate::Film).
#[derive(Debug, Clone)]
pub struct PaintedTile {
    pub(crate) pass: Pass,
    pub(crate) rect: PixelRect,
    pub(crate) content: Content,
    /// What each pixel's ray met, where outlines are drawn.
    pub(crate) seen: Vec<Seen>,
    pub(crate) rays: u64,
}

/// What a tile's rays found, for each of its pixels.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    /// Tone-mapped, linear light.
    Colors(Vec<Vec3>),
    /// Boxes and triangles tested.
    Counts(Vec<u32>),
}

impl PaintedTile {
    /// The pass that it is of.
    #[must_use]
    pub fn pass(&self) -> Pass {
        self.pass
    }

    /// Where it is.
    #[must_use]
    pub fn rect(&self) -> PixelRect {
        self.rect
    }

    /// How many rays were cast for it, those towards the light too.
    #[must_use]
    pub fn rays(&self) -> u64 {
        self.rays
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
