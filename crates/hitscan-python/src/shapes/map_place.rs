//! The place of a height map on its map, x east and z south, in metres, and what it is measured from.

use super::place::{checked_origin, unknown_word};
use glam::DVec3;
use hitscan::height_field::Grid;
use hitscan_assets::Error;
use hitscan_assets::georeference::{Georeference, MapUnit, NoGeoreference};
use hitscan_assets::heights::HeightImage;
use pyo3::prelude::*;

/// What positions are measured from: in Python a point, `"center"` or `None`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum LocalOrigin {
    None,
    At([f64; 3]),
    /// The middle of the bounds.
    Center,
}

impl LocalOrigin {
    /// # Errors
    /// `ValueError` for a point that is not finite.
    pub(super) fn checked(self) -> PyResult<Self> {
        if let Self::At(point) = self {
            checked_origin(Some(point))?;
        }
        Ok(self)
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for LocalOrigin {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if value.is_none() {
            return Ok(Self::None);
        }
        if let Ok(name) = value.extract::<String>() {
            return match name.as_str() {
                "center" => Ok(Self::Center),
                name => Err(unknown_word(
                    "local_origin",
                    "\"center\", a point or None",
                    name,
                )),
            };
        }
        Ok(Self::At(value.extract()?))
    }
}

/// The middle of a grid's bounds.
pub(super) fn center(grid: &Grid, heights: &[f32]) -> DVec3 {
    let known = heights.iter().filter(|height| !height.is_nan());
    let ends = known.fold(
        (f32::INFINITY, f32::NEG_INFINITY),
        |(low, high), &height| (low.min(height), high.max(height)),
    );
    let (low, high) = if ends.0 <= ends.1 { ends } else { (0.0, 0.0) };
    let first = DVec3::from(grid.origin);
    let [columns, rows] = [grid.columns, grid.rows].map(|count| count.saturating_sub(1) as f64);
    let [x, z] = grid.spacing;
    let least = first + DVec3::new(0.0, f64::from(low), 0.0);
    let greatest = first + DVec3::new(columns * x, f64::from(high), rows * z);
    (least + greatest) * 0.5
}

/// Where sample (0, 0) is by the file itself: at its easting, and minus its northing; `None` where the file
/// does not say.
///
/// # Errors
/// For a map that is turned, or not in metres.
pub(super) fn map_place(image: &HeightImage) -> Result<Option<[f64; 3]>, Error> {
    check_unit(image)?;
    match image.georeference() {
        Ok(Georeference { crs, .. }) if crs.unit == MapUnit::Unknown => Ok(None),
        Ok(georeference) => {
            let [east, north] = georeference.north_west();
            Ok(Some([east, 0.0, 0.0 - north]))
        }
        Err(reason @ NoGeoreference::Turned(_)) => Err(Error::malformed(
            image.path(),
            "georeference",
            "a map whose rows run from west to east and from north to south, or `spacing` in metres for \
             a grid of your own",
            reason.to_string(),
        )),
        Err(_) => Ok(None),
    }
}

/// Checks that a map is in metres, as far as the file says.
///
/// # Errors
/// Where it is not, with what to do.
pub(super) fn check_unit(image: &HeightImage) -> Result<(), Error> {
    let Ok(georeference) = image.georeference() else {
        return Ok(());
    };
    let unit = georeference.crs.unit;
    if unit == MapUnit::Unknown || unit.metres() == Some(1.0) {
        return Ok(());
    }
    let path = image.path().display();
    let [east, north] = georeference.middle();
    let system = match unit {
        MapUnit::Degree => format!("EPSG:{}", utm_zone(east, north)),
        _ => "EPSG:...".to_owned(),
    };
    let is_named = georeference.crs.epsg.is_some() || georeference.crs.name.is_some();
    let [warp, open] = match is_named {
        true => ["", ""],
        false => ["-s_srs EPSG:4326 ", ", src_crs=\"EPSG:4326\""],
    };
    Err(Error::malformed(
        image.path(),
        "georeference",
        format!(
            "a projected map in metres: `gdalwarp {warp}-t_srs {system} {path} projected.tif` makes one, \
             and `from_rasterio(rasterio.vrt.WarpedVRT(dataset, crs=\"{system}\"{open}))` reads it as one; \
             or `spacing` in metres for a grid of your own"
        ),
        format!("coordinates in {unit}"),
    ))
}

/// The EPSG code of the UTM zone of WGS 84 around a longitude and latitude.
#[pyfunction]
pub(crate) fn utm_zone(longitude: f64, latitude: f64) -> u32 {
    let zones = (longitude + 180.0).rem_euclid(360.0) / 6.0;
    let hemisphere = if latitude < 0.0 { 32700 } else { 32600 };
    // A number from 0 to 59 as it is counted up to.
    let zone = (1..=60).find(|zone| zones < f64::from(*zone));
    hemisphere + zone.unwrap_or(60)
}
