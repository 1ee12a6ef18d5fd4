//! Images as height maps.

use crate::HitscanError;
use bevy_asset::Handle;
use bevy_image::Image;
use bevy_math::Vec2;
use bevy_reflect::prelude::*;
use hitscan::HeightField;
use hitscan::height_field::Grid;
use std::sync::Arc;
use wgpu_types::TextureFormat;

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

impl ImageHeights {
    /// The terrain, with sample (0, 0) at the origin.
    pub(super) fn build(&self, image: &Image) -> Result<Arc<HeightField>, HitscanError> {
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
