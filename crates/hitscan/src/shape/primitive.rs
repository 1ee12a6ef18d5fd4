//! One value for any solid shape: sphere, box, oriented box, capsule, cylinder or convex hull.

use crate::{Aabb, Capsule, ConvexHull, Cylinder, Obb, Sphere};
use glam::{DVec3, Vec3};
use std::sync::Arc;

/// A solid shape of any kind.
///
/// ```
/// use hitscan::{Capsule, Ray, Primitive, Sphere};
/// let solids: [Primitive; 2] = [
///     Sphere::new([0.0, 5.0, 0.0], 2.0)?.into(),
///     Capsule::new([0.0; 3], [0.0, 1.0, 0.0], 0.5)?.into(),
/// ];
/// let ray = Ray::new([0.0, 9.0, 0.0], [0.0, -1.0, 0.0])?;
/// let t = solids.each_ref().map(|solid| solid.cast_ray(&ray, ()).map(|hit| hit.t));
/// assert_eq!(t, [Some(2.0), Some(7.5)]);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Primitive {
    /// A sphere.
    Sphere(Sphere),
    /// An axis-aligned box.
    Aabb(Aabb),
    /// An oriented box.
    Obb(Obb),
    /// A capsule.
    Capsule(Capsule),
    /// A convex hull, which is large and shared.
    ConvexHull(Arc<ConvexHull>),
    /// A cylinder.
    Cylinder(Cylinder),
}

impl Primitive {
    /// The smallest box of f32 around the solid.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        match self {
            Self::Sphere(sphere) => sphere.bounds(),
            Self::Aabb(aabb) => *aabb,
            Self::Obb(obb) => obb.bounds(),
            Self::Capsule(capsule) => capsule.bounds(),
            Self::ConvexHull(hull) => hull.bounds(),
            Self::Cylinder(cylinder) => cylinder.bounds(),
        }
    }

    /// The bytes that it holds elsewhere, which others may share.
    pub(crate) fn shared_bytes(&self) -> usize {
        match self {
            Self::ConvexHull(hull) => hull.memory_bytes(),
            Self::Sphere(_)
            | Self::Aabb(_)
            | Self::Obb(_)
            | Self::Capsule(_)
            | Self::Cylinder(_) => 0,
        }
    }

    /// As [`Primitive::contains`], of a finite point in f64, such as an [inner
    /// point](Primitive::inner_point). Solids are convex: one that holds a triangle's corners holds the
    /// triangle.
    #[must_use]
    pub fn holds(&self, point: DVec3) -> bool {
        match self {
            Self::Sphere(sphere) => sphere.holds(point),
            Self::Aabb(aabb) => {
                let (min, max) = (aabb.min().as_dvec3(), aabb.max().as_dvec3());
                min.cmple(point).all() && point.cmple(max).all()
            }
            Self::Obb(obb) => obb.holds(point),
            Self::Capsule(capsule) => capsule.compare_distance(point, 0.0).is_le(),
            Self::ConvexHull(hull) => hull.holds(point),
            Self::Cylinder(cylinder) => cylinder.compare(point).is_le(),
        }
    }

    /// A point of the solid, metres: its middle, or the first end of a capsule, or corner of a hull.
    #[must_use]
    pub fn inner_point(&self) -> DVec3 {
        match self {
            Self::Sphere(sphere) => sphere.wide_center(),
            Self::Aabb(aabb) => (aabb.min().as_dvec3() + aabb.max().as_dvec3()) * 0.5,
            Self::Obb(obb) => obb.middle(),
            Self::Capsule(capsule) => capsule.segment()[0],
            Self::ConvexHull(hull) => hull.polytope().corner(0),
            Self::Cylinder(cylinder) => {
                let [a, b] = cylinder.segment();
                (a + b) * 0.5
            }
        }
    }

    /// Whether `point` belongs to the closed solid, exactly. A point that is not finite does not.
    #[must_use]
    pub fn contains(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        point.is_finite() && self.holds(point.as_dvec3())
    }
}

impl From<Sphere> for Primitive {
    fn from(sphere: Sphere) -> Self {
        Self::Sphere(sphere)
    }
}

impl From<Aabb> for Primitive {
    fn from(aabb: Aabb) -> Self {
        Self::Aabb(aabb)
    }
}

impl From<Obb> for Primitive {
    fn from(obb: Obb) -> Self {
        Self::Obb(obb)
    }
}

impl From<Capsule> for Primitive {
    fn from(capsule: Capsule) -> Self {
        Self::Capsule(capsule)
    }
}

impl From<Cylinder> for Primitive {
    fn from(cylinder: Cylinder) -> Self {
        Self::Cylinder(cylinder)
    }
}

impl From<ConvexHull> for Primitive {
    fn from(hull: ConvexHull) -> Self {
        Self::ConvexHull(Arc::new(hull))
    }
}

impl From<Arc<ConvexHull>> for Primitive {
    fn from(hull: Arc<ConvexHull>) -> Self {
        Self::ConvexHull(hull)
    }
}

impl From<&Primitive> for Primitive {
    /// A copy, which is cheap: what is large is shared.
    fn from(solid: &Primitive) -> Self {
        solid.clone()
    }
}
