//! The pairs of objects that are near one another: all within a distance, and the closest.
//!
//! Boxes that are grown by half of the distance touch where objects may be as near; what is nearest is found with
//! growing distances.

use super::distance::{ObjectDistance, distance_by, distance_of};
use super::piece_walk::{Reach, box_gap};
use crate::broad_phase::touching_pairs_with;
use crate::narrow_phase::closest_point::tie_limit;
use crate::parallel::{fill_chunks, threads};
use crate::query::filter::QueryFilter;
use crate::sorting::{ordered_bits, sort_by_rank};
use crate::world::Snapshot;
use crate::world::object::Object;
use crate::{Aabb, ObjectId};
use glam::DVec3;

/// Pairs that a thread measures at once, at most: one may cost a thousand times what another does.
const CHUNK: usize = 64;

/// How far boxes are grown at most: none is larger.
const EVERYWHERE: f64 = 1e19;

impl Snapshot {
    /// All pairs of objects that `filter` accepts and that are no farther apart than `max_distance` metres, itself
    /// included and compared exactly, in order of the lower object, then the higher, the lower first in each; on
    /// several threads where the feature `parallel` is on.
    ///
    /// ```
    /// use hitscan::{Sphere, World};
    /// let mut world = World::new();
    /// for x in [0.0, 3.0, 7.0] {
    ///     world.add(Sphere::new([x, 0.0, 0.0], 1.0)?);
    /// }
    /// world.update();
    /// let distances = |max| -> Vec<f32> {
    ///     let pairs = world.now().pairs_within(max, ());
    ///     pairs.iter().map(|pair| pair.distance).collect()
    /// };
    /// assert_eq!(distances(1.0), [1.0]);
    /// assert_eq!(distances(5.0), [1.0, 5.0, 2.0]);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn pairs_within<'f>(
        &self,
        max_distance: impl Into<f64>,
        filter: impl Into<QueryFilter<'f>>,
    ) -> Vec<ObjectDistance> {
        self.near_pairs(max_distance.into(), &filter.into())
    }

    /// The two objects that `filter` accepts and that are nearest to one another, the lower first: of those that
    /// report the same distance the lowest, then the lowest other; `None` with fewer than two.
    ///
    /// ```
    /// use hitscan::{Sphere, World};
    /// let mut world = World::new();
    /// let balls = [0.0, 4.0, 7.0]
    ///     .map(|x| Sphere::new([x, 0.0, 0.0], 1.0).map(|ball| world.add(ball)));
    /// world.update();
    /// let nearest = world.now().closest_pair(()).unwrap();
    /// assert_eq!((nearest.a.object, nearest.b.object), (balls[1].clone()?, balls[2].clone()?));
    /// assert_eq!(nearest.distance, 1.0);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn closest_pair<'f>(&self, filter: impl Into<QueryFilter<'f>>) -> Option<ObjectDistance> {
        self.nearest_pair(&filter.into())
    }

    fn near_pairs(&self, max: f64, filter: &QueryFilter<'_>) -> Vec<ObjectDistance> {
        if max.is_nan() || max < 0.0 {
            return Vec::new();
        }
        let objects = self.boxed(filter);
        let pairs = pairs_within(&objects, max, self);
        let mut found: Vec<Option<ObjectDistance>> = vec![None; pairs.len()];
        let chunk = (pairs.len() / (8 * threads())).clamp(1, CHUNK);
        fill_chunks(&mut found, chunk, |first, found| {
            for (pair, found) in pairs[first..].iter().zip(found) {
                let pair = [pair.a, pair.b].map(|place| objects[place].object);
                *found = distance_of(pair, max, filter);
            }
        });
        found.into_iter().flatten().collect()
    }

    fn nearest_pair(&self, filter: &QueryFilter<'_>) -> Option<ObjectDistance> {
        let objects = self.boxed(filter);
        if objects.len() < 2 {
            return None;
        }
        let mut best: Option<ObjectDistance> = None;
        let bounds = objects.iter().fold(
            [DVec3::INFINITY, DVec3::NEG_INFINITY],
            |[low, high], one| [low.min(one.min), high.max(one.max)],
        );
        let size = (bounds[1] - bounds[0]).length();
        // Boxes that touch first; then so far that each has some others near.
        #[expect(clippy::cast_precision_loss, reason = "any number will do")]
        let spacing = size / (objects.len() as f64).cbrt();
        let mut reach = 0.0;
        loop {
            let mut pairs = pairs_within(&objects, reach, self);
            sort_by_rank(&mut pairs, |pair| [ordered_bits(pair.bound), 0, 0]);
            for pair in pairs {
                if filter.step().is_break() {
                    return best;
                }
                let both = [pair.a, pair.b].map(|place| objects[place].object);
                if best
                    .as_ref()
                    .is_none_or(|best| may_be_nearer(&pair, both, best))
                {
                    let reach = match &best {
                        Some(best) => Reach::Reported(best.distance),
                        None => Reach::Within(f64::INFINITY),
                    };
                    let found = distance_by(both, reach, filter);
                    best = nearer(best, found);
                }
            }
            let last = match &best {
                Some(best) => tie_limit(best.distance),
                None => EVERYWHERE,
            };
            if reach >= last {
                return best;
            }
            // All that may be nearer than the best, at once; without one twice as far, or everywhere.
            reach = match &best {
                Some(_) => last,
                None if reach > size => EVERYWHERE,
                None => (2.0 * reach).max(0.5 * spacing).max(f64::MIN_POSITIVE),
            };
        }
    }

    /// The objects that a filter accepts and that have pieces, in order, with their boxes.
    fn boxed(&self, filter: &QueryFilter<'_>) -> Vec<BoxedObject<'_>> {
        let objects = self.state().objects().into_iter();
        let seen = objects.filter(|object| filter.sees(object.id, object.layers));
        seen.filter_map(|object| {
            let bounds = object.culling_bounds()?;
            Some(BoxedObject {
                object,
                min: bounds.min().as_dvec3(),
                max: bounds.max().as_dvec3(),
            })
        })
        .collect()
    }
}

/// An object with the ends of a box around it.
struct BoxedObject<'a> {
    object: &'a Object,
    min: DVec3,
    max: DVec3,
}

/// Two objects by their places, and no more than their distance.
struct NearPair {
    a: usize,
    b: usize,
    bound: f64,
}

/// The pairs whose boxes are no farther apart than `max`, in order.
fn pairs_within(objects: &[BoxedObject<'_>], max: f64, snapshot: &Snapshot) -> Vec<NearPair> {
    // Rounding the sums moves them by less than the rounding to f32 makes good, or they are exact.
    let half = DVec3::splat((0.5 * max).min(EVERYWHERE));
    let grown = |one: &BoxedObject<'_>| {
        let (min, max) = (one.min - half, one.max + half);
        let slack = (min.abs().max(max.abs())) * f64::EPSILON;
        Aabb::around_f64([min - slack, max + slack])
    };
    let boxes: Vec<Aabb> = objects.iter().filter_map(grown).collect();
    let pairs = touching_pairs_with(&boxes, snapshot.tree().width()).into_iter();
    let bounded = pairs.map(|pair| {
        let [a, b] = pair.map(|place| place as usize);
        let [one, other] = [&objects[a], &objects[b]];
        let bound = box_gap((one.min, one.max), (other.min, other.max));
        NearPair { a, b, bound }
    });
    bounded.filter(|pair| pair.bound <= max).collect()
}

fn ids(pair: &ObjectDistance) -> [ObjectId; 2] {
    [pair.a.object, pair.b.object]
}

/// Whether a pair may come before the best one.
fn may_be_nearer(pair: &NearPair, objects: [&Object; 2], best: &ObjectDistance) -> bool {
    let before = f64::from(best.distance.next_down().max(0.0));
    let is_nearer = pair.bound <= f64::midpoint(before, f64::from(best.distance));
    let is_before = objects.map(|object| object.id) < ids(best);
    let may_be_nearer = best.distance > 0.0 && is_nearer;
    may_be_nearer || is_before && pair.bound <= tie_limit(best.distance)
}

fn nearer(best: Option<ObjectDistance>, found: Option<ObjectDistance>) -> Option<ObjectDistance> {
    match (best, found) {
        (Some(best), Some(found)) => {
            let order = found.distance.total_cmp(&best.distance);
            let is_before = order.then_with(|| ids(&found).cmp(&ids(&best))).is_lt();
            Some(if is_before { found } else { best })
        }
        (best, found) => best.or(found),
    }
}
