//! The cells of a grid that is in degrees, and how long they are.

/// The semi-major axis of the ellipsoid of WGS 84, metres.
const EQUATOR_RADIUS: f64 = 6_378_137.0;

/// The first eccentricity of that ellipsoid, squared.
const ECCENTRICITY_SQUARED: f64 = 0.006_694_379_990_14;

/// Cells below this, in degrees, are 11 km and less.
const LARGEST_DEGREES: f64 = 0.1;

/// A grid that looks like one in degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DegreeCells {
    /// From column to column and from row to row.
    pub(super) cell: [f64; 2],
    /// Of the map's middle.
    pub(super) latitude: f64,
}

impl DegreeCells {
    /// The cells of a grid from its south-western corner, if corner and cells are hardly metres.
    pub(super) fn guess(
        [west, south]: [f64; 2],
        cell: [f64; 2],
        [columns, rows]: [usize; 2],
    ) -> Option<Self> {
        let east = west + cell[0] * columns as f64;
        let north = south + cell[1] * rows as f64;
        let is_within = west.abs().max(east.abs()) <= 180.0 && south.abs().max(north.abs()) <= 90.0;
        let is_fine = cell[0] < LARGEST_DEGREES && cell[1] < LARGEST_DEGREES;
        (is_within && is_fine).then_some(Self {
            cell,
            latitude: (south + north) / 2.0,
        })
    }

    /// Metres from column to column and from row to row at the map's middle.
    ///
    /// Source: Snyder, "Map Projections: A Working Manual", 1987, equations 4-20 and 4-21.
    pub(super) fn spacing_m(self) -> [f64; 2] {
        let latitude = self.latitude.to_radians();
        let sine = libm::sin(latitude);
        let square = 1.0 - ECCENTRICITY_SQUARED * sine * sine;
        let across = EQUATOR_RADIUS / square.sqrt();
        let along = EQUATOR_RADIUS * (1.0 - ECCENTRICITY_SQUARED) / (square * square.sqrt());
        [
            self.cell[0].to_radians() * across * libm::cos(latitude),
            self.cell[1].to_radians() * along,
        ]
    }
}
