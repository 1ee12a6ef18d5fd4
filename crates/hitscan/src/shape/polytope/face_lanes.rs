//! The planes of a polytope's faces in lanes, four at once: which faces a line may cross between two times, and which
//! are about across a direction.
//!
//! # Bounds
//! A plane is where `n · p = c`, n being the face's outward normal, whose components are off by e, and c its product
//! with a corner. With u the unit roundoff, N the sum of the magnitudes of n's components, R the greatest coordinate of
//! a corner and that of the line's origin together, and D the greatest component of its direction: `c - n · o` is off
//! by (4 u N + 3 e) R, by three products, two sums and a difference; its speed `n · d` by (3 u N + 3 e) D; and how far
//! behind the plane the line is at a time t by both, the one times |t|, and a rounding of the product and of the
//! difference: (5 u N + 3 e) (R + |t| D). Twice the sum of [`height_error`] is three times as much.

use super::Face;
use super::predicates::height_error;
use crate::simd::{Width, dispatch};
use fearless_simd::{Select, Simd, f64x4, prelude::*};
use glam::DVec3;
use smallvec::SmallVec;

/// How many planes are looked at at once.
const LANES: usize = 4;

/// Some planes; those that fill up the last ones are those of no face.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Planes {
    normals: [[f64; LANES]; 3],
    /// The product of the normal with a corner.
    heights: [f64; LANES],
    /// The error of a product with the normal, over the greatest component of the other factor.
    errors: [f64; LANES],
}

/// The planes of all faces, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct FaceLanes {
    planes: Box<[Planes]>,
    /// How many faces there are.
    count: usize,
    /// The greatest coordinate of a corner.
    reach: f64,
}

/// A line in f64.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FaceLine {
    pub(crate) origin: DVec3,
    pub(crate) direction: DVec3,
}

/// Faces in ascending order.
pub(crate) type FewFaces = SmallVec<[u16; 16]>;

impl FaceLanes {
    /// The planes of faces between corners, of which no coordinate is greater than `reach`.
    pub(super) fn of(faces: &[Face], corners: &[DVec3], reach: f64) -> Self {
        let filling = Planes {
            normals: [[0.0; LANES]; 3],
            heights: [1.0; LANES],
            errors: [0.0; LANES],
        };
        let planes = faces.chunks(LANES).map(|faces| {
            let mut planes = filling;
            for (lane, face) in faces.iter().enumerate() {
                for axis in 0..3 {
                    planes.normals[axis][lane] = face.normal[axis];
                }
                planes.heights[lane] = face.normal.dot(corners[usize::from(face.span[0])]);
                planes.errors[lane] = 2.0 * height_error(face.normal, face.error, 1.0);
            }
            planes
        });
        Self {
            planes: planes.collect(),
            count: faces.len(),
            reach,
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of_val(&*self.planes)
    }

    /// The face that a line enters last and the one that it leaves first, about.
    #[inline]
    pub(crate) fn passage(&self, line: &FaceLine) -> Option<[u16; 2]> {
        let found = dispatch!(Width::default(), simd => self.passage_in(simd, line));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "places are whole numbers of at most 16 bits, or -1"
        )]
        let face = |place: f64| (place >= 0.0).then_some(place as u16);
        Some([face(found[0])?, face(found[1])?])
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn passage_in<S: Simd>(&self, simd: S, line: &FaceLine) -> [f64; 2] {
        let none = f64x4::splat(simd, -1.0);
        let mut entry = (f64x4::splat(simd, f64::NEG_INFINITY), none);
        let mut exit = (f64x4::splat(simd, f64::INFINITY), none);
        let mut places = f64x4::load_array(simd, [0.0, 1.0, 2.0, 3.0]);
        for planes in &self.planes {
            let [height, speed] = planes.numbers(simd, line);
            let time = height / speed;
            let is_later = speed.simd_lt(0.0) & time.simd_gt(entry.0);
            let is_earlier = speed.simd_gt(0.0) & time.simd_lt(exit.0);
            entry = (
                is_later.select(time, entry.0),
                is_later.select(places, entry.1),
            );
            exit = (
                is_earlier.select(time, exit.0),
                is_earlier.select(places, exit.1),
            );
            places += f64x4::splat(simd, LANES as f64);
        }
        let best = |(times, places): (f64x4<S>, f64x4<S>), sign: f64| {
            let (times, places) = (times.to_array(), places.to_array());
            let (mut best, mut most) = (-1.0, f64::NEG_INFINITY);
            for lane in 0..LANES {
                if sign * times[lane] > most {
                    (best, most) = (places[lane], sign * times[lane]);
                }
            }
            best
        };
        [best(entry, 1.0), best(exit, -1.0)]
    }

    /// The faces but those that a line certainly stays strictly behind from one time to another.
    #[inline]
    pub(crate) fn crossed(&self, line: &FaceLine, times: [f64; 2]) -> FewFaces {
        let mut faces = FewFaces::new();
        dispatch!(Width::default(), simd => self.crossed_in(simd, line, times, &mut faces));
        faces
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn crossed_in<S: Simd>(&self, simd: S, line: &FaceLine, times: [f64; 2], faces: &mut FewFaces) {
        let reach = self.reach + line.origin.abs().max_element();
        let size = line.direction.abs().max_element();
        let [first, second] = times.map(|t| {
            // Its own rounding is far less than what the bound has to spare.
            let factor = reach + t.abs() * size;
            (f64x4::splat(simd, t), f64x4::splat(simd, factor))
        });
        for (first_face, planes) in (0_u16..).step_by(LANES).zip(&self.planes) {
            let [height, speed] = planes.numbers(simd, line);
            let error = f64x4::load_array_ref(simd, &planes.errors);
            let is_behind =
                |(t, factor): (f64x4<S>, f64x4<S>)| (height - t * speed).simd_gt(error * factor);
            // Also those of which it is not known.
            let behind = (is_behind(first) & is_behind(second)).to_bitmask();
            self.add_of(first_face, !behind, faces);
        }
    }

    /// The faces whose outward normal is about along a direction: the square of the cosine between is at least
    /// `limit`, rounded.
    #[inline]
    pub(crate) fn across(&self, direction: DVec3, limit: f64) -> FewFaces {
        let mut faces = FewFaces::new();
        dispatch!(Width::default(), simd => self.across_in(simd, direction, limit, &mut faces));
        faces
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn across_in<S: Simd>(&self, simd: S, direction: DVec3, limit: f64, faces: &mut FewFaces) {
        let least = limit * direction.length_squared();
        for (first_face, planes) in (0_u16..).step_by(LANES).zip(&self.planes) {
            let [x, y, z] = planes.normals(simd);
            let along = x * direction.x + y * direction.y + z * direction.z;
            let squared = x * x + y * y + z * z;
            let is_across = along.simd_gt(0.0) & (along * along).simd_ge(squared * least);
            self.add_of(first_face, is_across.to_bitmask(), faces);
        }
    }

    /// Adds those of four faces whose bits are set.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add_of(&self, first_face: u16, mut bits: u64, faces: &mut FewFaces) {
        let count = self.count - usize::from(first_face);
        for face in (first_face..).take(LANES.min(count)) {
            if bits & 1 == 1 {
                faces.push(face);
            }
            bits >>= 1;
        }
    }
}

impl Planes {
    /// How far behind each plane a line starts, and how fast it goes outward.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn numbers<S: Simd>(&self, simd: S, line: &FaceLine) -> [f64x4<S>; 2] {
        let [x, y, z] = self.normals(simd);
        let along = |v: DVec3| x * v.x + y * v.y + z * v.z;
        let height = f64x4::load_array_ref(simd, &self.heights) - along(line.origin);
        [height, along(line.direction)]
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn normals<S: Simd>(&self, simd: S) -> [f64x4<S>; 3] {
        [0, 1, 2].map(|axis: usize| f64x4::load_array_ref(simd, &self.normals[axis]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ConvexHull;
    use crate::test_rng::Rng;

    #[test]
    fn faces_across_a_direction_are_those_found_one_by_one() {
        let mut rng = Rng(9);
        let mut found = 0;
        for count in 4..40 {
            let corners = (0..count).map(|_| [(); 3].map(|()| rng.signed()));
            let hull = ConvexHull::new(corners).unwrap();
            let hull = hull.polytope();
            for place in 0..hull.faces().len() {
                let off = DVec3::from([(); 3].map(|()| f64::from(rng.signed())));
                let direction = hull.faces()[place].normal.normalize_or_zero() + off * 0.2;
                let is_across = |face: &Face| {
                    let along = face.normal.dot(direction);
                    let whole = direction.length_squared() * face.normal.length_squared();
                    along > 0.0 && along * along >= 0.96 * whole
                };
                let faces = (0..).zip(hull.faces());
                let expected = faces.filter(|(_, face)| is_across(face));
                let expected: Vec<u16> = expected.map(|(face, _)| face).collect();
                assert_eq!(hull.lanes.across(direction, 0.96).to_vec(), expected);
                found += expected.len();
            }
        }
        assert!(found > 1000, "{found}");
    }
}
