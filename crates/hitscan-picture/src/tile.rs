//! The parts in which a picture is painted: passes over all of it, and tiles of a pass.

use crate::outline::Seen;
use crate::pixel_rect::PixelRect;
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

/// A tile of a pass with its rays cast, for a [`Film`](crate::Film).
#[derive(Debug, Clone)]
pub struct PaintedTile {
    pub(crate) pass: Pass,
    pub(crate) rect: PixelRect,
    pub(crate) content: Content,
    /// The surface that each pixel's ray hit, where outlines are drawn.
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
