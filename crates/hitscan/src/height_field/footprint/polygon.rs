//! Convex polygons: cut by lines, and their moments.

use super::moments::Moments;
use super::slope::PlaneMoments;
use glam::DVec2;

/// The most corners that a quadrilateral has after four cuts.
const MAX_CORNERS: usize = 8;

/// A convex polygon, counter-clockwise in its axes or clockwise.
#[derive(Clone, Copy)]
pub(super) struct Polygon {
    corners: [DVec2; MAX_CORNERS],
    count: usize,
}

impl Polygon {
    pub(super) fn new(corners: &[DVec2]) -> Self {
        let mut polygon = Self {
            corners: [DVec2::ZERO; MAX_CORNERS],
            count: 0,
        };
        corners.iter().for_each(|corner| polygon.push(*corner));
        polygon
    }

    pub(super) fn corners(&self) -> &[DVec2] {
        &self.corners[..self.count]
    }

    pub(super) fn push(&mut self, corner: DVec2) {
        if self.count < MAX_CORNERS && self.corners().last() != Some(&corner) {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }

    /// What of it is where `sign` times the coordinate of `axis` is at most `limit`.
    ///
    /// Source: Sutherland and Hodgman, "Reentrant polygon clipping", 1974.
    pub(super) fn cut(&self, axis: usize, limit: f64, sign: f64) -> Self {
        let mut kept = Self::new(&[]);
        let beyond = |corner: DVec2| sign * corner[axis] - limit;
        for (number, corner) in self.corners().iter().enumerate() {
            let next = self.corners()[(number + 1) % self.count];
            let (here, there) = (beyond(*corner), beyond(next));
            if here <= 0.0 {
                kept.push(*corner);
            }
            if (here < 0.0 && there > 0.0) || (here > 0.0 && there < 0.0) {
                let mut crossing = *corner + (next - *corner) * (here / (here - there));
                crossing[axis] = sign * limit;
                kept.push(crossing);
            }
        }
        kept
    }

    pub(super) fn plane_moments(&self) -> PlaneMoments {
        let mut sum = PlaneMoments {
            area: 0.0,
            first: DVec2::ZERO,
            second: [0.0; 3],
        };
        for k in 2..self.count {
            let fan = [self.corners[0], self.corners[k - 1], self.corners[k]];
            let fan = Moments::of_triangle(fan, [0.0; 3]);
            sum.area += fan.area;
            sum.first += fan.first;
            sum.second = [0, 1, 2].map(|i: usize| sum.second[i] + fan.second[i]);
        }
        sum
    }
}
