//! The order of sides that are reached at once, or are equally short ways out.
//!
//! The obstacle's face normals, the shape's, the products of the obstacle's edges with the shape's; of parallel
//! ones the first counts. Each is two directions, the positive one first. In the plane of a flat difference
//! the ways across its edges come last.

use super::side::{Side, SidePair};
use crate::exact::adaptive::{between, cross, dot};
use crate::exact::big_float::BigFloat;
use core::cmp::Ordering;
use glam::DVec3;

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
            let mut first: Option<[usize; 2]> = None;
            for face in (0..).take(core.face_count()) {
                let Some(along) = compare_parallel(&direction, &core.normal(face)) else {
                    continue;
                };
                let (place, is_outward_positive) = core.face_rank(face);
                let is_positive = along.is_gt() == is_outward_positive;
                let rank = [place, usize::from(!is_positive)];
                if first.is_none_or(|first| rank < first) {
                    first = Some(rank);
                }
            }
            if let Some([place, is_negative]) = first {
                return [kind, place, 0, is_negative];
            }
        }
        self.first_product(&direction)
    }

    /// The first product of two edges that is along a direction.
    fn first_product(&self, direction: &Exact) -> SideRank {
        let is_across = |ends: [DVec3; 2]| {
            let along: Exact = between(ends[0], ends[1]);
            dot(direction, &along).sign().is_eq()
        };
        let mut first = [2, usize::MAX, usize::MAX, 0];
        for one in (0..).take(self.obstacle.edges.len()) {
            let ends = self.obstacle.edge_ends(one);
            if !is_across(ends) {
                continue;
            }
            for other in (0..).take(self.shape.edges.len()) {
                let others = self.shape.edge_ends(other);
                if !is_across(others) {
                    continue;
                }
                let ways: [Exact; 2] = [ends, others].map(|[from, to]| between(from, to));
                let product = cross(&ways[0], &ways[1]);
                let along = dot(direction, &product).sign();
                if along.is_eq() {
                    continue;
                }
                let (one, other) = (self.obstacle.edge_rank(one), self.shape.edge_rank(other));
                first = first.min([2, one, other, usize::from(along.is_lt())]);
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
