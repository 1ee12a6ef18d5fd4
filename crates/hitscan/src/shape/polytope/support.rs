//! Corners furthest along a direction, in f64: guesses, and bounds that hold for all corners.

use super::Polytope;
use glam::DVec3;

/// Up to so many corners all are looked at.
const FEW: usize = 48;

impl Polytope {
    /// A corner that is about the furthest along a direction. `start` is where the search begins.
    ///
    /// Source: Gregorius, "The Separating Axis Test between Convex Polyhedra", GDC 2013, for hill climbing:
    /// from corner to neighbour as long as that is further.
    pub(crate) fn about_furthest(&self, direction: DVec3, start: u16) -> u16 {
        let height = |corner: u16| direction.dot(self.corner(corner));
        if self.corners.len() <= FEW {
            #[expect(clippy::cast_possible_truncation, reason = "there are few")]
            return self.corner_lanes.furthest(direction) as u16;
        }
        let (mut best, mut top) = (start, height(start));
        loop {
            let before = best;
            for &next in self.neighbours(before) {
                let next_height = height(next);
                if next_height > top {
                    (best, top) = (next, next_height);
                }
            }
            if best == before {
                return best;
            }
        }
    }

    /// The least and the greatest height of a corner along a direction, rounded.
    #[inline]
    pub(crate) fn extremes_along(&self, direction: DVec3) -> [f64; 2] {
        self.corner_lanes.extremes(direction)
    }

    /// The corners at the other ends of a corner's edges.
    fn neighbours(&self, corner: u16) -> &[u16] {
        let place = usize::from(corner);
        let [start, end] = [place, place + 1].map(|place| self.neighbour_starts[place] as usize);
        &self.neighbours[start..end]
    }
}
