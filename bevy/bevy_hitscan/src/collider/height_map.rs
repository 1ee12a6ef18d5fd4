//! Terrain as an asset.

use super::terrain_mesh::to_mesh;
use crate::HitscanError;
use bevy_asset::Asset;
use bevy_mesh::Mesh;
use bevy_reflect::TypePath;
use hitscan::HeightField;
use hitscan::height_field::Region;
use std::sync::Arc;

/// Terrain that is loaded or added as an asset, for any number of
/// [`HeightFieldCollider`](crate::HeightFieldCollider)s.
///
/// With the feature `height_maps` files that end in `.png`, `.tif`, `.hgt`, `.asc`, `.r16` and `.npy` are loaded as
/// such.
///
/// ```
/// use bevy_asset::Assets;
/// use bevy_ecs::prelude::*;
/// use bevy_hitscan::{HeightFieldCollider, HeightMap};
/// use bevy_transform::components::Transform;
/// use hitscan::HeightField;
/// use hitscan::height_field::Grid;
/// fn setup(mut maps: ResMut<Assets<HeightMap>>, mut commands: Commands) -> Result {
///     let flat = HeightField::new(Grid::new(2, 2, [100.0, 100.0]), vec![0.0; 4])?;
///     let map = maps.add(HeightMap::new(flat));
///     commands.spawn((HeightFieldCollider::from_height_map(map), Transform::IDENTITY));
///     Ok(())
/// }
/// # bevy_ecs::system::assert_is_system::<(), (), _>(setup);
/// ```
#[derive(Asset, TypePath, Clone)]
pub struct HeightMap {
    field: Arc<HeightField>,
}

impl HeightMap {
    /// This terrain.
    #[must_use]
    pub fn new(field: impl Into<Arc<HeightField>>) -> Self {
        Self {
            field: field.into(),
        }
    }

    /// The terrain.
    #[must_use]
    pub fn field(&self) -> &Arc<HeightField> {
        &self.field
    }

    /// Replaces the heights of a region of the grid for all that have this map, row by row; NaN makes a hole.
    ///
    /// # Errors
    /// [`HitscanError::ColliderRefused`] where the region leaves the grid, for another number of heights, and for one
    /// that is out of range.
    pub fn set_heights(&mut self, region: Region, heights: &[f32]) -> Result<(), HitscanError> {
        let edited = Arc::make_mut(&mut self.field).set_heights(region, heights);
        edited.map_err(|error| HitscanError::collider(&error))
    }

    /// The mesh to draw, with the triangles, the numbers and the diagonals of the terrain, and smooth normals.
    #[must_use]
    pub fn to_mesh(&self) -> Mesh {
        to_mesh(&self.field)
    }
}
