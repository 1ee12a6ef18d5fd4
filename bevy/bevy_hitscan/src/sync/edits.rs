//! Edits of terrain by messages.

use crate::world::TrackedShape;
use crate::{HeightFieldCollider, HitscanError, HitscanWorld};
use bevy_ecs::prelude::*;
use hitscan::height_field::Region;
use std::sync::Arc;
use tracing::warn;

/// Replaces the heights of a part of an entity's terrain; the next sync does it, and builds only that part of the
/// terrain's tree anew, where the entity is not moved or scaled.
///
/// Terrain by an image or by a [`HeightMap`](crate::HeightMap) becomes the entity's own with the first edit: others
/// that have the asset keep its heights. An edit that does not fit changes nothing, and is warned of.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_hitscan::{HeightEdit, HeightFieldCollider};
/// use hitscan::height_field::Region;
/// fn crater(terrain: Single<Entity, With<HeightFieldCollider>>, mut edits: MessageWriter<HeightEdit>) {
///     edits.write(HeightEdit {
///         entity: *terrain,
///         rect: Region { column: 10, row: 20, columns: 3, rows: 2 },
///         heights: vec![-1.0; 6],
///     });
/// }
/// # bevy_ecs::system::assert_is_system::<(), (), _>(crater);
/// ```
#[derive(Message, Clone, Debug, PartialEq)]
pub struct HeightEdit {
    /// The entity with the [`HeightFieldCollider`].
    pub entity: Entity,
    /// The samples whose heights are replaced.
    pub rect: Region,
    /// The heights, row by row; NaN makes a hole.
    pub heights: Vec<f32>,
}

/// Makes the edits that were written since the last sync.
pub(crate) fn edit_heights(
    state: Res<HitscanWorld>,
    mut edits: MessageReader<HeightEdit>,
    mut terrains: Query<&mut HeightFieldCollider>,
) {
    for edit in edits.read() {
        if let Err(fault) = make(edit, &state, &mut terrains) {
            warn!(
                "an edit of the heights of {} was refused: {fault}",
                edit.entity
            );
        }
    }
}

fn make(
    edit: &HeightEdit,
    state: &HitscanWorld,
    terrains: &mut Query<&mut HeightFieldCollider>,
) -> Result<(), HitscanError> {
    let refused = |reason: &str| HitscanError::ColliderRefused {
        reason: reason.to_owned(),
    };
    let mut terrain = (terrains.get_mut(edit.entity))
        .map_err(|_| refused("the entity has no HeightFieldCollider"))?;
    if !terrain.is_of_asset() {
        // In place: several edits in a frame share one copy.
        let own = terrain.bypass_change_detection();
        own.set_heights(edit.rect, &edit.heights)?;
        terrain.set_changed();
        return Ok(());
    }
    let tracked = state
        .tracked
        .get(&edit.entity)
        .map(|tracked| &tracked.shape);
    let Some(TrackedShape::HeightField(built)) = tracked else {
        return Err(refused("its image or height map is not in the world"));
    };
    let mut own = HeightFieldCollider::new(Arc::clone(&built.field));
    own.set_heights(edit.rect, &edit.heights)?;
    *terrain = own;
    Ok(())
}
