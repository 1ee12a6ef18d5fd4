//! The triangles of an instance, for resting and moving shapes.

use super::instance::Instance;
use crate::bvh::TraversalQuery;
use crate::narrow_phase::contact::triangle_source::{
    BestFirst, MovingBox, TriangleSource, VisitTriangle,
};
use core::ops::ControlFlow;
use glam::DVec3;

impl TriangleSource for Instance {
    fn for_each_in(&self, min: DVec3, max: DVec3, visit: VisitTriangle<'_>) -> ControlFlow<()> {
        let query = TraversalQuery::moving_box((min, max), DVec3::ZERO, (0.0, 1.0));
        self.cast(&query, 1.0, |index, part| {
            part.placed(index).for_each_in(min, max, visit)?;
            ControlFlow::Continue(1.0)
        })
    }

    fn best_first(&self, swept: &MovingBox, search: &mut dyn BestFirst) {
        let corners = (swept.min, swept.max);
        let query = TraversalQuery::moving_box(corners, swept.motion, (0.0, 1.0));
        let limit = search.time_limit();
        // Nothing breaks off.
        let _ = self.cast(&query, limit, |index, part| {
            part.placed(index).best_first(swept, search);
            ControlFlow::Continue(search.time_limit())
        });
    }
}
