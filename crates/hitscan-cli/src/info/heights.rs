//! Facts about a height map.

use super::earth;
use super::facts::{Facts, plain};
use crate::failure::Failure;
use crate::warnings;
use hitscan::height_field::Diagonal;
use hitscan_assets::heights::read_heights_file;
use serde_json::Value;
use std::path::Path;

pub(super) fn about(path: &Path, mut facts: Facts) -> Result<Facts, Failure> {
    let image = read_heights_file(path, None)?;
    let warnings = [image.degree_warning(), image.code_warning()];
    let warnings = warnings.into_iter().flatten();
    let warnings: Vec<String> = warnings
        .map(|line| format!("{}: {line}", path.display()))
        .collect();
    warnings::print(&warnings);
    let (columns, rows) = (image.columns(), image.rows());
    facts
        .heading(format!("{}: a height map", path.display()))
        .value("kind", "height_map")
        .fact("format", image.encoding())
        .fact(
            "samples",
            format!("{columns} x {rows}, {}", image.samples().kind()),
        )
        .value("columns", columns)
        .value("rows", rows)
        .count("triangles", image.triangle_count(Diagonal::Anti));
    let (mut low, mut high, mut holes) = (f64::INFINITY, f64::NEG_INFINITY, 0usize);
    for row in 0..rows {
        for column in 0..columns {
            match image.value(column, row) {
                Some(value) => (low, high) = (low.min(value), high.max(value)),
                None => holes += 1,
            }
        }
    }
    facts.count("holes", holes);
    if low <= high {
        let (low, high) = (plain(low), plain(high));
        facts.fact_as("values", format!("{low} to {high}"), vec![low, high]);
    } else {
        facts.fact_as("values", "none: every sample is a hole", Value::Null);
    }
    match image.samples().highest_code() {
        Some(code) => {
            let meaning = format!("codes 0 to {code}; a scene's `range` says their metres");
            facts.fact("meaning", meaning)
        }
        None => facts.fact("meaning", "metres, times a scene's `height_scale`"),
    };
    if let Some(scale) = image.stored_scale() {
        let (factor, offset) = (scale.factor, scale.offset);
        facts.fact(
            "heights",
            format!("{factor} * stored + {offset}, as the file states"),
        );
    }
    match image.spacing_m() {
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
    if let Some(value) = image.no_data() {
        facts.fact(
            "no data",
            if value.abs() < 1e15 {
                value.to_string()
            } else {
                format!("{value:e}")
            },
        );
    }
    earth::of_map(image.georeference(), &mut facts);
    facts.memory(4 * columns * rows);
    Ok(facts)
}
