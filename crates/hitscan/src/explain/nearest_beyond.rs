//! The triangles of one object that a resting shape's margin leaves out, the nearest few.

use crate::narrow_phase::contact::query::ContactQuery;
use crate::narrow_phase::contact::triangle_source::{
    BestFirst, MovingBox, SourceTriangle, TriangleSource,
};
use crate::{TriangleId, sorting};
use glam::DVec3;

/// How many are named: a terrain has millions beyond any margin.
pub(super) const FEW: usize = 8;

/// The separation of a triangle, and which it is.
pub(super) type Beyond = (f32, TriangleId);

/// The [`FEW`] nearest of the triangles that are not within the margin, by separation and then by index;
/// `anywhere` is the same shape without a margin.
pub(super) fn nearest_beyond(
    source: &dyn TriangleSource,
    within: &ContactQuery,
    anywhere: &ContactQuery,
) -> Vec<Beyond> {
    let (min, max) = anywhere.reach();
    let everywhere = MovingBox {
        min,
        max,
        motion: DVec3::ZERO,
    };
    let mut search = Nearest {
        within,
        anywhere,
        found: Vec::with_capacity(FEW + 1),
    };
    source.best_first(&everywhere, &mut search);
    search.found
}

struct Nearest<'a> {
    within: &'a ContactQuery<'a>,
    anywhere: &'a ContactQuery<'a>,
    /// In order.
    found: Vec<Beyond>,
}

fn rank((separation, id): &Beyond) -> (u64, TriangleId) {
    (sorting::ordered_bits((*separation).into()), *id)
}

impl BestFirst for Nearest<'_> {
    fn lower_bound(&self, min: DVec3, max: DVec3) -> Option<f64> {
        self.anywhere.least_separation(min, max)
    }

    fn admits(&mut self, bound: f64, _id: TriangleId) -> bool {
        // Separations are rounded to f32: one step covers what rounds to the last of them.
        let last = self.found.get(FEW - 1);
        last.is_none_or(|(separation, _)| bound <= separation.next_up().into())
    }

    fn time_limit(&self) -> f32 {
        1.0
    }

    fn visit(&mut self, triangle: SourceTriangle) {
        if self.within.with_triangle(&triangle).is_some() {
            return;
        }
        let Some(contact) = self.anywhere.with_triangle(&triangle) else {
            return;
        };
        let new = (contact.separation(), triangle.id);
        let place = self.found.partition_point(|one| rank(one) < rank(&new));
        if place < FEW {
            self.found.insert(place, new);
            self.found.truncate(FEW);
        }
    }
}
