//! An arc against a sphere or a capsule: all within a radius of a segment.
//!
//! The squared distance from the segment is of degree four in t where one of its ends, or its line, is
//! nearest. Between the roots of its derivatives and the t at which another becomes nearest, it is
//! monotone, so that bisection finds each t at which it passes the radius. All this is f64, in the same
//! order on every machine; only the start is decided exactly.
//!
//! # Accuracy
//! Let M be the largest magnitude of a coordinate of the solid and of the arc up to t. The offset
//! from the segment is a difference, two products and three sums a component; a product is at most 8 M,
//! as a quadratic's terms are bounded by its values at 0, t/2 and t. So the offset is off by less than
//! 64 u M, and the distance, with its squares and root, by less than 2^-44 M. That is how far from the
//! surface bisection ends. Where the distance is smallest, its slope is the offset's by the velocity:
//! rounding moves that place by so little that the distance there changes by far less than its own error.

use super::arc::WideArc;
use super::search::ArcSearch;
use super::window::ArcBounds;
use crate::exact::adaptive::{Approx, Number, between, cross, dot};
use crate::exact::big_float::BigFloat;
use crate::exact::expansion::nearest_f32;
use crate::shape::unit_vector::unit;
use crate::sorting::sort_few;
use crate::{Aabb, RayHit, Side};
use core::cmp::Ordering;
use glam::{DVec3, Vec3};
use smallvec::SmallVec;

/// All points within `radius` of a segment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoundSolid {
    pub(crate) segment: [DVec3; 2],
    pub(crate) radius: f64,
}

impl ArcSearch {
    /// The arc's first hit on a solid from a side that counts; `bounds` are those of the solid.
    pub(crate) fn round_hit(&self, solid: &RoundSolid, bounds: &Aabb) -> Option<RayHit> {
        let arc = &self.arc;
        let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
        // Not up to the limit: what others have found must not show in the last bit of t.
        let window = ArcBounds::from(arc).window(min, max, arc.t_max)?;
        if window[0] > self.limit() {
            return None;
        }
        let relative = RelativeArc::new(arc, solid);
        let start = solid.compare_start(arc);
        let t_min = (nearest_f32(arc.t_min), arc.t_min);
        if start.is_lt() && self.settings.admits(Side::Inside) {
            return Some(arc.hit(t_min, (Vec3::ZERO, Side::Inside)));
        }
        let is_entering = relative.is_approaching(arc.t_min);
        if start.is_eq() {
            let side = if is_entering { Side::Front } else { Side::Back };
            if self.settings.admits(side) {
                return Some(arc.hit(t_min, (relative.normal(arc.t_min), side)));
            }
        }
        let window = if start.is_gt() {
            window
        } else {
            [arc.t_min, window[1]]
        };
        let is_inside = start.is_lt() || start.is_eq() && is_entering;
        relative.crossings(window, is_inside, &mut |t, into| {
            let is_front = into == Crossing::In && relative.is_approaching(t);
            let side = if is_front { Side::Front } else { Side::Back };
            let hit = || arc.hit((nearest_f32(t), t), (relative.normal(t), side));
            self.settings.admits(side).then(hit)
        })
    }
}

impl RoundSolid {
    /// How the distance of the arc's start from the segment compares with the radius, exactly.
    fn compare_start(&self, arc: &WideArc) -> Ordering {
        let decided = self.start_by::<Approx>(arc);
        match decided.or_else(|| self.start_by::<BigFloat>(arc)) {
            Some(order) => order,
            None => unreachable!("the sign of an exact number is known"),
        }
    }

    /// As [`Self::compare_start`], as far as these numbers decide it.
    fn start_by<N: Number>(&self, arc: &WideArc) -> Option<Ordering> {
        let [a, b] = self.segment;
        let radius = N::from_f64(self.radius);
        let square = radius.times(&radius);
        let (from_a, edge) = (arc.start_from::<N>(a), between::<N>(a, b));
        if dot(&edge, &from_a).known_sign()?.is_le() {
            return dot(&from_a, &from_a).minus(&square).known_sign();
        }
        let from_b = arc.start_from(b);
        if dot(&edge, &from_b).known_sign()?.is_ge() {
            return dot(&from_b, &from_b).minus(&square).known_sign();
        }
        let moment = cross(&edge, &from_a);
        let limit = square.times(&dot(&edge, &edge));
        dot(&moment, &moment).minus(&limit).known_sign()
    }
}

/// Which way a surface is crossed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Crossing {
    In,
    Out,
}

/// Takes the t at which the arc crosses the surface, and which way; stops at the first answer.
type CrossingVisit<'a, A> = &'a mut dyn FnMut(f64, Crossing) -> Option<A>;

/// The arc relative to a segment.
struct RelativeArc {
    /// The offset from the segment's first end is `offset + velocity * t + half * t²`.
    offset: DVec3,
    velocity: DVec3,
    half: DVec3,
    edge: DVec3,
    /// 1 / edge², or 0 without length.
    per_square: f64,
    radius: f64,
}

impl RelativeArc {
    fn new(arc: &WideArc, solid: &RoundSolid) -> Self {
        let [a, b] = solid.segment;
        let edge = b - a;
        let square = edge.dot(edge);
        Self {
            offset: arc.origin - a,
            velocity: arc.velocity,
            half: arc.half,
            edge,
            per_square: if square > 0.0 { 1.0 / square } else { 0.0 },
            radius: solid.radius,
        }
    }

    /// The offset from the nearest point of the segment.
    fn offset_at(&self, t: f64) -> DVec3 {
        let from_end = self.offset + (self.velocity + self.half * t) * t;
        let along = (from_end.dot(self.edge) * self.per_square).clamp(0.0, 1.0);
        from_end - self.edge * along
    }

    fn is_inside(&self, t: f64) -> bool {
        let offset = self.offset_at(t);
        offset.dot(offset).sqrt() <= self.radius
    }

    /// Whether the distance from the segment decreases.
    fn is_approaching(&self, t: f64) -> bool {
        let velocity = self.velocity + self.half * (2.0 * t);
        self.offset_at(t).dot(velocity) < 0.0
    }

    fn normal(&self, t: f64) -> Vec3 {
        unit(self.offset_at(t))
    }

    /// Visits the crossings of the surface between two t, the arc being inside at first or not.
    fn crossings<A>(
        &self,
        [from, to]: [f64; 2],
        is_inside: bool,
        visit: CrossingVisit<'_, A>,
    ) -> Option<A> {
        let mut last = (from, is_inside);
        for t in self.turning_points([from, to]) {
            let is_inside = self.is_inside(t);
            if is_inside != last.1 {
                let (before, after) = bisect([last.0, t], |t| self.is_inside(t) == is_inside);
                // Of the two, that which belongs to the solid.
                let answer = if is_inside {
                    visit(after, Crossing::In)
                } else {
                    visit(before, Crossing::Out)
                };
                if answer.is_some() {
                    return answer;
                }
            }
            last = (t, is_inside);
        }
        None
    }

    /// The t between which the distance from the segment is monotone, in order, up to the end.
    fn turning_points(&self, [from, to]: [f64; 2]) -> SmallVec<[f64; 16]> {
        let mut points = SmallVec::new();
        let mut push = |t: f64| {
            if from < t && t < to {
                points.push(t);
            }
        };
        let own = [self.offset, self.velocity, self.half];
        turning_points(own, [from, to], &mut push);
        if self.per_square > 0.0 {
            let from_other_end = [self.offset - self.edge, self.velocity, self.half];
            turning_points(from_other_end, [from, to], &mut push);
            let across = own.map(|v| v - self.edge * (v.dot(self.edge) * self.per_square));
            turning_points(across, [from, to], &mut push);
            // Where the nearest point begins or ends to be an end of the segment.
            for [offset, velocity, half] in [own, from_other_end] {
                let [c0, c1, c2] = [offset, velocity, half].map(|v| v.dot(self.edge));
                roots([c0, c1, c2], &mut push);
            }
        }
        points.push(to);
        sort_few(&mut points, |a: &f64, b| a.total_cmp(b).is_gt());
        points
    }
}

/// Visits the t between two others at which `|offset + velocity t + half t²|` is smallest or largest.
pub(super) fn turning_points(
    [offset, velocity, half]: [DVec3; 3],
    [from, to]: [f64; 2],
    visit: &mut dyn FnMut(f64),
) {
    // The offset by the velocity, a cubic that is monotone between the roots of its derivative.
    let is_growing = |t: f64| {
        let (at, motion) = (
            offset + (velocity + half * t) * t,
            velocity + half * (2.0 * t),
        );
        at.dot(motion) >= 0.0
    };
    let mut ends: SmallVec<[f64; 4]> = SmallVec::new();
    let derivative = [
        velocity.dot(velocity) + 2.0 * half.dot(offset),
        6.0 * half.dot(velocity),
        6.0 * half.dot(half),
    ];
    roots(derivative, &mut |t| {
        if from < t && t < to {
            ends.push(t);
        }
    });
    ends.push(to);
    sort_few(&mut ends, |a: &f64, b| a.total_cmp(b).is_gt());
    let mut last = from;
    for end in ends {
        let grows = is_growing(end);
        if grows != is_growing(last) {
            visit(bisect([last, end], |t| is_growing(t) == grows).1);
        }
        last = end;
    }
}

/// The real roots of `c0 + c1 t + c2 t²`, in f64.
pub(super) fn roots([c0, c1, c2]: [f64; 3], visit: &mut dyn FnMut(f64)) {
    let discriminant = c1 * c1 - 4.0 * c2 * c0;
    if discriminant < 0.0 {
        return;
    }
    let q = -0.5 * (c1 + discriminant.sqrt().copysign(c1));
    for root in [q / c2, c0 / q] {
        if root.is_finite() {
            visit(root);
        }
    }
}

/// Neighbours in f64 between the ends, the second of which is `after` and the first not; the same must
/// hold of the ends.
pub(super) fn bisect([mut low, mut high]: [f64; 2], after: impl Fn(f64) -> bool) -> (f64, f64) {
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return (low, high);
        }
        if after(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
}
