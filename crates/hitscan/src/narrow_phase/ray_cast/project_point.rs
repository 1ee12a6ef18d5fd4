//! The point of a ray that is nearest to another point.

use super::ray::LocalRay;
use crate::Ray;
use crate::exact::expansion::nearest_f32;
use crate::shape::sphere::power_of_two_near;
use glam::Vec3;

/// The point of a ray that is nearest to some point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProjectedPoint {
    /// The ray's parameter there, within the ray's range.
    pub t: f32,
    /// The point of the ray.
    pub point: Vec3,
    /// The squared distance, square metres.
    pub distance_squared: f64,
}

impl Ray {
    /// The point of the ray within its range that is nearest to `point`; of an empty ray its origin.
    ///
    /// `point` must be finite. Worked out in f64.
    #[must_use]
    pub fn project_point(&self, point: impl Into<Vec3>) -> ProjectedPoint {
        let (ray, point) = (LocalRay::from(self), point.into().as_dvec3());
        let scale = power_of_two_near(ray.direction.abs().max_element());
        let d = ray.direction / scale;
        if self.is_empty() {
            let apart = ray.origin - point;
            return ProjectedPoint {
                t: self.t_min(),
                point: self.origin(),
                distance_squared: apart.dot(apart),
            };
        }
        let t = ((point - ray.origin).dot(d) / d.dot(d) / scale).clamp(ray.t_min, ray.t_max);
        let nearest = ray.at(t);
        let apart = nearest - point;
        ProjectedPoint {
            t: nearest_f32(t),
            point: nearest.as_vec3(),
            distance_squared: apart.dot(apart),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_point_is_clamped_to_the_ray() {
        let nearest = along_x().project_point([3.0, 4.0, 0.0]);
        assert_eq!((nearest.t, nearest.distance_squared), (1.5, 16.0));
        let behind = along_x().project_point([-3.0, 4.0, 0.0]);
        assert_eq!((behind.t, behind.distance_squared), (0.0, 25.0));
    }

    fn along_x() -> Ray {
        Ray::new([0.0; 3], [2.0, 0.0, 0.0]).unwrap()
    }
}
