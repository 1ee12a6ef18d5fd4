//! The contact of a moving point or segment with the face of a triangle, where f64 is certain of it: the
//! normal is the plane's, and the time a closed formula.
//!
//! Whoever lands on a floor of triangles is at the same distance from all their corners' plane: along the
//! normal they tie, which no bound on a rounded normal shows.

use super::core::CompactCore;
use super::round_contact::{Guess, RoundContact};
use crate::exact::adaptive::{Approx, Number, between, cross, dot, vector};
use crate::exact::big_float::BigFloat;
use ::core::cmp::Ordering::{Greater, Less};
use glam::DVec3;

/// A contact with a face.
pub(super) struct FaceContact {
    corners: [DVec3; 3],
    /// Ends of the moving core, one of which is nearest; both may be the same.
    ends: [DVec3; 2],
    /// Whether they come from the side to which the normal by the winding points.
    is_in_front: bool,
}

impl RoundContact {
    /// The face, if what touches the triangle certainly lies over its inside at the exact time.
    ///
    /// Then the nearest point of the triangle is that of its plane. Of a segment it is an end that is
    /// certainly nearest to the plane and over the inside, or both ends are over it, and so all of the
    /// segment. Both ends must be on one side of the plane.
    #[cold]
    #[inline(never)]
    pub(super) fn certain_face(&self) -> Option<FaceContact> {
        let guess = self.guess.as_ref()?;
        let (CompactCore::Triangle(corners), false) = (&self.cores[0], self.is_swapped) else {
            return None;
        };
        let [first, second] = match &self.cores[1] {
            CompactCore::Point(point) => [*point; 2],
            CompactCore::Segment(ends) => *ends,
            CompactCore::Triangle(_)
            | CompactCore::Box(_)
            | CompactCore::Hull(_)
            | CompactCore::Cylinder(_) => return None,
        };
        let [a, b, c] = *corners;
        let normal: [Approx; 3] = cross(&between(a, b), &between(a, c));
        let way = self.way(guess);
        let from = |corner: DVec3, end: DVec3| -> [Approx; 3] {
            let offset: [Approx; 3] = between(corner, end);
            [0, 1, 2].map(|axis| offset[axis].plus(&way[axis]))
        };
        let is_over = |end: DVec3| {
            [(a, b), (b, c), (c, a)].into_iter().all(|(p, q)| {
                let inward = cross(&normal, &between(p, q));
                dot(&inward, &from(p, end)).known_sign() == Some(Greater)
            })
        };
        let height = |end: DVec3| dot(&normal, &from(a, end)).known_sign();
        let side = height(first)?;
        if side.is_eq() || height(second)? != side {
            return None;
        }
        // How much higher the first end is than the second, on their side.
        let excess = dot(&normal, &between(second, first)).known_sign();
        let ends = match excess {
            Some(sign) if sign == side && first != second => [second; 2],
            Some(sign) if sign == side.reverse() => [first; 2],
            _ => [first, second],
        };
        ends.into_iter().all(is_over).then_some(FaceContact {
            corners: *corners,
            ends,
            is_in_front: side.is_gt(),
        })
    }

    /// How far the moving core has come at the exact time.
    ///
    /// The drift is what it moves within the enclosure, in whose middle this is, and 64 units of roundoff
    /// of more than the motion, one of which the product takes.
    fn way(&self, guess: &Guess) -> [Approx; 3] {
        let way = self.motion * self.middle();
        way.to_array().map(|value| Approx {
            value,
            error: guess.drift,
        })
    }

    /// The time of a contact with a face rounded down to f64; `None` where a guess is far off.
    ///
    /// The height of an end over the plane, times the normal's length, is `start + speed t`. It is hit at
    /// the radius times that length, and the squares of both are polynomials in the coordinates.
    pub(super) fn floor_at_face(&self, face: &FaceContact) -> Option<f64> {
        let [a, b, c] = face.corners;
        let normal: [BigFloat; 3] = if face.is_in_front {
            cross(&between(a, b), &between(a, c))
        } else {
            cross(&between(a, c), &between(a, b))
        };
        let speed = dot(&normal, &vector(self.motion));
        if speed.sign() != Less {
            return None;
        }
        let radius = BigFloat::from_f64(self.radii[0]).plus(&BigFloat::from_f64(self.radii[1]));
        let limit = radius.times(&radius).times(&dot(&normal, &normal));
        let [first, second] = face.ends.map(|end| PlaneApproach {
            start: dot(&normal, &between(a, end)),
            speed: &speed,
            limit: &limit,
        });
        let earlier = first.start.minus(&second.start).sign();
        let approach = if earlier == Greater { second } else { first };
        approach.floor(self.middle())
    }
}

/// How an end approaches a plane: when `start + speed t` is positive and its square `limit`, the speed being
/// negative.
struct PlaneApproach<'a> {
    start: BigFloat,
    speed: &'a BigFloat,
    limit: &'a BigFloat,
}

/// How many of f64's times are tried after Newton's step from within an enclosure, which leaves less than f64
/// rounds from a time.
const NEIGHBOURS: usize = 4;

impl PlaneApproach<'_> {
    /// The time of contact rounded down to f64.
    fn floor(&self, guess: f64) -> Option<f64> {
        let (height, excess) = self.at(guess);
        // The slope of the square is twice the product of height and speed.
        let slope = height.plus(&height).times(self.speed);
        let mut floor = guess - excess.scaled_quotient(&slope, 0);
        if !(0.0..=1.0).contains(&floor) {
            return None;
        }
        let mut is_by = self.is_by(floor);
        for _ in 0..NEIGHBOURS {
            let next = if is_by {
                floor.next_up()
            } else {
                floor.next_down()
            };
            let is_next_by = self.is_by(next);
            match (is_by, is_next_by) {
                (true, false) => return Some(floor),
                (false, true) => return Some(next),
                _ => (floor, is_by) = (next, is_next_by),
            }
        }
        None
    }

    /// The height at a time, and by how much its square is above the limit.
    fn at(&self, time: f64) -> (BigFloat, BigFloat) {
        let way = self.speed.times(&BigFloat::from_f64(time));
        let height = self.start.plus(&way);
        let excess = height.times(&height).minus(self.limit);
        (height, excess)
    }

    /// Whether the contact is at `time` or after it.
    fn is_by(&self, time: f64) -> bool {
        let (height, excess) = self.at(time);
        height.sign().is_gt() && excess.sign().is_ge()
    }
}

#[cfg(test)]
mod tests {
    use super::super::round_first_contact::round_first_contact;
    use super::super::{Convex, Core, Meeting, TimedContact};
    use super::*;
    use crate::test_rng::Rng;

    fn contact(obstacle: &Convex, shape: &Convex, motion: DVec3) -> Option<RoundContact> {
        match round_first_contact(obstacle, shape, motion, 1.0, false)? {
            Meeting::Contact(TimedContact::Round(contact)) => Some(contact),
            _ => None,
        }
    }

    /// Compares a certain face with exact arithmetic; whether there is one.
    fn is_certain(contact: &RoundContact) -> bool {
        let Some(face) = contact.certain_face() else {
            return false;
        };
        let floor = contact.exact().floor(contact.middle());
        assert_eq!(contact.floor_at_face(&face), Some(floor), "{contact:?}");
        let [a, b, c] = face.corners;
        for way in [[a, b], [b, c], [c, a]] {
            let along = contact.exact().compare_along_normal(floor, way);
            assert!(along.is_eq(), "{contact:?}");
        }
        true
    }

    #[test]
    fn certain_faces_are_those_of_exact_arithmetic() {
        let mut rng = Rng(31);
        let (mut contacts, mut certain) = (0, 0);
        for case in 0..6_000 {
            let size = rng.pick(&[1e-6, 1.0, 1.0, 64.0, 1e9]);
            let far = rng.pick(&[0.0, 0.0, 1e3, 1e6]) * size;
            let slopes = rng.pick(&[[0.0; 2], [0.25, 0.0], [-0.375, 0.5], [0.3, -7.7]]);
            let near = |rng: &mut Rng| f64::from(rng.signed()) * size;
            let on_plane = |rng: &mut Rng| {
                let (x, z) = (near(rng) + far, near(rng));
                DVec3::new(x, slopes[0] * x + slopes[1] * z, z)
            };
            let corners = [(); 3].map(|()| on_plane(&mut rng).as_vec3().as_dvec3());
            let above = size * rng.uniform(0.3, 2.0) * rng.pick(&[1.0, -1.0]);
            let target = if case % 3 == 0 {
                // Over an edge, or nearly.
                corners[0].lerp(corners[1], rng.uniform(0.0, 1.0))
            } else {
                (corners[0] + corners[1] + corners[2]) / 3.0
            };
            let aside = DVec3::new(near(&mut rng), above, near(&mut rng));
            let start = (target + aside).as_vec3().as_dvec3();
            let along = match case % 4 {
                0 => DVec3::ZERO,
                1 => corners[1] - corners[0],
                _ => DVec3::new(near(&mut rng), near(&mut rng), near(&mut rng)),
            };
            let core = match along == DVec3::ZERO {
                true => Core::Point(start),
                false => Core::Segment([start, start + along * 0.25]),
            };
            let radius = f64::from(rng.uniform_f32(0.05, 0.4)) * size;
            let shape = Convex {
                core,
                radius,
                is_mirrored: false,
            };
            let motion = (aside * -2.0).as_vec3().as_dvec3();
            if let Some(contact) = contact(&Convex::triangle(corners), &shape, motion) {
                contacts += 1;
                certain += usize::from(is_certain(&contact));
            }
        }
        // The others are at edges and corners.
        assert!(
            certain > 1_500 && contacts > certain,
            "{certain} {contacts}"
        );
    }

    #[test]
    fn landings_have_a_certain_face_up_to_the_rim() {
        let corners = [DVec3::ZERO, DVec3::Z * 4.0, DVec3::X * 4.0];
        let floor = Convex::triangle(corners);
        let lands = |x: f64, is_capsule: bool| {
            let start = DVec3::new(x, 3.0, 1.0);
            let core = match is_capsule {
                true => Core::Segment([start, start + DVec3::Y]),
                false => Core::Point(start),
            };
            let shape = Convex {
                core,
                radius: 0.5,
                is_mirrored: false,
            };
            let contact = contact(&floor, &shape, DVec3::new(0.0, -4.0, 0.0)).unwrap();
            assert_eq!(contact.floor(), 0.625);
            is_certain(&contact)
        };
        for is_capsule in [false, true] {
            assert!(lands(1.0, is_capsule) && lands(1e-6, is_capsule));
            assert!(!lands(0.0, is_capsule), "on the edge");
        }
    }
}
