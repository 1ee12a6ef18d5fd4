//! A ray against an oriented box: the slab method in the box's own slanting slabs, decided exactly.
//!
//! A face lies where the product of its normal (the cross product of two half edges) and the way
//! from the box's middle is the same as for the third half edge.

use super::hit::{RayCastSettings, RayHit};
use super::plane_time::PlaneTime;
use super::ray::LocalRay;
use super::slabs::{self, Face, Slab};
use super::solid_hits::{SolidHits, nearest_hit};
use crate::exact::adaptive::{Approx, Number, between, decided, dot, vector};
use crate::exact::expansion::{Expansion, UNIT_ROUNDOFF};
use crate::shape::obb::face_normal;
use crate::{Obb, Ray};
use glam::DVec3;

impl Obb {
    /// The nearest hit of `ray`.
    ///
    /// The box is solid and closed: a ray that starts strictly inside hits at `t_min` with
    /// [`Side::Inside`](crate::Side::Inside), which only [`Sides::Both`](crate::Sides::Both) admits; with
    /// [`Sides::Back`](crate::Sides::Back) the answer is where the ray leaves. At an edge or corner, and
    /// for a ray that starts on the boundary, the normal is that of the first of the box's own axes x, y,
    /// z whose face is there.
    ///
    /// # Accuracy
    /// All decisions are exact and `t` is the exact one rounded once, on the shape that [`Obb`]
    /// describes.
    #[must_use]
    #[inline]
    pub fn cast_ray(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> Option<RayHit> {
        nearest_hit(self.solid_hits(ray), ray, settings.into())
    }

    /// How the ray passes through the box, or `None` where it misses.
    pub(crate) fn solid_hits(&self, ray: &Ray) -> Option<SolidHits> {
        let ray = LocalRay::from(ray);
        let line = Line::new(self, &ray);
        let mut slabs = [Slab::Parallel {
            is_outside: false,
            face: None,
        }; 3];
        for (axis, slab) in slabs.iter_mut().enumerate() {
            *slab = line.slab(axis);
            if let Slab::Parallel {
                is_outside: true, ..
            } = slab
            {
                return None;
            }
        }
        slabs::solid_hits(&slabs, &ray, |axis, face| {
            self.normal(axis, face == Face::Upper)
        })
    }
}

/// A ray, and a box with its edges' directions.
struct Line<'a> {
    directions: [DVec3; 3],
    obb: &'a Obb,
    ray: &'a LocalRay,
    /// Bounds on the errors of heights and speeds in plain f64.
    bounds: [f64; 2],
}

/// When a ray hits the faces of one axis, in any scale.
struct Heights<N> {
    /// From the ray's origin to the lower face.
    lower: N,
    /// From the ray's origin to the upper face.
    upper: N,
    /// What the ray gains while t grows by one.
    speed: N,
}

/// When a ray hits the plane of a face.
#[derive(Clone, Copy)]
struct FaceTime<'a> {
    line: &'a Line<'a>,
    axis: usize,
    face: Face,
    /// The quotient, where its bound is finite.
    quotient: Option<Approx>,
}

impl<'a> Line<'a> {
    /// # Bounds
    /// With u the unit roundoff and E, H, W, D the largest components of the directions, of the half edges,
    /// of the way from the ray's origin to the middle, and of the ray's direction: a component of a face's
    /// normal is at most 2 E² and off by 4 u E², one of the way by u W. A product with a half edge is off by
    /// 3 (4 + 2) u E² H and by 2 sums of at most 6 E² H: 30 u E² H; one with the way by 36 u E² W, and
    /// their sum by 6 u E² (H + W) more; the speed by 30 u E² D. Twice that is more than what higher orders
    /// and the bounds' own roundings make. Nothing underflows: coordinates are multiples of 2^-149.
    fn new(obb: &'a Obb, ray: &'a LocalRay) -> Self {
        let directions = obb.directions();
        let largest = |vectors: &[DVec3; 3]| {
            let [a, b, c] = vectors.map(DVec3::abs);
            a.max(b).max(c).max_element()
        };
        let area = largest(&directions).powi(2);
        let way = (obb.middle() - ray.origin).abs().max_element();
        let reach = largest(obb.half_edges()) + way;
        let speed = ray.direction.abs().max_element();
        Self {
            directions,
            obb,
            ray,
            bounds: [reach, speed].map(|size| 84.0 * UNIT_ROUNDOFF * area * size),
        }
    }

    /// The heights with bounds that are computed once for all, where these decide the speed's sign, or
    /// else with bounds of their own.
    fn approx_heights(&self, axis: usize) -> Heights<Approx> {
        let [height, speed] = self.bounds;
        let plain = self.heights::<f64>(axis);
        if plain.speed.abs() > speed {
            let height = |value: f64| Approx {
                value,
                error: height,
            };
            return Heights {
                lower: height(plain.lower),
                upper: height(plain.upper),
                speed: Approx {
                    value: plain.speed,
                    error: speed,
                },
            };
        }
        self.heights::<Approx>(axis)
    }

    fn heights<N: Number>(&self, axis: usize) -> Heights<N> {
        let normal: [N; 3] = face_normal(&self.directions, axis);
        let half_width = dot(&normal, &vector(self.obb.half_edges()[axis]));
        let to_middle = dot(&normal, &between(self.ray.origin, self.obb.middle()));
        Heights {
            lower: to_middle.minus(&half_width),
            upper: to_middle.plus(&half_width),
            speed: dot(&normal, &vector(self.ray.direction)),
        }
    }

    fn slab(&self, axis: usize) -> Slab<FaceTime<'_>> {
        let heights = self.approx_heights(axis);
        let exact = || self.heights::<Expansion>(axis);
        let speed = decided(heights.speed.sign(), || Some(exact().speed.sign()));
        if speed.is_eq() {
            let lower = decided(heights.lower.sign(), || Some(exact().lower.sign()));
            let upper = decided(heights.upper.sign(), || Some(exact().upper.sign()));
            let face = if lower.is_eq() {
                Some(Face::Lower)
            } else if upper.is_eq() {
                Some(Face::Upper)
            } else {
                None
            };
            return Slab::Parallel {
                is_outside: lower.is_gt() || upper.is_lt(),
                face,
            };
        }
        let at = |face: Face, height: Approx| FaceTime {
            line: self,
            axis,
            face,
            quotient: height.over(heights.speed),
        };
        let lower = at(Face::Lower, heights.lower);
        let upper = at(Face::Upper, heights.upper);
        let is_upward = speed.is_gt();
        let (enter, leave) = if is_upward {
            (lower, upper)
        } else {
            (upper, lower)
        };
        Slab::Moving {
            enter,
            leave,
            is_upward,
        }
    }
}

impl FaceTime<'_> {
    fn height<N: Number>(&self, heights: &Heights<N>) -> N {
        match self.face {
            Face::Lower => heights.lower.clone(),
            Face::Upper => heights.upper.clone(),
        }
    }
}

impl PlaneTime for FaceTime<'_> {
    fn is_same(self, other: Self) -> bool {
        self.axis == other.axis && self.face == other.face
    }

    fn quotient(self) -> Option<Approx> {
        self.quotient
    }

    fn tighter(self) -> Option<Approx> {
        let heights = self.line.heights::<Approx>(self.axis);
        self.height(&heights).over(heights.speed)
    }

    fn exact(self) -> (Expansion, Expansion) {
        let heights = self.line.heights::<Expansion>(self.axis);
        (self.height(&heights), heights.speed)
    }
}
