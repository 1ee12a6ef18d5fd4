//! An instanced part: a part of a model, or a mesh, with its transform into the world.

use super::instance_transform::{InstanceTransform, check_range, is_in_range};
use crate::arc_cast::arc_triangle::Facing;
use crate::arc_cast::search::ArcSearch;
use crate::bvh::TraversalQuery;
use crate::closest_point::Search;
use crate::contact::triangle_source::MovingBox;
use crate::model::{PosedModel, PosedPart, Winding};
use crate::ray_cast::ray::LocalRay;
use crate::ray_cast::ray_triangle::TriangleHit;
use crate::sight::SightLine;
use crate::tri_mesh::{
    MeshPlace, PlacedMesh, Placing, Shell, TriangleWatch, local_box, placed_box, placed_window,
};
use crate::{Aabb, Error, Side, Sides, TriMesh};
use core::ops::ControlFlow;
use glam::{DAffine3, DVec3};
use std::sync::{Arc, OnceLock};

/// One part of a model (or a mesh) with its transform.
#[derive(Debug, Clone)]
pub(super) struct InstancedPart {
    shape: PartShape,
    transform: Arc<InstanceTransform>,
    /// Whether the mesh itself is mirrored, apart from its transform.
    winding: Winding,
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
    ///
    /// An ill-conditioned transform is applied to the corners instead.
    pub(super) fn of_mesh(mesh: &Arc<TriMesh>, transform: &Arc<InstanceTransform>) -> Self {
        let shape = PartShape::Mesh(Arc::clone(mesh));
        Self::new(shape, Arc::clone(transform), Winding::Kept)
    }

    /// A part of a model in its pose, its transform applied as that of [`InstancedPart::of_mesh`].
    pub(super) fn posed(
        posed: &Arc<PosedModel>,
        (index, part): (usize, PosedPart<'_>),
        transform: &Arc<InstanceTransform>,
    ) -> Self {
        let shape = match part.at_rest() {
            Some(mesh) => PartShape::Mesh(Arc::clone(mesh)),
            None => PartShape::Posed(Arc::clone(posed), index),
        };
        let model_from_part = part.model_from_part();
        // Where the transform itself mirrors, a ray in the part's space hits the outside as
        // outside. What is left is mirrored in the vertices.
        let is_seen = model_from_part.matrix3.determinant() < 0.0;
        let winding = part.winding();
        let winding = if is_seen { winding.reversed() } else { winding };
        let transform = if model_from_part == DAffine3::IDENTITY {
            Arc::clone(transform)
        } else {
            Arc::new(InstanceTransform::of_part(
                transform.world_from_part * model_from_part,
            ))
        };
        Self::new(shape, transform, winding)
    }

    fn new(shape: PartShape, transform: Arc<InstanceTransform>, winding: Winding) -> Self {
        if transform.is_well_conditioned && transform.is_close {
            return Self {
                shape,
                transform,
                winding,
                bounds: OnceLock::new(),
            };
        }
        let mesh = shape.mesh();
        let world_from_part = transform.world_from_part;
        let place = |at: glam::Vec3| world_from_part.transform_point3(at.as_dvec3());
        // What is out of the range of f32 is beyond that of shapes all the same, and refused for it.
        let greatest = DVec3::splat(f64::from(f32::MAX));
        let in_f32 = |at: DVec3| at.max(-greatest).min(greatest).as_vec3();
        let moved = mesh.positions().iter().map(|at| in_f32(place(*at)));
        let is_mirrored = world_from_part.matrix3.determinant() < 0.0;
        Self {
            shape: PartShape::Mesh(Arc::new(mesh.moved(moved.collect()))),
            transform: Arc::new(InstanceTransform::IDENTITY),
            winding: if is_mirrored {
                winding.reversed()
            } else {
                winding
            },
            bounds: OnceLock::new(),
        }
    }

    /// Refuses a part beyond the range that shapes accept.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] or [`Error::NotFinite`] where a corner is beyond ±1e18.
    pub(super) fn check_range(&self) -> Result<(), Error> {
        if is_in_range(self.culling_bounds()) {
            return Ok(());
        }
        // The box may be larger than what it is around.
        self.bounds().map_or(Ok(()), |own| check_range(&own))
    }

    /// The nearest hit of a ray in the part's space; see [`TriMesh::nearest`].
    pub(super) fn nearest(
        &self,
        local: &LocalRay,
        sides: Sides,
        limit: f32,
        watch: impl TriangleWatch + Copy,
    ) -> Option<(u32, TriangleHit)> {
        let sides = self.mesh_sides(sides);
        match &self.shape {
            PartShape::Mesh(mesh) => mesh.nearest(local, sides, limit, watch),
            PartShape::Posed(posed, index) => {
                part_of(posed, *index).nearest(local, sides, limit, watch)
            }
        }
    }

    /// Whether a ray in the part's space hits it.
    pub(super) fn is_hit(&self, local: &LocalRay, sides: Sides) -> bool {
        let sides = self.mesh_sides(sides);
        match &self.shape {
            PartShape::Mesh(mesh) => mesh.is_hit(local, sides),
            PartShape::Posed(posed, index) => part_of(posed, *index).is_hit(local, sides),
        }
    }

    /// Visits every triangle that a ray in the part's space may hit.
    pub(super) fn for_each_candidate(&self, local: &LocalRay, visit: impl FnMut(u32, &[DVec3; 3])) {
        match &self.shape {
            PartShape::Mesh(mesh) => mesh.for_each_candidate(local, visit),
            PartShape::Posed(posed, index) => {
                part_of(posed, *index).for_each_candidate(local, visit);
            }
        }
    }

    /// All triangles, in the part's space.
    pub(super) fn mesh(&self) -> &Arc<TriMesh> {
        self.shape.mesh()
    }

    /// The ray in the part's space, with the same t.
    #[inline(always)]
    pub(super) fn local_ray(&self, ray: &LocalRay) -> LocalRay {
        ray.transformed(&self.transform.part_from_world)
    }

    /// The side of the surface in the world, for a side of the mesh, and the other way round.
    pub(super) fn turned(&self, side: Side) -> Side {
        self.winding.turned(side)
    }

    /// The sides of the mesh that are `sides` of the surface in the world.
    pub(super) fn mesh_sides(&self, sides: Sides) -> Sides {
        self.winding.mesh_sides(sides)
    }

    /// A normal of the part's space in the world's, not of unit length. Outward stays outward, also
    /// where the transform mirrors.
    pub(super) fn world_normal(&self, local: DVec3) -> DVec3 {
        // Divided by its greatest component, so that the product stays in f64's range.
        let scale = local.abs().max_element();
        let normal = self.transform.part_from_world.matrix3.transpose() * (local / scale);
        if self.winding == Winding::Mirrored {
            -normal
        } else {
            normal
        }
    }

    /// Its triangles as they are in the world, as those of the part with this index.
    pub(super) fn placed(&self, part: u32) -> PlacedMesh<'_> {
        let transform = &*self.transform;
        PlacedMesh {
            mesh: self.mesh(),
            part,
            transforms: Some((&transform.world_from_part, &transform.part_from_world)),
            is_mirrored: self.is_mirrored(),
        }
    }

    /// Offers the triangles, as they are in the world, that may be the nearest to the search.
    pub(super) fn search_near(&self, search: &mut Search) {
        let transform = &self.transform.world_from_part;
        let placing = (*transform != DAffine3::IDENTITY).then_some(transform);
        self.mesh().search_near(placing, search);
    }

    /// Adds the triangles, as they are in the world, to those that may wind around a point.
    pub(super) fn add_to(&self, shell: &mut Shell) {
        let placing = Placing {
            world_from_mesh: &self.transform.world_from_part,
            mesh_from_world: &self.transform.part_from_world,
            is_mirrored: self.is_mirrored(),
        };
        shell.add_mesh(self.mesh(), Some(placing));
    }

    pub(super) fn world_from_part(&self) -> &DAffine3 {
        &self.transform.world_from_part
    }

    /// How the sides of its triangles are turned in the world.
    pub(super) fn winding(&self) -> Winding {
        self.winding
    }

    /// Whether the front of its triangles is that from which their corners in the world run clockwise.
    pub(super) fn is_mirrored(&self) -> bool {
        let is_transform_mirrored = self.transform.world_from_part.matrix3.determinant() < 0.0;
        is_transform_mirrored != (self.winding == Winding::Mirrored)
    }

    /// Has the search consider the triangles as they are in the world.
    pub(super) fn search_arc(&self, search: &mut ArcSearch, part: u32) {
        let InstanceTransform {
            world_from_part,
            part_from_world,
            ..
        } = &*self.transform;
        if let PartShape::Posed(posed, index) = &self.shape {
            // The box of a deformed part is known before its triangles are.
            let bounds = part_of(posed, *index).bounds();
            let reaches = |bounds| placed_window(search, &bounds, world_from_part).is_some();
            if !bounds.is_some_and(reaches) {
                return;
            }
        }
        let place = MeshPlace {
            transforms: (*world_from_part != DAffine3::IDENTITY)
                .then_some([world_from_part, part_from_world]),
            facing: if self.is_mirrored() {
                Facing::Mirrored
            } else {
                Facing::Kept
            },
            part,
        };
        self.mesh().search_arc(search, place);
    }

    /// Calls `visit` for each triangle, as it is in the world, that the line crosses, until it breaks.
    pub(super) fn for_each_in_the_way(
        &self,
        line: &SightLine,
        visit: &mut dyn FnMut(u32, &[DVec3; 3]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let ray = line.ray();
        let local = self.local_motion(&MovingBox {
            min: line.from,
            max: line.from,
            motion: ray.direction,
        });
        let corners = (local.min, local.max);
        let query = TraversalQuery::moving_box(corners, local.motion, (ray.t_min, ray.t_max));
        let mesh = self.mesh();
        mesh.for_each_touched(&query, |triangle| {
            let corners = self.world_corners(mesh, triangle);
            if line.crosses(&corners) {
                visit(triangle, &corners)?;
            }
            ControlFlow::Continue(())
        })
    }

    /// A triangle's corners in the world, rounded once, so that triangles share them.
    pub(super) fn world_corners(&self, mesh: &TriMesh, triangle: u32) -> [DVec3; 3] {
        mesh.corners(triangle)
            .map(|corner| self.transform.world_from_part.transform_point3(corner))
    }

    /// The corners of all triangles in the world, counter-clockwise seen from the front.
    pub(super) fn all_world_corners(&self) -> impl Iterator<Item = [DVec3; 3]> + '_ {
        let (transform, is_mirrored) = (&self.transform.world_from_part, self.is_mirrored());
        self.mesh().all_corners().map(move |corners| {
            let [a, b, c] = corners.map(|corner| transform.transform_point3(corner));
            if is_mirrored { [a, c, b] } else { [a, b, c] }
        })
    }

    /// The box around the triangles in the world, or `None` without triangles.
    pub(super) fn bounds(&self) -> Option<Aabb> {
        *self.bounds.get_or_init(|| {
            let mesh = self.mesh();
            let corners = mesh.triangles().as_flattened().iter();
            Aabb::around_f64(corners.map(|corner| {
                let at = mesh.positions()[*corner as usize].as_dvec3();
                self.transform.world_from_part.transform_point3(at)
            }))
        })
    }

    /// A box that holds what a transformed ray from 0 may hit. A ray's own origin adds [`MARGIN`](crate::tri_mesh::MARGIN)
    /// of its magnitude.
    ///
    /// At a hit, `t |direction|` is at most the way from the origin to the box, so that all
    /// magnitudes involved are the origin's, the box's and the translation's.
    pub(super) fn culling_bounds(&self) -> Option<Aabb> {
        match &self.shape {
            PartShape::Mesh(mesh) => {
                placed_box(mesh.bvh().outline(), &self.transform.world_from_part)
            }
            PartShape::Posed(posed, index) => {
                part_of(posed, *index).placed_bounds(&self.transform.world_from_part)
            }
        }
    }

    /// A box of the part's space that holds the world's box from `min` to `max`.
    pub(super) fn local_box(&self, (min, max): (DVec3, DVec3)) -> (DVec3, DVec3) {
        let local = self.local_motion(&MovingBox {
            min,
            max,
            motion: DVec3::ZERO,
        });
        (local.min, local.max)
    }

    /// A box of the part's space that at every t holds the world's.
    fn local_motion(&self, swept: &MovingBox) -> MovingBox {
        let transform = &self.transform;
        local_box(
            swept,
            &transform.world_from_part,
            &transform.part_from_world,
        )
    }

    /// The mesh for so many rays that come together; `None` where they are better cast one by one.
    pub(super) fn mesh_for(&self, rays: usize) -> Option<&TriMesh> {
        match &self.shape {
            PartShape::Mesh(mesh) => Some(mesh),
            PartShape::Posed(posed, index) => part_of(posed, *index).whole_for(rays),
        }
    }

    /// The mesh, unless the pose deforms it.
    pub(super) fn mesh_at_hand(&self) -> Option<&Arc<TriMesh>> {
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
