//! A height that is linear, and its moments over a plane region.

use super::moments::Moments;
use glam::DVec2;

/// The moments of a plane region about the middle.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlaneMoments {
    pub(super) area: f64,
    pub(super) first: DVec2,
    pub(super) second: [f64; 3],
}

/// A height that is linear.
pub(super) struct Slope {
    at: DVec2,
    y: f64,
    pub(super) gradient: DVec2,
    corners: [(DVec2, f64); 3],
}

impl Slope {
    pub(super) fn new(corners: &[DVec2], y: [f64; 3]) -> Self {
        let [a, b, c] = [corners[0], corners[1], corners[2]];
        let (p, q) = (b - a, c - a);
        let (rise_p, rise_q) = (y[1] - y[0], y[2] - y[0]);
        let area = p.perp_dot(q);
        let gradient = DVec2::new(rise_p * q.y - rise_q * p.y, rise_q * p.x - rise_p * q.x) / area;
        Self {
            at: a,
            y: y[0],
            gradient,
            corners: [(a, y[0]), (b, y[1]), (c, y[2])],
        }
    }

    /// The height at a point, exact at the corners.
    fn height(&self, at: DVec2) -> f64 {
        let corner = self.corners.iter().find(|(corner, _)| *corner == at);
        corner.map_or_else(|| self.y + self.gradient.dot(at - self.at), |(_, y)| *y)
    }

    pub(super) fn extend(&self, moments: &mut Moments, at: DVec2) {
        let y = self.height(at);
        moments.low = moments.low.min(y);
        moments.high = moments.high.max(y);
    }

    /// The moments of the height over a region, without its extremes.
    pub(super) fn moments(&self, plane: &PlaneMoments) -> Moments {
        let PlaneMoments {
            area,
            first,
            second,
        } = *plane;
        if area <= 0.0 {
            return Moments::NOTHING;
        }
        let [xx, xz, zz] = second;
        // About the corner, so that steep ground far from the middle loses nothing.
        let off = first - self.at * area;
        let off_x = DVec2::new(xx, xz) - self.at * first.x;
        let off_z = DVec2::new(xz, zz) - self.at * first.y;
        Moments {
            area,
            first,
            second,
            height: self.y * area + self.gradient.dot(off),
            height_first: DVec2::new(
                self.y * first.x + self.gradient.dot(off_x),
                self.y * first.y + self.gradient.dot(off_z),
            ),
            ..Moments::NOTHING
        }
    }
}
