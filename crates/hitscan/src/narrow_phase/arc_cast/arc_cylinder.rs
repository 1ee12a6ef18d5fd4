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
        let signs = start_signs(arc, cylinder);
        let start = signs[0].max(signs[1]).max(signs[2]);
        if start.is_lt() && self.settings.admits(Side::Inside) {
            return Some(arc.hit(t_min, (Vec3::ZERO, Side::Inside)));
        }
        let mut is_inside = start.is_lt();
        if start.is_eq() {
            let normal = relative.normal(arc.t_min, signs[0].is_eq() || signs[1].is_eq());
            is_inside = relative.velocity_at(arc.t_min).dot(normal) < 0.0;
            let side = if is_inside { Side::Front } else { Side::Back };
            if self.settings.admits(side) {
                return Some(arc.hit(t_min, (unit(normal), side)));
            }
        }
        let window = if start.is_gt() {
            window
        } else {
            [arc.t_min, window[1]]
        };
        let known = start.is_le().then_some(is_inside);
        relative.crossings(window, known, &mut |crossing| {
            let normal = relative.normal(crossing.t, crossing.is_end);
            let is_front = crossing.is_inward && relative.velocity_at(crossing.t).dot(normal) < 0.0;
            let side = if is_front { Side::Front } else { Side::Back };
            let hit = || arc.hit((nearest_f32(crossing.t), crossing.t), (unit(normal), side));
            self.settings.admits(side).then(hit)
        })
    }
}

/// Where the arc's start lies to the planes of both ends and to the side, exactly: `Greater` outside.
fn start_signs(arc: &WideArc, cylinder: &Cylinder) -> [Ordering; 3] {
    let signs = start_by::<Approx>(arc, cylinder);
    match signs.or_else(|| start_by::<BigFloat>(arc, cylinder)) {
        Some(signs) => signs,
        None => unreachable!("the sign of an exact number is known"),
    }
}

fn start_by<N: Number>(arc: &WideArc, cylinder: &Cylinder) -> Option<[Ordering; 3]> {
    let [a, b] = cylinder.segment();
    let t = N::from_f64(arc.t_min);
    let from = |end: DVec3| -> [N; 3] {
        [0, 1, 2].map(|axis| {
            let [constant, linear, square] = arc.coefficients_from::<N>(end, axis);
            square.times(&t).plus(&linear).times(&t).plus(&constant)
        })
    };
    let (from_a, axis) = (from(a), between::<N>(a, b));
    let radius = N::from_f64(cylinder.radius());
    let limit = radius.times(&radius).times(&dot(&axis, &axis));
    let moment = cross(&axis, &from_a);
    Some([
        dot(&axis, &from_a).known_sign()?.reverse(),
        dot(&axis, &from(b)).known_sign()?,
        dot(&moment, &moment).minus(&limit).known_sign()?,
    ])
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

    /// Visits the crossings of the surface between two t, until there is an answer. `known` is whether the arc is
    /// inside at first, if that is known.
    fn crossings<A>(
        &self,
        [from, to]: [f64; 2],
        known: Option<bool>,
        visit: &mut dyn FnMut(Crossing) -> Option<A>,
    ) -> Option<A> {
        let mut points: SmallVec<[f64; 12]> = SmallVec::new();
        let mut push = |t: f64| {
            if from < t && t < to {
                points.push(t);
            }
        };
        turning_points(self.off_axis, [from, to], &mut push);
        let [c0, c1, c2] = self.along;
        roots([c0, c1, c2], &mut push);
        roots([c0 - self.length, c1, c2], &mut push);
        points.push(to);
        sort_few(&mut points, |a: &f64, b| a.total_cmp(b).is_gt());
        let (mut begin, mut is_inside) = (from, known.unwrap_or(false));
        let mut is_near = known.unwrap_or_else(|| self.is_near_axis(from));
        for end in points {
            let is_between = self.is_between_ends(f64::midpoint(begin, end));
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
