//! The query: a shape and how far it is translated.

use super::aabb_cast::{AabbCast, check_motion};
use crate::shape::aabb::Aabb;
use crate::{Capsule, Cylinder, Error, Obb, Primitive, Sphere};
use glam::{DAffine3, Vec3};

/// A shape that is translated in a straight line while t goes from 0 to 1; it does not turn. The motion
/// may be zero.
///
/// The shape is a [`Sphere`], [`Aabb`], [`Obb`], [`Capsule`], [`Cylinder`] or [`ConvexHull`](crate::ConvexHull). What it hits first is the answer of
/// `cast_shape`, which every shape, terrain, mesh, posed model and world has.
///
/// ```
/// use hitscan::{Aabb, Capsule, ShapeCast};
/// let guard = Capsule::new([0.0, 0.5, 0.0], [0.0, 1.5, 0.0], 0.5)?;
/// let walking = ShapeCast::new(guard, [4.0, 0.0, 0.0])?;
/// let wall = Aabb::new([2.5, -1.0, -1.0], [4.0, 2.0, 2.0])?;
/// let hit = wall.cast_shape(&walking, ()).expect("the wall is in the way");
/// assert_eq!((hit.t, hit.normal.x), (0.5, -1.0));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct ShapeCast {
    shape: Primitive,
    motion: Vec3,
    overlaps: InitialOverlap,
    is_empty: bool,
}

/// What becomes of overlaps at the start of a motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum InitialOverlap {
    /// It is stopped there, with [`StartState::Overlap`](super::StartState::Overlap) and no normal.
    #[default]
    Stop,
    /// It may escape: a triangle or solid that it overlaps at the start stops it only where the motion
    /// leads deeper, against the way out, and then at t = 0 with the way out as the normal. Else that
    /// triangle or solid is ignored for this motion, and so are the triangles that continue its surface
    /// across flat or concave edges.
    Escape,
}

impl ShapeCast {
    /// The shape at t = 0, which has moved by `motion`, metres, at t = 1. It stops at what it overlaps
    /// at the start ([`InitialOverlap::Stop`]).
    ///
    /// # Errors
    /// [`Error::NotFinite`] when a component of the motion is NaN or infinite.
    pub fn new(shape: impl Into<Primitive>, motion: impl Into<Vec3>) -> Result<Self, Error> {
        Self::checked(shape.into(), motion.into())
    }

    fn checked(shape: Primitive, motion: Vec3) -> Result<Self, Error> {
        check_motion(motion)?;
        Ok(Self {
            shape,
            motion,
            overlaps: InitialOverlap::Stop,
            is_empty: false,
        })
    }

    /// As [`ShapeCast::new`], for game loops: where that is an error the cast is empty and hits nothing, not
    /// even what the shape overlaps.
    pub fn new_or_empty(shape: impl Into<Primitive>, motion: impl Into<Vec3>) -> Self {
        let (shape, motion) = (shape.into(), motion.into());
        let is_empty = !motion.is_finite();
        Self {
            shape,
            motion: if is_empty { Vec3::ZERO } else { motion },
            overlaps: InitialOverlap::Stop,
            is_empty,
        }
    }

    /// Whether the cast hits nothing, because its motion was not finite.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// The same motion, with what the shape overlaps at the start treated like this.
    pub fn with_initial_overlap(mut self, overlaps: InitialOverlap) -> Self {
        self.overlaps = overlaps;
        self
    }

    /// The shape at t = 0.
    #[must_use]
    pub fn shape(&self) -> &Primitive {
        &self.shape
    }

    /// How far the shape moves while t goes from 0 to 1, metres.
    #[must_use]
    pub fn motion(&self) -> Vec3 {
        self.motion
    }

    /// What the shape does with what it overlaps at the start.
    #[must_use]
    pub fn initial_overlap(&self) -> InitialOverlap {
        self.overlaps
    }

    /// The shape at `t`, rounded to f32; a t outside 0 to 1 counts as the nearer end, NaN as 0. Where
    /// that is beyond the range of shapes, it is the shape at the start.
    ///
    /// At a hit's t it may overlap the obstacle by a rounding, where the next cast answers
    /// [`StartState::Overlap`](super::StartState::Overlap): stop a little before, by what the
    /// game's units allow, or let it escape ([`InitialOverlap::Escape`]).
    #[must_use]
    pub fn at(&self, t: f32) -> Primitive {
        let t = if t.is_nan() { 0.0 } else { t.clamp(0.0, 1.0) };
        let moved = self.motion.as_dvec3() * f64::from(t);
        let place = |at: Vec3| (at.as_dvec3() + moved).as_vec3();
        match &self.shape {
            Primitive::Sphere(sphere) => Sphere::new(place(sphere.center()), sphere.radius())
                .map_or_else(|_| self.shape.clone(), Primitive::from),
            Primitive::Aabb(aabb) => {
                Aabb::from_ordered(place(aabb.min()), place(aabb.max())).into()
            }
            Primitive::Obb(obb) => Obb::new(place(obb.center()), obb.half_size(), obb.rotation())
                .map_or_else(|_| self.shape.clone(), Primitive::from),
            Primitive::Capsule(capsule) => {
                let (a, b) = (place(capsule.a()), place(capsule.b()));
                Capsule::new(a, b, capsule.radius())
                    .map_or_else(|_| self.shape.clone(), Primitive::from)
            }
            Primitive::Cylinder(cylinder) => {
                let (a, b) = (place(cylinder.a()), place(cylinder.b()));
                Cylinder::new(a, b, cylinder.radius())
                    .map_or_else(|_| self.shape.clone(), Primitive::from)
            }
            Primitive::ConvexHull(hull) => {
                let place = DAffine3 {
                    translation: hull.transform().translation + moved,
                    ..*hull.transform()
                };
                hull.placed(&place)
                    .map_or_else(|_| self.shape.clone(), Primitive::from)
            }
        }
    }

    /// A box around all that the shape passes through, rounded outward.
    #[must_use]
    pub fn swept_bounds(&self) -> Aabb {
        let start = self.start_bounds();
        let (min, max) = (start.min().as_dvec3(), start.max().as_dvec3());
        let motion = self.motion.as_dvec3();
        let ends = [min, max, min + motion, max + motion];
        Aabb::around_f64(ends).unwrap_or(start)
    }

    /// A box around the shape at t = 0, rounded outward.
    pub(crate) fn start_bounds(&self) -> Aabb {
        self.shape.bounds()
    }

    /// The moving box that the moving shape stays in, or is.
    pub(crate) fn moving_bounds(&self) -> AabbCast {
        AabbCast {
            start: self.start_bounds(),
            motion: self.motion,
        }
    }
}

impl From<AabbCast> for ShapeCast {
    fn from(cast: AabbCast) -> Self {
        Self {
            shape: cast.start.into(),
            motion: cast.motion,
            overlaps: InitialOverlap::Stop,
            is_empty: false,
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
                ShapeCast::new(unit, [0.0, bad, 0.0]),
                Err(Error::NotFinite { .. })
            ));
        }
    }

    #[test]
    fn swept_bounds_hold_both_ends() {
        let unit = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
        let moving = ShapeCast::new(unit, [2.0, -3.0, 0.0]).unwrap();
        let expected = Aabb::new([0.0, -3.0, 0.0], [3.0, 1.0, 1.0]).unwrap();
        assert_eq!(moving.swept_bounds(), expected);
    }
}
