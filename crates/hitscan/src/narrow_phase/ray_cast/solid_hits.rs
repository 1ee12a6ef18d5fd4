//! The hits of a ray on a solid: the t of entry, the t of exit, and which of them count.
//!
//! Spheres and boxes compute their own roots; the contract of solids is here.

use super::hit::{RayCastSettings, RayHit, Side, Sides, TriangleId};
use crate::{Aabb, Capsule, ConvexHull, Cylinder, Obb, Primitive, Ray, Sphere};
use core::num::NonZeroU32;
use glam::Vec3;

/// One hit of a ray on a solid's surface, or its start inside.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SolidHit {
    /// t as the nearest f32 and in f64.
    pub(crate) t: (f32, f64),
    pub(crate) normal: Vec3,
    pub(crate) side: Side,
    pub(crate) face: Option<FaceNumber>,
}

/// The number of a hull's face, so kept that having none takes no room.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FaceNumber(NonZeroU32);

impl FaceNumber {
    pub(crate) fn new(face: u16) -> Self {
        Self(NonZeroU32::MIN.saturating_add(u32::from(face)))
    }

    pub(crate) fn triangle_id(self) -> TriangleId {
        TriangleId {
            part: 0,
            triangle: self.0.get() - 1,
        }
    }
}

/// The hits of a ray on a solid, in order of t.
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
    /// The first hit that counts.
    pub(crate) fn nearest(&self, settings: RayCastSettings) -> Option<SolidHit> {
        let [first, second] = match *self {
            Self::Through { entry, exit } => [entry, exit],
            // Among all hits a touch has both sides, so each side alone finds it.
            Self::Touch(hit) if settings.sides == Sides::Front => [
                Some(SolidHit {
                    side: Side::Front,
                    ..hit
                }),
                None,
            ],
            Self::Touch(hit) => [Some(hit), None],
        };
        first
            .filter(|hit| settings.admits(hit.side))
            .or_else(|| second.filter(|hit| settings.admits(hit.side)))
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
    pub(crate) fn into_hit(self, ray: &Ray) -> RayHit {
        RayHit {
            triangle: self.face.map(FaceNumber::triangle_id),
            ..RayHit::new(ray, self.t, (self.normal, self.side))
        }
    }
}

/// The ray queries that every solid has beside `cast_ray`, from its `solid_hits`.
macro_rules! solid_queries {
    ($($solid:ty),*) => {$(
        impl $solid {
            /// Whether `ray` hits the solid.
            #[must_use]
            #[inline]
            pub fn cast_ray_any(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> bool {
                self.cast_ray(ray, settings).is_some()
            }

            /// All hits of `ray`, nearest first: where it enters (or starts inside) and where it
            /// leaves. A touch is one front and one back hit.
            #[must_use]
            #[inline]
            pub fn cast_ray_all(
                &self,
                ray: &Ray,
                settings: impl Into<RayCastSettings>,
            ) -> Vec<RayHit> {
                all_hits(self.solid_hits(ray), ray, settings.into())
            }
        }
    )*};
}
solid_queries!(Sphere, Aabb, Obb, Capsule, ConvexHull, Cylinder, Primitive);

/// The nearest hit that counts, of a solid with these.
pub(crate) fn nearest_hit(
    hits: Option<SolidHits>,
    ray: &Ray,
    settings: RayCastSettings,
) -> Option<RayHit> {
    Some(hits?.nearest(settings)?.into_hit(ray))
}

fn all_hits(hits: Option<SolidHits>, ray: &Ray, settings: RayCastSettings) -> Vec<RayHit> {
    let hits = hits.into_iter().flat_map(SolidHits::all);
    hits.filter(|hit| settings.admits(hit.side))
        .map(|hit| hit.into_hit(ray))
        .collect()
}
