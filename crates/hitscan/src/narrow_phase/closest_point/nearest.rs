//! Voronoi regions: the corner, edge or face of a triangle, segment or point that is nearest to a
//! point, decided exactly.
//!
//! Source: Ericson, "Real-Time Collision Detection", 2005, section 5.1.5 (Voronoi regions of a
//! triangle by signs of products); here each sign is exact.

use crate::exact::adaptive::{Approx, Number, between, cross, decided, dot};
use crate::exact::expansion::Expansion;
use core::cmp::Ordering;
use glam::DVec3;

/// What of a core is nearest, by the places of corners.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Feature {
    Corner(usize),
    /// The inside of an edge, from one corner to another.
    Edge(usize, usize),
    /// The inside of the face of all three corners.
    Face,
}

/// The feature of a core that is nearest to `point`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    pub(super) point: DVec3,
    pub(super) corners: [DVec3; 3],
    pub(super) feature: Feature,
}

impl Nearest {
    /// The nearest feature of a triangle, or `None` if it has no area.
    pub(super) fn of_triangle(point: DVec3, corners: [DVec3; 3]) -> Option<Self> {
        let feature = decided(of_triangle::<Approx>(point, &corners), || {
            of_triangle::<Expansion>(point, &corners)
        })?;
        Some(Self {
            point,
            corners,
            feature,
        })
    }

    /// The nearest feature of a segment, which may be a point.
    pub(super) fn of_segment(point: DVec3, [a, b]: [DVec3; 2]) -> Self {
        let feature = decided(of_segment::<Approx>(point, [a, b]), || {
            of_segment::<Expansion>(point, [a, b])
        });
        Self {
            point,
            corners: [a, b, b],
            feature,
        }
    }

    /// A core that is one point.
    pub(super) fn of_point(point: DVec3, core: DVec3) -> Self {
        Self {
            point,
            corners: [core; 3],
            feature: Feature::Corner(0),
        }
    }

    /// The face's edges from its first corner, and its normal.
    pub(super) fn normal<N: Number>(&self) -> [N; 3] {
        let [a, b, c] = self.corners;
        cross(&between(a, b), &between(a, c))
    }
}

fn of_triangle<N: Number>(point: DVec3, corners: &[DVec3; 3]) -> Option<Option<Feature>> {
    let [a, b, c] = *corners;
    let (ab, ac): ([N; 3], [N; 3]) = (between(a, b), between(a, c));
    let normal = cross(&ab, &ac);
    if dot(&normal, &normal).known_sign()?.is_eq() {
        return Some(None);
    }
    // How far the point is along two edges, from each corner.
    let along = |corner: DVec3| {
        let offset = between(corner, point);
        (dot(&ab, &offset), dot(&ac, &offset))
    };
    let (from_a, from_b, from_c) = (along(a), along(b), along(c));
    let compare = |one: &N, other: &N| one.minus(other).known_sign();
    let (a_b, a_c) = (from_a.0.known_sign()?, from_a.1.known_sign()?);
    if a_b.is_le() && a_c.is_le() {
        return Some(Some(Feature::Corner(0)));
    }
    let b_b = from_b.0.known_sign()?;
    if b_b.is_ge() && compare(&from_b.1, &from_b.0)?.is_le() {
        return Some(Some(Feature::Corner(1)));
    }
    let c_c = from_c.1.known_sign()?;
    if c_c.is_ge() && compare(&from_c.0, &from_c.1)?.is_le() {
        return Some(Some(Feature::Corner(2)));
    }
    let turn = |one: &(N, N), other: &(N, N)| -> Option<Ordering> {
        compare(&one.0.times(&other.1), &other.0.times(&one.1))
    };
    if a_b.is_ge() && b_b.is_le() && turn(&from_a, &from_b)?.is_le() {
        return Some(Some(Feature::Edge(0, 1)));
    }
    if a_c.is_ge() && c_c.is_le() && turn(&from_c, &from_a)?.is_le() {
        return Some(Some(Feature::Edge(0, 2)));
    }
    let is_along_bc =
        compare(&from_b.1, &from_b.0)?.is_ge() && compare(&from_c.0, &from_c.1)?.is_ge();
    if is_along_bc && turn(&from_b, &from_c)?.is_le() {
        return Some(Some(Feature::Edge(1, 2)));
    }
    Some(Some(Feature::Face))
}

fn of_segment<N: Number>(point: DVec3, [a, b]: [DVec3; 2]) -> Option<Feature> {
    let edge: [N; 3] = between(a, b);
    if dot(&edge, &between(a, point)).known_sign()?.is_le() {
        return Some(Feature::Corner(0));
    }
    if dot(&edge, &between(b, point)).known_sign()?.is_ge() {
        return Some(Feature::Corner(1));
    }
    Some(Feature::Edge(0, 1))
}
