//! The shape cast against a mesh, in its own space or placed in the world.
//!
//! The tree is searched best first; box against triangle is decided by `shape_cast/`.

use super::TriMesh;
use crate::Aabb;
use crate::bvh::{BestFirst, TraversalQuery};
use crate::shape_cast::{HitOrder, HitRank, ShapeCast, ShapeHit, box_triangle};
use glam::{DAffine3, DVec3};

impl TriMesh {
    /// The first hit of a moving shape with the mesh's triangles, or `None`; see
    /// [`Triangle::cast_shape`](crate::Triangle::cast_shape).
    ///
    /// Of hits with the same t an overlap at the start comes first, then the lowest triangle.
    ///
    /// ```
    /// use hitscan::{Aabb, TriMesh, shape_cast::ShapeCast};
    /// let positions = vec![[0.0, 0.0, 0.0].into(), [0.0, 0.0, 9.0].into(), [9.0, 0.0, 0.0].into()];
    /// let floor = TriMesh::new(positions, vec![[0, 1, 2]])?;
    /// let crate_box = Aabb::new([1.0, 2.0, 1.0], [2.0, 3.0, 2.0])?;
    /// let hit = floor.cast_shape(&ShapeCast::new(crate_box, [0.0, -4.0, 0.0])?);
    /// assert_eq!(hit.map(|hit| (hit.t, hit.normal.y)), Some((0.5, 1.0)));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn cast_shape(&self, cast: &ShapeCast) -> Option<ShapeHit> {
        let query = TraversalQuery::shape_cast(cast);
        self.first_hit(cast, &query, None, HitOrder::END)
    }

    /// The first hit with the mesh as `world_from_mesh` places it, if it comes before `limit`.
    /// `query` moves in the mesh's space and touches whatever the cast touches in the world.
    pub(crate) fn first_hit(
        &self,
        cast: &ShapeCast,
        query: &TraversalQuery,
        world_from_mesh: Option<&DAffine3>,
        limit: HitOrder,
    ) -> Option<ShapeHit> {
        let mut search = Search {
            mesh: self,
            cast,
            world_from_mesh,
            limit: HitRank::new(limit, 0),
            best: None,
        };
        self.bvh.best_first(query, &mut search);
        search.best
    }
}

struct Search<'a> {
    mesh: &'a TriMesh,
    cast: &'a ShapeCast,
    world_from_mesh: Option<&'a DAffine3>,
    limit: HitRank,
    best: Option<ShapeHit>,
}

impl BestFirst for Search<'_> {
    fn lower_bound(&self, bounds: &Aabb) -> Option<HitOrder> {
        let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
        let (min, max) = match self.world_from_mesh {
            None => (min, max),
            Some(transform) => placed_bounds(transform, min, max),
        };
        self.cast.earliest_order(min, max)
    }

    fn limit(&self) -> HitRank {
        self.limit
    }

    fn visit(&mut self, item: u32) {
        let corners = self.mesh.corners(item);
        let corners = match self.world_from_mesh {
            None => corners,
            Some(transform) => corners.map(|corner| transform.transform_point3(corner)),
        };
        let Some(hit) = box_triangle(self.cast, corners) else {
            return;
        };
        let rank = HitRank::new(hit.order(), item);
        if rank < self.limit {
            self.limit = rank;
            self.best = Some(hit.on(item));
        }
    }
}

/// The bounds of all that `transform` makes of points between `min` and `max`, rounded as each point
/// is.
///
/// Products and sums are rounded monotonically, so a placed coordinate is least where each of the
/// point's coordinates is at the end that the sign of its factor chooses: the bounds have no slack.
pub(super) fn placed_bounds(transform: &DAffine3, min: DVec3, max: DVec3) -> (DVec3, DVec3) {
    let (mut low, mut high) = (DVec3::ZERO, DVec3::ZERO);
    for axis in 0..3 {
        let factors = transform.matrix3.row(axis);
        let grows = factors.cmpge(DVec3::ZERO);
        let first = DVec3::select(grows, min, max);
        let last = DVec3::select(grows, max, min);
        low[axis] = transform.transform_point3(first)[axis];
        high[axis] = transform.transform_point3(last)[axis];
    }
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    /// A flat wall of `2 * size * size` triangles at x = 0, in an order that is not the wall's.
    fn wall(size: u32) -> TriMesh {
        let at = |i: u32| Vec3::new(0.0, (i / (size + 1)) as f32, (i % (size + 1)) as f32);
        let positions = (0..(size + 1) * (size + 1)).map(at).collect();
        let cell = |k: u32| {
            let k = k * 7919 % (size * size);
            let corner = k / size * (size + 1) + k % size;
            let above = corner + size + 1;
            [[corner, corner + 1, above], [corner + 1, above + 1, above]]
        };
        TriMesh::new(positions, (0..size * size).flat_map(cell).collect()).unwrap()
    }

    struct Counted<'a> {
        search: Search<'a>,
        visited: usize,
    }

    impl BestFirst for Counted<'_> {
        fn lower_bound(&self, bounds: &Aabb) -> Option<HitOrder> {
            self.search.lower_bound(bounds)
        }

        fn limit(&self) -> HitRank {
            self.search.limit()
        }

        fn visit(&mut self, item: u32) {
            self.visited += 1;
            self.search.visit(item);
        }
    }

    #[test]
    fn a_box_against_a_flat_wall_visits_few_triangles() {
        let mesh = wall(200);
        let far = DAffine3::from_translation(DVec3::new(100.0, 0.3, 0.7));
        for (low, high) in [(90.0, 92.0), (60.25, 140.75), (-10.0, 300.0)] {
            for (transform, x) in [(None, 0.0), (Some(&far), 100.0)] {
                let start = Aabb::new([x - 9.0, low, low], [x - 8.0, high, high]).unwrap();
                let cast = ShapeCast::new(start, [16.0, 0.5, -0.5]).unwrap();
                let mut counted = Counted {
                    search: Search {
                        mesh: &mesh,
                        cast: &cast,
                        world_from_mesh: transform,
                        limit: HitRank::new(HitOrder::END, 0),
                        best: None,
                    },
                    visited: 0,
                };
                let corners = (start.min().as_dvec3(), start.max().as_dvec3());
                let to_mesh = transform.map_or(DVec3::ZERO, |transform| transform.translation);
                let corners = (corners.0 - to_mesh - 0.01, corners.1 - to_mesh + 0.01);
                let motion = cast.motion().as_dvec3();
                let query = TraversalQuery::moving_box(corners, motion, (0.0, 1.0));
                mesh.bvh.best_first(&query, &mut counted);
                let all = (0..).zip(mesh.triangles()).filter_map(|(triangle, _)| {
                    let place = |corner| transform.map_or(corner, |t| t.transform_point3(corner));
                    let hit = box_triangle(&cast, mesh.corners(triangle).map(place))?;
                    Some((HitRank::new(hit.order(), triangle), hit.on(triangle)))
                });
                let expected = all.min_by_key(|(rank, _)| *rank).map(|(_, hit)| hit);
                assert_eq!(counted.search.best, expected);
                assert!(
                    counted.visited < 64,
                    "{} visited: {cast:?}",
                    counted.visited
                );
            }
        }
    }
}
