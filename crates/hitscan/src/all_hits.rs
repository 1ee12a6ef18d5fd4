//! All crossings of a ray with one part's triangles, counted so that a closed part's crossings
//! alternate between front and back.
//!
//! At an edge or corner that triangles share, all of them are hit. Here such a crossing counts as
//! if the ray were moved aside by one fixed infinitesimal: only the triangles that the moved ray
//! passes count. Where it passes none of them the ray only touches the part there, and the touch
//! counts as one front and one back hit. Nearest and any hit need none of this.

use crate::hit::Side;
use crate::ray::LocalRay;
use crate::ray_triangle::{Crossing, Feature, cross, crosses_moved_aside};
use glam::DVec3;

/// Collects the crossings of one part.
#[derive(Debug, Default)]
pub(crate) struct PartCrossings {
    inside_faces: Vec<(u32, Crossing)>,
    at_features: Vec<AtFeature>,
}

/// A crossing at an edge or corner.
#[derive(Debug)]
struct AtFeature {
    /// The bits of the edge's two ends, smaller first, or of the corner twice.
    place: [[u64; 3]; 2],
    /// Whether the ray moved aside passes through the triangle.
    is_passed: bool,
    triangle: u32,
    crossing: Crossing,
}

impl PartCrossings {
    /// Takes the triangle's crossing, if the ray crosses it.
    pub(crate) fn test(&mut self, ray: &LocalRay, triangle: u32, corners: &[DVec3; 3]) {
        let Some(crossing) = cross(ray, corners) else {
            return;
        };
        let place = match crossing.feature {
            Feature::Face => {
                self.inside_faces.push((triangle, crossing));
                return;
            }
            Feature::Edge(k) => [corners[(k + 1) % 3], corners[(k + 2) % 3]],
            Feature::Corner(k) => [corners[k], corners[k]],
        };
        // Adding 0 makes one of the two zeros.
        let mut place = place.map(|end| (end + DVec3::ZERO).to_array().map(f64::to_bits));
        place.sort_unstable();
        let is_passed = crosses_moved_aside(ray, corners);
        self.at_features.push(AtFeature {
            place,
            is_passed,
            triangle,
            crossing,
        });
    }

    /// The crossings in order of t; those of equal t so that front and back alternate with their
    /// neighbours where they can, and otherwise the lowest triangle first.
    pub(crate) fn into_sorted(mut self) -> Vec<(u32, Crossing)> {
        let mut all = self.inside_faces;
        self.at_features.sort_by_key(|at| (at.place, at.triangle));
        for group in self.at_features.chunk_by(|a, b| a.place == b.place) {
            let before = all.len();
            all.extend(
                group
                    .iter()
                    .filter(|at| at.is_passed)
                    .map(|at| (at.triangle, at.crossing)),
            );
            if all.len() == before {
                let lowest = |side| group.iter().find(|at| at.crossing.side == side);
                let touch = [lowest(Side::Front), lowest(Side::Back)];
                all.extend(
                    touch
                        .into_iter()
                        .flatten()
                        .map(|at| (at.triangle, at.crossing)),
                );
            }
        }
        all.sort_by(|a, b| a.1.t.total_cmp(&b.1.t).then(a.0.cmp(&b.0)));
        alternate(&mut all);
        all
    }
}

/// Reorders runs of equal t so that sides alternate along the whole list as far as they can.
fn alternate(all: &mut [(u32, Crossing)]) {
    let mut first = 0;
    let mut wanted = None;
    while first < all.len() {
        let t = all[first].1.t;
        let end = first + all[first..].iter().take_while(|hit| hit.1.t == t).count();
        let after = all.get(end).map(|hit| hit.1.side);
        let mut side = wanted.unwrap_or_else(|| first_side(&all[first..end], after));
        for place in first..end {
            let found = (place..end)
                .find(|other| all[*other].1.side == side)
                .unwrap_or(place);
            all[place..=found].rotate_right(1);
            side = opposite(all[place].1.side);
        }
        wanted = Some(side);
        first = end;
    }
}

/// The side with which the first run should begin: the one there is more of; of equally many the
/// one that is followed well by `after`, and otherwise front, as for a ray from outside.
fn first_side(run: &[(u32, Crossing)], after: Option<Side>) -> Side {
    let fronts = run.iter().filter(|hit| hit.1.side == Side::Front).count();
    let backs = run.len() - fronts;
    match fronts.cmp(&backs) {
        std::cmp::Ordering::Greater => Side::Front,
        std::cmp::Ordering::Less => Side::Back,
        std::cmp::Ordering::Equal => after.unwrap_or(Side::Front),
    }
}

fn opposite(side: Side) -> Side {
    if side == Side::Front {
        Side::Back
    } else {
        Side::Front
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ray;

    /// A cube from 0 to 1 with outward triangles.
    fn cube() -> Vec<[DVec3; 3]> {
        let at = |i: u32| {
            DVec3::new(
                f64::from(i & 1),
                f64::from(i >> 1 & 1),
                f64::from(i >> 2 & 1),
            )
        };
        let quads = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        let split = |[a, b, c, d]: [u32; 4]| [[at(a), at(b), at(c)], [at(a), at(c), at(d)]];
        quads.into_iter().flat_map(split).collect()
    }

    fn sides(origin: [f32; 3], direction: [f32; 3]) -> Vec<(f32, Side)> {
        let ray = LocalRay::from(&Ray::new(origin, direction).unwrap());
        let mut crossings = PartCrossings::default();
        for (triangle, corners) in (0..).zip(cube()) {
            crossings.test(&ray, triangle, &corners);
        }
        crossings
            .into_sorted()
            .into_iter()
            .map(|(_, hit)| (hit.t, hit.side))
            .collect()
    }

    #[test]
    fn closed_parts_alternate_at_edges_corners_and_diagonals() {
        use Side::{Back, Front};
        let through = |near: f32, far: f32| vec![(near, Front), (far, Back)];
        for (origin, direction, expected) in [
            // Through both diagonals, through two opposite corners, through two opposite edges.
            ([0.5, 0.5, -1.0], [0.0, 0.0, 1.0], through(1.0, 2.0)),
            ([-1.0; 3], [1.0; 3], through(1.0, 2.0)),
            ([-1.0, -1.0, 0.3], [1.0, 1.0, 0.0], through(1.0, 2.0)),
            ([-1.0, 2.0, 0.3], [1.0, -1.0, 0.0], through(1.0, 2.0)),
            ([2.0, 2.0, -1.0], [-1.0, -1.0, 1.0], through(1.0, 2.0)),
            // An edge and a corner are only touched; beside the cube nothing is met.
            ([-1.0, 1.0, 0.3], [1.0, -1.0, 0.0], through(1.0, 1.0)),
            ([-1.0, 1.0, 0.0], [1.0, -1.0, 0.0], through(1.0, 1.0)),
            ([-1.0, 0.0, 0.3], [1.0, -1.0, 0.0], vec![]),
            // In the plane of a face: the side faces' edges are met.
            ([-1.0, 1.0, 0.3], [1.0, 0.0, 0.0], through(1.0, 2.0)),
        ] {
            assert_eq!(
                sides(origin, direction),
                expected,
                "{origin:?} {direction:?}"
            );
        }
    }
}
