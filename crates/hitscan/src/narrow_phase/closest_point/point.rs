//! The closest point's coordinates, the direction from it, and its barycentric weights.
//!
//! Each is a quotient, computed in f64 with a bound, and exactly where the bound is too wide.

use super::nearest::{Feature, Nearest};
use crate::exact::adaptive::{Approx, Number, between, dot};
use crate::exact::expansion::Expansion;
use glam::DVec3;

/// Bound on the error of a coordinate, relative to the largest.
const POINT_ERROR: f64 = 1.0 / (1u64 << 44) as f64;

/// Bound on the error of a coordinate, relative to itself.
const COORDINATE_ERROR: f64 = 1.0 / (1u64 << 28) as f64;

/// Bound on the error of a direction's components, relative to the largest.
const DIRECTION_ERROR: f64 = 1.0 / (1u64 << 45) as f64;

/// Bound on the error of a barycentric weight.
const WEIGHT_ERROR: f64 = 1.0 / (1u64 << 24) as f64;

impl Nearest {
    /// The nearest point.
    pub(super) fn nearest_point(&self) -> DVec3 {
        if let Feature::Corner(k) = self.feature {
            return self.corners[k];
        }
        let max = self
            .corners
            .iter()
            .fold(self.point.abs(), |all, corner| all.max(corner.abs()));
        let allowed = POINT_ERROR * max.max_element();
        let (approx, divisor) = self.coordinates::<Approx>();
        let mut exact: Option<([Expansion; 3], Expansion)> = None;
        DVec3::from_array([0, 1, 2].map(|axis: usize| {
            let quotient = approx[axis].over(divisor);
            let is_good =
                |found: &Approx| found.error <= allowed.max(COORDINATE_ERROR * found.value.abs());
            quotient.filter(is_good).map_or_else(
                || {
                    let (coordinates, divisor) = exact.get_or_insert_with(|| self.coordinates());
                    quotient_of(&coordinates[axis], divisor)
                },
                |found| found.value,
            )
        }))
    }

    /// The direction from the nearest point to the query point, of any length; zero where they are
    /// one.
    pub(super) fn direction(&self) -> DVec3 {
        let approx = self.offset::<Approx>();
        let max = approx
            .iter()
            .fold(0.0, |max: f64, one| max.max(one.value.abs()));
        if approx.iter().all(|one| one.error <= DIRECTION_ERROR * max) {
            return DVec3::from_array(approx.map(|one| one.value));
        }
        DVec3::from_array(self.offset::<Expansion>().map(|one| one.to_f64()))
    }

    /// The weights of the second and the third corner at the nearest point.
    pub(super) fn barycentrics(&self) -> [f64; 2] {
        let mut weights = [0.0; 3];
        match self.feature {
            Feature::Corner(k) => weights[k] = 1.0,
            Feature::Edge(i, j) => {
                let weight = weight(&|| self.along_edge::<Approx>(i, j), &|| {
                    self.along_edge(i, j)
                });
                weights[i] = 1.0 - weight;
                weights[j] = weight;
            }
            Feature::Face => {
                for k in [1, 2] {
                    weights[k] = weight(&|| self.face_weight::<Approx>(k), &|| self.face_weight(k));
                }
            }
        }
        [weights[1], weights[2]]
    }

    /// The coordinates of the nearest point times a divisor, and that.
    fn coordinates<N: Number>(&self) -> ([N; 3], N) {
        let corners = &self.corners;
        match self.feature {
            Feature::Corner(k) => (corners[k].to_array().map(N::from_f64), N::from_f64(1.0)),
            Feature::Edge(i, j) => {
                let (along, square) = self.along_edge::<N>(i, j);
                let edge: [N; 3] = between(corners[i], corners[j]);
                let coordinate = |axis: usize| {
                    let start = N::from_f64(corners[i][axis]).times(&square);
                    start.plus(&edge[axis].times(&along))
                };
                ([0, 1, 2].map(coordinate), square)
            }
            Feature::Face => {
                let normal: [N; 3] = self.normal();
                let square = dot(&normal, &normal);
                let height = dot(&normal, &between(corners[0], self.point));
                let coordinate = |axis: usize| {
                    let start = N::from_f64(self.point[axis]).times(&square);
                    start.minus(&normal[axis].times(&height))
                };
                ([0, 1, 2].map(coordinate), square)
            }
        }
    }

    /// The direction from the nearest point to the query point.
    fn offset<N: Number>(&self) -> [N; 3] {
        let corners = &self.corners;
        match self.feature {
            Feature::Corner(k) => between(corners[k], self.point),
            Feature::Edge(i, j) => {
                let (along, square) = self.along_edge::<N>(i, j);
                let edge: [N; 3] = between(corners[i], corners[j]);
                let offset: [N; 3] = between(corners[i], self.point);
                [0, 1, 2]
                    .map(|axis: usize| offset[axis].times(&square).minus(&edge[axis].times(&along)))
            }
            Feature::Face => {
                let normal: [N; 3] = self.normal();
                let height = dot(&normal, &between(corners[0], self.point));
                normal.map(|component| component.times(&height))
            }
        }
    }

    /// How far along an edge the point is, times the edge's length, and that squared.
    fn along_edge<N: Number>(&self, i: usize, j: usize) -> (N, N) {
        let edge: [N; 3] = between(self.corners[i], self.corners[j]);
        let along = dot(&edge, &between(self.corners[i], self.point));
        let square = dot(&edge, &edge);
        (along, square)
    }

    /// The weight of corner 1 or 2 in a face, as a quotient.
    pub(super) fn face_weight<N: Number>(&self, k: usize) -> (N, N) {
        let a = self.corners[0];
        let (own, other) = (self.corners[k], self.corners[3 - k]);
        let (own, other): ([N; 3], [N; 3]) = (between(a, own), between(a, other));
        let offset = between(a, self.point);
        let (both, square) = (dot(&own, &other), dot(&other, &other));
        let along = dot(&own, &offset)
            .times(&square)
            .minus(&dot(&other, &offset).times(&both));
        let area = dot(&own, &own).times(&square).minus(&both.times(&both));
        (along, area)
    }
}

/// A weight between 0 and 1.
fn weight(
    approx: &dyn Fn() -> (Approx, Approx),
    exact: &dyn Fn() -> (Expansion, Expansion),
) -> f64 {
    let (numerator, denominator) = approx();
    let quotient = numerator.over(denominator);
    let found = match quotient.filter(|found| found.error <= WEIGHT_ERROR) {
        Some(found) => found.value,
        None => {
            let (numerator, denominator) = exact();
            quotient_of(&numerator, &denominator)
        }
    };
    found.clamp(0.0, 1.0)
}

/// A quotient in f64, 0 where numbers were too small to divide.
fn quotient_of(numerator: &Expansion, denominator: &Expansion) -> f64 {
    let quotient = numerator.to_f64() / denominator.to_f64();
    if quotient.is_finite() { quotient } else { 0.0 }
}
