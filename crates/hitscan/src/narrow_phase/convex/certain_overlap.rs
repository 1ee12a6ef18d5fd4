//! The shortest way of a box out of a triangle where f64 is certain of it: small, since contacts are made of
//! it only where they are needed.

use super::separating_axes::Axis;
use super::way_out::PenetrationAxis;
use crate::exact::expansion::UNIT_ROUNDOFF;
use core::cmp::Ordering;
use glam::DVec3;

/// More than what underflow takes from a scalar product: 2^-1075 from each of its three products.
const UNDERFLOW: f64 = 1e-290;

/// What the filter finds.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Filtered {
    /// An axis parts the two.
    Apart,
    /// They overlap, or touch on the way out.
    Overlap(CertainOverlap),
    Unsure,
}

/// The shortest way out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CertainOverlap {
    pub(super) way: PenetrationAxis,
    /// Whether they overlap (`Less`) or touch (`Equal`).
    pub(crate) status: Ordering,
    /// An enclosure of its length; one number where that is known exactly.
    pub(super) depth: [f64; 2],
    /// The direction, of any length, and how far each component may be off: not at all along x, y or z.
    pub(super) direction: DVec3,
    pub(super) error: f64,
    /// Along x, y or z how far the triangle extends that way.
    pub(super) end: f64,
}

impl CertainOverlap {
    /// How the separation compares with that of the same box from another triangle, where both ways lead
    /// in one direction along x, y or z: the further the triangle extends the deeper they overlap.
    pub(crate) fn compare_level(&self, other: &Self) -> Option<Ordering> {
        let are_level = self.is_level() && other.is_level() && self.direction == other.direction;
        if are_level {
            other.end.partial_cmp(&self.end)
        } else {
            None
        }
    }

    /// Compares two points along the way out, if that is along x, y or z.
    pub(crate) fn compare_along(&self, a: DVec3, b: DVec3) -> Option<Ordering> {
        if self.is_level() {
            self.direction.dot(a).partial_cmp(&self.direction.dot(b))
        } else {
            None
        }
    }

    fn is_level(&self) -> bool {
        self.error == 0.0
    }

    /// The sign of the product of the way out and a vector, if f64 is certain of it.
    pub(crate) fn sign_along(&self, vector: DVec3) -> Option<Ordering> {
        let product = self.direction.dot(vector);
        let magnitudes = self.direction.abs().dot(vector.abs());
        let sum = vector.x.abs() + vector.y.abs() + vector.z.abs();
        let error = self.error * sum + 4.0 * UNIT_ROUNDOFF * magnitudes;
        // A direction along x, y or z is exact, and so is its product's sign.
        if self.is_level() || product.abs() > 2.0 * error + UNDERFLOW {
            product.partial_cmp(&0.0)
        } else {
            None
        }
    }

    /// Whether the way out is along the triangle's normal, so that none of its corners lies further.
    pub(crate) fn is_of_the_face(&self) -> bool {
        matches!(
            self.way,
            PenetrationAxis::Along {
                axis: Axis::Obstacle(_),
                ..
            }
        )
    }

    /// An enclosure of the exact separation.
    pub(crate) fn separation(&self) -> [f64; 2] {
        // Zero is never -0.
        [0.0 - self.depth[1], 0.0 - self.depth[0]]
    }
}
