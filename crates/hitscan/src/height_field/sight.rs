//! Lines of sight over terrain: the triangles in the way.

use super::HeightField;
use super::storage::tile::Tile;
use crate::narrow_phase::sight::SightLine;
use core::ops::ControlFlow;
use glam::DVec3;

impl HeightField {
    /// Calls `visit` for each triangle that blocks the line, until it breaks; for some of them twice.
    pub(crate) fn for_each_blocker(
        &self,
        line: &SightLine,
        visit: &mut dyn FnMut(u32, &[DVec3; 3]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.for_each_blocker_beside((line, self.tiles()), &|_, _| false, visit)
    }

    fn for_each_blocker_beside(
        &self,
        (line, tiles): (&SightLine, &[Tile]),
        is_clear: &dyn Fn(usize, usize) -> bool,
        visit: &mut dyn FnMut(u32, &[DVec3; 3]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if line.is_point() {
            return ControlFlow::Continue(());
        }
        self.for_each_candidate_past_level_ground(
            (&line.ray(), tiles),
            is_clear,
            &mut |triangle, corners| {
                if line.crosses_ground(corners) {
                    visit(triangle, corners)?;
                }
                ControlFlow::Continue(())
            },
        )
    }

    /// Whether a triangle blocks the line; for so few lines that tiles are not made for them.
    pub(super) fn blocks(&self, line: &SightLine) -> bool {
        self.blocks_beside(line, &|_, _| false)
    }

    /// Whether a triangle blocks the line; those of cells, by column and row, for which `is_clear` is true do
    /// not.
    pub(super) fn blocks_beside(
        &self,
        line: &SightLine,
        is_clear: &dyn Fn(usize, usize) -> bool,
    ) -> bool {
        let tiles = self.tiles.get().unwrap_or_default();
        self.for_each_blocker_beside((line, tiles), is_clear, &mut |_, _| ControlFlow::Break(()))
            .is_break()
    }
}
