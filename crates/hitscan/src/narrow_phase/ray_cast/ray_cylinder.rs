//! A ray against a cylinder, decided exactly: two planes, and a quadric between them.
//!
//! A point p is inside where `0 <= w·u <= u²` and `|w × u|² <= r² u²` with w from the first end to p and u from the
//! first end to the second. Along a line the first two are linear in t and the third is quadratic; each gives an
//! interval of t, and roots are compared exactly. So no ray slips between an end and the side. Most rays are decided
//! before, by `cylinder_filter.rs`, with the same bits.

use super::cylinder_filter::certain_hits;
use super::cylinder_surface::{PARTS, Part, normal_of};
use super::hit::{RayCastSettings, RayHit, Side};
use super::ray::LocalRay;
use super::slabs::{CrossingTime, passage};
use super::solid_hits::{SolidHit, SolidHits};
use crate::exact::adaptive::{Number, between, cross, dot};
use crate::exact::expansion::nearest_f32;
use crate::exact::quadratic_root::{Quadratic, Root, roots, sign_at};
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
        Some(self.nearest(ray, settings.into())?.into_hit(ray))
    }

    /// How the ray passes through the cylinder, or `None` where it misses.
    pub(crate) fn solid_hits(&self, ray: &Ray) -> Option<SolidHits> {
        self.hits(ray, None)
    }

    /// The first hit that counts.
    pub(crate) fn nearest(&self, ray: &Ray, settings: RayCastSettings) -> Option<SolidHit> {
        self.hits(ray, Some(settings))?.nearest(settings)
    }

    /// The hits, with settings those that may be the first that counts.
    fn hits(&self, ray: &Ray, settings: Option<RayCastSettings>) -> Option<SolidHits> {
        let ray = LocalRay::from(ray);
        if ray.is_empty() {
            return None;
        }
        certain_hits(self, &ray, settings).unwrap_or_else(|| self.exact_hits(&ray))
    }

    /// The hits of a ray that is not empty, where plain f64 is not certain of them.
    #[cold]
    #[inline(never)]
    fn exact_hits(&self, ray: &LocalRay) -> Option<SolidHits> {
        let line = CylinderLine::new(self, ray.origin, [DVec3::ZERO, ray.direction]);
        let [entry, exit] = line.passage()?;
        passage(
            [entry, exit],
            ray,
            |_| false,
            || line.start(ray),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_rng::Rng;
    use crate::{RayStart, Sides};

    /// Whether the filter was certain of a ray; what it answers is held against exact numbers, bit for bit.
    fn is_certain(cylinder: &Cylinder, ray: &Ray) -> bool {
        let local = LocalRay::from(ray);
        let shown = |hits: Option<SolidHits>| format!("{hits:?}");
        let exact = shown(cylinder.exact_hits(&local));
        let whole = certain_hits(cylinder, &local, None);
        if let Some(hits) = whole {
            assert_eq!(shown(hits), exact, "{cylinder:?} {ray:?}");
        }
        for sides in [Sides::Both, Sides::Front, Sides::Back] {
            for start in [RayStart::Solid, RayStart::Hollow] {
                let settings = RayCastSettings { sides, start };
                let expected =
                    (cylinder.exact_hits(&local)).and_then(|hits| hits.nearest(settings));
                let found = cylinder.nearest(ray, settings);
                assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{ray:?}");
            }
        }
        whole.is_some()
    }

    #[test]
    fn the_filter_answers_as_exact_numbers_do() {
        let mut rng = Rng(31);
        let (mut certain, mut rays) = (0, 0);
        for round in 0..20_000_u32 {
            // On a coarse grid rays run along the side, through the rim and in the planes of the ends.
            let is_coarse = round % 4 == 1;
            let scale = [1.0, 1e-12, 1e9, 1.0][rng.below(4)];
            let mut point = |size: f32| {
                Vec3::from([(); 3].map(|()| {
                    let x = rng.signed() * size;
                    if is_coarse {
                        (2.0 * x).round() * 0.5
                    } else {
                        x
                    }
                }))
            };
            let (a, b, origin, target) = (point(2.0), point(2.0), point(4.0), point(2.0));
            let offset = if round % 8 == 3 {
                point(3e5)
            } else {
                Vec3::ZERO
            };
            let radius = [0.5, 1.0, f64::from(point(1.0).x.abs())][round as usize % 3];
            let place = |at: Vec3| (at + offset) * scale;
            let radius = radius * f64::from(scale);
            let Ok(cylinder) = Cylinder::new(place(a), place(b), radius) else {
                continue;
            };
            // Towards a rim or the side, so that many graze.
            let axis = (b - a).normalize_or_zero();
            let aside = axis.cross(origin - a).normalize_or_zero() * nearest_f32(radius) / scale;
            let target = match round % 5 {
                0 => a + aside,
                1 => a + (b - a) * 0.25 + aside,
                2 => a + axis.cross(aside),
                _ => target,
            };
            let Ok(ray) = Ray::new(place(origin), (target - origin) * scale) else {
                continue;
            };
            let t_max = [f32::INFINITY, 1.0, 0.5][round as usize % 7 % 3];
            let ray = ray.with_range([0.0, -2.0, 0.25][round as usize % 11 % 3], t_max);
            rays += 1;
            certain += u32::from(is_certain(&cylinder, &ray.unwrap()));
        }
        assert!(
            rays > 15_000 && certain > rays / 2 && certain < rays,
            "{certain} of {rays}"
        );
    }

    #[test]
    fn tangents_and_rims_are_left_to_exact_numbers() {
        let can = Cylinder::new([0.0; 3], [0.0, 2.0, 0.0], 1.0).unwrap();
        let next = 1.0_f32.next_up();
        for (origin, direction, expected) in [
            // Tangent, a hair beside it, through the rim, in the plane of an end, along the side.
            ([1.0, 1.0, -3.0], [0.0, 0.0, 1.0], false),
            ([next, 1.0, -3.0], [0.0, 0.0, 1.0], true),
            ([2.0, 3.0, 0.0], [-1.0, -1.0, 0.0], false),
            ([3.0, 2.0, 0.0], [-1.0, 0.0, 0.0], false),
            ([1.0, 5.0, 0.0], [0.0, -1.0, 0.0], false),
            // Along the axis, across it, and from within.
            ([0.5, 5.0, 0.0], [0.0, -1.0, 0.0], true),
            ([1.5, 5.0, 0.0], [0.0, -1.0, 0.0], true),
            ([3.0, 1.0, 0.5], [-1.0, 0.0, 0.0], true),
            ([3.0, 2.5, 0.5], [-1.0, 0.0, 0.0], true),
            ([0.25, 1.0, 0.5], [-1.0, 0.5, 0.0], true),
            // It starts on the surface.
            ([1.0, 1.0, 0.0], [1.0, 0.0, 0.0], false),
            ([0.5, 2.0, 0.0], [0.0, -1.0, 0.0], false),
        ] {
            let ray = Ray::new(origin, direction).unwrap();
            assert_eq!(is_certain(&can, &ray), expected, "{origin:?} {direction:?}");
        }
    }
}
