//! How a ray passes through a solid: where it enters, where it leaves, and what counts as a hit.
//!
//! Spheres and boxes work out their own roots; the contract of solids stands here once.

use super::hit::{Hit, Side, Sides};
use crate::Ray;
use glam::Vec3;

/// One meeting of a ray with a solid's surface, or its start inside.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SolidHit {
    /// t as the nearest f32 and in f64.
    pub(crate) t: (f32, f64),
    pub(crate) normal: Vec3,
    pub(crate) side: Side,
}

/// The meetings of a ray with a solid, in order of t.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SolidHits {
    /// In and out again; either may lie outside the ray's range.
    Through {
        entry: Option<SolidHit>,
        exit: Option<SolidHit>,
    },
    /// The surface is only touched: one hit, that counts twice among all hits.
    Touch(SolidHit),
}

impl SolidHits {
    /// The first meeting from one of `sides`.
    pub(crate) fn nearest(&self, sides: Sides) -> Option<SolidHit> {
        let [first, second] = match *self {
            Self::Through { entry, exit } => [entry, exit],
            // Among all hits a touch has both sides, so each side alone finds it.
            Self::Touch(hit) if sides == Sides::Front => [
                Some(SolidHit {
                    side: Side::Front,
                    ..hit
                }),
                None,
            ],
            Self::Touch(hit) => [Some(hit), None],
        };
        first
            .filter(|hit| sides.admits(hit.side))
            .or_else(|| second.filter(|hit| sides.admits(hit.side)))
    }

    /// All overlaps: entry and exit; a touch is one front and one back hit.
    pub(crate) fn all(self) -> impl Iterator<Item = SolidHit> {
        let both = match self {
            Self::Through { entry, exit } => [entry, exit],
            Self::Touch(hit) => {
                [Side::Front, Side::Back].map(|side| Some(SolidHit { side, ..hit }))
            }
        };
        both.into_iter().flatten()
    }
}

impl SolidHit {
    pub(crate) fn into_hit(self, ray: &Ray) -> Hit {
        Hit::new(ray, self.t, (self.normal, self.side), None)
    }
}
