//! The gap between the core at a time and an obstacle: closest points in f64, and what they prove.

use super::orbit::SLACK;
use super::screw::{Pose, Screw};
use crate::exact::extremes::max_abs;
use crate::narrow_phase::convex::{
    Closest, Convex, Core, CylinderCore, Supports, closest_by_supports,
};
use glam::DVec3;
use smallvec::SmallVec;

/// How often a direction is climbed from.
const MAX_CLIMBS: u32 = 8;

/// An obstacle as seen from the pivot.
#[derive(Debug)]
pub(super) struct Seen<'a> {
    /// In the world.
    pub(super) convex: Convex<'a>,
    pub(super) corners: SmallVec<[DVec3; 8]>,
    /// The core as seen from the pivot, where it is a cylinder.
    pub(super) cylinder: Option<CylinderCore>,
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
        let cylinder = match &convex.core {
            Core::Cylinder(cylinder) => Some(cylinder.seen_from(screw.pivot)),
            _ => None,
        };
        let disc = cylinder.map_or(0.0, |cylinder| cylinder.radius);
        Self {
            extent: screw.extent + size + disc + convex.radius,
            cylinder,
            radius: (screw.shape.radius + convex.radius) * (1.0 + SLACK),
            convex: *convex,
            corners,
        }
    }

    /// What products of places with a unit vector may be off by.
    pub(super) fn slack(&self) -> f64 {
        SLACK * self.extent
    }

    /// Whether either of the two is a cylinder.
    pub(super) fn has_cylinder(&self, screw: &Screw<'_>) -> bool {
        self.cylinder.is_some() || screw.discs.is_some()
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
        if self.cylinder.is_some() || pose.cylinder.is_some() {
            self.climb(pose, &mut best);
        }
        best
    }

    /// Better directions for round shapes that are too near for one between their closest points: that between the
    /// closest points once the shape is moved aside along the best so far.
    fn climb(&self, pose: &Pose, gap: &mut Gap) {
        let mut aside = 0.0625 * self.extent;
        for _ in 0..MAX_CLIMBS {
            if gap.lower >= 0.5 * gap.upper {
                break;
            }
            let (shift, before) = (gap.normal * aside, gap.lower);
            let closest = self.closest(pose, shift, gap.normal);
            self.try_direction(closest.on_shape - closest.on_obstacle, pose, gap);
            // Also where there was no direction.
            let is_better = gap.lower > before;
            if !is_better {
                aside *= 0.125;
            }
        }
    }

    /// The closest points of the two after the shape is moved further, searched from a direction.
    fn closest(&self, pose: &Pose, shift: DVec3, first: DVec3) -> Closest {
        let obstacle = match &self.cylinder {
            Some(cylinder) => Supports::Cylinder(cylinder),
            None => Supports::Corners(&self.corners),
        };
        let shape = match &pose.cylinder {
            Some(cylinder) => Supports::Cylinder(cylinder),
            None => Supports::Corners(&pose.corners),
        };
        closest_by_supports(obstacle, shape, shift, first)
    }

    fn gap_from(&self, first: DVec3, pose: &Pose) -> Gap {
        let closest = self.closest(pose, DVec3::ZERO, first);
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
        pose.lowest(normal) - self.top(normal)
    }

    /// How far along a unit direction the obstacle reaches, with both radii and all that rounding may take.
    pub(super) fn top(&self, normal: DVec3) -> f64 {
        self.highest(normal) + self.radius + self.slack()
    }

    /// The largest dot product of a point of the obstacle's core with a direction.
    pub(super) fn highest(&self, direction: DVec3) -> f64 {
        let reach = self
            .cylinder
            .as_ref()
            .map_or(0.0, |cylinder| cylinder.reach(direction));
        highest(&self.corners, direction) + reach
    }
}

impl Pose {
    /// The smallest dot product of a point of the core with a direction.
    pub(super) fn lowest(&self, direction: DVec3) -> f64 {
        let reach = self
            .cylinder
            .as_ref()
            .map_or(0.0, |cylinder| cylinder.reach(direction));
        lowest(&self.corners, direction) - reach
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

/// The smallest dot product of a corner with a direction.
pub(super) fn lowest(corners: &[DVec3], direction: DVec3) -> f64 {
    let places = corners.iter().map(|corner| corner.dot(direction));
    places.fold(f64::INFINITY, f64::min)
}

/// The largest dot product of a corner with a direction.
pub(super) fn highest(corners: &[DVec3], direction: DVec3) -> f64 {
    let places = corners.iter().map(|corner| corner.dot(direction));
    places.fold(f64::NEG_INFINITY, f64::max)
}
