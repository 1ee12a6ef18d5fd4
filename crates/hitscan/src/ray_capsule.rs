//! A ray against a capsule.
//!
//! The distance of the ray's point from the segment is a convex function of t, made of three
//! pieces: nearest to one end, to the line between, to the other end. Whether its least value
//! reaches the radius, and how it stands at any given t, is told exactly; roots are guessed in f64
//! and rounded by what those tell. So no hit is lost or invented between a cap and the side.

use crate::exact::{Expansion, nearest_f32};
use crate::hit::{Side, unit};
use crate::number::{Approx, Number, between, cross, decided, dot, vector};
use crate::ray::LocalRay;
use crate::rounding::nearest_f32_by;
use crate::solid::{Passage, SolidHit};
use crate::sphere::power_of_two_near;
use crate::{Capsule, Hit, Ray, Sides};
use core::cmp::Ordering::{self, Equal, Greater, Less};
use glam::{DVec3, Vec3};

impl Capsule {
    /// The nearest hit of `ray` from one of `sides`.
    ///
    /// The capsule is solid: a ray that starts strictly inside hits at `t_min` with
    /// [`Side::Inside`], which only [`Sides::Both`] admits; with [`Sides::Back`] the answer is
    /// where the ray leaves. A ray that starts on the surface hits there. One that slides along
    /// the side touches it from where it comes to it.
    ///
    /// # Accuracy
    /// All decisions are exact, and `t` is the exact root rounded once, as long as no component of
    /// the direction but zero is 2^100 times smaller than the greatest.
    ///
    /// # Source
    /// Distances of points from lines and of lines from one another, as in Ericson, "Real-Time
    /// Collision Detection", 2005, section 5.1; compared with the radius by their squares here,
    /// without quotients and roots.
    #[must_use]
    pub fn cast_ray(&self, ray: &Ray, sides: Sides) -> Option<Hit> {
        Some(self.passage(ray)?.nearest(sides)?.into_hit(ray))
    }

    /// How the ray passes through the capsule, or `None` where it misses.
    pub(crate) fn passage(&self, ray: &Ray) -> Option<Passage> {
        let ray = LocalRay::from(ray);
        let line = Line::new(self, &ray);
        let depth = decided(line.depth::<Approx>(), || line.depth::<Expansion>());
        if depth.is_lt() {
            return None;
        }
        let guesses = line.guess_roots();
        let entry = |t: f64| line.compare_entry(t);
        let exit = |t: f64| line.compare_exit(t);
        let (t_min, t_max) = (ray.t_min, ray.t_max);
        if exit(t_min).is_lt() || entry(t_max).is_gt() {
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
            }
        };
        let starts_after_entry = entry(t_min).is_lt();
        if depth.is_eq() {
            // The surface is only touched, at one point or along the side.
            let first = if starts_after_entry {
                SolidHit {
                    t: (nearest_f32(t_min), t_min),
                    normal: self.normal_at(ray.at(t_min), ray.direction, Side::Back),
                    side: Side::Back,
                }
            } else {
                SolidHit {
                    side: Side::Back,
                    ..surface(Side::Front)
                }
            };
            return Some(Passage::Touch(first));
        }
        let entry = if !starts_after_entry {
            Some(surface(Side::Front))
        } else if exit(t_min).is_gt() {
            Some(SolidHit {
                t: (nearest_f32(t_min), t_min),
                normal: Vec3::ZERO,
                side: Side::Inside,
            })
        } else {
            None
        };
        let exit = exit(t_max).is_le().then(|| surface(Side::Back));
        (entry.is_some() || exit.is_some()).then_some(Passage::Through { entry, exit })
    }

    /// The unit normal at a point of the surface. Where the capsule is so small beside its distance
    /// that f64 cannot tell the point from the segment, it is that of a ray through the middle.
    fn normal_at(&self, point: DVec3, direction: DVec3, side: Side) -> Vec3 {
        let [a, b] = self.segment();
        let (edge, from_a) = (b - a, point - a);
        let squared = edge.dot(edge);
        let share = if squared > 0.0 {
            (from_a.dot(edge) / squared).clamp(0.0, 1.0)
        } else {
            0.0
        };
        // From the nearer end, so that a point beyond it sees the end's sphere exactly.
        let outward = if share < 0.5 {
            from_a - edge * share
        } else {
            (point - b) + edge * (1.0 - share)
        };
        let is_resolved = outward.length() > 0.5 * self.radius();
        match side {
            _ if is_resolved => unit(outward),
            Side::Front => unit(-direction),
            Side::Back | Side::Inside => unit(direction),
        }
    }
}

/// A line and a capsule.
struct Line<'a> {
    capsule: &'a Capsule,
    origin: DVec3,
    /// The ray's direction over a power of two, so that its greatest component is near 1.
    direction: DVec3,
    scale: f64,
}

/// The nearest part of the segment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    First,
    Between,
    Second,
}

/// How the point at some t stands to the capsule.
struct Standing {
    /// How its distance from the segment compares with the radius.
    distance: Ordering,
    /// Whether the distance shrinks, stays or grows.
    course: Ordering,
}

impl<'a> Line<'a> {
    fn new(capsule: &'a Capsule, ray: &LocalRay) -> Self {
        let scale = power_of_two_near(ray.direction.abs().max_element());
        Self {
            capsule,
            origin: ray.origin,
            direction: ray.direction / scale,
            scale,
        }
    }

    fn edge<N: Number>(&self) -> [N; 3] {
        let [a, b] = self.capsule.segment();
        between(a, b)
    }

    fn squared_radius<N: Number>(&self) -> N {
        let radius = N::from_f64(self.capsule.radius());
        radius.times(&radius)
    }

    /// How deep the line goes, at its deepest: the sign of the squared radius less the least
    /// squared distance. `None` where that is not known.
    fn depth<N: Number>(&self) -> Option<Ordering> {
        let [a, b] = self.capsule.segment();
        let (edge, d): ([N; 3], [N; 3]) = (self.edge(), vector(self.direction));
        let lateral = cross(&d, &edge);
        let limit = self.squared_radius::<N>();
        match self.nearest_part::<N>(&edge, &d)? {
            // Lagrange's identity: the discriminant without its cancellation.
            end @ (Part::First | Part::Second) => {
                let end = if end == Part::First { a } else { b };
                let moment = cross(&between(end, self.origin), &d);
                limit
                    .times(&dot(&d, &d))
                    .minus(&dot(&moment, &moment))
                    .known_sign()
            }
            Part::Between => {
                let apart = dot(&between(a, self.origin), &lateral);
                limit
                    .times(&dot(&lateral, &lateral))
                    .minus(&apart.times(&apart))
                    .known_sign()
            }
        }
    }

    /// The part of the segment from which the line has its least distance.
    fn nearest_part<N: Number>(&self, edge: &[N; 3], d: &[N; 3]) -> Option<Part> {
        let ends = self.capsule.segment();
        let along = dot(d, edge);
        let direction = along.known_sign()?;
        let squared = dot(d, d);
        if direction.is_eq() {
            // The line stays level with one place of the segment.
            let [to_first, to_second] =
                ends.map(|end| dot::<N>(&between(end, self.origin), edge).known_sign());
            return Some(if to_first?.is_le() {
                Part::First
            } else if to_second?.is_ge() {
                Part::Second
            } else {
                Part::Between
            });
        }
        // The distance's slope where the line passes an end's plane, which tells on which side of
        // that plane the least distance lies.
        let slope_at = |end: DVec3| {
            let offset: [N; 3] = between(end, self.origin);
            let slope = dot(&offset, d)
                .times(&along)
                .minus(&dot(&offset, edge).times(&squared));
            let sign = slope.known_sign()?;
            Some(if direction.is_gt() {
                sign
            } else {
                sign.reverse()
            })
        };
        let parts = [Part::First, Part::Second];
        let [(first, early), (second, late)] = if direction.is_gt() {
            [(ends[0], parts[0]), (ends[1], parts[1])]
        } else {
            [(ends[1], parts[1]), (ends[0], parts[0])]
        };
        Some(if slope_at(first)?.is_ge() {
            early
        } else if slope_at(second)?.is_le() {
            late
        } else {
            Part::Between
        })
    }

    fn standing(&self, t: f64) -> Standing {
        decided(self.standing_in::<Approx>(t), || {
            self.standing_in::<Expansion>(t)
        })
    }

    fn standing_in<N: Number>(&self, t: f64) -> Option<Standing> {
        let [a, b] = self.capsule.segment();
        // A power of two scales exactly.
        let t = N::from_f64(t * self.scale);
        let (edge, d): ([N; 3], [N; 3]) = (self.edge(), vector(self.direction));
        let from = |end: DVec3| {
            let offset: [N; 3] = between(end, self.origin);
            [0, 1, 2].map(|i: usize| offset[i].plus(&d[i].times(&t)))
        };
        let (from_a, from_b) = (from(a), from(b));
        let limit = self.squared_radius::<N>();
        let at_end = |offset: &[N; 3]| {
            Some(Standing {
                distance: dot(offset, offset).minus(&limit).known_sign()?,
                course: dot(offset, &d).known_sign()?,
            })
        };
        if dot(&from_a, &edge).known_sign()?.is_le() {
            return at_end(&from_a);
        }
        if dot(&from_b, &edge).known_sign()?.is_ge() {
            return at_end(&from_b);
        }
        let moment = cross(&from_a, &edge);
        let excess = dot(&moment, &moment).minus(&limit.times(&dot(&edge, &edge)));
        Some(Standing {
            distance: excess.known_sign()?,
            course: dot(&moment, &cross(&d, &edge)).known_sign()?,
        })
    }

    /// How the t at which the line comes into the capsule compares with `t`. It must meet it.
    fn compare_entry(&self, t: f64) -> Ordering {
        let standing = self.standing(t);
        match (standing.distance, standing.course) {
            (Greater, Less) => Greater,
            (Equal, Less) => Equal,
            (Equal, Equal) => self.compare_slide(t, Equal).unwrap_or(Equal),
            _ => Less,
        }
    }

    /// How the t at which the line leaves the capsule compares with `t`. It must meet it.
    fn compare_exit(&self, t: f64) -> Ordering {
        let standing = self.standing(t);
        match (standing.distance, standing.course) {
            (Greater, Greater | Equal) => Less,
            (Equal, Greater) => Equal,
            (Equal, Equal) => self.compare_slide(t, Greater).unwrap_or(Equal),
            _ => Greater,
        }
    }

    /// For a line that slides along the side, at a `t` at which it does: how the beginning
    /// (`Equal`) or end (`Greater`) of that compares with `t`. `None` for other lines.
    fn compare_slide(&self, t: f64, end: Ordering) -> Option<Ordering> {
        let (edge, d): ([Expansion; 3], [Expansion; 3]) = (self.edge(), vector(self.direction));
        let is_parallel = cross(&d, &edge).iter().all(|x| x.sign().is_eq());
        let along = dot(&d, &edge).sign();
        if !is_parallel || along.is_eq() {
            return None;
        }
        let [a, b] = self.capsule.segment();
        let is_at_first = along.is_gt() == end.is_eq();
        let corner = if is_at_first { a } else { b };
        let t = Expansion::from_f64(t * self.scale);
        let offset: [Expansion; 3] = between(corner, self.origin);
        let offset = [0, 1, 2].map(|i: usize| offset[i].plus(&d[i].times(&t)));
        // Past the end's plane means that its t is less.
        let passed = dot(&offset, &edge).sign();
        Some(if along.is_gt() {
            passed.reverse()
        } else {
            passed
        })
    }

    /// Where the line enters and leaves the capsule, in f64: the first entry and the last exit of
    /// the ends' spheres and of the side.
    fn guess_roots(&self) -> [f64; 2] {
        let [a, b] = self.capsule.segment();
        let (d, radius) = (self.direction, self.capsule.radius());
        let squared = d.dot(d);
        // From near the capsule little cancels.
        let nearby = ((a + b) * 0.5 - self.origin).dot(d) / squared;
        let (m, edge) = (self.origin + d * nearby - a, b - a);
        let mut roots = [f64::INFINITY, f64::NEG_INFINITY];
        let mut add = |t: f64| {
            roots = [roots[0].min(t), roots[1].max(t)];
        };
        for offset in [m, m - edge] {
            let middle = -offset.dot(d) / squared;
            let nearest = offset + d * middle;
            let half = ((radius * radius - nearest.dot(nearest)).max(0.0) / squared).sqrt();
            let is_met = nearest.dot(nearest) <= radius * radius * (1.0 + 1e-9);
            if is_met {
                add(middle - half);
                add(middle + half);
            }
        }
        let (moment, lateral) = (m.cross(edge), d.cross(edge));
        let (a2, length) = (lateral.dot(lateral), edge.dot(edge));
        if a2 > 0.0 {
            let middle = -moment.dot(lateral) / a2;
            let nearest = moment + lateral * middle;
            let depth = radius * radius * length - nearest.dot(nearest);
            let half = (depth.max(0.0) / a2).sqrt();
            for t in [middle - half, middle + half] {
                let level = (m + d * t).dot(edge);
                if (0.0..=length).contains(&level) {
                    add(t);
                }
            }
        }
        if !roots[0].is_finite() {
            let middle = -m.dot(d) / squared;
            roots = [middle; 2];
        }
        roots.map(|t| (nearby + t) / self.scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The capsule from x = 0 to 4 with a radius of 1.
    fn meetings(origin: [f32; 3], direction: [f32; 3]) -> Vec<(f32, [f32; 3], Side)> {
        let capsule = Capsule::new([0.0; 3], [4.0, 0.0, 0.0], 1.0).unwrap();
        let ray = Ray::new(origin, direction).unwrap();
        let all = capsule.passage(&ray).into_iter().flat_map(Passage::all);
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
                meetings(origin, direction),
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
                capsule.cast_ray(&ray, Sides::Both),
                sphere.cast_ray(&ray, Sides::Both),
                "{direction:?}"
            );
        }
    }
}
