//! The least of a measure over what is in a tree: boxes with the least bound first.
//!
//! A measure is the distance from a ray (`approach.rs`) or the angle by which one has to be turned
//! (`turn.rs`). Of triangles with equal values the lowest answers, so the shape of a tree does not matter.

use super::space::{ends, ends_around};
use crate::bvh::{Bvh, ChildKind, NO_ITEM};
use crate::height_field::BlockChild;
use crate::model::PlacedPart;
use crate::narrow_phase::ray_cast::ray_triangle::normal;
use crate::shape::aabb::corners_between;
use crate::world::object::{Object, Shape};
use crate::{Aabb, HeightField, Primitive, TriangleId};
use core::cmp::Reverse;
use glam::{DAffine3, DVec3};
use std::collections::BinaryHeap;

/// By how much a bound is lowered for rounding, in units of what it is computed from: some operations of
/// 2^-53 each.
pub(super) const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// What is searched for the least of.
pub(super) trait Measure {
    /// Where a value is.
    type Place: Copy;

    /// A value that nothing in the box between these corners is below.
    fn bound(&self, ends: [DVec3; 2]) -> f64;

    /// The least value on a triangle, and where it is.
    fn of_triangle(&self, corners: &[DVec3; 3]) -> (f64, Self::Place);

    /// The least value on a solid, and where it is.
    fn of_solid(&self, solid: &Primitive) -> (f64, Self::Place);
}

/// The least value, and where it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Least<P> {
    pub(super) value: f64,
    pub(super) place: P,
    pub(super) triangle: Option<TriangleId>,
}

/// The least value on an object, if it is at most the limit.
pub(super) fn least_of<M: Measure>(
    measure: &M,
    object: &Object,
    limit: f64,
) -> Option<Least<M::Place>> {
    let mut best = Best { limit, found: None };
    if let Some(instance) = object.shape.meshes() {
        for part in instance.parts().all() {
            search_part(measure, part, &mut best);
        }
    }
    match &object.shape {
        Shape::HeightField(field) => search_field(measure, field, &mut best),
        Shape::Instance(_) => {}
        Shape::Primitive(solid) => best.consider(measure.of_solid(&solid.get()), None),
        Shape::Compound(compound) => {
            for (part, solid) in compound.solids() {
                best.consider(measure.of_solid(solid), TriangleId::in_part(None, part));
            }
        }
    }
    best.found
}

/// The least so far.
struct Best<P> {
    limit: f64,
    found: Option<Least<P>>,
}

impl<P: Copy> Best<P> {
    fn consider(&mut self, (value, place): (f64, P), triangle: Option<TriangleId>) {
        let is_lower = match &self.found {
            None => value <= self.limit,
            Some(best) => value < best.value || value == best.value && triangle < best.triangle,
        };
        if is_lower {
            self.limit = value;
            self.found = Some(Least {
                value,
                place,
                triangle,
            });
        }
    }

    /// One without area is nothing.
    fn consider_triangle<M: Measure<Place = P>>(
        &mut self,
        measure: &M,
        corners: &[DVec3; 3],
        id: TriangleId,
    ) {
        if normal(corners) != DVec3::ZERO {
            self.consider(measure.of_triangle(corners), Some(id));
        }
    }
}

fn search_part<M: Measure>(measure: &M, part: PlacedPart<'_>, best: &mut Best<M::Place>) {
    let (mesh, world_from_local) = (part.mesh(), part.outer_from_part());
    let search = Boxes {
        measure,
        world_from_local,
        tree: mesh.bvh(),
    };
    search.run(best.limit, |leaf| {
        for triangle in mesh
            .bvh()
            .items(leaf)
            .iter()
            .take_while(|item| **item != NO_ITEM)
        {
            let corners = mesh.corners(*triangle);
            let corners = corners.map(|corner| world_from_local.transform_point3(corner));
            let id = TriangleId {
                part: part.index,
                triangle: *triangle,
            };
            best.consider_triangle(measure, &corners, id);
        }
        best.limit
    });
}

fn search_field<M: Measure>(measure: &M, field: &HeightField, best: &mut Best<M::Place>) {
    let root = BlockChild::Block(field.root_block());
    let Some(bounds) = field.block_box(field.root_block()) else {
        return;
    };
    let mut open = BinaryHeap::from([Reverse((Key(measure.bound(bounds)), root))]);
    while let Some(Reverse((Key(least), child))) = open.pop() {
        if least > best.limit {
            return;
        }
        match child {
            BlockChild::Block(block) => {
                let children = (0..16).filter_map(|child| field.child_of(block, child));
                open.extend(children.filter_map(|child| {
                    let ends = match child {
                        BlockChild::Block(block) => field.block_box(block)?,
                        BlockChild::Cell(place) => field.cell_box(place),
                    };
                    Some(Reverse((Key(measure.bound(ends)), child)))
                }));
            }
            BlockChild::Cell(place) => {
                let first = field.first_triangle_of(place);
                for triangle in [first, first + 1] {
                    if let Some(corners) = field.triangle(triangle) {
                        let id = TriangleId { part: 0, triangle };
                        best.consider_triangle(measure, &corners, id);
                    }
                }
            }
        }
    }
}

/// A tree in a space of its own.
pub(super) struct Boxes<'a, M, B: Clone + 'static> {
    pub(super) measure: &'a M,
    pub(super) world_from_local: &'a DAffine3,
    pub(super) tree: &'a Bvh<B>,
}

impl<M: Measure, B: Clone> Boxes<'_, M, B> {
    /// Visits leaves, those with the least bound first; `visit` returns up to which value others matter.
    pub(super) fn run(&self, mut limit: f64, mut visit: impl FnMut(u32) -> f64) {
        let Some(bounds) = self.tree.bounds() else {
            return;
        };
        let mut open = BinaryHeap::from([Reverse((self.key(&bounds), false, 0))]);
        while let Some(Reverse((Key(least), is_leaf, index))) = open.pop() {
            if least > limit {
                return;
            }
            if is_leaf {
                limit = visit(index);
                continue;
            }
            for (child, bounds) in self.tree.children_with_bounds(index) {
                let (is_leaf, index) = match child {
                    ChildKind::Node(index) => (false, index),
                    ChildKind::Leaf(index) => (true, index),
                };
                open.push(Reverse((self.key(&bounds), is_leaf, index)));
            }
        }
    }

    fn key(&self, bounds: &Aabb) -> Key {
        let corners = corners_between(ends(bounds));
        let in_world = corners.map(|corner| self.world_from_local.transform_point3(corner));
        Key(self.measure.bound(ends_around(&in_world)))
    }
}

/// A bound in the order of f64.
#[derive(Debug, Clone, Copy)]
struct Key(f64);

impl Ord for Key {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Key {}
