//! A ballistic arc with its range of t, checked once.

use crate::exact::adaptive::Number;
use crate::exact::expansion::nearest_f32;
use crate::narrow_phase::ray_cast::hit::MAX_HIT_COORDINATE;
use crate::{Error, Ray, RayHit, Side, TriangleId};
use glam::{DVec3, Vec3};

/// The path of a thrown thing without drag: `origin + velocity * t + acceleration * t²/2` with
/// `t_min <= t <= t_max`, both ends included; t in seconds.
///
/// An arc without acceleration is a ray, and has its answers. Drag, and gravity that changes on the way,
/// are chains of arcs, each with a range.
///
/// ```
/// use hitscan::{BallisticArc, HeightField, height_field::Grid};
/// let ground = HeightField::new(Grid::new(101, 2, [1.0, 1.0]), vec![0.0; 202])?;
/// let shot = BallisticArc::new([0.0, 0.0, 0.5], [15.0, 20.0, 0.0], [0.0, -10.0, 0.0])?;
/// // From just after the muzzle on; else the ground under it is hit at t = 0.
/// let hit = ground.cast_arc(&shot.with_range(0.001, f32::INFINITY)?, ()).unwrap();
/// assert_eq!((hit.t, hit.point.x), (4.0, 60.0));
/// assert_eq!(shot.velocity_at(hit.t).y, -20.0);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BallisticArc {
    origin: Vec3,
    velocity: Vec3,
    acceleration: Vec3,
    t_min: f32,
    t_max: f32,
}

impl BallisticArc {
    /// Standard gravity where +Y is up, m/s².
    pub const GRAVITY: Vec3 = Vec3::new(0.0, -9.81, 0.0);

    /// The arc from `origin` (metres) with a velocity (m/s) and an acceleration (m/s²), for t from 0 to
    /// infinity.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a component that is NaN or infinite, [`Error::ZeroVector`] where
    /// velocity and acceleration are both zero.
    pub fn new(
        origin: impl Into<Vec3>,
        velocity: impl Into<Vec3>,
        acceleration: impl Into<Vec3>,
    ) -> Result<Self, Error> {
        Self::checked(origin.into(), velocity.into(), acceleration.into())
    }

    /// As [`BallisticArc::new`], for game loops: where that is an error the arc is empty and hits nothing.
    #[must_use]
    pub fn new_or_empty(
        origin: impl Into<Vec3>,
        velocity: impl Into<Vec3>,
        acceleration: impl Into<Vec3>,
    ) -> Self {
        Self::new(origin, velocity, acceleration).unwrap_or(Self {
            origin: Vec3::ZERO,
            velocity: Vec3::X,
            acceleration: Vec3::ZERO,
            t_min: 1.0,
            t_max: 0.0,
        })
    }

    /// Whether no t belongs to the arc, so that it hits nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.t_min > self.t_max
    }

    fn checked(origin: Vec3, velocity: Vec3, acceleration: Vec3) -> Result<Self, Error> {
        for (what, v) in [
            ("arc origin", origin),
            ("arc velocity", velocity),
            ("arc acceleration", acceleration),
        ] {
            if let Some(found) = v.to_array().into_iter().find(|x| !x.is_finite()) {
                let found = f64::from(found);
                return Err(Error::NotFinite { what, found });
            }
        }
        if velocity == Vec3::ZERO && acceleration == Vec3::ZERO {
            let what = "arc velocity and acceleration";
            return Err(Error::ZeroVector { what });
        }
        Ok(Self {
            origin,
            velocity,
            acceleration,
            t_min: 0.0,
            t_max: f32::INFINITY,
        })
    }

    /// The same arc limited to `t_min <= t <= t_max`. `t_max` may be infinite; an arc without an end
    /// ends where t leaves the range of f32. An empty arc stays empty.
    ///
    /// # Errors
    /// [`Error::NotFinite`] when `t_min` is not finite or `t_max` is NaN, [`Error::Reversed`] when
    /// `t_min > t_max`.
    pub fn with_range(self, t_min: f32, t_max: f32) -> Result<Self, Error> {
        if !t_min.is_finite() {
            return Err(Error::NotFinite {
                what: "arc t_min",
                found: f64::from(t_min),
            });
        }
        if t_max.is_nan() {
            return Err(Error::NotFinite {
                what: "arc t_max",
                found: f64::from(t_max),
            });
        }
        if t_min > t_max {
            return Err(Error::Reversed {
                what: "arc range",
                min: f64::from(t_min),
                max: f64::from(t_max),
            });
        }
        if self.is_empty() {
            return Ok(self);
        }
        // -0 becomes +0, so that an answer at t_min is never -0.
        Ok(Self {
            t_min: t_min + 0.0,
            t_max: t_max + 0.0,
            ..self
        })
    }

    /// The point at t = 0, metres.
    #[must_use]
    pub fn origin(&self) -> Vec3 {
        self.origin
    }

    /// The velocity at t = 0, m/s.
    #[must_use]
    pub fn velocity(&self) -> Vec3 {
        self.velocity
    }

    /// The acceleration, m/s².
    #[must_use]
    pub fn acceleration(&self) -> Vec3 {
        self.acceleration
    }

    /// The smallest t that belongs to the arc, seconds.
    #[must_use]
    pub fn t_min(&self) -> f32 {
        self.t_min
    }

    /// The largest t that belongs to the arc, seconds.
    #[must_use]
    pub fn t_max(&self) -> f32 {
        self.t_max
    }

    /// The point at `t`, computed in f64; infinite where it is beyond the range of f32.
    #[must_use]
    pub fn at(&self, t: f32) -> Vec3 {
        WideArc::from(self).at(f64::from(t)).as_vec3()
    }

    /// The velocity at `t`, computed in f64; infinite where it is beyond the range of f32.
    #[must_use]
    pub fn velocity_at(&self, t: f32) -> Vec3 {
        WideArc::from(self).velocity_at(f64::from(t)).as_vec3()
    }

    /// The ray that the arc is, where nothing accelerates it; so is an empty arc an empty ray.
    pub(crate) fn as_ray(&self) -> Option<Ray> {
        (self.acceleration == Vec3::ZERO)
            .then(|| Ray::from_checked_range(self.origin, self.velocity, (self.t_min, self.t_max)))
    }
}

/// An arc in f64.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WideArc {
    pub(crate) origin: DVec3,
    pub(crate) velocity: DVec3,
    /// Half of the acceleration.
    pub(crate) half: DVec3,
    pub(crate) t_min: f64,
    pub(crate) t_max: f64,
}

impl From<&BallisticArc> for WideArc {
    fn from(arc: &BallisticArc) -> Self {
        Self {
            origin: arc.origin.as_dvec3(),
            velocity: arc.velocity.as_dvec3(),
            half: arc.acceleration.as_dvec3() * 0.5,
            t_min: f64::from(arc.t_min),
            // t is answered as f32: what lies beyond its range is beyond the arc.
            t_max: f64::from(arc.t_max.min(f32::MAX)),
        }
    }
}

impl WideArc {
    #[inline]
    pub(crate) fn at(&self, t: f64) -> DVec3 {
        self.origin + (self.velocity + self.half * t) * t
    }

    #[inline]
    pub(crate) fn velocity_at(&self, t: f64) -> DVec3 {
        self.velocity + self.half * (2.0 * t)
    }

    /// The coefficients of a coordinate from `place` on.
    pub(crate) fn coefficients_from<N: Number>(&self, place: DVec3, axis: usize) -> [N; 3] {
        [
            N::difference(self.origin[axis], place[axis]),
            N::from_f64(self.velocity[axis]),
            N::from_f64(self.half[axis]),
        ]
    }

    /// The way from a place to where the arc is at its least time.
    pub(crate) fn start_from<N: Number>(&self, place: DVec3) -> [N; 3] {
        let t = N::from_f64(self.t_min);
        [0, 1, 2].map(|axis| {
            let [constant, linear, square] = self.coefficients_from::<N>(place, axis);
            square.times(&t).plus(&linear).times(&t).plus(&constant)
        })
    }

    /// The hit on a surface at the parameter whose nearest f32 is `t`.
    pub(crate) fn hit(&self, (t, t_wide): (f32, f64), (normal, side): (Vec3, Side)) -> RayHit {
        let limit = DVec3::splat(MAX_HIT_COORDINATE);
        let way = (self.velocity + self.half * t_wide) * t_wide;
        // Divided by the largest component, so that no square leaves the range of f64.
        let scale = way.abs().max_element();
        let length = if scale > 0.0 {
            let scaled = way / scale;
            scale * scaled.dot(scaled).sqrt()
        } else {
            0.0
        };
        let distance = if t < 0.0 { -length } else { length };
        RayHit {
            t,
            distance: nearest_f32(distance.clamp(-MAX_HIT_COORDINATE, MAX_HIT_COORDINATE)),
            point: (self.origin + way).clamp(-limit, limit).as_vec3(),
            normal,
            side,
            object: None,
            user_data: 0,
            triangle: None,
            barycentrics: [0.0; 2],
        }
    }

    /// The hit on a triangle.
    pub(crate) fn hit_on(
        &self,
        t: (f32, f64),
        surface: (Vec3, Side),
        (triangle, weights): (TriangleId, [f64; 2]),
    ) -> RayHit {
        RayHit {
            triangle: Some(triangle),
            barycentrics: weights.map(nearest_f32),
            ..self.hit(t, surface)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_arcs_are_refused_when_made() {
        let zero = [0.0; 3];
        assert!(matches!(
            BallisticArc::new(zero, [f32::NAN, 0.0, 0.0], zero),
            Err(Error::NotFinite { .. })
        ));
        assert!(matches!(
            BallisticArc::new(zero, [-0.0; 3], zero),
            Err(Error::ZeroVector { .. })
        ));
        let drop = BallisticArc::new(zero, zero, BallisticArc::GRAVITY).unwrap();
        assert!(matches!(
            drop.with_range(2.0, 1.0),
            Err(Error::Reversed { .. })
        ));
        assert!(drop.with_range(f32::INFINITY, f32::INFINITY).is_err());
        assert!(drop.with_range(1.0, f32::NAN).is_err());
        assert_eq!(drop.with_range(-0.0, 1.0).unwrap().t_min().to_bits(), 0);
    }

    #[test]
    fn points_and_velocities_follow_the_formula() {
        let arc = BallisticArc::new([1.0, 2.0, 3.0], [4.0, 0.0, -1.0], [0.0, -2.0, 0.5]).unwrap();
        assert_eq!(arc.at(2.0), Vec3::new(9.0, -2.0, 2.0));
        assert_eq!(arc.velocity_at(2.0), Vec3::new(4.0, -4.0, 0.0));
    }
}
