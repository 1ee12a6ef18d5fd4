//! Shapes that touch at the start and part: until when that is certain, and how far apart they are then.

use super::advance::time_of_fall;
use super::gap::{Seen, highest, lowest};
use super::screw::{SLACK, Screw};
use glam::DVec3;

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
/// separates them at the start, of which `normal` is no more than `error` off.
///
/// No corner is below the level of the contact at the start, exactly. So the height of one at a time is at least
/// its speed times the time, less what the greatest acceleration takes, and more where it is higher. It
/// is enough that this holds for the corners of one of the two: each is seen where the other rests.
pub(super) fn parting(
    screw: &Screw<'_>,
    seen: &Seen<'_>,
    normal: DVec3,
    error: f64,
) -> Option<Parting> {
    let corners = screw.shape.core.corners().iter();
    let shape: Vec<DVec3> = corners.map(|corner| *corner - screw.pivot).collect();
    let (low, high) = (lowest(&shape, normal), highest(&seen.corners, normal));
    let rate = screw.angle.abs();
    // Radii lie between the cores. Errors of places, and of the direction over the longest way between two.
    let off = seen.slack() + 4.0 * error * seen.extent;
    let off_speed = (SLACK + 4.0 * error) * 4.0 * seen.extent * (1.0 + rate);
    let rise = |height: f64, point: DVec3, acceleration: f64| Rise {
        height: (height - seen.radius - off).max(0.0),
        speed: normal.dot(screw.velocity_at_start(point)) - off_speed,
        acceleration: acceleration * (1.0 + SLACK),
    };
    let of_shape = shape.iter().zip(&screw.orbits).map(|(corner, orbit)| {
        let height = normal.dot(*corner) - high;
        rise(height, *corner, rate * rate * orbit.radius)
    });
    // Seen from the shape, a point of the obstacle goes back, round the pivot that goes back too.
    let moved = screw.motion.length_squared().sqrt();
    let of_obstacle = seen.corners.iter().map(|corner| {
        let radius = corner.length_squared().sqrt() + moved;
        let height = low - normal.dot(*corner);
        rise(height, *corner, rate * rate * radius + 2.0 * rate * moved)
    });
    let found = [
        apart(&of_shape.collect::<Vec<_>>()),
        apart(&of_obstacle.collect::<Vec<_>>()),
    ];
    let found = found.into_iter().flatten();
    found.max_by(|a, b| a.t.total_cmp(&b.t))
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
