//! The contact of two shapes, at least one of them with a radius: bounds computed at once, the rest lazily.

use super::Convex;
use super::core::{CompactCore, Way};
use super::difference::length;
use super::instant::Instant;
use super::round_pair::RoundPair;
use crate::exact::adaptive::{Approx, Number, between, dot};
use crate::exact::big_float::BigFloat;
use crate::exact::expansion::nearest_f32;
use crate::exact::rounding::nearest_f32_by;
use crate::shape::unit_vector::unit;
use ::core::cmp::Ordering;
use glam::{DVec3, Vec3};

/// A contact of two shapes, at least one of them with a radius.
#[derive(Debug, Clone)]
pub(crate) struct RoundContact {
    /// Of the obstacle, and of the shape that moves.
    pub(super) cores: [CompactCore; 2],
    pub(super) radii: [f64; 2],
    pub(super) motion: DVec3,
    /// Whether it is the obstacle of the question that moves here, by the reversed motion.
    pub(super) is_swapped: bool,
    pub(super) enclosure: [f64; 2],
    pub(super) guess: Option<Guess>,
}

/// The contact in f64, with bounds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Guess {
    /// From the obstacle's core to the shape's at the contact.
    pub(super) offset: DVec3,
    /// How far each component of the offset may be from the exact one, whatever piece is nearest.
    pub(super) error: f64,
    /// How far rounding moves the offset, the nearest piece being the right one.
    pub(super) drift: f64,
    /// The resting core's nearest point.
    pub(super) on_obstacle: DVec3,
}

/// The fraction of the radius up to which rounding moves an offset by less than f32 can hold.
const NEAR: f64 = 1.0 / 67_108_864.0;

impl RoundContact {
    pub(super) fn enclosure(&self) -> [f64; 2] {
        self.enclosure
    }

    pub(super) fn exact(&self) -> RoundPair<'_> {
        let [obstacle, shape] = self.pair();
        RoundPair::new(&obstacle, &shape, self.motion)
    }

    fn pair(&self) -> [Convex<'_>; 2] {
        [0, 1].map(|i: usize| Convex {
            core: (&self.cores[i]).into(),
            radius: self.radii[i],
            is_mirrored: false,
        })
    }

    pub(super) fn middle(&self) -> f64 {
        f64::midpoint(self.enclosure[0], self.enclosure[1])
    }

    pub(super) fn floor(&self) -> f64 {
        let [low, high] = self.enclosure;
        if low == high || low.next_up() == high {
            // The exact time is `low`, or between the two: contacts at `high` are enclosed by it.
            return low;
        }
        self.certain_face()
            .and_then(|face| self.floor_at_face(&face))
            .unwrap_or_else(|| self.exact().floor(self.middle()))
    }

    pub(super) fn t(&self) -> f32 {
        let [low, high] = self.enclosure.map(nearest_f32);
        if low == high {
            return low;
        }
        let pair = self.exact();
        nearest_f32_by(self.middle(), &|t| pair.compare_contact(&Instant::at(t)))
    }

    /// The vector from the resting core to the moving one at the contact, of any length.
    fn offset(&self) -> DVec3 {
        match self.guess {
            Some(guess) if guess.drift <= NEAR * self.radius() => guess.offset,
            _ => self.exact_offset(),
        }
    }

    fn radius(&self) -> f64 {
        self.radii[0] + self.radii[1]
    }

    /// The same, from exact numbers shortly before the contact.
    ///
    /// Newton's steps lead to the contact without rounding the time, so that a radius may be tiny
    /// beside the motion. Each leaves what rounding the step leaves, or less near a graze.
    fn exact_offset(&self) -> DVec3 {
        const ALMOST_ALL: f64 = 1.0 - f64::EPSILON * 16.0;
        let pair = self.exact();
        let speed = length(self.motion);
        let mut before = Instant::<BigFloat>::at(self.floor());
        let mut outward = -self.motion;
        for _ in 0..48 {
            let Some((offset, distance)) = pair.offset_at(&before) else {
                break;
            };
            let direction = offset / offset.abs().max_element();
            let direction = direction / direction.length();
            let approach = -self.motion.dot(direction);
            // Also for NaN: it has gone past the contact.
            if !(distance > 0.0 && approach > 0.0) {
                break;
            }
            outward = direction;
            let remaining = (distance - self.radius()) / approach;
            let is_near = remaining * speed <= NEAR * self.radius();
            if is_near || !remaining.is_finite() {
                break;
            }
            let step = BigFloat::from_f64(remaining * ALMOST_ALL);
            before.numerator = before.numerator.plus(&step);
        }
        outward
    }

    pub(super) fn normal(&self) -> Vec3 {
        let motion = if self.is_swapped {
            -self.motion
        } else {
            self.motion
        };
        let offset = if self.is_swapped {
            -self.offset()
        } else {
            self.offset()
        };
        against(unit(offset), motion)
    }

    /// The exact sign of `n · (a - b)`.
    pub(super) fn compare_along_normal(&self, a: DVec3, b: DVec3) -> Ordering {
        let way = if self.is_swapped { [a, b] } else { [b, a] };
        self.estimate_along(way)
            .unwrap_or_else(|| self.exact().compare_along_normal(self.floor(), way))
    }

    /// The sign, where f64 decides it.
    fn estimate_along(&self, way: Way) -> Option<Ordering> {
        if way[0] == way[1] {
            return Some(Ordering::Equal);
        }
        let guess = self.guess?;
        let offset = guess.offset.to_array().map(|value| Approx {
            value,
            error: guess.error,
        });
        dot(&offset, &between(way[0], way[1])).known_sign()
    }

    pub(super) fn point(&self) -> Vec3 {
        let core_point = match self.guess {
            Some(guess) => guess.on_obstacle,
            None => {
                let [obstacle, shape] = self.pair();
                let shift = self.motion * self.middle();
                super::closest::closest(&obstacle.core, &shape.core, shift).on_obstacle
            }
        };
        let offset = self.offset();
        let surface = core_point + offset * (self.radii[0] / length(offset));
        // Where the obstacle of the question moves here, its point has come this way.
        let way = if self.is_swapped {
            self.motion * self.middle()
        } else {
            DVec3::ZERO
        };
        let point = surface - way;
        Vec3::new(
            nearest_f32(point.x),
            nearest_f32(point.y),
            nearest_f32(point.z),
        )
    }
}

/// `normal` so turned, if rounding has to be made good, that it is against the motion.
pub(super) fn against(normal: Vec3, motion: DVec3) -> Vec3 {
    let wide = normal.as_dvec3();
    if wide.dot(motion) < 0.0 {
        return normal;
    }
    // Less than 2^-22 off: rounding moves each component by 2^-25 at most.
    let scaled = motion / motion.abs().max_element();
    let turned = unit(wide - scaled / scaled.length() * (1.0 / 8_388_608.0));
    if turned.as_dvec3().dot(motion) < 0.0 {
        turned
    } else {
        normal
    }
}
