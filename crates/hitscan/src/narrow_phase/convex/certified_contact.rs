//! The first contact of a moving pair, one of which is a cylinder: conservative advancement along the motion,
//! by enclosures of the gap.
//!
//! The gap is a convex function of time. A direction that separates the two at one time bounds it from below at all
//! times, by a line, so that each time it reaches zero is not after the contact: Newton's method from the left. It
//! ends where the enclosure of the gap holds 0. Whether the two come closer from there is tested a little
//! later: it must be certain that they overlap then, or they graze.
//!
//! Source: Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems", 1996, for conservative advancement.
//! What differs: no rotation, so the advance by one direction is exact.

use super::Convex;
use super::certified_gap::{CertifiedGap, certainly_overlap, certified_gap, certified_gap_near};
use super::highest_gap::extent;
use crate::exact::expansion::nearest_f32;
use crate::shape::unit_vector::unit;
use core::cmp::Ordering;
use glam::{DVec3, Vec3};

/// A contact of a pair, one of which is a cylinder.
#[derive(Debug, Clone)]
pub(crate) struct CertifiedContact {
    time: f64,
    /// The time as it is compared with those of other pairs.
    rank: f64,
    pub(super) direction: CertifiedDirection,
    motion: DVec3,
    point: DVec3,
}

/// A unit direction in f64. What differs along it by less than rounding takes is level.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CertifiedDirection(pub(super) DVec3);

/// The first encounter of such a pair.
#[derive(Debug)]
pub(super) enum CertifiedMeeting {
    Overlap,
    Contact(CertifiedContact),
}

/// How often the time advances. It halves the digits that are missing, but near a graze.
const STEPS: usize = 96;
/// How often a later time is tried for certain overlap.
const PROBES: usize = 64;

impl CertifiedDirection {
    /// How two points lie along the direction. It is good to 2^-40, but across a smooth surface: there what
    /// is compared are corners, one of which is furthest.
    pub(super) fn compare(&self, a: DVec3, b: DVec3) -> Ordering {
        const LEVEL: f64 = 1.0 / (1_u64 << 36) as f64;
        let way = a - b;
        let along = self.0.dot(way);
        if along.abs() <= LEVEL * way.length() {
            Ordering::Equal
        } else {
            along.total_cmp(&0.0)
        }
    }
}

/// The first contact of a shape that moves with an obstacle, `None` where there is none. Contacts after the time
/// `latest` may be omitted.
pub(super) fn first_certified_contact(
    obstacle: &Convex<'_>,
    shape: &Convex<'_>,
    motion: DVec3,
    latest: f64,
) -> Option<CertifiedMeeting> {
    if obstacle.core.is_degenerate_triangle() || shape.core.is_degenerate_triangle() {
        return None;
    }
    let path = Path {
        obstacle,
        shape,
        motion,
    };
    let (time, gap) = path.advanced(latest.clamp(0.0, 1.0))?;
    if time == 0.0 && gap.status().is_lt() {
        return Some(CertifiedMeeting::Overlap);
    }
    // Certainly apart: it came no nearer in so many steps.
    if gap.status().is_gt() || !path.deepens(time, &gap) {
        return None;
    }
    let speed = -gap.direction.dot(motion);
    Some(CertifiedMeeting::Contact(CertifiedContact {
        time,
        rank: ranked(time, gap.slack / speed),
        direction: CertifiedDirection(gap.direction),
        motion,
        point: gap.point(obstacle.radius),
    }))
}

/// When a shape that moves may first touch an obstacle, by the enclosure of the gap: on the way, too, where it only
/// grazes.
pub(super) fn first_certified_touch(
    obstacle: &Convex<'_>,
    shape: &Convex<'_>,
    motion: DVec3,
) -> Option<f32> {
    let path = Path {
        obstacle,
        shape,
        motion,
    };
    let (time, gap) = path.advanced(1.0)?;
    gap.status().is_le().then(|| nearest_f32(time) + 0.0)
}

/// A time, so rounded that times which differ by less than the bound of their error mostly are one.
fn ranked(time: f64, error: f64) -> f64 {
    // The power of two not below eight times the error.
    let grid = f64::from_bits((16.0 * error).to_bits() & 0x7FF0_0000_0000_0000);
    let ranked = (time / grid).round_ties_even() * grid;
    if ranked.is_finite() {
        ranked.clamp(0.0, 1.0) + 0.0
    } else {
        time
    }
}

/// How deep overlaps are that are looked for first, over the size.
const PARTS: [f64; 3] = [1.0 / 256.0, 1.0 / 16_384.0, 1.0 / 1_048_576.0];

struct Path<'a> {
    obstacle: &'a Convex<'a>,
    shape: &'a Convex<'a>,
    motion: DVec3,
}

impl Path<'_> {
    fn gap_at(&self, time: f64) -> CertifiedGap {
        certified_gap(self.obstacle, self.shape, self.motion * time)
    }

    /// The gap at a time at which the two may touch along about this direction.
    fn gap_near(&self, time: f64, direction: DVec3) -> CertifiedGap {
        let shift = self.motion * time;
        certified_gap_near(self.obstacle, self.shape, shift, Some(direction))
    }

    /// The time, from 0 to 1, from which the two are no longer certainly apart, and the gap then; `None` where
    /// there is none, or after the time `latest`.
    fn advanced(&self, latest: f64) -> Option<(f64, CertifiedGap)> {
        let (mut time, mut gap) = (0.0, self.gap_at(0.0));
        for _ in 0..STEPS {
            if gap.status().is_le() {
                break;
            }
            let speed = gap.direction.dot(self.motion);
            // The gap along the direction never shrinks.
            if speed.is_nan() || speed >= 0.0 {
                return None;
            }
            let next = time + gap.gap / -speed;
            let margin = 8.0 * gap.slack / -speed;
            if next - margin > latest || time == 1.0 {
                return None;
            }
            if next <= time {
                break;
            }
            time = next.min(1.0);
            gap = self.gap_near(time, gap.direction);
        }
        Some((self.touched(time, &gap), gap))
    }

    /// When the gap along the direction at hand is 0, of two that may touch at a time: before that they do not overlap,
    /// and pairs that touch at one edge have one time but for rounding.
    fn touched(&self, time: f64, gap: &CertifiedGap) -> f64 {
        let zero = time + gap.gap / -gap.direction.dot(self.motion);
        if time > 0.0 && gap.status().is_eq() && (0.0..=1.0).contains(&zero) {
            zero
        } else {
            time
        }
    }

    /// Whether the two, which may touch at a time, overlap at once afterwards, were the motion to go on.
    fn deepens(&self, time: f64, gap: &CertifiedGap) -> bool {
        let speed = -gap.direction.dot(self.motion);
        // Along the direction the gap never shrinks; also for NaN, and without motion.
        if speed.is_nan() || speed <= 0.0 {
            return false;
        }
        self.overlaps_later(time, speed) || self.deepens_by_steps(time, gap, speed)
    }

    /// Whether the two, which may touch at a time, certainly overlap at some later one: the gap is convex in time, so
    /// they do from the first on.
    fn overlaps_later(&self, time: f64, speed: f64) -> bool {
        let size = extent(&self.obstacle.core).max(extent(&self.shape.core));
        PARTS.into_iter().any(|part| {
            let later = time + part * size / speed;
            let shift = self.motion * later;
            later > time
                && shift.is_finite()
                && certainly_overlap(self.obstacle, self.shape, shift, part)
        })
    }

    /// The same, a little later, and then later and later.
    fn deepens_by_steps(&self, time: f64, gap: &CertifiedGap, speed: f64) -> bool {
        let mut before = time;
        let mut step = 16.0 * gap.slack / speed;
        for _ in 0..PROBES {
            let later = time + step;
            if !(self.motion * later).is_finite() || later <= before {
                return false;
            }
            let then = self.gap_at(later);
            if then.status().is_lt() {
                return true;
            }
            if then.direction.dot(self.motion) >= 0.0 {
                return self.dips(before, later);
            }
            before = later;
            step *= 4.0;
        }
        false
    }

    /// Whether the two overlap between two times, at the second of which they separate.
    fn dips(&self, mut before: f64, mut after: f64) -> bool {
        for _ in 0..PROBES {
            let middle = f64::midpoint(before, after);
            if middle <= before || middle >= after {
                break;
            }
            let then = self.gap_at(middle);
            if then.status().is_lt() {
                return true;
            }
            if then.direction.dot(self.motion) >= 0.0 {
                after = middle;
            } else {
                before = middle;
            }
        }
        false
    }
}

impl CertifiedContact {
    /// The time as it is compared with those of other pairs.
    pub(super) fn floor(&self) -> f64 {
        self.rank
    }

    pub(super) fn t(&self) -> f32 {
        nearest_f32(self.time) + 0.0
    }

    /// The unit normal from the obstacle to the shape, against the motion.
    pub(super) fn normal(&self) -> Vec3 {
        super::round_contact::against(unit(self.direction.0), self.motion)
    }

    pub(super) fn point(&self) -> Vec3 {
        Vec3::from_array(self.point.to_array().map(nearest_f32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_rng::Rng;
    use crate::{Aabb, Capsule, ConvexHull, Cylinder, Primitive};

    /// What is found from the direction at hand is what is found from all.
    #[test]
    fn the_direction_at_hand_is_the_one() {
        let mut rng = Rng(5);
        let (mut touching, mut deepening) = (0, 0);
        for round in 0..600 {
            let is_coarse = round % 3 == 0;
            let mut point = |size: f32| {
                Vec3::from([(); 3].map(|()| {
                    let x = rng.signed() * size;
                    if is_coarse {
                        (4.0 * x).round() * 0.25
                    } else {
                        x
                    }
                }))
            };
            let (a, b, away, past) = (point(1.0), point(1.0), point(4.0), point(1.0));
            let radius = f64::from(point(1.0).x.abs()) + 0.05;
            let Ok(can) = Cylinder::new(a + away, b + away, radius) else {
                continue;
            };
            let can = Primitive::from(can);
            let (c, d, half) = (point(1.0), point(1.0), point(1.0).abs());
            let other: Primitive = match round % 4 {
                0 => Aabb::new(c - half, c + half).unwrap().into(),
                1 => Cylinder::new(c, c + Vec3::Y + d, 0.3).unwrap().into(),
                2 => Capsule::new(c, d, 0.125).unwrap().into(),
                _ => ConvexHull::new([c, d, half, point(1.0), point(1.0)])
                    .unwrap()
                    .into(),
            };
            let motion = (past - away).as_dvec3() * 2.0;
            let triangle = Convex::triangle([c, d, half].map(Vec3::as_dvec3));
            for obstacle in [Convex::from(&other), triangle] {
                if obstacle.core.is_degenerate_triangle() {
                    continue;
                }
                let path = Path {
                    obstacle: &obstacle,
                    shape: &Convex::from(&can),
                    motion,
                };
                let Some((time, gap)) = path.advanced(1.0) else {
                    continue;
                };
                if gap.status().is_ne() {
                    continue;
                }
                touching += 1;
                let whole = path.gap_at(time);
                assert_eq!(whole.status(), Ordering::Equal, "{gap:?} {whole:?}");
                let off = (whole.gap - gap.gap).abs();
                assert!(off <= 2.0 * gap.slack, "{gap:?} {whole:?}");
                let speed = -gap.direction.dot(motion);
                if speed > 0.0 && path.overlaps_later(time, speed) {
                    deepening += 1;
                    let deepens = path.deepens_by_steps(time, &whole, -whole.direction.dot(motion));
                    assert!(deepens, "{gap:?} {can:?} {other:?} {motion:?}");
                }
            }
        }
        assert!(touching > 300 && deepening > 250, "{touching} {deepening}");
    }
}
