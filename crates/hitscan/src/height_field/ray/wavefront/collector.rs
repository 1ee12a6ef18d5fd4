//! What the rays of a wave look for: the nearest hit, or whether there is any.

use crate::height_field::HeightField;
use crate::height_field::ray::{Closest, hit_of};
use crate::ray_cast::ray::LocalRay;
use crate::ray_cast::ray_triangle::HitPoints;
use crate::ray_cast::ray_triangle::TriangleHit;
use crate::{Ray, RayHit, Sides};

/// What a ray looks for, and what it has found of it so far.
pub(crate) trait Collector {
    /// What the ray is answered.
    type Answer: Copy + Default;

    /// Before the ray sets out; what lies after t = `limit` does not matter.
    fn new(sides: Sides, limit: f32) -> Self;

    fn consider(&mut self, triangle: u32, crossing: TriangleHit);

    /// Up to which t others still matter; `None` where nothing does any more.
    fn until(&self) -> Option<f32>;

    fn answer(&self, ray: &Ray) -> Self::Answer;

    /// What a ray that is asked alone is answered.
    fn alone(field: &HeightField, ray: &Ray, sides: Sides, limit: f32) -> Self::Answer;

    /// What the ray of a lane is answered, if its crossing counts; `points` is what all lanes' hits
    /// need.
    fn of_lane(points: &HitPoints, lane: usize, met: Option<(u32, TriangleHit)>) -> Self::Answer;
}

impl Collector for Closest {
    type Answer = Option<RayHit>;

    fn new(sides: Sides, limit: f32) -> Self {
        Self::new(sides, limit)
    }

    #[inline(always)]
    fn consider(&mut self, triangle: u32, crossing: TriangleHit) {
        self.consider(triangle, crossing);
    }

    #[inline(always)]
    fn until(&self) -> Option<f32> {
        Some(self.limit)
    }

    #[inline(always)]
    fn answer(&self, ray: &Ray) -> Option<RayHit> {
        self.best.as_ref().map(|best| hit_of(ray, best))
    }

    fn alone(field: &HeightField, ray: &Ray, sides: Sides, limit: f32) -> Option<RayHit> {
        let nearest = field.nearest(&LocalRay::from(ray), sides, limit)?;
        Some(hit_of(ray, &nearest))
    }

    #[inline(always)]
    fn of_lane(points: &HitPoints, lane: usize, met: Option<(u32, TriangleHit)>) -> Option<RayHit> {
        met.map(|(triangle, crossing)| points.hit(lane, triangle, crossing))
    }
}

/// Whether there is any crossing from a side that counts.
pub(crate) struct Any {
    sides: Sides,
    is_hit: bool,
}

impl Collector for Any {
    type Answer = bool;

    fn new(sides: Sides, _: f32) -> Self {
        Self {
            sides,
            is_hit: false,
        }
    }

    #[inline(always)]
    fn consider(&mut self, _: u32, crossing: TriangleHit) {
        self.is_hit |= self.sides.admits(crossing.side);
    }

    #[inline(always)]
    fn until(&self) -> Option<f32> {
        (!self.is_hit).then_some(f32::INFINITY)
    }

    #[inline(always)]
    fn answer(&self, _: &Ray) -> bool {
        self.is_hit
    }

    fn alone(field: &HeightField, ray: &Ray, sides: Sides, _: f32) -> bool {
        field.cast_ray_any(ray, sides)
    }

    #[inline(always)]
    fn of_lane(_: &HitPoints, _: usize, met: Option<(u32, TriangleHit)>) -> bool {
        met.is_some()
    }
}
