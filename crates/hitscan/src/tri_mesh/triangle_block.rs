//! Up to eight triangles side by side, and the test that throws out most of them at once.
//!
//! Neighbouring triangles share corners: a block keeps its corners once, eight at most, so
//! that it is two cache lines. The test is in f32 and only culls: what it lets pass is decided exactly.
//!
//! Source: Woop, Benthin, Wald, "Watertight Ray/Triangle Intersection", JCGT 2013 (corners sheared
//! along the ray, edge functions in two dimensions); here with a bound on their errors in place of
//! the fallback at zero, and corners that are shared.

use super::block_corners::{CORNERS, Corners};
use crate::Aabb;
use crate::bvh::{LEAF_ITEMS, TraversalRay, around_rows};
use crate::simd::dispatch_baseline;
use crate::simd::permute;
use bytemuck::{Pod, Zeroable};
use fearless_simd::{Simd, f32x8, prelude::*};
use glam::{DVec3, Vec3};

/// Bound on the error of an edge function of sheared corners, in units of a corner's error δ times
/// `M + δ`, M being the largest sheared coordinate.
///
/// `p.x q.y - p.y q.x` with each coordinate off by δ is off by `4Mδ + 2δ²`. Its own roundings are
/// at most `4uM²`, which is at most δM.
const EDGE_ERROR: f32 = 6.0;

/// Bounds on the error δ of a sheared corner beside that of the ray's start: fractions of the corner's depth
/// and of its largest sheared coordinate.
///
/// In units of f32's roundoff u. The start is off along an axis across and along the depth: that is half of
/// the prepared ray's error. The corner's difference from the start rounds across, where it is at most the
/// depth and the sheared coordinate (1 of each), and along (1 of the depth). The slope carries the roundings
/// of two components and of their quotient (3), its product rounds where it is not fused (1), and the last sum
/// does (1 of the sheared coordinate): 6 and 2. The rest covers u².
const DEPTH_ERROR: f32 = 8.0 * (f32::EPSILON / 2.0);
const ACROSS_ERROR: f32 = 4.0 * (f32::EPSILON / 2.0);

/// Bound on the error of a depth, and of the time limit, relative to them: two roundings of f32, and what
/// time limits are raised by.
const TIME_ERROR: f32 = 16.0 * f32::EPSILON;

/// More than what underflow takes from an edge function: 2^-150 a product, and this is 2^-126.
const UNDERFLOW: f32 = f32::MIN_POSITIVE;

/// Up to eight triangles that have up to eight different corners.
#[derive(Debug, Clone, Copy, Zeroable, Pod)]
#[repr(C, align(64))]
pub(crate) struct TriangleBlock {
    /// `corners[axis]`; places that are not used repeat the first.
    corners: [[f32; CORNERS]; 3],
    /// The place of the first, second and third corner of each triangle. Triangles that are not there
    /// repeat the first.
    places: [[u8; LEAF_ITEMS]; 3],
    /// The triangles that are there, as bits.
    used: u32,
    /// 0, so that no byte is undefined.
    spare: u32,
}

impl TriangleBlock {
    /// A block whose corners are all in one place, with no triangle yet. The first that is put there
    /// must have the first three places, as those that are not there repeat it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) const fn at(corner: Vec3) -> Self {
        Self {
            corners: [
                [corner.x; CORNERS],
                [corner.y; CORNERS],
                [corner.z; CORNERS],
            ],
            places: [[0; LEAF_ITEMS], [1; LEAF_ITEMS], [2; LEAF_ITEMS]],
            used: 0,
            spare: 0,
        }
    }

    /// Puts a triangle there, its corners in these places.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn put(&mut self, triangle: usize, places: [u8; 3], corners: [Vec3; 3]) {
        let triangle = triangle % LEAF_ITEMS;
        self.used |= 1 << triangle;
        for (corner, place) in places.into_iter().enumerate() {
            self.places[corner][triangle] = place;
            let place = usize::from(place) % CORNERS;
            let [x, y, z] = corners[corner].to_array();
            self.corners[0][place] = x;
            self.corners[1][place] = y;
            self.corners[2][place] = z;
        }
    }

    /// The block of triangles with these corners.
    pub(super) fn new(corners: &Corners, positions: &[Vec3]) -> Self {
        let mut block = Self {
            corners: [[0.0; CORNERS]; 3],
            places: [[0; LEAF_ITEMS]; 3],
            used: u32::from(u8::MAX) >> (LEAF_ITEMS - corners.triangles),
            spare: 0,
        };
        block.place_corners(|place| positions[corners.vertices[place] as usize]);
        for triangle in 0..LEAF_ITEMS {
            let used = if triangle < corners.triangles {
                triangle
            } else {
                0
            };
            for corner in 0..3 {
                block.places[corner][triangle] = corners.places[used][corner];
            }
        }
        block
    }

    /// Puts the corners elsewhere; the triangles keep theirs.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn place_corners(&mut self, at: impl Fn(usize) -> Vec3) {
        for place in 0..CORNERS {
            let [x, y, z] = at(place).to_array();
            self.corners[0][place] = x;
            self.corners[1][place] = y;
            self.corners[2][place] = z;
        }
    }

    /// Puts the corners of each triangle elsewhere; triangles keep the places that they share.
    pub(super) fn move_triangles(&mut self, at: impl Fn(usize) -> [Vec3; 3]) {
        let first = at(0)[0];
        self.place_corners(|_| first);
        for triangle in 0..self.used.count_ones() as usize {
            let places = self.places.map(|places| places[triangle % LEAF_ITEMS]);
            self.put(triangle, places, at(triangle));
        }
    }

    /// The box around all corners.
    pub(super) fn bounds(&self) -> Aabb {
        dispatch_baseline!(simd => self.bounds_with(simd))
    }

    /// The box around all corners.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn bounds_with<S: Simd>(&self, simd: S) -> Aabb {
        let rows = self.corners.each_ref();
        around_rows(simd, rows, rows)
    }

    /// The corners' coordinates, by axis.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn rows(&self) -> &[[f32; CORNERS]; 3] {
        &self.corners
    }

    /// The places of each triangle's first, second and third corner.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn places(&self) -> &[[u8; LEAF_ITEMS]; 3] {
        &self.places
    }

    /// Bit k is set where triangle k exists.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn used(&self) -> u32 {
        self.used
    }

    /// The corners of one triangle in f64.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn triangle(&self, triangle: usize) -> [DVec3; 3] {
        [
            self.corner(triangle, 0),
            self.corner(triangle, 1),
            self.corner(triangle, 2),
        ]
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn corner(&self, triangle: usize, corner: usize) -> DVec3 {
        self.corner_at(triangle, corner).as_dvec3()
    }

    /// Where a triangle's corner is.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn corner_at(&self, triangle: usize, corner: usize) -> Vec3 {
        let place = usize::from(self.places[corner][triangle % LEAF_ITEMS]) % CORNERS;
        let [x, y, z] = &self.corners;
        Vec3::new(x[place], y[place], z[place])
    }
}

/// A prepared ray, turned so that it looks along its fastest axis.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shear {
    /// The axes across, and the one along.
    pub(crate) axes: [usize; 3],
    pub(crate) start: [f32; 3],
    /// How far the ray goes across while it goes 1 metre along the axis, for both axes across.
    pub(crate) slope: [f32; 2],
    /// 1 or -1: the prepared query's time is this by the depth.
    pub(crate) forward: f32,
    /// That of the start, and a bound on that of a sheared corner of the tree.
    pub(crate) error: f32,
    tree_error: f32,
}

impl Shear {
    /// In place of a ray that is not there.
    pub(super) const NONE: Self = Self {
        axes: [0, 1, 2],
        start: [0.0; 3],
        slope: [0.0; 2],
        forward: 0.0,
        error: 0.0,
        tree_error: 0.0,
    };

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(prepared: &TraversalRay) -> Self {
        let [x, y, z, _] = prepared.direction;
        let (x_size, y_size, z_size) = (x.abs(), y.abs(), z.abs());
        let axes: [usize; 3] = if x_size >= y_size && x_size >= z_size {
            [1, 2, 0]
        } else if y_size >= z_size {
            [2, 0, 1]
        } else {
            [0, 1, 2]
        };
        // The fastest axis' direction is 1 or -1, so a product with it is a quotient.
        let forward = prepared.direction[axes[2]];
        Self {
            axes,
            start: [
                prepared.front[axes[0]],
                prepared.front[axes[1]],
                prepared.front[axes[2]],
            ],
            slope: [
                prepared.direction[axes[0]] * forward,
                prepared.direction[axes[1]] * forward,
            ],
            forward,
            error: prepared.error,
            tree_error: prepared.tree_error,
        }
    }

    /// Tests the block's triangles by the signs of their edge functions: of a triangle that a line crosses
    /// none has another sign than the others.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn test_block<S: Simd>(
        self,
        simd: S,
        block: &TriangleBlock,
        time_limit: f32,
    ) -> BlockTest {
        let [x, y, z] = self.axes;
        let depth = f32x8::load_array_ref(simd, &block.corners[z]) - self.start[2];
        let x = f32x8::load_array_ref(simd, &block.corners[x]) - self.start[0];
        let y = f32x8::load_array_ref(simd, &block.corners[y]) - self.start[1];
        let x = depth.mul_add(-self.slope[0], x);
        let y = depth.mul_add(-self.slope[1], y);
        let size = x.abs().max(y.abs());
        let [a, b, c] = &block.places;
        let size = max_over_corners(simd, size, &block.places);
        let corners_of = |places| (permute(simd, x, places), permute(simd, y, places));
        let (a, b, c) = (corners_of(a), corners_of(b), corners_of(c));
        let (p, q, r) = (cross(b, c), cross(c, a), cross(a, b));
        let ends = [p.min(q).min(r), p.max(q).max(r)];
        let [mut out, mut within] = filtered(ends, size, f32x8::splat(simd, self.tree_error));
        if !(out | within) & block.used != 0 {
            // Closer to an edge than corners anywhere in the tree are known: now by these corners.
            let far = max_over_corners(simd, depth.abs(), &block.places);
            let error = far * DEPTH_ERROR + size * ACROSS_ERROR + self.error;
            [out, within] = filtered(ends, size, error);
        }
        let depth = depth * self.forward;
        let latest = time_limit * (1.0 - TIME_ERROR) - self.error;
        let is_reached = depth.reduce_min() > self.error && depth.reduce_max() < latest;
        BlockTest {
            possible: !out & block.used,
            is_certain: is_reached && within != 0,
        }
    }
}

/// The largest of a number of each triangle's corners.
#[cfg_attr(not(debug_assertions), inline(always))]
fn max_over_corners<S: Simd>(simd: S, row: f32x8<S>, places: &[[u8; LEAF_ITEMS]; 3]) -> f32x8<S> {
    let [a, b, c] = places;
    let (a, b, c) = (
        permute(simd, row, a),
        permute(simd, row, b),
        permute(simd, row, c),
    );
    a.max(b).max(c)
}

/// The triangles that the line surely passes by, and those that it surely crosses, as bits: by the ends of
/// their edge functions, their corners' largest sheared coordinate, and a bound on its error.
#[cfg_attr(not(debug_assertions), inline(always))]
#[expect(clippy::cast_possible_truncation, reason = "the mask has 8 bits")]
fn filtered<S: Simd>([min, max]: [f32x8<S>; 2], size: f32x8<S>, error: f32x8<S>) -> [u32; 2] {
    let bound = (size + error) * (error * EDGE_ERROR) + UNDERFLOW;
    // Written so that whatever is not a number is neither.
    let is_out = max.simd_gt(bound) & min.simd_lt(-bound);
    let is_in = min.simd_gt(bound) | max.simd_lt(-bound);
    [is_out.to_bitmask() as u32, is_in.to_bitmask() as u32]
}

/// What a ray may cross of a block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockTest {
    /// The triangles that its line may cross, as bits.
    pub(super) possible: u32,
    /// Whether the ray surely crosses one of them between its start and the time limit.
    pub(super) is_certain: bool,
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn cross<S: Simd>(p: (f32x8<S>, f32x8<S>), q: (f32x8<S>, f32x8<S>)) -> f32x8<S> {
    p.0.mul_sub(q.1, p.1 * q.0)
}
