//! A solid sphere and the ray against it.
//!
//! The point of a ray that is nearest to a sphere's centre is in `nearest_point.rs`.

use super::aabb::{MAX_COORDINATE, check_coordinates};
use crate::exact::expansion::{Expansion, UNIT_ROUNDOFF, nearest_f32};
use crate::exact::vector::{difference, dot};
use crate::ray_cast::hit::{Side, unit};
use crate::ray_cast::ray::LocalRay;
use crate::ray_cast::solid_hits::{SolidHit, SolidHits, nearest_hit};
use crate::{Aabb, Error, Ray, RayCastSettings, RayHit};
use core::cmp::Ordering;
use glam::{DVec3, Vec3};

/// A solid sphere.
///
/// ```
/// use hitscan::{Ray, Side, Sides, Sphere};
/// let planet = Sphere::new([0.0, 0.0, 0.0], 2.0)?;
/// let hit = planet.cast_ray(&Ray::new([-5.0, 0.0, 0.0], [1.0, 0.0, 0.0])?, Sides::Both).unwrap();
/// assert_eq!((hit.t, hit.normal.x), (3.0, -1.0));
/// let inside = planet.cast_ray(&Ray::new([0.5, 0.0, 0.0], [1.0, 0.0, 0.0])?, Sides::Both).unwrap();
/// assert_eq!((inside.t, inside.side), (0.0, Side::Inside));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere {
    center: Vec3,
    radius: f64,
}

impl Sphere {
    /// The sphere around `center`, metres.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::OutOfRange`] for a centre that is not finite or beyond
    /// ±1e18, [`Error::BadValue`] for a radius that is not positive or beyond 1e18.
    pub fn new(center: impl Into<Vec3>, radius: f64) -> Result<Self, Error> {
        let center = center.into();
        check_coordinates("sphere center", &[center])?;
        if !(radius > 0.0 && radius <= f64::from(MAX_COORDINATE)) {
            let (what, expected) = ("sphere radius", "positive and at most 1e18");
            return Err(Error::BadValue {
                what,
                expected,
                found: radius,
            });
        }
        Ok(Self { center, radius })
    }

    /// The sphere around a centre with a radius that are known to be good.
    pub(crate) fn from_checked(center: Vec3, radius: f64) -> Self {
        Self { center, radius }
    }

    /// The centre, metres.
    #[must_use]
    pub fn center(&self) -> Vec3 {
        self.center
    }

    /// The radius, metres.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The smallest box of f32 around the sphere.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let radius = Expansion::from_f64(self.radius);
        let bound = |toward: fn(&Expansion, &Expansion) -> Expansion, step: fn(f32) -> f32| {
            Vec3::from_array(self.center.to_array().map(|center| {
                let exact = toward(&Expansion::from_f64(f64::from(center)), &radius);
                let rounded = nearest_f32(exact.to_f64());
                let is_upward = step(0.0) > 0.0;
                let excess = exact.minus(&Expansion::from_f64(f64::from(rounded))).sign();
                let went_inward = if is_upward {
                    excess.is_gt()
                } else {
                    excess.is_lt()
                };
                if went_inward { step(rounded) } else { rounded }
            }))
        };
        Aabb::from_ordered(
            bound(Expansion::minus, f32::next_down),
            bound(Expansion::plus, f32::next_up),
        )
    }

    /// Whether `point` belongs to the closed sphere, exactly. A point that is not finite does not.
    #[must_use]
    pub fn contains(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        point.is_finite() && self.holds(point.as_dvec3())
    }

    /// Whether `point` belongs to the closed sphere, exactly.
    pub(crate) fn holds(&self, point: DVec3) -> bool {
        let offset = difference(point, self.center.as_dvec3());
        exact_excess(self, &offset).sign().is_le()
    }

    /// Whether some point of the ray within its range lies in the solid sphere.
    ///
    /// The classic test: the squared distance from the centre to the ray's nearest point (see
    /// [`Ray::project_point`]) against the squared radius.
    #[must_use]
    pub fn overlaps_ray(&self, ray: &Ray) -> bool {
        self.solid_hits(ray)
            .is_some_and(|solid_hits| solid_hits.nearest(RayCastSettings::default()).is_some())
    }

    /// The nearest hit of `ray`.
    ///
    /// The sphere is solid: a ray that starts strictly inside hits at `t_min` with
    /// [`Side::Inside`], which only [`Sides::Both`](crate::Sides::Both) with
    /// [`RayStart::Solid`](crate::RayStart::Solid) admits; with [`Sides::Back`](crate::Sides::Back) or
    /// [`RayStart::Hollow`](crate::RayStart::Hollow) the answer is where the ray leaves. A ray that starts on the surface hits there.
    ///
    /// # Accuracy
    /// Whether the sphere is hit within the ray's range, and whether it starts inside, is exact;
    /// t is worked out in f64 without cancellation.
    ///
    /// # Source
    /// The stable quadratic of Haines, Günther, Akenine-Möller, "Precision Improvements for
    /// Ray/Sphere Intersection", Ray Tracing Gems, 2019; here with an exact discriminant behind it.
    #[must_use]
    #[inline]
    pub fn cast_ray(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> Option<RayHit> {
        nearest_hit(self.solid_hits(ray), ray, settings.into())
    }

    /// The unit normal at a point of the surface. Where the sphere is so small beside its distance
    /// that f64 cannot tell the point from the centre, it is that of a ray through the middle.
    fn normal_at(&self, point: DVec3, direction: DVec3, side: Side) -> Vec3 {
        let from_center = point - self.center.as_dvec3();
        let is_resolved = from_center.length() > 0.5 * self.radius;
        match side {
            _ if is_resolved => unit(from_center),
            Side::Front => unit(-direction),
            Side::Back | Side::Inside => unit(direction),
        }
    }

    /// How the exact root compares with `t`. The rounded one tells, except close to `t`.
    fn compare_root(&self, root: &Root, t: f64, ray: &LocalRay) -> Ordering {
        // Roots are good to a few billionths (see `discriminant` and `surface_excess`).
        if (root.t - t).abs() > 1e-7 * root.t.abs() {
            return root.t.total_cmp(&t);
        }
        let t = Expansion::from_f64(t);
        let d = ray.direction.to_array().map(Expansion::from_f64);
        let m = exact_offset(self, ray);
        let at_t = [0, 1, 2].map(|axis| m[axis].plus(&d[axis].times(&t)));
        let slope_at_t = dot(&at_t, &d).sign();
        match exact_excess(self, &at_t).sign() {
            // Inside is behind the entry and before the exit.
            Ordering::Less => root.slope,
            Ordering::Equal if slope_at_t == root.slope || slope_at_t.is_eq() => Ordering::Equal,
            Ordering::Equal => root.slope,
            // Outside, where the ray comes nearer the root is ahead.
            Ordering::Greater => slope_at_t.reverse(),
        }
    }

    /// How the ray passes through the sphere, or `None` where it misses.
    pub(crate) fn solid_hits(&self, ray: &Ray) -> Option<SolidHits> {
        let ray = LocalRay::from(ray);
        if ray.is_empty() {
            return None;
        }
        let roots = Roots::new(self, &ray)?;
        let entry = Root {
            t: roots.enter,
            slope: Ordering::Less,
        };
        let exit = Root {
            t: roots.leave,
            slope: Ordering::Greater,
        };
        let surface = |root: &Root, side| {
            let is_in_range = self.compare_root(root, ray.t_min, &ray).is_ge()
                && self.compare_root(root, ray.t_max, &ray).is_le();
            is_in_range.then(|| {
                // A root that is not beyond an end may have been rounded beyond it.
                let t = root.t.clamp(ray.t_min, ray.t_max);
                let normal = self.normal_at(ray.at(t), ray.direction, side);
                SolidHit {
                    t: (nearest_f32(t), t),
                    normal,
                    side,
                }
            })
        };
        if roots.is_touch {
            return surface(&entry, Side::Back).map(SolidHits::Touch);
        }
        let starts_inside = self.compare_root(&entry, ray.t_min, &ray).is_lt()
            && self.compare_root(&exit, ray.t_min, &ray).is_gt();
        let entry = if starts_inside {
            let t = (nearest_f32(ray.t_min), ray.t_min);
            Some(SolidHit {
                t,
                normal: Vec3::ZERO,
                side: Side::Inside,
            })
        } else {
            surface(&entry, Side::Front)
        };
        let exit = surface(&exit, Side::Back);
        (entry.is_some() || exit.is_some()).then_some(SolidHits::Through { entry, exit })
    }
}

/// A t at which a line goes in (the excess over the surface has slope `Less`) or out (`Greater`).
struct Root {
    t: f64,
    slope: Ordering,
}

/// Where a line meets a sphere's surface.
struct Roots {
    enter: f64,
    leave: f64,
    is_touch: bool,
}

impl Roots {
    /// Solves `a t² + 2 b t + c = 0` with `a = d·d`, `b = m·d`, `c = m·m - r²`, where m leads from
    /// the centre to the origin.
    fn new(sphere: &Sphere, ray: &LocalRay) -> Option<Self> {
        // An exact power of two on the direction keeps d·d in range; t is scaled back at the end.
        let scale = power_of_two_near(ray.direction.abs().max_element());
        let d = ray.direction / scale;
        let m = ray.origin - sphere.center.as_dvec3();
        let (a, b) = (d.dot(d), m.dot(d));
        let discriminant = discriminant(sphere, ray, d)?;
        let c = surface_excess(sphere, ray);
        let root = discriminant.sqrt();
        // The root of the same sign as b is free of cancellation; the other is c over it.
        let q = if b < 0.0 { root - b } else { -root - b };
        let (far, near) = if q == 0.0 { (0.0, 0.0) } else { (q / a, c / q) };
        let (enter, leave) = if far < near { (far, near) } else { (near, far) };
        Some(Self {
            enter: enter / scale,
            leave: leave / scale,
            is_touch: discriminant == 0.0,
        })
    }
}

/// `b² - a c` for the scaled direction `d`, with its exact sign; `None` where it is negative.
fn discriminant(sphere: &Sphere, ray: &LocalRay, d: DVec3) -> Option<f64> {
    let m = ray.origin - sphere.center.as_dvec3();
    let (a, b) = (d.dot(d), m.dot(d));
    // a (r² - |m - (b / a) d|²): the vector from the centre to the line is free of the cancellation
    // of b² - a c, where the origin is far away.
    let to_line = m - d * (b / a);
    let value = sphere.radius * sphere.radius - to_line.dot(to_line);
    // A component of that vector is off by 16u |m| at most (two roundings in m, and |b / a| |d| is
    // at most |m|, made of a handful of operations), its square by 4 such products.
    let off = 16.0 * UNIT_ROUNDOFF * m.length();
    let bound = 8.0 * off * (to_line.length() + off)
        + 8.0 * UNIT_ROUNDOFF * (sphere.radius * sphere.radius + to_line.dot(to_line));
    if value < -bound {
        return None;
    }
    // Only where the bound is a billionth of the value is half the chord good to f32 and beyond.
    if value > bound * 1e9 {
        return Some(a * value);
    }
    let m = exact_offset(sphere, ray);
    let d = d.to_array().map(Expansion::from_f64);
    let (a, b) = (dot(&d, &d), dot(&m, &d));
    let exact = b.times(&b).minus(&a.times(&exact_excess(sphere, &m)));
    exact.sign().is_ge().then(|| exact.to_f64())
}

/// `m·m - r²` with small relative error: positive outside, 0 on the surface, negative inside.
fn surface_excess(sphere: &Sphere, ray: &LocalRay) -> f64 {
    let m = ray.origin - sphere.center.as_dvec3();
    let (outer, inner) = (m.dot(m), sphere.radius * sphere.radius);
    let value = outer - inner;
    // m carries one rounding, a square three, their sum two more, the difference one.
    if value.abs() > 8.0 * UNIT_ROUNDOFF * (outer + inner) * 1e9 {
        return value;
    }
    exact_excess(sphere, &exact_offset(sphere, ray)).to_f64()
}

fn exact_offset(sphere: &Sphere, ray: &LocalRay) -> [Expansion; 3] {
    difference(ray.origin, sphere.center.as_dvec3())
}

fn exact_excess(sphere: &Sphere, m: &[Expansion; 3]) -> Expansion {
    let radius = Expansion::from_f64(sphere.radius);
    dot(m, m).minus(&radius.times(&radius))
}

/// The power of two with the exponent of `x`, which is normal and positive.
pub(crate) fn power_of_two_near(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & 0x7FF0_0000_0000_0000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sides;

    fn ray(origin: [f32; 3], direction: [f32; 3]) -> Ray {
        Ray::new(origin, direction).unwrap()
    }

    #[test]
    fn far_from_the_origin_a_unit_sphere_is_hit_where_it_is() {
        let sphere = Sphere::new([1e5, 0.0, 0.0], 1.0).unwrap();
        let hit = sphere
            .cast_ray(&ray([-1e5, 0.5, 0.0], [1.0, 0.0, 0.0]), Sides::Both)
            .unwrap();
        // 2e5 - sqrt(0.75), to the last place of f32.
        assert_eq!(hit.t, nearest_f32(2e5 - 0.75f64.sqrt()));
        assert!((hit.normal.y - 0.5).abs() < 1e-6);
        assert_eq!(
            sphere.cast_ray(&ray([-1e5, 1.0000001, 0.0], [1.0, 0.0, 0.0]), Sides::Both),
            None
        );
        assert!(
            sphere
                .cast_ray(&ray([-1e5, 1.0, 0.0], [1.0, 0.0, 0.0]), Sides::Both)
                .is_some()
        );
    }

    #[test]
    fn a_start_on_the_surface_hits_there_with_its_normal() {
        let sphere = Sphere::new([0.0; 3], 5.0).unwrap();
        for (direction, side) in [
            ([-1.0, 0.1, 0.0], Side::Front),
            ([1.0, 2.0, 3.0], Side::Back),
        ] {
            let hit = sphere
                .cast_ray(&ray([3.0, 4.0, 0.0], direction), Sides::Both)
                .unwrap();
            assert_eq!((hit.t.to_bits(), hit.side), (0, side), "{direction:?}");
            assert_eq!(hit.normal, Vec3::new(0.6, 0.8, 0.0));
        }
    }

    #[test]
    fn sides_choose_between_entry_and_exit() {
        let sphere = Sphere::new([0.0; 3], 1.0).unwrap();
        let through = ray([-3.0, 0.0, 0.0], [2.0, 0.0, 0.0]);
        let t = |ray: &Ray, sides| sphere.cast_ray(ray, sides).map(|hit| hit.t);
        assert_eq!(t(&through, Sides::Both), Some(1.0));
        assert_eq!(t(&through, Sides::Back), Some(2.0));
        let from_inside = ray([0.0; 3], [2.0, 0.0, 0.0]);
        assert_eq!(t(&from_inside, Sides::Both), Some(0.0));
        assert_eq!(t(&from_inside, Sides::Front), None);
        assert_eq!(t(&from_inside, Sides::Back), Some(0.5));
        assert_eq!(t(&through.with_range(0.0, 0.9).unwrap(), Sides::Both), None);
    }

    #[test]
    fn tiny_and_huge_directions_keep_their_t() {
        let sphere = Sphere::new([0.0, 0.0, 8.0], 1.0).unwrap();
        for scale in [1e-37f32, 1e-20, 1.0, 1e30] {
            let hit = sphere
                .cast_ray(&ray([0.0; 3], [0.0, 0.0, scale]), Sides::Both)
                .unwrap();
            assert!((hit.distance - 7.0).abs() < 1e-5, "{scale} {hit:?}");
        }
    }

    #[test]
    fn bounds_are_exact_where_f32_can_hold_them() {
        let exact = Sphere::new([1.0, 0.0, -2.0], 0.5).unwrap().bounds();
        assert_eq!(
            exact,
            Aabb::new([0.5, -0.5, -2.5], [1.5, 0.5, -1.5]).unwrap()
        );
        let rounded = Sphere::new([1.0, 0.0, 0.0], 0.1).unwrap().bounds();
        assert!(f64::from(rounded.min().x) <= 0.9 && f64::from(rounded.max().x) >= 1.1);
        assert_eq!(rounded.max().y, 0.1);
    }
}
