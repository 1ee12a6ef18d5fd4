//! Whether a mesh is closed, and whether a point is inside it, found through the tree.

use crate::Aabb;
use crate::bvh::TraversalQuery;
use crate::narrow_phase::overlap::{ClosedSurface, Location, WindingNumber};
use crate::tri_mesh::{MeshTransform, TriMesh, placed_bounds};
use core::ops::ControlFlow;
use glam::{DVec3, Vec3Swizzles};

/// The share of the magnitudes involved by which a query is widened that a transform takes into a
/// mesh's space; placed meshes are conditioned such that it is enough.
const MARGIN: f64 = 1.0 / 1_048_576.0;

/// How often closed meshes wind around a point together, each placed once.
pub(crate) struct Shell {
    point: DVec3,
    winding: WindingNumber,
}

/// Where a mesh is placed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placing<'a> {
    pub(crate) transform: &'a MeshTransform,
    /// Whether the mesh's front is that from which corners run clockwise where they are placed.
    pub(crate) is_mirrored: bool,
}

impl Shell {
    pub(crate) fn new(point: DVec3) -> Self {
        Self {
            point,
            winding: WindingNumber::new(point),
        }
    }

    /// Adds a mesh's triangles.
    pub(crate) fn add_mesh(&mut self, mesh: &TriMesh, placing: Option<Placing<'_>>) {
        let Some(bounds) = mesh.bounds() else { return };
        let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
        let Some(placing) = placing else {
            let ray = (
                self.point,
                DVec3::new(max.x.max(self.point.x), self.point.y, self.point.z),
            );
            let _ = mesh.bvh().touching(ray, |triangle| {
                self.winding.add(&mesh.corners(triangle));
                ControlFlow::Continue(())
            });
            return;
        };
        // The ray along +X, to beyond all that is placed, taken into the mesh's space.
        let world = &placing.transform.world_from_mesh;
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
        let Some(local) = placing.transform.inverse() else {
            return self.add_outward(mesh, placing);
        };
        let start = local.transform_point3(self.point);
        let stretch =
            local.matrix3.x_axis.abs() + local.matrix3.y_axis.abs() + local.matrix3.z_axis.abs();
        let magnitude = size.max(self.point.abs()).max_element() + way.x;
        let margin = stretch * (MARGIN * magnitude);
        let motion = local.transform_vector3(way);
        let query =
            TraversalQuery::moving_box((start - margin, start + margin), motion, (0.0, 1.0));
        let _ = mesh.bvh().cast(&query, 1.0, |triangle| {
            self.add_triangle(mesh, placing, triangle);
            ControlFlow::Continue(1.0)
        });
    }

    /// Adds the triangles in the ray's way, where it cannot be taken into the mesh's space.
    #[cold]
    #[inline(never)]
    fn add_outward(&mut self, mesh: &TriMesh, placing: Placing<'_>) {
        let point = self.point;
        let mut chooses = |bounds: &Aabb| {
            let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
            let (low, high) = placed_bounds(&placing.transform.world_from_mesh, min, max);
            let is_beside = low.yz().cmpgt(point.yz()) | high.yz().cmplt(point.yz());
            high.x >= point.x && !is_beside.any()
        };
        let _ = mesh.bvh().visit_chosen(&mut chooses, &mut |triangle| {
            self.add_triangle(mesh, placing, triangle);
            ControlFlow::Continue(())
        });
    }

    fn add_triangle(&mut self, mesh: &TriMesh, placing: Placing<'_>, triangle: u32) {
        let [a, b, c] = placing.transform.placed(mesh.corners(triangle));
        let corners = if placing.is_mirrored {
            [a, c, b]
        } else {
            [a, b, c]
        };
        self.winding.add(&corners);
    }

    pub(crate) fn is_inside(&self) -> bool {
        self.winding.location() == Location::Inside
    }
}

impl TriMesh {
    /// Whether the mesh by itself is a closed surface; found out once.
    pub(crate) fn is_closed(&self) -> bool {
        *self.closed.get_or_init(|| {
            let triangles: Vec<[DVec3; 3]> = self.all_corners().collect();
            is_closed(&triangles)
        })
    }

    /// The corners of all triangles, in order.
    pub(crate) fn all_corners(&self) -> impl Iterator<Item = [DVec3; 3]> + '_ {
        (0..)
            .zip(self.triangles.iter())
            .map(|(triangle, _)| self.corners(triangle))
    }
}

/// Whether triangles make a closed surface.
pub(crate) fn is_closed(triangles: &[[DVec3; 3]]) -> bool {
    ClosedSurface::new(triangles).is_some()
}
