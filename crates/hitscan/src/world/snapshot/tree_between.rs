//! The tree over what objects pass through from one recorded tick to the next.

use super::interpolated::{is_moved, is_posed_anew};
use super::interpolated_primitive::primitive_bounds_between;
use super::state::State;
use crate::Aabb;
use crate::bvh::{Bvh, MovingTree};
use crate::model::{PathLength, RotationStretch};
use crate::world::instance::{Geometry, Instance};
use crate::world::instance_transform::{MARGIN, max_abs};
use crate::world::object::{Object, Shape};
use crate::world::placed_compound::{CompoundShape, PlacedCompound};
use glam::{DAffine3, DVec3};
use std::sync::Arc;

/// The tree over what the objects pass through from one state to another.
pub(super) fn tree_between(earlier: &State, later: &State) -> Arc<Bvh> {
    let mut tree = MovingTree::default();
    tree.set_width(earlier.tree.width());
    for object in earlier.slots.iter() {
        let bounds = bounds_between(object, later.object(object.id));
        tree.set(object.id.slot(), bounds);
    }
    tree.update();
    Arc::clone(tree.tree())
}

/// A box that holds an object at every time between two states.
fn bounds_between(earlier: &Object, later: Option<&Object>) -> Option<Aabb> {
    let own = earlier.culling_bounds();
    let Some(later) = later else { return own };
    match (&earlier.shape, &later.shape) {
        (Shape::Primitive(from), Shape::Primitive(to)) => {
            Some(primitive_bounds_between(&from.get(), &to.get()))
        }
        (Shape::Instance(from), Shape::Instance(to)) if from.may_move_to(to) => {
            own?;
            instance_bounds_between(from, to)
        }
        (Shape::Compound(from), Shape::Compound(to)) if is_moved(from, to) => {
            compound_bounds_between(from, to)
        }
        _ => own,
    }
}

/// A box around a ball that rolls from one place to the other: however the instance turns, it stays
/// within its largest distance from its origin.
///
/// A stretch that is interpolated stretches a point no farther than the greater of both ends, as
/// distance is convex.
fn instance_bounds_between(from: &Instance, to: &Instance) -> Option<Aabb> {
    if let Some(bounds) = from.bounds_by_joints_to(to) {
        return bounds;
    }
    let max_distance = match (from.geometry(), to.geometry()) {
        (Geometry::Model(a), Geometry::Model(b)) if is_posed_anew(a, b) => {
            a.max_displacement(b).ok()?
        }
        (geometry, _) => geometry.max_radius(),
    };
    let is_rigid = from.geometry().is(to.geometry());
    let ends = from.culling_bounds().zip(to.culling_bounds());
    let ends = ends.filter(|_| is_rigid);
    let transforms = [from.world_from_model(), to.world_from_model()];
    bounds_of_motion(max_distance, transforms, ends)
}

fn compound_bounds_between(from: &PlacedCompound, to: &PlacedCompound) -> Option<Aabb> {
    let max_distance = match (from.shape(), to.shape()) {
        (CompoundShape::Posed(one), CompoundShape::Posed(other)) => one.max_radius(other),
        (shape, _) => shape.compound().max_radius(),
    };
    bounds_of_motion(
        max_distance,
        [from.world_from_own(), to.world_from_own()],
        None,
    )
}

/// A box of all that is within a distance of the origin of a space, while that moves from one transform to
/// another: it is stretched no more than at either end. Of what is rigid, with its boxes at both ends, it is no larger
/// than what holds the paths from the one to the other.
fn bounds_of_motion(
    max_distance: f64,
    transforms: [&DAffine3; 2],
    ends: Option<(&Aabb, &Aabb)>,
) -> Option<Aabb> {
    let [a, b] = transforms.map(RotationStretch::new);
    let stretch = a.stretch_bound().max(b.stretch_bound());
    let radius = max_distance * stretch;
    let (p, q) = (a.translation, b.translation);
    let margin = MARGIN * (radius + max_abs(p).max(max_abs(q)));
    let around_origin = DVec3::splat(radius + margin);
    let ball = Aabb::around_f64([p.min(q) - around_origin, p.max(q) + around_origin])?;
    let length = PathLength::between(&a, &b, stretch).of_radius(max_distance);
    let held = ends.and_then(|ends| PathLength::around(ends, length, margin));
    held.and_then(|held| ball.intersection(&held))
        .or(Some(ball))
}
