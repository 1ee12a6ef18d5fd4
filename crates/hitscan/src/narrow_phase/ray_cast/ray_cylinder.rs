//! A ray against a cylinder, decided exactly: two planes, and a quadric between them.
//!
//! A point p is inside where `0 <= w·u <= u²` and `|w × u|² <= r² u²` with w from the first end to p and u from the
//! first end to the second. Along a line the first two are linear in t and the third is quadratic; each gives an
//! interval of t, and roots are compared exactly. So no ray slips between an end and the side.

use super::hit::{RayCastSettings, RayHit, Side};
use super::ray::LocalRay;
use super::slabs::{CrossingTime, passage};
use super::solid_hits::{SolidHit, SolidHits, nearest_hit};
use crate::exact::adaptive::{Number, between, cross, dot};
use crate::exact::expansion::nearest_f32;
use crate::exact::quadratic_root::{Quadratic, Root, roots, sign_at};
use crate::shape::cylinder::across;
use crate::shape::unit_vector::unit;
use crate::{Cylinder, Ray};
use core::cmp::Ordering;
use glam::{DVec3, Vec3};

impl Cylinder {
    /// The nearest hit of `ray`.
    ///
    /// The cylinder is solid and closed, as an [`Aabb`](crate::Aabb) is; at a rim the normal is the end's. A ray that
    /// starts on the surface hits there, one that only touches it or slides along it where it comes to it: along an end
    /// that is at the side.
    ///
    /// # Accuracy
    /// All decisions are exact, and `t` is the exact root rounded once.
    #[must_use]
    #[inline]
    pub fn cast_ray(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> Option<RayHit> {
        nearest_hit(self.solid_hits(ray), ray, settings.into())
    }

    /// How the ray passes through the cylinder, or `None` where it misses.
    pub(crate) fn solid_hits(&self, ray: &Ray) -> Option<SolidHits> {
        let ray = LocalRay::from(ray);
        if ray.is_empty() {
            return None;
        }
        let line = CylinderLine::new(self, ray.origin, [DVec3::ZERO, ray.direction]);
        let [entry, exit] = line.passage()?;
        passage(
            [entry, exit],
            &ray,
            || line.start(&ray),
            |is_entry| {
                let (time, side) = if is_entry {
                    (entry, Side::Front)
                } else {
                    (exit, Side::Back)
                };
                SolidHit {
                    t: (time.nearest_f32(), time.to_f64()),
                    normal: line.normal_at(time),
                    side,
                    face: None,
                }
            },
        )
    }
}

/// A line and a cylinder.
pub(crate) struct CylinderLine<'a> {
    cylinder: &'a Cylinder,
    origin: DVec3,
    /// The direction from the first to the second, which need not be a number of f64.
    way: [DVec3; 2],
}

/// A part of the surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    FirstEnd,
    SecondEnd,
    Side,
}

const PARTS: [Part; 3] = [Part::FirstEnd, Part::SecondEnd, Part::Side];

/// How far behind a part's plane or surface the line is, as a polynomial in t: positive outside.
struct Excess<'a> {
    line: &'a CylinderLine<'a>,
    part: Part,
}

impl Quadratic for Excess<'_> {
    fn coefficients<N: Number>(&self) -> [N; 3] {
        let CylinderLine {
            cylinder,
            origin,
            way: [from, to],
        } = *self.line;
        let [a, b] = cylinder.segment();
        let (axis, way): ([N; 3], [N; 3]) = (between(a, b), between(from, to));
        let zero = || N::from_f64(0.0);
        match self.part {
            Part::FirstEnd => {
                let from: [N; 3] = between(origin, a);
                [dot(&from, &axis), zero().minus(&dot(&way, &axis)), zero()]
            }
            Part::SecondEnd => {
                let from: [N; 3] = between(b, origin);
                [dot(&from, &axis), dot(&way, &axis), zero()]
            }
            Part::Side => {
                let from: [N; 3] = between(a, origin);
                let (moment, lateral) = (cross(&from, &axis), cross(&way, &axis));
                let radius = N::from_f64(cylinder.radius());
                let limit = radius.times(&radius).times(&dot(&axis, &axis));
                let half = dot(&moment, &lateral);
                [
                    dot(&moment, &moment).minus(&limit),
                    half.plus(&half),
                    dot(&lateral, &lateral),
                ]
            }
        }
    }
}

/// When the line crosses a part of the surface.
#[derive(Clone, Copy)]
pub(crate) struct CylinderTime<'a> {
    line: &'a CylinderLine<'a>,
    part: Part,
    root: Root,
}

impl<'a> CylinderTime<'a> {
    fn excess(&self) -> Excess<'a> {
        Excess {
            line: self.line,
            part: self.part,
        }
    }
}

impl CrossingTime for CylinderTime<'_> {
    fn compare(self, other: Self) -> Ordering {
        self.root
            .compare(&self.excess(), other.root, &other.excess())
    }

    fn compare_f64(self, limit: f64) -> Ordering {
        self.root.compare_f64(&self.excess(), limit)
    }

    fn nearest_f32(self) -> f32 {
        let limit = f64::from(f32::MAX);
        // Roots beyond are beyond every ray.
        if self.root.to_f64().abs() > limit {
            return nearest_f32(self.root.to_f64().clamp(-limit, limit));
        }
        self.root.nearest_f32(&self.excess())
    }

    fn to_f64(self) -> f64 {
        self.root.to_f64()
    }
}

impl<'a> CylinderLine<'a> {
    pub(crate) fn new(cylinder: &'a Cylinder, origin: DVec3, way: [DVec3; 2]) -> Self {
        Self {
            cylinder,
            origin,
            way,
        }
    }

    /// From when to when the line is strictly inside, if it is at all.
    pub(crate) fn inside(&'a self) -> Option<[CylinderTime<'a>; 2]> {
        let [entry, exit] = self.passage()?;
        let slides = |part: Part| {
            let excess = self.excess(part);
            roots(&excess).iter().all(Option::is_none) && sign_at(&excess, 0.0).is_eq()
        };
        let is_inside = entry.compare(exit).is_lt() && !PARTS.into_iter().any(slides);
        is_inside.then_some([entry, exit])
    }

    fn excess(&'a self, part: Part) -> Excess<'a> {
        Excess { line: self, part }
    }

    /// When the line enters the last part and leaves the first; `None` where it is outside of one all along. Of
    /// equal ones the ends count.
    pub(crate) fn passage(&'a self) -> Option<[CylinderTime<'a>; 2]> {
        let (mut entry, mut exit): (Option<CylinderTime<'_>>, Option<CylinderTime<'_>>) =
            (None, None);
        for part in PARTS {
            let excess = self.excess(part);
            let roots = roots(&excess);
            if roots.iter().all(Option::is_none) {
                // Along the planes, the axis, or past the side.
                if sign_at(&excess, 0.0).is_gt() {
                    return None;
                }
                continue;
            }
            for root in roots.into_iter().flatten() {
                let time = CylinderTime {
                    line: self,
                    part,
                    root,
                };
                let slope = root.slope();
                if slope.is_le() && entry.is_none_or(|best| time.compare(best).is_gt()) {
                    entry = Some(time);
                }
                if slope.is_ge() && exit.is_none_or(|best| time.compare(best).is_lt()) {
                    exit = Some(time);
                }
            }
        }
        Some([entry?, exit?])
    }

    /// The hit of a ray that starts in the closed cylinder.
    fn start(&self, ray: &LocalRay) -> SolidHit {
        let t = (nearest_f32(ray.t_min), ray.t_min);
        for part in PARTS {
            let excess = self.excess(part);
            if sign_at(&excess, ray.t_min).is_ne() {
                continue;
            }
            // A ray that slides along the surface is neither going in nor out.
            let is_then = |root: &Root| root.compare_f64(&excess, ray.t_min).is_eq();
            let crossing = roots(&excess).into_iter().flatten().find(is_then);
            let is_inward = crossing.is_some_and(|root| root.slope().is_lt());
            let place = ray.at(ray.t_min);
            return SolidHit {
                t,
                normal: normal_of(self.cylinder, part, place),
                side: if is_inward { Side::Front } else { Side::Back },
                face: None,
            };
        }
        SolidHit {
            t,
            normal: Vec3::ZERO,
            side: Side::Inside,
            face: None,
        }
    }

    /// The outward unit normal where the line crosses the surface: that of an end where it is at one, too.
    fn normal_at(&self, time: CylinderTime<'_>) -> Vec3 {
        // A line along an end's plane does not cross that.
        let is_at = |part: Part| {
            let (own, other) = (time.excess(), self.excess(part));
            roots(&other).iter().any(Option::is_some) && time.root.sign_of(&own, &other).is_eq()
        };
        let ends = [Part::FirstEnd, Part::SecondEnd];
        let part = match time.part {
            Part::Side => ends
                .into_iter()
                .find(|end| is_at(*end))
                .unwrap_or(Part::Side),
            end => end,
        };
        let [from, to] = self.way;
        let place = self.origin + (to - from) * time.root.to_f64();
        normal_of(self.cylinder, part, place)
    }
}

impl Cylinder {
    /// The outward unit normal at a point of the surface; at a rim that of the end.
    pub(crate) fn normal_on(&self, place: DVec3) -> Vec3 {
        let line = CylinderLine::new(self, place, [DVec3::ZERO; 2]);
        let is_on = |part: &Part| sign_at(&line.excess(*part), 0.0).is_eq();
        let part = PARTS.into_iter().find(is_on).unwrap_or(Part::Side);
        normal_of(self, part, place)
    }
}

/// The outward unit normal of a part of the surface at a point of it.
fn normal_of(cylinder: &Cylinder, part: Part, place: DVec3) -> Vec3 {
    let [a, b] = cylinder.segment();
    let along = b - a;
    let axis = along / along.abs().max_element();
    match part {
        Part::FirstEnd => unit(-axis),
        Part::SecondEnd => unit(axis),
        Part::Side => {
            let from_axis = axis.cross((place - a).cross(axis));
            if from_axis == DVec3::ZERO {
                return unit(across(axis / axis.length()));
            }
            unit(from_axis)
        }
    }
}
