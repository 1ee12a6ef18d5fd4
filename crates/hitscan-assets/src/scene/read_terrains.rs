//! Reads the height maps of a scene and makes terrain of them.
//!
//! All are read first, since where one is placed can depend on another (`place_terrains.rs`).

use std::path::Path;
use std::sync::Arc;

use hitscan::height_field::{Grid, HeightField};

use super::entry::{SceneFile, TerrainEntry};
use super::place_terrains::{Unplaced, place_terrains};
use crate::Error;
use crate::georeference::MapFrame;
use crate::heights::{HeightImage, HeightScale, read_heights};
use crate::read_file::read_file;

/// The terrain of a scene.
pub(super) struct Terrains {
    /// One for each entry, in their order.
    pub(super) fields: Vec<Arc<HeightField>>,
    /// How the world lies in a map's coordinates, if it does.
    pub(super) frame: Option<MapFrame>,
    /// What is odd about them, one sentence each.
    pub(super) notes: Vec<String>,
}

/// Reads the height maps of the scene file at `path`.
pub(super) fn read_terrains(path: &Path, file: &SceneFile) -> Result<Terrains, Error> {
    let mut notes = Vec::new();
    let mut unplaced = Vec::with_capacity(file.terrains.len());
    let mut heights = Vec::with_capacity(file.terrains.len());
    for entry in &file.terrains {
        let bytes = read_file(&entry.heights, u64::MAX)?;
        let image = read_heights(&entry.heights, &bytes, entry.size)?;
        drop(bytes);
        notes.extend(unit_notes(entry, &image));
        unplaced.push(Unplaced {
            entry,
            size: [image.columns(), image.rows()],
            file_spacing: image.spacing_m(),
            georeference: match image.georeference() {
                Ok(georeference) if entry.georeferenced => Some(georeference.clone()),
                Err(reason) if entry.georeferenced => {
                    let expected = "a height map that says where it is, for `georeferenced = true`";
                    let found = format!("{}: {reason}", entry.heights.display());
                    return Err(Error::malformed(path, &entry.location, expected, found));
                }
                _ => None,
            },
        });
        heights.push(image.into_heights(scale(path, entry)?)?);
    }
    let (grids, frame) = place_terrains(path, file.world_origin, &unplaced)?;
    notes.extend(gap_note(&unplaced, &grids));
    let fields = file.terrains.iter().zip(grids).zip(heights);
    let fields = fields.map(|((entry, grid), heights)| {
        let refused = |source| Error::refused(&entry.heights, "samples", source);
        HeightField::new(grid, heights)
            .map(Arc::new)
            .map_err(refused)
    });
    Ok(Terrains {
        fields: fields.collect::<Result<_, _>>()?,
        frame,
        notes,
    })
}

fn scale(path: &Path, entry: &TerrainEntry) -> Result<HeightScale, Error> {
    match (entry.range, entry.height_scale) {
        (Some([low, high]), None | Some(1.0)) => Ok(HeightScale::Range { low, high }),
        (Some(_), Some(_)) => {
            let expected = "either `range` or `height_scale`";
            Err(Error::malformed(path, &entry.location, expected, "both"))
        }
        (None, factor) => Ok(HeightScale::MetresPerUnit(factor.unwrap_or(1.0))),
    }
}

/// Units other than metres that the file states.
fn unit_notes(entry: &TerrainEntry, image: &HeightImage) -> Vec<String> {
    let shown = entry.heights.display();
    let mut notes = Vec::new();
    let Ok(georeference) = image.georeference() else {
        return notes;
    };
    let unit = georeference.crs.unit;
    if entry.georeferenced
        && entry.spacing.is_none()
        && let Some(metres) = unit.metres().filter(|metres| *metres != 1.0)
    {
        notes.push(format!(
            "{shown}: its coordinates are in {unit}; x and z are in metres, {metres} of them a unit"
        ));
    }
    if entry.height_scale.is_none()
        && entry.range.is_none()
        && let Some(metres) = georeference.vertical.unit_metres.filter(|m| *m != 1.0)
    {
        notes.push(format!(
            "{shown}: it states that its heights are in units of {metres} m, and each counts as \
             1 m: say `height_scale = {metres}`"
        ));
    }
    notes
}

/// Two tiles of a mosaic that do not share their border: the first such pair.
fn gap_note(terrains: &[Unplaced], grids: &[Grid]) -> Option<String> {
    let placed: Vec<(&Unplaced, &Grid)> = terrains
        .iter()
        .zip(grids)
        .filter(|(terrain, _)| terrain.georeference.is_some())
        .collect();
    let range = |grid: &Grid, axis: usize| match axis {
        0 => [grid.x(0), grid.x(grid.columns - 1)],
        _ => [grid.z(0), grid.z(grid.rows - 1)],
    };
    for (one, first) in &placed {
        for (other, second) in &placed {
            for axis in [0, 1] {
                let gap = range(second, axis)[0] - range(first, axis)[1];
                let [a, b] = [first, second].map(|grid| range(grid, 1 - axis));
                let is_beside = a[0] < b[1] && b[0] < a[1];
                if is_beside && gap > 0.0 && gap < 1.5 * first.spacing[axis] {
                    return Some(format!(
                        "the terrains `{}` and `{}` lie side by side, {gap} m apart: between the \
                         last samples of one and the first of the other is no ground. Merge the \
                         files first, such as with `gdalwarp A.tif B.tif ALL.tif`",
                        one.entry.name, other.entry.name
                    ));
                }
            }
        }
    }
    None
}
