//! Terrain: height fields, also those of images and of height maps.

use super::height_map::HeightMap;
use super::image_heights::ImageHeights;
use super::terrain_mesh::to_mesh;
use crate::HitscanError;
use bevy_asset::{AssetId, Assets, Handle};
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_math::{Affine3A, Vec3};
use bevy_mesh::Mesh;
use bevy_reflect::prelude::*;
use hitscan::HeightField;
use hitscan::height_field::{Grid, Region};
use std::sync::Arc;

/// Terrain that is in the world in place of the entity's mesh.
///
/// The entity's transform may move it, and scale it by positive factors; turned, sheared or mirrored, the entity
/// is out of the world and has a [`HitscanError`]. Rays hit terrain from above and from below.
///
/// ```
/// use bevy_hitscan::HeightFieldCollider;
/// use hitscan::HeightField;
/// use hitscan::height_field::Grid;
/// let field = HeightField::new(Grid::new(2, 2, [4.0, 4.0]), vec![0.0, 1.0, 0.0, 1.0])?;
/// let terrain = HeightFieldCollider::new(field);
/// // The mesh to draw has the same triangles, so that picture and query agree.
/// let mesh = terrain.to_mesh().unwrap();
/// assert_eq!(mesh.triangles().unwrap().count(), 2);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Component, Reflect, Clone, Debug)]
#[reflect(Component, Clone)]
pub struct HeightFieldCollider {
    source: Source,
}

#[derive(Reflect, Clone, Debug)]
enum Source {
    Field(FieldHandle),
    Image(ImageHeights),
    Map(Handle<HeightMap>),
}

/// Terrain, which reflection does not look into.
#[derive(Reflect, Clone)]
#[reflect(opaque)]
#[reflect(Clone)]
struct FieldHandle(Arc<HeightField>);

impl core::fmt::Debug for FieldHandle {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Grid { columns, rows, .. } = self.0.grid();
        write!(f, "HeightField({columns} x {rows})")
    }
}

impl HeightFieldCollider {
    /// Terrain in the entity's own space: its grid's origin is counted from the entity's.
    #[must_use]
    pub fn new(field: impl Into<Arc<HeightField>>) -> Self {
        Self {
            source: Source::Field(FieldHandle(field.into())),
        }
    }

    /// Terrain by an image, with sample (0, 0) at the entity's origin.
    #[must_use]
    pub fn from_image(heights: ImageHeights) -> Self {
        Self {
            source: Source::Image(heights),
        }
    }

    /// Terrain by a height map, in the entity's own space.
    #[must_use]
    pub fn from_height_map(map: Handle<HeightMap>) -> Self {
        Self {
            source: Source::Map(map),
        }
    }

    /// Replaces the heights of a region of the grid, row by row; NaN makes a hole. Only that part of the terrain's
    /// tree is built anew, where the entity is not moved or scaled.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_hitscan::HeightFieldCollider;
    /// use hitscan::height_field::Region;
    /// fn dig(mut terrain: Single<&mut HeightFieldCollider>) -> Result {
    ///     let region = Region { column: 3, row: 5, columns: 2, rows: 2 };
    ///     terrain.set_heights(region, &[-1.0; 4])?;
    ///     Ok(())
    /// }
    /// # bevy_ecs::system::assert_is_system::<(), (), _>(dig);
    /// ```
    ///
    /// # Errors
    /// [`HitscanError::ColliderRefused`] where the region leaves the grid, for another number of heights, for one that
    /// is out of range, and for terrain by an image or by a height map: those are edited themselves, or for this
    /// entity alone by a [`HeightEdit`](crate::HeightEdit).
    pub fn set_heights(&mut self, region: Region, heights: &[f32]) -> Result<(), HitscanError> {
        match &mut self.source {
            Source::Field(field) => Arc::make_mut(&mut field.0)
                .set_heights(region, heights)
                .map_err(|error| HitscanError::collider(&error)),
            Source::Image(_) | Source::Map(_) => Err(HitscanError::ColliderRefused {
                reason: "its heights are those of an asset, which is to be edited".to_owned(),
            }),
        }
    }

    /// Whether its heights are those of an asset.
    pub(crate) fn is_of_asset(&self) -> bool {
        !matches!(self.source, Source::Field(_))
    }

    /// The mesh to draw, with the triangles, the numbers and the diagonals of the height field, and smooth normals;
    /// `None` of terrain by an asset.
    #[must_use]
    pub fn to_mesh(&self) -> Option<Mesh> {
        match &self.source {
            Source::Field(field) => Some(to_mesh(&field.0)),
            Source::Image(_) | Source::Map(_) => None,
        }
    }

    /// Whether it is the same terrain, or the same reading of the same image.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (&self.source, &other.source) {
            (Source::Field(one), Source::Field(other)) => Arc::ptr_eq(&one.0, &other.0),
            (Source::Image(one), Source::Image(other)) => one == other,
            (Source::Map(one), Source::Map(other)) => one == other,
            _ => false,
        }
    }

    /// The image that the heights are of.
    pub(crate) fn image(&self) -> Option<AssetId<Image>> {
        match &self.source {
            Source::Image(heights) => Some(heights.image.id()),
            Source::Field(_) | Source::Map(_) => None,
        }
    }

    /// The height map that the heights are of.
    pub(crate) fn height_map(&self) -> Option<AssetId<HeightMap>> {
        match &self.source {
            Source::Map(map) => Some(map.id()),
            Source::Field(_) | Source::Image(_) => None,
        }
    }

    /// The terrain in the entity's own space; `None` while its asset is not loaded.
    pub(crate) fn build(
        &self,
        images: Option<&Assets<Image>>,
        maps: Option<&Assets<HeightMap>>,
    ) -> Result<Option<Arc<HeightField>>, HitscanError> {
        match &self.source {
            Source::Field(field) => Ok(Some(Arc::clone(&field.0))),
            Source::Image(heights) => {
                let image = images.and_then(|images| images.get(&heights.image));
                image.map(|image| heights.build(image)).transpose()
            }
            Source::Map(map) => {
                let map = maps.and_then(|maps| maps.get(map));
                Ok(map.map(|map| Arc::clone(map.field())))
            }
        }
    }
}

/// The terrain where the entity's transform takes it.
pub(crate) fn placed(
    field: &Arc<HeightField>,
    affine: &Affine3A,
) -> Result<Arc<HeightField>, HitscanError> {
    if *affine == Affine3A::IDENTITY {
        return Ok(Arc::clone(field));
    }
    let scale = Vec3::new(affine.x_axis.x, affine.y_axis.y, affine.z_axis.z);
    let is_straight = affine.matrix3 == bevy_math::Mat3A::from_diagonal(scale);
    if !is_straight || scale.min_element() <= 0.0 {
        return Err(HitscanError::HeightFieldTurned);
    }
    let grid = field.grid();
    let [x, y, z] = scale.to_array().map(f64::from);
    let translation = Vec3::from(affine.translation).to_array().map(f64::from);
    let [left, bottom, front] = grid.origin;
    let origin = [left * x, bottom * y, front * z];
    let placed = Grid {
        spacing: [grid.spacing[0] * x, grid.spacing[1] * z],
        origin: [0, 1, 2].map(|axis| origin[axis] + translation[axis]),
        ..*grid
    };
    let heights = field.samples().iter().map(|height| height * scale.y);
    let field = HeightField::new(placed, heights.collect());
    field
        .map(Arc::new)
        .map_err(|error| HitscanError::collider(&error))
}
