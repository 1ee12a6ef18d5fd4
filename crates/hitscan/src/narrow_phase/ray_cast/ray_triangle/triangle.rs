//! Rays against a triangle by itself, its normal, and whether a point of its plane is in it.

use super::predicate::{intersect, normal};
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::shape::unit_vector::unit;
use crate::{Ray, RayCastSettings, RayHit, Sides, Triangle, TriangleId};
use glam::{DVec3, Vec3};

impl Triangle {
    /// The unit normal by the winding, or `None` without area.
    #[must_use]
    pub fn normal(&self) -> Option<Vec3> {
        let normal = normal(&self.wide());
        (normal != DVec3::ZERO).then(|| unit(normal))
    }

    /// Where `ray` hits the closed triangle.
    ///
    /// A ray in the triangle's plane misses it. Whether it is hit is exact; `t` is the exact value
    /// rounded to the nearest f32.
    #[must_use]
    #[inline]
    pub fn cast_ray(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> Option<RayHit> {
        self.nearest_hit(ray, settings.into().sides)
    }

    /// Whether `ray` hits the triangle.
    #[must_use]
    #[inline]
    pub fn cast_ray_any(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> bool {
        self.cast_ray(ray, settings).is_some()
    }

    /// All hits of `ray`: at most one.
    #[must_use]
    #[inline]
    pub fn cast_ray_all(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> Vec<RayHit> {
        self.cast_ray(ray, settings).into_iter().collect()
    }

    fn nearest_hit(&self, ray: &Ray, sides: Sides) -> Option<RayHit> {
        let hit = intersect(&LocalRay::from(ray), &self.wide())?;
        sides.admits(hit.side).then(|| {
            let id = TriangleId {
                part: 0,
                triangle: 0,
            };
            RayHit::on_triangle(ray, id, &hit)
        })
    }

    /// Whether `point`, moved along the triangle's normal, lies in the closed triangle.
    ///
    /// For a point of the triangle's plane this is the classic point-in-triangle test. Without
    /// area, and for a point that is not finite, the answer is no.
    #[must_use]
    pub fn contains_projected(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        let corners = self.wide();
        let direction = normal(&corners);
        let (t_min, t_max) = (f64::NEG_INFINITY, f64::INFINITY);
        let line = LocalRay {
            origin: point.as_dvec3(),
            direction,
            t_min,
            t_max,
        };
        point.is_finite() && direction != DVec3::ZERO && intersect(&line, &corners).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Side;

    fn flat() -> Triangle {
        //  c
        //  | \
        //  a--b   in the plane y = 0, front up
        Triangle::new([0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]).unwrap()
    }

    fn down(x: f32, z: f32) -> Ray {
        Ray::new([x, 3.0, z], [0.0, -1.0, 0.0]).unwrap()
    }

    #[test]
    fn edges_and_corners_belong_to_the_triangle() {
        for (x, z, is_hit) in [
            (0.25, 0.25, true),
            (0.5, 0.5, true),
            (0.5, 0.5f32.next_up(), false),
            (0.0, 0.0, true),
            (1.0, 0.0, true),
            (0.0, 1.0, true),
            (0.0, -f32::from_bits(1), false),
            (-1e-30, 0.5, false),
        ] {
            assert_eq!(
                flat().cast_ray(&down(x, z), ()).is_some(),
                is_hit,
                "{x} {z}"
            );
        }
    }

    #[test]
    fn a_ray_in_the_plane_misses() {
        let ray = Ray::new([-1.0, 0.0, 0.25], [1.0, 0.0, 0.0]).unwrap();
        assert_eq!(flat().cast_ray(&ray, ()), None);
    }

    #[test]
    fn a_triangle_without_area_is_never_hit() {
        let line = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]).unwrap();
        assert_eq!(line.cast_ray(&down(1.0, 0.0), ()), None);
        assert_eq!(line.normal(), None);
        assert!(!line.contains_projected([1.0, 0.0, 0.0]));
    }

    #[test]
    fn a_ray_that_starts_on_the_surface_hits_at_its_start() {
        let ray = Ray::new([0.1, 0.0, 0.7], [0.3, -0.1, -0.2]).unwrap();
        let hit = flat().cast_ray(&ray, ()).unwrap();
        assert_eq!((hit.t.to_bits(), hit.side), (0, Side::Front));
        assert_eq!(flat().cast_ray(&ray, Sides::Back), None);
    }

    #[test]
    fn both_ends_of_the_range_count() {
        let ray = down(0.25, 0.25);
        for (t_min, t_max, is_hit) in [(0.0, 3.0, true), (3.0, 9.0, true), (0.0, 2.9999998, false)]
        {
            let limited = ray.with_range(t_min, t_max).unwrap();
            assert_eq!(flat().cast_ray(&limited, ()).is_some(), is_hit);
        }
    }
}
