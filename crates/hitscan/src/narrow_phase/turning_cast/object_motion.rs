//! Objects of many pieces that turn: each piece of the object against one of an obstacle, and a time before
//! which nothing in a box around some comes to anything in a box around others.

use super::gap::unit;
use super::orbit::{Orbit, SHORTER, SLACK, turned, unit_axis};
use super::pair::{PairFound, Room, is_clear, meet};
use super::rotation::sine_cosine;
use super::screw::{FARTHEST, Screw};
use super::turn::Turn;
use crate::exact::extremes::max_abs;
use crate::narrow_phase::convex::Convex;
use glam::DVec3;

/// How often the time is put off at most; what is below a box is looked at again.
const MAX_STEPS: u32 = 12;

/// A wait that is shorter than this is the last.
const SHORT: f64 = 1.0 / 256.0;

/// The motion of an object, in which all of its pieces take part.
#[derive(Debug)]
pub(crate) struct ObjectMotion {
    motion: DVec3,
    /// The axis at unit length.
    unit: DVec3,
    turn: Turn,
}

/// A box that moves: its middle, half its sides, and what goes round with it.
struct MovingBox {
    middle: Orbit,
    half: DVec3,
    /// No point of it is farther from the axis.
    radius: f64,
}

impl ObjectMotion {
    pub(crate) fn new(motion: DVec3, turn: &Turn) -> Self {
        Self {
            motion,
            unit: unit_axis(turn.axis.as_dvec3()),
            turn: *turn,
        }
    }

    /// When a piece of the object first comes to one of an obstacle, if that is no later than `latest`: the same
    /// bits whatever else there is.
    pub(crate) fn meet(
        &self,
        [mover, obstacle]: [&Convex<'_>; 2],
        latest: f32,
    ) -> Option<PairFound> {
        let screw = Screw::new(*mover, self.motion, &self.turn);
        let mut room = Room::default();
        room.pose_at(&screw, 0.0);
        if is_clear(&screw, obstacle, 1.0, &room) {
            return None;
        }
        let found = meet(&screw, obstacle, [0.0, 1.0], latest, &mut room)?;
        (found.t <= latest).then_some(found)
    }

    /// A time before which nothing in the first box, which moves, is as near as the tolerance to anything in the
    /// second; `None` where it never is while t goes from 0 to 1.
    ///
    /// Conservative advancement by the directions of both boxes' sides and that from the second box straight to the
    /// middle of the first, each with the maximum speed that any point of the box has along it.
    pub(crate) fn earliest(&self, [moving, resting]: [&[DVec3; 2]; 2]) -> Option<f64> {
        let moving = self.moving_box(moving);
        let resting = resting.map(|corner| corner - self.turn.pivot);
        let size = max_abs(moving.half) + moving.middle.radius + max_abs(moving.middle.center);
        let extent =
            max_abs(self.motion) + 2.0 * size + max_abs(resting[0]).max(max_abs(resting[1]));
        // Nothing nearer than this is reported.
        let near = 1.5 * self.turn.tolerance + 2.0 * SLACK * extent;
        if self.never_meets(&moving, &resting, near) {
            return None;
        }
        let mut t = 0.0;
        for _ in 0..MAX_STEPS {
            let wait = self.wait(&moving, &resting, near, t);
            t = (t + wait * SHORTER).next_down().max(t);
            if t > 1.0 {
                return None;
            }
            if wait < SHORT {
                break;
            }
        }
        Some(t)
    }

    /// The corners of a box around all that passes what is in a box.
    pub(crate) fn swept_box(&self, bounds: &[DVec3; 2]) -> [DVec3; 2] {
        let moving = self.moving_box(bounds);
        let [low, high] = self.way_of(&moving);
        let size = max_abs(low).max(max_abs(high)) + max_abs(self.turn.pivot);
        let around = 1.5 * self.turn.tolerance + 4.0 * SLACK * size;
        let corners = [low - around, high + around].map(|corner| corner + self.turn.pivot);
        corners.map(|corner| corner.clamp(DVec3::splat(-FARTHEST), DVec3::splat(FARTHEST)))
    }

    fn moving_box(&self, [low, high]: &[DVec3; 2]) -> MovingBox {
        let [low, high] = [low, high].map(|corner| *corner - self.turn.pivot);
        let half = (high - low) * 0.5;
        let middle = Orbit::new(low + half, self.unit);
        MovingBox {
            radius: middle.radius + half.length_squared().sqrt(),
            middle,
            half,
        }
    }

    /// The corners, seen from the pivot, of a box around the whole way.
    fn way_of(&self, moving: &MovingBox) -> [DVec3; 2] {
        let ends = [moving.middle.center, moving.middle.center + self.motion];
        // How much of a circle is seen along x, y and z, and how far the box reaches along the axis.
        let across = (DVec3::ONE - self.unit * self.unit).max(DVec3::ZERO);
        let across = DVec3::from_array(across.to_array().map(f64::sqrt));
        let along = self.unit.abs() * self.unit.abs().dot(moving.half);
        let reach = across * moving.radius + along;
        [ends[0].min(ends[1]) - reach, ends[0].max(ends[1]) + reach]
    }

    fn never_meets(&self, moving: &MovingBox, resting: &[DVec3; 2], near: f64) -> bool {
        let [low, high] = self.way_of(moving);
        (low - near).cmpgt(resting[1]).any() || (high + near).cmplt(resting[0]).any()
    }

    /// How long nothing of the box is near from a time on: the longest of those that a few directions show.
    fn wait(&self, moving: &MovingBox, resting: &[DVec3; 2], near: f64, t: f64) -> f64 {
        let sine_cosine = sine_cosine(self.turn.angle, t);
        let middle = moving.middle.at(sine_cosine) + self.motion * t;
        let sides = [DVec3::X, DVec3::Y, DVec3::Z];
        let sides = sides.map(|side| turned(side, self.unit, sine_cosine));
        let half = (resting[1] - resting[0]) * 0.5;
        let from_middle = middle - (resting[0] + half);
        let nearest = middle.clamp(resting[0], resting[1]);
        let straight = unit(middle - nearest);
        let mut best = 0.0_f64;
        let directions = [DVec3::X, DVec3::Y, DVec3::Z].into_iter();
        for direction in directions.chain(sides).chain(straight) {
            let place = direction.dot(from_middle);
            let normal = if place < 0.0 { -direction } else { direction };
            let reach = |index: usize| moving.half[index] * normal.dot(sides[index]).abs();
            let room = place.abs() - normal.abs().dot(half) - reach(0) - reach(1) - reach(2) - near;
            // Also where it is NaN.
            let is_clear = room > 0.0;
            if !is_clear {
                continue;
            }
            let across = normal - self.unit * normal.dot(self.unit);
            let turning = self.turn.angle.abs() * moving.radius * across.length_squared().sqrt();
            let speed = (turning - normal.dot(self.motion)) * (1.0 + SLACK);
            let slack = SLACK * (max_abs(self.motion) + self.turn.angle.abs() * moving.radius);
            let closing = speed + slack;
            best = best.max(if closing > 0.0 {
                room / closing
            } else {
                f64::INFINITY
            });
        }
        best
    }
}
