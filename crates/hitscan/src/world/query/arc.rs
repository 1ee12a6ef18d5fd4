//! Ballistic arcs against the whole world.

use super::batch::fill_all;
use crate::RayHit;
use crate::narrow_phase::arc_cast::arc::BallisticArc;
use crate::narrow_phase::arc_cast::search::ArcSearch;
use crate::narrow_phase::arc_cast::window::ArcBounds;
use crate::query::filter::QueryFilter;
use crate::query::options::QueryOptions;
use crate::world::Snapshot;
use crate::world::object::{Object, Shape};

impl Snapshot {
    /// The first hit of `arc` on what `options` admit.
    ///
    /// Of hits with the same t that of the lowest object is returned, then of the lowest part index, then of the
    /// lowest triangle index. See [`Primitive::cast_arc`](crate::Primitive::cast_arc) for what hits a solid, and
    /// [`TriMesh::cast_arc`](crate::TriMesh::cast_arc) for what hits triangles; those of a model are where its
    /// transform takes their corners, rounded to f64.
    ///
    /// ```
    /// use hitscan::{Aabb, BallisticArc, World};
    /// let mut world = World::new();
    /// let wall = world.add(Aabb::new([10.0, 0.0, -5.0], [11.0, 3.0, 5.0])?);
    /// let yard = world.add(Aabb::new([-50.0, -1.0, -50.0], [50.0, 0.0, 50.0])?);
    /// world.update();
    /// let throw = |up| BallisticArc::new([0.0, 1.0, 0.0], [10.0, up, 0.0], BallisticArc::GRAVITY);
    /// let hit = |up| Some(world.now().cast_arc(&throw(up).ok()?, ())?.object?);
    /// assert_eq!(hit(5.0), Some(wall));
    /// assert_eq!(hit(9.0), Some(yard));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn cast_arc<'f>(
        &self,
        arc: &BallisticArc,
        options: impl Into<QueryOptions<'f>>,
    ) -> Option<RayHit> {
        self.first_arc_hit(arc, options.into())
    }

    fn first_arc_hit(
        &self,
        arc: &BallisticArc,
        QueryOptions { settings, filter }: QueryOptions<'_>,
    ) -> Option<RayHit> {
        if let Some(ray) = arc.as_ray() {
            return self.cast_ray(&ray, (settings, filter));
        }
        let mut search = ArcSearch::nearest(arc, settings);
        self.search_arc(&mut search, &filter);
        let hit = search.into_best()?;
        let (_, user_data) = self.tagged(hit.object?);
        Some(RayHit { user_data, ..hit })
    }

    /// Whether `arc` hits anything that `options` admit.
    #[must_use]
    pub fn cast_arc_any<'f>(
        &self,
        arc: &BallisticArc,
        options: impl Into<QueryOptions<'f>>,
    ) -> bool {
        self.is_arc_hit(arc, options.into())
    }

    fn is_arc_hit(
        &self,
        arc: &BallisticArc,
        QueryOptions { settings, filter }: QueryOptions<'_>,
    ) -> bool {
        if let Some(ray) = arc.as_ray() {
            return self.cast_ray_any(&ray, (settings, filter));
        }
        let mut search = ArcSearch::any(arc, settings);
        self.search_arc(&mut search, &filter);
        search.is_hit()
    }

    /// [`Snapshot::cast_arc`] for each arc, in order; on the threads of rayon's current pool where the
    /// feature `parallel` is on.
    #[must_use]
    pub fn cast_arcs<'f>(
        &self,
        arcs: &[BallisticArc],
        options: impl Into<QueryOptions<'f>>,
    ) -> Vec<Option<RayHit>> {
        let mut hits = vec![None; arcs.len()];
        self.cast_arcs_into(arcs, options, &mut hits);
        hits
    }

    /// As [`Snapshot::cast_arcs`], into a slice.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn cast_arcs_into<'f>(
        &self,
        arcs: &[BallisticArc],
        options: impl Into<QueryOptions<'f>>,
        hits: &mut [Option<RayHit>],
    ) {
        let options = options.into();
        fill_all(arcs, hits, |arc| self.first_arc_hit(arc, options));
    }

    /// [`Snapshot::cast_arc_any`] for each arc, in order; on threads as [`Snapshot::cast_arcs`].
    #[must_use]
    pub fn cast_arcs_any<'f>(
        &self,
        arcs: &[BallisticArc],
        options: impl Into<QueryOptions<'f>>,
    ) -> Vec<bool> {
        let mut are_hits = vec![false; arcs.len()];
        self.cast_arcs_any_into(arcs, options, &mut are_hits);
        are_hits
    }

    /// As [`Snapshot::cast_arcs_any`], into a slice.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn cast_arcs_any_into<'f>(
        &self,
        arcs: &[BallisticArc],
        options: impl Into<QueryOptions<'f>>,
        are_hits: &mut [bool],
    ) {
        let options = options.into();
        fill_all(arcs, are_hits, |arc| self.is_arc_hit(arc, options));
    }

    fn search_arc(&self, search: &mut ArcSearch, filter: &QueryFilter<'_>) {
        let bounds = ArcBounds::from(&search.arc);
        // The search holds how the traversal ended.
        let _ = self
            .tree()
            .cast_arc(&bounds, search.limit(), &mut |slot, _| {
                self.with_object(slot, filter, |object| {
                    test_object(object, (&bounds, filter), search);
                });
                search.flow()
            });
    }
}

/// Has the search consider an object.
fn test_object(
    object: &Object,
    (bounds, filter): (&ArcBounds, &QueryFilter<'_>),
    search: &mut ArcSearch,
) {
    search.object = Some(object.id);
    if let Some(instance) = object.shape.meshes() {
        instance.parts().search_arc(search);
    }
    match &object.shape {
        Shape::HeightField(field) => field.search_arc(search),
        Shape::Instance(_) => {}
        Shape::Primitive(solid) => {
            if let Some(hit) = search.primitive_hit(&solid.get()) {
                search.consider(hit);
            }
        }
        Shape::Compound(compound) => {
            let parts = compound.seen(object.id, filter);
            let _ = parts.cast_arc(bounds, search.limit(), &mut |part, solid| {
                if let Some(hit) = search.primitive_hit(solid) {
                    search.consider(hit.of_part(part));
                }
                search.flow()
            });
        }
    }
}
