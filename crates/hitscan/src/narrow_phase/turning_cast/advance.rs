//! Until when a turning shape is certainly clear of an obstacle, seen along one fixed direction.
//!
//! Along a direction the height of a corner over the obstacle is a linear function of time and a sinusoid. Three
//! bounds from below are taken, and the best of them counts: by the maximum speed, by the speed now
//! and the maximum acceleration, which is Newton's method from the safe side and ends a search in a few
//! steps, and by the lowest point of the corner's circle, which does not care how often the shape turns.
//!
//! Sources: Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems", PhD thesis, Berkeley 1996
//! (conservative advancement); Zhang, Lee, Kim, "Interactive Continuous Collision Detection for Non-convex
//! Polyhedra", The Visual Computer 22, 2006 (bounds of motion along a direction). They take one bound of speed for
//! the whole shape; here each corner has its own, and accelerations are bounded too.

use super::discs::growths;
use super::gap::Seen;
use super::orbit::{SHORTER, SLACK};
use super::screw::{Pose, Screw};
use glam::DVec3;

/// A time up to which all of the shape is at least `margin` clear of the obstacle, seen along the unit vector
/// `normal`; that of the pose where it is not so there.
pub(super) fn clear_until(
    screw: &Screw<'_>,
    seen: &Seen<'_>,
    pose: &Pose,
    normal: DVec3,
    margin: f64,
) -> f64 {
    let floor = seen.top(normal) + margin;
    let slack = screw.velocity_slack(seen.extent);
    let rate = screw.angle.abs();
    let along = normal.dot(screw.motion) - SLACK * seen.extent;
    // How much of a circle is seen along the direction.
    let across = normal - screw.unit * normal.dot(screw.unit);
    let tilt = across.length_squared().sqrt() * (1.0 + SLACK) + SLACK;
    let moved = along * pose.t - SLACK * seen.extent;
    let rim = Rim::new(screw, pose, normal, tilt);
    let mut wait = f64::INFINITY;
    for (orbit, corner) in screw.orbits.iter().zip(&pose.corners) {
        let room = normal.dot(*corner) - rim.reach - floor;
        // Also where it is NaN.
        let is_clear = room >= 0.0;
        if !is_clear {
            return pose.t;
        }
        let amplitude = orbit.radius * tilt;
        let lowest = normal.dot(orbit.center) - amplitude - rim.greatest - floor + moved;
        let by_circle = match lowest >= 0.0 {
            true if along >= 0.0 => continue,
            true => lowest / -along,
            false => 0.0,
        };
        let fastest = rate * amplitude + rim.speed - along;
        let by_speed = if fastest > 0.0 {
            room / fastest
        } else {
            continue;
        };
        let speed = along + normal.dot(screw.swing(orbit, pose)) - slack;
        let by_curve = rim
            .growths
            .iter()
            .fold(0.0_f64, |longest, [grows, faster]| {
                let acceleration = rate * rate * amplitude + faster;
                longest.max(time_of_fall(room, speed - grows, acceleration))
            });
        wait = wait.min(by_circle.max(by_speed).max(by_curve));
    }
    if wait == f64::INFINITY {
        return wait;
    }
    (pose.t + wait * SHORTER).next_down().max(pose.t)
}

/// What the discs around the corners take of the room along a direction; nothing where there are none.
struct Rim {
    reach: f64,
    /// At any time.
    greatest: f64,
    /// How fast it grows at most.
    speed: f64,
    /// Bounds of its speed now and of its acceleration: each pair holds.
    growths: [[f64; 2]; 2],
}

impl Rim {
    fn new(screw: &Screw<'_>, pose: &Pose, normal: DVec3, tilt: f64) -> Self {
        let (Some(discs), Some(cylinder)) = (&screw.discs, &pose.cylinder) else {
            return Self {
                reach: 0.0,
                greatest: 0.0,
                speed: 0.0,
                growths: [[0.0; 2]; 2],
            };
        };
        let velocity = discs.swing(pose.sine_cosine, screw.angle);
        let acceleration = discs.acceleration(screw.angle);
        Self {
            reach: cylinder.reach(normal),
            greatest: discs.greatest_reach(normal, tilt),
            speed: screw.angle.abs() * discs.growth(),
            growths: growths(cylinder, normal, [velocity, DVec3::ZERO], acceleration),
        }
    }
}

/// How long something takes at least that is `height` high, rises by `speed` and is drawn down by no
/// more than `acceleration`.
pub(super) fn time_of_fall(height: f64, speed: f64, acceleration: f64) -> f64 {
    let root = (speed * speed + 2.0 * acceleration * height).sqrt();
    if speed < 0.0 {
        2.0 * height / (root - speed)
    } else if acceleration > 0.0 {
        (speed + root) / acceleration
    } else {
        f64::INFINITY
    }
}
