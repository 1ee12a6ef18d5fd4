//! The feature of a triangle in a contact: face, edge or vertex.

use crate::narrow_phase::convex::Core;
use core::cmp::Ordering;
use glam::DVec3;

/// Compares two points along an exact normal.
pub(crate) type AlongNormal<'a> = &'a dyn Fn(DVec3, DVec3) -> Ordering;

/// The feature of a triangle that a contact has: its corners furthest along the normal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactFeature {
    corners: [DVec3; 3],
    count: usize,
}

impl ContactFeature {
    pub(crate) fn new(corners: &[DVec3; 3], compare: AlongNormal<'_>) -> Self {
        let mut feature = Self {
            corners: [corners[0]; 3],
            count: 1,
        };
        for &corner in &corners[1..] {
            match compare(corner, feature.corners[0]) {
                Ordering::Less => {}
                Ordering::Equal => {
                    feature.corners[feature.count] = corner;
                    feature.count += 1;
                }
                Ordering::Greater => {
                    feature.corners[0] = corner;
                    feature.count = 1;
                }
            }
        }
        feature
    }

    /// The marked corners, at least one.
    pub(crate) fn of(corners: &[DVec3; 3], are_furthest: [bool; 3]) -> Self {
        let mut feature = Self {
            corners: [corners[0]; 3],
            count: 0,
        };
        for (corner, is_furthest) in corners.iter().zip(are_furthest) {
            if is_furthest {
                feature.corners[feature.count] = *corner;
                feature.count += 1;
            }
        }
        feature
    }

    /// Whether it has the same corners, by equal coordinates, as another triangle's.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let (own, others) = (&self.corners[..self.count], &other.corners[..other.count]);
        own.len() == others.len() && own.iter().all(|corner| others.contains(corner))
    }

    /// One of its corners, which each triangle that makes it inactive has.
    pub(crate) fn corner(&self) -> DVec3 {
        self.corners[0]
    }

    /// Whether it is the face, which is always active.
    pub(crate) fn is_face(&self) -> bool {
        self.count == 3
    }

    /// Whether another triangle makes the feature inactive: the surface continues beyond it on the shape's
    /// side.
    pub(crate) fn is_inactive_beside(&self, other: &[DVec3; 3], compare: AlongNormal<'_>) -> bool {
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
