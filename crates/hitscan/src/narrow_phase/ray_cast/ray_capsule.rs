//! A ray against a capsule: what counts as a hit, and where.
//!
//! Whether the ray's line intersects the capsule, and how its roots compare with any t, is decided
//! exactly by `line_capsule.rs`; roots are rounded by its comparisons. So no hit is lost or
//! invented between a cap and the side.

use super::hit::Side;
use super::line_capsule::CapsuleLine;
use super::ray::LocalRay;
use super::solid_hits::{SolidHit, SolidHits};
use crate::exact::expansion::nearest_f32;
use crate::exact::rounding::nearest_f32_by;
use crate::shape::unit_vector::unit;
use crate::{Capsule, Ray, RayCastSettings, RayHit};
use core::cmp::Ordering;
use glam::{DVec3, Vec3};

impl Capsule {
    /// The nearest hit of `ray`.
    ///
    /// The capsule is solid: a ray that starts strictly inside hits at `t_min` with [`Side::Inside`],
    /// which only [`Sides::Both`](crate::Sides::Both) with [`RayStart::Solid`](crate::RayStart::Solid)
    /// admits; with [`Sides::Back`](crate::Sides::Back) or [`RayStart::Hollow`](crate::RayStart::Hollow)
    /// the answer is where the ray leaves. A ray that starts on the surface hits there. One that slides
    /// along the side touches it from where it comes to it.
    ///
    /// # Accuracy
    /// All decisions are exact, and `t` is the exact root rounded once, as long as no component of
    /// the direction but zero is 2^100 times smaller than the largest.
    ///
    /// # Source
    /// Distances of points from lines and of lines from one another, as in Ericson, "Real-Time
    /// Collision Detection", 2005, section 5.1; compared with the radius by their squares here,
    /// without quotients and roots.
    #[must_use]
    #[inline]
    pub fn cast_ray(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> Option<RayHit> {
        Some(self.nearest(ray, settings.into())?.into_hit(ray))
    }

    /// How the ray passes through the capsule, or `None` where it misses.
    pub(crate) fn solid_hits(&self, ray: &Ray) -> Option<SolidHits> {
        self.hits(ray, None)
    }

    /// The first hit that counts.
    pub(crate) fn nearest(&self, ray: &Ray, settings: RayCastSettings) -> Option<SolidHit> {
        self.hits(ray, Some(settings))?.nearest(settings)
    }

    /// The hits, with settings those that may be the first that counts: there is no exit behind an entry
    /// that counts.
    fn hits(&self, ray: &Ray, settings: Option<RayCastSettings>) -> Option<SolidHits> {
        let ray = LocalRay::from(ray);
        let line = CapsuleLine::new(self, &ray);
        let depth = line.depth();
        if ray.is_empty() || depth.is_lt() {
            return None;
        }
        let guesses = line.guess_roots();
        let entry = |t: f64| line.compare_entry(t);
        let exit = |t: f64| line.compare_exit(t);
        let (t_min, t_max) = (ray.t_min, ray.t_max);
        let starts_after_entry = entry(t_min).is_lt();
        let is_out_of_range = match starts_after_entry {
            true => exit(t_min).is_lt(),
            false => entry(t_max).is_gt(),
        };
        if is_out_of_range {
            return None;
        }
        let surface = |side: Side| {
            let (guess, compare): (f64, &dyn Fn(f64) -> Ordering) = match side {
                Side::Back => (guesses[1], &exit),
                _ => (guesses[0], &entry),
            };
            let t = nearest_f32_by(guess, compare);
            // The guess is good to f64 unless it disagrees.
            let is_good = nearest_f32(guess).to_bits() == t.to_bits();
            let t_wide = if is_good { guess } else { f64::from(t) };
            let t_wide = t_wide.clamp(t_min, t_max);
            SolidHit {
                t: (t, t_wide),
                normal: self.normal_at(ray.at(t_wide), ray.direction, side),
                side,
                face: None,
            }
        };
        if depth.is_eq() {
            // The surface is only touched, at one point or along the side.
            let first = if starts_after_entry {
                SolidHit {
                    t: (nearest_f32(t_min), t_min),
                    normal: self.normal_at(ray.at(t_min), ray.direction, Side::Back),
                    side: Side::Back,
                    face: None,
                }
            } else {
                SolidHit {
                    side: Side::Back,
                    ..surface(Side::Front)
                }
            };
            return Some(SolidHits::Touch(first));
        }
        let entry = if !starts_after_entry {
            Some(surface(Side::Front))
        } else if exit(t_min).is_gt() {
            Some(SolidHit {
                t: (nearest_f32(t_min), t_min),
                normal: Vec3::ZERO,
                side: Side::Inside,
                face: None,
            })
        } else {
            None
        };
        let is_decided = settings
            .zip(entry)
            .is_some_and(|(of, hit)| of.admits(hit.side));
        let exit = (!is_decided && exit(t_max).is_le()).then(|| surface(Side::Back));
        (entry.is_some() || exit.is_some()).then_some(SolidHits::Through { entry, exit })
    }

    /// The unit normal at a point of the surface. Where the capsule is so small beside its distance
    /// that in f64 the point is on the segment, it is that of a ray through the middle.
    fn normal_at(&self, point: DVec3, direction: DVec3, side: Side) -> Vec3 {
        let [a, b] = self.segment();
        let (edge, from_a) = (b - a, point - a);
        let squared = edge.dot(edge);
        let fraction = if squared > 0.0 {
            (from_a.dot(edge) / squared).clamp(0.0, 1.0)
        } else {
            0.0
        };
        // From the nearer end, so that a point beyond it sees the end's sphere exactly.
        let outward = if fraction < 0.5 {
            from_a - edge * fraction
        } else {
            (point - b) + edge * (1.0 - fraction)
        };
        let is_resolved = outward.length() > 0.5 * self.radius();
        match side {
            _ if is_resolved => unit(outward),
            Side::Front => unit(-direction),
            Side::Back | Side::Inside => unit(direction),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The capsule from x = 0 to 4 with a radius of 1.
    fn overlaps(origin: [f32; 3], direction: [f32; 3]) -> Vec<(f32, [f32; 3], Side)> {
        let capsule = Capsule::new([0.0; 3], [4.0, 0.0, 0.0], 1.0).unwrap();
        let ray = Ray::new(origin, direction).unwrap();
        let all = capsule
            .solid_hits(&ray)
            .into_iter()
            .flat_map(SolidHits::all);
        all.map(|hit| (hit.t.0, hit.normal.to_array(), hit.side))
            .collect()
    }

    #[test]
    fn caps_side_and_starts() {
        let (x, y) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
        let (minus_x, minus_y) = ([-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]);
        let (front, back, inside) = (Side::Front, Side::Back, Side::Inside);
        for (origin, direction, expected) in [
            (
                [2.0, 3.0, 0.0],
                minus_y,
                vec![(2.0, y, front), (4.0, minus_y, back)],
            ),
            (
                [-3.0, 0.0, 0.0],
                x,
                vec![(2.0, minus_x, front), (8.0, x, back)],
            ),
            (
                [9.0, 0.0, 0.0],
                [-2.0, 0.0, 0.0],
                vec![(2.0, x, front), (5.0, minus_x, back)],
            ),
            (
                [2.0, 0.0, 0.0],
                y,
                vec![(0.0, [0.0; 3], inside), (1.0, y, back)],
            ),
            (
                [2.0, 1.0, 0.0],
                minus_y,
                vec![(0.0, y, front), (2.0, minus_y, back)],
            ),
            ([2.0, 1.0, 0.0], y, vec![(0.0, y, back)]),
            // Touches: across the side, at a cap, along the side, and along it from its middle.
            (
                [2.0, 1.0, -3.0],
                [0.0, 0.0, 1.0],
                vec![(3.0, y, front), (3.0, y, back)],
            ),
            (
                [-1.0, 0.0, -3.0],
                [0.0, 0.0, 3.0],
                vec![(1.0, minus_x, front), (1.0, minus_x, back)],
            ),
            ([-3.0, 1.0, 0.0], x, vec![(3.0, y, front), (3.0, y, back)]),
            (
                [9.0, 1.0, 0.0],
                minus_x,
                vec![(5.0, y, front), (5.0, y, back)],
            ),
            ([1.0, 1.0, 0.0], x, vec![(0.0, y, front), (0.0, y, back)]),
            ([5.0, 1.0, 0.0], x, vec![]),
            ([2.0, 1.0000001, -3.0], [0.0, 0.0, 1.0], vec![]),
            ([2.0, 3.0, 0.0], y, vec![]),
        ] {
            assert_eq!(
                overlaps(origin, direction),
                expected,
                "{origin:?} {direction:?}"
            );
        }
    }

    #[test]
    fn a_capsule_without_length_is_a_sphere() {
        let capsule = Capsule::new([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], 1.5).unwrap();
        let sphere = crate::Sphere::new([1.0, 2.0, 3.0], 1.5).unwrap();
        for direction in [
            [1.0, 2.0, 3.0],
            [1.0, 2.0, 2.0],
            [2.0, 2.0, 3.0],
            [0.0, 1.0, 0.0],
        ] {
            let ray = Ray::new([0.0; 3], direction).unwrap();
            assert_eq!(
                capsule.cast_ray(&ray, ()),
                sphere.cast_ray(&ray, ()),
                "{direction:?}"
            );
        }
    }
}
