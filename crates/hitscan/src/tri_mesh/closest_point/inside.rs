//! Closedness of a mesh, and point containment by winding numbers, through the tree.

use crate::Aabb;
use crate::bvh::TraversalQuery;
use crate::narrow_phase::overlap::{ClosedSurface, Location, WindingNumber};
use crate::tri_mesh::{MARGIN, MeshTransform, PlacedMesh, TriMesh, placed_bounds};
use core::ops::ControlFlow;
use glam::{DVec3, Vec3Swizzles};

/// Whether a point is strictly inside closed meshes, by the sum of their winding numbers.
pub(crate) fn is_inside<'a>(point: DVec3, meshes: impl Iterator<Item = PlacedMesh<'a>>) -> bool {
    let mut sum = WindingSum::new(point);
    meshes.for_each(|mesh| sum.add_mesh(&mesh));
    sum.winding.location() == Location::Inside
}

/// The sum of the winding numbers of closed meshes around a point, each placed once.
struct WindingSum {
    point: DVec3,
    winding: WindingNumber,
}

impl WindingSum {
    fn new(point: DVec3) -> Self {
        Self {
            point,
            winding: WindingNumber::new(point),
        }
    }

    /// Adds a mesh's triangles.
    fn add_mesh(&mut self, placed: &PlacedMesh<'_>) {
        let bvh = placed.mesh.bvh();
        let Some(bounds) = bvh.bounds() else { return };
        let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
        let Some(transform) = placed.transform else {
            let ray = (
                self.point,
                DVec3::new(max.x.max(self.point.x), self.point.y, self.point.z),
            );
            let _ = bvh.touching(ray, |triangle| {
                self.winding.add(&placed.outward_corners(triangle));
                ControlFlow::Continue(())
            });
            return;
        };
        // The ray along +X, to beyond all that is placed, taken into the mesh's space.
        let world = &transform.world_from_mesh;
        let extent = min.abs().max(max.abs());
        let size = world.matrix3.x_axis.abs() * extent.x
            + world.matrix3.y_axis.abs() * extent.y
            + world.matrix3.z_axis.abs() * extent.z
            + world.translation.abs();
        let end = size.x * (1.0 + MARGIN);
        if self.point.x > end {
            return;
        }
        let way = DVec3::new(end - self.point.x, 0.0, 0.0);
        let Some(local) = transform.inverse() else {
            return self.add_outward(placed, transform);
        };
        let start = local.transform_point3(self.point);
        let stretch =
            local.matrix3.x_axis.abs() + local.matrix3.y_axis.abs() + local.matrix3.z_axis.abs();
        let magnitude = size.max(self.point.abs()).max_element() + way.x;
        let margin = stretch * (MARGIN * magnitude);
        let motion = local.transform_vector3(way);
        let query =
            TraversalQuery::moving_box((start - margin, start + margin), motion, (0.0, 1.0));
        let _ = bvh.cast(&query, 1.0, |triangle| {
            self.winding.add(&placed.outward_corners(triangle));
            ControlFlow::Continue(1.0)
        });
    }

    /// Adds the triangles in the ray's way, where it cannot be taken into the mesh's space.
    #[cold]
    #[inline(never)]
    fn add_outward(&mut self, placed: &PlacedMesh<'_>, transform: &MeshTransform) {
        let point = self.point;
        let mut chooses = |bounds: &Aabb| {
            let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
            let (low, high) = placed_bounds(&transform.world_from_mesh, min, max);
            let is_beside = low.yz().cmpgt(point.yz()) | high.yz().cmplt(point.yz());
            high.x >= point.x && !is_beside.any()
        };
        let _ = (placed.mesh.bvh()).visit_chosen(&mut chooses, &mut |triangle| {
            self.winding.add(&placed.outward_corners(triangle));
            ControlFlow::Continue(())
        });
    }
}

impl TriMesh {
    /// Whether the mesh is closed: each edge is run through as often one way as the other. Corners are
    /// one where their coordinates are equal, and triangles without area count. It is found out once.
    ///
    /// ```
    /// use hitscan::TriMesh;
    /// let positions = vec![[0.0, 0.0, 0.0].into(), [1.0, 0.0, 0.0].into(), [0.0, 1.0, 0.0].into()];
    /// assert!(!TriMesh::new(positions.clone(), vec![[0, 1, 2]])?.is_closed());
    /// assert!(TriMesh::new(positions, vec![[0, 1, 2], [0, 2, 1]])?.is_closed());
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn is_closed(&self) -> bool {
        *self.closed.get_or_init(|| {
            let triangles = PlacedMesh::from(self).all_outward_corners();
            is_closed(&triangles.collect::<Vec<_>>())
        })
    }
}

/// Whether triangles make a closed surface.
pub(crate) fn is_closed(triangles: &[[DVec3; 3]]) -> bool {
    ClosedSurface::new(triangles).is_some()
}
