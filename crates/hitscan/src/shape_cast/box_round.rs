//! A moving axis-aligned box against a sphere or a capsule: the first contact of convex shapes.
//!
//! Nothing is decided here. The box is a core like any other, so that a cast has the same answer whichever
//! way it takes: alone, in a world, and with [`Overlaps::Leave`](super::Overlaps::Leave).

use super::{AabbCast, PairHit};
use crate::convex::{Convex, Meeting, first_contact};
use crate::{Aabb, Capsule, Sphere};

impl Sphere {
    /// The first hit of a moving box with this solid sphere, or `None`.
    ///
    /// The box hits the sphere at the first t from 0 to 1 at which its distance from the center is
    /// the radius, as long as it still comes closer there: a box that touches and parts, or only
    /// grazes the sphere, does not hit it. It overlaps at the start where the distance is less than
    /// the radius. The normal is the sphere's, at the point that is touched.
    ///
    /// # Accuracy
    /// Every decision is exact, and `t` is the exact time rounded once.
    ///
    /// ```
    /// use hitscan::{Aabb, Sphere, glam::Vec3, shape_cast::AabbCast};
    /// let unit = Aabb::new([0.0; 3], [1.0; 3])?;
    /// let cast = AabbCast::new(unit, [8.0, 0.0, 0.0])?;
    /// let hit = Sphere::new([7.0, 0.5, 0.5], 2.0)?.cast_aabb(&cast).expect("in the way");
    /// assert_eq!((hit.t, hit.normal), (0.5, Vec3::NEG_X));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn cast_aabb(&self, cast: &AabbCast) -> Option<PairHit> {
        first_hit(&Convex::from(self), &self.bounds(), cast)
    }
}

impl Capsule {
    /// The first hit of a moving box with this solid capsule, or `None`; the rules are those of
    /// [`Sphere::cast_aabb`](crate::Sphere::cast_aabb) with the distance from the segment.
    ///
    /// ```
    /// use hitscan::{Aabb, Capsule, glam::Vec3, shape_cast::AabbCast};
    /// let unit = Aabb::new([0.0; 3], [1.0; 3])?;
    /// let guard = Capsule::new([7.0, 0.0, 0.5], [7.0, 5.0, 0.5], 2.0)?;
    /// let cast = AabbCast::new(unit, [8.0, 0.0, 0.0])?;
    /// let hit = guard.cast_aabb(&cast).expect("in the way");
    /// assert_eq!((hit.t, hit.normal), (0.5, Vec3::NEG_X));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn cast_aabb(&self, cast: &AabbCast) -> Option<PairHit> {
        first_hit(&Convex::from(self), &self.bounds(), cast)
    }
}

fn first_hit(obstacle: &Convex, bounds: &Aabb, cast: &AabbCast) -> Option<PairHit> {
    cast.earliest_floor(bounds.min().as_dvec3(), bounds.max().as_dvec3())?;
    let shape = Convex::from(&cast.start);
    Some(
        match first_contact(obstacle, &shape, cast.motion.as_dvec3())? {
            Meeting::Overlap => PairHit::OVERLAP,
            Meeting::Contact(contact) => PairHit {
                t: contact.t(),
                normal: contact.normal(),
                start: super::ImpactStart::Separate,
            },
        },
    )
}
