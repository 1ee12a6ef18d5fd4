//! GeoTIFF: where the samples are on the earth, and the metres between them, if the tags state it.
//!
//! Spacing in metres comes from a projected system in a known length unit; degrees give none, and
//! where anything is turned or not stated there is none either: the scene must state it.
//!
//! Source: OGC 19-008r4, "OGC GeoTIFF Standard", version 1.1 (2019), clauses 7 and B.

use super::directory::Directory;
use super::geo_keys::GeoKeys;
use crate::Error;
use crate::georeference::{
    Crs, Georeference, MapUnit, NoGeoreference, PixelKind, VerticalReference,
};
use crate::tiff_numbers::{code, key, tag};

/// The tags that say where an image is.
pub(super) struct GeoTags {
    keys: GeoKeys,
    scale: Vec<f64>,
    tie: Vec<f64>,
    matrix: Vec<f64>,
}

impl GeoTags {
    pub(super) fn read(directory: &Directory<'_>) -> Result<Self, Error> {
        Ok(Self {
            keys: GeoKeys::read(directory)?,
            scale: directory.doubles(tag::MODEL_PIXEL_SCALE)?,
            tie: directory.doubles(tag::MODEL_TIEPOINT)?,
            matrix: directory.doubles(tag::MODEL_TRANSFORMATION)?,
        })
    }
}

/// Metres between columns and between rows, where the tags state them.
pub(super) fn spacing_m(tags: &GeoTags) -> Option<[f64; 2]> {
    let metres = crs(&tags.keys).ok()?.unit.metres()?;
    let [x, y] = match (tags.scale.as_slice(), tags.matrix.as_slice()) {
        (&[x, y, ..], _) => [x, y],
        ([], &[x, 0.0, _, _, 0.0, y, ..]) => [x, y],
        _ => return None,
    };
    let spacing = [x.abs() * metres, y.abs() * metres];
    is_positive(spacing).then_some(spacing)
}

/// What the tags say of the heights' unit and datum.
fn vertical(keys: &GeoKeys) -> VerticalReference {
    let code = keys.short(key::VERTICAL_CRS).filter(|&code| is_epsg(code));
    let code = code.map(|code| format!("EPSG:{code}"));
    let parts: Vec<String> = code
        .into_iter()
        .chain(keys.text(key::VERTICAL_CITATION))
        .collect();
    VerticalReference {
        unit_metres: keys.short(key::VERTICAL_UNITS).and_then(length_unit),
        datum: (!parts.is_empty()).then(|| parts.join(", ")),
    }
}

/// Where the samples of a map of `size` columns and rows are.
pub(super) fn georeference(
    tags: &GeoTags,
    size: [usize; 2],
) -> Result<Georeference, NoGeoreference> {
    let keys = &tags.keys;
    let crs = crs(keys)?;
    let pixel = match keys.short(key::GT_RASTER_TYPE) {
        Some(code::PIXEL_IS_POINT) => PixelKind::Point,
        // The type of files that state none, as GDAL and others read them.
        _ => PixelKind::Area,
    };
    let Corner { corner, cell } = corner(tags)?;
    let middle = match pixel {
        PixelKind::Area => 0.5,
        PixelKind::Point => 0.0,
    };
    let first = [corner[0] + middle * cell[0], corner[1] - middle * cell[1]];
    if !(is_positive(cell) && first.iter().all(|value| value.is_finite())) {
        return Err(NoGeoreference::Turned(format!(
            "columns are {} apart, rows {}",
            cell[0], cell[1]
        )));
    }
    Ok(Georeference {
        crs,
        first,
        cell,
        size,
        pixel,
        vertical: vertical(keys),
    })
}

/// The coordinates of raster position (0, 0), and the distance between columns and rows.
struct Corner {
    corner: [f64; 2],
    cell: [f64; 2],
}

fn corner(tags: &GeoTags) -> Result<Corner, NoGeoreference> {
    if let &[x, shear_x, _, east, shear_y, y, _, north, ..] = tags.matrix.as_slice() {
        // Rows run southwards, so y is negative.
        if shear_x != 0.0 || shear_y != 0.0 || x <= 0.0 || y >= 0.0 {
            let found = format!("ModelTransformation has {x}, {shear_x} and {shear_y}, {y}");
            return Err(NoGeoreference::Turned(found));
        }
        return Ok(Corner {
            corner: [east, north],
            cell: [x, -y],
        });
    }
    match (tags.scale.as_slice(), tags.tie.as_slice()) {
        // The first tie point is enough where there is a scale.
        (&[x, y, ..], &[column, row, _, east, north, ..]) => Ok(Corner {
            corner: [east - column * x, north + row * y],
            cell: [x, y],
        }),
        ([], [_, _, _, _, _, ..]) => Err(NoGeoreference::Unsupported(
            "it has tie points without ModelPixelScale, which is not supported; warp it first, \
             such as with `gdalwarp IN.tif OUT.tif`"
                .to_owned(),
        )),
        _ => Err(NoGeoreference::Missing(
            "it has neither the tags ModelTiepoint and ModelPixelScale nor ModelTransformation"
                .to_owned(),
        )),
    }
}

/// The system that the keys name.
fn crs(keys: &GeoKeys) -> Result<Crs, NoGeoreference> {
    let epsg = |key| {
        let code = keys.short(key).filter(|&code| is_epsg(code));
        code.map(u32::from)
    };
    let name = |key| keys.text(key).or_else(|| keys.text(key::GT_CITATION));
    match keys.short(key::GT_MODEL_TYPE) {
        Some(code::MODEL_PROJECTED) => Ok(Crs {
            unit: projected_unit(keys),
            epsg: epsg(key::PROJECTED_CRS),
            name: name(key::PROJECTED_CITATION),
        }),
        Some(code::MODEL_GEOGRAPHIC) => match keys.short(key::GEOG_ANGULAR_UNITS) {
            None | Some(code::DEGREE) => Ok(Crs {
                unit: MapUnit::Degree,
                epsg: epsg(key::GEODETIC_CRS),
                name: name(key::GEODETIC_CITATION),
            }),
            Some(code) => Err(NoGeoreference::Unsupported(format!(
                "its angles are in the unit EPSG:{code}; only degrees (EPSG:9102) are supported"
            ))),
        },
        Some(model) => Err(NoGeoreference::Unsupported(format!(
            "its GTModelType is {model}; 1 (projected) and 2 (geographic) are supported"
        ))),
        // Tie points without a system, as world files and some tools leave them.
        None => Ok(Crs::unnamed(MapUnit::Unknown)),
    }
}

fn projected_unit(keys: &GeoKeys) -> MapUnit {
    match keys.short(key::PROJ_LINEAR_UNITS) {
        Some(code::METRE) => MapUnit::Metre,
        Some(code::FOOT) => MapUnit::Foot,
        Some(code::US_SURVEY_FOOT) => MapUnit::UsSurveyFoot,
        Some(code) => length_unit(code)
            .or_else(|| keys.double(key::PROJ_LINEAR_UNIT_SIZE))
            .map_or(MapUnit::Unknown, MapUnit::Metres),
        None => match keys.short(key::PROJECTED_CRS) {
            Some(code) if is_in_metres(code) => MapUnit::Metre,
            _ => MapUnit::Unknown,
        },
    }
}

/// A unit of length of EPSG, metres.
fn length_unit(unit: u16) -> Option<f64> {
    match unit {
        code::METRE => Some(1.0),
        code::FOOT => Some(0.3048),
        code::US_SURVEY_FOOT => Some(1200.0 / 3937.0),
        code::KILOMETRE => Some(1000.0),
        _ => None,
    }
}

/// Whether a projected system of EPSG is surely in metres, for files that name no unit.
fn is_in_metres(epsg: u16) -> bool {
    let is_utm_wgs84 = matches!(epsg, 32601..=32660 | 32701..=32760);
    let is_utm_europe = matches!(epsg, 25828..=25838);
    let is_web_mercator_or_laea = matches!(epsg, 3857 | 3035);
    is_utm_wgs84 || is_utm_europe || is_web_mercator_or_laea
}

fn is_epsg(number: u16) -> bool {
    (1024..code::USER_DEFINED).contains(&number)
}

fn is_positive(lengths: [f64; 2]) -> bool {
    lengths
        .iter()
        .all(|&length| length > 0.0 && length.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The metres of a projected system's unit.
    fn unit(entries: &[[u64; 4]]) -> Option<f64> {
        let header = [1, 1, 0, entries.len() as u64];
        let all = std::iter::once(header).chain(entries.iter().copied());
        let keys = GeoKeys::of(all.flatten().collect(), vec![9.0, 0.5], "");
        crs(&keys).ok()?.unit.metres()
    }

    #[test]
    fn only_projected_systems_in_known_units_have_metres() {
        let projected = [1024, 0, 1, 1];
        for (keys, expected) in [
            (vec![], None),
            (vec![[1024, 0, 1, 2], [3076, 0, 1, 9001]], None),
            (vec![projected], None),
            (vec![projected, [3072, 0, 1, 32633]], Some(1.0)),
            (vec![projected, [3072, 0, 1, 2263]], None),
            (vec![projected, [3076, 0, 1, 9001]], Some(1.0)),
            (vec![projected, [3076, 0, 1, 9002]], Some(0.3048)),
            (vec![projected, [3076, 0, 1, 9003]], Some(1200.0 / 3937.0)),
            (vec![projected, [3076, 0, 1, 32767]], None),
            (
                vec![projected, [3076, 0, 1, 32767], [3077, 34736, 1, 1]],
                Some(0.5),
            ),
            (
                vec![projected, [3076, 0, 1, 32767], [3077, 34736, 1, 2]],
                None,
            ),
        ] {
            assert_eq!(unit(&keys), expected, "{keys:?}");
        }
    }
}
