//! An arc against a solid of any kind.

use super::arc::BallisticArc;
use super::arc_round::RoundSolid;
use super::search::ArcSearch;
use crate::{
    Aabb, Capsule, ConvexHull, Cylinder, Obb, Primitive, RayCastSettings, RayHit, Sphere, Triangle,
};

impl Primitive {
    /// The first hit of `arc` on the closed solid.
    ///
    /// Started strictly inside, it is hit at `t_min` with [`Side::Inside`](crate::Side::Inside); started
    /// on the boundary, there. Otherwise the hit is the first t with a point of the solid, also if it is
    /// only touched; at an edge with the normal of the first of the box's axes. With
    /// [`Sides::Front`](crate::Sides::Front) or [`Sides::Back`](crate::Sides::Back) it is the first t on
    /// the boundary that has this side.
    ///
    /// # Accuracy
    /// Against boxes, axis-aligned and oriented, and hulls every decision is exact, and t is the exact root
    /// rounded once. Against spheres, capsules, cylinders and rounded hulls the point at t lies within 2^-40 of the largest coordinate (of the
    /// solid, and of the arc up to there) of the surface, plus what half an ulp of t moves it, and nothing
    /// deeper inside than that is passed before.
    ///
    /// ```
    /// use hitscan::{BallisticArc, Primitive, Sphere};
    /// let target = Primitive::from(Sphere::new([40.0, 0.0, 0.0], 1.0)?);
    /// // Up at 45 degrees, and back to the height of the muzzle after 4 s and 40 m.
    /// let shot = BallisticArc::new([0.0; 3], [10.0, 20.0, 0.0], [0.0, -10.0, 0.0])?;
    /// let hit = target.cast_arc(&shot, ()).unwrap();
    /// assert!((hit.t - 3.95).abs() < 0.01);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn cast_arc(
        &self,
        arc: &BallisticArc,
        settings: impl Into<RayCastSettings>,
    ) -> Option<RayHit> {
        self.first_arc_hit(arc, settings.into())
    }

    fn first_arc_hit(&self, arc: &BallisticArc, settings: RayCastSettings) -> Option<RayHit> {
        match arc.as_ray() {
            Some(ray) => self.cast_ray(&ray, settings),
            None => ArcSearch::nearest(arc, settings).primitive_hit(self),
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
            Primitive::ConvexHull(hull) => self.hull_hit(hull, &bounds),
            Primitive::Cylinder(cylinder) => self.cylinder_hit(cylinder, &bounds),
        }
    }
}

impl From<&Sphere> for RoundSolid {
    fn from(sphere: &Sphere) -> Self {
        Self {
            segment: [sphere.wide_center(); 2],
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
            pub fn cast_arc(&self, arc: &BallisticArc, settings: impl Into<RayCastSettings>) -> Option<RayHit> {
                Primitive::from(self.clone()).cast_arc(arc, settings)
            }
        }
    )*};
}
arc_casts!(Sphere, Aabb, Obb, Capsule, Cylinder, ConvexHull);

/// The arc queries that every shape of its own has beside `cast_arc`.
macro_rules! arc_queries {
    ($($shape:ty),*) => {$(
        impl $shape {
            /// Whether `arc` hits the shape.
            #[must_use]
            pub fn cast_arc_any(&self, arc: &BallisticArc, settings: impl Into<RayCastSettings>) -> bool {
                self.cast_arc(arc, settings).is_some()
            }

            /// `cast_arc` for each arc, in order.
            #[must_use]
            pub fn cast_arcs(&self, arcs: &[BallisticArc], settings: impl Into<RayCastSettings>) -> Vec<Option<RayHit>> {
                let settings = settings.into();
                arcs.iter().map(|arc| self.cast_arc(arc, settings)).collect()
            }

            /// `cast_arc_any` for each arc, in order.
            #[must_use]
            pub fn cast_arcs_any(&self, arcs: &[BallisticArc], settings: impl Into<RayCastSettings>) -> Vec<bool> {
                let settings = settings.into();
                arcs.iter().map(|arc| self.cast_arc_any(arc, settings)).collect()
            }
        }
    )*};
}
arc_queries!(
    Sphere, Aabb, Obb, Capsule, Cylinder, ConvexHull, Primitive, Triangle
);
