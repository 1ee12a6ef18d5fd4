//! A compound where its transform takes it, with a tree over its parts.
//!
//! Each query asks the parts that a filter accepts by the functions that answer for a solid alone; here is which
//! parts it comes near, found by a tree as the objects of a world are.

use crate::bvh::{Bvh, TraversalQuery};
use crate::narrow_phase::arc_cast::window::ArcBounds;
use crate::query::filter::QueryFilter;
use crate::shape::compound::Compound;
use crate::shape::placing::longest_axis;
use crate::{Aabb, Error, ObjectId, Primitive};
use core::ops::ControlFlow;
use glam::{DAffine3, DVec3, Vec3};
use std::sync::Arc;

/// A compound in the world.
#[derive(Debug, Clone)]
pub(crate) struct PlacedCompound {
    compound: Arc<Compound>,
    world_from_own: DAffine3,
    /// The parts in the world, by their numbers.
    solids: Box<[Primitive]>,
    /// Over the boxes around them.
    tree: Bvh,
    bounds: Aabb,
}

impl PlacedCompound {
    /// The compound with this transform, which may stretch, mirror and flatten it.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::OutOfRange`] where that takes a part beyond ±1e18 or is not finite,
    /// [`Error::BadValue`] for a radius that it takes out of range.
    pub(crate) fn new(
        compound: &Arc<Compound>,
        world_from_own: &DAffine3,
    ) -> Result<Arc<Self>, Error> {
        let longest = longest_axis(world_from_own);
        if !longest.is_finite() {
            let what = "length of an axis of a transform";
            return Err(Error::NotFinite {
                what,
                found: longest,
            });
        }
        let parts = compound.parts().iter();
        let solids = parts.map(|part| part.solid().placed(world_from_own));
        let solids = solids.collect::<Result<Box<[Primitive]>, Error>>()?;
        let boxes: Vec<Aabb> = solids.iter().map(Primitive::bounds).collect();
        let tree = Bvh::build(&boxes);
        let bounds = boxes.into_iter().reduce(|all, one| all.union(&one));
        let bounds = bounds.unwrap_or(Aabb::from_ordered(Vec3::ZERO, Vec3::ZERO));
        Ok(Arc::new(Self {
            compound: Arc::clone(compound),
            world_from_own: *world_from_own,
            solids,
            tree,
            bounds,
        }))
    }

    /// The compound at its own coordinates.
    pub(crate) fn unplaced(compound: &Arc<Compound>) -> Arc<Self> {
        Self::new(compound, &DAffine3::IDENTITY)
            .expect("solids are in range at their own coordinates")
    }

    pub(crate) fn compound(&self) -> &Arc<Compound> {
        &self.compound
    }

    pub(crate) fn world_from_own(&self) -> &DAffine3 {
        &self.world_from_own
    }

    /// The smallest box of f32 around all parts.
    pub(crate) fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// The part with this number, in the world.
    pub(crate) fn solid(&self, part: u32) -> Option<&Primitive> {
        self.solids.get(part as usize)
    }

    /// All parts in the world, by their numbers.
    pub(crate) fn solids(&self) -> impl Iterator<Item = (u32, &Primitive)> {
        (0..).zip(&self.solids)
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

    /// The bytes that it takes, without the compound, which others may share.
    pub(crate) fn memory_bytes(&self) -> usize {
        let shared = self.solids.iter().map(Primitive::shared_bytes);
        size_of::<Self>()
            + size_of_val(&*self.solids)
            + self.tree.memory_bytes()
            + shared.sum::<usize>()
    }
}

/// The parts of a compound that a filter accepts.
#[derive(Clone, Copy)]
pub(crate) struct SeenParts<'a> {
    placed: &'a PlacedCompound,
    object: ObjectId,
    filter: &'a QueryFilter<'a>,
}

impl<'a> SeenParts<'a> {
    /// The tree over all parts, whose items are their numbers.
    pub(crate) fn tree(self) -> &'a Bvh {
        &self.placed.tree
    }

    /// The part with this number, if it is seen.
    pub(crate) fn part(self, part: u32) -> Option<&'a Primitive> {
        let is_seen = self.filter.sees_part(self.object, part);
        self.placed.solid(part).filter(|_| is_seen)
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
        self.placed.tree.cast(query, limit, |part| {
            self.filter.step()?;
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
        self.placed.tree.cast_arc(arc, limit, &mut |part, _| {
            self.filter.step()?;
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
        self.placed.tree.near_items(point, limit, &mut |part| {
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
        self.placed.tree.touching(corners, |part| {
            self.filter.step()?;
            match self.part(part) {
                Some(solid) => visit(part, solid),
                None => ControlFlow::Continue(()),
            }
        })
    }
}
