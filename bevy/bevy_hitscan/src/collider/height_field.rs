//! Terrain: height fields, also those of images.

use crate::HitscanError;
use bevy_asset::{AssetId, Assets, Handle, RenderAssetUsages};
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_math::{Affine3A, Vec2, Vec3};
use bevy_mesh::{Indices, Mesh, PrimitiveTopology};
use bevy_reflect::prelude::*;
use hitscan::HeightField;
use hitscan::height_field::{Diagonal, Grid, Region};
use std::sync::Arc;
use wgpu_types::TextureFormat;

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

/// The codes of an image as heights: row 0 has the smallest z, column 0 the smallest x.
///
/// `R8Unorm`, `R16Unorm`, `R16Uint`, `R32Float`, and the red of `Rgba8Unorm` and `Rgba8UnormSrgb` are read, as they
/// are stored: no sRGB curve is applied.
#[derive(Reflect, Clone, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct ImageHeights {
    /// The image, which must be there in the main world.
    pub image: Handle<Image>,
    /// Metres between columns (along x) and between rows (along z).
    pub spacing: Vec2,
    /// The heights of code 0 and of the highest code, metres; of `R32Float` those of 0 and of 1.
    pub range: [f32; 2],
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
    /// is out of range, and for terrain by an image, which is edited itself.
    pub fn set_heights(&mut self, region: Region, heights: &[f32]) -> Result<(), HitscanError> {
        match &mut self.source {
            Source::Field(field) => Arc::make_mut(&mut field.0)
                .set_heights(region, heights)
                .map_err(|error| HitscanError::collider(&error)),
            Source::Image(_) => Err(HitscanError::ColliderRefused {
                reason: "its heights are those of an image, which is to be edited".to_owned(),
            }),
        }
    }

    /// The mesh to draw, with the triangles, the numbers and the diagonals of the height field, and smooth normals;
    /// `None` of an image.
    #[must_use]
    pub fn to_mesh(&self) -> Option<Mesh> {
        match &self.source {
            Source::Field(field) => Some(to_mesh(&field.0)),
            Source::Image(_) => None,
        }
    }

    /// Whether it is the same terrain, or the same reading of the same image.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (&self.source, &other.source) {
            (Source::Field(one), Source::Field(other)) => Arc::ptr_eq(&one.0, &other.0),
            (Source::Image(one), Source::Image(other)) => one == other,
            _ => false,
        }
    }

    /// The image that the heights are of.
    pub(crate) fn image(&self) -> Option<AssetId<Image>> {
        match &self.source {
            Source::Field(_) => None,
            Source::Image(heights) => Some(heights.image.id()),
        }
    }

    /// The terrain in the entity's own space; `None` while its image is not loaded.
    pub(crate) fn build(
        &self,
        images: Option<&Assets<Image>>,
    ) -> Result<Option<Arc<HeightField>>, HitscanError> {
        match &self.source {
            Source::Field(field) => Ok(Some(Arc::clone(&field.0))),
            Source::Image(heights) => {
                let image = images.and_then(|images| images.get(&heights.image));
                image.map(|image| heights.build(image)).transpose()
            }
        }
    }
}

impl ImageHeights {
    fn build(&self, image: &Image) -> Result<Arc<HeightField>, HitscanError> {
        let data = image.data.as_ref().ok_or(HitscanError::ImageDataGone)?;
        let [low, high] = self.range;
        let at = |share: f32| low + share * (high - low);
        let format = image.texture_descriptor.format;
        let heights: Vec<f32> = match format {
            TextureFormat::R8Unorm => (data.iter())
                .map(|code| at(f32::from(*code) / 255.0))
                .collect(),
            TextureFormat::Rgba8Unorm | TextureFormat::Rgba8UnormSrgb => {
                (data.as_chunks().0.iter())
                    .map(|[red, _, _, _]| at(f32::from(*red) / 255.0))
                    .collect()
            }
            TextureFormat::R16Unorm | TextureFormat::R16Uint => (data.as_chunks().0.iter())
                .map(|code| at(f32::from(u16::from_le_bytes(*code)) / 65535.0))
                .collect(),
            TextureFormat::R32Float => (data.as_chunks().0.iter())
                .map(|code| at(f32::from_le_bytes(*code)))
                .collect(),
            other => {
                return Err(HitscanError::ImageFormat {
                    format: format!("{other:?}"),
                });
            }
        };
        let [columns, rows] = [image.width() as usize, image.height() as usize];
        let heights = heights.into_iter().take(columns * rows).collect();
        let grid = Grid::new(columns, rows, self.spacing.to_array().map(f64::from));
        let field = HeightField::new(grid, heights);
        field
            .map(Arc::new)
            .map_err(|error| HitscanError::collider(&error))
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

/// The triangles of terrain, without its holes.
#[expect(clippy::cast_possible_truncation, reason = "a mesh is drawn in f32")]
fn to_mesh(field: &HeightField) -> Mesh {
    let grid = field.grid();
    let samples = (0..grid.rows).flat_map(|row| (0..grid.columns).map(move |column| (column, row)));
    let positions: Vec<[f32; 3]> = samples
        .map(|(column, row)| {
            let height = f64::from(field.sample(column, row).unwrap_or(0.0));
            [grid.x(column), grid.origin[1] + height, grid.z(row)].map(|at| at as f32)
        })
        .collect();
    let count = field.triangle_count() as u32;
    let exists = |triangle: &u32| field.triangle(*triangle).is_some();
    let corners = (0..count)
        .filter(exists)
        .flat_map(|triangle| corners(grid, triangle));
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
    .with_inserted_indices(Indices::U32(corners.collect()))
    .with_computed_normals()
}

/// The samples at a triangle's corners, as the height field orders them.
#[expect(
    clippy::cast_possible_truncation,
    reason = "there are fewer than 2^32 samples"
)]
fn corners(grid: &Grid, triangle: u32) -> [u32; 3] {
    let cell = triangle as usize / 2;
    let cells_a_row = grid.columns - 1;
    let first = cell / cells_a_row * grid.columns + cell % cells_a_row;
    let below = first + grid.columns;
    let corners = match (grid.diagonal, triangle % 2) {
        (Diagonal::Anti, 0) => [first, below, first + 1],
        (Diagonal::Anti, _) => [first + 1, below, below + 1],
        (Diagonal::Main, 0) => [first, below + 1, first + 1],
        (Diagonal::Main, _) => [first, below, below + 1],
    };
    corners.map(|sample| sample as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mesh_has_the_triangles_of_the_height_field_and_none_of_its_holes() {
        for diagonal in [Diagonal::Anti, Diagonal::Main] {
            let grid = Grid {
                diagonal,
                origin: [4.0, 2.0, -1.0],
                ..Grid::new(4, 3, [0.5, 2.0])
            };
            let mut heights: Vec<f32> =
                (0..12_u8).map(|sample| f32::from(sample * 5 % 7)).collect();
            heights[6] = f32::NAN;
            let field = HeightField::new(grid, heights).unwrap();
            let mesh = to_mesh(&field);
            let drawn = mesh.triangles().unwrap();
            let drawn: Vec<[Vec3; 3]> = drawn.map(|triangle| triangle.vertices).collect();
            let all = (0..12_u32).filter_map(|triangle| field.triangle(triangle));
            let exact: Vec<[Vec3; 3]> = all.map(|corners| corners.map(|at| at.as_vec3())).collect();
            assert_eq!(drawn, exact, "{diagonal:?}");
            assert_eq!(
                drawn.len(),
                6,
                "six of twelve have no corner that is a hole"
            );
        }
    }
}
