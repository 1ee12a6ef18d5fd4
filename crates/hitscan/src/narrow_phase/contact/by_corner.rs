//! The triangles of a list by their corners.

use glam::DVec3;

/// A point as whole numbers, which are equal for equal coordinates.
type Key = [u64; 3];

/// The places of triangles in their list, in order of each of their corners.
pub(crate) struct ByCorner(Vec<(Key, usize)>);

impl ByCorner {
    /// Of `count` triangles, whose corners a function tells by their places.
    pub(crate) fn new(count: usize, corners: &dyn Fn(usize) -> [DVec3; 3]) -> Self {
        let mut places = Vec::with_capacity(3 * count);
        for place in 0..count {
            for corner in corners(place) {
                places.push((key(corner), place));
            }
        }
        places.sort_unstable();
        Self(places)
    }

    /// The places of the triangles with a corner at `point`.
    pub(crate) fn at(&self, point: DVec3) -> impl Iterator<Item = usize> {
        let key = key(point);
        let first = self.0.partition_point(|(other, _)| *other < key);
        let same = self.0[first..]
            .iter()
            .take_while(move |(other, _)| *other == key);
        same.map(|(_, place)| *place)
    }
}

/// Adding zero turns -0 into +0.
fn key(point: DVec3) -> Key {
    (point + DVec3::ZERO).to_array().map(f64::to_bits)
}
