//! The triangles of a mesh that something which moves may touch.

use super::TriMesh;
use crate::bvh::TraversalQuery;
use core::ops::ControlFlow;

impl TriMesh {
    /// Calls `visit` for each triangle whose box `query` may touch, until it breaks.
    pub(crate) fn for_each_touched(
        &self,
        query: &TraversalQuery,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.bvh.cast(query, f32::MAX, |triangle| {
            visit(triangle)?;
            ControlFlow::Continue(f32::MAX)
        })
    }
}
