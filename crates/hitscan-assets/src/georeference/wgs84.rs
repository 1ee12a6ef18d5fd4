//! The length of a degree on the ellipsoid WGS 84, at one latitude.
//!
//! Grids in degrees are laid out with the two lengths at the middle of the map. Nothing is projected:
//! away from that latitude, distances in x differ from those on the ground by the ratio of cosines.

/// The ellipsoid's equatorial radius, metres, and its flattening. GRS 80, on which NAD 83 and ETRS 89
/// are based, has the same radius and a flattening that differs in the tenth digit.
///
/// Source: NIMA TR8350.2, "Department of Defense World Geodetic System 1984", third edition (2000),
/// table 3.1.
const EQUATORIAL_RADIUS: f64 = 6_378_137.0;
const FLATTENING: f64 = 1.0 / 298.257_223_563;

/// Metres per degree of longitude and per degree of latitude at `latitude`, degrees.
///
/// The radius of curvature in the prime vertical times the cosine of the latitude, and that of the
/// meridian, each times pi / 180.
///
/// ```
/// let [east, north] = hitscan_assets::georeference::metres_per_degree(0.0);
/// assert!((east - 111_319.490_793).abs() < 1e-6 && (north - 110_574.275_822).abs() < 1e-6);
/// ```
///
/// # Source
/// Snyder, "Map Projections: A Working Manual", U.S. Geological Survey Professional Paper 1395
/// (1987), equations 4-18 and 4-20. Sine and cosine are those of `libm`, the same on every platform.
#[must_use]
pub fn metres_per_degree(latitude: f64) -> [f64; 2] {
    let per_degree = core::f64::consts::PI / 180.0;
    let (sine, cosine) = (
        libm::sin(latitude * per_degree),
        libm::cos(latitude * per_degree),
    );
    let eccentricity_squared = FLATTENING * (2.0 - FLATTENING);
    let squared = 1.0 - eccentricity_squared * sine * sine;
    let root = squared.sqrt();
    let prime_vertical = EQUATORIAL_RADIUS / root;
    let meridian = EQUATORIAL_RADIUS * (1.0 - eccentricity_squared) / (squared * root);
    [prime_vertical * cosine * per_degree, meridian * per_degree]
}

#[cfg(test)]
mod tests {
    use super::metres_per_degree;

    /// Published lengths of a degree on WGS 84, rounded to a centimetre.
    #[test]
    fn lengths_are_those_of_published_tables() {
        for (latitude, east, north) in [
            (0.0, 111_319.49, 110_574.28),
            (15.0, 107_550.45, 110_648.68),
            (30.0, 96_486.28, 110_852.43),
            (45.0, 78_846.81, 111_131.78),
            (60.0, 55_800.0, 111_412.27),
            (75.0, 28_902.0, 111_618.0),
        ] {
            let found = metres_per_degree(latitude);
            assert_eq!(metres_per_degree(-latitude), found);
            assert!((found[0] - east).abs() < 0.5, "{latitude}: {found:?}");
            assert!((found[1] - north).abs() < 0.5, "{latitude}: {found:?}");
        }
    }
}
