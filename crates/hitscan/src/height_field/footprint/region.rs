//! A footprint as a region about its middle, and what it leaves of a triangle.
//!
//! Within a triangle the height is linear, so moments of the region up to degree 2 give all integrals.
//! A polygon's are those of a fan of triangles; a disc's rim adds circular segments (Green's theorem).

use super::disc::disc_part;
use super::moments::Moments;
use super::polygon::Polygon;
use super::slope::Slope;
use core::f64::consts::PI;
use glam::{DMat2, DVec2};

/// Blocks that are inside or outside by less than this, relative to the numbers involved, are opened.
///
/// Rotating and measuring a corner rounds fewer than ten times, so it is off by less than 2e-15 of these
/// numbers. This is some hundred times more; a block that is opened needlessly costs time only.
const MARGIN: f64 = 1e-12;

/// The shape of a footprint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Region {
    Disc {
        radius: f64,
    },
    Rectangle {
        half: DVec2,
        /// From x and z to the rectangle's own axes.
        own_from_world: DMat2,
    },
}

/// How a block lies to a footprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Placement {
    Inside,
    Outside,
    Across,
}

impl Region {
    pub(super) fn area(&self) -> f64 {
        match self {
            Self::Disc { radius } => PI * radius * radius,
            Self::Rectangle { half, .. } => 4.0 * half.x * half.y,
        }
    }

    /// The axes in which the region is clipped and summed, from x and z.
    pub(super) fn own_from_world(&self) -> DMat2 {
        match self {
            Self::Disc { .. } => DMat2::IDENTITY,
            Self::Rectangle { own_from_world, .. } => *own_from_world,
        }
    }

    /// How a block lies, given its corners relative to the region's middle.
    pub(super) fn place(&self, [min, max]: [DVec2; 2]) -> Placement {
        match self {
            Self::Disc { radius } => {
                let nearest = DVec2::ZERO.clamp(min, max).length();
                let farthest = min.abs().max(max.abs()).length();
                decide(nearest, farthest, *radius)
            }
            Self::Rectangle {
                half,
                own_from_world,
            } => {
                let corners = [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)]
                    .map(|corner| *own_from_world * corner);
                let low = corners.into_iter().fold(DVec2::INFINITY, DVec2::min);
                let high = corners.into_iter().fold(DVec2::NEG_INFINITY, DVec2::max);
                let nearest = DVec2::ZERO.clamp(low, high).abs();
                let farthest = low.abs().max(high.abs());
                let x = decide(nearest.x, farthest.x, half.x);
                let y = decide(nearest.y, farthest.y, half.y);
                match (x, y) {
                    (Placement::Inside, Placement::Inside) => Placement::Inside,
                    (Placement::Outside, _) | (_, Placement::Outside) => Placement::Outside,
                    _ => Placement::Across,
                }
            }
        }
    }

    /// The moments of what of a convex polygon, which is relative to the region's middle and in its own
    /// axes, is under the region; the polygon's height is linear, given at its first three corners.
    pub(super) fn clip(&self, corners: &[DVec2], y: [f64; 3]) -> Moments {
        let slope = Slope::new(corners, y);
        match self {
            Self::Disc { radius } => disc_part(corners, &slope, *radius),
            Self::Rectangle { half, .. } => {
                let mut part = Polygon::new(corners);
                for (axis, half) in [half.x, half.y].into_iter().enumerate() {
                    part = part.cut(axis, half, 1.0).cut(axis, half, -1.0);
                }
                let mut moments = slope.moments(&part.plane_moments());
                if moments.area > 0.0 {
                    for corner in part.corners() {
                        slope.extend(&mut moments, *corner);
                    }
                }
                moments
            }
        }
    }
}

/// How what is from `nearest` to `farthest` lies to a limit.
fn decide(nearest: f64, farthest: f64, limit: f64) -> Placement {
    let margin = MARGIN * (farthest + limit);
    if farthest < limit - margin {
        Placement::Inside
    } else if nearest > limit + margin {
        Placement::Outside
    } else {
        Placement::Across
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_around_a_disc_leaves_the_disc_and_a_square_in_it_the_square() {
        let square = |half: f64| {
            [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|at| DVec2::from(at) * half)
        };
        let disc = Region::Disc { radius: 2.0 };
        let all = disc.clip(&square(5.0), [3.0; 3]);
        assert!((all.area - 4.0 * PI).abs() < 1e-14 && (all.height - 12.0 * PI).abs() < 1e-13);
        assert!((all.second[0] - 4.0 * PI).abs() < 1e-13, "{all:?}");
        let own = disc.clip(&square(1.0), [3.0; 3]);
        assert_eq!((own.area, own.low, own.high), (4.0, 3.0, 3.0));
        // Half of the disc, on a slope: its mean is 4 r / 3 pi from the middle.
        let half = [[0.0, -9.0], [9.0, -9.0], [9.0, 9.0], [0.0, 9.0]].map(DVec2::from);
        let part = disc.clip(&half, [0.0, 9.0, 9.0]);
        assert!((part.area - 2.0 * PI).abs() < 1e-14, "{part:?}");
        assert!(
            (part.height / part.area - 8.0 / (3.0 * PI)).abs() < 1e-14,
            "{part:?}"
        );
        assert!(
            part.low.abs() < 1e-15 && (part.high - 2.0).abs() < 1e-15,
            "{part:?}"
        );
    }

    #[test]
    fn a_touch_has_no_area() {
        let beside = [[2.0, -9.0], [9.0, -9.0], [9.0, 9.0]].map(DVec2::from);
        let disc = Region::Disc { radius: 2.0 };
        assert_eq!(disc.clip(&beside, [1.0; 3]), Moments::NOTHING);
        // A corner on the rim, where rounding lets an edge reach in or not.
        let unit = Region::Disc { radius: 1.0 };
        for turned in [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]].map(DVec2::from) {
            let corners = [1.0, 2.0, 3.0].map(|k| turned * k + turned.perp() * (k - 1.0));
            let across = [corners[0], corners[1], turned * 2.0];
            assert_eq!(unit.clip(&across, [1.0; 3]), Moments::NOTHING, "{turned}");
        }
        let rectangle = Region::Rectangle {
            half: DVec2::new(2.0, 1.0),
            own_from_world: DMat2::IDENTITY,
        };
        assert_eq!(rectangle.clip(&beside, [1.0; 3]), Moments::NOTHING);
    }
}
