//! Leaf packing for quick builds: triangles are put into blocks one after the other in Morton order
//! (`bvh/build/morton.rs`), as long as they fit and are close together.
//!
//! So each triangle is visited once, and the tree is built over blocks, which are four to five times fewer.

use crate::Aabb;
use crate::bvh::{LEAF_ITEMS, LeafItems, NO_ITEM, in_morton_order};
use crate::cancel::{Cancel, Cancelled};
use crate::parallel::fill_all;
use crate::simd::Width;
use crate::simd::dispatch_wide;
use crate::tri_mesh::block_corners::{Finder, WeldKey};
use crate::tri_mesh::triangle_block::TriangleBlock;
use fearless_simd::{f32x8, prelude::*};
use glam::Vec3;

/// The number of triangles a task. The blocks are the same for every number of threads, so each task
/// starts a new block: large enough that few blocks stay unfilled by that, small enough for threads to
/// end together.
const CHUNK: usize = 16_384;

/// A triangle joins a block where the box around both has at most so many times the surface of both
/// boxes. At 1 a ray would hit one box as often as two; a little more leaves fewer blocks to build
/// over, to keep and to fetch.
const GROWTH: f32 = 1.5;
/// The same for a block's second triangle: alone it would take as much memory.
const PAIR_GROWTH: f32 = 4.0;

/// The blocks of triangles, with the box and the numbers of each one's triangles.
#[derive(Default)]
pub(in crate::tri_mesh) struct PackedLeaves {
    pub(in crate::tri_mesh) bounds: Vec<Aabb>,
    pub(in crate::tri_mesh) leaves: Vec<LeafItems>,
    pub(in crate::tri_mesh) blocks: Vec<TriangleBlock>,
}

/// The triangles in blocks, the same ones whatever the vector width and the number of threads.
pub(in crate::tri_mesh) fn blocks(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    weld_key: &(impl WeldKey + Sync),
    (width, cancel): (Width, Cancel<'_>),
) -> Result<PackedLeaves, Cancelled> {
    let order = order(positions, triangles, cancel)?;
    let packed = fill_all(
        &order,
        CHUNK,
        |numbers, all: &mut PackedLeaves| {
            if cancel.is_set() {
                return;
            }
            dispatch_wide!(width, simd => pack(simd, positions, triangles, numbers, weld_key, all));
        },
        |all, mut more| {
            all.bounds.append(&mut more.bounds);
            all.leaves.append(&mut more.leaves);
            all.blocks.append(&mut more.blocks);
        },
    );
    cancel.check()?;
    Ok(packed)
}

/// The triangles' numbers in Morton order of the centres of their boxes.
fn order(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    cancel: Cancel<'_>,
) -> Result<Vec<u32>, Cancelled> {
    let around = positions
        .iter()
        .fold([Vec3::INFINITY, Vec3::NEG_INFINITY], |[min, max], point| {
            [lower(min, *point), upper(max, *point)]
        });
    let twice_the_centre = |triangle: u32| {
        let [a, b, c] = triangles[triangle as usize];
        let [a, b, c] = [
            positions[a as usize],
            positions[b as usize],
            positions[c as usize],
        ];
        lower(lower(a, b), c) + upper(upper(a, b), c)
    };
    in_morton_order(
        triangles.len(),
        around.map(|corner| 2.0 * corner),
        twice_the_centre,
        cancel,
    )
}

/// As `Vec3::min` where nothing is NaN, in one instruction a lane.
#[cfg_attr(not(debug_assertions), inline(always))]
fn lower(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::select(a.cmplt(b), a, b)
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn upper(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::select(b.cmplt(a), a, b)
}

/// Puts the triangles into blocks, in this order.
#[cfg_attr(not(debug_assertions), inline(always))]
fn pack<S: Simd>(
    simd: S,
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    numbers: &[u32],
    weld_key: &impl WeldKey,
    packed: &mut PackedLeaves,
) {
    let mut finder = Finder::new(simd);
    let mut filling = Filling::BEFORE_ALL;
    let mut bounds = f32x8::splat(simd, f32::INFINITY);
    let mut area = 0.0;
    for &number in numbers {
        let triangle = triangles[number as usize];
        let [a, b, c] = triangle;
        let corners = [
            positions[a as usize],
            positions[b as usize],
            positions[c as usize],
        ];
        let own_bounds = around(simd, corners);
        let own_area = half_area(own_bounds);
        let both = bounds.min(own_bounds);
        let both_area = half_area(both);
        let growth = if filling.count == 1 {
            PAIR_GROWTH
        } else {
            GROWTH
        };
        let stands_near = both_area <= growth * (area + own_area);
        let mut found = finder.find(triangle, weld_key);
        if stands_near && filling.count < LEAF_ITEMS && found.fits() {
            (bounds, area) = (both, both_area);
        } else {
            filling.end(bounds, packed);
            filling = Filling::begin(corners[0]);
            (bounds, area) = (own_bounds, own_area);
            finder = Finder::new(simd);
            found = finder.find(triangle, weld_key);
        }
        finder.take(&found);
        filling.add(number, found.places, corners);
    }
    filling.end(bounds, packed);
}

/// The block that is being filled.
struct Filling {
    leaf: LeafItems,
    /// The number of triangles.
    count: usize,
    block: TriangleBlock,
    is_kept: bool,
}

impl Filling {
    /// A sentinel before the first block: nothing fits it, and nothing of it is kept.
    const BEFORE_ALL: Self = Self {
        leaf: [NO_ITEM; LEAF_ITEMS],
        count: LEAF_ITEMS,
        block: TriangleBlock::at(Vec3::ZERO),
        is_kept: false,
    };

    /// A block that is to have this corner.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin(corner: Vec3) -> Self {
        Self {
            leaf: [NO_ITEM; LEAF_ITEMS],
            count: 0,
            block: TriangleBlock::at(corner),
            is_kept: true,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add(&mut self, number: u32, places: [u8; 3], corners: [Vec3; 3]) {
        self.leaf[self.count % LEAF_ITEMS] = number;
        self.block.put(self.count, places, corners);
        self.count += 1;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end<S: Simd>(&self, bounds: f32x8<S>, packed: &mut PackedLeaves) {
        if !self.is_kept {
            return;
        }
        let [x, y, z, _, negated_x, negated_y, negated_z, _] = bounds.to_array();
        let max = Vec3::new(-negated_x, -negated_y, -negated_z);
        packed
            .bounds
            .push(Aabb::from_ordered(Vec3::new(x, y, z), max));
        packed.leaves.push(self.leaf);
        packed.blocks.push(self.block);
    }
}

/// The box around three points: its minimum, and its negated maximum four lanes on, so that the box
/// around two boxes is one lane-wise minimum.
#[cfg_attr(not(debug_assertions), inline(always))]
fn around<S: Simd>(simd: S, [a, b, c]: [Vec3; 3]) -> f32x8<S> {
    let point = |p: Vec3| f32x8::load_array(simd, [p.x, p.y, p.z, 0.0, -p.x, -p.y, -p.z, 0.0]);
    point(a).min(point(b)).min(point(c))
}

/// Half of such a box's surface.
#[cfg_attr(not(debug_assertions), inline(always))]
fn half_area<S: Simd>(bounds: f32x8<S>) -> f32 {
    let (min, negated_max) = bounds.split();
    // Edges are negative here, which their products do not show.
    let [x, y, z, _] = (min + negated_max).to_array();
    x * (y + z) + y * z
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tri_mesh::block_corners::{ByPosition, Corners};

    /// A grid of triangles with `side` corners a side on a bent sheet, then triangles whose corners
    /// are all one or two, and single ones.
    fn nasty(side: u16) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let mut positions = Vec::new();
        let mut triangles = Vec::new();
        for index in 0..side * side {
            let (x, z) = (f32::from(index % side), f32::from(index / side));
            positions.push(Vec3::new(x, 0.01 * x * z, z));
        }
        let side = u32::from(side);
        for (row, column) in (1..side).flat_map(|row| (1..side).map(move |column| (row, column))) {
            let last = row * side + column;
            triangles.push([last - side - 1, last - side, last - 1]);
            triangles.push([last - side, last, last - 1]);
        }
        triangles.extend([[0, 0, 0], [1, 0, 1], [2, 2, 1]]);
        for alone in 0u16..50 {
            let first = u32::try_from(positions.len()).unwrap();
            let at = Vec3::new(f32::from(alone) * 1e3, 1e4, 0.0);
            positions.extend([at, at + Vec3::X, at + Vec3::Y]);
            triangles.push([first, first + 1, first + 2]);
        }
        (positions, triangles)
    }

    fn check(
        positions: &[Vec3],
        triangles: &[[u32; 3]],
        weld_key: &(impl WeldKey + Sync),
    ) -> usize {
        let packed = blocks(
            positions,
            triangles,
            weld_key,
            (Width::default(), Cancel::NEVER),
        );
        let packed = packed.unwrap();
        let mut seen = Vec::new();
        for ((leaf, block), bounds) in packed.leaves.iter().zip(&packed.blocks).zip(&packed.bounds)
        {
            assert_eq!(block.bounds(), *bounds);
            let fits = Corners::of(leaf, triangles, weld_key, Width::default()).is_some();
            assert!(fits, "whoever works a block out anew finds that it fits");
            for (place, number) in leaf
                .iter()
                .take_while(|number| **number != NO_ITEM)
                .enumerate()
            {
                let corners = triangles[*number as usize].map(|v| positions[v as usize].as_dvec3());
                assert_eq!(block.triangle(place), corners);
                seen.push(*number as usize);
            }
        }
        seen.sort_unstable();
        assert!(
            seen.into_iter().eq(0..triangles.len()),
            "each triangle once"
        );
        packed.leaves.len()
    }

    #[test]
    fn blocks_hold_each_triangle_once_in_tight_boxes() {
        let (positions, triangles) = nasty(150);
        let shared = check(&positions, &triangles, &ByPosition(&positions));
        assert!(triangles.len() > 4 * shared, "{shared} blocks");
        assert_eq!(check(&positions, &[], &ByPosition(&positions)), 0);
    }

    #[test]
    fn corners_are_shared_by_place() {
        let (positions, triangles) = nasty(40);
        let shared = check(&positions, &triangles, &ByPosition(&positions));
        let torn: Vec<Vec3> = triangles
            .iter()
            .flatten()
            .map(|v| positions[*v as usize])
            .collect();
        let numbers: Vec<[u32; 3]> = (0u32..)
            .zip(&triangles)
            .map(|(i, _)| [3 * i, 3 * i + 1, 3 * i + 2])
            .collect();
        assert_eq!(check(&torn, &numbers, &ByPosition(&torn)), shared);
    }

    #[test]
    fn every_width_packs_the_same() {
        let (positions, triangles) = nasty(60);
        let with_width = |width: Width| {
            let weld_key = ByPosition(&positions);
            blocks(&positions, &triangles, &weld_key, (width, Cancel::NEVER)).unwrap()
        };
        let expected = with_width(Width::default());
        for width in Width::available() {
            let packed = with_width(width);
            assert_eq!(packed.leaves, expected.leaves, "{width:?}");
            assert_eq!(packed.bounds, expected.bounds, "{width:?}");
        }
    }

    /// Vertices with colliding keys: some are not alike though their keys are equal.
    struct Confused<'a>(ByPosition<'a>);

    impl WeldKey for Confused<'_> {
        fn key(&self, vertex: u32) -> u32 {
            self.0.key(vertex) % 3
        }

        fn are_alike(&self, one: u32, other: u32) -> bool {
            self.0.are_alike(one, other)
        }
    }

    #[test]
    fn colliding_keys_do_not_weld() {
        let (positions, triangles) = nasty(40);
        check(&positions, &triangles, &Confused(ByPosition(&positions)));
    }

    #[cfg(feature = "parallel")]
    #[test]
    fn any_number_of_threads_packs_the_same() {
        let (positions, triangles) = nasty(150);
        let with_threads = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            let weld_key = ByPosition(&positions);
            pool.install(|| {
                blocks(
                    &positions,
                    &triangles,
                    &weld_key,
                    (Width::default(), Cancel::NEVER),
                )
            })
            .unwrap()
        };
        let (one, five) = (with_threads(1), with_threads(5));
        assert_eq!(one.leaves, five.leaves);
        assert_eq!(one.bounds, five.bounds);
    }
}
