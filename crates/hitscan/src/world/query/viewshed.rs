//! Viewsheds of a world's terrains.

use crate::ObjectId;
use crate::height_field::{Viewshed, ViewshedQuery};
use crate::narrow_phase::sight::SightLine;
use crate::query::filter::QueryFilter;
use crate::world::Snapshot;
use crate::world::object::Shape;
use std::sync::Arc;

impl Snapshot {
    /// Which samples of a terrain are seen from the query's eye, past what `filter` accepts: this and
    /// other terrains, models and solids. `None` where there is no such terrain, where the eye is off
    /// it or over a hole, and where the eye is NaN or infinite.
    ///
    /// A sample is seen where [`Snapshot::is_visible`] says so of the eye and of the sample's point, or the
    /// point above it, both in f64; so a point counts as on the ground also where its y is the f64 nearest
    /// to the exact height. Lines of sight are straight: terrain with the earth's curvature is made by
    /// [`HeightField::lowered_around`](crate::HeightField::lowered_around). Samples are decided on the
    /// threads of rayon's current pool where the feature `parallel` is on; their number does not matter.
    ///
    /// # Accuracy
    /// Exact. The sweep over the terrain decides where certain bounds do, and leaves the rest to the exact
    /// test of one line of sight.
    ///
    /// # Source
    /// Franklin and Ray, "Higher isn't necessarily better: visibility algorithms and experiments", 1994;
    /// here with certain bounds in place of estimates.
    ///
    /// An example is at [`ViewshedQuery`].
    #[must_use]
    pub fn viewshed<'f>(
        &self,
        terrain: ObjectId,
        query: &ViewshedQuery,
        filter: impl Into<QueryFilter<'f>>,
    ) -> Option<Viewshed> {
        self.viewshed_of(terrain, query, filter.into())
    }

    fn viewshed_of(
        &self,
        terrain: ObjectId,
        query: &ViewshedQuery,
        filter: QueryFilter<'_>,
    ) -> Option<Viewshed> {
        let object = self.object(terrain)?;
        let Shape::HeightField(field) = &object.shape else {
            return None;
        };
        let field = Arc::clone(field);
        let eye = field.eye(query)?;
        let mut viewshed = field.all_in_range(query, eye);
        if filter.sees(terrain, object.layers) {
            field.hide_behind_itself(query, &mut viewshed, filter.limit());
        }
        let mut others = self.objects().filter(|object| *object != terrain);
        let is_seen = |object: ObjectId| self.with_object(object.slot(), &filter, |_| ()).is_some();
        if others.any(is_seen) {
            let is_hidden = |column: usize, row: usize| {
                let to = field.target(query, column, row);
                let line = SightLine { from: eye, to };
                self.is_blocked_by_others(&line, &filter, Some(terrain))
            };
            viewshed.hide(&is_hidden, filter.limit());
        }
        Some(viewshed)
    }
}
