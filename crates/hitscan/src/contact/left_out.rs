//! Contacts that are left out: a mesh is one surface, and an edge between two triangles is met only
//! where it stands out.
//!
//! A contact with the normal n belongs to those corners of its triangle that lie furthest along n: all
//! three for a face, two for an edge, one for a corner. Another triangle that has these among its own
//! corners, by equal coordinates, and a corner that lies further along n, contradicts the contact: the
//! surface goes on beyond the edge on the side where the shape is, so that the edge is flat or hollow.

use crate::convex::Core;
use core::cmp::Ordering;
use glam::DVec3;

/// Compares two points along an exact normal.
pub(crate) type AlongNormal<'a> = &'a dyn Fn(DVec3, DVec3) -> Ordering;

/// The corners of a triangle that lie furthest along a normal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Furthest {
    corners: [DVec3; 3],
    count: usize,
}

impl Furthest {
    pub(crate) fn new(corners: &[DVec3; 3], compare: AlongNormal<'_>) -> Self {
        let mut furthest = Self {
            corners: [corners[0]; 3],
            count: 1,
        };
        for &corner in &corners[1..] {
            match compare(corner, furthest.corners[0]) {
                Ordering::Less => {}
                Ordering::Equal => {
                    furthest.corners[furthest.count] = corner;
                    furthest.count += 1;
                }
                Ordering::Greater => {
                    furthest.corners[0] = corner;
                    furthest.count = 1;
                }
            }
        }
        furthest
    }

    /// Those of the corners that are marked, of which there is one at least.
    pub(crate) fn of(corners: &[DVec3; 3], are_furthest: [bool; 3]) -> Self {
        let mut furthest = Self {
            corners: [corners[0]; 3],
            count: 0,
        };
        for (corner, is_furthest) in corners.iter().zip(are_furthest) {
            if is_furthest {
                furthest.corners[furthest.count] = *corner;
                furthest.count += 1;
            }
        }
        furthest
    }

    /// Whether they are the same corners, by equal coordinates, as another triangle's.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let (own, others) = (&self.corners[..self.count], &other.corners[..other.count]);
        own.len() == others.len() && own.iter().all(|corner| others.contains(corner))
    }

    /// One of them; a triangle that contradicts touches it.
    pub(crate) fn corner(&self) -> DVec3 {
        self.corners[0]
    }

    /// Whether it is the whole triangle, which nothing contradicts.
    pub(crate) fn is_face(&self) -> bool {
        self.count == 3
    }

    /// Whether another triangle contradicts the normal, apart from being in question itself.
    pub(crate) fn is_contradicted_by(&self, other: &[DVec3; 3], compare: AlongNormal<'_>) -> bool {
        let own = &self.corners[..self.count];
        own.iter().all(|corner| other.contains(corner))
            && other
                .iter()
                .any(|&corner| !own.contains(&corner) && compare(corner, own[0]).is_gt())
            && has_area(other)
    }
}

/// Whether a triangle's corners do not lie on one line, exactly.
pub(crate) fn has_area(corners: &[DVec3; 3]) -> bool {
    !Core::Triangle(*corners).is_degenerate_triangle()
}
