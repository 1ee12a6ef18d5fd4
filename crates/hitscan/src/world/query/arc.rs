//! Ballistic arcs against the whole world.

use super::batch::answer_all;
use crate::narrow_phase::arc_cast::arc::BallisticArc;
use crate::narrow_phase::arc_cast::search::ArcSearch;
use crate::narrow_phase::arc_cast::window::ArcBounds;
use crate::query::filter::QueryFilter;
use crate::world::Snapshot;
use crate::world::object::{Object, Shape};
use crate::{RayHit, Sides};

impl Snapshot {
    /// The first hit of `arc` on what `filter` accepts.
    ///
    /// Of hits with the same t that of the lowest object is returned, then of the lowest part, then of the
    /// lowest triangle. See [`Primitive::cast_arc`](crate::Primitive::cast_arc) for what hits a solid, and
    /// [`TriMesh::cast_arc`](crate::TriMesh::cast_arc) for what hits triangles; those of a model are where its
    /// transform takes their corners, rounded to f64.
    ///
    /// ```
    /// use hitscan::{Aabb, BallisticArc, QueryFilter, Sides, World};
    /// let mut world = World::new();
    /// let wall = world.add_aabb(Aabb::new([10.0, 0.0, -5.0], [11.0, 3.0, 5.0])?);
    /// let yard = world.add_aabb(Aabb::new([-50.0, -1.0, -50.0], [50.0, 0.0, 50.0])?);
    /// world.update();
    /// let throw = |up| BallisticArc::new([0.0, 1.0, 0.0], [10.0, up, 0.0], BallisticArc::GRAVITY);
    /// let hit = |up| Some(world.now().cast_arc(&throw(up).ok()?, Sides::Both, QueryFilter::new())?.object?);
    /// assert_eq!(hit(5.0), Some(wall));
    /// assert_eq!(hit(9.0), Some(yard));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn cast_arc(
        &self,
        arc: &BallisticArc,
        sides: Sides,
        filter: QueryFilter<'_>,
    ) -> Option<RayHit> {
        if let Some(ray) = arc.as_ray() {
            return self.cast_ray(&ray, sides, filter);
        }
        let mut search = ArcSearch::nearest(arc, sides);
        self.search_arc(&mut search, &filter);
        search.into_best()
    }

    /// Whether `arc` hits anything that `filter` accepts.
    #[must_use]
    pub fn cast_arc_any(&self, arc: &BallisticArc, sides: Sides, filter: QueryFilter<'_>) -> bool {
        if let Some(ray) = arc.as_ray() {
            return self.cast_ray_any(&ray, sides, filter);
        }
        let mut search = ArcSearch::any(arc, sides);
        self.search_arc(&mut search, &filter);
        search.is_hit()
    }

    /// [`Snapshot::cast_arc`] for each arc, in order; on the threads of rayon's current pool where the
    /// feature `parallel` is on.
    #[must_use]
    pub fn cast_arcs(
        &self,
        arcs: &[BallisticArc],
        sides: Sides,
        filter: QueryFilter<'_>,
    ) -> Vec<Option<RayHit>> {
        answer_all(arcs, |arc| self.cast_arc(arc, sides, filter))
    }

    /// [`Snapshot::cast_arc_any`] for each arc, in order; on threads as [`Snapshot::cast_arcs`].
    #[must_use]
    pub fn cast_arcs_any(
        &self,
        arcs: &[BallisticArc],
        sides: Sides,
        filter: QueryFilter<'_>,
    ) -> Vec<bool> {
        answer_all(arcs, |arc| self.cast_arc_any(arc, sides, filter))
    }

    fn search_arc(&self, search: &mut ArcSearch, filter: &QueryFilter<'_>) {
        let bounds = ArcBounds::from(&search.arc);
        // The search holds how the traversal ended.
        let _ = self
            .tree()
            .cast_arc(&bounds, search.limit(), &mut |slot, _| {
                self.with_object(slot, filter, |object| test_object(object, search));
                search.flow()
            });
    }
}

/// Has the search consider an object.
fn test_object(object: &Object, search: &mut ArcSearch) {
    search.object = Some(object.id);
    match &object.shape {
        Shape::HeightField(field) => field.search_arc(search),
        Shape::Instance(instance) => instance.parts().search_arc(search),
        Shape::Primitive(solid) => {
            if let Some(hit) = search.primitive_hit(&solid.get()) {
                search.consider(hit);
            }
        }
    }
}
