//! The system that brings the world up to date with the entities.

use super::changes::Changes;
use super::moves::Changed3d;
use super::scene::Scene;
use crate::world::Uses;
use crate::{HitscanDiagnostics, HitscanError, HitscanWorld};
use bevy_ecs::prelude::*;
use tracing::warn;

/// Brings the world up to date with the entities.
pub(crate) fn sync(
    mut state: ResMut<HitscanWorld>,
    mut changes: ResMut<Changes>,
    mut diagnostics: ResMut<HitscanDiagnostics>,
    scene: Scene,
    changed: Changed3d,
    mut commands: Commands,
) {
    let state = &mut *state;
    let mut counts = HitscanDiagnostics::default();
    let [baked_before, warned_before] = [state.meshes.baked_count(), state.warned_meshes];
    let Changes {
        entities,
        subtrees,
        images,
    } = changes.bypass_change_detection();
    state.meshes.collect(scene.is_blocking(), entities);
    changed.add_to(entities, subtrees);
    for root in subtrees.drain() {
        scene.add_subtree(root, entities);
    }
    state.add_followers(entities);
    state.move_all(&changed, entities, &mut counts);
    state.pose_all(&changed, &scene, entities, &mut counts);
    let mut in_order: Vec<Entity> = entities.drain().collect();
    // The order of adding decides exact ties.
    in_order.sort_unstable();
    state.add_orders(&in_order, &scene);
    for entity in in_order {
        let Ok(own) = scene.entities.get(entity) else {
            state.take_out(entity, &mut counts);
            state.use_all(entity, Uses::default());
            state.warned.remove(&entity);
            continue;
        };
        let wanted = state.wanted(entity, &own, &scene, images);
        let fault = state.apply(entity, wanted, &mut counts).err();
        if own.error != fault.as_ref() {
            state.report(entity, fault, &mut commands, &mut counts);
        }
    }
    images.clear();
    state.world.update();
    counts.baked = state.meshes.baked_count() - baked_before;
    state.warned_meshes = state.meshes.warned_count();
    counts.warnings += state.warned_meshes - warned_before;
    diagnostics.set_if_neq(counts);
}

impl HitscanWorld {
    /// Finds keys for the orders of entities that may come into the world.
    fn add_orders(&mut self, entities: &[Entity], scene: &Scene) {
        let entities = entities.iter();
        let orders = entities.filter_map(|entity| Some(scene.entities.get(*entity).ok()?.order()));
        let in_use = self.tracked.values().map(|tracked| tracked.order);
        if self.order_keys.add(orders, in_use) {
            for tracked in self.tracked.values_mut() {
                let key = self.order_keys.key(tracked.order);
                let ordered = self.world.set_order_key(tracked.object, key);
                tracked.object = ordered.expect("a tracked object is in the world");
            }
        }
    }

    /// Says on the entity what is wrong with it, and once in the log.
    fn report(
        &mut self,
        entity: Entity,
        fault: Option<HitscanError>,
        commands: &mut Commands,
        counts: &mut HitscanDiagnostics,
    ) {
        let Ok(mut commands) = commands.get_entity(entity) else {
            return;
        };
        let Some(fault) = fault else {
            commands.try_remove::<HitscanError>();
            return;
        };
        let warned = self.warned.entry(entity).or_default();
        if !warned.contains(&fault.cause()) {
            warned.push(fault.cause());
            counts.warnings += 1;
            warn!("{entity} is out of the world of hitscan: {fault}");
        }
        commands.try_insert(fault);
    }
}
