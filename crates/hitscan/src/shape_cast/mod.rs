//! The moving box: when a box that moves in a straight line first meets one box, turned box,
//! sphere, capsule or triangle, exactly.
//!
//! One file a pair of shapes; none knows of trees, terrain or worlds, which ask these functions
//! for each candidate; `box_pairs.rs` and `pair_times.rs` ask `box_box.rs` many times at once, and
//! `impacts_of.rs` finds all pairs of moving boxes that meet. Read `time_span.rs` next: the
//! separating-axis test in time, which boxes and triangles share.

mod box_box;
mod box_motions;
mod box_capsule;
mod box_capsule_gap;
mod box_obb;
mod box_pairs;
mod box_sphere;
mod box_sphere_gap;
mod box_triangle;
mod box_triangle_exact;
mod meeting;
mod impacts;
mod pair_rows;
mod pair_set;
mod pair_times;
mod pair_verdicts;
mod time_span;

pub use box_box::box_box;
pub use box_capsule::box_capsule;
pub use box_motions::box_motions;
pub use box_obb::box_obb;
pub use box_pairs::{box_pairs, box_pairs_into};
pub use box_sphere::box_sphere;
pub use box_triangle::box_triangle;
pub use impacts::{Impact, impacts_of};
pub use pair_set::BoxPairs;
pub use pair_times::{box_pair_times, box_pair_times_into};

use crate::{Aabb, Error};
use glam::{DVec3, Vec3};

/// A box that moves by `motion` while t goes from 0 to 1. The motion may be zero.
///
/// ```
/// use hitscan::{Aabb, sweep};
/// let crate_box = Aabb::new([0.0; 3], [1.0; 3])?;
/// let sliding = shape_cast::BoxMotion::new(crate_box, [4.0, 0.0, 0.0])?;
/// let wall = Aabb::new([3.0, -1.0, -1.0], [4.0, 2.0, 2.0])?;
/// let contact = shape_cast::box_box(&sliding, &wall).expect("the wall stands in the way");
/// assert_eq!((contact.t, contact.normal.x), (0.5, -1.0));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoxMotion {
    start: Aabb,
    motion: Vec3,
}

impl BoxMotion {
    /// The box `start`, moving by `motion`, metres.
    ///
    /// # Errors
    /// [`Error::NotFinite`] when a component of the motion is NaN or infinite.
    pub fn new(start: Aabb, motion: impl Into<Vec3>) -> Result<Self, Error> {
        let motion = motion.into();
        for component in motion.to_array() {
            if !component.is_finite() {
                return Err(Error::NotFinite {
                    what: "box motion",
                    found: f64::from(component),
                });
            }
        }
        Ok(Self { start, motion })
    }

    /// The box at t = 0.
    #[must_use]
    pub fn start(&self) -> Aabb {
        self.start
    }

    /// How far the box goes while t goes from 0 to 1, metres.
    #[must_use]
    pub fn motion(&self) -> Vec3 {
        self.motion
    }

    /// The box at `t`, rounded to f32; a t outside 0 to 1 counts as the nearer end, NaN as 0.
    ///
    /// At a contact's t it may stand a rounding inside the obstacle, where the next sweep says
    /// [`StartState::Overlap`]: stop a little before, by what the game's units allow.
    #[must_use]
    pub fn at(&self, t: f32) -> Aabb {
        let t = if t.is_nan() { 0.0 } else { t.clamp(0.0, 1.0) };
        let moved = self.motion.as_dvec3() * f64::from(t);
        let corner = |corner: Vec3| (corner.as_dvec3() + moved).as_vec3();
        Aabb::from_ordered(corner(self.start.min()), corner(self.start.max()))
    }

    /// A box around all that the moving box passes through, rounded outward.
    #[must_use]
    pub fn swept_bounds(&self) -> Aabb {
        let (min, max) = (self.start.min().as_dvec3(), self.start.max().as_dvec3());
        let motion = self.motion.as_dvec3();
        let ends = [min, max, min + motion, max + motion];
        Aabb::around_f64(ends).unwrap_or(self.start)
    }

    /// A t before which nothing inside `bounds` is met, or `None` where nothing inside is ever met.
    ///
    /// For walking trees: it never exceeds the reported `t` of a contact with a shape inside
    /// `bounds`, and costs a few f64 operations.
    #[must_use]
    pub fn earliest_t(&self, bounds: &Aabb) -> Option<f32> {
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        for axis in 0..3 {
            let spans = box_box::project(self, bounds, axis).enclose()?;
            enter = enter.max(spans.enter.low);
            leave = leave.min(spans.leave.high);
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "rounding is monotone, so it keeps the order with a contact's rounded t"
        )]
        (enter <= leave).then_some(enter as f32)
    }
}

/// How the box and the obstacle stood to each other at t = 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StartState {
    /// They were apart or only touched, and met on the way: status `hit`.
    Separate,
    /// The box's interior met the obstacle already: status `overlap`.
    Overlap,
}

/// The first contact of a moving box with an obstacle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// When they meet, from 0 to 1: the exact time rounded once to the nearest f32; never -0.
    pub t: f32,
    /// The obstacle's unit normal there, against the motion; zero for [`StartState::Overlap`].
    pub normal: Vec3,
    /// How the two stood at the start.
    pub start: StartState,
}

impl Contact {
    /// The answer for a box that overlaps the obstacle at the start.
    const OVERLAP: Self = Self {
        t: 0.0,
        normal: Vec3::ZERO,
        start: StartState::Overlap,
    };

    /// The contact at `t` with the normal along `direction`, which must not vanish.
    fn hit(t: f32, direction: DVec3) -> Self {
        // Scaling first keeps the squares of tiny and huge components inside f64. Adding zero
        // turns -0 into +0.
        let scaled = direction / direction.abs().max_element();
        let normal = scaled / scaled.length_squared().sqrt() + DVec3::ZERO;
        Self {
            t,
            normal: normal.as_vec3() + Vec3::ZERO,
            start: StartState::Separate,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_motion_must_be_finite() {
        let unit = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
        for bad in [f32::NAN, f32::INFINITY] {
            assert!(matches!(
                BoxMotion::new(unit, [0.0, bad, 0.0]),
                Err(Error::NotFinite { .. })
            ));
        }
    }

    #[test]
    fn swept_bounds_hold_both_ends() {
        let unit = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
        let moving = BoxMotion::new(unit, [2.0, -3.0, 0.0]).unwrap();
        let expected = Aabb::new([0.0, -3.0, 0.0], [3.0, 1.0, 1.0]).unwrap();
        assert_eq!(moving.swept_bounds(), expected);
    }
}
