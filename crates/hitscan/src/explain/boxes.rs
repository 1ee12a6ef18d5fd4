//! The boxes of trees by depth, for pictures of them.

use super::space::{Space, ends, rounded};
use crate::bvh::{Bvh, ChildKind};
use crate::height_field::BlockChild;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::shape::aabb::corners_between;
use crate::world::Snapshot;
use crate::world::object::{Object, Shape};
use crate::{Aabb, HeightField, ObjectId, Primitive};
use glam::DVec3;

impl Snapshot {
    /// The boxes of the tree over objects at this depth, the first `limit` of them: at depth 0 that
    /// around everything, then those of nodes and, at the ends of branches, of objects. Empty below the
    /// deepest.
    ///
    /// They are those that [`Snapshot::trace_ray`] visits at this depth.
    ///
    /// ```
    /// use hitscan::{Aabb, World};
    /// let mut world = World::new();
    /// for x in [0.0, 5.0] {
    ///     world.add(Aabb::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0])?);
    /// }
    /// world.update();
    /// let whole = world.now().tree_boxes(0, 100);
    /// assert_eq!(whole, [Aabb::new([0.0, 0.0, 0.0], [6.0, 1.0, 1.0])?]);
    /// assert_eq!(world.now().tree_boxes(1, 100).len(), 2);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn tree_boxes(&self, depth: u32, limit: usize) -> Vec<Aabb> {
        boxes_at(self.tree(), depth, limit)
    }

    /// The corners of the boxes of an object's own trees at this depth, in the world, the first `limit`
    /// of them: those of the tree of each of its parts, of the pyramid over terrain and, below it, of
    /// cells; of a solid, and of each part of a compound, its box at depth 0. Corners are in the order of
    /// [`Visit::corners`](crate::explain::Visit::corners). `None` where there is no such object.
    ///
    /// Of a part that its pose deforms they are the boxes around what is there, which are no larger than
    /// those that the first rays test.
    #[must_use]
    pub fn object_boxes(
        &self,
        object: ObjectId,
        depth: u32,
        limit: usize,
    ) -> Option<Vec<[[f32; 3]; 8]>> {
        let object = self.object(object)?;
        Some(of_object(&object, depth, limit))
    }
}

fn of_object(object: &Object, depth: u32, limit: usize) -> Vec<[[f32; 3]; 8]> {
    let mut found = Vec::new();
    if let Some(instance) = object.shape.meshes() {
        for part in instance.parts().all() {
            let boxes = boxes_at(part.mesh().bvh(), depth, limit - found.len());
            let world_from_local = *part.outer_from_part();
            let space = Space {
                world_from_local,
                ray: LocalRay::NONE,
            };
            found.extend(boxes.iter().map(|bounds| space.corners(ends(bounds))));
        }
    }
    match &object.shape {
        Shape::HeightField(field) => {
            add_blocks(
                field,
                (BlockChild::Block(field.root_block()), 0),
                depth,
                &mut |boxed| {
                    found.push(corners_between(boxed).map(rounded));
                    found.len() < limit
                },
            );
            found.truncate(limit);
        }
        Shape::Instance(_) => {}
        Shape::Primitive(solid) if depth == 0 && limit > 0 => {
            found.push(solid_corners(&solid.get()));
        }
        Shape::Primitive(_) => {}
        Shape::Compound(compound) if depth == 0 => {
            let solids = compound.solids().take(limit.saturating_sub(found.len()));
            found.extend(solids.map(|(_, solid)| solid_corners(solid)));
        }
        Shape::Compound(_) => {}
    }
    found
}

/// The corners of a solid's box, which is turned where the solid is one.
pub(super) fn solid_corners(solid: &Primitive) -> [[f32; 3]; 8] {
    match solid {
        Primitive::Obb(obb) => obb.corners().map(rounded),
        Primitive::Sphere(_)
        | Primitive::Aabb(_)
        | Primitive::Capsule(_)
        | Primitive::Cylinder(_)
        | Primitive::ConvexHull(_) => solid.bounds().corners().map(Into::into),
    }
}

/// The boxes of a tree at a depth, depth first.
fn boxes_at<B: Clone>(tree: &Bvh<B>, depth: u32, limit: usize) -> Vec<Aabb> {
    let mut found = Vec::new();
    let Some(bounds) = tree.bounds() else {
        return found;
    };
    let mut open = vec![(ChildKind::Node(0), 0, bounds)];
    while let Some((child, at, bounds)) = open.pop() {
        if found.len() >= limit {
            break;
        }
        if at == depth {
            found.push(bounds);
        } else if let ChildKind::Node(node) = child {
            let children: Vec<_> = tree.children_with_bounds(node).collect();
            let children = children.into_iter().rev();
            open.extend(children.map(|(child, bounds)| (child, at + 1, bounds)));
        }
    }
    found
}

/// Passes on the boxes at a depth below a block, until there are enough.
fn add_blocks(
    field: &HeightField,
    (child, at): (BlockChild, u32),
    depth: u32,
    pass_on: &mut dyn FnMut([DVec3; 2]) -> bool,
) -> bool {
    let boxed = match child {
        BlockChild::Block(block) if at < depth => {
            let children = (0..16).filter_map(|child| field.child_of(block, child));
            let mut children = children;
            return children.all(|child| add_blocks(field, (child, at + 1), depth, pass_on));
        }
        BlockChild::Block(block) => field.block_box(block),
        BlockChild::Cell(place) => (at == depth).then(|| field.cell_box(place)),
    };
    boxed.is_none_or(pass_on)
}
