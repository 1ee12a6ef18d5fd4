//! The triangles of an object for a query whose work is limited: each that is looked at is a step.

use super::filter::QueryFilter;
use super::work_limit::WorkLimit;
use crate::narrow_phase::contact::triangle_source::{
    BestFirst, MovingBox, SourceTriangle, TriangleSource, VisitTriangle,
};
use crate::narrow_phase::convex::Outline;
use crate::narrow_phase::ray_cast::hit::TriangleId;
use core::ops::ControlFlow;
use glam::DVec3;

impl QueryFilter<'_> {
    /// Reads an object's triangles, as far as the filter's limit lets it.
    pub(crate) fn with_source<R>(
        &self,
        source: &dyn TriangleSource,
        read: impl FnOnce(&dyn TriangleSource) -> R,
    ) -> R {
        match self.limit() {
            None => read(source),
            Some(limit) => read(&LimitedSource { source, limit }),
        }
    }
}

struct LimitedSource<'a> {
    source: &'a dyn TriangleSource,
    limit: &'a WorkLimit<'a>,
}

impl TriangleSource for LimitedSource<'_> {
    fn for_each_in(&self, min: DVec3, max: DVec3, visit: VisitTriangle<'_>) -> ControlFlow<()> {
        self.source.for_each_in(min, max, &mut |triangle| {
            self.limit.step()?;
            visit(triangle)
        })
    }

    fn for_each_near(
        &self,
        outline: &Outline,
        reach: (DVec3, DVec3),
        visit: VisitTriangle<'_>,
    ) -> ControlFlow<()> {
        self.source.for_each_near(outline, reach, &mut |triangle| {
            self.limit.step()?;
            visit(triangle)
        })
    }

    fn best_first(&self, swept: &MovingBox, search: &mut dyn BestFirst) {
        let limit = self.limit;
        self.source
            .best_first(swept, &mut LimitedSearch { search, limit });
    }
}

/// A search that ends where the limit is reached.
struct LimitedSearch<'a> {
    search: &'a mut dyn BestFirst,
    limit: &'a WorkLimit<'a>,
}

impl BestFirst for LimitedSearch<'_> {
    fn lower_bound(&self, min: DVec3, max: DVec3) -> Option<f64> {
        self.search.lower_bound(min, max)
    }

    fn quick_bound(&self, min: DVec3, max: DVec3) -> Option<f64> {
        self.search.quick_bound(min, max)
    }

    fn admits(&mut self, bound: f64, id: TriangleId) -> bool {
        self.limit.step().is_continue() && self.search.admits(bound, id)
    }

    fn outline(&self) -> Option<&Outline> {
        self.search.outline()
    }

    fn resting(&self) -> Option<&Outline> {
        self.search.resting()
    }

    fn has_found(&self) -> bool {
        self.search.has_found()
    }

    fn is_done(&self) -> bool {
        self.limit.is_reached() || self.search.is_done()
    }

    fn time_limit(&self) -> f32 {
        self.search.time_limit()
    }

    fn visit(&mut self, triangle: SourceTriangle) {
        if self.limit.step().is_continue() {
            self.search.visit(triangle);
        }
    }
}
