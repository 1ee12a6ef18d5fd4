//! Makes terrain of the `[[terrain]]` tables, and says where their units are probably other ones.
//!
//! All height maps are read first, since where one is placed can depend on another
//! (`place_terrains.rs`).

use std::path::{Path, PathBuf};

use hitscan::height_field::{Grid, HeightField};

use super::entry::{SceneFile, TerrainEntry};
use super::faults::Faults;
use super::place_terrains::{Unplaced, place_terrains};
use crate::Error;
use crate::georeference::{Georeference, MapFrame};
use crate::heights::{HeightImage, HeightMap, HeightScale, tile_names};
use crate::model_file::Remarks;
use crate::scene_files::SceneFiles;

/// The terrain of a scene.
pub(super) struct Terrains {
    /// One for each entry, in their order.
    pub(super) fields: Vec<HeightField>,
    /// How the world lies in a map's coordinates, if it does.
    pub(super) frame: Option<MapFrame>,
}

/// The files of each height map: one, or tiles. None where a fault is collected.
pub(super) fn tiles(
    files: &dyn SceneFiles,
    path: &Path,
    file: &SceneFile,
    faults: &mut Faults,
) -> Result<Vec<Option<Vec<PathBuf>>>, Error> {
    let tiles = file.terrains.iter().map(|entry| {
        let names = tile_names(files, &entry.heights);
        let referred = |error: Error| error.referred(path, entry.locate("heights"), &entry.heights);
        faults.keep(names.map_err(referred))
    });
    tiles.collect()
}

/// Reads the height maps of the scene file at `path` and places them; `tiles` are their files,
/// and `first_map` is the first of the maps, where it has been read.
///
/// None where a fault is collected: where the others are can depend on the one at fault.
pub(super) fn load_all(
    files: &dyn SceneFiles,
    path: &Path,
    file: &SceneFile,
    (tiles, mut first_map): (&[Option<Vec<PathBuf>>], Option<HeightMap>),
    remarks: &mut Remarks,
    faults: &mut Faults,
) -> Result<Option<Terrains>, Error> {
    let mut unplaced = Vec::with_capacity(file.terrains.len());
    let mut heights = Vec::with_capacity(file.terrains.len());
    for (entry, tiles) in file.terrains.iter().zip(tiles) {
        let first_map = first_map.take();
        let Some(tiles) = tiles else { continue };
        let loaded = load(files, path, (entry, tiles), first_map, remarks);
        if let Some((terrain, samples)) = faults.keep(loaded)? {
            unplaced.push(terrain);
            heights.push(samples);
        }
    }
    if unplaced.len() < file.terrains.len() || faults.hides_ground() {
        return Ok(None);
    }
    let placed = place_terrains(path, file.world_origin, &unplaced);
    let Some((grids, frame)) = faults.keep(placed)? else {
        return Ok(None);
    };
    let gap = gap_warning(&unplaced, &grids);
    let gap = gap.map(|gap| format!("{}: {gap}", path.display()));
    remarks.warnings.extend(gap);
    let fields = file.terrains.iter().zip(grids).zip(heights);
    let fields = fields.map(|((entry, grid), heights)| {
        HeightField::new(grid, heights).map_err(|source| {
            let message = source.to_string();
            let mut keys = ["spacing", "origin"].into_iter();
            match keys.find(|key| message.contains(key)) {
                Some(key) => Error::refused(path, entry.locate(key), source),
                None => Error::refused(&entry.heights, "samples", source).referred(
                    path,
                    entry.locate("heights"),
                    &entry.heights,
                ),
            }
        })
    });
    let kept = fields.map(|field| faults.keep(field));
    let fields: Option<Vec<HeightField>> = kept.collect::<Result<_, _>>()?;
    Ok(fields.map(|fields| Terrains { fields, frame }))
}

/// Reads the height map of a terrain, unless it is given, and its heights in metres.
fn load<'a>(
    files: &dyn SceneFiles,
    path: &Path,
    (entry, tiles): (&'a TerrainEntry, &[PathBuf]),
    map: Option<HeightMap>,
    remarks: &mut Remarks,
) -> Result<(Unplaced<'a>, Vec<f32>), Error> {
    let referred = |error: Error| error.referred(path, entry.locate("heights"), &entry.heights);
    let map = match map {
        Some(map) => map,
        None => {
            HeightMap::read_tiles(files, &entry.heights, tiles, entry.size).map_err(referred)?
        }
    };
    let scale = scale(path, entry)?;
    remarks.warnings.extend(unit_warnings(entry, &map));
    remarks.notes.extend(foot_note(entry, &map));
    remarks.warnings.extend(scale_note(entry, &map));
    let unplaced = Unplaced {
        entry,
        size: [map.columns(), map.rows()],
        file_spacing: map.spacing_m(),
        georeference: georeference(path, entry, &map)?,
    };
    let (heights, conflicts) = map.into_heights(scale).map_err(referred)?;
    let conflicts = conflicts.map(|it| format!("{}: {it}", entry.heights.display()));
    remarks.warnings.extend(conflicts);
    Ok((unplaced, heights))
}

fn scale(path: &Path, entry: &TerrainEntry) -> Result<HeightScale, Error> {
    match (entry.range, entry.height_scale) {
        (Some([low, high]), None | Some(1.0)) => Ok(HeightScale::Range { low, high }),
        (Some(_), Some(_)) => {
            let expected = "either `range` or `height_scale`";
            let location = entry.locate("range");
            Err(Error::malformed(path, location, expected, "both"))
        }
        (None, factor) => Ok(HeightScale::MetresPerUnit(factor.unwrap_or(1.0))),
    }
}

/// The georeference of a terrain that is placed by it.
fn georeference(
    path: &Path,
    entry: &TerrainEntry,
    map: &HeightMap,
) -> Result<Option<Georeference>, Error> {
    if !entry.georeferenced {
        return Ok(None);
    }
    let georeference = map.georeference().map_err(|reason| {
        let expected = "a height map that says where it is, for `georeferenced = true`";
        let found = format!("{}: {reason}", entry.heights.display());
        Error::malformed(path, entry.locate("georeferenced"), expected, found)
    })?;
    Ok(Some(georeference.clone()))
}

/// What a table leaves to a file whose units are hardly metres.
fn unit_warnings(entry: &TerrainEntry, map: &HeightMap) -> Vec<String> {
    let spacing = match entry.spacing {
        None if !entry.georeferenced => of_first(map, HeightImage::degree_warning),
        _ => None,
    };
    let heights = match (entry.range, entry.height_scale) {
        (None, None) => [
            of_first(map, HeightImage::code_warning),
            of_first(map, HeightImage::foot_warning),
        ],
        _ => [None, None],
    };
    heights.into_iter().chain([spacing]).flatten().collect()
}

/// The remark about the first file that has one: of tiles it is mostly the same.
fn of_first(map: &HeightMap, say: impl Fn(&HeightImage) -> Option<String>) -> Option<String> {
    map.files().find_map(|(image, _)| {
        let said = say(image)?;
        Some(format!("{}: {said}", image.path().display()))
    })
}

/// What is said of a map in units other than metres, whose coordinates are converted.
fn foot_note(entry: &TerrainEntry, map: &HeightMap) -> Option<String> {
    let unit = map.georeference().ok()?.crs.unit;
    let metres = unit.metres().filter(|metres| *metres != 1.0)?;
    let is_placed = entry.georeferenced && entry.spacing.is_none();
    is_placed.then(|| {
        format!(
            "{}: its coordinates are in {unit}; x and z are in metres, {metres} of them a unit",
            entry.heights.display()
        )
    })
}

/// What is said of a file that states how its stored values become heights.
fn scale_note(entry: &TerrainEntry, map: &HeightMap) -> Option<String> {
    of_first(map, |image| {
        let scale = image.stored_scale().filter(|_| entry.range.is_none())?;
        Some(format!(
            "heights are {} times the stored value plus {}, as the file states",
            scale.factor, scale.offset
        ))
    })
}

/// Two tiles of a mosaic that do not share their border: the first such pair.
fn gap_warning(terrains: &[Unplaced], grids: &[Grid]) -> Option<String> {
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
