//! The hit of a ray, and the settings that decide what counts as one.

use super::ray::LocalRay;
use crate::exact::expansion::nearest_f32;
use crate::{ObjectId, Ray};
use glam::{DVec3, Vec3};

/// The largest distance and coordinate of a hit.
pub(crate) const MAX_HIT_COORDINATE: f64 = f32::MAX as f64;

/// From which side a surface was hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// Against the normal: `direction · normal < 0`.
    Front,
    /// Along the normal, or across a solid's surface that the ray only touches.
    Back,
    /// The ray started strictly inside a solid.
    Inside,
}

impl Side {
    /// The side's name in tables: `front`, `back` or `inside`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Front => "front",
            Self::Back => "back",
            Self::Inside => "inside",
        }
    }
}

/// Which sides of surfaces a query hits.
///
/// A ray or an arc crosses the boundary of a solid from one of its sides, as it does a triangle; a moving
/// shape hits a solid as a whole, and that counts from every side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Sides {
    /// All hits count.
    #[default]
    Both,
    /// Only hits with [`Side::Front`] count; what else is there is passed through.
    Front,
    /// Only hits with [`Side::Back`] count; what else is there is passed through.
    Back,
}

impl Sides {
    /// Whether a hit from `side` counts. [`Side::Inside`] is neither front nor back.
    #[must_use]
    pub fn admits(self, side: Side) -> bool {
        match self {
            Self::Both => true,
            Self::Front => side == Side::Front,
            Self::Back => side == Side::Back,
        }
    }
}

/// What a ray hits that starts strictly inside a solid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RayStart {
    /// The solid's inside: a hit at `t_min` with [`Side::Inside`].
    #[default]
    Solid,
    /// Its boundary only: a hit with [`Side::Back`] where the ray leaves.
    Hollow,
}

/// What a ray query counts as a hit.
///
/// Casts of rays and arcs take `impl Into<RayCastSettings>`: [`Sides`] or [`RayStart`] alone, and `()` for the
/// default.
///
/// ```
/// use hitscan::{Ray, RayCastSettings, RayStart, Side, Sphere};
/// let room = Sphere::new([0.0; 3], 2.0)?;
/// let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0])?;
/// let solid = room.cast_ray(&ray, ()).unwrap();
/// assert_eq!((solid.t, solid.side), (0.0, Side::Inside));
/// let hollow = RayCastSettings { start: RayStart::Hollow, ..RayCastSettings::default() };
/// let wall = room.cast_ray(&ray, hollow).unwrap();
/// assert_eq!((wall.t, wall.side), (2.0, Side::Back));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct RayCastSettings {
    /// Which sides of surfaces are hit.
    pub sides: Sides,
    /// What a ray hits that starts inside a solid. Terrain and triangles have no inside.
    pub start: RayStart,
}

impl RayCastSettings {
    /// Whether a hit from `side` counts.
    #[inline]
    pub(crate) fn admits(self, side: Side) -> bool {
        self.sides.admits(side) && (side != Side::Inside || self.start == RayStart::Solid)
    }
}

impl From<()> for Sides {
    fn from((): ()) -> Self {
        Self::default()
    }
}

impl From<()> for RayCastSettings {
    fn from((): ()) -> Self {
        Self::default()
    }
}

impl From<Sides> for RayCastSettings {
    fn from(sides: Sides) -> Self {
        Self {
            sides,
            ..Self::default()
        }
    }
}

impl From<RayStart> for RayCastSettings {
    fn from(start: RayStart) -> Self {
        Self {
            start,
            ..Self::default()
        }
    }
}

/// A triangle of an object, or a part of a compound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TriangleId {
    /// The part of a model or of a compound; 0 for terrain and for a mesh, which have only one.
    pub part: u32,
    /// The triangle's index in its part. Of a part of a compound, which is a solid, the number of the face where a ray
    /// or an arc hits a convex hull without a radius; else [`TriangleId::WHOLE_PART`].
    pub triangle: u32,
}

impl TriangleId {
    /// In place of the index of a triangle: a part of a compound is meant as a whole.
    pub const WHOLE_PART: u32 = u32::MAX;

    /// The number of the triangle, or of the face; `None` where a part of a compound is meant as a whole.
    ///
    /// ```
    /// use hitscan::TriangleId;
    /// let on = |triangle| TriangleId { part: 2, triangle };
    /// assert_eq!((on(7).number(), on(TriangleId::WHOLE_PART).number()), (Some(7), None));
    /// ```
    #[must_use]
    pub fn number(self) -> Option<u32> {
        (self.triangle != Self::WHOLE_PART).then_some(self.triangle)
    }

    /// What is named of a part of a compound, where a solid alone names this, its face or nothing.
    pub(crate) fn in_part(of_solid: Option<Self>, part: u32) -> Option<Self> {
        let triangle = of_solid.map_or(Self::WHOLE_PART, |face| face.triangle);
        Some(Self { part, triangle })
    }
}

/// The triangle as a number that is ordered as `Option<TriangleId>`; no part has the last index of u32.
pub(crate) fn triangle_rank(id: Option<TriangleId>) -> u64 {
    id.map_or(0, |id| {
        (u64::from(id.part) + 1) << 32 | u64::from(id.triangle)
    })
}

/// Where a ray hits a shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RayHit {
    /// The ray's parameter, in units of its direction; never -0.
    pub t: f32,
    /// `t * |direction|`, metres; what is beyond the range of f32 is held at its ends.
    pub distance: f32,
    /// The point, in the space of the ray; coordinates are held in the range of f32 likewise.
    pub point: Vec3,
    /// The unit normal of the surface there; zero where `side` is [`Side::Inside`].
    pub normal: Vec3,
    /// From which side the surface was hit.
    pub side: Side,
    /// The object that was hit, where a world was queried.
    pub object: Option<ObjectId>,
    /// The number that [`World::set_user_data`](crate::World::set_user_data) gave the object; 0 where it
    /// was given none, and without an object.
    pub user_data: u64,
    /// The triangle that was hit, the face of a hull, or the part of a compound; `None` for other solids and planes.
    pub triangle: Option<TriangleId>,
    /// The barycentric weights `u` and `v` of the triangle's second and third corner; 0 without a
    /// triangle.
    pub barycentrics: [f32; 2],
}

// Batches write millions of them.
const _: () = assert!(size_of::<Option<RayHit>>() <= 80);

impl RayHit {
    /// The part of the model or compound that was hit; `None` for solids and planes.
    #[must_use]
    pub fn part(&self) -> Option<u32> {
        self.triangle.map(|id| id.part)
    }

    /// The barycentric weight of the triangle's second corner.
    #[must_use]
    pub fn u(&self) -> f32 {
        self.barycentrics[0]
    }

    /// The barycentric weight of the triangle's third corner.
    #[must_use]
    pub fn v(&self) -> f32 {
        self.barycentrics[1]
    }

    /// The hit of `ray` on a surface without triangles, at the parameter whose nearest f32 is `t`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn new(ray: &Ray, (t, t_wide): (f32, f64), (normal, side): (Vec3, Side)) -> Self {
        let ray = LocalRay::from(ray);
        let direction = ray.direction;
        let length = direction.dot(direction).sqrt();
        let distance =
            nearest_f32((t_wide * length).clamp(-MAX_HIT_COORDINATE, MAX_HIT_COORDINATE));
        let max = DVec3::splat(MAX_HIT_COORDINATE);
        let point = ray.at(t_wide).clamp(-max, max).as_vec3();
        Self {
            t,
            distance,
            point,
            normal,
            side,
            object: None,
            user_data: 0,
            triangle: None,
            barycentrics: [0.0; 2],
        }
    }

    /// The same hit on a solid, as that on a part of a compound.
    pub(crate) fn of_part(self, part: u32) -> Self {
        let triangle = TriangleId::in_part(self.triangle, part);
        Self { triangle, ..self }
    }

    /// The same hit, with the object that was hit and its user data.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn of_object(self, (object, user_data): (ObjectId, u64)) -> Self {
        Self {
            object: Some(object),
            user_data,
            ..self
        }
    }
}
