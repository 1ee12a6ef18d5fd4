//! Lines of sight over terrain: the triangles in the way.

use super::HeightField;
use crate::sight::SightLine;
use core::ops::ControlFlow;
use glam::DVec3;

impl HeightField {
    /// Calls `visit` for each triangle that blocks the line, until it breaks.
    pub(crate) fn for_each_blocker(
        &self,
        line: &SightLine,
        visit: &mut dyn FnMut(u32, &[DVec3; 3]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if line.is_point() {
            return ControlFlow::Continue(());
        }
        self.for_each_candidate(&line.ray(), &mut |triangle, corners| {
            if line.crosses_ground(corners) {
                visit(triangle, corners)?;
            }
            ControlFlow::Continue(())
        })
    }

    /// Whether a triangle blocks the line.
    pub(crate) fn blocks(&self, line: &SightLine) -> bool {
        self.for_each_blocker(line, &mut |_, _| ControlFlow::Break(()))
            .is_break()
    }
}
