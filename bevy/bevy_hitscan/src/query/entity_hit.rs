//! Answers of the library, with the entity in place of the object.

use bevy_ecs::entity::Entity;
use core::ops::Deref;
use hitscan::height_field::GroundHeight;
use hitscan::{Blocker, ClosestPoint, Contact, RayHit, ShapeHit};

/// An answer of the library, and the entity that it is about. The fields of the answer are read through it.
///
/// ```
/// # use bevy_ecs::entity::Entity;
/// # use bevy_hitscan::EntityHit;
/// # use hitscan::RayHit;
/// fn message(hit: &EntityHit<RayHit>) -> String {
///     format!("{} is hit {} m away, at {}", hit.entity, hit.distance, hit.point)
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EntityHit<T> {
    /// The entity that has the mesh or the collider; of an earlier time it may be despawned by now.
    pub entity: Entity,
    /// The answer.
    pub hit: T,
}

impl<T> Deref for EntityHit<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.hit
    }
}

/// What names an object by its user data, which holds the entity.
pub(super) trait OfObject {
    fn user_data(&self) -> u64;
}

macro_rules! of_object {
    ($($answer:ty),*) => {$(
        impl OfObject for $answer {
            fn user_data(&self) -> u64 {
                self.user_data
            }
        }
    )*};
}

of_object!(
    RayHit,
    ShapeHit,
    Contact,
    ClosestPoint,
    GroundHeight,
    Blocker
);

/// The answer with its entity.
pub(super) fn named<T: OfObject>(hit: T) -> Option<EntityHit<T>> {
    let entity = Entity::try_from_bits(hit.user_data())?;
    Some(EntityHit { entity, hit })
}
