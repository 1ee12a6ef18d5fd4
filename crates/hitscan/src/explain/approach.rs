//! Nearest approaches of a ray to objects: the distance as a measure, and its bound.

use super::nearest_search::{Boxes, Least, Measure, ROUNDING, least_of};
use super::segment_distance::{Nearest, Segment, length};
use super::space::{ends, ends_around, finite, rounded};
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::query::filter::QueryFilter;
use crate::shape::aabb::corners_between;
use crate::world::Snapshot;
use crate::world::object::Object;
use crate::{Aabb, ObjectId, Primitive, Ray, TriangleId};
use glam::{DAffine3, DVec3, Vec3};

/// How near a ray comes to an object.
///
/// # Accuracy
/// Computed in f64 and rounded to f32 once; where the ray hits a triangle, which is decided exactly, the
/// distance is 0. Of points at nearly the same distance either may be the one that is named.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Approach {
    /// The object.
    pub object: ObjectId,
    /// The triangle of it that is nearest; `None` for solids.
    pub triangle: Option<TriangleId>,
    /// The distance, metres; 0 where the ray hits it, from whichever side.
    pub distance: f32,
    /// Where on the ray that is.
    pub t: f32,
    /// The point of the ray.
    pub on_ray: Vec3,
    /// The point of the object.
    pub on_object: Vec3,
}

impl Snapshot {
    /// The objects that the ray, in its range, comes nearest to, of those that the filter accepts: at most
    /// so many, nearest first, and of equals the lowest object first.
    ///
    /// Sides do not matter; holes of terrain and triangles without area are nothing. It is for
    /// explanations: a pass over all that may be near, in f64.
    ///
    /// ```
    /// use hitscan::{Ray, Sphere, World, glam::Vec3};
    /// let mut world = World::new();
    /// let near = world.add(Sphere::new([5.0, 3.0, 0.0], 2.0)?);
    /// world.add(Sphere::new([8.0, -9.0, 0.0], 2.0)?);
    /// world.update();
    /// let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0])?;
    /// let passed = world.now().nearest_approaches(&ray, (), 1);
    /// assert_eq!((passed[0].object, passed[0].distance, passed[0].t), (near, 1.0, 5.0));
    /// assert_eq!(passed[0].on_object, Vec3::new(5.0, 1.0, 0.0));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn nearest_approaches<'f>(
        &self,
        ray: &Ray,
        filter: impl Into<QueryFilter<'f>>,
        at_most: usize,
    ) -> Vec<Approach> {
        self.approaches(ray, filter.into(), at_most, |_| true)
    }

    /// [`Snapshot::nearest_approaches`] of those objects whose approach counts.
    pub(super) fn approaches(
        &self,
        ray: &Ray,
        filter: QueryFilter<'_>,
        at_most: usize,
        counts: impl Fn(&Approach) -> bool,
    ) -> Vec<Approach> {
        let Some(bounds) = self.tree().bounds().filter(|_| at_most > 0) else {
            return Vec::new();
        };
        if ray.is_empty() {
            return Vec::new();
        }
        let segment = near_part(ray, &bounds);
        let mut found: Vec<(f64, Approach)> = Vec::new();
        let search = Boxes {
            measure: &segment,
            world_from_local: &DAffine3::IDENTITY,
            tree: self.tree(),
        };
        search.run(f64::INFINITY, |slot| {
            let limit = |found: &[(f64, Approach)]| match found.get(at_most - 1) {
                Some((distance, _)) => *distance,
                None => f64::INFINITY,
            };
            let approach = self.with_object(slot, &filter, |object| {
                let least = least_of(&segment, object, limit(&found))?;
                Some((least.value, approach(object.id, &least)))
            });
            if let Some((least, approach)) = approach.flatten().filter(|(_, one)| counts(one)) {
                let place = found.partition_point(|(distance, other)| {
                    let by_distance = distance.total_cmp(&least);
                    by_distance.then(other.object.cmp(&approach.object)).is_le()
                });
                found.insert(place, (least, approach));
                found.truncate(at_most);
            }
            limit(&found)
        });
        found.into_iter().map(|(_, approach)| approach).collect()
    }
}

/// How near the ray comes to one object; `None` where one of the two is nothing.
pub(super) fn approach_to(ray: &Ray, object: &Object) -> Option<Approach> {
    let bounds = object.bounds().filter(|_| !ray.is_empty())?;
    let least = least_of(&near_part(ray, &bounds), object, f64::INFINITY)?;
    Some(approach(object.id, &least))
}

fn approach(object: ObjectId, least: &Least<Nearest>) -> Approach {
    let nearest = &least.place;
    Approach {
        object,
        triangle: least.triangle,
        distance: finite(nearest.distance),
        t: finite(nearest.t),
        on_ray: rounded(nearest.on_ray).into(),
        on_object: rounded(nearest.on_other).into(),
    }
}

/// The part of a ray that may be nearest to anything in a box: it ends where it has passed all of it.
fn near_part(ray: &Ray, bounds: &Aabb) -> Segment {
    let mut ray = LocalRay::from(ray);
    let square = ray.direction.dot(ray.direction);
    let passed =
        corners_between(ends(bounds)).map(|at| (at - ray.origin).dot(ray.direction) / square);
    let last = passed.into_iter().fold(ray.t_min, f64::max);
    ray.t_max = ray.t_max.min(last);
    Segment { ray }
}

impl Measure for Segment {
    type Place = Nearest;

    /// By the ball around the box, and by the boxes of both.
    fn bound(&self, [low, high]: [DVec3; 2]) -> f64 {
        let middle = low.midpoint(high);
        let radius = length(high - middle);
        let to_middle = self.nearest_to_point(middle);
        let ray = &self.ray;
        let [least, most] = ends_around(&[ray.at(ray.t_min), ray.at(ray.t_max)]);
        let apart = length((low - most).max(least - high).max(DVec3::ZERO));
        let size = length(middle) + radius + length(to_middle.on_ray);
        (to_middle.distance - radius).max(apart) - ROUNDING * size
    }

    fn of_triangle(&self, corners: &[DVec3; 3]) -> (f64, Nearest) {
        let nearest = self.nearest_to_triangle(corners);
        (nearest.distance, nearest)
    }

    fn of_solid(&self, solid: &Primitive) -> (f64, Nearest) {
        let nearest = self.nearest_to_solid(solid);
        (nearest.distance, nearest)
    }
}
