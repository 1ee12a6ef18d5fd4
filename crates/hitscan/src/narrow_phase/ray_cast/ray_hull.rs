//! A ray against a convex hull: clipped by the planes of its faces, decided exactly.
//!
//! Source: Cyrus, Beck, "Generalized Two- and Three-Dimensional Clipping", Computers & Graphics 3, 1978; here
//! entries and exits are compared as unrounded quotients where f64 with a bound does not decide. Planes that are
//! certainly crossed before the entry, or after the exit, are passed over in lanes (`shape/polytope/face_lanes.rs`).

use super::hit::{RayCastSettings, RayHit, Side};
use super::plane_time::PlaneTime;
use super::ray::LocalRay;
use super::slabs::{CrossingTime, passage};
use super::solid_hits::{FaceNumber, SolidHit, SolidHits};
use crate::exact::adaptive::{Approx, Formula, Number, between, cross, decided, dot, sign, vector};
use crate::exact::expansion::{Expansion, nearest_f32};
use crate::shape::polytope::{Face, FaceLine, FewFaces, Polytope, height_along};
use crate::shape::unit_vector::unit;
use crate::{ConvexHull, Ray};
use core::cmp::Ordering;
use glam::{DVec3, Vec3};

impl ConvexHull {
    /// The nearest hit of `ray`.
    ///
    /// The hull is solid and closed, as an [`Aabb`](crate::Aabb) is; [`RayHit::triangle`] has the number of its
    /// face, of several that are entered at once the lowest. A flat hull is hit as a triangle is, from either
    /// side with [`Side::Front`], by the face that the ray hits; a ray in its plane misses it, and any ray a
    /// segment or a point. A rounded hull is a solid without faces.
    ///
    /// # Accuracy
    /// All decisions are exact and `t` is the exact one rounded once. The point at t on a rounded hull lies within
    /// 2^-40 of the largest coordinate of its surface, plus what half an ulp of t moves it.
    #[must_use]
    #[inline]
    pub fn cast_ray(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> Option<RayHit> {
        Some(self.nearest(ray, settings.into())?.into_hit(ray))
    }

    /// How the ray passes through the hull, or `None` where it misses.
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
        if self.radius() > 0.0 {
            return self.rounded_hits(&ray);
        }
        let line = Line {
            polytope: self.polytope(),
            ray: &ray,
        };
        if self.polytope().is_flat() {
            line.flat_hit()
        } else {
            line.solid_hits(settings)
        }
    }
}

/// A ray and a polytope.
struct Line<'a> {
    polytope: &'a Polytope,
    ray: &'a LocalRay,
}

/// When a ray crosses the plane of a face.
#[derive(Clone, Copy)]
struct FaceTime<'a> {
    line: &'a Line<'a>,
    face: usize,
    quotient: Option<Approx>,
}

/// How a ray passes a plane.
enum Passing<'a> {
    Entering(FaceTime<'a>),
    Leaving(FaceTime<'a>),
    /// Along it, on this side of it: `Greater` behind.
    Along(Ordering),
}

/// Which faces decide whether and where a ray hits.
enum Crossed<'a> {
    /// The one that is entered last and the one that is left first.
    Ends([FaceTime<'a>; 2]),
    /// Of these one may be entered last, or left first, or the ray may run beside; in ascending order.
    Faces(FewFaces),
}

impl Line<'_> {
    /// How far behind a face the ray starts, and how fast it goes outward, in the scale of the face's normal.
    fn numbers<N: Number>(&self, face: usize) -> [N; 2] {
        let normal: [N; 3] = self.polytope.normal(face);
        let from = self.polytope.face_base(face);
        [
            dot(&normal, &between(self.ray.origin, from)),
            dot(&normal, &vector(self.ray.direction)),
        ]
    }

    /// The same in f64: a rounded difference, products with a rounded normal and their sum.
    #[inline]
    fn approx_numbers(&self, face: usize) -> [Approx; 2] {
        let Face { normal, error, .. } = self.polytope.faces()[face];
        let way = self.polytope.face_base(face) - self.ray.origin;
        [way, self.ray.direction].map(|way| height_along(normal, error, way))
    }

    #[inline]
    fn passing(&self, face: usize) -> Passing<'_> {
        let [height, speed] = self.approx_numbers(face);
        let exact = |number: usize| Some(self.numbers::<Expansion>(face)[number].sign());
        let time = FaceTime {
            line: self,
            face,
            quotient: height.over(speed),
        };
        match decided(speed.sign(), || exact(1)) {
            Ordering::Less => Passing::Entering(time),
            Ordering::Greater => Passing::Leaving(time),
            Ordering::Equal => Passing::Along(decided(height.sign(), || exact(0))),
        }
    }

    fn solid_hits(&self, settings: Option<RayCastSettings>) -> Option<SolidHits> {
        match self.crossed()? {
            Crossed::Ends(ends) => self.hits_between(ends, settings),
            Crossed::Faces(faces) => self.hits_by(faces, settings),
        }
    }

    /// The hits by some faces, in ascending order.
    fn hits_by(&self, faces: FewFaces, settings: Option<RayCastSettings>) -> Option<SolidHits> {
        let (mut entry, mut exit): (Option<FaceTime<'_>>, Option<FaceTime<'_>>) = (None, None);
        // Of equal entries and exits the lowest face is kept.
        for face in faces {
            match self.passing(usize::from(face)) {
                Passing::Entering(time) => {
                    if entry.is_none_or(|best| time.compare(best).is_gt()) {
                        entry = Some(time);
                    }
                }
                Passing::Leaving(time) => {
                    if exit.is_none_or(|best| time.compare(best).is_lt()) {
                        exit = Some(time);
                    }
                }
                Passing::Along(Ordering::Less) => return None,
                Passing::Along(_) => {}
            }
        }
        self.hits_between([entry?, exit?], settings)
    }

    /// The hits by the face that is entered last and the one that is left first.
    fn hits_between(
        &self,
        [entry, exit]: [FaceTime<'_>; 2],
        settings: Option<RayCastSettings>,
    ) -> Option<SolidHits> {
        passage(
            [entry, exit],
            self.ray,
            |side| settings.is_some_and(|settings| settings.admits(side)),
            || self.start(),
            |is_entry| {
                let (time, side) = if is_entry {
                    (entry, Side::Front)
                } else {
                    (exit, Side::Back)
                };
                self.hit(time.face, (time.nearest_f32(), time.to_f64()), side)
            },
        )
    }

    /// The faces that may decide; `None` where the ray certainly misses.
    fn crossed(&self) -> Option<Crossed<'_>> {
        let lanes = self.polytope.face_lanes();
        let all = || Crossed::Faces((0..).take(self.polytope.faces().len()).collect());
        let line = self.face_line();
        let Some([entry, exit]) = lanes.passage(&line) else {
            return Some(all());
        };
        let passing = [entry, exit].map(|face| self.passing(usize::from(face)));
        let [Passing::Entering(entry), Passing::Leaving(exit)] = passing else {
            return Some(all());
        };
        // No entry that matters is before the one, no exit after the other.
        let (low, high) = (entry.enclosure()[0], exit.enclosure()[1]);
        if low > high || low > self.ray.t_max || high < self.ray.t_min {
            return None;
        }
        // The two are among them: neither is left behind at its own time.
        let faces = lanes.crossed(&line, [low, high]);
        Some(match faces.len() {
            2 => Crossed::Ends([entry, exit]),
            _ => Crossed::Faces(faces),
        })
    }

    fn face_line(&self) -> FaceLine {
        FaceLine {
            origin: self.ray.origin,
            direction: self.ray.direction,
        }
    }

    /// The hit of a ray that starts in the closed hull.
    fn start(&self) -> SolidHit {
        let t = (nearest_f32(self.ray.t_min), self.ray.t_min);
        let is_then = |time: FaceTime<'_>| time.compare_f64(self.ray.t_min).is_eq();
        let lanes = self.polytope.face_lanes();
        for face in lanes.crossed(&self.face_line(), [self.ray.t_min; 2]) {
            let face = usize::from(face);
            match self.passing(face) {
                Passing::Entering(time) if is_then(time) => return self.hit(face, t, Side::Front),
                Passing::Leaving(time) if is_then(time) => return self.hit(face, t, Side::Back),
                // A ray that slides in the face is neither going in nor out.
                Passing::Along(Ordering::Equal) => return self.hit(face, t, Side::Back),
                _ => {}
            }
        }
        SolidHit {
            t,
            normal: Vec3::ZERO,
            side: Side::Inside,
            face: None,
        }
    }

    /// The hit of a flat hull, as that of a triangle.
    fn flat_hit(&self) -> Option<SolidHits> {
        if self.polytope.faces().is_empty() {
            return None;
        }
        let (face, time) = match self.passing(0) {
            Passing::Entering(time) => (0, time),
            Passing::Leaving(time) => (1, time),
            Passing::Along(_) => return None,
        };
        let is_in_range =
            time.compare_f64(self.ray.t_min).is_ge() && time.compare_f64(self.ray.t_max).is_le();
        if !is_in_range {
            return None;
        }
        let mut sides = [false; 2];
        for side in self.polytope.ring_sides(0) {
            let turn = sign(&Turn {
                ray: self.ray,
                side,
            });
            sides = [sides[0] || turn.is_lt(), sides[1] || turn.is_gt()];
        }
        let t = (time.nearest_f32(), time.to_f64());
        (sides != [true; 2]).then(|| SolidHits::Through {
            entry: Some(self.hit(face, t, Side::Front)),
            exit: None,
        })
    }

    fn hit(&self, face: usize, t: (f32, f64), side: Side) -> SolidHit {
        let Face { normal, own, .. } = self.polytope.faces()[face];
        SolidHit {
            t,
            normal: unit(normal),
            side,
            face: Some(FaceNumber::new(own)),
        }
    }
}

impl FaceTime<'_> {
    /// The exact time lies in it.
    fn enclosure(&self) -> [f64; 2] {
        match self.quotient {
            Some(time) => [
                (time.value - time.error).next_down(),
                (time.value + time.error).next_up(),
            ],
            None => [f64::NEG_INFINITY, f64::INFINITY],
        }
    }
}

/// On which side of a directed edge the ray's line passes.
struct Turn<'a> {
    ray: &'a LocalRay,
    side: [DVec3; 2],
}

impl Formula for Turn<'_> {
    fn value<N: Number>(&self) -> N {
        let [p, q] = self.side.map(|end| between(self.ray.origin, end));
        dot(&vector(self.ray.direction), &cross::<N>(&p, &q))
    }
}

impl PlaneTime for FaceTime<'_> {
    fn is_same(self, other: Self) -> bool {
        self.face == other.face
    }

    fn quotient(self) -> Option<Approx> {
        self.quotient
    }

    fn tighter(self) -> Option<Approx> {
        let [height, speed] = self.line.numbers::<Approx>(self.face);
        height.over(speed)
    }

    fn exact(self) -> (Expansion, Expansion) {
        let [height, speed] = self.line.numbers::<Expansion>(self.face);
        (height, speed)
    }
}

#[cfg(test)]
mod tests;
