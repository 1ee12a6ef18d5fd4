//! A ray against a solid sphere: the stable quadratic, with exact fallbacks.

use super::hit::Side;
use super::ray::LocalRay;
use super::solid_hits::{SolidHit, SolidHits, nearest_hit};
use crate::exact::expansion::{Expansion, UNIT_ROUNDOFF, nearest_f32};
use crate::exact::vector::{difference, dot};
use crate::shape::sphere::{exact_excess, power_of_two_near};
use crate::shape::unit_vector::unit;
use crate::{Ray, RayCastSettings, RayHit, Sphere};
use core::cmp::Ordering;
use glam::{DVec3, Vec3};

impl Sphere {
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
    /// t is computed in f64 without cancellation.
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
    /// that in f64 the point is the centre, it is that of a ray through the middle.
    fn normal_at(&self, point: DVec3, direction: DVec3, side: Side) -> Vec3 {
        let from_center = point - self.wide_center();
        let is_resolved = from_center.length() > 0.5 * self.radius();
        match side {
            _ if is_resolved => unit(from_center),
            Side::Front => unit(-direction),
            Side::Back | Side::Inside => unit(direction),
        }
    }

    /// How the exact root compares with `t`. The rounded one decides, except close to `t`.
    fn compare_root(&self, root: &Root, t: f64, ray: &LocalRay) -> Ordering {
        if (root.t - t).abs() > ROOT_ERROR * root.t.abs() {
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
                    face: None,
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
                face: None,
            })
        } else {
            surface(&entry, Side::Front)
        };
        let exit = surface(&exit, Side::Back);
        (entry.is_some() || exit.is_some()).then_some(SolidHits::Through { entry, exit })
    }
}

/// A number in f64 is used where it is greater than this times the bound of its error, so that its
/// relative error is a billionth at most: t, which is made of three such numbers, is good to f32 and
/// beyond. Elsewhere the exact fallback gives it.
const TRUSTED: f64 = 1e9;

/// More than the relative error of a root.
///
/// `b`, `c` and the discriminant are each good to a billionth ([`TRUSTED`]); the square root halves
/// the error, a sum of the same sign keeps it, and the quotients add two of them: three billionths,
/// and a few roundings.
const ROOT_ERROR: f64 = 1e-7;

/// A t at which a line goes in (the excess over the surface has slope `Less`) or out (`Greater`).
struct Root {
    t: f64,
    slope: Ordering,
}

/// Where a line intersects a sphere's surface.
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
        let discriminant = discriminant(sphere, ray, d)?;
        let (a, b) = (d.dot(d), along(sphere, ray, d));
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
    let m = ray.origin - sphere.wide_center();
    let (a, b) = (d.dot(d), m.dot(d));
    // a (r² - |m - (b / a) d|²): the vector from the centre to the line is free of the cancellation
    // of b² - a c, where the origin is far away.
    let to_line = m - d * (b / a);
    let value = sphere.radius() * sphere.radius() - to_line.dot(to_line);
    // A component of that vector is off by 16u |m| at most (two roundings in m, and |b / a| |d| is
    // at most |m|, made of a handful of operations), its square by 4 such products.
    let off = 16.0 * UNIT_ROUNDOFF * m.length();
    let bound = 8.0 * off * (to_line.length() + off)
        + 8.0 * UNIT_ROUNDOFF * (sphere.radius() * sphere.radius() + to_line.dot(to_line));
    if value < -bound {
        return None;
    }
    if value > bound * TRUSTED {
        return Some(a * value);
    }
    let m = exact_offset(sphere, ray);
    let d = d.to_array().map(Expansion::from_f64);
    let (a, b) = (dot(&d, &d), dot(&m, &d));
    let exact = b.times(&b).minus(&a.times(&exact_excess(sphere, &m)));
    exact.sign().is_ge().then(|| exact.to_f64())
}

/// `m·d` for the scaled direction `d`, with small relative error.
fn along(sphere: &Sphere, ray: &LocalRay, d: DVec3) -> f64 {
    let m = ray.origin - sphere.wide_center();
    let value = m.dot(d);
    // m carries one rounding, a product one more, the sum two.
    let bound = 8.0 * UNIT_ROUNDOFF * m.abs().dot(d.abs());
    if value.abs() > bound * TRUSTED {
        return value;
    }
    dot(
        &exact_offset(sphere, ray),
        &d.to_array().map(Expansion::from_f64),
    )
    .to_f64()
}

/// `m·m - r²` with small relative error: positive outside, 0 on the surface, negative inside.
fn surface_excess(sphere: &Sphere, ray: &LocalRay) -> f64 {
    let m = ray.origin - sphere.wide_center();
    let (outer, inner) = (m.dot(m), sphere.radius() * sphere.radius());
    let value = outer - inner;
    // m carries one rounding, a square three, their sum two more, the difference one.
    if value.abs() > 8.0 * UNIT_ROUNDOFF * (outer + inner) * TRUSTED {
        return value;
    }
    exact_excess(sphere, &exact_offset(sphere, ray)).to_f64()
}

fn exact_offset(sphere: &Sphere, ray: &LocalRay) -> [Expansion; 3] {
    difference(ray.origin, sphere.wide_center())
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
            .cast_ray(&ray([-1e5, 0.5, 0.0], [1.0, 0.0, 0.0]), ())
            .unwrap();
        // 2e5 - sqrt(0.75), to the last place of f32.
        assert_eq!(hit.t, nearest_f32(2e5 - 0.75f64.sqrt()));
        assert!((hit.normal.y - 0.5).abs() < 1e-6);
        assert_eq!(
            sphere.cast_ray(&ray([-1e5, 1.0000001, 0.0], [1.0, 0.0, 0.0]), ()),
            None
        );
        assert!(
            sphere
                .cast_ray(&ray([-1e5, 1.0, 0.0], [1.0, 0.0, 0.0]), ())
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
                .cast_ray(&ray([3.0, 4.0, 0.0], direction), ())
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
                .cast_ray(&ray([0.0; 3], [0.0, 0.0, scale]), ())
                .unwrap();
            assert!((hit.distance - 7.0).abs() < 1e-5, "{scale} {hit:?}");
        }
    }
}
