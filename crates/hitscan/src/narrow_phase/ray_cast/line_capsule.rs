//! A line and a capsule: exactly whether they intersect, and how the roots compare with a given t.
//!
//! The distance of the line's point from the capsule's segment is a convex function of t, made of
//! three pieces: nearest to one end, to the line between, to the other end. Its smallest value and its
//! value at any t are compared with the radius by their squares, without quotients. What counts as
//! a hit is decided in `ray_capsule.rs`.

use super::capsule_filter::{CapsuleFilter, Position};
use super::ray::LocalRay;
use crate::Capsule;
use crate::exact::adaptive::{Approx, Number, between, cross, decided, dot, vector};
use crate::exact::expansion::Expansion;
use crate::shape::sphere::power_of_two_near;
use core::cmp::Ordering::{self, Equal, Greater, Less};
use glam::DVec3;

/// A line and a capsule.
pub(crate) struct CapsuleLine<'a> {
    capsule: &'a Capsule,
    origin: DVec3,
    /// The ray's direction over a power of two, so that its largest component is near 1.
    direction: DVec3,
    scale: f64,
    filter: CapsuleFilter,
}

/// The nearest part of the segment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    First,
    Interpolated,
    Second,
}

/// The position of the point at some t relative to the capsule.
struct State {
    /// How its distance from the segment compares with the radius.
    distance: Ordering,
    /// Whether the distance shrinks, stays or grows.
    approach_sign: Ordering,
}

impl<'a> CapsuleLine<'a> {
    pub(crate) fn new(capsule: &'a Capsule, ray: &LocalRay) -> Self {
        let scale = power_of_two_near(ray.direction.abs().max_element());
        let (origin, direction) = (ray.origin, ray.direction / scale);
        let line = (origin, direction);
        Self {
            capsule,
            origin,
            direction,
            scale,
            filter: CapsuleFilter::new(capsule.segment(), capsule.radius(), line),
        }
    }

    fn edge<N: Number>(&self) -> [N; 3] {
        let [a, b] = self.capsule.segment();
        between(a, b)
    }

    fn squared_radius<N: Number>(&self) -> N {
        let radius = N::from_f64(self.capsule.radius());
        radius.times(&radius)
    }

    /// How deep the line goes, at its deepest: the sign of the squared radius less the smallest
    /// squared distance.
    pub(crate) fn depth(&self) -> Ordering {
        self.filter
            .depth()
            .unwrap_or_else(|| decided(self.depth_in::<Approx>(), || self.depth_in::<Expansion>()))
    }

    fn depth_in<N: Number>(&self) -> Option<Ordering> {
        let [a, b] = self.capsule.segment();
        let (edge, d): ([N; 3], [N; 3]) = (self.edge(), vector(self.direction));
        let lateral = cross(&d, &edge);
        let limit = self.squared_radius::<N>();
        match self.nearest_part::<N>(&edge, &d)? {
            // Lagrange's identity: the discriminant without its cancellation.
            end @ (Part::First | Part::Second) => {
                let end = if end == Part::First { a } else { b };
                let moment = cross(&between(end, self.origin), &d);
                limit
                    .times(&dot(&d, &d))
                    .minus(&dot(&moment, &moment))
                    .known_sign()
            }
            Part::Interpolated => {
                let apart = dot(&between(a, self.origin), &lateral);
                limit
                    .times(&dot(&lateral, &lateral))
                    .minus(&apart.times(&apart))
                    .known_sign()
            }
        }
    }

    /// The part of the segment from which the line has its smallest distance.
    fn nearest_part<N: Number>(&self, edge: &[N; 3], d: &[N; 3]) -> Option<Part> {
        let ends = self.capsule.segment();
        let along = dot(d, edge);
        let direction = along.known_sign()?;
        let squared = dot(d, d);
        if direction.is_eq() {
            // The line stays level with one place of the segment.
            let [to_first, to_second] =
                ends.map(|end| dot::<N>(&between(end, self.origin), edge).known_sign());
            return Some(if to_first?.is_le() {
                Part::First
            } else if to_second?.is_ge() {
                Part::Second
            } else {
                Part::Interpolated
            });
        }
        // The distance's slope where the line passes an end's plane, which decides on which side of
        // that plane the smallest distance lies.
        let slope_at = |end: DVec3| {
            let offset: [N; 3] = between(end, self.origin);
            let slope = dot(&offset, d)
                .times(&along)
                .minus(&dot(&offset, edge).times(&squared));
            let sign = slope.known_sign()?;
            Some(if direction.is_gt() {
                sign
            } else {
                sign.reverse()
            })
        };
        let parts = [Part::First, Part::Second];
        let [(first, early), (second, late)] = if direction.is_gt() {
            [(ends[0], parts[0]), (ends[1], parts[1])]
        } else {
            [(ends[1], parts[1]), (ends[0], parts[0])]
        };
        Some(if slope_at(first)?.is_ge() {
            early
        } else if slope_at(second)?.is_le() {
            late
        } else {
            Part::Interpolated
        })
    }

    fn state_at(&self, t: f64) -> State {
        decided(self.state_in::<Approx>(t), || self.state_in::<Expansion>(t))
    }

    fn state_in<N: Number>(&self, t: f64) -> Option<State> {
        let [a, b] = self.capsule.segment();
        // A power of two scales exactly.
        let t = N::from_f64(t * self.scale);
        let (edge, d): ([N; 3], [N; 3]) = (self.edge(), vector(self.direction));
        let from = |end: DVec3| {
            let offset: [N; 3] = between(end, self.origin);
            [0, 1, 2].map(|i: usize| offset[i].plus(&d[i].times(&t)))
        };
        let (from_a, from_b) = (from(a), from(b));
        let limit = self.squared_radius::<N>();
        let at_end = |offset: &[N; 3]| {
            Some(State {
                distance: dot(offset, offset).minus(&limit).known_sign()?,
                approach_sign: dot(offset, &d).known_sign()?,
            })
        };
        if dot(&from_a, &edge).known_sign()?.is_le() {
            return at_end(&from_a);
        }
        if dot(&from_b, &edge).known_sign()?.is_ge() {
            return at_end(&from_b);
        }
        let moment = cross(&from_a, &edge);
        let excess = dot(&moment, &moment).minus(&limit.times(&dot(&edge, &edge)));
        Some(State {
            distance: excess.known_sign()?,
            approach_sign: dot(&moment, &cross(&d, &edge)).known_sign()?,
        })
    }

    /// How the t at which the line comes into the capsule compares with `t`. The line must
    /// intersect it.
    pub(crate) fn compare_entry(&self, t: f64) -> Ordering {
        match self.filter.position(t * self.scale) {
            Some(Position::Before) => return Greater,
            Some(Position::Inside | Position::After) => return Less,
            None => {}
        }
        let state = self.state_at(t);
        match (state.distance, state.approach_sign) {
            (Greater, Less) => Greater,
            (Equal, Less) => Equal,
            (Equal, Equal) => self.compare_slide(t, Equal).unwrap_or(Equal),
            _ => Less,
        }
    }

    /// How the t at which the line leaves the capsule compares with `t`. The line must intersect it.
    pub(crate) fn compare_exit(&self, t: f64) -> Ordering {
        match self.filter.position(t * self.scale) {
            Some(Position::Before | Position::Inside) => return Greater,
            Some(Position::After) => return Less,
            None => {}
        }
        let state = self.state_at(t);
        match (state.distance, state.approach_sign) {
            (Greater, Greater | Equal) => Less,
            (Equal, Greater) => Equal,
            (Equal, Equal) => self.compare_slide(t, Greater).unwrap_or(Equal),
            _ => Greater,
        }
    }

    /// For a line that slides along the side, at a `t` at which it does: how the beginning
    /// (`Equal`) or end (`Greater`) of that compares with `t`. `None` for other lines.
    fn compare_slide(&self, t: f64, end: Ordering) -> Option<Ordering> {
        let (edge, d): ([Expansion; 3], [Expansion; 3]) = (self.edge(), vector(self.direction));
        let is_parallel = cross(&d, &edge).iter().all(|x| x.sign().is_eq());
        let along = dot(&d, &edge).sign();
        if !is_parallel || along.is_eq() {
            return None;
        }
        let [a, b] = self.capsule.segment();
        let is_at_first = along.is_gt() == end.is_eq();
        let corner = if is_at_first { a } else { b };
        let t = Expansion::from_f64(t * self.scale);
        let offset: [Expansion; 3] = between(corner, self.origin);
        let offset = [0, 1, 2].map(|i: usize| offset[i].plus(&d[i].times(&t)));
        // Past the end's plane means that its t is less.
        let passed = dot(&offset, &edge).sign();
        Some(if along.is_gt() {
            passed.reverse()
        } else {
            passed
        })
    }

    /// Where the line enters and leaves the capsule, in f64: the first entry and the last exit of
    /// the ends' spheres and of the side.
    pub(crate) fn guess_roots(&self) -> [f64; 2] {
        let [a, b] = self.capsule.segment();
        let (d, radius) = (self.direction, self.capsule.radius());
        let squared = d.dot(d);
        // From near the capsule little cancels.
        let nearby = ((a + b) * 0.5 - self.origin).dot(d) / squared;
        let (m, edge) = (self.origin + d * nearby - a, b - a);
        let mut roots = [f64::INFINITY, f64::NEG_INFINITY];
        let mut add = |t: f64| {
            roots = [roots[0].min(t), roots[1].max(t)];
        };
        for offset in [m, m - edge] {
            let middle = -offset.dot(d) / squared;
            let nearest = offset + d * middle;
            let half = ((radius * radius - nearest.dot(nearest)).max(0.0) / squared).sqrt();
            let is_met = nearest.dot(nearest) <= radius * radius * (1.0 + 1e-9);
            if is_met {
                add(middle - half);
                add(middle + half);
            }
        }
        let (moment, lateral) = (m.cross(edge), d.cross(edge));
        let (a2, length) = (lateral.dot(lateral), edge.dot(edge));
        if a2 > 0.0 {
            let middle = -moment.dot(lateral) / a2;
            let nearest = moment + lateral * middle;
            let depth = radius * radius * length - nearest.dot(nearest);
            let half = (depth.max(0.0) / a2).sqrt();
            for t in [middle - half, middle + half] {
                let level = (m + d * t).dot(edge);
                if (0.0..=length).contains(&level) {
                    add(t);
                }
            }
        }
        if !roots[0].is_finite() {
            let middle = -m.dot(d) / squared;
            roots = [middle; 2];
        }
        roots.map(|t| (nearby + t) / self.scale)
    }
}
