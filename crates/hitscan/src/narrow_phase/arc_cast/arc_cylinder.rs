//! An arc against a cylinder: two planes across the axis, and all within the radius of the axis' line.
//!
//! How far along the axis the arc is, is a quadratic in t, whose roots at the ends bound the parts that lie between
//! them. The squared distance from the line is of degree four; between the roots of its derivative it is monotone,
//! so that bisection finds each t at which it passes the radius. All this is f64, in the same order on every machine;
//! only the start is decided exactly. The bound of the error is that of capsules (`arc_round.rs`).

use super::arc::WideArc;
use super::arc_round::{bisect, roots, turning_points};
use super::search::ArcSearch;
use super::window::ArcBounds;
use crate::exact::adaptive::{Approx, Number, between, cross, dot};
use crate::exact::big_float::BigFloat;
use crate::exact::expansion::nearest_f32;
use crate::shape::cylinder::across;
use crate::shape::unit_vector::unit;
use crate::sorting::sort_few;
use crate::{Aabb, Cylinder, RayHit, Side};
use core::cmp::Ordering;
use glam::{DVec3, Vec3};
use smallvec::SmallVec;

/// A part of the surface, and whether the arc goes in or out there.
#[derive(Debug, Clone, Copy)]
struct Crossing {
    t: f64,
    is_end: bool,
    is_inward: bool,
}

/// Where an arc is just after a start that is in the closed cylinder.
#[derive(Debug, Clone, Copy)]
struct Start {
    is_between_ends: bool,
    is_near_axis: bool,
    /// Whether it starts in the plane of the first end, of the second.
    is_on_end: [bool; 2],
    /// Whether it goes in there: through the end where it is on one, else through the side.
    is_entering: bool,
}

impl ArcSearch {
    /// The arc's first hit on a cylinder from a side that counts; `bounds` are those of the cylinder.
    pub(crate) fn cylinder_hit(&self, cylinder: &Cylinder, bounds: &Aabb) -> Option<RayHit> {
        let arc = &self.arc;
        let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
        // Not up to the limit: what others have found must not show in the last bit of t.
        let window = ArcBounds::from(arc).window(min, max, arc.t_max)?;
        if window[0] > self.limit() {
            return None;
        }
        let relative = CylinderArc::new(arc, cylinder);
        let t_min = (nearest_f32(arc.t_min), arc.t_min);
        let signs = exactly(
            || start_by::<Approx>(arc, cylinder),
            || start_by::<BigFloat>(arc, cylinder),
        );
        let start = signs[0].max(signs[1]).max(signs[2]);
        if start.is_lt() && self.settings.admits(Side::Inside) {
            return Some(arc.hit(t_min, (Vec3::ZERO, Side::Inside)));
        }
        let slopes = || {
            exactly(
                || slopes_by::<Approx>(arc, cylinder),
                || slopes_by::<BigFloat>(arc, cylinder),
            )
        };
        let known = match start {
            Ordering::Less => Some(Start::new(signs, [Ordering::Equal; 3])),
            Ordering::Equal => Some(Start::new(signs, slopes())),
            Ordering::Greater => None,
        };
        if let Some(known) = known
            && start.is_eq()
        {
            let normal = relative.normal(arc.t_min, known.is_on_end != [false; 2]);
            let side = if known.is_entering {
                Side::Front
            } else {
                Side::Back
            };
            if self.settings.admits(side) {
                return Some(arc.hit(t_min, (unit(normal), side)));
            }
        }
        let window = if known.is_some() {
            [arc.t_min, window[1]]
        } else {
            window
        };
        relative.crossings(window, known, &mut |crossing| {
            let normal = relative.normal(crossing.t, crossing.is_end);
            let is_front = crossing.is_inward && relative.velocity_at(crossing.t).dot(normal) < 0.0;
            let side = if is_front { Side::Front } else { Side::Back };
            let hit = || arc.hit((nearest_f32(crossing.t), crossing.t), (unit(normal), side));
            self.settings.admits(side).then(hit)
        })
    }
}

/// What the first numbers tell, or else the second, which are exact.
fn exactly<T>(approximate: impl Fn() -> Option<T>, exact: impl Fn() -> Option<T>) -> T {
    match approximate().or_else(exact) {
        Some(signs) => signs,
        None => unreachable!("the sign of an exact number is known"),
    }
}

/// Where the arc's start lies to the planes of both ends and to the side: `Greater` outside.
fn start_by<N: Number>(arc: &WideArc, cylinder: &Cylinder) -> Option<[Ordering; 3]> {
    let [a, b] = cylinder.segment();
    let (from_a, axis) = (arc.start_from::<N>(a), between::<N>(a, b));
    let radius = N::from_f64(cylinder.radius());
    let limit = radius.times(&radius).times(&dot(&axis, &axis));
    let moment = cross(&axis, &from_a);
    Some([
        dot(&axis, &from_a).known_sign()?.reverse(),
        dot(&axis, &arc.start_from(b)).known_sign()?,
        dot(&moment, &moment).minus(&limit).known_sign()?,
    ])
}

/// How fast the arc's start goes along the axis and away from it, and which way the first bends, as far as these
/// numbers tell.
fn slopes_by<N: Number>(arc: &WideArc, cylinder: &Cylinder) -> Option<[Ordering; 3]> {
    let [a, b] = cylinder.segment();
    let t = N::from_f64(arc.t_min);
    let bend = arc.half.to_array().map(N::from_f64);
    let velocity = [0, 1, 2].map(|axis| {
        let linear = N::from_f64(arc.velocity[axis]);
        bend[axis].plus(&bend[axis]).times(&t).plus(&linear)
    });
    let axis = between::<N>(a, b);
    let (moment, lateral) = (cross(&axis, &arc.start_from(a)), cross(&axis, &velocity));
    Some([
        dot(&axis, &velocity).known_sign()?,
        dot(&moment, &lateral).known_sign()?,
        dot(&axis, &bend).known_sign()?,
    ])
}

impl Start {
    /// By the signs of the start and of its slopes.
    fn new([first, second, side]: [Ordering; 3], [along, away, bend]: [Ordering; 3]) -> Self {
        let [is_on_first, is_on_second, is_on_side] = [first, second, side].map(Ordering::is_eq);
        let along_later = along.then(bend);
        Self {
            is_between_ends: (!is_on_first || along_later.is_ge())
                && (!is_on_second || along_later.is_le()),
            is_near_axis: !is_on_side || away.is_lt(),
            is_on_end: [is_on_first, is_on_second],
            is_entering: match (is_on_first, is_on_second) {
                (true, _) => along.is_gt(),
                (_, true) => along.is_lt(),
                _ => away.is_lt(),
            },
        }
    }
}

/// The arc relative to a cylinder: `offset + velocity t + half t²` is from the first end.
struct CylinderArc {
    own: [DVec3; 3],
    /// The same without what is along the axis.
    off_axis: [DVec3; 3],
    /// How far along the axis.
    along: [f64; 3],
    axis: DVec3,
    length: f64,
    radius: f64,
}

impl CylinderArc {
    fn new(arc: &WideArc, cylinder: &Cylinder) -> Self {
        let [a, b] = cylinder.segment();
        let (edge, own) = (b - a, [arc.origin - a, arc.velocity, arc.half]);
        let scaled = edge / edge.abs().max_element();
        let axis = scaled / scaled.length();
        Self {
            own,
            off_axis: own.map(|v| axis.cross(v.cross(axis))),
            along: own.map(|v| v.dot(axis)),
            axis,
            length: edge.dot(axis),
            radius: cylinder.radius(),
        }
    }

    fn velocity_at(&self, t: f64) -> DVec3 {
        self.own[1] + self.own[2] * (2.0 * t)
    }

    fn off_axis_at(&self, t: f64) -> DVec3 {
        let [offset, velocity, half] = self.off_axis;
        offset + (velocity + half * t) * t
    }

    fn along_at(&self, t: f64) -> f64 {
        let [offset, velocity, half] = self.along;
        offset + (velocity + half * t) * t
    }

    fn is_near_axis(&self, t: f64) -> bool {
        self.off_axis_at(t).length() <= self.radius
    }

    fn is_between_ends(&self, t: f64) -> bool {
        (0.0..=self.length).contains(&self.along_at(t))
    }

    /// The outward direction at a point of the surface.
    fn normal(&self, t: f64, is_end: bool) -> DVec3 {
        let off_axis = self.off_axis_at(t);
        if is_end {
            let is_second = self.along_at(t) > 0.5 * self.length;
            return if is_second { self.axis } else { -self.axis };
        }
        if off_axis == DVec3::ZERO {
            across(self.axis)
        } else {
            off_axis
        }
    }

    /// Visits the t between two others at which the arc passes the plane of an end. It leaves the plane that it starts
    /// in at the start: of its two roots only the other is one, whatever rounding makes of the first.
    fn end_times(&self, from: f64, is_start: [bool; 2], visit: &mut dyn FnMut(f64)) {
        let [c0, c1, c2] = self.along;
        for (is_start, c0) in is_start.into_iter().zip([c0, c0 - self.length]) {
            if is_start {
                visit(from - (c1 + 2.0 * c2 * from) / c2);
            } else {
                roots([c0, c1, c2], visit);
            }
        }
    }

    /// Visits the crossings of the surface between two t, until there is an answer. `known` is what is known of the
    /// first; elsewhere the arc is outside there.
    fn crossings<A>(
        &self,
        [from, to]: [f64; 2],
        known: Option<Start>,
        visit: &mut dyn FnMut(Crossing) -> Option<A>,
    ) -> Option<A> {
        let mut points: SmallVec<[f64; 12]> = SmallVec::new();
        let mut push = |t: f64| {
            if from < t && t < to {
                points.push(t);
            }
        };
        turning_points(self.off_axis, [from, to], &mut push);
        let is_on_end = known.map_or([false; 2], |start| start.is_on_end);
        self.end_times(from, is_on_end, &mut push);
        points.push(to);
        sort_few(&mut points, |a: &f64, b| a.total_cmp(b).is_gt());
        let is_between_at_first = known.map(|start| start.is_between_ends);
        let mut is_near = known.map_or_else(|| self.is_near_axis(from), |start| start.is_near_axis);
        let mut is_inside = known.is_some_and(|start| start.is_between_ends && start.is_near_axis);
        let mut begin = from;
        for end in points {
            let is_between = match is_between_at_first {
                Some(is_between) if begin == from => is_between,
                _ => self.is_between_ends(f64::midpoint(begin, end)),
            };
            let is_near_later = self.is_near_axis(end);
            if (is_between && is_near) != is_inside {
                is_inside = !is_inside;
                let crossing = Crossing {
                    t: begin,
                    is_end: true,
                    is_inward: is_inside,
                };
                if let Some(answer) = visit(crossing) {
                    return Some(answer);
                }
            }
            if is_between && is_near != is_near_later {
                let (before, after) =
                    bisect([begin, end], |t| self.is_near_axis(t) == is_near_later);
                is_inside = is_near_later;
                let crossing = Crossing {
                    // Of the two, that which belongs to the cylinder.
                    t: if is_inside { after } else { before },
                    is_end: false,
                    is_inward: is_inside,
                };
                if let Some(answer) = visit(crossing) {
                    return Some(answer);
                }
            }
            (begin, is_near) = (end, is_near_later);
        }
        None
    }
}
