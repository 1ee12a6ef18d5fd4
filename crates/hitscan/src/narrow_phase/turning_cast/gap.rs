//! The gap between the core at a time and an obstacle: closest points in f64, and what they prove.

use super::screw::{Pose, SLACK, Screw};
use crate::exact::extremes::max_abs;
use crate::narrow_phase::convex::{Closest, Convex, closest_by_vertices};
use glam::DVec3;
use smallvec::SmallVec;

/// An obstacle as seen from the pivot.
#[derive(Debug)]
pub(super) struct Seen<'a> {
    /// In the world.
    pub(super) convex: Convex<'a>,
    pub(super) corners: SmallVec<[DVec3; 8]>,
    /// Both radii.
    pub(super) radius: f64,
    /// The sum of the largest coordinates of obstacle and moving shape.
    pub(super) extent: f64,
}

/// The gap at a time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gap {
    /// The gap is no less than this; negative infinity where nothing is proved.
    pub(super) lower: f64,
    /// The gap is no more than this.
    pub(super) upper: f64,
    /// The unit direction along which the lower bound is seen.
    pub(super) normal: DVec3,
    pub(super) closest: Closest,
}

impl<'a> Seen<'a> {
    pub(super) fn new(screw: &Screw<'_>, convex: &Convex<'a>) -> Self {
        let corners: SmallVec<[DVec3; 8]> = (convex.core.corners().iter())
            .map(|corner| *corner - screw.pivot)
            .collect();
        let size = corners
            .iter()
            .fold(0.0, |size: f64, corner| size.max(max_abs(*corner)));
        Self {
            extent: screw.extent + size + convex.radius,
            radius: (screw.shape.radius + convex.radius) * (1.0 + SLACK),
            convex: *convex,
            corners,
        }
    }

    /// What products of places with a unit vector may be off by.
    pub(super) fn slack(&self) -> f64 {
        SLACK * self.extent
    }

    /// The gap at a pose. Rounding may end a search for the closest points early, so that one that proves too
    /// little is begun anew from another side.
    pub(super) fn gap(&self, pose: &Pose) -> Gap {
        let mut best = self.gap_from(DVec3::X, pose);
        for first in [DVec3::Y, DVec3::Z, DVec3::NEG_X] {
            if best.lower >= 0.5 * best.upper {
                break;
            }
            let other = self.gap_from(first, pose);
            if other.lower > best.lower {
                (best.lower, best.normal) = (other.lower, other.normal);
            }
            if other.upper < best.upper {
                (best.upper, best.closest) = (other.upper, other.closest);
            }
        }
        best
    }

    fn gap_from(&self, first: DVec3, pose: &Pose) -> Gap {
        let closest = closest_by_vertices(&self.corners, &pose.corners, first);
        let offset = closest.on_shape - closest.on_obstacle;
        let distance = offset.length_squared().sqrt();
        let upper = distance * (1.0 + SLACK) + self.slack() - self.radius * (1.0 - 2.0 * SLACK);
        let mut gap = Gap {
            lower: f64::NEG_INFINITY,
            upper: upper.max(0.0),
            normal: DVec3::ZERO,
            closest,
        };
        for direction in [closest.square_offset(), closest.offset(), offset] {
            self.try_direction(direction, pose, &mut gap);
        }
        gap
    }

    /// Takes the bound along a direction of any length, if it is better.
    pub(super) fn try_direction(&self, direction: DVec3, pose: &Pose, gap: &mut Gap) {
        if let Some(normal) = unit(direction) {
            let lower = self.lower_along(normal, pose);
            if lower > gap.lower {
                (gap.lower, gap.normal) = (lower, normal);
            }
        }
    }

    /// A lower bound of the gap along a unit direction from the obstacle to the shape.
    pub(super) fn lower_along(&self, normal: DVec3, pose: &Pose) -> f64 {
        lowest(&pose.corners, normal) - self.top(normal)
    }

    /// How far along a unit direction the obstacle reaches, with both radii and all that rounding may take.
    pub(super) fn top(&self, normal: DVec3) -> f64 {
        highest(&self.corners, normal) + self.radius + self.slack()
    }
}

/// A vector at unit length; `None` for one that is too short or not finite.
pub(super) fn unit(direction: DVec3) -> Option<DVec3> {
    let largest = max_abs(direction);
    let is_usable = largest > 1e-290 && largest < 1e290;
    is_usable.then(|| {
        let scaled = direction / largest;
        scaled / scaled.length_squared().sqrt()
    })
}

/// The least product of a corner with a direction.
pub(super) fn lowest(corners: &[DVec3], direction: DVec3) -> f64 {
    let places = corners.iter().map(|corner| corner.dot(direction));
    places.fold(f64::INFINITY, f64::min)
}

/// The greatest product of a corner with a direction.
pub(super) fn highest(corners: &[DVec3], direction: DVec3) -> f64 {
    let places = corners.iter().map(|corner| corner.dot(direction));
    places.fold(f64::NEG_INFINITY, f64::max)
}
