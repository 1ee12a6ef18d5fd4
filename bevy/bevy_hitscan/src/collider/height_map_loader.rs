//! Height maps from files.

use super::height_map::HeightMap;
use bevy_asset::io::Reader;
use bevy_asset::{AssetLoader, LoadContext};
use bevy_reflect::TypePath;
use hitscan::HeightField;
use hitscan::height_field::Grid;
use hitscan_assets::heights::{HeightScale, read_heights};
use serde::{Deserialize, Serialize};

/// Loads a [`HeightMap`] from a file that ends in `.png`, `.tif`, `.tiff`, `.hgt`, `.asc`, `.r16`, `.raw` or `.npy`.
///
/// The file's first row has the smallest z, its first column the smallest x, and its first sample is at the origin.
/// Of several channels the first counts; what the file marks as missing is a hole.
#[derive(TypePath, Clone, Copy, Debug, Default)]
pub struct HeightMapLoader;

/// How the samples of a file become terrain.
///
/// ```
/// use bevy_asset::{AssetServer, Handle};
/// use bevy_ecs::prelude::*;
/// use bevy_hitscan::{HeightMap, HeightMapSettings};
/// fn load(server: Res<AssetServer>) {
///     let hills: Handle<HeightMap> = server
///         .load_builder()
///         .with_settings(|settings: &mut HeightMapSettings| {
///             settings.spacing = Some([2.0, 2.0]);
///             settings.range = Some([0.0, 250.0]);
///         })
///         .load("hills.png");
///     println!("{hills:?}");
/// }
/// # bevy_ecs::system::assert_is_system(load);
/// ```
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
#[serde(default)]
pub struct HeightMapSettings {
    /// Metres between columns (along x) and between rows (along z); where there is none, as the file says.
    pub spacing: Option<[f64; 2]>,
    /// The heights of code 0 and of the highest code, metres; only of 8- and 16-bit unsigned samples.
    pub range: Option<[f64; 2]>,
    /// Metres for one unit of the file, where there is no range.
    pub metres_per_unit: f64,
    /// Columns and rows of a raw file that is not square.
    pub size: Option<[usize; 2]>,
}

impl Default for HeightMapSettings {
    fn default() -> Self {
        Self {
            spacing: None,
            range: None,
            metres_per_unit: 1.0,
            size: None,
        }
    }
}

/// Why a file is no height map.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HeightMapError {
    /// It could not be read.
    #[error("the file could not be read: {0}")]
    Io(#[from] std::io::Error),
    /// Its bytes were refused, or its settings do not fit them.
    #[error(transparent)]
    File(#[from] hitscan_assets::Error),
    /// Neither it nor the settings say how far apart its samples are.
    #[error("the file does not say how far apart its samples are: HeightMapSettings::spacing does")]
    SpacingMissing,
    /// Its heights or its spacing are out of range.
    #[error("its terrain was refused: {0}")]
    Terrain(#[from] hitscan::Error),
}

impl AssetLoader for HeightMapLoader {
    type Asset = HeightMap;
    type Settings = HeightMapSettings;
    type Error = HeightMapError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        settings: &Self::Settings,
        load_context: &mut LoadContext<'_>,
    ) -> Result<HeightMap, HeightMapError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let image = read_heights(load_context.path().path(), &bytes, settings.size)?;
        let spacing = settings.spacing.or(image.spacing_m());
        let spacing = spacing.ok_or(HeightMapError::SpacingMissing)?;
        let grid = Grid::new(image.columns(), image.rows(), spacing);
        let scale = match settings.range {
            Some([low, high]) => HeightScale::Range { low, high },
            None => HeightScale::MetresPerUnit(settings.metres_per_unit),
        };
        let field = HeightField::new(grid, image.into_heights(scale)?)?;
        Ok(HeightMap::new(field))
    }

    fn extensions(&self) -> &[&str] {
        &["png", "tif", "tiff", "hgt", "asc", "r16", "raw", "npy"]
    }
}
