//! GeoTIFF: where the samples are on the earth, and the metres between them, if the tags state it.
//!
//! Spacing in metres comes from a projected system in a known length unit; degrees give none, and
//! where anything is turned or not stated there is none either: the scene must state it.
//!
//! Source: OGC 19-008r4, "OGC GeoTIFF Standard", version 1.1 (2019), clauses 7 and B.

use super::directory::Directory;
use super::geo_keys::GeoKeys;
use crate::georeference::{
    Crs, Georeference, MapUnit, NoGeoreference, PixelKind, VerticalReference,
};

const MODEL_PIXEL_SCALE: u16 = 33550;
const MODEL_TIEPOINT: u16 = 33922;
const MODEL_TRANSFORMATION: u16 = 34264;

const GT_MODEL_TYPE: u64 = 1024;
const GT_RASTER_TYPE: u64 = 1025;
const GT_CITATION: u64 = 1026;
const GEODETIC_CRS: u64 = 2048;
const GEODETIC_CITATION: u64 = 2049;
const GEOG_ANGULAR_UNITS: u64 = 2054;
const PROJECTED_CRS: u64 = 3072;
const PROJECTED_CITATION: u64 = 3073;
const PROJ_LINEAR_UNITS: u64 = 3076;
const PROJ_LINEAR_UNIT_SIZE: u64 = 3077;
const VERTICAL_CRS: u64 = 4096;
const VERTICAL_CITATION: u64 = 4097;
const VERTICAL_UNITS: u64 = 4099;

const MODEL_PROJECTED: u64 = 1;
const MODEL_GEOGRAPHIC: u64 = 2;
const PIXEL_IS_POINT: u64 = 2;
const DEGREE: u64 = 9102;
/// Codes from here on are not those of EPSG: a system that the file describes itself.
const USER_DEFINED: u64 = 32767;

/// Metres between columns and between rows, where the tags state them.
pub(super) fn spacing_m(directory: &Directory) -> Option<[f64; 2]> {
    let keys = GeoKeys::read(directory);
    let metres = crs(&keys).ok()?.unit.metres()?;
    let scale = directory.doubles(MODEL_PIXEL_SCALE);
    let matrix = directory.doubles(MODEL_TRANSFORMATION);
    let [x, y] = match (scale.as_slice(), matrix.as_slice()) {
        (&[x, y, ..], _) => [x, y],
        ([], &[x, 0.0, _, _, 0.0, y, ..]) => [x, y],
        _ => return None,
    };
    let spacing = [x.abs() * metres, y.abs() * metres];
    is_positive(spacing).then_some(spacing)
}

/// What the tags say of the heights' unit and datum.
fn vertical(keys: &GeoKeys) -> VerticalReference {
    let code = keys.short(VERTICAL_CRS).filter(|&code| is_epsg(code));
    let code = code.map(|code| format!("EPSG:{code}"));
    let parts: Vec<String> = code
        .into_iter()
        .chain(keys.text(VERTICAL_CITATION))
        .collect();
    VerticalReference {
        unit_metres: keys.short(VERTICAL_UNITS).and_then(length_unit),
        datum: (!parts.is_empty()).then(|| parts.join(", ")),
    }
}

/// Where the samples of a map of `size` columns and rows are.
pub(super) fn georeference(
    directory: &Directory,
    size: [usize; 2],
) -> Result<Georeference, NoGeoreference> {
    let keys = GeoKeys::read(directory);
    let crs = crs(&keys)?;
    let pixel = match keys.short(GT_RASTER_TYPE) {
        Some(PIXEL_IS_POINT) => PixelKind::Point,
        // The type of files that state none, as GDAL and others read them.
        _ => PixelKind::Area,
    };
    let Corner { corner, cell } = corner(directory)?;
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
        vertical: vertical(&keys),
    })
}

/// The coordinates of raster position (0, 0), and the distance between columns and rows.
struct Corner {
    corner: [f64; 2],
    cell: [f64; 2],
}

fn corner(directory: &Directory) -> Result<Corner, NoGeoreference> {
    let matrix = directory.doubles(MODEL_TRANSFORMATION);
    if let &[x, shear_x, _, east, shear_y, y, _, north, ..] = matrix.as_slice() {
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
    let scale = directory.doubles(MODEL_PIXEL_SCALE);
    let tie = directory.doubles(MODEL_TIEPOINT);
    match (scale.as_slice(), tie.as_slice()) {
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
        code.and_then(|code| u32::try_from(code).ok())
    };
    let name = |key| keys.text(key).or_else(|| keys.text(GT_CITATION));
    match keys.short(GT_MODEL_TYPE) {
        Some(MODEL_PROJECTED) => Ok(Crs {
            unit: projected_unit(keys),
            epsg: epsg(PROJECTED_CRS),
            name: name(PROJECTED_CITATION),
        }),
        Some(MODEL_GEOGRAPHIC) => match keys.short(GEOG_ANGULAR_UNITS) {
            None | Some(DEGREE) => Ok(Crs {
                unit: MapUnit::Degree,
                epsg: epsg(GEODETIC_CRS),
                name: name(GEODETIC_CITATION),
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
    match keys.short(PROJ_LINEAR_UNITS) {
        Some(9001) => MapUnit::Metre,
        Some(9002) => MapUnit::Foot,
        Some(9003) => MapUnit::UsSurveyFoot,
        Some(code) => length_unit(code)
            .or_else(|| keys.double(PROJ_LINEAR_UNIT_SIZE))
            .map_or(MapUnit::Unknown, MapUnit::Metres),
        None => match keys.short(PROJECTED_CRS) {
            Some(code) if is_in_metres(code) => MapUnit::Metre,
            _ => MapUnit::Unknown,
        },
    }
}

/// A unit of length of EPSG, metres.
fn length_unit(code: u64) -> Option<f64> {
    match code {
        9001 => Some(1.0),
        9002 => Some(0.3048),
        9003 => Some(1200.0 / 3937.0),
        9036 => Some(1000.0),
        _ => None,
    }
}

/// Whether a projected system of EPSG is surely in metres, for files that name no unit.
fn is_in_metres(epsg: u64) -> bool {
    let is_utm_wgs84 = matches!(epsg, 32601..=32660 | 32701..=32760);
    let is_utm_europe = matches!(epsg, 25828..=25838);
    let is_web_mercator_or_laea = matches!(epsg, 3857 | 3035);
    is_utm_wgs84 || is_utm_europe || is_web_mercator_or_laea
}

fn is_epsg(code: u64) -> bool {
    (1024..USER_DEFINED).contains(&code)
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
