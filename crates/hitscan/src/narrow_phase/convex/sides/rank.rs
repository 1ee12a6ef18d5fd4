//! The order of sides that are reached at once, or are equally short ways out.
//!
//! The obstacle's face normals, the shape's, the products of the obstacle's edges with the shape's; of parallel
//! ones the first counts. Each is two directions, the positive one first. In the plane of a flat difference
//! the ways across its edges come last.

use super::side::{Side, SidePair};
use crate::exact::adaptive::{cross, dot};
use crate::exact::big_float::BigFloat;
use core::cmp::Ordering;

/// The place of a side in the order of all.
pub(super) type SideRank = [usize; 4];

type Exact = [BigFloat; 3];

impl SidePair<'_> {
    /// The place of a side, found without rounding: only ties need it.
    #[cold]
    #[inline(never)]
    pub(super) fn rank(&self, side: Side) -> SideRank {
        let direction: Exact = self.direction(side);
        let in_plane = |edge: u16, is_reversed: bool, kind: usize| {
            [kind, usize::from(edge), usize::from(is_reversed), 0]
        };
        match side {
            Side::ObstacleEdge { edge, is_reversed } => return in_plane(edge, is_reversed, 3),
            Side::ShapeEdge { edge, is_reversed } => return in_plane(edge, is_reversed, 4),
            _ => {}
        }
        for (kind, core) in [&self.obstacle, &self.shape].into_iter().enumerate() {
            let found =
                core.ranked_normals()
                    .into_iter()
                    .filter_map(|(normal, place, is_positive)| {
                        let along = compare_parallel(&direction, &normal)?;
                        Some([place, usize::from(along.is_gt() != is_positive)])
                    });
            if let Some([place, is_negative]) = found.min() {
                return [kind, place, 0, is_negative];
            }
        }
        self.first_product(&direction)
    }

    /// The first product of two edges' directions that is along a direction.
    fn first_product(&self, direction: &Exact) -> SideRank {
        let is_across = |along: &Exact| dot(direction, along).sign().is_eq();
        let others: Vec<Exact> = self.shape.ranked_directions();
        let mut first = [2, usize::MAX, usize::MAX, 0];
        for (one, along) in self
            .obstacle
            .ranked_directions::<BigFloat>()
            .iter()
            .enumerate()
        {
            if !is_across(along) {
                continue;
            }
            for (other, way) in others.iter().enumerate().filter(|(_, way)| is_across(way)) {
                let along = dot(direction, &cross(along, way)).sign();
                if along.is_ne() {
                    first = first.min([2, one, other, usize::from(along.is_lt())]);
                }
            }
        }
        first
    }
}

/// Whether two vectors point the same way (`Greater`) or opposite ways; `None` where they are not parallel.
fn compare_parallel(a: &Exact, b: &Exact) -> Option<Ordering> {
    let are_parallel = cross(a, b).iter().all(|component| component.sign().is_eq());
    let along = are_parallel.then(|| dot(a, b).sign())?;
    along.is_ne().then_some(along)
}
