//! A ray against a plane.

use crate::exact::expansion::nearest_f32;
use crate::shape::unit_vector::unit;
use crate::{Plane, Ray, RayCastSettings, RayHit, Side, Sides};

impl Plane {
    /// Where `ray` crosses the plane. A ray along the plane misses it.
    ///
    /// Worked out in f64.
    #[must_use]
    #[inline]
    pub fn cast_ray(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> Option<RayHit> {
        self.nearest_hit(ray, settings.into().sides)
    }

    /// Whether `ray` hits the plane.
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
        let slope = self.normal.dot(ray.direction().as_dvec3());
        if slope == 0.0 {
            return None;
        }
        let t = (self.offset - self.normal.dot(ray.origin().as_dvec3())) / slope;
        let side = if slope < 0.0 { Side::Front } else { Side::Back };
        // A plane far beyond f64 gives an infinite t, which is no place.
        let is_in_range = t.is_finite()
            && f64::from(ray.t_min()) <= t
            && t <= f64::from(ray.t_max().min(f32::MAX));
        (is_in_range && sides.admits(side)).then(|| {
            let rounded = nearest_f32(t);
            RayHit::new(ray, (rounded, t), (unit(self.normal), side))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_behind_the_origin_and_parallel_rays_miss() {
        let plane = Plane::through([0.0, 1.0, 0.0], [0.0, 1.0, 0.0]).unwrap();
        let cast = |direction: [f32; 3]| {
            plane.cast_ray(&Ray::new([0.0, 3.0, 0.0], direction).unwrap(), ())
        };
        assert_eq!(cast([0.0, 1.0, 0.0]), None);
        assert_eq!(cast([1.0, 0.0, 0.0]), None);
        assert_eq!(cast([0.0, -4.0, 0.0]).unwrap().t, 0.5);
        assert!(Plane::new([0.0; 3], 1.0).is_err());
    }
}
