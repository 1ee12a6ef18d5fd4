//! Up to eight triangles side by side, and the test that throws out most of them at once.
//!
//! Triangles that stand together share corners: a block keeps its corners once, eight at most, so
//! that it is two cache lines. The test is in f32 and only culls: what it lets pass is decided by
//! `ray_triangle.rs`, exactly.
//!
//! Source: Woop, Benthin, Wald, "Watertight Ray/Triangle Intersection", JCGT 2013 (corners sheared
//! along the ray, edge functions in two dimensions); here with a bound on their errors in place of
//! the fallback at zero, and corners that are shared.

use crate::Aabb;
use crate::bvh::{Image, LEAF_ITEMS, NO_ITEM};
use crate::simd::permute;
use fearless_simd::{Level, Simd, dispatch, f32x8, prelude::*};
use glam::{DVec3, Vec3};

/// Bound on the error of an edge function of sheared corners, in units of a corner's error δ times
/// `M + δ`, M being the greatest sheared coordinate.
///
/// `p.x q.y - p.y q.x` with each coordinate off by δ is off by `4Mδ + 2δ²`. Its own roundings are
/// at most `4uM²` with M at most 4R, which is `16uRM`, at most δM: see the error of `Image`.
const EDGE_ERROR: f32 = 6.0;

/// What underflow may take from an edge function: a few of the smallest numbers, which are less
/// than this.
const UNDERFLOW: f32 = f32::MIN_POSITIVE;

/// How many different corners a block holds at most.
const CORNERS: usize = 8;

/// Up to eight triangles that have up to eight different corners.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(crate) struct TriangleBlock {
    /// `corners[axis]`; places that are not used repeat the first.
    corners: [[f32; CORNERS]; 3],
    /// The place of the first, second and third corner of each triangle. Triangles that are not there
    /// repeat the first.
    places: [[u8; LEAF_ITEMS]; 3],
    /// The triangles that are there, as bits.
    used: u32,
}

impl TriangleBlock {
    /// The block of triangles with these corners.
    pub(super) fn new(corners: &Corners, positions: &[Vec3]) -> Self {
        let mut block = Self {
            corners: [[0.0; CORNERS]; 3],
            places: [[0; LEAF_ITEMS]; 3],
            used: u32::from(u8::MAX) >> (LEAF_ITEMS - corners.triangles),
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
    #[inline(always)]
    pub(crate) fn place_corners(&mut self, at: impl Fn(usize) -> Vec3) {
        for place in 0..CORNERS {
            let [x, y, z] = at(place).to_array();
            self.corners[0][place] = x;
            self.corners[1][place] = y;
            self.corners[2][place] = z;
        }
    }

    /// The box around all corners.
    pub(super) fn bounds(&self) -> Aabb {
        dispatch!(Level::baseline(), simd => self.bounds_with(simd))
    }

    /// The box around all corners.
    #[inline(always)]
    pub(super) fn bounds_with<S: Simd>(&self, simd: S) -> Aabb {
        let [x, y, z] = &self.corners;
        let low = |row: &[f32; CORNERS]| f32x8::load_array_ref(simd, row).reduce_min();
        let high = |row: &[f32; CORNERS]| f32x8::load_array_ref(simd, row).reduce_max();
        Aabb::from_ordered(
            Vec3::new(low(x), low(y), low(z)),
            Vec3::new(high(x), high(y), high(z)),
        )
    }

    /// The corners of one triangle in f64.
    #[inline(always)]
    pub(super) fn triangle(&self, triangle: usize) -> [DVec3; 3] {
        [
            self.corner(triangle, 0),
            self.corner(triangle, 1),
            self.corner(triangle, 2),
        ]
    }

    #[inline(always)]
    fn corner(&self, triangle: usize, corner: usize) -> DVec3 {
        self.corner_at(triangle, corner).as_dvec3()
    }

    /// Where a triangle's corner is.
    #[inline(always)]
    pub(super) fn corner_at(&self, triangle: usize, corner: usize) -> Vec3 {
        let place = usize::from(self.places[corner][triangle % LEAF_ITEMS]) % CORNERS;
        let [x, y, z] = &self.corners;
        Vec3::new(x[place], y[place], z[place])
    }
}

/// The vertices in a block's places; places that are not used repeat the first.
pub(crate) type BlockCorners = [u32; CORNERS];

/// The different corners of up to eight triangles.
pub(super) struct Corners {
    pub(super) vertices: BlockCorners,
    count: usize,
    triangles: usize,
    /// For each triangle the places of its corners.
    places: [[u8; 3]; LEAF_ITEMS],
}

/// Which vertices are one corner.
pub(super) trait Likeness {
    /// A number that vertices which are alike have in common, and others hardly ever.
    fn key(&self, vertex: u32) -> u32;

    fn are_alike(&self, one: u32, other: u32) -> bool;
}

/// Vertices in one place are alike.
pub(super) struct ByPlace<'a>(pub(super) &'a [Vec3]);

impl Likeness for ByPlace<'_> {
    fn key(&self, vertex: u32) -> u32 {
        // -0 and 0 are one place.
        let [x, y, z] = self.0[vertex as usize]
            .to_array()
            .map(|c| (c + 0.0).to_bits());
        x ^ y.rotate_left(11) ^ z.rotate_left(22)
    }

    fn are_alike(&self, one: u32, other: u32) -> bool {
        one == other || self.0[one as usize] == self.0[other as usize]
    }
}

/// Vertices with one number are alike.
pub(super) struct ByTwin<'a>(pub(super) &'a [u32]);

impl Likeness for ByTwin<'_> {
    fn key(&self, vertex: u32) -> u32 {
        self.0[vertex as usize]
    }

    fn are_alike(&self, one: u32, other: u32) -> bool {
        self.0[one as usize] == self.0[other as usize]
    }
}

impl Corners {
    /// The corners of the triangles with these numbers, of which [`NO_ITEM`] ends them, or `None` if
    /// they are too many for a block. Vertices that are alike are one corner.
    pub(super) fn of(
        numbers: &[u32],
        triangles: &[[u32; 3]],
        likeness: &impl Likeness,
    ) -> Option<Self> {
        let is_used = |number: &&u32| **number != NO_ITEM;
        let numbers = &numbers[..numbers.iter().take_while(is_used).count()];
        if numbers.len() > LEAF_ITEMS {
            return None;
        }
        let mut corners = Self {
            vertices: [0; CORNERS],
            count: 0,
            triangles: numbers.len(),
            places: [[0; 3]; LEAF_ITEMS],
        };
        let mut keys = [0; CORNERS];
        for (triangle, number) in numbers.iter().enumerate() {
            for (corner, vertex) in triangles[*number as usize].into_iter().enumerate() {
                let key = likeness.key(vertex);
                let place = match corners.place_of(vertex, key, &keys, likeness) {
                    Some(place) => place,
                    None if corners.count < CORNERS => {
                        keys[corners.count] = key;
                        corners.vertices[corners.count] = vertex;
                        corners.count += 1;
                        corners.count - 1
                    }
                    None => return None,
                };
                #[expect(clippy::cast_possible_truncation, reason = "there are 8 places")]
                {
                    corners.places[triangle][corner] = place as u8;
                }
            }
        }
        let first = corners.vertices[0];
        corners.vertices[corners.count..].fill(first);
        Some(corners)
    }

    /// Where among the corners one stands that the vertex is alike.
    #[inline(always)]
    fn place_of(
        &self,
        vertex: u32,
        key: u32,
        keys: &[u32; CORNERS],
        likeness: &impl Likeness,
    ) -> Option<usize> {
        // All keys are compared at once, without branches; few vertices are looked at.
        let mut candidates = 0;
        for (place, other) in keys.iter().enumerate() {
            candidates |= u32::from(*other == key) << place;
        }
        candidates &= (1 << self.count) - 1;
        while candidates != 0 {
            let place = candidates.trailing_zeros() as usize % CORNERS;
            if likeness.are_alike(self.vertices[place], vertex) {
                return Some(place);
            }
            candidates &= candidates - 1;
        }
        None
    }
}

/// A ray's image, turned so that it looks along its fastest axis.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shear {
    /// The axes across, and the one along.
    pub(crate) axes: [usize; 3],
    pub(crate) start: [f32; 3],
    /// How far the ray goes across while it goes 1 metre along the axis, for both axes across.
    pub(crate) slope: [f32; 2],
    /// 1 or -1: the image's time is this by the depth.
    pub(crate) forward: f32,
    pub(crate) error: f32,
}

impl Shear {
    /// Stands where there is no ray.
    pub(super) const NONE: Self = Self {
        axes: [0, 1, 2],
        start: [0.0; 3],
        slope: [0.0; 2],
        forward: 0.0,
        error: 0.0,
    };

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
        // The fastest axis' direction is 1 or -1, so a product with it is a quotient.
        let forward = image.direction[axes[2]];
        Self {
            axes,
            start: [
                image.front[axes[0]],
                image.front[axes[1]],
                image.front[axes[2]],
            ],
            slope: [
                image.direction[axes[0]] * forward,
                image.direction[axes[1]] * forward,
            ],
            forward,
            error: image.error,
        }
    }

    /// Tells the block's triangles by the signs of their edge functions: a line that crosses the
    /// triangle sees none of another sign than the others.
    #[inline(always)]
    pub(super) fn sort_out<S: Simd>(
        self,
        simd: S,
        block: &TriangleBlock,
        time_limit: f32,
    ) -> Sorted {
        let [x, y, z] = self.axes;
        let depth = f32x8::load_array_ref(simd, &block.corners[z]) - self.start[2];
        let x = f32x8::load_array_ref(simd, &block.corners[x]) - self.start[0];
        let y = f32x8::load_array_ref(simd, &block.corners[y]) - self.start[1];
        let x = depth.mul_add(-self.slope[0], x);
        let y = depth.mul_add(-self.slope[1], y);
        let size = x.abs().max(y.abs());
        let [a, b, c] = &block.places;
        let greatest_of = |places| permute(simd, size, places);
        let size = greatest_of(a).max(greatest_of(b)).max(greatest_of(c));
        let bound = (size + self.error) * (EDGE_ERROR * self.error) + UNDERFLOW;
        let corners_of = |places| (permute(simd, x, places), permute(simd, y, places));
        let (a, b, c) = (corners_of(a), corners_of(b), corners_of(c));
        let (p, q, r) = (cross(b, c), cross(c, a), cross(a, b));
        let greatest = p.max(q).max(r);
        let least = p.min(q).min(r);
        // Written so that whatever is not a number is possible and not certain.
        let is_out = greatest.simd_gt(bound) & least.simd_lt(-bound);
        let is_in = least.simd_gt(bound) | greatest.simd_lt(-bound);
        let depth = depth * self.forward;
        let is_reached =
            depth.reduce_min() > self.error && depth.reduce_max() < time_limit - self.error;
        let is_certain = is_reached && is_in.any_true();
        #[expect(clippy::cast_possible_truncation, reason = "the mask has 8 bits")]
        let out = is_out.to_bitmask() as u32;
        Sorted {
            possible: !out & block.used,
            is_certain,
        }
    }
}

/// What a ray may cross of a block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sorted {
    /// The triangles that its line may cross, as bits.
    pub(super) possible: u32,
    /// Whether the ray surely crosses one of them between its start and the time limit.
    pub(super) is_certain: bool,
}

#[inline(always)]
fn cross<S: Simd>(p: (f32x8<S>, f32x8<S>), q: (f32x8<S>, f32x8<S>)) -> f32x8<S> {
    p.0.mul_sub(q.1, p.1 * q.0)
}
