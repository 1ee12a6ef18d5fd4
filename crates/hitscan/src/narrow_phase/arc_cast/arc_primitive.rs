//! An arc against a solid of any kind.

use super::arc::BallisticArc;
use super::arc_round::RoundSolid;
use super::search::ArcSearch;
use crate::{Aabb, Capsule, Obb, Primitive, RayHit, Sides, Sphere, Triangle};

impl Primitive {
    /// The first hit of `arc` on the closed solid.
    ///
    /// Started strictly inside, it is hit at `t_min` with [`Side::Inside`](crate::Side::Inside); started on
    /// the boundary, there. Otherwise the hit is the first t with a point of the solid, also if it is only
    /// touched; at an edge with the normal of the first of the box's axes. With
    /// [`Sides::Front`] or [`Sides::Back`] it is the first t on the boundary that has this side.
    ///
    /// # Accuracy
    /// Against boxes, axis-aligned and oriented, every decision is exact, and t is the exact root rounded once.
    /// Against spheres and capsules the point at t lies within 2^-40 of the greatest coordinate (of the
    /// solid, and of the arc up to there) of the surface, plus what half an ulp of t moves it, and nothing
    /// deeper inside than that is passed before.
    ///
    /// ```
    /// use hitscan::{BallisticArc, Primitive, Sides, Sphere};
    /// let target = Primitive::from(Sphere::new([40.0, 0.0, 0.0], 1.0)?);
    /// // Up at 45 degrees, and back to the height of the muzzle after 4 s and 40 m.
    /// let shot = BallisticArc::new([0.0; 3], [10.0, 20.0, 0.0], [0.0, -10.0, 0.0])?;
    /// let hit = target.cast_arc(&shot, Sides::Both).unwrap();
    /// assert!((hit.t - 3.95).abs() < 0.01);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn cast_arc(&self, arc: &BallisticArc, sides: Sides) -> Option<RayHit> {
        match arc.as_ray() {
            Some(ray) => self.cast_ray(&ray, sides),
            None => ArcSearch::nearest(arc, sides).primitive_hit(self),
        }
    }
}

impl ArcSearch {
    /// The first hit on a solid that may matter.
    pub(crate) fn primitive_hit(&self, primitive: &Primitive) -> Option<RayHit> {
        let bounds = primitive.bounds();
        match primitive {
            Primitive::Aabb(aabb) => self.slabs_hit(aabb, &bounds),
            Primitive::Obb(obb) => self.slabs_hit(obb, &bounds),
            Primitive::Sphere(sphere) => self.round_hit(&RoundSolid::from(sphere), &bounds),
            Primitive::Capsule(capsule) => self.round_hit(&RoundSolid::from(capsule), &bounds),
        }
    }
}

impl From<&Sphere> for RoundSolid {
    fn from(sphere: &Sphere) -> Self {
        Self {
            segment: [sphere.center().as_dvec3(); 2],
            radius: sphere.radius(),
        }
    }
}

impl From<&Capsule> for RoundSolid {
    fn from(capsule: &Capsule) -> Self {
        Self {
            segment: capsule.segment(),
            radius: capsule.radius(),
        }
    }
}

/// The arc casts of each kind of solid, from those of [`Primitive`].
macro_rules! arc_casts {
    ($($solid:ty),*) => {$(
        impl $solid {
            /// The first hit of `arc` on the closed solid; see [`Primitive::cast_arc`].
            #[must_use]
            pub fn cast_arc(&self, arc: &BallisticArc, sides: Sides) -> Option<RayHit> {
                Primitive::from(*self).cast_arc(arc, sides)
            }
        }
    )*};
}
arc_casts!(Sphere, Aabb, Obb, Capsule);

/// The arc queries that every shape of its own has beside `cast_arc`.
macro_rules! arc_queries {
    ($($shape:ty),*) => {$(
        impl $shape {
            /// Whether `arc` hits the shape.
            #[must_use]
            pub fn cast_arc_any(&self, arc: &BallisticArc, sides: Sides) -> bool {
                self.cast_arc(arc, sides).is_some()
            }

            /// `cast_arc` for each arc, in order.
            #[must_use]
            pub fn cast_arcs(&self, arcs: &[BallisticArc], sides: Sides) -> Vec<Option<RayHit>> {
                arcs.iter().map(|arc| self.cast_arc(arc, sides)).collect()
            }

            /// `cast_arc_any` for each arc, in order.
            #[must_use]
            pub fn cast_arcs_any(&self, arcs: &[BallisticArc], sides: Sides) -> Vec<bool> {
                arcs.iter().map(|arc| self.cast_arc_any(arc, sides)).collect()
            }
        }
    )*};
}
arc_queries!(Sphere, Aabb, Obb, Capsule, Primitive, Triangle);
