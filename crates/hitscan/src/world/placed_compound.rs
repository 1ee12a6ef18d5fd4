//! A compound where its transform, and the pose of its model, take it, with a tree over its parts.
//!
//! Each query tests the parts that a filter accepts with the functions for a single solid; the parts that it
//! comes near are found here, by a tree as the objects of a world are.

use super::instance::{Geometry, Instance};
use crate::bvh::{Bvh, TraversalQuery};
use crate::model::{Model, PartNumbers, PosedCompound, PosedModel};
use crate::narrow_phase::arc_cast::window::ArcBounds;
use crate::query::filter::QueryFilter;
use crate::shape::compound::{Compound, CompoundPart};
use crate::shape::placing::check_axes;
use crate::{Aabb, Error, ObjectId, Primitive};
use core::ops::ControlFlow;
use glam::{DAffine3, DVec3, Vec3};
use std::sync::Arc;

/// What is placed.
#[derive(Debug, Clone)]
pub(crate) enum CompoundShape {
    /// Parts in one space.
    Rigid(Arc<Compound>),
    /// Parts on the nodes of a model in a pose.
    Posed(Arc<PosedCompound>),
}

impl CompoundShape {
    pub(crate) fn compound(&self) -> &Arc<Compound> {
        match self {
            Self::Rigid(compound) => compound,
            Self::Posed(posed) => posed.compound(),
        }
    }

    pub(crate) fn posed(&self) -> Option<&Arc<PosedCompound>> {
        match self {
            Self::Rigid(_) => None,
            Self::Posed(posed) => Some(posed),
        }
    }
}

/// A compound in the world.
#[derive(Debug, Clone)]
pub(crate) struct PlacedCompound {
    shape: CompoundShape,
    world_from_own: DAffine3,
    /// The model, where its meshes are parts too.
    meshes: Option<Arc<Instance>>,
    /// The numbers of the solids, among those of the model's parts.
    numbers: PartNumbers,
    /// The solids in the world, in order of their numbers.
    solids: Box<[Primitive]>,
    /// Over the boxes around them.
    tree: Bvh,
    solid_bounds: Aabb,
}

impl PlacedCompound {
    /// The compound with this transform, which may stretch, mirror and flatten it.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::OutOfRange`] where that, or the pose, takes a part beyond ±1e18 or is not
    /// finite, [`Error::BadValue`] for a radius that it takes out of range.
    pub(crate) fn new(
        shape: &CompoundShape,
        world_from_own: &DAffine3,
    ) -> Result<Arc<Self>, Error> {
        let solids = match shape {
            CompoundShape::Posed(posed) => posed.placed(world_from_own)?,
            CompoundShape::Rigid(compound) => {
                check_axes(world_from_own)?;
                let parts = compound.parts().iter();
                let solids = parts.map(|part| part.solid().placed(world_from_own));
                solids.collect::<Result<Box<[Primitive]>, Error>>()?
            }
        };
        let boxes: Vec<Aabb> = solids.iter().map(Primitive::bounds).collect();
        let tree = Bvh::build(&boxes);
        let bounds = boxes.into_iter().reduce(|all, one| all.union(&one));
        let meshes = match shape.posed().filter(|posed| posed.has_meshes()) {
            Some(posed) => {
                let geometry = Geometry::Model(Arc::clone(posed.posed_model()));
                Some(Instance::new(geometry, world_from_own)?)
            }
            None => None,
        };
        Ok(Arc::new(Self {
            shape: shape.clone(),
            world_from_own: *world_from_own,
            meshes,
            numbers: (shape.posed()).map_or(PartNumbers::From(0), |posed| posed.numbers()),
            solids,
            tree,
            // Compounds have a part at least.
            solid_bounds: bounds.unwrap_or(Aabb::from_ordered(Vec3::ZERO, Vec3::ZERO)),
        }))
    }

    /// The compound at its own coordinates.
    pub(crate) fn unplaced(shape: &CompoundShape) -> Arc<Self> {
        Self::new(shape, &DAffine3::IDENTITY)
            .expect("solids and poses are in range at their own coordinates")
    }

    /// The compound with the transform of this one, its model in another pose.
    ///
    /// # Errors
    /// As [`PlacedCompound::new`].
    pub(crate) fn posed_as(&self, posed: Arc<PosedModel>) -> Result<Arc<Self>, Error> {
        let shape = match &self.shape {
            CompoundShape::Rigid(compound) => CompoundShape::Rigid(Arc::clone(compound)),
            CompoundShape::Posed(on_joints) => {
                CompoundShape::Posed(Arc::new(on_joints.posed_as(posed)?))
            }
        };
        Self::new(&shape, &self.world_from_own)
    }

    pub(crate) fn shape(&self) -> &CompoundShape {
        &self.shape
    }

    pub(crate) fn compound(&self) -> &Arc<Compound> {
        self.shape.compound()
    }

    /// The model whose nodes the parts are on.
    pub(crate) fn model(&self) -> Option<&Arc<Model>> {
        self.shape.posed().map(|posed| posed.model())
    }

    pub(crate) fn world_from_own(&self) -> &DAffine3 {
        &self.world_from_own
    }

    /// The model in the world, where its meshes are parts too.
    pub(crate) fn meshes(&self) -> Option<&Arc<Instance>> {
        self.meshes.as_ref()
    }

    /// The smallest box of f32 around all parts.
    pub(crate) fn bounds(&self) -> Aabb {
        let meshes = self.meshes.as_ref().and_then(|meshes| meshes.bounds());
        meshes.map_or(self.solid_bounds, |meshes| meshes.union(&self.solid_bounds))
    }

    /// A box that holds all parts, quick to have.
    pub(crate) fn culling_bounds(&self) -> Aabb {
        let meshes = self.meshes.as_ref();
        let meshes = meshes.and_then(|meshes| meshes.culling_bounds());
        meshes.map_or(self.solid_bounds, |meshes| meshes.union(&self.solid_bounds))
    }

    /// The solid that is the part with this number, in the world.
    pub(crate) fn solid(&self, part: u32) -> Option<&Primitive> {
        self.solids.get(self.numbers.place_of(part)? as usize)
    }

    /// All solids in the world, by their numbers.
    pub(crate) fn solids(&self) -> impl Iterator<Item = (u32, &Primitive)> {
        self.numbered(&self.solids)
    }

    /// The number after those of all parts, the model's too.
    pub(crate) fn end_of_parts(&self) -> u32 {
        let meshes = self.meshes.as_ref().and(self.shape.posed());
        let meshes = meshes.map_or(0, |posed| posed.posed_model().part_count());
        let meshes = u32::try_from(meshes).unwrap_or(u32::MAX);
        let last = self.solids().last().map_or(0, |(part, _)| part);
        meshes.max(last.saturating_add(1))
    }

    /// The part of the compound with this number.
    pub(crate) fn named_part(&self, part: u32) -> Option<&CompoundPart> {
        self.compound().part(self.numbers.place_of(part)?)
    }

    /// The parts of the compound, by their numbers.
    pub(crate) fn named_parts(&self) -> impl Iterator<Item = (u32, &CompoundPart)> {
        self.numbered(self.compound().parts())
    }

    /// What there is for each part of the compound, with the parts' numbers.
    fn numbered<'a, T>(&'a self, all: &'a [T]) -> impl Iterator<Item = (u32, &'a T)> {
        let placed = (0..).zip(all);
        placed.filter_map(|(place, one)| Some((self.numbers.of(place)?, one)))
    }

    /// The parts of the object that a filter accepts.
    pub(crate) fn seen<'a>(
        &'a self,
        object: ObjectId,
        filter: &'a QueryFilter<'a>,
    ) -> SeenParts<'a> {
        SeenParts {
            placed: self,
            object,
            filter,
        }
    }

    /// The bytes that it takes, without the compound and the model, which others may share.
    pub(crate) fn memory_bytes(&self) -> usize {
        let shared = self.solids.iter().map(Primitive::shared_bytes);
        let posed = self.shape.posed().map_or(0, |posed| posed.memory_bytes());
        let posed = posed + self.meshes.as_ref().map_or(0, |_| size_of::<Instance>());
        posed
            + size_of::<Self>()
            + size_of_val(&*self.solids)
            + self.tree.memory_bytes()
            + shared.sum::<usize>()
    }
}

/// The solids of a compound that a filter accepts.
#[derive(Clone, Copy)]
pub(crate) struct SeenParts<'a> {
    placed: &'a PlacedCompound,
    object: ObjectId,
    filter: &'a QueryFilter<'a>,
}

impl<'a> SeenParts<'a> {
    /// The tree over all solids, whose items have [numbers](Self::number) as parts.
    pub(crate) fn tree(self) -> &'a Bvh {
        &self.placed.tree
    }

    /// Whether the part with this number is a solid, seen or not.
    pub(crate) fn is_solid(self, part: u32) -> bool {
        self.placed.solid(part).is_some()
    }

    /// The part with this number, if it is seen.
    pub(crate) fn part(self, part: u32) -> Option<&'a Primitive> {
        let is_seen = self.filter.sees_part(self.object, part);
        self.placed.solid(part).filter(|_| is_seen)
    }

    /// The number of the part that is an item of the tree.
    pub(crate) fn number(self, item: u32) -> u32 {
        self.placed.numbers.of(item).unwrap_or(u32::MAX)
    }

    /// All of them, by their numbers.
    pub(crate) fn all(self) -> impl Iterator<Item = (u32, &'a Primitive)> {
        self.placed
            .solids()
            .filter(move |(part, _)| self.filter.sees_part(self.object, *part))
    }

    /// Visits those that `query` may touch until the limit; as [`Bvh::cast`].
    pub(crate) fn cast(
        self,
        query: &TraversalQuery,
        mut limit: f32,
        mut visit: impl FnMut(u32, &'a Primitive) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        self.placed.tree.cast(query, limit, |item| {
            self.filter.step()?;
            let part = self.number(item);
            if let Some(solid) = self.part(part) {
                limit = visit(part, solid)?;
            }
            ControlFlow::Continue(limit)
        })
    }

    /// Visits those that an arc may touch until the limit; as [`Bvh::cast_arc`].
    pub(crate) fn cast_arc(
        self,
        arc: &ArcBounds,
        mut limit: f64,
        visit: &mut dyn FnMut(u32, &'a Primitive) -> ControlFlow<(), f64>,
    ) -> ControlFlow<()> {
        self.placed.tree.cast_arc(arc, limit, &mut |item, _| {
            self.filter.step()?;
            let part = self.number(item);
            if let Some(solid) = self.part(part) {
                limit = visit(part, solid)?;
            }
            ControlFlow::Continue(limit)
        })
    }

    /// Visits those around a point until the limit; as [`Bvh::near_items`].
    pub(crate) fn near(
        self,
        point: Vec3,
        mut limit: f64,
        visit: &mut dyn FnMut(u32, &'a Primitive) -> f64,
    ) {
        self.placed.tree.near_items(point, limit, &mut |item| {
            let part = self.number(item);
            if let Some(solid) = self.part(part) {
                limit = visit(part, solid);
            }
            limit
        });
    }

    /// Visits those whose boxes touch one, in no promised order; as [`Bvh::touching`].
    pub(crate) fn touching(
        self,
        corners: (DVec3, DVec3),
        mut visit: impl FnMut(u32, &'a Primitive) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.placed.tree.touching(corners, |item| {
            self.filter.step()?;
            let part = self.number(item);
            match self.part(part) {
                Some(solid) => visit(part, solid),
                None => ControlFlow::Continue(()),
            }
        })
    }
}
