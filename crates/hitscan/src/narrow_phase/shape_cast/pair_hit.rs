//! The first hit of a moving box with one obstacle.

use glam::{DVec3, Vec3};

/// Whether two moving boxes overlap at t = 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ImpactStart {
    /// They are apart or only touch, and hit on the way.
    Separate,
    /// They overlap already.
    Overlap,
}

/// The first hit of a moving box with one obstacle.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairHit {
    /// When they hit, from 0 to 1: the exact time rounded once to the nearest f32; never -0.
    pub t: f32,
    /// The obstacle's unit normal there, against the motion; zero for [`ImpactStart::Overlap`].
    pub normal: Vec3,
    /// Whether the two overlap at the start.
    pub start: ImpactStart,
}

impl PairHit {
    /// The answer for a shape that overlaps the obstacle at the start.
    pub(crate) const OVERLAP: Self = Self {
        t: 0.0,
        normal: Vec3::ZERO,
        start: ImpactStart::Overlap,
    };

    /// The hit at `t` with the normal along `direction`, which must not vanish.
    pub(crate) fn at(t: f32, direction: DVec3) -> Self {
        // Scaling first keeps the squares of tiny and huge components inside f64. Adding zero
        // turns -0 into +0.
        let scaled = direction / direction.abs().max_element();
        let normal = scaled / scaled.length_squared().sqrt() + DVec3::ZERO;
        Self {
            t,
            normal: normal.as_vec3() + Vec3::ZERO,
            start: ImpactStart::Separate,
        }
    }
}
