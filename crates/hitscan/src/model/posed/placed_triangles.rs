//! The triangles of a placed part in a box, for queries that want all of them.

use super::placed_part::PlacedPart;
use crate::TriangleId;
use crate::narrow_phase::contact::triangle_source::{
    SourceTriangle, TriangleSource as _, VisitTriangle,
};
use core::ops::ControlFlow;
use glam::{DVec3, Vec3};

impl PlacedPart<'_> {
    /// Visits every triangle that touches the box from `min` to `max` in the outer space, and perhaps
    /// others, in any order, until `visit` breaks.
    ///
    /// A part that the pose deforms is deformed for this call alone, and all its triangles are visited,
    /// until such calls are as many that a mesh which is kept costs less.
    pub(crate) fn for_each_triangle_in(
        &self,
        (min, max): (DVec3, DVec3),
        visit: VisitTriangle<'_>,
    ) -> ControlFlow<()> {
        let Some((triangles, positions)) = self.deformed_for_one_call() else {
            return self.placed_mesh().for_each_in(min, max, visit);
        };
        // As the corners of a placed mesh are.
        let placed = |at: &Vec3| match self.transform() {
            None => at.as_dvec3(),
            Some(transform) => transform.world_from_mesh.transform_point3(at.as_dvec3()),
        };
        let positions: Vec<DVec3> = positions.iter().map(placed).collect();
        for (triangle, corners) in (0..).zip(triangles) {
            visit(SourceTriangle {
                id: TriangleId {
                    part: self.index,
                    triangle,
                },
                corners: corners.map(|corner| positions[corner as usize]),
                is_mirrored: self.is_mirrored(),
            })?;
        }
        ControlFlow::Continue(())
    }
}
