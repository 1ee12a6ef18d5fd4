//! A figure: a model in its pose, or a mesh, where it stands in the world.
//!
//! Making one costs a box; its parts are placed when a query first comes near, and deformed parts
//! are worked out only where it reaches them (`crate::model`, stances).

use super::instance_transform::{InstancedPart, Place, around, is_in_range};
use crate::bvh::{Bvh, TraversalQuery};
use crate::model::{Model, PosedModel};
use crate::{Aabb, Error, TriMesh};
use core::ops::ControlFlow;
use glam::DAffine3;
use smallvec::{SmallVec, smallvec};
use std::sync::{Arc, OnceLock};

/// How many parts are looked through one by one; more stand under a tree.
const FEW_PARTS: usize = 4;

/// A model in its pose, or a mesh, placed.
#[derive(Debug, Clone)]
pub(super) struct Instance {
    form: Geometry,
    place: Arc<Place>,
    /// A box that holds whatever a query may meet; see [`InstancedPart::culling_bounds`].
    culling_bounds: Option<Aabb>,
    placed: OnceLock<PlacedParts>,
}

/// What is placed.
#[derive(Debug, Clone)]
pub(super) enum Geometry {
    /// A mesh, which counts as a model with one part.
    Mesh(Arc<TriMesh>),
    /// A model as it stands in a pose.
    Model(Arc<PosedModel>),
}

/// The parts where they stand; those without triangles are none.
#[derive(Debug, Clone)]
struct PlacedParts {
    parts: SmallVec<[Option<InstancedPart>; 1]>,
    /// Over the parts, if they are many.
    tree: Option<PartTree>,
}

/// A tree over parts, and which part each of its items is.
#[derive(Debug, Clone)]
struct PartTree {
    tree: Bvh,
    parts: Vec<u32>,
}

impl Instance {
    /// What `form` is where `world_from_model` takes it.
    ///
    /// # Errors
    /// [`Error::BadValue`] where the transform is singular or not finite, [`Error::OutOfRange`]
    /// where it carries a corner beyond ±1e18.
    pub(super) fn new(form: Geometry, world_from_model: DAffine3) -> Result<Self, Error> {
        Self::placed_at(form, Arc::new(Place::new(world_from_model)?))
    }

    /// What `form` is where this one stands.
    ///
    /// # Errors
    /// As [`Instance::new`].
    pub(super) fn replaced_by(&self, form: Geometry) -> Result<Self, Error> {
        Self::placed_at(form, Arc::clone(&self.place))
    }

    fn placed_at(form: Geometry, place: Arc<Place>) -> Result<Self, Error> {
        if place.is_well_conditioned() {
            let culling_bounds = form.bounds(place.world_from_part());
            if is_in_range(culling_bounds) {
                return Ok(Self {
                    form,
                    place,
                    culling_bounds,
                    placed: OnceLock::new(),
                });
            }
        }
        // At the ends of what is accepted each part is checked by itself.
        let placed = PlacedParts::new(&form, &place);
        for (_, part) in placed.all() {
            part.check_range()?;
        }
        let boxes = placed.all().filter_map(|(_, part)| part.culling_bounds());
        let culling_bounds = boxes.reduce(|all, one| all.union(&one));
        Ok(Self {
            form,
            place,
            culling_bounds,
            placed: OnceLock::from(placed),
        })
    }

    pub(super) fn form(&self) -> &Geometry {
        &self.form
    }

    pub(super) fn model(&self) -> Option<&Arc<Model>> {
        match &self.form {
            Geometry::Mesh(_) => None,
            Geometry::Model(stance) => Some(stance.model()),
        }
    }

    pub(super) fn world_from_model(&self) -> &DAffine3 {
        self.place.world_from_part()
    }

    pub(super) fn culling_bounds(&self) -> Option<Aabb> {
        self.culling_bounds
    }

    /// The smallest box of f32 around all triangles where they stand.
    pub(super) fn bounds(&self) -> Option<Aabb> {
        let boxes = self.placed().all().filter_map(|(_, part)| part.bounds());
        boxes.reduce(|all, one| all.union(&one))
    }

    /// The part with this index, if it has triangles.
    pub(super) fn part(&self, index: u32) -> Option<&InstancedPart> {
        self.placed().parts.get(index as usize)?.as_ref()
    }

    /// The parts that have triangles, with their indices.
    pub(super) fn parts(&self) -> impl Iterator<Item = (u32, &InstancedPart)> {
        self.placed().all()
    }

    /// Whether it has so few parts that all are asked by each ray that comes near.
    pub(super) fn has_few_parts(&self) -> bool {
        self.placed().tree.is_none()
    }

    /// Visits the parts that `probe` may touch until the limit; as [`Bvh::cast`].
    pub(super) fn cast(
        &self,
        probe: &TraversalQuery,
        limit: f32,
        mut visit: impl FnMut(u32, &InstancedPart) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        let placed = self.placed();
        if let Some(PartTree { tree, parts }) = &placed.tree {
            return tree.cast(probe, limit, |item| {
                let index = parts[item as usize];
                match &placed.parts[index as usize] {
                    Some(part) => visit(index, part),
                    None => ControlFlow::Continue(limit),
                }
            });
        }
        for (index, part) in placed.all() {
            visit(index, part)?;
        }
        ControlFlow::Continue(())
    }

    pub(super) fn triangle_count(&self) -> usize {
        match &self.form {
            Geometry::Mesh(mesh) => mesh.triangles().len(),
            Geometry::Model(stance) => stance.model().triangle_count(),
        }
    }

    /// Tells what it takes on the heap: where each thing stands, which others may share, and its
    /// bytes.
    pub(super) fn count_bytes(&self, count: &mut impl FnMut(usize, usize)) {
        let mut mesh = |mesh: &Arc<TriMesh>| count(Arc::as_ptr(mesh).addr(), mesh.memory_bytes());
        if let Geometry::Mesh(own) = &self.form {
            mesh(own);
        }
        let placed = self.placed.get();
        for part in placed
            .into_iter()
            .flat_map(|placed| &placed.parts)
            .flatten()
        {
            if let Some(own) = part.mesh_at_hand() {
                mesh(own);
            }
        }
        if let Geometry::Model(stance) = &self.form {
            let model = stance.model();
            count(Arc::as_ptr(model).addr(), model.memory_bytes());
            let bytes = size_of::<PosedModel>() + stance.memory_bytes();
            count(Arc::as_ptr(stance).addr(), bytes);
        }
        let placed = placed.map_or(0, PlacedParts::memory_bytes);
        count(Arc::as_ptr(&self.place).addr(), size_of::<Place>());
        count(core::ptr::from_ref(self).addr(), size_of::<Self>() + placed);
    }

    fn placed(&self) -> &PlacedParts {
        self.placed
            .get_or_init(|| PlacedParts::new(&self.form, &self.place))
    }
}

impl Geometry {
    /// How far from its origin anything of it may be, as it stands.
    pub(super) fn reach(&self) -> f64 {
        let bounds = self.bounds(&DAffine3::IDENTITY);
        bounds.map_or(0.0, |bounds| {
            let far = bounds.min().abs().max(bounds.max().abs()).as_dvec3();
            far.dot(far).sqrt()
        })
    }

    /// A box around the whole in the world; see [`InstancedPart::culling_bounds`].
    fn bounds(&self, world_from_model: &DAffine3) -> Option<Aabb> {
        match self {
            Self::Mesh(mesh) => around(mesh.bvh().outline(), world_from_model),
            Self::Model(stance) => {
                let boxes = stance.parts().filter_map(|part| {
                    let model_from_part = part.model_from_part();
                    let world_from_part = if model_from_part == DAffine3::IDENTITY {
                        *world_from_model
                    } else {
                        *world_from_model * model_from_part
                    };
                    match part.at_rest() {
                        Some(mesh) => around(mesh.bvh().outline(), &world_from_part),
                        None => around(part.bounds(), &world_from_part),
                    }
                });
                boxes.reduce(|all, one| all.union(&one))
            }
        }
    }
}

impl PlacedParts {
    fn new(form: &Geometry, place: &Arc<Place>) -> Self {
        let parts = match form {
            Geometry::Mesh(mesh) => {
                let is_something = mesh.bounds().is_some();
                smallvec![is_something.then(|| InstancedPart::of_mesh(mesh, place))]
            }
            Geometry::Model(stance) => stance
                .parts()
                .enumerate()
                .map(|(index, part)| {
                    let is_something = part.bounds().is_some();
                    let placed = || InstancedPart::posed(stance, (index, part), place);
                    is_something.then(placed)
                })
                .collect(),
        };
        let mut placed = Self { parts, tree: None };
        if placed.all().count() > FEW_PARTS {
            let boxes = placed
                .all()
                .filter_map(|(index, part)| Some((index, part.culling_bounds()?)));
            let (parts, boxes): (Vec<u32>, Vec<Aabb>) = boxes.unzip();
            let tree = Bvh::build(&boxes);
            placed.tree = Some(PartTree { tree, parts });
        }
        placed
    }

    fn all(&self) -> impl Iterator<Item = (u32, &InstancedPart)> {
        (0..)
            .zip(&self.parts)
            .filter_map(|(index, part)| Some((index, part.as_ref()?)))
    }

    fn memory_bytes(&self) -> usize {
        let tree = self.tree.as_ref().map_or(0, |tree| {
            tree.tree.memory_bytes() + size_of_val(tree.parts.as_slice())
        });
        let beside = if self.parts.spilled() {
            size_of_val(self.parts.as_slice())
        } else {
            0
        };
        beside + tree
    }
}
