//! Bounds of a point's distances from the triangles of a block, eight at once.
//!
//! As in `closest_point/enclosure.rs`: a point of a triangle bounds its distance from above, and
//! the height of its lowest corner along a direction from below. Both are in f32 with a bound on
//! their error, so they only cull.

use crate::bvh::NearPlanes;
use crate::simd::permute;
use crate::tri_mesh::TriangleBlock;
use crate::tri_mesh::lane_vector::{Vector, cross, dot, minus};
use fearless_simd::{Simd, f32x8, prelude::*};

/// Bound on the error of a bound, relative to the farthest corner's largest coordinate: 64 units of
/// f32's roundoff. Corners err by 2 units of it, a weighted mean of them and its length by 12 times
/// the root of three, a scalar product with a direction divided by its length by 12.
const ERROR: f32 = 64.0 * (f32::EPSILON / 2.0);

/// The squared sine of an angle from which on a triangle certainly has an area in f32.
const MIN_SINE_SQUARED: f32 = 1e-8;

/// Squares below this may have lost bits to underflow.
const MIN_SQUARE: f32 = 1e-30;

/// Bounds of the distances from a block's triangles, scaled as the corners are.
pub(super) struct BlockBounds {
    /// Bounds from below.
    pub(super) low: [f32; 8],
    /// One from above of the nearest triangle that certainly has an area; infinite without one.
    pub(super) high: f32,
}

impl BlockBounds {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new<S: Simd>(simd: S, planes: &NearPlanes<S>, block: &TriangleBlock) -> Self {
        let corners = planes.corners(simd, block.rows());
        let size = corners[0].abs().max(corners[1].abs()).max(corners[2].abs());
        let error = size.reduce_max() * ERROR + planes.error(simd, block.rows());
        let places = block.places();
        let pick = |places: &[u8; 8]| -> Vector<S> {
            [
                permute(simd, corners[0], places),
                permute(simd, corners[1], places),
                permute(simd, corners[2], places),
            ]
        };
        let (a, b, c) = (pick(&places[0]), pick(&places[1]), pick(&places[2]));
        let splat = |x: f32| f32x8::splat(simd, x);
        let (zero, one, min) = (splat(0.0), splat(1.0), splat(MIN_SQUARE));
        let (ab, ac, bc) = (minus(&b, &a), minus(&c, &a), minus(&c, &b));
        let (bb, cc, b_c) = (dot(&ab, &ab), dot(&ac, &ac), dot(&ab, &ac));
        let (to_b, to_c) = (-dot(&ab, &a), -dot(&ac, &a));
        // The nearest points of the edges.
        let fraction =
            |along: f32x8<S>, square: f32x8<S>| (along / square.max(min)).max(zero).min(one);
        let on_ab = along(&a, &ab, fraction(to_b, bb));
        let on_ac = along(&a, &ac, fraction(to_c, cc));
        let on_bc = along(&b, &bc, fraction(-dot(&bc, &b), dot(&bc, &bc)));
        let (square_ab, square_ac, square_bc) = (
            dot(&on_ab, &on_ab),
            dot(&on_ac, &on_ac),
            dot(&on_bc, &on_bc),
        );
        let is_ac = square_ac.simd_lt(square_ab);
        let (nearer, square) = (select(is_ac, &on_ac, &on_ab), square_ac.min(square_ab));
        let is_bc = square_bc.simd_lt(square);
        let (witness, square) = (select(is_bc, &on_bc, &nearer), square_bc.min(square));
        // The foot of the point in the plane, where it is in the face.
        let normal = cross(&ab, &ac);
        let area = dot(&normal, &normal);
        let has_area = area.simd_gt(splat(MIN_SINE_SQUARED) * bb * cc) & area.simd_gt(min);
        let of_b = (to_b * cc - to_c * b_c) / area.max(min);
        let of_c = (to_c * bb - to_b * b_c) / area.max(min);
        let is_face =
            of_b.simd_ge(zero) & of_c.simd_ge(zero) & (of_b + of_c).simd_le(one) & has_area;
        let foot = along(&along(&a, &ab, of_b), &ac, of_c);
        let square = is_face.select(square.min(dot(&foot, &foot)), square);
        let is_behind = dot(&a, &normal).simd_lt(zero);
        let normal = select(is_behind, &[-normal[0], -normal[1], -normal[2]], &normal);
        let direction = select(is_face, &normal, &witness);
        let height = dot(&a, &direction)
            .min(dot(&b, &direction))
            .min(dot(&c, &direction));
        let length = dot(&direction, &direction);
        let is_long = length.simd_gt(min);
        let low = is_long.select(height / length.max(min).sqrt(), zero) - error;
        let high = has_area.select(square, splat(f32::INFINITY));
        let used = block.used();
        let high = high.to_array();
        let nearest = (0..8).filter(|lane| used >> lane & 1 == 1);
        let high = nearest.fold(f32::INFINITY, |nearest, lane| nearest.min(high[lane]));
        Self {
            low: low.to_array(),
            high: high.sqrt() + error,
        }
    }
}

/// `start + way * fraction`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn along<S: Simd>(start: &Vector<S>, way: &Vector<S>, fraction: f32x8<S>) -> Vector<S> {
    [
        start[0] + way[0] * fraction,
        start[1] + way[1] * fraction,
        start[2] + way[2] * fraction,
    ]
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn select<S: Simd>(mask: fearless_simd::mask32x8<S>, p: &Vector<S>, q: &Vector<S>) -> Vector<S> {
    [
        mask.select(p[0], q[0]),
        mask.select(p[1], q[1]),
        mask.select(p[2], q[2]),
    ]
}
