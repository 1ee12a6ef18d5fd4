//! Nearest approaches of a ray to objects: a search of the trees, nearest boxes first.

use super::segment_distance::{Nearest, Segment, length};
use super::space::{ends, ends_around, finite, rounded};
use crate::bvh::{Bvh, ChildKind, NO_ITEM};
use crate::height_field::BlockChild;
use crate::model::PlacedPart;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::query::filter::QueryFilter;
use crate::shape::aabb::corners_between;
use crate::world::Snapshot;
use crate::world::object::{Object, Shape};
use crate::{Aabb, HeightField, ObjectId, Ray, TriangleId};
use core::cmp::Reverse;
use glam::{DAffine3, DVec3, Vec3};
use std::collections::BinaryHeap;

/// How near a ray comes to an object.
///
/// # Accuracy
/// Computed in f64 and rounded to f32 once; where the ray hits a triangle, which is decided exactly, the
/// distance is 0.
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
    /// so many, nearest first, and of equals the lowest object index first.
    ///
    /// Sides do not matter, and holes of terrain are nothing. It is for explanations: a pass over all
    /// that may be near, in f64.
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
        self.approaches(ray, filter.into(), at_most)
    }

    fn approaches(&self, ray: &Ray, filter: QueryFilter<'_>, at_most: usize) -> Vec<Approach> {
        let Some(bounds) = self.tree().bounds().filter(|_| at_most > 0) else {
            return Vec::new();
        };
        if ray.is_empty() {
            return Vec::new();
        }
        let segment = near_part(ray, &bounds);
        let mut found: Vec<(f64, Approach)> = Vec::new();
        let search = Boxes {
            segment: &segment,
            world_from_local: &DAffine3::IDENTITY,
            tree: self.tree(),
        };
        search.run(f64::INFINITY, |slot| {
            let limit = |found: &[(f64, Approach)]| match found.get(at_most - 1) {
                Some((distance, _)) => *distance,
                None => f64::INFINITY,
            };
            let nearest = self.with_object(slot, &filter, |object| {
                to_object(&segment, object, limit(&found))
            });
            if let Some((nearest, triangle)) = nearest.flatten()
                && let Some((id, _)) = self.id_and_layers(slot)
            {
                let place = found.partition_point(|(distance, other)| {
                    let by_distance = distance.total_cmp(&nearest.distance);
                    by_distance.then(other.object.cmp(&id)).is_le()
                });
                found.insert(place, (nearest.distance, approach(id, triangle, &nearest)));
                found.truncate(at_most);
            }
            limit(&found)
        });
        found.into_iter().map(|(_, approach)| approach).collect()
    }
}

fn approach(object: ObjectId, triangle: Option<TriangleId>, nearest: &Nearest) -> Approach {
    Approach {
        object,
        triangle,
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

type Found = (Nearest, Option<TriangleId>);

/// The nearest point of an object, if it is nearer than the limit or as near.
fn to_object(segment: &Segment, object: &Object, limit: f64) -> Option<Found> {
    let mut best = Best { limit, found: None };
    match &object.shape {
        Shape::HeightField(field) => search_field(segment, field, &mut best),
        Shape::Instance(instance) => {
            for part in instance.parts().all() {
                search_part(segment, part, &mut best);
            }
        }
        Shape::Primitive(solid) => best.consider(segment.nearest_to_solid(&solid.get()), None),
    }
    best.found
}

/// The nearest so far.
struct Best {
    limit: f64,
    found: Option<Found>,
}

impl Best {
    fn consider(&mut self, nearest: Nearest, triangle: Option<TriangleId>) {
        let is_lower = match &self.found {
            None => nearest.distance <= self.limit,
            Some((best, on)) => {
                nearest.distance < best.distance
                    || nearest.distance == best.distance && triangle < *on
            }
        };
        if is_lower {
            self.limit = nearest.distance;
            self.found = Some((nearest, triangle));
        }
    }
}

fn search_part(segment: &Segment, part: PlacedPart<'_>, best: &mut Best) {
    let (mesh, world_from_local) = (part.mesh(), part.outer_from_part());
    let search = Boxes {
        segment,
        world_from_local,
        tree: mesh.bvh(),
    };
    search.run(best.limit, |leaf| {
        for triangle in mesh
            .bvh()
            .items(leaf)
            .iter()
            .take_while(|item| **item != NO_ITEM)
        {
            let corners = mesh.corners(*triangle);
            let corners = corners.map(|corner| world_from_local.transform_point3(corner));
            let id = TriangleId {
                part: part.index,
                triangle: *triangle,
            };
            best.consider(segment.nearest_to_triangle(&corners), Some(id));
        }
        best.limit
    });
}

fn search_field(segment: &Segment, field: &HeightField, best: &mut Best) {
    let root = BlockChild::Block(field.root_block());
    let Some(bounds) = field.block_box(field.root_block()) else {
        return;
    };
    let mut open = BinaryHeap::from([Reverse((Key(bound(segment, bounds)), root))]);
    while let Some(Reverse((Key(least), child))) = open.pop() {
        if least > best.limit {
            return;
        }
        match child {
            BlockChild::Block(block) => {
                let children = (0..16).filter_map(|child| field.child_of(block, child));
                open.extend(children.filter_map(|child| {
                    let ends = match child {
                        BlockChild::Block(block) => field.block_box(block)?,
                        BlockChild::Cell(place) => field.cell_box(place),
                    };
                    Some(Reverse((Key(bound(segment, ends)), child)))
                }));
            }
            BlockChild::Cell(place) => {
                let first = field.first_triangle_of(place);
                for triangle in [first, first + 1] {
                    if let Some(corners) = field.triangle(triangle) {
                        let id = TriangleId { part: 0, triangle };
                        best.consider(segment.nearest_to_triangle(&corners), Some(id));
                    }
                }
            }
        }
    }
}

/// A tree in a space of its own.
struct Boxes<'a, B: Clone + 'static> {
    segment: &'a Segment,
    world_from_local: &'a DAffine3,
    tree: &'a Bvh<B>,
}

impl<B: Clone> Boxes<'_, B> {
    /// Visits leaves, those first that may be nearest; `visit` returns how far away others matter.
    fn run(&self, mut limit: f64, mut visit: impl FnMut(u32) -> f64) {
        let Some(bounds) = self.tree.bounds() else {
            return;
        };
        let mut open = BinaryHeap::from([Reverse((self.key(&bounds), false, 0))]);
        while let Some(Reverse((Key(least), is_leaf, index))) = open.pop() {
            if least > limit {
                return;
            }
            if is_leaf {
                limit = visit(index);
                continue;
            }
            for (child, bounds) in self.tree.children_with_bounds(index) {
                let (is_leaf, index) = match child {
                    ChildKind::Node(index) => (false, index),
                    ChildKind::Leaf(index) => (true, index),
                };
                open.push(Reverse((self.key(&bounds), is_leaf, index)));
            }
        }
    }

    fn key(&self, bounds: &Aabb) -> Key {
        let corners = corners_between(ends(bounds));
        let in_world = corners.map(|corner| self.world_from_local.transform_point3(corner));
        Key(bound(self.segment, ends_around(&in_world)))
    }
}

/// A bound on the distance in the order of f64.
#[derive(Debug, Clone, Copy)]
struct Key(f64);

impl Ord for Key {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Key {}

/// By how much a bound is lowered for rounding, in units of what it is computed from: some operations of
/// 2^-53 each.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// Nothing in the box is nearer to the segment: by the ball around the box, and by the boxes of both.
fn bound(segment: &Segment, [low, high]: [DVec3; 2]) -> f64 {
    let middle = low.midpoint(high);
    let radius = length(high - middle);
    let to_middle = segment.nearest_to_point(middle);
    let ray = &segment.ray;
    let [least, most] = ends_around(&[ray.at(ray.t_min), ray.at(ray.t_max)]);
    let apart = length((low - most).max(least - high).max(DVec3::ZERO));
    let size = length(middle) + radius + length(to_middle.on_ray);
    (to_middle.distance - radius).max(apart) - ROUNDING * size
}
