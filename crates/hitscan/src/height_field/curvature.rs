//! The earth's curvature: ground as it is seen from one place, lowered with the distance from there.
//!
//! Source: the drop of GDAL's and GRASS's viewsheds, a parabola in place of the sphere.

use super::{Grid, HeightField};
use crate::Error;

/// By how much ground far away lies lower, for the earth is round and air bends light.
///
/// ```
/// use hitscan::height_field::Curvature;
/// let bare = Curvature::new(Curvature::EARTH_RADIUS, 0.0)?;
/// assert!((bare.drop(10_000.0) - 7.839).abs() < 0.001);
/// let with_air = Curvature::new(Curvature::EARTH_RADIUS, 0.13)?;
/// assert!((with_air.drop(10_000.0) - 6.820).abs() < 0.001);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Curvature {
    radius: f64,
    refraction: f64,
}

impl Curvature {
    /// The greater half-axis of the ellipsoids WGS 84 and GRS 80, metres.
    pub const EARTH_RADIUS: f64 = 6_378_137.0;

    /// The curvature of an earth of this radius, metres. `refraction` is the part of it that air takes
    /// back by bending light: 0 without air, about 0.13 for visible light by day.
    ///
    /// # Errors
    /// [`Error::BadValue`] for a radius that is not positive, [`Error::NotFinite`].
    pub fn new(radius: f64, refraction: f64) -> Result<Self, Error> {
        let numbers = [("radius of the earth", radius), ("refraction", refraction)];
        for (what, found) in numbers {
            if !found.is_finite() {
                return Err(Error::NotFinite { what, found });
            }
        }
        if radius <= 0.0 {
            return Err(Error::BadValue {
                what: "radius of the earth",
                expected: "more than 0",
                found: radius,
            });
        }
        Ok(Self { radius, refraction })
    }

    /// How much lower ground at this horizontal distance is, metres: `(1 - refraction) * d * d / (2 *
    /// radius)`.
    #[must_use]
    pub fn drop(self, distance: f64) -> f64 {
        self.drop_of_squared(distance * distance)
    }

    fn drop_of_squared(self, squared: f64) -> f64 {
        (1.0 - self.refraction) * squared / (2.0 * self.radius)
    }
}

impl HeightField {
    /// The terrain as it is seen from (x, z): each sample lower by the drop at its distance, worked out in
    /// f64, and rounded to f32 once. Triangles are between the lowered samples, and all queries are exact
    /// on them.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a place that is not, and where a drop cannot be worked out;
    /// [`Error::OutOfRange`] where a sample is then beyond what [`HeightField::new`] takes.
    pub fn lowered_around(&self, [x, z]: [f64; 2], curvature: Curvature) -> Result<Self, Error> {
        if let Some(found) = [x, z].into_iter().find(|place| !place.is_finite()) {
            let what = "place of the eye";
            return Err(Error::NotFinite { what, found });
        }
        let grid: Grid = *self.grid();
        let squared = |at: f64| at * at;
        let along: Vec<f64> = (0..grid.columns)
            .map(|column| squared(grid.x(column) - x))
            .collect();
        let mut heights = Vec::with_capacity(self.heights.len());
        for (row, of_row) in self.heights.chunks(grid.columns).enumerate() {
            let across = squared(grid.z(row) - z);
            for (height, along) in of_row.iter().zip(&along) {
                let drop = curvature.drop_of_squared(along + across);
                if !drop.is_finite() {
                    let (what, found) = ("drop of distant ground", drop);
                    return Err(Error::NotFinite { what, found });
                }
                #[expect(clippy::cast_possible_truncation, reason = "the rounding is wanted")]
                heights.push((f64::from(*height) - drop) as f32);
            }
        }
        Self::new(grid, heights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_lower_by_the_square_of_their_distance() {
        let grid = Grid {
            origin: [-20.0, 7.0, 30.0],
            ..Grid::new(4, 3, [10.0, 20.0])
        };
        let mut heights: Vec<f32> = (0..12_u8).map(f32::from).collect();
        heights[5] = f32::NAN;
        let field = HeightField::new(grid, heights).unwrap();
        // Half of the curvature of a circle of 250 m: 1 m lower at 31.6 m.
        let curvature = Curvature::new(250.0, 0.5).unwrap();
        let lowered = field.lowered_around([0.0, 50.0], curvature).unwrap();
        assert_eq!(lowered.grid(), field.grid());
        // Distances: 20, 10, 0 and 10 m along, 20, 0 and 20 m across.
        let expected = [
            [0.0 - 0.8, 1.0 - 0.5, 2.0 - 0.4, 3.0 - 0.5],
            [4.0 - 0.4, f64::NAN, 6.0, 7.0 - 0.1],
            [8.0 - 0.8, 9.0 - 0.5, 10.0 - 0.4, 11.0 - 0.5],
        ];
        for (row, expected) in expected.iter().enumerate() {
            for (column, expected) in expected.iter().enumerate() {
                #[expect(clippy::cast_possible_truncation, reason = "the rounding is wanted")]
                let expected = (!expected.is_nan()).then_some(*expected as f32);
                assert_eq!(lowered.sample(column, row), expected, "{column} {row}");
            }
        }
    }

    #[test]
    fn wrong_numbers_are_refused() {
        for (radius, refraction) in [
            (0.0, 0.0),
            (-1.0, 0.0),
            (f64::INFINITY, 0.0),
            (1.0, f64::NAN),
        ] {
            assert!(Curvature::new(radius, refraction).is_err());
        }
        let field = HeightField::new(Grid::new(2, 2, [1.0, 1.0]), vec![0.0; 4]).unwrap();
        let earth = Curvature::new(Curvature::EARTH_RADIUS, 0.0).unwrap();
        let endless = Curvature::new(f64::MAX, f64::MAX).unwrap();
        assert!(field.lowered_around([f64::NAN, 0.0], earth).is_err());
        assert!(field.lowered_around([1e200, 0.0], earth).is_err());
        assert!(field.lowered_around([1e200, 0.0], endless).is_err());
    }
}
