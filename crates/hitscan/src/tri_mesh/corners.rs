//! Which corners the triangles of a block have in common.

use crate::bvh::{LEAF_ITEMS, NO_ITEM};
use glam::Vec3;

/// How many different corners a block holds at most.
pub(super) const CORNERS: usize = 8;

/// The vertices in a block's places; places that are not used repeat the first.
pub(crate) type BlockCorners = [u32; CORNERS];

/// The different corners of up to eight triangles.
pub(super) struct Corners {
    pub(super) vertices: BlockCorners,
    count: usize,
    pub(super) triangles: usize,
    /// For each triangle the places of its corners.
    pub(super) places: [[u8; 3]; LEAF_ITEMS],
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
