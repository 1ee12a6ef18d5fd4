//! Collectors of a wavefront's hits on terrain: the closest hit, or any.

use super::WAVEFRONT_SIZE;
use crate::height_field::HeightField;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::{HitPoints, TriangleHit};
use crate::query::closest_hits::{ClosestHits, hit_of};
use crate::query::collector::{Any, Closest, Collector};
use crate::query::watch::Unwatched;
use crate::query::wavefront::Ended;
use crate::{Ray, RayHit, Sides, TriangleId};
use core::cell::Cell;

/// A collector of terrain's triangles, by their numbers.
pub(crate) trait TerrainCollector: Collector<u32> + Copy {
    /// The answer for a ray.
    type Answer: Copy + Default;

    /// The answer for a ray that is cast alone.
    fn alone(field: &HeightField, ray: &Ray, sides: Sides, limit: f32) -> Self::Answer;

    /// The answer for the ray of a lane, with its hit; `points` is what all lanes' hits
    /// need.
    fn of_lane(points: &HitPoints, lane: usize, hit: Option<(u32, TriangleHit)>) -> Self::Answer;

    /// Answers the rays that have ended. Hits are made eight at a time, by way of the buffer.
    fn answer(
        field: &HeightField,
        ended: Ended<'_, Self, WAVEFRONT_SIZE>,
        buffer: &mut ClosestHits<u32>,
        rays: &[Ray],
        answers: &[Cell<Self::Answer>],
    );
}

impl TerrainCollector for Closest<u32> {
    type Answer = Option<RayHit>;

    fn alone(field: &HeightField, ray: &Ray, sides: Sides, limit: f32) -> Option<RayHit> {
        let nearest = field.nearest(&LocalRay::from(ray), sides, limit, Unwatched)?;
        Some(hit_of(ray, &nearest))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn of_lane(points: &HitPoints, lane: usize, hit: Option<(u32, TriangleHit)>) -> Option<RayHit> {
        hit.map(|(triangle, hit)| points.hit(lane, id(triangle), &hit))
    }

    fn answer(
        field: &HeightField,
        ended: Ended<'_, Self, WAVEFRONT_SIZE>,
        buffer: &mut ClosestHits<u32>,
        rays: &[Ray],
        answers: &[Cell<Option<RayHit>>],
    ) {
        for (number, closest, hit) in ended {
            answers[number].set(None);
            buffer.push(number, closest.best(), hit);
        }
        buffer.write_hits(field.width, 1, (rays, answers), id);
    }
}

fn id(triangle: u32) -> TriangleId {
    TriangleId { part: 0, triangle }
}

impl TerrainCollector for Any {
    type Answer = bool;

    fn alone(field: &HeightField, ray: &Ray, sides: Sides, _: f32) -> bool {
        field.cast_ray_any(ray, sides)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn of_lane(_: &HitPoints, _: usize, hit: Option<(u32, TriangleHit)>) -> bool {
        hit.is_some()
    }

    fn answer(
        _: &HeightField,
        ended: Ended<'_, Self, WAVEFRONT_SIZE>,
        _: &mut ClosestHits<u32>,
        _: &[Ray],
        answers: &[Cell<bool>],
    ) {
        for (number, any, _) in ended {
            answers[number].set(any.is_hit());
        }
    }
}
