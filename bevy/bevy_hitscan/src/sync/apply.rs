//! Making an entity in the world what it should be.

use crate::collider::placed;
use crate::mesh::Baked;
use crate::world::{Departed, Pose, Tracked, TrackedShape};
use crate::{HitscanDiagnostics, HitscanError, HitscanWorld};
use bevy_ecs::prelude::*;
use bevy_math::Affine3A;
use hitscan::glam::{DAffine3, DMat3, DVec3};
use hitscan::{ObjectId, World as Hittable};
use std::sync::Arc;

/// What an entity should be in the world.
pub(super) struct Wanted {
    pub(super) shape: TrackedShape,
    pub(super) affine: Affine3A,
    pub(super) pose: Pose,
    pub(super) layers: u32,
    pub(super) order: u64,
    pub(super) is_one_sided: bool,
}

impl HitscanWorld {
    /// Makes an entity what it should be; where that is refused, it is out of the world.
    pub(super) fn apply(
        &mut self,
        entity: Entity,
        wanted: Result<Option<Wanted>, HitscanError>,
        counts: &mut HitscanDiagnostics,
    ) -> Result<(), HitscanError> {
        let done = wanted.and_then(|wanted| match wanted {
            None => {
                self.take_out(entity, counts);
                Ok(())
            }
            Some(wanted) => self.put(entity, wanted, counts),
        });
        if done.is_err() {
            self.take_out(entity, counts);
        }
        done
    }

    fn put(
        &mut self,
        entity: Entity,
        wanted: Wanted,
        counts: &mut HitscanDiagnostics,
    ) -> Result<(), HitscanError> {
        let is_same =
            (self.tracked.get(&entity)).is_some_and(|tracked| tracked.shape.is_same(&wanted.shape));
        if !is_same {
            self.take_out(entity, counts);
            return self.put_in(entity, wanted, counts);
        }
        let Some(tracked) = self.tracked.get_mut(&entity) else {
            return Ok(());
        };
        if tracked.affine != wanted.affine {
            let (object, affine) = (tracked.object, &wanted.affine);
            let moved = match &tracked.shape {
                TrackedShape::HeightField(built) => {
                    let field = placed(&built.field, affine)?;
                    self.world.set_height_field(object, field)
                }
                TrackedShape::Mesh(_) | TrackedShape::Collider(_) => {
                    self.world.set_transform(object, wide(affine))
                }
            };
            moved.map_err(|error| HitscanError::transform(&error))?;
            tracked.affine = wanted.affine;
            counts.moved += 1;
        }
        if tracked.pose != wanted.pose {
            pose(&mut self.world, tracked.object, &tracked.pose, &wanted.pose)?;
            tracked.pose = wanted.pose;
            counts.posed += 1;
        }
        if tracked.order != wanted.order {
            let key = self.order_keys.key(wanted.order);
            let ordered = self.world.set_order_key(tracked.object, key);
            tracked.object = ordered.expect("a tracked object is in the world");
            tracked.order = wanted.order;
            counts.reordered += 1;
        }
        if tracked.layers != wanted.layers {
            let put = self.world.set_layers(tracked.object, wanted.layers);
            put.expect("a tracked object is in the world");
            tracked.layers = wanted.layers;
            counts.relayered += 1;
        }
        self.one_sided_count += usize::from(wanted.is_one_sided);
        self.one_sided_count -= usize::from(tracked.is_one_sided);
        tracked.is_one_sided = wanted.is_one_sided;
        Ok(())
    }

    fn put_in(
        &mut self,
        entity: Entity,
        wanted: Wanted,
        counts: &mut HitscanDiagnostics,
    ) -> Result<(), HitscanError> {
        let mut object = self.add(&wanted.shape, &wanted.affine)?;
        let posed = pose(&mut self.world, object, &Pose::default(), &wanted.pose);
        if let Err(fault) = posed {
            let removed = self.world.remove(object);
            removed.expect("the object was just added");
            return Err(fault);
        }
        let world = &mut self.world;
        let named = world.set_user_data(object, entity.to_bits());
        let layered = named.and_then(|()| world.set_layers(object, wanted.layers));
        layered.expect("the object was just added");
        if wanted.order != 0 {
            let key = self.order_keys.key(wanted.order);
            let ordered = world.set_order_key(object, key);
            object = ordered.expect("the object was just added");
        }
        let tracked = Tracked {
            object,
            shape: wanted.shape,
            affine: wanted.affine,
            pose: wanted.pose,
            layers: wanted.layers,
            order: wanted.order,
            is_one_sided: wanted.is_one_sided,
        };
        self.one_sided_count += usize::from(tracked.is_one_sided);
        self.tracked.insert(entity, tracked);
        counts.added += 1;
        Ok(())
    }

    fn add(&mut self, shape: &TrackedShape, affine: &Affine3A) -> Result<ObjectId, HitscanError> {
        let added = match shape {
            TrackedShape::Mesh(Baked::Mesh(mesh)) => {
                self.world.add_at(Arc::clone(mesh), wide(affine))
            }
            TrackedShape::Mesh(Baked::Model(model)) => {
                (self.world).add_model(model, model.rest_pose(), wide(affine))
            }
            TrackedShape::Collider(built) => {
                (self.world).add_at(Arc::clone(&built.compound), wide(affine))
            }
            TrackedShape::HeightField(built) => Ok(self.world.add(placed(&built.field, affine)?)),
        };
        added.map_err(|error| HitscanError::transform(&error))
    }

    /// Takes an entity out of the world, if it is there.
    pub(super) fn take_out(&mut self, entity: Entity, counts: &mut HitscanDiagnostics) {
        let Some(tracked) = self.tracked.remove(&entity) else {
            return;
        };
        let removed = self.world.remove(tracked.object);
        removed.expect("a tracked object is in the world");
        self.one_sided_count -= usize::from(tracked.is_one_sided);
        if let Some(kept) = self.world.history() {
            let departed = Departed {
                last_tick: *kept.end(),
                is_one_sided: tracked.is_one_sided,
            };
            self.departed.insert(entity, departed);
        }
        counts.removed += 1;
    }
}

/// Poses an object as far as its pose is another one.
fn pose(
    world: &mut Hittable,
    object: ObjectId,
    previous: &Pose,
    wanted: &Pose,
) -> Result<(), HitscanError> {
    let is_moved = wanted.joints != previous.joints;
    let is_morphed = wanted.weights != previous.weights;
    let joints = is_moved.then(|| world.set_joint_matrices(object, &wanted.joints));
    let weights = is_morphed.then(|| world.set_morph_weights(object, &wanted.weights));
    let posed: Result<(), hitscan::Error> = joints.into_iter().chain(weights).collect();
    posed.map_err(|error| HitscanError::transform(&error))
}

/// The transform in f64, exactly.
pub(super) fn wide(affine: &Affine3A) -> DAffine3 {
    let wide = |axis: bevy_math::Vec3A| DVec3::new(axis.x.into(), axis.y.into(), axis.z.into());
    let axes = affine.matrix3;
    DAffine3 {
        matrix3: DMat3::from_cols(wide(axes.x_axis), wide(axes.y_axis), wide(axes.z_axis)),
        translation: wide(affine.translation),
    }
}
