//! Makes terrain of a `[[terrain]]` table, and says where its units are probably other ones.

use std::path::Path;

use hitscan::height_field::{Grid, HeightField};

use super::entry::TerrainEntry;
use crate::Error;
use crate::heights::{HeightImage, HeightScale, read_heights_file};
use crate::model_file::Remarks;

/// Reads the height map of a table of the scene file at `path`.
pub(super) fn load(
    path: &Path,
    entry: &TerrainEntry,
    remarks: &mut Remarks,
) -> Result<HeightField, Error> {
    let referred = |error: Error| error.referred(path, entry.locate("heights"), &entry.heights);
    let image = read_heights_file(&entry.heights, entry.size).map_err(referred)?;
    let spacing = entry.spacing.or(image.spacing_m()).ok_or_else(|| {
        let what = format!(
            "the key `spacing`, metres between samples, which {} does not state,",
            entry.heights.display()
        );
        Error::missing(path, entry.location, what)
    })?;
    let scale = match (entry.range, entry.height_scale) {
        (Some([low, high]), None | Some(1.0)) => HeightScale::Range { low, high },
        (Some(_), Some(_)) => {
            let expected = "either `range` or `height_scale`";
            let location = entry.locate("range");
            return Err(Error::malformed(path, location, expected, "both"));
        }
        (None, factor) => HeightScale::MetresPerUnit(factor.unwrap_or(1.0)),
    };
    remarks.warnings.extend(unit_warnings(entry, &image));
    let grid = Grid {
        columns: image.columns(),
        rows: image.rows(),
        spacing,
        origin: entry.origin,
        diagonal: entry.diagonal,
    };
    let heights = image.into_heights(scale)?;
    HeightField::new(grid, heights).map_err(|source| {
        let message = source.to_string();
        let mut keys = ["spacing", "origin"].into_iter();
        match keys.find(|key| message.contains(key)) {
            Some(key) => Error::refused(path, entry.locate(key), source),
            None => Error::refused(&entry.heights, "samples", source),
        }
    })
}

/// What a table leaves to a file whose units are hardly metres.
fn unit_warnings(entry: &TerrainEntry, image: &HeightImage) -> Vec<String> {
    let spacing = match entry.spacing {
        None => image.degree_warning(),
        Some(_) => None,
    };
    let range = match (entry.range, entry.height_scale) {
        (None, None) => image.code_warning(),
        _ => None,
    };
    let shown = entry.heights.display();
    let warnings = [spacing, range].into_iter().flatten();
    warnings
        .map(|warning| format!("{shown}: {warning}"))
        .collect()
}
