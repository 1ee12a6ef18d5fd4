//! The closest point of the whole world.

use crate::narrow_phase::closest_point::{
    ClosestPoint, PartInfo, Reach, Search, checked_max_distance, tie_limit,
};
use crate::parallel::answer_each;
use crate::query::filter::QueryFilter;
use crate::world::Snapshot;
use crate::world::instance::Instance;
use crate::world::object::{Object, Shape};
use crate::world::placed_compound::SeenParts;
use crate::{Aabb, Interior, TriangleId};
use glam::Vec3;

impl Snapshot {
    /// The point of all that `filter` accepts that is nearest to `point`: of the same reported
    /// distance that of the lowest object, part and triangle index.
    ///
    /// Strictly inside a sphere, box, capsule or other solid the distance is negative, minus that to the
    /// boundary, and `max_distance` does not matter; the smallest distance answers. `None` where
    /// nothing is within `max_distance` metres, itself included and compared exactly, or where that
    /// is negative or the point is not finite.
    ///
    /// ```
    /// use hitscan::{Sphere, World, glam::Vec3};
    /// let mut world = World::new();
    /// let near = world.add(Sphere::new([3.0, 0.0, 0.0], 1.0)?);
    /// world.add(Sphere::new([0.0, 5.0, 0.0], 1.0)?);
    /// world.update();
    /// let nearest = world.now().closest_point([0.0; 3], 10.0, ()).unwrap();
    /// assert_eq!((nearest.object, nearest.distance, nearest.point), (Some(near), 2.0, Vec3::X * 2.0));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    ///
    /// # Accuracy
    /// See [`ClosestPoint`].
    #[must_use]
    #[inline]
    pub fn closest_point<'f>(
        &self,
        point: impl Into<Vec3>,
        max_distance: f32,
        filter: impl Into<QueryFilter<'f>>,
    ) -> Option<ClosestPoint> {
        self.closest(point.into(), max_distance, &filter.into(), Interior::Solids)
    }

    /// As [`Snapshot::closest_point`], where a mesh or a model whose triangles are closed counts as
    /// a solid, and of a model that is not closed each part that is.
    ///
    /// Closed are triangles where each edge is run through as often one way as the other; corners
    /// are one where their coordinates are equal, and triangles without area count. Inside is where
    /// their winding number is not 0, which is decided exactly. Whether an object is closed is
    /// found out once, by the first query that comes into its box, and once a pose for what a pose
    /// deforms.
    #[must_use]
    #[inline]
    pub fn closest_point_signed<'f>(
        &self,
        point: impl Into<Vec3>,
        max_distance: f32,
        filter: impl Into<QueryFilter<'f>>,
    ) -> Option<ClosestPoint> {
        self.closest(
            point.into(),
            max_distance,
            &filter.into(),
            Interior::ClosedSurfaces,
        )
    }

    /// [`Snapshot::closest_point`] of each point, in order; on the threads of rayon's current pool
    /// where the feature `parallel` is on.
    #[must_use]
    pub fn closest_points<'f>(
        &self,
        points: &[Vec3],
        max_distance: f32,
        filter: impl Into<QueryFilter<'f>>,
    ) -> Vec<Option<ClosestPoint>> {
        let mut closest = vec![None; points.len()];
        self.closest_points_into(points, max_distance, filter, &mut closest);
        closest
    }

    /// As [`Snapshot::closest_points`], into a slice.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn closest_points_into<'f>(
        &self,
        points: &[Vec3],
        max_distance: f32,
        filter: impl Into<QueryFilter<'f>>,
        closest: &mut [Option<ClosestPoint>],
    ) {
        let filter = filter.into();
        answer_each(points, closest, |point| {
            self.closest(*point, max_distance, &filter, Interior::Solids)
        });
    }

    /// [`Snapshot::closest_point_signed`] of each point, in order; see
    /// [`Snapshot::closest_points`].
    #[must_use]
    pub fn closest_points_signed<'f>(
        &self,
        points: &[Vec3],
        max_distance: f32,
        filter: impl Into<QueryFilter<'f>>,
    ) -> Vec<Option<ClosestPoint>> {
        let mut closest = vec![None; points.len()];
        self.closest_points_signed_into(points, max_distance, filter, &mut closest);
        closest
    }

    /// As [`Snapshot::closest_points_signed`], into a slice.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn closest_points_signed_into<'f>(
        &self,
        points: &[Vec3],
        max_distance: f32,
        filter: impl Into<QueryFilter<'f>>,
        closest: &mut [Option<ClosestPoint>],
    ) {
        let filter = filter.into();
        answer_each(points, closest, |point| {
            self.closest(*point, max_distance, &filter, Interior::ClosedSurfaces)
        });
    }

    fn closest(
        &self,
        point: Vec3,
        max_distance: f32,
        filter: &QueryFilter<'_>,
        inside: Interior,
    ) -> Option<ClosestPoint> {
        let max_distance = checked_max_distance(point, max_distance)?;
        let mut best: Option<ClosestPoint> = None;
        let limit = |best: &Option<ClosestPoint>| {
            let tied = best.as_ref().map(|best| tie_limit(best.distance));
            tied.map_or(max_distance, |tied| tied.min(max_distance))
        };
        self.tree().near_items(point, max_distance, &mut |slot| {
            if filter.step().is_break() {
                return f64::NEG_INFINITY;
            }
            self.with_object(slot, filter, |object| {
                let reach = Reach {
                    max_distance,
                    limit: limit(&best),
                    allowance: filter.allowance(),
                };
                let found = closest_of_object((object, filter), point, reach, inside);
                if let Some(found) = found.map(|found| found.of_object(object.tag()))
                    && best.as_ref().is_none_or(|best| {
                        let is_tie = found.distance == best.distance;
                        found.distance < best.distance || (is_tie && found.object < best.object)
                    })
                {
                    best = Some(found);
                }
            });
            limit(&best)
        });
        best
    }
}

/// The closest point of one object; what is farther than the limit need not be found.
pub(crate) fn closest_of_object(
    (object, filter): (&Object, &QueryFilter<'_>),
    point: Vec3,
    reach: Reach<'_>,
    inside: Interior,
) -> Option<ClosestPoint> {
    match &object.shape {
        Shape::Primitive(solid) => solid.get().nearest_to(point, reach.max_distance),
        Shape::Compound(compound) => {
            let meshes = compound
                .meshes()
                .and_then(|meshes| closest_of_meshes(meshes, point, reach, inside));
            let solids = closest_of_parts(compound.seen(object.id, filter), point, reach);
            match (meshes, solids) {
                (Some(mesh), Some(solid)) => {
                    let part = |found: &ClosestPoint| found.triangle.map(|on| on.part);
                    let is_solid = solid.distance < mesh.distance
                        || solid.distance == mesh.distance && part(&solid) < part(&mesh);
                    Some(if is_solid { solid } else { mesh })
                }
                (mesh, solid) => mesh.or(solid),
            }
        }
        Shape::HeightField(field) => {
            let wide = point.as_dvec3();
            let search = Search::new(wide, reach.max_distance, reach.limit);
            let mut search = search.within(reach.allowance);
            field.search_near(&mut search);
            Some(search.into_found()?.answer(wide, PartInfo::SURFACE))
        }
        Shape::Instance(instance) => closest_of_meshes(instance, point, reach, inside),
    }
}

fn closest_of_meshes(
    instance: &Instance,
    point: Vec3,
    reach: Reach<'_>,
    inside: Interior,
) -> Option<ClosestPoint> {
    let is_in_box = |bounds: &Aabb| bounds.contains(point);
    let parts = instance.parts();
    if inside == Interior::ClosedSurfaces && instance.culling_bounds().is_some_and(is_in_box) {
        parts.closest_signed(point, reach)
    } else {
        parts.closest(point, reach)
    }
}

/// That of the parts of a compound: of equal distances that of the lowest part.
fn closest_of_parts(parts: SeenParts<'_>, point: Vec3, reach: Reach<'_>) -> Option<ClosestPoint> {
    let mut best: Option<(u32, ClosestPoint)> = None;
    parts.near(point, reach.limit, &mut |part, solid| {
        let found = solid.nearest_to(point, reach.max_distance);
        let is_nearer = |found: &ClosestPoint| {
            best.as_ref().is_none_or(|(of, best)| {
                let is_tie = found.distance == best.distance;
                found.distance < best.distance || (is_tie && part < *of)
            })
        };
        if let Some(found) = found.filter(is_nearer) {
            best = Some((part, found));
        }
        let tied = best.as_ref().map(|(_, best)| tie_limit(best.distance));
        tied.map_or(reach.limit, |tied| tied.min(reach.limit))
    });
    let (part, found) = best?;
    Some(ClosestPoint {
        triangle: TriangleId::in_part(None, part),
        ..found
    })
}
