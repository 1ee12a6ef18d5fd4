//! A ray against a solid axis-aligned box, decided exactly by the slab method (`slabs.rs`).

use super::hit::{RayCastSettings, RayHit, Side};
use super::ray::LocalRay;
use super::slabs::{self, CrossingTime, Face, Slab};
use super::solid_hits::{SolidHit, SolidHits};
use crate::exact::expansion::{UNIT_ROUNDOFF, nearest_f32};
use crate::exact::ratio::Ratio;
use crate::{Aabb, Ray};
use core::cmp::Ordering;
use glam::Vec3;

/// Relative difference of two times that is certain in f64: each is a rounded difference over a rounded
/// number, off by less than 4 units of roundoff, and comparing takes as many itself.
const CERTAIN: f64 = 8.0 * UNIT_ROUNDOFF;

/// A ray and a box in f64.
enum Estimate {
    Miss,
    /// It enters from outside, through one face.
    Entry(SolidHit),
    Unknown,
}

impl Aabb {
    /// The nearest hit of `ray`.
    ///
    /// The box is solid and closed: a ray that starts strictly inside hits at `t_min` with
    /// [`Side::Inside`], which only [`Sides::Both`](crate::Sides::Both) with
    /// [`RayStart::Solid`](crate::RayStart::Solid) admits; with [`Sides::Back`](crate::Sides::Back) or
    /// [`RayStart::Hollow`](crate::RayStart::Hollow) the answer is where the ray leaves. A ray that
    /// starts on the boundary hits there, with the normal of the first of the faces x, y, z that it
    /// starts on. All decisions are exact.
    #[must_use]
    #[inline]
    pub fn cast_ray(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> Option<RayHit> {
        self.nearest_hit(ray, settings.into())
    }

    fn nearest_hit(&self, ray: &Ray, settings: RayCastSettings) -> Option<RayHit> {
        let hit = self.nearest(ray, &LocalRay::from(ray), settings)?;
        Some(hit.into_hit(ray))
    }

    /// What `solid_hits(ray)?.nearest(settings)` answers; `wide` is the ray in f64.
    ///
    /// Most rays that come near a box miss it or enter it through one face: that is decided first, in f64
    /// with a bound.
    #[inline]
    pub(crate) fn nearest(
        &self,
        ray: &Ray,
        wide: &LocalRay,
        settings: RayCastSettings,
    ) -> Option<SolidHit> {
        match self.estimate(wide) {
            Estimate::Miss => None,
            Estimate::Entry(hit) if settings.admits(Side::Front) => Some(hit),
            _ => self.solid_hits(ray)?.nearest(settings),
        }
    }

    /// Answers where f64 is certain.
    #[inline]
    fn estimate(&self, ray: &LocalRay) -> Estimate {
        let (mut entry, mut second, mut exit) =
            (f64::NEG_INFINITY, f64::NEG_INFINITY, f64::INFINITY);
        let mut entry_axis = 0;
        for axis in 0..3 {
            let (low, high) = (f64::from(self.min()[axis]), f64::from(self.max()[axis]));
            let (origin, direction) = (ray.origin[axis], ray.direction[axis]);
            let (below, above) = ((low - origin) / direction, (high - origin) / direction);
            // A ray that is still on an axis divides by 0, which the end decides.
            let (enter, leave) = if direction > 0.0 {
                (below, above)
            } else {
                (above, below)
            };
            second = second.max(enter.min(entry));
            if enter > entry {
                (entry, entry_axis) = (enter, axis);
            }
            exit = exit.min(leave);
        }
        let is_sound =
            entry.is_finite() && exit.is_finite() && !ray.direction.to_array().contains(&0.0);
        // Of infinite times nothing is certain, which keeps a ray without an end from ending.
        let is_less = |a: f64, b: f64| b - a > CERTAIN * (a.abs() + b.abs());
        if !is_sound {
            return Estimate::Unknown;
        }
        if is_less(exit, entry) || is_less(exit, ray.t_min) || is_less(ray.t_max, entry) {
            return Estimate::Miss;
        }
        let off = CERTAIN * entry.abs();
        let (t, high) = (nearest_f32(entry - off), nearest_f32(entry + off));
        let is_entry = is_less(entry, exit)
            && is_less(ray.t_min, entry)
            && is_less(entry, ray.t_max.min(f64::MAX))
            && is_less(second, entry);
        if !is_entry || t != high {
            return Estimate::Unknown;
        }
        let face = if ray.direction[entry_axis] > 0.0 {
            Face::Lower
        } else {
            Face::Upper
        };
        Estimate::Entry(SolidHit {
            t: (t, entry),
            normal: axis_normal(entry_axis, face),
            side: Side::Front,
            face: None,
        })
    }

    /// How the ray passes through the box, or `None` where it misses.
    pub(crate) fn solid_hits(&self, ray: &Ray) -> Option<SolidHits> {
        let ray = LocalRay::from(ray);
        let slabs = [0, 1, 2].map(|axis| slab(self, &ray, axis));
        slabs::solid_hits(&slabs, &ray, axis_normal)
    }
}

fn slab(aabb: &Aabb, ray: &LocalRay, axis: usize) -> Slab<Ratio> {
    let (low, high) = (f64::from(aabb.min()[axis]), f64::from(aabb.max()[axis]));
    let (origin, direction) = (ray.origin[axis], ray.direction[axis]);
    if direction == 0.0 {
        let face = if origin == low {
            Some(Face::Lower)
        } else if origin == high {
            Some(Face::Upper)
        } else {
            None
        };
        return Slab::Parallel {
            is_outside: origin < low || origin > high,
            face,
        };
    }
    let is_upward = direction > 0.0;
    let (near, far) = if is_upward { (low, high) } else { (high, low) };
    let at = |bound| Ratio::new(bound, origin, direction);
    Slab::Moving {
        enter: at(near),
        leave: at(far),
        is_upward,
    }
}

impl CrossingTime for Ratio {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn compare(self, other: Self) -> Ordering {
        Ratio::compare(self, other)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn compare_f64(self, limit: f64) -> Ordering {
        Ratio::compare_f64(self, limit)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn nearest_f32(self) -> f32 {
        Ratio::nearest_f32(self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn to_f64(self) -> f64 {
        Ratio::to_f64(self)
    }
}

/// The outward normal of a face.
fn axis_normal(axis: usize, face: Face) -> Vec3 {
    let mut normal = Vec3::ZERO;
    normal[axis] = match face {
        Face::Lower => -1.0,
        Face::Upper => 1.0,
    };
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cast(origin: [f32; 3], direction: [f32; 3]) -> Option<(f32, [f32; 3], Side)> {
        let cube = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
        let ray = Ray::new(origin, direction).unwrap();
        cube.cast_ray(&ray, ())
            .map(|hit| (hit.t, hit.normal.to_array(), hit.side))
    }

    #[test]
    fn faces_edges_and_starts() {
        let (x, y, up) = ([-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 1.0, 0.0]);
        for (origin, direction, expected) in [
            // Through a face, and from above.
            (
                [-2.0, 0.5, 0.5],
                [2.0, 0.0, 0.0],
                Some((1.0, x, Side::Front)),
            ),
            (
                [0.5, 3.0, 0.5],
                [0.0, -1.0, 0.0],
                Some((2.0, up, Side::Front)),
            ),
            // At an edge x is hit together with y, and x comes first.
            (
                [-1.0, -1.0, 0.5],
                [1.0, 1.0, 0.0],
                Some((1.0, x, Side::Front)),
            ),
            // Sliding in a face touches it; one place beside it misses.
            (
                [-1.0, 1.0, 0.5],
                [1.0, 0.0, 0.0],
                Some((1.0, x, Side::Front)),
            ),
            ([-1.0, 1.0000001, 0.5], [1.0, 0.0, 0.0], None),
            // Only the edge is touched.
            ([-1.0, 0.0, 0.5], [1.0, -1.0, 0.0], None),
            (
                [-1.0, 1.0, 0.5],
                [1.0, -1.0, 0.0],
                Some((1.0, x, Side::Front)),
            ),
            // Starts.
            (
                [0.5; 3],
                [0.0, 0.0, 1.0],
                Some((0.0, [0.0; 3], Side::Inside)),
            ),
            (
                [0.0, 0.5, 0.5],
                [1.0, 0.0, 0.0],
                Some((0.0, x, Side::Front)),
            ),
            (
                [0.0, 0.5, 0.5],
                [-1.0, 0.0, 0.0],
                Some((0.0, x, Side::Back)),
            ),
            ([0.5, 0.0, 0.5], [1.0, 0.0, 0.0], Some((0.0, y, Side::Back))),
            (
                [0.0, 0.0, 0.5],
                [1.0, 1.0, 0.0],
                Some((0.0, x, Side::Front)),
            ),
            // Behind.
            ([2.0, 0.5, 0.5], [1.0, 0.0, 0.0], None),
        ] {
            assert_eq!(
                cast(origin, direction),
                expected,
                "{origin:?} {direction:?}"
            );
        }
    }

    #[test]
    fn a_flat_box_is_entered_and_left_at_once() {
        let sheet = Aabb::new([0.0, 1.0, 0.0], [1.0, 1.0, 1.0]).unwrap();
        let ray = Ray::new([0.5, 3.0, 0.5], [0.0, -1.0, 0.0]).unwrap();
        let hits: Vec<_> = sheet
            .solid_hits(&ray)
            .unwrap()
            .all()
            .map(|hit| (hit.t.0, hit.side))
            .collect();
        assert_eq!(hits, [(2.0, Side::Front), (2.0, Side::Back)]);
    }
}
