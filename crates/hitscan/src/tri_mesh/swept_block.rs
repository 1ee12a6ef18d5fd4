//! Which triangles of a block a moving shape may touch, and when at the earliest.
//!
//! Four tests in f32 of all eight triangles: boxes in time; the gap along the triangle's normal, which
//! closes steadily; and the axes across an edge and the motion, along which nothing moves. They only
//! cull: what they let pass is decided exactly.

use super::TriangleBlock;
use crate::bvh::{TraversalRay, WIDTH};
use crate::convex::Outline;
use crate::simd::permute;
use fearless_simd::{Select, Simd, f32x8, prelude::*};
use glam::DVec3;

/// Bounds on the errors of gaps along axes made of an edge and the motion, and of two edges, in units of
/// the prepared query's error δ by the triangle's size E, and by E².
///
/// δ is 24uR, R bounding the coordinates of the tree and of the query's start, so that E is at most 2R,
/// and no shape touches anything in the tree after it went 3R along its fastest axis. In units of uR:
/// a corner's place beside the shape's middle is off by 3, and by 9 for the direction's rounding on that
/// way. An axis' components are at most 2E and 2E². Their sum times those places, with scalar products of
/// three terms (6), halves and radius (12), and sums (6) is 6E * 36; the motion along an axis that should
/// be across it, by the axis' rounding, is 36E; the two ends of an edge differ along it by 36E: 12δE.
/// For the normal the places, the speed's rounding on that way (9), halves, radius and sums are
/// 6E² * 45, and its corners differ by 36E²: 13δE².
const ERROR: f32 = 16.0;

/// More than what underflow takes from these.
const UNDERFLOW: f32 = 16.0 * f32::MIN_POSITIVE;

/// Up to this error of the prepared query products of three lengths stay in f32's range.
const GREATEST_ERROR: f32 = 1e5;

/// What a half edge or radius grows by when it is rounded to f32.
const ROUNDED_UP: f64 = 1.0 + f32::EPSILON as f64;

/// A moving shape beside a tree: a parallelepiped with a radius, as the prepared query sees it.
pub(super) struct SweptShape {
    /// Where its middle is when the prepared query starts.
    middle: [f32; 3],
    /// Half of the edges that it has.
    halves: [[f32; 3]; 3],
    edges: usize,
    radius: f32,
    prepared: TraversalRay,
    /// Of a gap along an axis, over the triangle's size.
    error: f32,
}

/// What a moving shape may touch of a block.
pub(super) struct SweptTest {
    /// The triangles, as bits.
    pub(super) possible: u32,
    /// The prepared query's times before which they are not touched.
    pub(super) times: [f32; WIDTH],
}

type Vector<S> = [f32x8<S>; 3];

impl SweptShape {
    /// A shape that moves by `motion`, with its prepared query.
    pub(super) fn new(outline: &Outline, motion: DVec3, prepared: &TraversalRay) -> Self {
        let error = if prepared.error < GREATEST_ERROR {
            ERROR * prepared.error
        } else {
            f32::INFINITY
        };
        Self {
            middle: single(outline.middle() + motion * prepared.start()),
            halves: outline.halves().map(|half| single(half * ROUNDED_UP)),
            edges: outline.edges(),
            radius: single(DVec3::splat(outline.radius() * ROUNDED_UP))[0],
            prepared: *prepared,
            error,
        }
    }

    pub(super) fn prepared(&self) -> &TraversalRay {
        &self.prepared
    }

    /// The triangles that the shape may touch up to a time of the prepared query.
    #[inline(always)]
    pub(super) fn test_block<S: Simd>(
        &self,
        simd: S,
        block: &TriangleBlock,
        limit: f32,
    ) -> SweptTest {
        let splat = |x: f32| f32x8::splat(simd, x);
        let [a, b, c] = block.places();
        let (a, b, c) = (
            corners(simd, block, a),
            corners(simd, block, b),
            corners(simd, block, c),
        );
        let (mut enter, mut leave) = (splat(0.0), splat(limit));
        let mut size = splat(0.0);
        for axis in 0..3 {
            let low = a[axis].min(b[axis]).min(c[axis]);
            let high = a[axis].max(b[axis]).max(c[axis]);
            size = size.max(high - low);
            let (first, last) = if self.prepared.first_side[axis] == 0 {
                (low, high)
            } else {
                (high, low)
            };
            let reciprocal = splat(self.prepared.reciprocal[axis]);
            enter = enter.max(first.mul_add(reciprocal, splat(self.prepared.enter[axis])));
            leave = leave.min(last.mul_add(reciprocal, splat(self.prepared.leave[axis])));
        }
        let mut possible = bits(enter.simd_le(leave)) & block.used();
        if possible == 0 {
            return SweptTest {
                possible,
                times: [0.0; WIDTH],
            };
        }
        let (ab, ac, bc) = (minus(&b, &a), minus(&c, &a), minus(&c, &b));
        let middle = everywhere(simd, &self.middle);
        let (a, b, c) = (minus(&a, &middle), minus(&b, &middle), minus(&c, &middle));
        let [x, y, z, _] = self.prepared.direction;
        let direction = everywhere(simd, &[x, y, z]);
        let slack = size.mul_add(splat(self.error), splat(UNDERFLOW));

        let normal = cross(&ab, &ac);
        let place = dot(&normal, &a);
        let speed = dot(&normal, &direction);
        let gap = place.abs() - self.extent(simd, &normal) - slack * size - splat(UNDERFLOW);
        let closing = place.simd_lt(0.0).select(-speed, speed).max(splat(0.0));
        // Written so that whatever is not a number is possible.
        let is_apart = gap.simd_gt(closing * splat(limit));
        possible &= !bits(is_apart);
        if possible == 0 {
            return SweptTest {
                possible,
                times: [0.0; WIDTH],
            };
        }
        let time = gap / closing - splat(self.prepared.error);
        let enter = time.simd_gt(enter).select(time, enter);

        for (edge, start, opposite) in [(&ab, &a, &c), (&ac, &a, &b), (&bc, &b, &a)] {
            let axis = cross(edge, &direction);
            let (one, other) = (dot(&axis, start), dot(&axis, opposite));
            let extent = self.extent(simd, &axis) + slack;
            let is_apart = one.min(other).simd_gt(extent) | one.max(other).simd_lt(-extent);
            possible &= !bits(is_apart);
        }
        SweptTest {
            possible,
            times: enter.to_array(),
        }
    }

    /// How far the shape reaches from its middle along an axis, times the axis' length.
    #[inline(always)]
    fn extent<S: Simd>(&self, simd: S, axis: &Vector<S>) -> f32x8<S> {
        let mut extent = dot(axis, axis).sqrt() * f32x8::splat(simd, self.radius);
        for half in &self.halves[..self.edges] {
            extent += dot(axis, &everywhere(simd, half)).abs();
        }
        extent
    }
}

/// The first, second or third corners of the triangles.
#[inline(always)]
fn corners<S: Simd>(simd: S, block: &TriangleBlock, places: &[u8; WIDTH]) -> Vector<S> {
    let [x, y, z] = block.rows();
    [
        permute(simd, f32x8::load_array_ref(simd, x), places),
        permute(simd, f32x8::load_array_ref(simd, y), places),
        permute(simd, f32x8::load_array_ref(simd, z), places),
    ]
}

/// The same vector in every lane.
#[inline(always)]
fn everywhere<S: Simd>(simd: S, v: &[f32; 3]) -> Vector<S> {
    [
        f32x8::splat(simd, v[0]),
        f32x8::splat(simd, v[1]),
        f32x8::splat(simd, v[2]),
    ]
}

#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the mask has 8 bits")]
fn bits<S: Simd>(mask: fearless_simd::mask32x8<S>) -> u32 {
    mask.to_bitmask() as u32
}

fn single(v: DVec3) -> [f32; 3] {
    v.as_vec3().to_array()
}

#[inline(always)]
fn minus<S: Simd>(p: &Vector<S>, q: &Vector<S>) -> Vector<S> {
    [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
}

#[inline(always)]
fn dot<S: Simd>(p: &Vector<S>, q: &Vector<S>) -> f32x8<S> {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

#[inline(always)]
fn cross<S: Simd>(p: &Vector<S>, q: &Vector<S>) -> Vector<S> {
    [
        p[1] * q[2] - p[2] * q[1],
        p[2] * q[0] - p[0] * q[2],
        p[0] * q[1] - p[1] * q[0],
    ]
}
