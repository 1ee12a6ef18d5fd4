//! Shapes that touch at the start and part: until when that is certain, and how far apart they are then.

use super::advance::time_of_fall;
use super::discs::growths;
use super::gap::{Seen, highest, lowest};
use super::leaning_plane::LeaningPlane;
use super::orbit::SLACK;
use super::screw::Screw;
use crate::exact::extremes::max_abs;
use crate::narrow_phase::convex::{Core, CylinderCore};
use glam::DVec3;
use smallvec::SmallVec;

/// A time at which shape and obstacle are certainly apart, having been so since the start.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parting {
    pub(super) t: f64,
    /// They are no nearer then.
    pub(super) gap: f64,
}

/// A corner's height over what it parts from at the start, how fast it rises, and by how much it may be drawn
/// down.
#[derive(Debug, Clone, Copy)]
struct Rise {
    height: f64,
    speed: f64,
    acceleration: f64,
}

/// When the two are apart, if all corners of either that may touch the other move out along a direction that
/// separates them at the start and is no more than `error` off `normal`.
///
/// No corner is below the level of the contact at the start, exactly. So the height of one at a time is at least
/// its speed times the time, less what the maximum acceleration takes, and more where it is higher. It
/// is enough that this holds for the corners of one of the two: each is seen where the other rests.
pub(super) fn parting(
    screw: &Screw<'_>,
    seen: &Seen<'_>,
    normal: DVec3,
    error: f64,
) -> Option<Parting> {
    let shape = corners_of_shape(screw);
    let own = Rim::of_shape(screw, normal, DVec3::ZERO);
    let others = Rim::of_obstacle(screw, seen, normal);
    let low = lowest(&shape, normal) - own.reach;
    let high = highest(&seen.corners, normal) + others.reach;
    let rate = screw.angle.abs();
    // Radii lie between the cores. Errors of places, and of the direction over the longest way between two.
    let off = seen.slack() + 4.0 * error * seen.extent;
    let off_speed = (SLACK + 4.0 * error) * 4.0 * seen.extent * (1.0 + rate);
    let rise = |height: f64, point: DVec3, acceleration: f64, [grows, faster]: [f64; 2]| Rise {
        height: (height - seen.radius - off).max(0.0),
        speed: normal.dot(screw.velocity_at_start(point)) - off_speed - grows,
        acceleration: (acceleration + faster) * (1.0 + SLACK),
    };
    let of_shape = |growth: [f64; 2]| -> Vec<Rise> {
        let rises = shape.iter().zip(&screw.orbits).map(|(corner, orbit)| {
            let height = normal.dot(*corner) - own.reach - high;
            rise(height, *corner, rate * rate * orbit.radius, growth)
        });
        rises.collect()
    };
    // Seen from the shape, a point of the obstacle goes back, round the pivot that goes back too.
    let moved = screw.motion.length_squared().sqrt();
    let of_obstacle = |growth: [f64; 2]| -> Vec<Rise> {
        let rises = seen.corners.iter().map(|corner| {
            let radius = corner.length_squared().sqrt() + moved;
            let height = low - normal.dot(*corner) - others.reach;
            let acceleration = rate * rate * radius + 2.0 * rate * moved;
            rise(height, *corner, acceleration, growth)
        });
        rises.collect()
    };
    let of_shape = own
        .growths
        .into_iter()
        .map(|growth| apart(&of_shape(growth)));
    let of_obstacle = others
        .growths
        .into_iter()
        .map(|growth| apart(&of_obstacle(growth)));
    let found = of_shape.chain(of_obstacle).flatten();
    found.max_by(|a, b| a.t.total_cmp(&b.t))
}

/// The same by a plane that moves between the two: all corners of the shape rise from it, and those of the obstacle
/// stay behind.
///
/// With the normal n(t), which turns at the rate of the lean, the height of a corner p of the shape over a point that
/// rises with the plane is n · (p - through) - rise t, and its acceleration is no more than |n''| |p - through| +
/// 2 |n'| |p'| + |p''|. Radii shorten with the cosine of the angle by which the normal has turned.
pub(super) fn parting_by_plane(
    screw: &Screw<'_>,
    seen: &Seen<'_>,
    normal: DVec3,
    error: f64,
) -> Option<Parting> {
    let plane = LeaningPlane::between(screw, seen, normal)?;
    let own = Rim::of_shape(screw, normal, plane.lean);
    let others = Rim::of_resting(seen, normal, plane.lean);
    let high = highest(&seen.corners, normal) + others.reach;
    let (rate, leans) = (screw.angle.abs(), plane.rate());
    let off = seen.slack() + 4.0 * error * seen.extent;
    let reach = seen.extent + max_abs(plane.through);
    let off_speed = (SLACK + 4.0 * error) * 4.0 * reach * (1.0 + rate + leans);
    let rise = |height: f64, speed: f64, acceleration: f64, [grows, faster]: [f64; 2]| Rise {
        height: (height - off).max(0.0),
        speed: speed - off_speed - grows,
        acceleration: (acceleration + faster) * (1.0 + SLACK),
    };
    let moved = screw.motion.length_squared().sqrt();
    let shape = corners_of_shape(screw);
    let of_shape = |growth: [f64; 2]| {
        let corners = shape.iter().zip(&screw.orbits);
        corners.map(move |(corner, orbit)| {
            let height = normal.dot(*corner) - own.reach - high - seen.radius;
            let from_plane = *corner - plane.through;
            let speed = normal.dot(screw.velocity_at_start(*corner)) + plane.lean.dot(from_plane);
            let farthest =
                corner.length_squared().sqrt() + moved + plane.through.length_squared().sqrt();
            let acceleration = leans * leans * farthest
                + 2.0 * leans * (moved + rate * orbit.radius)
                + rate * rate * orbit.radius;
            rise(height, speed - plane.rise, acceleration, growth)
        })
    };
    let of_obstacle = |growth: [f64; 2]| {
        seen.corners.iter().map(move |corner| {
            let height = high - normal.dot(*corner) - others.reach;
            let from_plane = *corner - plane.through;
            let speed = plane.rise - plane.lean.dot(from_plane);
            let farthest = from_plane.length_squared().sqrt() + seen.radius;
            rise(height, speed, leans * leans * farthest, growth)
        })
    };
    let pairs =
        (own.growths.iter()).flat_map(|own| others.growths.iter().map(move |other| (own, other)));
    let found = pairs.filter_map(|(own, other)| {
        let rises: Vec<Rise> = of_shape(*own).chain(of_obstacle(*other)).collect();
        apart(&rises)
    });
    found.max_by(|a, b| a.t.total_cmp(&b.t))
}

/// The corners of the shape at the start, seen from the pivot.
fn corners_of_shape(screw: &Screw<'_>) -> Vec<DVec3> {
    let corners = screw.shape.core.corners().iter();
    corners.map(|corner| *corner - screw.pivot).collect()
}

/// What the discs around the corners of a cylinder add to them along a direction at the start, and how that grows.
struct Rim {
    reach: f64,
    /// Pairs of a speed and an acceleration, each of which holds.
    growths: SmallVec<[[f64; 2]; 2]>,
}

impl Rim {
    /// Along a direction that leans.
    fn of_shape(screw: &Screw<'_>, normal: DVec3, lean: DVec3) -> Self {
        let (Some(discs), Core::Cylinder(cylinder)) = (&screw.discs, &screw.shape.core) else {
            return Self::none();
        };
        let velocity = screw.unit.cross(cylinder.axis().0) * screw.angle;
        let leans = lean.length_squared().sqrt();
        let acceleration =
            discs.acceleration(screw.angle) + leans * leans + 2.0 * leans * screw.angle.abs();
        Self::new(cylinder, normal, [velocity, lean], acceleration)
    }

    /// As seen from the shape, where the obstacle turns the other way.
    fn of_obstacle(screw: &Screw<'_>, seen: &Seen<'_>, normal: DVec3) -> Self {
        let Some(cylinder) = &seen.cylinder else {
            return Self::none();
        };
        let velocity = screw.unit.cross(cylinder.axis().0) * -screw.angle;
        Self::new(
            cylinder,
            normal,
            [velocity, DVec3::ZERO],
            screw.angle * screw.angle,
        )
    }

    /// Along a direction that leans, of an obstacle that rests.
    fn of_resting(seen: &Seen<'_>, normal: DVec3, lean: DVec3) -> Self {
        match &seen.cylinder {
            Some(cylinder) => {
                Self::new(cylinder, normal, [DVec3::ZERO, lean], lean.length_squared())
            }
            None => Self::none(),
        }
    }

    fn new(cylinder: &CylinderCore, normal: DVec3, ways: [DVec3; 2], acceleration: f64) -> Self {
        Self {
            reach: cylinder.reach(normal),
            growths: SmallVec::from(growths(cylinder, normal, ways, acceleration)),
        }
    }

    fn none() -> Self {
        Self {
            reach: 0.0,
            growths: SmallVec::from_slice(&[[0.0; 2]]),
        }
    }
}

/// Half the time until one may be down again, and how high all are then.
fn apart(rises: &[Rise]) -> Option<Parting> {
    let until = rises
        .iter()
        .map(|rise| time_of_fall(rise.height, rise.speed, rise.acceleration));
    let t = (0.5 * until.fold(f64::INFINITY, f64::min)).min(1.0);
    let heights = rises
        .iter()
        .map(|rise| rise.height + t * (rise.speed - 0.5 * rise.acceleration * t));
    let gap = heights.fold(f64::INFINITY, f64::min) * (1.0 - SLACK);
    // Also false for NaN.
    let is_apart = t > 0.0 && gap > 0.0;
    is_apart.then_some(Parting { t, gap })
}
