//! An instance: a model in its pose, or a mesh, with a transform into the world.
//!
//! Making one costs a box; its parts are instanced when a query first comes near, and deformed parts
//! are computed only where rays reach them.

pub(crate) use super::geometry::Geometry;
use super::instance_transform::{invertible, is_in_range};
use super::instanced_part::InstancedPart;
use crate::bvh::{Bvh, TraversalQuery, Watch};
use crate::model::{Model, PartTree, PosedModel};
use crate::narrow_phase::arc_cast::search::ArcSearch;
use crate::narrow_phase::arc_cast::window::ArcBounds;
use crate::narrow_phase::closest_point::box_distance;
use crate::query::watch::Unwatched;
use crate::tri_mesh::{MeshTransform, is_closed};
use crate::{Aabb, Error, TriMesh};
use core::ops::ControlFlow;
use glam::{DAffine3, Vec3};
use smallvec::{SmallVec, smallvec};
use std::sync::{Arc, OnceLock};

/// A model in its pose, or a mesh, in the world.
#[derive(Debug, Clone)]
pub(crate) struct Instance {
    geometry: Geometry,
    transform: Arc<MeshTransform>,
    /// A box that holds whatever a query may hit; see [`InstancedPart::culling_bounds`].
    culling_bounds: Option<Aabb>,
    parts: OnceLock<InstancedParts>,
}

/// The instanced parts; those without triangles are none.
#[derive(Debug, Clone)]
struct InstancedParts {
    parts: SmallVec<[Option<InstancedPart>; 1]>,
    /// Over the parts, if they are many.
    tree: Option<PartTree>,
    /// Whether the triangles of all parts make a closed surface in the world, once it was queried.
    closed: OnceLock<bool>,
}

impl Instance {
    /// The instance of `geometry` with this transform.
    ///
    /// # Errors
    /// [`Error::BadValue`] where the transform is singular or not finite, [`Error::OutOfRange`]
    /// where it carries a corner beyond ±1e18.
    pub(crate) fn new(geometry: Geometry, world_from_model: DAffine3) -> Result<Self, Error> {
        Self::with_transform(geometry, Arc::new(invertible(world_from_model)?))
    }

    /// The instance that has the world's coordinates.
    pub(crate) fn unplaced(geometry: Geometry) -> Self {
        Self::new(geometry, DAffine3::IDENTITY)
            .expect("meshes and posed models are in range at their own coordinates")
    }

    /// The instance of `geometry` with the transform of this one.
    ///
    /// # Errors
    /// As [`Instance::new`].
    pub(crate) fn with_geometry(&self, geometry: Geometry) -> Result<Self, Error> {
        Self::with_transform(geometry, Arc::clone(&self.transform))
    }

    fn with_transform(geometry: Geometry, transform: Arc<MeshTransform>) -> Result<Self, Error> {
        let culling_bounds = geometry.bounds(&transform.world_from_mesh);
        if is_in_range(culling_bounds) {
            return Ok(Self {
                geometry,
                transform,
                culling_bounds,
                parts: OnceLock::new(),
            });
        }
        // At the ends of what is accepted each part is checked by itself.
        let instanced = InstancedParts::new(&geometry, &transform);
        for (_, part) in instanced.all() {
            part.check_range()?;
        }
        let boxes = instanced
            .all()
            .filter_map(|(_, part)| part.culling_bounds());
        let culling_bounds = boxes.reduce(|all, one| all.union(&one));
        Ok(Self {
            geometry,
            transform,
            culling_bounds,
            parts: OnceLock::from(instanced),
        })
    }

    pub(crate) fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    pub(crate) fn model(&self) -> Option<&Arc<Model>> {
        match &self.geometry {
            Geometry::Mesh(_) => None,
            Geometry::Model(posed) => Some(posed.model()),
        }
    }

    pub(crate) fn world_from_model(&self) -> &DAffine3 {
        &self.transform.world_from_mesh
    }

    pub(crate) fn culling_bounds(&self) -> Option<Aabb> {
        self.culling_bounds
    }

    /// The smallest box of f32 around all triangles in the world.
    pub(crate) fn bounds(&self) -> Option<Aabb> {
        let boxes = self.instanced().all().filter_map(|(_, part)| part.bounds());
        boxes.reduce(|all, one| all.union(&one))
    }

    /// The part with this index, if it has triangles.
    pub(crate) fn part(&self, index: u32) -> Option<&InstancedPart> {
        self.instanced().parts.get(index as usize)?.as_ref()
    }

    /// The parts that have triangles, with their indices.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (u32, &InstancedPart)> {
        self.instanced().all()
    }

    /// The tree over the parts, if they are many, and which part each of its items is.
    pub(crate) fn part_tree(&self) -> Option<(&Bvh, &[u32])> {
        let PartTree { tree, parts } = self.instanced().tree.as_ref()?;
        Some((tree, parts))
    }

    /// Visits the parts that `query` may touch until the limit; as [`Bvh::cast`].
    pub(crate) fn cast(
        &self,
        query: &TraversalQuery,
        limit: f32,
        visit: impl FnMut(u32, &InstancedPart) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        self.cast_watched(query, limit, Unwatched, visit)
    }

    /// As [`Self::cast`], with a watcher of the tree over the parts.
    pub(crate) fn cast_watched(
        &self,
        query: &TraversalQuery,
        limit: f32,
        watch: impl Watch + Copy,
        mut visit: impl FnMut(u32, &InstancedPart) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        let instanced = self.instanced();
        if let Some(tree) = &instanced.tree {
            return tree.cast_watched(query, limit, watch, |index| {
                match &instanced.parts[index as usize] {
                    Some(part) => visit(index, part),
                    None => ControlFlow::Continue(limit),
                }
            });
        }
        for (index, part) in instanced.all() {
            visit(index, part)?;
        }
        ControlFlow::Continue(())
    }

    /// Visits the parts whose boxes are no farther from a point than the limit that `visit` returned
    /// last, the nearest first where they are many.
    pub(crate) fn near_parts(
        &self,
        point: Vec3,
        limit: f64,
        mut visit: impl FnMut(u32, &InstancedPart) -> f64,
    ) {
        let instanced = self.instanced();
        let mut limit = limit;
        if let Some(PartTree { tree, parts }) = &instanced.tree {
            tree.near_items(point, limit, &mut |item| {
                let index = parts[item as usize];
                if let Some(part) = &instanced.parts[index as usize] {
                    limit = visit(index, part);
                }
                limit
            });
            return;
        }
        for (index, part) in instanced.all() {
            let bounds = part.culling_bounds();
            if bounds.is_some_and(|bounds| box_distance(point.as_dvec3(), &bounds) <= limit) {
                limit = visit(index, part);
            }
        }
    }

    /// Has the search consider the triangles of all parts.
    pub(crate) fn search_arc(&self, search: &mut ArcSearch) {
        let instanced = self.instanced();
        if let Some(PartTree { tree, parts }) = &instanced.tree {
            let bounds = ArcBounds::from(&search.arc);
            // The search holds how the traversal ended.
            let _ = tree.cast_arc(&bounds, search.limit(), &mut |item, _| {
                let index = parts[item as usize];
                if let Some(part) = &instanced.parts[index as usize] {
                    part.search_arc(search, index);
                }
                search.flow()
            });
            return;
        }
        for (index, part) in instanced.all() {
            part.search_arc(search, index);
            if search.flow().is_break() {
                return;
            }
        }
    }

    /// Whether all triangles together are a closed surface, by equal coordinates in the world.
    ///
    /// What is closed in its own space is closed wherever it is placed, so most objects are looked
    /// through once, or once a pose; only parts that are open by themselves and have transforms of
    /// their own are looked through once a place.
    pub(crate) fn is_closed(&self) -> bool {
        *self
            .instanced()
            .closed
            .get_or_init(|| match &self.geometry {
                Geometry::Mesh(_) => self.parts().all(|(_, part)| part.mesh().is_closed()),
                Geometry::Model(posed) if posed.has_one_transform() => posed.is_closed(),
                Geometry::Model(_) => {
                    self.parts().all(|(_, part)| part.mesh().is_closed()) || {
                        let all = self.parts().flat_map(|(_, part)| part.all_world_corners());
                        is_closed(&all.collect::<Vec<_>>())
                    }
                }
            })
    }

    pub(crate) fn triangle_count(&self) -> usize {
        match &self.geometry {
            Geometry::Mesh(mesh) => mesh.triangles().len(),
            Geometry::Model(posed) => posed.model().triangle_count(),
        }
    }

    /// Counts what it takes on the heap: the address of each thing, which others may share, and its
    /// bytes.
    pub(crate) fn count_bytes(&self, count: &mut impl FnMut(usize, usize)) {
        let mut mesh = |mesh: &Arc<TriMesh>| count(Arc::as_ptr(mesh).addr(), mesh.memory_bytes());
        if let Geometry::Mesh(own) = &self.geometry {
            mesh(own);
        }
        let instanced = self.parts.get();
        for part in instanced
            .into_iter()
            .flat_map(|instanced| &instanced.parts)
            .flatten()
        {
            if let Some(own) = part.own_mesh() {
                mesh(own);
            }
        }
        if let Geometry::Model(posed) = &self.geometry {
            let model = posed.model();
            count(Arc::as_ptr(model).addr(), model.memory_bytes());
            let bytes = size_of::<PosedModel>() + posed.memory_bytes();
            count(Arc::as_ptr(posed).addr(), bytes);
        }
        let instanced = instanced.map_or(0, InstancedParts::memory_bytes);
        count(
            Arc::as_ptr(&self.transform).addr(),
            size_of::<MeshTransform>(),
        );
        count(
            core::ptr::from_ref(self).addr(),
            size_of::<Self>() + instanced,
        );
    }

    fn instanced(&self) -> &InstancedParts {
        self.parts
            .get_or_init(|| InstancedParts::new(&self.geometry, &self.transform))
    }
}

impl InstancedParts {
    fn new(geometry: &Geometry, transform: &Arc<MeshTransform>) -> Self {
        let parts = match geometry {
            Geometry::Mesh(mesh) => {
                let is_something = mesh.bounds().is_some();
                smallvec![is_something.then(|| InstancedPart::of_mesh(mesh, transform))]
            }
            Geometry::Model(posed) => posed
                .parts()
                .enumerate()
                .map(|(index, part)| {
                    let is_something = part.bounds().is_some();
                    let make = || InstancedPart::posed(posed, (index, part), transform);
                    is_something.then(make)
                })
                .collect(),
        };
        let mut instanced = Self {
            parts,
            tree: None,
            closed: OnceLock::new(),
        };
        let boxes = instanced
            .all()
            .filter_map(|(index, part)| Some((index, part.culling_bounds()?)));
        instanced.tree = PartTree::over(boxes);
        instanced
    }

    fn all(&self) -> impl Iterator<Item = (u32, &InstancedPart)> {
        (0..)
            .zip(&self.parts)
            .filter_map(|(index, part)| Some((index, part.as_ref()?)))
    }

    fn memory_bytes(&self) -> usize {
        let tree = self.tree.as_ref().map_or(0, PartTree::memory_bytes);
        let beside = if self.parts.spilled() {
            size_of_val(self.parts.as_slice())
        } else {
            0
        };
        beside + tree
    }
}
