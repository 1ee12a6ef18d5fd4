//! Swept shape against the eight triangles of a block: those that it may touch, and lower bounds on the
//! times.
//!
//! All eight triangles are tested at once in f32. This only culls: what passes is decided exactly.
//!
//! # Lanes and axes
//! Lane k of each vector is triangle k of the block. The block has a row of eight corners for each of x, y and
//! z; permuted by the places of the triangles' first, second and third corners, these are a, b and c.
//!
//! ```text
//!   axes, in this order                       number        effect
//!   x, y, z                                   3             slab test: culls, and gives a first time
//!   normal, ab x ac                           1             culls by the gap, which closes steadily; delays
//!   edge x direction, of ab, ac, bc           3             culls: nothing moves along these axes
//!   edge x half edge of the shape:            3 for each    delays
//!     for each half edge ab, ac, bc           half edge
//!   between the nearest points, with radius   STEPS         delays
//! ```

use super::TriangleBlock;
use super::lane_vector::{Vector, along, cross, dot, everywhere, minus, plus};
use crate::bvh::{LATER, TraversalRay, WIDTH, slab_time};
use crate::narrow_phase::convex::Outline;
use crate::simd::permute;
use fearless_simd::{Select, Simd, f32x8, prelude::*};
use glam::DVec3;

/// Bounds on the errors of gaps along axes made of an edge and the motion, and of two edges, in units of
/// the prepared query's error δ by the triangle's size E, and by E².
///
/// δ is 24uR, R bounding the coordinates of the triangle and of the query's start, so that E is at most 2R,
/// and no shape touches the triangle after it went 3R along its fastest axis. In units of uR:
/// a corner's place beside the shape's middle is off by 3, and by 9 for the direction's rounding on that
/// way. An axis' components are at most 2E and 2E². Their sum times those places, with scalar products of
/// three terms (6), halves and radius (12), and sums (6) is 6E * 36; the motion along an axis that should
/// be across it, by the axis' rounding, is 36E; the two ends of an edge differ along it by 36E: 12δE.
/// For the normal the places, the speed's rounding on that way (9), halves, radius and sums are
/// 6E² * 45, and its corners differ by 36E²: 13δE².
const ERROR: f32 = 16.0;

/// The same for any axis, by the sum of its components: corners' places, the speed, halves and radius
/// are off by less than 48uR, which is 2δ.
const ANY_ERROR: f32 = 4.0;

/// An axis is tried for a separation if its length's square is more: no bit of it is lost.
const MIN_SQUARE: f32 = 1e-30;

/// More than what underflow takes from these: 2^-150 a product, and this is 2^-122.
const UNDERFLOW: f32 = 16.0 * f32::MIN_POSITIVE;

/// Up to this error products of three lengths stay in f32's range.
const MAX_ERROR: f32 = 1e5;

/// The number of times that the axis between the nearest points is tried.
const STEPS: usize = 2;

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
    is_round: bool,
    direction: [f32; 3],
}

/// What a moving shape may touch of a block.
pub(super) struct SweptTest {
    /// The triangles, as bits.
    pub(super) possible: u32,
    /// The prepared query's times before which they are not touched.
    pub(super) times: [f32; WIDTH],
}

impl SweptShape {
    /// A shape that moves by `motion`, with its prepared query.
    pub(super) fn new(outline: &Outline, motion: DVec3, prepared: &TraversalRay) -> Self {
        let [x, y, z, _] = prepared.direction;
        Self {
            middle: single(outline.middle() + motion * prepared.start()),
            halves: outline.halves().map(|half| single(half * ROUNDED_UP)),
            edges: outline.edges(),
            radius: single(DVec3::splat(outline.radius() * ROUNDED_UP))[0],
            is_round: outline.is_round(),
            direction: [x, y, z],
        }
    }

    /// The triangles that the shape may touch up to a time of the prepared query.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn test_block<S: Simd>(
        &self,
        simd: S,
        prepared: &TraversalRay,
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
        let (mut enter, mut leave) = (splat(0.0), splat(f32::MAX));
        let mut size = splat(0.0);
        for axis in 0..3 {
            let low = a[axis].min(b[axis]).min(c[axis]);
            let high = a[axis].max(b[axis]).max(c[axis]);
            size = size.max(high - low);
            let (first, last) = if prepared.first_side[axis] == 0 {
                (low, high)
            } else {
                (high, low)
            };
            let reciprocal = splat(prepared.reciprocal[axis]);
            let (entry, exit) = (splat(prepared.enter[axis]), splat(prepared.leave[axis]));
            enter = enter.max(slab_time(simd, first, reciprocal, entry));
            leave = leave.min(slab_time(simd, last, reciprocal, exit));
        }
        let leave = (leave * LATER).min(splat(limit));
        let mut possible = bits(enter.simd_le(leave)) & block.used();
        if possible == 0 {
            return SweptTest {
                possible,
                times: [0.0; WIDTH],
            };
        }
        let error = errors(simd, prepared, [&a, &b, &c]);
        let (ab, ac, bc) = (minus(&b, &a), minus(&c, &a), minus(&c, &b));
        let middle = everywhere(simd, &self.middle);
        let (a, b, c) = (minus(&a, &middle), minus(&b, &middle), minus(&c, &middle));
        let direction = everywhere(simd, &self.direction);
        let slack = size.mul_add(error * ERROR, splat(UNDERFLOW));

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
        let time = gap / closing - error;
        let mut enter = time.simd_gt(enter).select(time, enter);

        for (edge, start, opposite) in [(&ab, &a, &c), (&ac, &a, &b), (&bc, &b, &a)] {
            let axis = cross(edge, &direction);
            let (one, other) = (dot(&axis, start), dot(&axis, opposite));
            let extent = self.extent(simd, &axis) + slack;
            let is_apart = one.min(other).simd_gt(extent) | one.max(other).simd_lt(-extent);
            possible &= !bits(is_apart);
        }
        if possible != 0 {
            self.improve(simd, [&a, &b, &c], error, &mut enter);
            possible &= bits(enter.simd_le(splat(limit)));
        }
        SweptTest {
            possible,
            times: enter.to_array(),
        }
    }

    /// Makes the times later by other axes: any axis along which shape and triangle are apart does.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn improve<S: Simd>(
        &self,
        simd: S,
        corners: [&Vector<S>; 3],
        error: f32x8<S>,
        enter: &mut f32x8<S>,
    ) {
        let [a, b, c] = corners;
        let edges = [minus(b, a), minus(c, a), minus(c, b)];
        for half in &self.halves[..self.edges] {
            let half = everywhere(simd, half);
            for edge in &edges {
                self.delay(simd, corners, (&cross(edge, &half), error), enter);
            }
        }
        if !self.is_round {
            return;
        }
        let direction = everywhere(simd, &self.direction);
        for _ in 0..STEPS {
            // The way to the edge that is nearest to the shape at this time; faces were tried.
            let gone = [
                direction[0] * *enter,
                direction[1] * *enter,
                direction[2] * *enter,
            ];
            let between = self.between(simd, [a, b], &edges, &gone);
            self.delay(simd, corners, (&between, error), enter);
        }
    }

    /// Bounds of the separations of a block's triangles from the shape at rest: no more than they are.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn separations<S: Simd>(
        &self,
        simd: S,
        prepared: &TraversalRay,
        block: &TriangleBlock,
    ) -> [f64; WIDTH] {
        let [a, b, c] = block.places();
        let middle = everywhere(simd, &self.middle);
        let (a, b, c) = (
            corners(simd, block, a),
            corners(simd, block, b),
            corners(simd, block, c),
        );
        let error = errors(simd, prepared, [&a, &b, &c]);
        let (a, b, c) = (minus(&a, &middle), minus(&b, &middle), minus(&c, &middle));
        let edges = [minus(&b, &a), minus(&c, &a), minus(&c, &b)];
        let mut min = f32x8::splat(simd, f32::NEG_INFINITY);
        let normal = cross(&edges[0], &edges[1]);
        self.part(simd, [&a, &b, &c], (&normal, error), &mut min);
        for half in &self.halves[..self.edges] {
            let half = everywhere(simd, half);
            for edge in &edges {
                let axis = cross(edge, &half);
                self.part(simd, [&a, &b, &c], (&axis, error), &mut min);
            }
        }
        let none = everywhere(simd, &[0.0; 3]);
        let between = self.between(simd, [&a, &b], &edges, &none);
        self.part(simd, [&a, &b, &c], (&between, error), &mut min);
        min.to_array().map(f64::from)
    }

    /// Raises bounds of separations to the gap along an axis, which may be any: see
    /// [`SweptShape::delay`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn part<S: Simd>(
        &self,
        simd: S,
        [a, b, c]: [&Vector<S>; 3],
        (axis, error): (&Vector<S>, f32x8<S>),
        min: &mut f32x8<S>,
    ) {
        let splat = |x: f32| f32x8::splat(simd, x);
        let (a, b, c) = (dot(axis, a), dot(axis, b), dot(axis, c));
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let gap = low.max(-high) - self.extent(simd, axis) - slack(simd, axis, error);
        let square = dot(axis, axis);
        let bound = gap / square.sqrt();
        // A root and a quotient round once each.
        let bound = bound - bound.abs() * splat(8.0 * f32::EPSILON);
        let is_greater = square.simd_gt(splat(MIN_SQUARE)) & bound.simd_gt(*min);
        *min = is_greater.select(bound, *min);
    }

    /// The way from the shape's core, `gone` from where it starts, to about the nearest point of the edges
    /// of a triangle.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn between<S: Simd>(
        &self,
        simd: S,
        [a, b]: [&Vector<S>; 2],
        edges: &[Vector<S>; 3],
        gone: &Vector<S>,
    ) -> Vector<S> {
        let (a, b) = (minus(a, gone), minus(b, gone));
        let middle = self.nearest_of_core(simd, &along(&a, &edges[0], f32x8::splat(simd, 0.5)));
        let (a, b) = (minus(&a, &middle), minus(&b, &middle));
        let mut nearest = nearest_of_edge(simd, &a, &edges[0]);
        let mut square = dot(&nearest, &nearest);
        for (start, edge) in [(&a, &edges[1]), (&b, &edges[2])] {
            let other = nearest_of_edge(simd, start, edge);
            let other_square = dot(&other, &other);
            let is_nearer = other_square.simd_lt(square);
            square = square.min(other_square);
            nearest = [
                is_nearer.select(other[0], nearest[0]),
                is_nearer.select(other[1], nearest[1]),
                is_nearer.select(other[2], nearest[2]),
            ];
        }
        if self.edges != 0 {
            let nearest_here = plus(&nearest, &middle);
            let core = self.nearest_of_core(simd, &nearest_here);
            nearest = minus(&nearest_here, &core);
        }
        nearest
    }

    /// About the point of the shape's core, in its middle's place, that is nearest to a point.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn nearest_of_core<S: Simd>(&self, simd: S, point: &Vector<S>) -> Vector<S> {
        let one = f32x8::splat(simd, 1.0);
        let mut nearest = everywhere(simd, &[0.0; 3]);
        for half in &self.halves[..self.edges] {
            let half = everywhere(simd, half);
            let fraction = dot(point, &half) / dot(&half, &half);
            nearest = along(&nearest, &half, fraction.min(one).max(-one));
        }
        nearest
    }

    /// Makes the times later where the shape is apart from triangles along an axis until then.
    ///
    /// The axis may be any.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn delay<S: Simd>(
        &self,
        simd: S,
        [a, b, c]: [&Vector<S>; 3],
        (axis, error): (&Vector<S>, f32x8<S>),
        enter: &mut f32x8<S>,
    ) {
        let splat = |x: f32| f32x8::splat(simd, x);
        let speed = dot(axis, &everywhere(simd, &self.direction));
        let (a, b, c) = (dot(axis, a), dot(axis, b), dot(axis, c));
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let is_behind = (low + high).simd_lt(splat(0.0));
        let place = is_behind.select(-high, low);
        let closing = is_behind.select(-speed, speed).max(splat(0.0));
        let gap = place - self.extent(simd, axis) - slack(simd, axis, error);
        // Infinite where it stays apart.
        let time = gap / closing - error;
        let is_later = gap.simd_gt(splat(0.0)) & time.simd_gt(*enter);
        *enter = is_later.select(time, *enter);
    }

    /// The projected radius of the shape on an axis, times the axis' length.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn extent<S: Simd>(&self, simd: S, axis: &Vector<S>) -> f32x8<S> {
        // What is added is more than what underflow takes.
        let square = dot(axis, axis) + f32x8::splat(simd, UNDERFLOW);
        let mut extent = square.sqrt() * f32x8::splat(simd, self.radius);
        for half in &self.halves[..self.edges] {
            extent += dot(axis, &everywhere(simd, half)).abs();
        }
        extent
    }
}

/// What errors may take from a gap along any axis.
#[cfg_attr(not(debug_assertions), inline(always))]
fn slack<S: Simd>(simd: S, axis: &Vector<S>, error: f32x8<S>) -> f32x8<S> {
    let sum = axis[0].abs() + axis[1].abs() + axis[2].abs();
    sum.mul_add(error * ANY_ERROR, f32x8::splat(simd, UNDERFLOW))
}

/// The prepared query's error δ beside each triangle; infinite where products might leave f32's range.
#[cfg_attr(not(debug_assertions), inline(always))]
fn errors<S: Simd>(simd: S, prepared: &TraversalRay, corners: [&Vector<S>; 3]) -> f32x8<S> {
    let mut max_abs = f32x8::splat(simd, 0.0);
    for corner in corners {
        for row in corner {
            max_abs = max_abs.max(row.abs());
        }
    }
    let error = prepared.errors_within(simd, max_abs);
    let is_small = error.simd_lt(f32x8::splat(simd, MAX_ERROR));
    is_small.select(error, f32x8::splat(simd, f32::INFINITY))
}

/// The first, second or third corners of the triangles.
#[cfg_attr(not(debug_assertions), inline(always))]
fn corners<S: Simd>(simd: S, block: &TriangleBlock, places: &[u8; WIDTH]) -> Vector<S> {
    let [x, y, z] = block.rows();
    [
        permute(simd, f32x8::load_array_ref(simd, x), places),
        permute(simd, f32x8::load_array_ref(simd, y), places),
        permute(simd, f32x8::load_array_ref(simd, z), places),
    ]
}

#[cfg_attr(not(debug_assertions), inline(always))]
#[expect(clippy::cast_possible_truncation, reason = "the mask has 8 bits")]
fn bits<S: Simd>(mask: fearless_simd::mask32x8<S>) -> u32 {
    mask.to_bitmask() as u32
}

fn single(v: DVec3) -> [f32; 3] {
    v.as_vec3().to_array()
}

/// About the point of an edge that is nearest to the origin.
#[cfg_attr(not(debug_assertions), inline(always))]
fn nearest_of_edge<S: Simd>(simd: S, start: &Vector<S>, edge: &Vector<S>) -> Vector<S> {
    let splat = |x: f32| f32x8::splat(simd, x);
    let fraction = -dot(start, edge) / dot(edge, edge).max(splat(UNDERFLOW));
    along(start, edge, fraction.max(splat(0.0)).min(splat(1.0)))
}

#[cfg(test)]
mod tests;
