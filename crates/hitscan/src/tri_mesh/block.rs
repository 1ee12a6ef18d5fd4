//! Triangles side by side, four at a time, and the test that throws out most of them at once.
//!
//! The test is in f32 and only culls: what it lets pass is decided by `ray_triangle.rs`, exactly.
//!
//! Source: Woop, Benthin, Wald, "Watertight Ray/Triangle Intersection", JCGT 2013 (vertices sheared
//! along the ray, edge functions in two dimensions); here with a bound on their errors in place of
//! the fallback at zero.

use crate::bvh::{Image, LEAF_ITEMS, Leaf, NO_ITEM};
use fearless_simd::{Simd, f32x4, prelude::*};
use glam::{DVec3, Vec3};

/// Bound on the error of an edge function of sheared corners, in units of a corner's error δ times
/// `M + δ`, M being the greatest sheared coordinate of the three.
///
/// `p.x q.y - p.y q.x` with each coordinate off by δ is off by `4Mδ + 2δ²`. Its own roundings are
/// at most `4uM²` with M at most 4R, which is `16uRM`, half of δM: see `Image`'s error.
const EDGE_ERROR: f32 = 5.0;

/// What underflow may take from an edge function: a few of the smallest numbers, which are less
/// than this.
const UNDERFLOW: f32 = f32::MIN_POSITIVE;

/// The corners of up to four triangles, `corners[corner][axis][triangle]`, and their numbers.
///
/// Places that are not used repeat the first triangle.
#[derive(Debug, Clone)]
#[repr(C, align(32))]
pub(crate) struct TriangleBlock {
    corners: [[[f32; LEAF_ITEMS]; 3]; 3],
    triangles: [u32; LEAF_ITEMS],
}

impl Leaf for TriangleBlock {
    #[inline(always)]
    fn items(&self) -> &[u32; LEAF_ITEMS] {
        &self.triangles
    }
}

impl TriangleBlock {
    /// The block of the triangles with these numbers.
    pub(super) fn new(
        numbers: &[u32; LEAF_ITEMS],
        positions: &[Vec3],
        triangles: &[[u32; 3]],
    ) -> Self {
        let mut block = Self {
            corners: [[[0.0; LEAF_ITEMS]; 3]; 3],
            triangles: *numbers,
        };
        for place in 0..LEAF_ITEMS {
            let is_used = numbers[place] != NO_ITEM;
            let number = if is_used { numbers[place] } else { numbers[0] };
            for (corner, position) in triangles[number as usize].into_iter().enumerate() {
                for axis in 0..3 {
                    block.corners[corner][axis][place] = positions[position as usize][axis];
                }
            }
        }
        block
    }

    /// The corners of one triangle in f64.
    #[inline(always)]
    pub(super) fn triangle(&self, place: usize) -> [DVec3; 3] {
        let [a, b, c] = &self.corners;
        [at(a, place), at(b, place), at(c, place)]
    }
}

#[inline(always)]
fn at(corner: &[[f32; LEAF_ITEMS]; 3], place: usize) -> DVec3 {
    Vec3::new(corner[0][place], corner[1][place], corner[2][place]).as_dvec3()
}

/// A ray's image, turned so that it looks along its fastest axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shear {
    /// The axes across, and the one along.
    axes: [usize; 3],
    start: [f32; 3],
    /// How far the ray goes across while it goes 1 metre along the axis, for both axes across.
    slope: [f32; 2],
    /// 1 or -1: the image's time is this by the depth.
    forward: f32,
    error: f32,
}

impl Shear {
    #[inline(always)]
    pub(super) fn new(image: &Image) -> Self {
        let [x, y, z, _] = image.direction;
        let (x_size, y_size, z_size) = (x.abs(), y.abs(), z.abs());
        let axes: [usize; 3] = if x_size >= y_size && x_size >= z_size {
            [1, 2, 0]
        } else if y_size >= z_size {
            [2, 0, 1]
        } else {
            [0, 1, 2]
        };
        let forward = image.direction[axes[2]];
        Self {
            axes,
            start: [image.front[axes[0]], image.front[axes[1]], image.front[axes[2]]],
            slope: [
                image.direction[axes[0]] * forward,
                image.direction[axes[1]] * forward,
            ],
            forward,
            error: image.error,
        }
    }

    /// The triangles that the ray may cross not later than at `limit` of the image's time, as bits.
    ///
    /// A triangle is left out where two edge functions have surely different signs, or where all
    /// corners are surely behind the start or beyond the limit: a crossing lies between them.
    // Spelt out rather than mapped over arrays: a function of the standard library that is not
    // inlined would be compiled without the vector instructions.
    #[inline(always)]
    pub(super) fn may_cross<S: Simd>(self, simd: S, block: &TriangleBlock, limit: f32) -> u32 {
        let a = self.sheared(simd, &block.corners[0]);
        let b = self.sheared(simd, &block.corners[1]);
        let c = self.sheared(simd, &block.corners[2]);
        let (p, q, r) = (cross(b, c), cross(c, a), cross(a, b));
        let size = a.size().max(b.size()).max(c.size());
        let bound = (size + self.error) * (EDGE_ERROR * self.error) + UNDERFLOW;
        let greatest = p.max(q).max(r);
        let least = p.min(q).min(r);
        let first = a.depth.min(b.depth).min(c.depth);
        let last = a.depth.max(b.depth).max(c.depth);
        // Written so that whatever is not a number stays in.
        let is_out = (greatest.simd_gt(bound) & least.simd_lt(-bound))
            | first.simd_gt(limit + self.error)
            | last.simd_lt(-self.error);
        !(is_out.to_bitmask() as u32) & 0b1111
    }

    #[inline(always)]
    fn sheared<S: Simd>(self, simd: S, corner: &[[f32; LEAF_ITEMS]; 3]) -> Sheared<S> {
        let [x, y, z] = self.axes;
        let depth = f32x4::from_slice(simd, &corner[z]) - self.start[2];
        let x = f32x4::from_slice(simd, &corner[x]) - self.start[0];
        let y = f32x4::from_slice(simd, &corner[y]) - self.start[1];
        Sheared {
            x: depth.mul_add(-self.slope[0], x),
            y: depth.mul_add(-self.slope[1], y),
            depth: depth * self.forward,
        }
    }
}

/// Corners as seen from the start along the ray.
#[derive(Clone, Copy)]
struct Sheared<S: Simd> {
    x: f32x4<S>,
    y: f32x4<S>,
    depth: f32x4<S>,
}

impl<S: Simd> Sheared<S> {
    #[inline(always)]
    fn size(self) -> f32x4<S> {
        self.x.abs().max(self.y.abs())
    }
}

#[inline(always)]
fn cross<S: Simd>(p: Sheared<S>, q: Sheared<S>) -> f32x4<S> {
    p.x.mul_sub(q.y, p.y * q.x)
}
