//! What an answer holds: where a ray met a shape, and from which side.

use super::ray::LocalRay;
use crate::Ray;
use crate::exact::expansion::nearest_f32;
use glam::{DVec3, Vec3};

/// From which side a surface was met.
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

/// Where a ray met a shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The ray's parameter, in units of its direction; never -0.
    pub t: f32,
    /// `t * |direction|`, metres.
    pub distance: f32,
    /// The point, in the space of the ray.
    pub point: Vec3,
    /// The unit normal of the surface there; zero where `side` is [`Side::Inside`].
    pub normal: Vec3,
    /// From which side the surface was met.
    pub side: Side,
    /// Which triangle was met; `None` for spheres and boxes.
    pub triangle: Option<TrianglePoint>,
}

/// A triangle of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TriangleId {
    /// The part of a model; 0 for terrain and for a mesh, which have only one.
    pub part: u32,
    /// The triangle's index in its part.
    pub triangle: u32,
}

/// Which triangle was met, and where on it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrianglePoint {
    /// The part of a model; 0 for terrain and for a mesh, which have only one.
    pub part: u32,
    /// The triangle's index in its part.
    pub triangle: u32,
    /// The barycentric weight of the triangle's second corner.
    pub u: f32,
    /// The barycentric weight of the triangle's third corner.
    pub v: f32,
}

impl Hit {
    /// The hit of `ray` at the parameter whose nearest f32 is `t`.
    #[inline(always)]
    pub(crate) fn new(
        ray: &Ray,
        (t, t_wide): (f32, f64),
        (normal, side): (Vec3, Side),
        triangle: Option<TrianglePoint>,
    ) -> Self {
        let ray = LocalRay::from(ray);
        let direction = ray.direction;
        let length = direction.dot(direction).sqrt();
        let distance = nearest_f32(t_wide * length);
        let point = ray.at(t_wide).as_vec3();
        Self {
            t,
            distance,
            point,
            normal,
            side,
            triangle,
        }
    }
}

/// `v` at unit length in f32, without -0. `v` must be finite; a zero vector stays zero.
#[inline(always)]
pub(crate) fn unit(v: DVec3) -> Vec3 {
    let size = v.abs().max_element();
    if size == 0.0 {
        return Vec3::ZERO;
    }
    let scaled = v / size;
    let length = scaled.dot(scaled).sqrt();
    let unit = scaled / length;
    Vec3::new(
        nearest_f32(unit.x),
        nearest_f32(unit.y),
        nearest_f32(unit.z),
    )
}
