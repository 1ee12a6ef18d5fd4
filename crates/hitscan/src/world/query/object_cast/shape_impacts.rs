//! The impacts of objects that all move at once, by their own triangles and solids.
//!
//! Two objects whose boxes touch on their ways are one pair: one of the two moves as the other sees it.

use super::pair_cast::PairCast;
use super::{EVERYTHING, Moving, Target};
use crate::broad_phase::touching_pairs_with;
use crate::bvh::TraversalQuery;
use crate::parallel::fill_chunks;
use crate::query::filter::QueryFilter;
use crate::sorting::{ordered_bits, sort_by_rank};
use crate::world::Snapshot;
use crate::world::object::{Object, Shape};
use crate::world::object_cast::ObjectImpact;
use crate::world::piece_tree::PieceTree;
use crate::world::query::impacts::by_object;
use crate::{Aabb, Error, InitialOverlap, ObjectId, Sides};
use glam::{DVec3, Vec3};

/// The pairs a task: each takes long.
const PAIRS_A_TASK: usize = 8;

/// An object, how it moves, and the box around its way.
struct MovingObject<'a> {
    object: &'a Object,
    motion: DVec3,
    way: Aabb,
}

impl Snapshot {
    /// All pairs of objects that `filter` accepts and that collide with one another while t goes from 0 to 1, in order
    /// of time, then of the objects: as [`Snapshot::impacts`], by their triangles and solids in place of their boxes.
    /// Each object moves by its translation in `motions`, metres, the last one where there are several; the
    /// others rest. Pairs that both rest are omitted, as are two terrains.
    ///
    /// Of a pair the lower object is moved among the higher as [`Snapshot::cast_object`] moves it, by the difference of
    /// their motions; against terrain the other one is moved. Surfaces of several objects are not one here. Motions
    /// of handles that are stale, or not of this world, move nothing; they must be finite all the same.
    ///
    /// ```
    /// use hitscan::{Aabb, Sphere, World, glam::Vec3};
    /// let mut world = World::new();
    /// let ball = world.add(Sphere::new([0.0, 0.0, 0.0], 1.0)?);
    /// let crate_ = world.add(Aabb::new([4.0, -1.0, -1.0], [6.0, 1.0, 1.0])?);
    /// world.update();
    /// let motions = [(ball, Vec3::X * 4.0), (crate_, Vec3::X * -2.0)];
    /// let impacts = world.now().shape_impacts(&motions, ())?;
    /// let [impact] = impacts[..] else { panic!("they collide once") };
    /// assert_eq!((impact.a, impact.b, impact.t), (ball, crate_, 0.5));
    /// assert_eq!((impact.normal, impact.point), (-Vec3::X, Vec3::new(3.0, 0.0, 0.0)));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    ///
    /// # Accuracy
    /// `t` is the exact time rounded once, for the difference of the two motions rounded once to f64: it is exact where
    /// their components lie within a factor of 2^29 of each other.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a motion that is NaN or infinite, whatever its handle.
    pub fn shape_impacts<'f>(
        &self,
        motions: &[(ObjectId, Vec3)],
        filter: impl Into<QueryFilter<'f>>,
    ) -> Result<Vec<ObjectImpact>, Error> {
        self.impacts_of_shapes(motions, &filter.into())
    }

    fn impacts_of_shapes(
        &self,
        motions: &[(ObjectId, Vec3)],
        filter: &QueryFilter<'_>,
    ) -> Result<Vec<ObjectImpact>, Error> {
        let motions = by_object(motions)?;
        let objects = self.state().objects().into_iter();
        let objects: Vec<MovingObject<'_>> = objects
            .filter(|object| filter.sees(object.id, object.layers))
            .filter_map(|object| {
                let motion = motions
                    .get(&object.id)
                    .map_or(DVec3::ZERO, |by| by.as_dvec3());
                let bounds = object.culling_bounds()?;
                let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
                let way = [min + motion.min(DVec3::ZERO), max + motion.max(DVec3::ZERO)];
                // What leaves the range of f32 touches all that is as far.
                let way = Aabb::around_f64(way.map(|end| {
                    end.clamp(DVec3::splat(f32::MIN.into()), DVec3::splat(f32::MAX.into()))
                }))?;
                Some(MovingObject {
                    object,
                    motion,
                    way,
                })
            })
            .collect();
        let ways: Vec<Aabb> = objects.iter().map(|one| one.way).collect();
        let mut pairs = touching_pairs_with(&ways, self.tree().width());
        pairs.retain(|pair| {
            pair.iter()
                .any(|place| objects[*place as usize].motion != DVec3::ZERO)
        });
        let mut found: Vec<Option<ObjectImpact>> = vec![None; pairs.len()];
        fill_chunks(&mut found, PAIRS_A_TASK, |first, found| {
            for (pair, impact) in pairs[first..].iter().zip(found) {
                let [a, b] = pair.map(|place| &objects[place as usize]);
                *impact = self.impact_of([a, b], filter);
            }
        });
        let mut impacts: Vec<ObjectImpact> = found.into_iter().flatten().collect();
        // The pairs are in order of the objects, and equal times stay so.
        sort_by_rank(&mut impacts, |impact| [ordered_bits(impact.t.into()), 0, 0]);
        Ok(impacts)
    }

    /// When two objects collide, the lower first.
    fn impact_of(
        &self,
        [a, b]: [&MovingObject<'_>; 2],
        filter: &QueryFilter<'_>,
    ) -> Option<ObjectImpact> {
        let is_terrain = |one: &MovingObject<'_>| matches!(one.object.shape, Shape::HeightField(_));
        let is_swapped = is_terrain(a);
        let [mover, obstacle] = if is_swapped { [b, a] } else { [a, b] };
        if is_terrain(mover) {
            return None;
        }
        let bounds = mover.object.culling_bounds()?;
        let motion = mover.motion - obstacle.motion;
        let ends = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
        let moving = Moving {
            snapshot: self,
            tree: PieceTree::of_object(mover.object, EVERYTHING),
            is_compound: matches!(mover.object.shape, Shape::Compound(_)),
            query: TraversalQuery::moving_box(ends, motion, (0.0, 1.0)),
            cast: PairCast::new(motion, InitialOverlap::Stop, Sides::Both),
            filter: *filter,
        };
        let target = Target {
            slot: obstacle.object.id.slot(),
            surface: None,
            place: obstacle.object.id,
        };
        let hit = moving.first_hit_with(target)?;
        let moved = hit.point.as_dvec3() + obstacle.motion * f64::from(hit.t);
        // A zero normal stays zero, without a sign.
        let (normal, triangles) = if is_swapped {
            (Vec3::ZERO - hit.normal, [hit.triangle, hit.mover_triangle])
        } else {
            (hit.normal, [hit.mover_triangle, hit.triangle])
        };
        Some(ObjectImpact {
            a: a.object.id,
            b: b.object.id,
            t: hit.t,
            normal,
            point: moved.as_vec3(),
            start: hit.start,
            triangles,
        })
    }
}
