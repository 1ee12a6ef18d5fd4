//! Corner sharing within a block of triangles.

use crate::bvh::{LEAF_ITEMS, NO_ITEM};
use crate::simd::Width;
use crate::simd::dispatch_wide;
use fearless_simd::{prelude::*, u32x8};
use glam::Vec3;

/// How many different corners a block holds at most.
pub(in crate::tri_mesh) const CORNERS: usize = 8;

/// The vertices in a block's places; places that are not used repeat the first.
pub(crate) type BlockCorners = [u32; CORNERS];

/// The different corners of up to eight triangles.
pub(in crate::tri_mesh) struct Corners {
    pub(in crate::tri_mesh) vertices: BlockCorners,
    pub(in crate::tri_mesh) triangles: usize,
    /// For each triangle the places of its corners.
    pub(in crate::tri_mesh) places: [[u8; 3]; LEAF_ITEMS],
}

/// Which vertices are one corner.
pub(in crate::tri_mesh) trait WeldKey {
    /// A number that vertices which are alike have in common, and others hardly ever.
    fn key(&self, vertex: u32) -> u32;

    fn are_alike(&self, one: u32, other: u32) -> bool;
}

/// Vertices in one place are alike.
pub(in crate::tri_mesh) struct ByPosition<'a>(pub(in crate::tri_mesh) &'a [Vec3]);

impl WeldKey for ByPosition<'_> {
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
pub(in crate::tri_mesh) struct ByWeldId<'a>(pub(in crate::tri_mesh) &'a [u32]);

impl WeldKey for ByWeldId<'_> {
    fn key(&self, vertex: u32) -> u32 {
        self.0[vertex as usize]
    }

    fn are_alike(&self, one: u32, other: u32) -> bool {
        self.0[one as usize] == self.0[other as usize]
    }
}

impl Corners {
    /// The corners of the triangles with these numbers, a list that [`NO_ITEM`] ends, or `None` if
    /// they are too many for a block. Vertices that are alike are one corner.
    pub(in crate::tri_mesh) fn of(
        numbers: &[u32],
        triangles: &[[u32; 3]],
        weld_key: &impl WeldKey,
        width: Width,
    ) -> Option<Self> {
        dispatch_wide!(width, simd => Self::found(simd, numbers, triangles, weld_key))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn found<S: Simd>(
        simd: S,
        numbers: &[u32],
        triangles: &[[u32; 3]],
        weld_key: &impl WeldKey,
    ) -> Option<Self> {
        let mut finder = Finder::new(simd);
        let mut places = [[0; 3]; LEAF_ITEMS];
        let mut count = 0;
        for &number in numbers {
            if number == NO_ITEM {
                break;
            }
            let found = finder.find(triangles[number as usize], weld_key);
            if count == LEAF_ITEMS || !found.fits() {
                return None;
            }
            finder.take(&found);
            places[count] = found.places;
            count += 1;
        }
        Some(Self {
            vertices: finder.vertices(),
            triangles: count,
            places,
        })
    }
}

/// Finds the corners of one triangle after the other among those of a block: all keys are compared
/// at once, and without branches, which would be mispredicted.
pub(in crate::tri_mesh) struct Finder<S: Simd> {
    simd: S,
    keys: u32x8<S>,
    /// The vertices at the corners; three places beyond the last are written to as well.
    vertices: [u32; 2 * CORNERS],
    count: usize,
}

/// Where a triangle's corners are in a block.
pub(in crate::tri_mesh) struct Found {
    pub(in crate::tri_mesh) places: [u8; 3],
    keys: [u32; 3],
    /// The number of corners with them, maybe too many. One that a triangle has twice, and
    /// none before it, counts twice.
    count: usize,
}

impl Found {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::tri_mesh) fn fits(&self) -> bool {
        self.count <= CORNERS
    }
}

impl<S: Simd> Finder<S> {
    /// Of a block without corners.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::tri_mesh) fn new(simd: S) -> Self {
        Self {
            simd,
            keys: u32x8::splat(simd, 0),
            vertices: [0; 2 * CORNERS],
            count: 0,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::tri_mesh) fn find(
        &mut self,
        triangle: [u32; 3],
        weld_key: &impl WeldKey,
    ) -> Found {
        let [a, b, c] = triangle;
        let keys = [weld_key.key(a), weld_key.key(b), weld_key.key(c)];
        let used = (1 << self.count) - 1;
        let same = [
            self.keys.simd_eq(keys[0]).to_bitmask() & used,
            self.keys.simd_eq(keys[1]).to_bitmask() & used,
            self.keys.simd_eq(keys[2]).to_bitmask() & used,
        ];
        let mut places = [0; 3];
        let mut others = [0; 3];
        let mut count = self.count;
        for corner in 0..3 {
            // The place whose key is the same, or else the next that is free.
            let place = (same[corner] | 1 << count).trailing_zeros() as usize % (2 * CORNERS);
            self.vertices[count % (2 * CORNERS)] = triangle[corner];
            others[corner] = self.vertices[place];
            #[expect(clippy::cast_possible_truncation, reason = "there are 16 places")]
            {
                places[corner] = place as u8;
            }
            count += usize::from(same[corner] == 0);
        }
        // Keys may be the same by chance. Most meshes share vertices, so that nothing is left to
        // compare.
        let are_alike = |corner: usize| weld_key.are_alike(others[corner], triangle[corner]);
        if others != triangle && !(are_alike(0) && are_alike(1) && are_alike(2)) {
            (places, count) = self.find_one_by_one(triangle, weld_key);
        }
        Found {
            places,
            keys,
            count,
        }
    }

    /// The same without keys.
    #[cold]
    fn find_one_by_one(&mut self, triangle: [u32; 3], weld_key: &impl WeldKey) -> ([u8; 3], usize) {
        let mut places = [0; 3];
        let mut count = self.count;
        for (place, vertex) in places.iter_mut().zip(triangle) {
            let known = (0u8..).zip(&self.vertices[..self.count]);
            let mut alike = known.filter(|(_, other)| weld_key.are_alike(**other, vertex));
            *place = if let Some((known, _)) = alike.next() {
                known
            } else {
                self.vertices[count] = vertex;
                count += 1;
                #[expect(clippy::cast_possible_truncation, reason = "there are 16 places")]
                {
                    count as u8 - 1
                }
            };
        }
        (places, count)
    }

    /// Keeps the corners that were found last, which must fit.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::tri_mesh) fn take(&mut self, found: &Found) {
        let lanes = u32x8::load_array(self.simd, [0, 1, 2, 3, 4, 5, 6, 7]);
        for corner in 0..3 {
            let is_here = lanes.simd_eq(u32::from(found.places[corner]));
            let key = u32x8::splat(self.simd, found.keys[corner]);
            self.keys = is_here.select(key, self.keys);
        }
        self.count = found.count;
    }

    /// The vertices at the corners.
    fn vertices(&self) -> BlockCorners {
        let mut vertices = [self.vertices[0]; CORNERS];
        vertices[..self.count].copy_from_slice(&self.vertices[..self.count]);
        vertices
    }
}
