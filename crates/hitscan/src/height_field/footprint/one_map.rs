//! The ground of several terrains as that of one map: where cells of several are the same square, the first
//! that has ground there counts.

use super::region::Placement;
use super::{Asked, Footprint, FootprintSample, ground};
use crate::WorkLimit;
use crate::height_field::footprint::moments::Moments;
use crate::height_field::storage::grid::Lines;
use crate::height_field::{Cell, HeightField};
use glam::DVec2;

/// The ground of terrains under a footprint, as one map; and the first terrain that has any of it.
pub(crate) fn footprint_as_one(
    fields: &[&HeightField],
    footprint: &Footprint,
    limit: Option<&WorkLimit<'_>>,
) -> (FootprintSample, usize) {
    let mut sum = Moments::NOTHING;
    let mut first = None;
    for (place, field) in fields.iter().enumerate() {
        let own = field.moments_under(footprint, limit, &fields[..place]);
        if own.area > 0.0 {
            first = first.or(Some(place));
            sum = sum.plus(&own);
        }
    }
    if let Some(place) = first {
        return (FootprintSample::Ground(ground(footprint, &sum)), place);
    }
    let is_hole = |field: &&HeightField| field.without_ground(footprint) == FootprintSample::Hole;
    if fields.iter().any(is_hole) {
        return (FootprintSample::Hole, 0);
    }
    (FootprintSample::Outside, 0)
}

impl Footprint {
    /// Whether a terrain may reach under it.
    pub(crate) fn reaches(&self, field: &HeightField) -> bool {
        let (x, z) = (field.grid.x_lines(), field.grid.z_lines());
        let ends = [(x.first(), z.first()), (x.end(), z.end())].map(DVec2::from);
        let placement = self.region.place(ends.map(|end| end - self.center));
        placement != Placement::Outside
    }
}

impl Asked<'_> {
    /// Whether a block may have cells that are also those of a terrain before.
    pub(super) fn may_repeat(&self, [min, max]: &[DVec2; 2]) -> bool {
        self.before.iter().any(|other| {
            let (x, z) = (other.grid.x_lines(), other.grid.z_lines());
            min.x < x.end() && max.x > x.first() && min.y < z.end() && max.y > z.first()
        })
    }

    /// Whether a terrain before has ground in the same cell: the same triangle, or any where its cells are
    /// cut the other way.
    pub(super) fn repeats(&self, cell: &Cell, half: usize) -> bool {
        self.before.iter().any(|other| {
            let column = cell_between(&other.grid.x_lines(), cell.x);
            let row = cell_between(&other.grid.z_lines(), cell.z);
            let Some((column, row)) = column.zip(row) else {
                return false;
            };
            let same = other.cell(column, row);
            if same.diagonal == cell.diagonal {
                same.triangle(half).is_some()
            } else {
                (0..2).any(|half| same.triangle(half).is_some())
            }
        })
    }
}

/// The cell between these two lines, if it is one.
fn cell_between(lines: &Lines, [first, last]: [f64; 2]) -> Option<usize> {
    let index = lines.index_of(first)?;
    (index < lines.last && lines.at(index + 1) == last).then_some(index)
}
