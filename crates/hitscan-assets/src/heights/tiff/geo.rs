//! GeoTIFF's spacing: the tags that give the metres between samples, if they do.
//!
//! Only a projected system in a known length unit gives metres; degrees give nothing, and where
//! anything is rotated or not stated there is no spacing either: the scene must state it. The position
//! of the map in the world is not used.
//!
//! Source: OGC 19-008r4, "OGC GeoTIFF Standard", version 1.1 (2019), clauses 7 and B.

use super::directory::Directory;

const MODEL_PIXEL_SCALE: u16 = 33550;
const MODEL_TRANSFORMATION: u16 = 34264;
const GEO_KEY_DIRECTORY: u16 = 34735;
const GEO_DOUBLE_PARAMS: u16 = 34736;

const GT_MODEL_TYPE: u64 = 1024;
const MODEL_PROJECTED: u64 = 1;
const PROJECTED_CRS: u64 = 3072;
const PROJ_LINEAR_UNITS: u64 = 3076;
const PROJ_LINEAR_UNIT_SIZE: u64 = 3077;

/// Metres between columns and between rows, where the tags state them.
pub(super) fn spacing_m(directory: &Directory) -> Option<[f64; 2]> {
    let keys = directory.numbers(GEO_KEY_DIRECTORY).ok()?;
    let doubles = directory.doubles(GEO_DOUBLE_PARAMS);
    let metres = metres_per_unit(&keys, &doubles)?;
    let scale = directory.doubles(MODEL_PIXEL_SCALE);
    let matrix = directory.doubles(MODEL_TRANSFORMATION);
    let [x, y] = match (scale.as_slice(), matrix.as_slice()) {
        (&[x, y, ..], _) => [x, y],
        ([], &[x, 0.0, _, _, 0.0, y, ..]) => [x, y],
        _ => return None,
    };
    let spacing = [x.abs() * metres, y.abs() * metres];
    spacing
        .iter()
        .all(|&s| s > 0.0 && s.is_finite())
        .then_some(spacing)
}

/// The length of the projected system's unit; `None` where it is not projected or not known.
fn metres_per_unit(keys: &[u64], doubles: &[f64]) -> Option<f64> {
    // Four numbers a key: its name, the tag that holds the value (0: the last number itself), the
    // number of values, and the value or its index in that tag. The first four are a header.
    let (_, entries) = keys.split_first_chunk::<4>()?;
    let entry = |name: u64| {
        let entries = entries.as_chunks::<4>().0;
        entries.iter().find(|entry| entry[0] == name)
    };
    let short = |name: u64| {
        entry(name)
            .filter(|entry| entry[1] == 0)
            .map(|entry| entry[3])
    };
    let double = |name: u64| {
        entry(name)
            .filter(|entry| entry[1] == u64::from(GEO_DOUBLE_PARAMS))
            .and_then(|entry| doubles.get(usize::try_from(entry[3]).ok()?).copied())
    };
    if short(GT_MODEL_TYPE) != Some(MODEL_PROJECTED) {
        return None;
    }
    match short(PROJ_LINEAR_UNITS) {
        Some(9001) => Some(1.0),
        Some(9002) => Some(0.3048),
        Some(9003) => Some(1200.0 / 3937.0),
        Some(9036) => Some(1000.0),
        Some(_) => double(PROJ_LINEAR_UNIT_SIZE),
        None => short(PROJECTED_CRS).and_then(crs_in_metres),
    }
}

/// 1 for the projected systems of EPSG that are surely in metres, for files that name no unit.
fn crs_in_metres(epsg: u64) -> Option<f64> {
    let is_utm_wgs84 = matches!(epsg, 32601..=32660 | 32701..=32760);
    let is_utm_europe = matches!(epsg, 25828..=25838);
    let is_web_mercator_or_laea = matches!(epsg, 3857 | 3035);
    (is_utm_wgs84 || is_utm_europe || is_web_mercator_or_laea).then_some(1.0)
}

#[cfg(test)]
mod tests {
    use super::metres_per_unit;

    #[test]
    fn only_projected_systems_in_known_units_have_metres() {
        let header = [1, 1, 0, 3];
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
            let all: Vec<u64> = std::iter::once(header)
                .chain(keys.clone())
                .flatten()
                .collect();
            assert_eq!(metres_per_unit(&all, &[9.0, 0.5]), expected, "{keys:?}");
        }
        assert_eq!(metres_per_unit(&[1, 1], &[]), None);
    }
}
