//! Assets that entities use, and other entities that they follow.

use crate::HitscanWorld;
use crate::world::Uses;
use bevy_ecs::entity::{Entity, EntityHashSet};

impl HitscanWorld {
    /// Takes note of what an entity is made of.
    pub(super) fn use_all(&mut self, entity: Entity, uses: Uses) {
        let is_same = match self.uses.get(&entity) {
            Some(previous) => *previous == uses,
            None => uses == Uses::default(),
        };
        if is_same {
            return;
        }
        let previous = self.uses.remove(&entity).unwrap_or_default();
        if previous.mesh != uses.mesh {
            if let Some(mesh) = previous.mesh {
                self.meshes.remove_user(mesh, entity);
            }
            if let Some(mesh) = uses.mesh {
                self.meshes.add_user(mesh, entity);
            }
        }
        if previous.image != uses.image {
            if let Some(users) = previous.image.and_then(|id| self.image_users.get_mut(&id)) {
                users.remove(&entity);
            }
            if let Some(image) = uses.image {
                self.image_users.entry(image).or_default().insert(entity);
            }
        }
        if previous.height_map != uses.height_map {
            if let Some(users) = previous
                .height_map
                .and_then(|id| self.height_map_users.get_mut(&id))
            {
                users.remove(&entity);
            }
            if let Some(map) = uses.height_map {
                self.height_map_users.entry(map).or_default().insert(entity);
            }
        }
        if previous.matrices != uses.matrices {
            if let Some(users) = previous
                .matrices
                .and_then(|id| self.matrix_users.get_mut(&id))
            {
                users.remove(&entity);
            }
            if let Some(matrices) = uses.matrices {
                let users = self.matrix_users.entry(matrices).or_default();
                users.insert(entity);
            }
        }
        if previous.followed != uses.followed {
            self.follow(entity, &previous.followed, &uses.followed);
        }
        if uses != Uses::default() {
            self.uses.insert(entity, uses);
        }
    }

    fn follow(&mut self, entity: Entity, previous: &[Entity], followed: &[Entity]) {
        for left in previous {
            if let Some(followers) = self.followers.get_mut(left) {
                followers.retain(|follower| *follower != entity);
                if followers.is_empty() {
                    self.followers.remove(left);
                }
            }
        }
        for followed in followed {
            let followers = self.followers.entry(*followed).or_default();
            if !followers.contains(&entity) {
                followers.push(entity);
            }
        }
    }

    /// Adds those that follow one of the entities.
    pub(super) fn add_followers(&self, entities: &mut EntityHashSet) {
        if self.followers.is_empty() {
            return;
        }
        let followers = (entities.iter()).filter_map(|entity| self.followers.get(entity));
        let followers: Vec<Entity> = followers.flatten().copied().collect();
        entities.extend(followers);
    }
}
