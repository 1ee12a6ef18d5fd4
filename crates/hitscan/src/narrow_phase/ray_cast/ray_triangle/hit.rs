//! The hit of a triangle: its feature, side and barycentric weights.

use crate::exact::expansion::nearest_f32;
use crate::narrow_phase::ray_cast::hit::Side;
use glam::DVec3;

/// Which part of the closed triangle the ray's line intersects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Feature {
    /// The inside.
    Face,
    /// The edge opposite the corner with this number, without its ends.
    Edge(usize),
    /// The corner with this number.
    Corner(usize),
}

/// Where a ray hits a triangle, in the triangle's space.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TriangleHit {
    /// The exact t rounded to the nearest f32, never -0.
    pub(crate) t: f32,
    /// t in f64, for making points from it.
    pub(crate) t_wide: f64,
    /// The barycentric weights of the second and third corner.
    pub(crate) weights: [f64; 2],
    /// The normal by the triangle's winding, not of unit length, never zero.
    pub(crate) normal: DVec3,
    pub(crate) side: Side,
    pub(crate) feature: Feature,
}

impl TriangleHit {
    /// The barycentric weights of the second and third corner, rounded.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn barycentrics(&self) -> [f32; 2] {
        [nearest_f32(self.weights[0]), nearest_f32(self.weights[1])]
    }
}

/// That a ray hits a triangle, when and from which side: what decides between two hits. What only the
/// closest of many needs is computed from it later.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CandidateHit {
    /// The exact t rounded to the nearest f32, never -0.
    pub(crate) t: f32,
    pub(crate) side: Side,
    pub(super) t_wide: f64,
    /// The normal by the winding in f64.
    pub(super) normal: DVec3,
    pub(super) edges: [f64; 3],
    /// Whether the edge functions have their exact signs and make precise weights.
    pub(super) is_precise: bool,
}

/// The barycentric weights of the second and third corner.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn weights(edges: &[f64; 3]) -> [f64; 2] {
    let sum = sum(edges);
    [edges[1] / sum, edges[2] / sum]
}

/// The side from which a triangle is hit: the edge functions of a front face are negative.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn side(sum_of_edges: f64) -> Side {
    if sum_of_edges < 0.0 {
        Side::Front
    } else {
        Side::Back
    }
}

/// In this order, as the bits of weights depend on it.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn sum(edges: &[f64; 3]) -> f64 {
    edges[0] + edges[1] + edges[2]
}

/// The part of the triangle that is hit, by which edge functions are exactly 0.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn feature(edges: &[f64; 3]) -> Feature {
    match (edges[0] == 0.0, edges[1] == 0.0, edges[2] == 0.0) {
        (true, true, _) => Feature::Corner(2),
        (true, _, true) => Feature::Corner(1),
        (_, true, true) => Feature::Corner(0),
        (true, _, _) => Feature::Edge(0),
        (_, true, _) => Feature::Edge(1),
        (_, _, true) => Feature::Edge(2),
        _ => Feature::Face,
    }
}
