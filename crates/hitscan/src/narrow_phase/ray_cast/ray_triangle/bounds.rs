//! Every error bound and threshold of the ray-triangle filter, named and derived.
//!
//! Notation: `u` is the unit roundoff, `gamma(n)` bounds the relative error of a product of n factors
//! `1 + δ`, |δ| <= u (Higham, "Accuracy and Stability of Numerical Algorithms", 2002, lemma 3.1). The
//! sizes in the bounds are largest magnitudes of components, computed from rounded differences.
//!
//! The bounds are monotone in the sizes, and rounding is monotone: a caller that puts a greater size
//! where a smaller one would do gets a greater bound, whatever rounds on the way. So a filter that
//! shares one size among several edges is sure of nothing that the filter of each edge is not.

use super::lanes::Lanes;
use crate::exact::expansion::UNIT_ROUNDOFF;

/// `nu / (1 - nu)`.
const fn gamma(roundings: u32) -> f64 {
    let error = roundings as f64 * UNIT_ROUNDOFF;
    error / (1.0 - error)
}

/// Bound on the error of an edge function, in units of `|direction| |p - origin| |q - p|`.
///
/// It is a sum of six products of three factors. On the way from the corners to the sum, a product
/// has at most 7 roundings: of two differences, of the product of these, of the component of the
/// cross product, of the product with the direction, and of two sums.
const EDGE_ERROR: f64 = 48.0 * UNIT_ROUNDOFF;
const _: () = assert!(6.0 * gamma(7) * BOUND_SLACK < EDGE_ERROR);

/// Bound on the error of `normal · v`, in units of `|b - a| |c - a| |v|`.
///
/// Six products of three factors again; v may be a difference too, which makes 8 roundings.
const VOLUME_ERROR: f64 = 64.0 * UNIT_ROUNDOFF;
const _: () = assert!(6.0 * gamma(8) * BOUND_SLACK < VOLUME_ERROR);

/// What a bound may lose by its own roundings: three sizes and three products.
const BOUND_SLACK: f64 = 1.0 + 2.0 * gamma(6);

/// Largest relative error of the denominator `normal · direction` with which the quotient's error is
/// bounded to first order.
const MAX_DENOMINATOR_ERROR: f64 = 1e-3;

/// What the terms of higher order add, as a factor.
///
/// With `n` and `d` off by `e` and `f`, the quotient is off by at most
/// `(e + |n / d| f) / (|d| - f)`, and `f` is less than [`MAX_DENOMINATOR_ERROR`] of `|d|`. The rest
/// covers the roundings of the bound.
const HIGHER_ORDER: f64 = 1.01;
const _: () = assert!((1.0 + gamma(8)) / (1.0 - MAX_DENOMINATOR_ERROR) < HIGHER_ORDER);

/// Relative error of the rounded quotient and of its sum with the bound.
const QUOTIENT_ERROR: f64 = 4.0 * UNIT_ROUNDOFF;

/// How small the errors of three edge functions are beside their sum where weights are made of the
/// rounded ones: 2^-30, a 64th of what rounding a weight to f32 may lose.
const MAX_WEIGHT_ERROR: f64 = 1.0 / (1_u64 << 30) as f64;

/// The smallest size of a normal whose direction rounding leaves alone, in units of `|b - a| |c - a|`.
///
/// A component is a difference of two products with 4 roundings each, so that a normal of this
/// size has a relative error of 2^-30 at most.
const MIN_NORMAL: f64 = 1e-6;
const _: () = assert!(2.0 * gamma(4) < MIN_NORMAL * MAX_WEIGHT_ERROR);

/// Bound on the error of a difference of two products, in units of their sizes: 3 roundings each.
const AREA_ERROR: f64 = 4.0 * UNIT_ROUNDOFF;
const _: () = assert!(gamma(3) * BOUND_SLACK < AREA_ERROR);

/// Bound on the error of the difference of two products of a number and a difference.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn area_bound(left: f64, right: f64) -> f64 {
    (left.abs() + right.abs()) * AREA_ERROR
}

/// Bound on the error of an edge function.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn edge_bound<V: Lanes>(direction: V, corner: V, edge: V) -> V {
    corner * direction.scaled(EDGE_ERROR) * edge
}

/// Whether weights made of edge functions with these bounds are good to [`MAX_WEIGHT_ERROR`].
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn are_precise<V: Lanes>(bounds: [V; 3], sum: V) -> V::Mask {
    (bounds[0] + bounds[1] + bounds[2]).is_less(sum.abs().scaled(MAX_WEIGHT_ERROR))
}

/// Whether the normal of a triangle with sides of these sizes has a precise direction.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn is_normal_precise<V: Lanes>(normal: V, [p, q]: [V; 2]) -> V::Mask {
    normal.is_greater(p.scaled(MIN_NORMAL) * q)
}

/// Bounds on the errors of `normal · to_corner` and `normal · direction`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn volume_bounds<V: Lanes>([p, q]: [V; 2], to_corner: V, direction: V) -> [V; 2] {
    let unit = p.scaled(VOLUME_ERROR) * q;
    [unit * to_corner, unit * direction]
}

/// Whether [`quotient_bound`] holds for a denominator with this bound on its error.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn is_quotient_bounded<V: Lanes>(denominator: V, error: V) -> V::Mask {
    error.is_less(denominator.abs().scaled(MAX_DENOMINATOR_ERROR))
}

/// Bound on the error of a quotient, by the bounds on those of numerator and denominator.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn quotient_bound<V: Lanes>(quotient: V, denominator: V, errors: [V; 2]) -> V {
    let size = quotient.abs();
    (errors[0] + size * errors[1]).scaled(HIGHER_ORDER) / denominator.abs()
        + size.scaled(QUOTIENT_ERROR)
}
