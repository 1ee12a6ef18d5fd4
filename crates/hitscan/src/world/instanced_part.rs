//! An instanced part: a part of a model, or a mesh, with its transform into the world.

use super::instance_transform::{check_range, is_in_range};
use crate::model::{PosedModel, PosedPart, Winding};
use crate::narrow_phase::arc_cast::search::ArcSearch;
use crate::narrow_phase::closest_point::Search;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::TriangleHit;
use crate::narrow_phase::sight::SightLine;
use crate::tri_mesh::{MeshTransform, PlacedMesh, Shell, TriangleWatch, placed_box, placed_window};
use crate::{Aabb, Error, Side, Sides, TriMesh};
use core::ops::ControlFlow;
use glam::{DAffine3, DVec3};
use std::sync::{Arc, OnceLock};

/// One part of a model (or a mesh) with its transform.
#[derive(Debug, Clone)]
pub(crate) struct InstancedPart {
    shape: PartShape,
    transform: Arc<MeshTransform>,
    /// How the sides of its triangles are turned where rays are cast at them: in the part's space, or in
    /// the world where the transform does not take rays.
    winding: Winding,
    /// Whether the front of its triangles is that from which their corners in the world run clockwise.
    is_mirrored: bool,
    /// The box around the triangles in the world, once it was queried.
    bounds: OnceLock<Option<Aabb>>,
}

/// The triangles of a part.
#[derive(Debug, Clone)]
enum PartShape {
    Mesh(Arc<TriMesh>),
    /// A part that is deformed, by its index: computed where rays reach it.
    Posed(Arc<PosedModel>, usize),
}

impl InstancedPart {
    /// A mesh in the world.
    pub(crate) fn of_mesh(mesh: &Arc<TriMesh>, transform: &Arc<MeshTransform>) -> Self {
        let shape = PartShape::Mesh(Arc::clone(mesh));
        Self::new(shape, Arc::clone(transform), transform.is_mirrored())
    }

    /// A part of a model in its pose.
    pub(crate) fn posed(
        posed: &Arc<PosedModel>,
        (index, part): (usize, PosedPart<'_>),
        transform: &Arc<MeshTransform>,
    ) -> Self {
        let shape = match part.at_rest() {
            Some(mesh) => PartShape::Mesh(Arc::clone(mesh)),
            None => PartShape::Posed(Arc::clone(posed), index),
        };
        let is_mirrored = transform.is_mirrored() != (part.winding() == Winding::Mirrored);
        let model_from_part = part.model_from_part();
        let transform = if model_from_part == DAffine3::IDENTITY {
            Arc::clone(transform)
        } else {
            Arc::new(MeshTransform::new(
                transform.world_from_mesh * model_from_part,
            ))
        };
        Self::new(shape, transform, is_mirrored)
    }

    fn new(shape: PartShape, transform: Arc<MeshTransform>, is_mirrored: bool) -> Self {
        // Where the transform itself mirrors, a ray in the part's space hits the outside as
        // outside. What is left is mirrored in the vertices.
        let is_seen = transform.takes_rays() && transform.is_mirrored();
        Self {
            shape,
            winding: match is_mirrored != is_seen {
                true => Winding::Mirrored,
                false => Winding::Kept,
            },
            is_mirrored,
            transform,
            bounds: OnceLock::new(),
        }
    }

    /// Refuses a part beyond the range that shapes accept.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] or [`Error::NotFinite`] where a corner is beyond ±1e18.
    pub(crate) fn check_range(&self) -> Result<(), Error> {
        if is_in_range(self.culling_bounds()) {
            return Ok(());
        }
        let largest = (self.mesh().bounds()).map_or(0.0, |own| self.transform.max_abs_of(&own));
        if !largest.is_finite() {
            let (what, found) = ("placed corner", largest);
            return Err(Error::NotFinite { what, found });
        }
        // The box may be larger than what it is around.
        self.bounds().map_or(Ok(()), |own| check_range(&own))
    }

    /// The nearest hit of a [local ray](Self::local_ray); see [`TriMesh::nearest`].
    pub(crate) fn nearest(
        &self,
        local: &LocalRay,
        sides: Sides,
        limit: f32,
        watch: impl TriangleWatch + Copy,
    ) -> Option<(u32, TriangleHit)> {
        let sides = self.mesh_sides(sides);
        if !self.transform.takes_rays() {
            return self.placed(0).nearest(local, sides, limit, watch);
        }
        match &self.shape {
            PartShape::Mesh(mesh) => mesh.nearest(local, sides, limit, watch),
            PartShape::Posed(posed, index) => {
                part_of(posed, *index).nearest(local, sides, limit, watch)
            }
        }
    }

    /// Whether a [local ray](Self::local_ray) hits it.
    pub(crate) fn is_hit(&self, local: &LocalRay, sides: Sides) -> bool {
        let sides = self.mesh_sides(sides);
        if !self.transform.takes_rays() {
            return self.placed(0).is_hit(local, sides);
        }
        match &self.shape {
            PartShape::Mesh(mesh) => mesh.is_hit(local, sides),
            PartShape::Posed(posed, index) => part_of(posed, *index).is_hit(local, sides),
        }
    }

    /// Visits every triangle that a [local ray](Self::local_ray) may hit.
    pub(crate) fn for_each_candidate(
        &self,
        local: &LocalRay,
        mut visit: impl FnMut(u32, &[DVec3; 3]),
    ) {
        if !self.transform.takes_rays() {
            return self.placed(0).for_each_candidate(local, &mut visit);
        }
        match &self.shape {
            PartShape::Mesh(mesh) => mesh.for_each_candidate(local, visit),
            PartShape::Posed(posed, index) => {
                part_of(posed, *index).for_each_candidate(local, visit);
            }
        }
    }

    /// All triangles, in the part's space.
    pub(crate) fn mesh(&self) -> &Arc<TriMesh> {
        self.shape.mesh()
    }

    /// The ray in the part's space, with the same t; itself where the transform does not take rays.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn local_ray(&self, ray: &LocalRay) -> LocalRay {
        if self.transform.takes_rays() {
            ray.transformed(self.transform.ray_inverse())
        } else {
            *ray
        }
    }

    /// From the space of [local rays](Self::local_ray) to the world.
    pub(crate) fn world_from_rays(&self) -> DAffine3 {
        if self.transform.takes_rays() {
            self.transform.world_from_mesh
        } else {
            DAffine3::IDENTITY
        }
    }

    /// The side of the surface in the world, for a side that a local ray hits, and the other way round.
    pub(crate) fn turned(&self, side: Side) -> Side {
        self.winding.turned(side)
    }

    /// The sides of the mesh that are `sides` of the surface in the world.
    pub(crate) fn mesh_sides(&self, sides: Sides) -> Sides {
        self.winding.mesh_sides(sides)
    }

    /// The normal in the world of what a local ray hits, not of unit length. Outward stays outward, also
    /// where the transform mirrors.
    pub(crate) fn world_normal(&self, local: DVec3) -> DVec3 {
        // Divided by its greatest component, so that the product stays in f64's range.
        let scaled = local / local.abs().max_element();
        let normal = if self.transform.takes_rays() {
            self.transform.ray_inverse().matrix3.transpose() * scaled
        } else {
            scaled
        };
        if self.winding == Winding::Mirrored {
            -normal
        } else {
            normal
        }
    }

    /// Its triangles as they are in the world, as those of the part with this index.
    pub(crate) fn placed(&self, part: u32) -> PlacedMesh<'_> {
        PlacedMesh {
            mesh: self.mesh(),
            part,
            transform: (!self.transform.is_identity()).then_some(&*self.transform),
            is_mirrored: self.is_mirrored,
        }
    }

    /// Offers the triangles, as they are in the world, that may be the nearest to the search.
    pub(crate) fn search_near(&self, search: &mut Search) {
        self.placed(0).search_near(search);
    }

    /// Adds the triangles, as they are in the world, to those that may wind around a point.
    pub(crate) fn add_to(&self, shell: &mut Shell) {
        shell.add_mesh(&self.placed(0));
    }

    pub(crate) fn world_from_part(&self) -> &DAffine3 {
        &self.transform.world_from_mesh
    }

    /// How the sides of its triangles are turned in the world.
    pub(crate) fn winding(&self) -> Winding {
        self.winding
    }

    /// Whether the front of its triangles is that from which their corners in the world run clockwise.
    pub(crate) fn is_mirrored(&self) -> bool {
        self.is_mirrored
    }

    /// Has the search consider the triangles as they are in the world.
    pub(crate) fn search_arc(&self, search: &mut ArcSearch, part: u32) {
        if let PartShape::Posed(posed, index) = &self.shape {
            // The box of a deformed part is known before its triangles are.
            let bounds = part_of(posed, *index).bounds();
            let reaches =
                |bounds| placed_window(search, &bounds, &self.transform.world_from_mesh).is_some();
            if !bounds.is_some_and(reaches) {
                return;
            }
        }
        self.placed(part).search_arc(search);
    }

    /// Calls `visit` for each triangle, as it is in the world, that the line crosses, until it breaks.
    pub(crate) fn for_each_in_the_way(
        &self,
        line: &SightLine,
        visit: &mut dyn FnMut(u32, &[DVec3; 3]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.placed(0).for_each_in_the_way(line, visit)
    }

    /// A triangle's corners in the world, rounded once, so that triangles share them.
    pub(crate) fn world_corners(&self, mesh: &TriMesh, triangle: u32) -> [DVec3; 3] {
        self.transform.placed(mesh.corners(triangle))
    }

    /// The corners of all triangles in the world, counter-clockwise seen from the front.
    pub(crate) fn all_world_corners(&self) -> impl Iterator<Item = [DVec3; 3]> + '_ {
        self.placed(0).all_outward_corners()
    }

    /// The box around the triangles in the world, or `None` without triangles.
    pub(crate) fn bounds(&self) -> Option<Aabb> {
        *self.bounds.get_or_init(|| {
            let mesh = self.mesh();
            let corners = mesh.triangles().as_flattened().iter();
            Aabb::around_f64(corners.map(|corner| {
                let at = mesh.positions()[*corner as usize].as_dvec3();
                self.transform.world_from_mesh.transform_point3(at)
            }))
        })
    }

    /// A box that holds what a transformed ray from 0 may hit. A ray's own origin adds [`MARGIN`](crate::tri_mesh::MARGIN)
    /// of its magnitude.
    ///
    /// At a hit, `t |direction|` is at most the way from the origin to the box, so that all
    /// magnitudes involved are the origin's, the box's and the translation's.
    pub(crate) fn culling_bounds(&self) -> Option<Aabb> {
        match &self.shape {
            PartShape::Mesh(mesh) => {
                placed_box(mesh.bvh().outline(), &self.transform.world_from_mesh)
            }
            PartShape::Posed(posed, index) => {
                part_of(posed, *index).placed_bounds(&self.transform.world_from_mesh)
            }
        }
    }

    /// The mesh for so many rays that come together; `None` where they are better cast one by one.
    pub(crate) fn mesh_for(&self, rays: usize) -> Option<&TriMesh> {
        if !self.transform.takes_rays() {
            return None;
        }
        match &self.shape {
            PartShape::Mesh(mesh) => Some(mesh),
            PartShape::Posed(posed, index) => part_of(posed, *index).whole_for(rays),
        }
    }

    /// The mesh for rays that come together, unless the pose deforms it.
    pub(crate) fn mesh_at_hand(&self) -> Option<&Arc<TriMesh>> {
        self.own_mesh().filter(|_| self.transform.takes_rays())
    }

    /// The mesh, unless the pose deforms it.
    pub(crate) fn own_mesh(&self) -> Option<&Arc<TriMesh>> {
        match &self.shape {
            PartShape::Mesh(mesh) => Some(mesh),
            PartShape::Posed(..) => None,
        }
    }
}

impl PartShape {
    fn mesh(&self) -> &Arc<TriMesh> {
        match self {
            Self::Mesh(mesh) => mesh,
            Self::Posed(posed, index) => part_of(posed, *index).mesh(),
        }
    }
}

fn part_of(posed: &PosedModel, index: usize) -> PosedPart<'_> {
    posed
        .part(index)
        .expect("an instanced part is one of its model's")
}
