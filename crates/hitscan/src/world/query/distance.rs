//! The distance of two objects, and the points between which it is.

use super::overlap_feature::OverlapFeature;
use super::piece_walk::{NearestPieces, Reach, Standing, nearest_pieces};
use crate::ObjectId;
use crate::exact::expansion::nearest_f32;
use crate::narrow_phase::distance::{apart_witness, shared_witness};
use crate::query::filter::QueryFilter;
use crate::shape::unit_vector::unit;
use crate::world::Snapshot;
use crate::world::object::Object;
use crate::world::piece_tree::ObjectTree;
use core::ops::ControlFlow;
use glam::Vec3;

/// How two objects lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DistanceStatus {
    /// No piece of one shares a point with a piece of the other.
    Apart,
    /// They share points, but no inner ones: triangles of one plane touch, too.
    Touching,
    /// A piece of one and a piece of the other pass through one another, or one lies in the other.
    Overlap,
}

impl DistanceStatus {
    /// The name in tables: `apart`, `touching` or `overlap`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Apart => "apart",
            Self::Touching => "touching",
            Self::Overlap => "overlap",
        }
    }
}

/// How far two objects are apart, and their nearest pieces: triangles and solids.
///
/// # Accuracy
/// `distance` is the exact one rounded once, `normal` within 2^-22 of the exact direction. Each coordinate of
/// `points` is the nearest f32, or its neighbour, to that of a nearest pair of points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ObjectDistance {
    /// How they lie.
    pub status: DistanceStatus,
    /// Metres; 0 where they touch or overlap.
    pub distance: f32,
    /// The unit direction from `a` to `b` between the nearest points; zero where they touch or overlap.
    pub normal: Vec3,
    /// The nearest points of `a` and of `b`; where they touch or overlap one point that both share, twice.
    pub points: [Vec3; 2],
    /// The nearest piece of the first object.
    pub a: OverlapFeature,
    /// The nearest piece of the second.
    pub b: OverlapFeature,
}

impl Snapshot {
    /// How far two objects are apart, in the order in which they are given; `None` where that is more than
    /// `max_distance` metres, itself included and compared exactly, or where that is negative or not a number; where
    /// `filter` does not accept both, one is not of this world or has no pieces, and for an object with itself.
    /// An object in no layer counts, as it is named.
    ///
    /// Between two pieces that overlap the distance is 0, and less there is not: a solid inside a solid overlaps it,
    /// but a mesh is its triangles, and inside another mesh it is apart. Of several pairs of pieces that report the
    /// same distance those that overlap come before those that touch, then the lowest of `a`, then of `b`, by part
    /// and triangle, answers.
    ///
    /// ```
    /// use hitscan::world::DistanceStatus;
    /// use hitscan::{Aabb, Sphere, World, glam::Vec3};
    /// let mut world = World::new();
    /// let crate_ = world.add(Aabb::new([0.0; 3], [1.0; 3])?);
    /// let ball = world.add(Sphere::new([4.0, 5.0, 0.5], 1.0)?);
    /// world.update();
    /// let found = world.now().distance(crate_, ball, f64::INFINITY, ()).unwrap();
    /// assert_eq!((found.status, found.distance), (DistanceStatus::Apart, 4.0));
    /// assert_eq!(found.points[0], Vec3::new(1.0, 1.0, 0.5));
    /// assert_eq!(world.now().distance(crate_, ball, 3.99, ()), None);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn distance<'f>(
        &self,
        a: ObjectId,
        b: ObjectId,
        max_distance: impl Into<f64>,
        filter: impl Into<QueryFilter<'f>>,
    ) -> Option<ObjectDistance> {
        self.distance_within([a, b], max_distance.into(), &filter.into())
    }

    fn distance_within(
        &self,
        pair: [ObjectId; 2],
        max: f64,
        filter: &QueryFilter<'_>,
    ) -> Option<ObjectDistance> {
        let named = |id| {
            let object = self.object(id)?;
            let layers = match object.layers {
                0 => u32::MAX,
                layers => layers,
            };
            filter.sees(id, layers).then_some(object)
        };
        let [a, b] = [named(pair[0])?, named(pair[1])?];
        if pair[0] == pair[1] {
            return None;
        }
        distance_of([&a, &b], max, filter)
    }
}

/// How far two objects are apart, if no farther than `max`, exactly.
pub(super) fn distance_of(
    objects: [&Object; 2],
    max: f64,
    filter: &QueryFilter<'_>,
) -> Option<ObjectDistance> {
    if max.is_nan() || max < 0.0 {
        return None;
    }
    let found = distance_by(objects, Reach::Within(max), filter)?;
    // Where the farthest that counts is reported, pieces that are farther by less than rounding may answer.
    if found.distance > 0.0 && found.distance == nearest_f32(max) {
        return distance_by(objects, Reach::Reported(found.distance), filter);
    }
    Some(found)
}

/// How far two objects are apart, if no farther than `reach`.
pub(super) fn distance_by(
    objects: [&Object; 2],
    reach: Reach,
    filter: &QueryFilter<'_>,
) -> Option<ObjectDistance> {
    let trees = objects.map(|object| ObjectTree::of(object, filter));
    match nearest_pieces([&trees[0], &trees[1]], reach, filter) {
        ControlFlow::Continue(Some(nearest)) => {
            Some(answer(objects, [&trees[0], &trees[1]], &nearest))
        }
        _ => None,
    }
}

fn answer(
    objects: [&Object; 2],
    trees: [&ObjectTree<'_>; 2],
    nearest: &NearestPieces<'_>,
) -> ObjectDistance {
    let [first, second] = &nearest.pieces;
    let feature = |side: usize| OverlapFeature {
        object: objects[side].id,
        triangle: trees[side].feature(nearest.pieces[side].rank),
    };
    let witness = (nearest.contact.as_ref())
        .and_then(|contact| apart_witness(&first.convex, &second.convex, contact));
    let status = match nearest.standing {
        Standing::Overlap => DistanceStatus::Overlap,
        Standing::Touch => DistanceStatus::Touching,
        Standing::Apart => DistanceStatus::Apart,
    };
    let (normal, points) = match witness {
        Some(witness) => {
            let rounded = |at: glam::DVec3| Vec3::from_array(at.to_array().map(nearest_f32));
            (unit(witness.direction), witness.points.map(rounded))
        }
        None => (
            Vec3::ZERO,
            [shared_witness(&first.convex, &second.convex); 2],
        ),
    };
    ObjectDistance {
        status,
        distance: nearest.distance,
        normal,
        points,
        a: feature(0),
        b: feature(1),
    }
}
