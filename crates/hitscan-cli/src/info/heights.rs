//! Facts about a height map.

use super::earth;
use super::facts::{Facts, plain};
use crate::failure::Failure;
use crate::warnings;
use hitscan::height_field::Diagonal;
use hitscan_assets::heights::{HeightImage, HeightMap, HeightScale, StoredScale};
use serde_json::Value;
use std::path::Path;

pub(super) fn about(path: &Path, mut facts: Facts) -> Result<Facts, Failure> {
    let map = HeightMap::read(path, None)?;
    let warnings = [HeightImage::degree_warning, HeightImage::code_warning];
    let warnings = warnings.iter().filter_map(|warning| {
        map.files().find_map(|(image, _)| {
            let line = warning(image)?;
            Some(format!("{}: {line}", image.path().display()))
        })
    });
    warnings::print(&warnings.collect::<Vec<String>>());
    let (columns, rows) = (map.columns(), map.rows());
    let [holes, triangles] = map.hole_and_triangle_counts(Diagonal::Anti);
    facts
        .heading(format!("{}: a height map", path.display()))
        .value("kind", "height_map")
        .fact(
            "format",
            said(&map, |image| Some(image.encoding().to_owned())),
        );
    if map.file_count() > 1 {
        let names = map
            .files()
            .map(|(tile, _)| tile.path().display().to_string());
        let names: Vec<String> = names.collect();
        facts.count("tiles", names.len()).value("tile_files", names);
    }
    facts
        .fact(
            "samples",
            format!(
                "{columns} x {rows}, {}",
                said(&map, |image| Some(image.samples().kind().to_owned()))
            ),
        )
        .value("columns", columns)
        .value("rows", rows)
        .count("triangles", triangles)
        .count("holes", holes);
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for (tile, _) in map.files() {
        if let (_, Some([lowest, highest])) = tile.extent() {
            (low, high) = (low.min(lowest), high.max(highest));
        }
    }
    if low <= high {
        let (low, high) = (plain(low), plain(high));
        facts.fact_as("values", format!("{low} to {high}"), vec![low, high]);
    } else {
        facts.fact_as("values", "none: every sample is a hole", Value::Null);
    }
    let meaning = said(&map, |image| match image.samples().highest_code() {
        Some(code) => Some(format!(
            "codes 0 to {code}; a scene's `range` says their metres"
        )),
        None => Some("metres, times a scene's `height_scale`".to_owned()),
    });
    facts.fact("meaning", meaning);
    let has_scale = map.files().any(|(image, _)| image.stored_scale().is_some());
    if has_scale {
        let scale = said(&map, |image| match image.stored_scale() {
            Some(StoredScale { factor, offset }) => {
                Some(format!("{factor} * stored + {offset}, as the file states"))
            }
            None => Some("as stored".to_owned()),
        });
        facts.fact("heights", scale);
    }
    match map.spacing_m() {
        Some([x, z]) => {
            let wide = plain(x * (columns - 1) as f64);
            let deep = plain(z * (rows - 1) as f64);
            facts
                .fact_as("spacing", format!("{x} x {z} m"), vec![x, z])
                .fact_as("extent", format!("{wide} x {deep} m"), vec![wide, deep])
        }
        None => facts.fact_as(
            "spacing",
            "not in metres in the file: a scene has to give it",
            Value::Null,
        ),
    };
    let no_data = said(&map, |image| {
        let value = image.no_data()?;
        Some(match value.abs() < 1e15 {
            true => value.to_string(),
            false => format!("{value:e}"),
        })
    });
    if !no_data.is_empty() {
        facts.fact("no data", no_data);
    }
    earth::of_map(map.georeference(), &mut facts);
    facts.memory(4 * columns * rows);
    if map.file_count() > 1 {
        let (_, conflicts) = map.into_heights(HeightScale::MetresPerUnit(1.0))?;
        let conflicts = conflicts.map(|it| format!("{}: {it}", path.display()));
        warnings::print(conflicts.as_slice());
    }
    Ok(facts)
}

/// What is said of a map's files: once, or of tiles that differ each thing once, in the order of the files.
fn said(map: &HeightMap, say: impl Fn(&HeightImage) -> Option<String>) -> String {
    let mut all: Vec<String> = Vec::new();
    for (image, _) in map.files() {
        all.extend(say(image).filter(|text| !all.contains(text)));
    }
    all.join("; ")
}
