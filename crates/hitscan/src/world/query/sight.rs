//! Lines of sight through the world: whether two points see each other, and what is between them.

use crate::bvh::TraversalQuery;
use crate::exact::expansion::nearest_f32;
use crate::narrow_phase::sight::{SightLine, blocks, entry};
use crate::parallel::answer_each;
use crate::query::filter::QueryFilter;
use crate::world::Snapshot;
use crate::world::instance_transform::{MARGIN, max_abs};
use crate::world::object::{Object, Shape};
use crate::{ObjectId, TriangleId};
use core::ops::ControlFlow;
use glam::{DVec3, Vec3};

/// The nearest thing between two points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Blocker {
    /// Where it begins on the way, from 0 at the first point to 1 at the second: for a triangle the
    /// exact value rounded once; for a solid within a few units of f64, 0 where the first point is in
    /// it.
    pub t: f32,
    /// What it is.
    pub object: ObjectId,
    /// The number that [`World::set_user_data`](crate::World::set_user_data) gave it, or 0.
    pub user_data: u64,
    /// Its part and triangle; `None` for solids.
    pub triangle: Option<TriangleId>,
}

impl Snapshot {
    /// Whether two points see each other past what `filter` accepts.
    ///
    /// They do not where a triangle has a point of the segment between them, both ends excluded and by
    /// the rules of rays: its edges and corners belong to it, and it does not hide what is in its own
    /// plane; nor where a point of the segment is strictly inside a solid, which touching it is not (a
    /// flat box hides what is seen through its face). Equal points see each other unless they are inside a
    /// solid. A point whose y is the f32 nearest to the exact height of a terrain's triangle counts as on
    /// that triangle, which then does not hide it: eyes and feet on the ground see over it. A point that
    /// is NaN or infinite sees nothing.
    ///
    /// # Accuracy
    /// Exact, on both points as they are: no direction is rounded, and the order of the points does not
    /// matter.
    ///
    /// # Source
    /// Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates",
    /// 1997: the orientation predicate.
    ///
    /// ```
    /// use hitscan::{Aabb, QueryFilter, World};
    /// let mut world = World::new();
    /// let wall = world.add(Aabb::new([4.0, 0.0, -5.0], [5.0, 3.0, 5.0])?);
    /// world.update();
    /// let everything = QueryFilter::new();
    /// assert!(!world.now().is_visible([0.0, 1.7, 0.0], [8.0, 1.7, 0.0], everything));
    /// // Exactly over its edge: to touch is not to be blocked.
    /// assert!(world.now().is_visible([0.0, 3.0, 0.0], [8.0, 3.0, 0.0], everything));
    /// let between = world.now().first_blocker([0.0, 1.7, 0.0], [8.0, 1.7, 0.0], everything);
    /// assert_eq!(between.map(|found| (found.t, found.object)), Some((0.5, wall)));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn is_visible<'f>(
        &self,
        from: impl Into<Vec3>,
        to: impl Into<Vec3>,
        filter: impl Into<QueryFilter<'f>>,
    ) -> bool {
        self.sees(from.into(), to.into(), &filter.into())
    }

    /// The first thing that hides two points from one another, on the way from the first to the second;
    /// `None` where they see each other. What hides is said at [`Snapshot::is_visible`].
    ///
    /// Of several with the same t that of the lowest object is returned, then of the lowest part index, then
    /// the lowest triangle index. A point that is NaN or infinite has none.
    #[must_use]
    pub fn first_blocker<'f>(
        &self,
        from: impl Into<Vec3>,
        to: impl Into<Vec3>,
        filter: impl Into<QueryFilter<'f>>,
    ) -> Option<Blocker> {
        let line = sight_line(from.into(), to.into())?;
        self.first_in_the_way(&line, &filter.into())
    }

    /// Which of `targets` each of `eyes` sees, as [`Snapshot::is_visible`]: those of the first eye, then
    /// of the second, and so on; on the threads of rayon's current pool where the feature `parallel` is
    /// on.
    #[must_use]
    pub fn visible_pairs<'f>(
        &self,
        eyes: &[Vec3],
        targets: &[Vec3],
        filter: impl Into<QueryFilter<'f>>,
    ) -> Vec<bool> {
        let mut visible = vec![false; eyes.len() * targets.len()];
        self.visible_pairs_into(eyes, targets, filter, &mut visible);
        visible
    }

    /// As [`Snapshot::visible_pairs`], into a slice.
    ///
    /// # Panics
    /// If the slice has not one element for each pair.
    pub fn visible_pairs_into<'f>(
        &self,
        eyes: &[Vec3],
        targets: &[Vec3],
        filter: impl Into<QueryFilter<'f>>,
        visible: &mut [bool],
    ) {
        let filter = filter.into();
        answer_pairs(eyes, targets, visible, |eye, target| {
            self.sees(eye, target, &filter)
        });
    }

    /// [`Snapshot::first_blocker`] between each of `eyes` and each of `targets`: those of the first eye,
    /// then of the second, and so on; in parallel as [`Snapshot::visible_pairs`].
    #[must_use]
    pub fn first_blockers<'f>(
        &self,
        eyes: &[Vec3],
        targets: &[Vec3],
        filter: impl Into<QueryFilter<'f>>,
    ) -> Vec<Option<Blocker>> {
        let mut blockers = vec![None; eyes.len() * targets.len()];
        self.first_blockers_into(eyes, targets, filter, &mut blockers);
        blockers
    }

    /// As [`Snapshot::first_blockers`], into a slice.
    ///
    /// # Panics
    /// If the slice has not one element for each pair.
    pub fn first_blockers_into<'f>(
        &self,
        eyes: &[Vec3],
        targets: &[Vec3],
        filter: impl Into<QueryFilter<'f>>,
        blockers: &mut [Option<Blocker>],
    ) {
        let filter = filter.into();
        answer_pairs(eyes, targets, blockers, |eye, target| {
            self.first_in_the_way(&sight_line(eye, target)?, &filter)
        });
    }

    fn sees(&self, from: Vec3, to: Vec3, filter: &QueryFilter<'_>) -> bool {
        sight_line(from, to).is_some_and(|line| !self.is_blocked(&line, filter))
    }

    /// Whether anything that the filter accepts blocks the line.
    fn is_blocked(&self, line: &SightLine, filter: &QueryFilter<'_>) -> bool {
        self.is_blocked_by_others(line, filter, None)
    }

    /// Whether anything but `terrain` that the filter accepts blocks the line.
    pub(crate) fn is_blocked_by_others(
        &self,
        line: &SightLine,
        filter: &QueryFilter<'_>,
        terrain: Option<ObjectId>,
    ) -> bool {
        let query = traversal_query(line);
        let visited = self.tree().cast(&query, f32::MAX, |slot| {
            if terrain.is_some_and(|terrain| terrain.slot() == slot) {
                return ControlFlow::Continue(f32::MAX);
            }
            let is_blocked = self.with_object(slot, filter, |object| {
                let stop = &mut |_| ControlFlow::Break(());
                for_each_blocker((object, filter), line, &query, stop).is_break()
            });
            if is_blocked == Some(true) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(f32::MAX)
            }
        });
        visited.is_break()
    }

    fn first_in_the_way(&self, line: &SightLine, filter: &QueryFilter<'_>) -> Option<Blocker> {
        let query = traversal_query(line);
        let mut best: Option<Blocker> = None;
        let rank = |one: &Blocker| (one.object, one.triangle.map(|on| (on.part, on.triangle)));
        let _ = self.tree().cast(&query, f32::MAX, |slot| {
            self.with_object(slot, filter, |object| {
                for_each_blocker((object, filter), line, &query, &mut |found| {
                    let is_first = best.is_none_or(|best| {
                        found.t < best.t || (found.t == best.t && rank(&found) < rank(&best))
                    });
                    if is_first {
                        best = Some(found);
                    }
                    ControlFlow::Continue(())
                })
            });
            ControlFlow::Continue(best.map_or(f32::MAX, |best| best.t))
        });
        best
    }
}

/// Fills in what `answer` makes of each pair.
///
/// # Panics
/// If there are not as many answers as pairs.
fn answer_pairs<A: Send>(
    eyes: &[Vec3],
    targets: &[Vec3],
    answers: &mut [A],
    answer: impl Fn(Vec3, Vec3) -> A + Sync,
) {
    let pairs: Vec<(Vec3, Vec3)> = eyes
        .iter()
        .flat_map(|eye| targets.iter().map(|target| (*eye, *target)))
        .collect();
    answer_each(&pairs, answers, |(eye, target)| answer(*eye, *target));
}

fn sight_line(from: Vec3, to: Vec3) -> Option<SightLine> {
    (from.is_finite() && to.is_finite()).then(|| SightLine {
        from: from.as_dvec3(),
        to: to.as_dvec3(),
    })
}

/// What the line may touch, widened by the errors of transforms and of its rounded direction.
fn traversal_query(line: &SightLine) -> TraversalQuery {
    let ray = line.ray();
    let margin = DVec3::splat(MARGIN * max_abs(line.from).max(max_abs(line.to)));
    let corners = (line.from - margin, line.from + margin);
    TraversalQuery::moving_box(corners, ray.direction, (ray.t_min, ray.t_max))
}

/// Calls `visit` for all of an object that blocks the line, until it breaks.
fn for_each_blocker(
    (object, filter): (&Object, &QueryFilter<'_>),
    line: &SightLine,
    query: &TraversalQuery,
    visit: &mut dyn FnMut(Blocker) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let found = |t: f32, triangle: Option<(u32, u32)>| Blocker {
        t,
        object: object.id,
        user_data: object.user_data,
        triangle: triangle.map(|(part, triangle)| TriangleId { part, triangle }),
    };
    if let Some(instance) = object.shape.meshes()
        && !line.is_point()
    {
        instance.parts().cast(query, f32::MAX, |part| {
            let placed = part.placed_mesh();
            placed.for_each_in_the_way(line, &mut |triangle, corners| {
                visit(found(line.t_of(corners), Some((part.index, triangle))))
            })?;
            ControlFlow::Continue(f32::MAX)
        })?;
    }
    match &object.shape {
        Shape::HeightField(field) => field.for_each_blocker(line, &mut |triangle, corners| {
            visit(found(line.t_of(corners), Some((0, triangle))))
        }),
        Shape::Instance(_) => ControlFlow::Continue(()),
        Shape::Primitive(solid) => {
            let solid = solid.get();
            if blocks(&solid, line) {
                visit(found(nearest_f32(entry(&solid, line)), None))?;
            }
            ControlFlow::Continue(())
        }
        Shape::Compound(compound) => {
            let parts = compound.seen(object.id, filter);
            parts.cast(query, f32::MAX, |part, solid| {
                if blocks(solid, line) {
                    visit(found(
                        nearest_f32(entry(solid, line)),
                        Some((part, TriangleId::WHOLE_PART)),
                    ))?;
                }
                ControlFlow::Continue(f32::MAX)
            })
        }
    }
}
