//! Box hull: the edges, normals and projections that axis-aligned and oriented boxes have in common.

use crate::exact::adaptive::{Approx, Number, between, cross, decided, dot, vector};
use crate::exact::expansion::Expansion;
use crate::{Aabb, Obb};
use glam::DVec3;

/// A box, axis-aligned or oriented.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoxHull {
    /// Bit `i` of a corner's index is set where it lies at the upper end of the own axis `i`.
    pub(crate) corners: [DVec3; 8],
    /// The edges' directions, right-handed, of any length but zero, also where the box is flat.
    pub(crate) directions: [DVec3; 3],
}

impl From<&Aabb> for BoxHull {
    fn from(aabb: &Aabb) -> Self {
        Self {
            corners: aabb.wide_corners(),
            directions: DVec3::AXES,
        }
    }
}

impl From<&Obb> for BoxHull {
    /// A box that is not turned is given the directions of an axis-aligned one, so that it is one.
    fn from(obb: &Obb) -> Self {
        let directions = obb.directions();
        let is_upright = |i: usize| {
            let direction = directions[i];
            direction[i] > 0.0 && direction == DVec3::AXES[i] * direction[i]
        };
        Self {
            corners: obb.corners(),
            directions: if (0..3).all(is_upright) {
                DVec3::AXES
            } else {
                directions
            },
        }
    }
}

impl BoxHull {
    /// The edge along an own axis.
    pub(crate) fn edge<N: Number>(&self, axis: usize) -> [N; 3] {
        between(self.corners[0], self.corners[1 << axis])
    }

    /// The outward normal of the upper face of an own axis, of any length.
    pub(crate) fn normal<N: Number>(&self, axis: usize) -> [N; 3] {
        let [j, k] = [(axis + 1) % 3, (axis + 2) % 3];
        cross(&vector(self.directions[j]), &vector(self.directions[k]))
    }

    /// Twice the projected radius of the box on `axis`, in the axis's scale.
    pub(crate) fn projected_radius<N: Number>(&self, axis: &[N; 3]) -> N {
        let [x, y, z] = [0, 1, 2].map(|i| dot(axis, &self.edge(i)).magnitude());
        x.plus(&y).plus(&z)
    }

    /// Twice the way from `point` to the box' middle.
    pub(crate) fn twice_from<N: Number>(&self, point: DVec3) -> [N; 3] {
        let (low, high): ([N; 3], [N; 3]) = (
            between(point, self.corners[0]),
            between(point, self.corners[7]),
        );
        [0, 1, 2].map(|i: usize| low[i].plus(&high[i]))
    }

    /// Whether the closed box holds all points within `radius` of a point, exactly.
    pub(crate) fn holds_ball(&self, center: DVec3, radius: f64) -> bool {
        (0..3).all(|axis| {
            decided(self.has_room::<Approx>(axis, center, radius), || {
                self.has_room::<Expansion>(axis, center, radius)
            })
        })
    }

    /// Whether both faces of an own axis are `radius` or more outward of a point.
    fn has_room<N: Number>(&self, axis: usize, center: DVec3, radius: f64) -> Option<bool> {
        let normal: [N; 3] = self.normal(axis);
        let half_width = dot(&normal, &self.edge(axis));
        let way = dot(&normal, &self.twice_from(center)).magnitude();
        let room = half_width.minus(&way);
        if radius == 0.0 || room.known_sign()?.is_lt() {
            return Some(room.known_sign()?.is_ge());
        }
        // Both sides are squared, and doubled as the room is.
        let twice = N::difference(radius, -radius);
        let needed = twice.times(&twice).times(&dot(&normal, &normal));
        Some(room.times(&room).minus(&needed).known_sign()?.is_ge())
    }
}
