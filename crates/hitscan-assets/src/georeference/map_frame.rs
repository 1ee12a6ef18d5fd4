//! The map frame: conversion between a world's x, y, z and the coordinates of a map.
//!
//! # The mapping
//! For a scene whose `[world] origin` is `[E, H, N]` (of its own, or that of its first georeferenced
//! terrain), with `u` and `v` the metres per unit of easting and of northing:
//!
//! | coordinate | from the world | to the world |
//! |---|---|---|
//! | `easting`, or `lon` | `E + x / u` | `x = (easting - E) * u` |
//! | `northing`, or `lat` | `N - z / v` | `z = (N - northing) * v` |
//! | `height` | `y + H` | `y = height - H` |
//!
//! In a projected system in metres, u = v = 1: `easting = x + E`, `northing = N - z`. In one in feet
//! they are the foot's length. In degrees they are the lengths of a degree on WGS 84 at the middle of
//! the first georeferenced terrain ([`metres_per_degree`](super::metres_per_degree)); since the grid
//! was laid out with the same two numbers, a longitude and latitude falls into its own cell
//! whatever they are. A terrain's `spacing` replaces all of these: `u` is then metres between
//! columns over units between columns.
//!
//! # Tables' x, y and z
//! Where the scene itself states its origin, in metres, it is taken off the `x y z` of tables, axis by
//! axis, and added to those of answers: there x is `E + x`, y is `H + y` and z is `N + z`. An origin
//! that a georeferenced terrain has given changes nothing about them: they stay the world's.
//!
//! All of it is worked out in f64. Only what is left after the origin is taken off becomes f32, so
//! that millimetres remain at coordinates of 1e7 m.

use super::crs::Crs;
use hitscan::baked::{Reader, Writer};

/// The place of a world's x, y, z in the coordinates of a map.
///
/// ```
/// use hitscan_assets::georeference::MapFrame;
/// let frame = MapFrame::metres([500_000.0, 0.0, 6_200_000.0]);
/// assert_eq!(frame.world_from_map([500_001.5, 12.0, 6_199_990.0]), [1.5, 12.0, 10.0]);
/// assert_eq!(frame.map_from_world([1.5, 12.0, 10.0]), [500_001.5, 12.0, 6_199_990.0]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MapFrame {
    origin: [f64; 3],
    metres_per_unit: [f64; 2],
    crs: Option<Crs>,
    table_offset: [f64; 3],
}

impl MapFrame {
    /// A frame of no particular system in metres, with the scene's own `origin` (easting, height,
    /// northing) at x = y = z = 0.
    #[must_use]
    pub fn metres(origin: [f64; 3]) -> Self {
        Self {
            origin,
            metres_per_unit: [1.0; 2],
            crs: None,
            table_offset: origin,
        }
    }

    /// A frame of no particular system in metres, where tables' x is easting, their y height and their z
    /// minus northing; `offset` of these is at x = y = z = 0.
    ///
    /// ```
    /// use hitscan_assets::georeference::MapFrame;
    /// let frame = MapFrame::x_east_z_south([500_000.0, 0.0, -6_200_000.0]);
    /// assert_eq!(frame.world_from_map([500_001.5, 12.0, 6_199_990.0]), [1.5, 12.0, 10.0]);
    /// assert_eq!(frame.table_offset(), [500_000.0, 0.0, -6_200_000.0]);
    /// ```
    #[must_use]
    pub fn x_east_z_south(offset: [f64; 3]) -> Self {
        let [x, y, z] = offset;
        Self {
            table_offset: offset,
            ..Self::metres([x, y, 0.0 - z])
        }
    }

    /// A frame of `crs`, whose units of easting and northing are so many metres long.
    #[must_use]
    pub fn of(crs: Crs, origin: [f64; 3], metres_per_unit: [f64; 2]) -> Self {
        Self {
            origin,
            metres_per_unit,
            crs: Some(crs),
            table_offset: [0.0; 3],
        }
    }

    /// This frame where the scene states its origin: in metres, tables' x, y and z are off by it.
    #[must_use]
    pub fn of_stated_origin(mut self) -> Self {
        if self.metres_per_unit == [1.0; 2] && !self.is_geographic() {
            self.table_offset = self.origin;
        }
        self
    }

    pub(crate) fn bake(&self, writer: &mut Writer<'_>) {
        writer.f64s(&self.origin);
        writer.f64s(&self.metres_per_unit);
        writer.f64s(&self.table_offset);
        writer.bool(self.crs.is_some());
        if let Some(crs) = &self.crs {
            crs.bake(writer);
        }
    }

    /// The frame that was baked next.
    pub(crate) fn from_baked(reader: &mut Reader<'_>) -> Result<Self, hitscan::Error> {
        let what = "map frame";
        let (origin, metres_per_unit) = (reader.f64s(what)?, reader.f64s(what)?);
        let table_offset = reader.f64s(what)?;
        let crs = match reader.bool(what)? {
            true => Some(Crs::from_baked(reader)?),
            false => None,
        };
        let mut places = origin.iter().chain(&table_offset);
        let is_length = |metres: &f64| *metres > 0.0 && metres.is_finite();
        if !places.all(|x| x.is_finite()) || !metres_per_unit.iter().all(is_length) {
            return Err(reader.refused(what, "finite, its units longer than 0"));
        }
        Ok(Self {
            origin,
            metres_per_unit,
            crs,
            table_offset,
        })
    }

    /// What tables' x, y and z are more than the world's.
    #[must_use]
    pub fn table_offset(&self) -> [f64; 3] {
        self.table_offset
    }

    /// Easting (or longitude), height and northing (or latitude) of x = y = z = 0: the first and
    /// the last in the system's unit, the height in metres.
    #[must_use]
    pub fn origin(&self) -> [f64; 3] {
        self.origin
    }

    /// Metres per unit of easting and of northing.
    #[must_use]
    pub fn metres_per_unit(&self) -> [f64; 2] {
        self.metres_per_unit
    }

    /// The system, where a georeferenced terrain has given it.
    #[must_use]
    pub fn crs(&self) -> Option<&Crs> {
        self.crs.as_ref()
    }

    /// Whether the first and the last coordinate are longitude and latitude.
    #[must_use]
    pub fn is_geographic(&self) -> bool {
        self.crs.as_ref().is_some_and(Crs::is_geographic)
    }

    /// The names of the coordinates, in the order of x, y, z.
    #[must_use]
    pub fn axis_names(&self) -> [&'static str; 3] {
        if self.is_geographic() {
            ["lon", "height", "lat"]
        } else {
            ["easting", "height", "northing"]
        }
    }

    /// x, y, z, metres, of easting, height and northing.
    #[must_use]
    pub fn world_from_map(&self, [easting, height, northing]: [f64; 3]) -> [f64; 3] {
        [
            (easting - self.origin[0]) * self.metres_per_unit[0],
            height - self.origin[1],
            (self.origin[2] - northing) * self.metres_per_unit[1],
        ]
    }

    /// Easting, height and northing of x, y, z.
    #[must_use]
    pub fn map_from_world(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        [
            self.origin[0] + x / self.metres_per_unit[0],
            self.origin[1] + y,
            self.origin[2] - z / self.metres_per_unit[1],
        ]
    }

    /// The mapping in three formulas with this frame's numbers, for people.
    #[must_use]
    pub fn formulas(&self) -> [String; 3] {
        let [east, height, north] = self.axis_names();
        let over = |unit: f64, axis: &str| {
            if unit == 1.0 {
                axis.to_owned()
            } else {
                format!("{axis} / {unit}")
            }
        };
        [
            format!(
                "{east} = {} + {}",
                self.origin[0],
                over(self.metres_per_unit[0], "x")
            ),
            format!(
                "{north} = {} - {}",
                self.origin[2],
                over(self.metres_per_unit[1], "z")
            ),
            format!("{height} = {} + y", self.origin[1]),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::georeference::MapUnit;

    #[test]
    fn formulas_have_the_frames_numbers() {
        let frame = MapFrame::metres([500_000.5, -20.0, 6_200_000.0]);
        assert_eq!(
            frame.formulas(),
            [
                "easting = 500000.5 + x",
                "northing = 6200000 - z",
                "height = -20 + y"
            ]
        );
        let degrees = Crs::unnamed(MapUnit::Degree);
        let frame = MapFrame::of(degrees, [11.0, 0.0, 58.0], [60_000.0, 111_000.0]);
        assert_eq!(frame.formulas()[0], "lon = 11 + x / 60000");
        assert_eq!(
            frame.world_from_map([11.5, 3.0, 57.0]),
            [30_000.0, 3.0, 111_000.0]
        );
        assert_eq!(
            frame.map_from_world([30_000.0, 3.0, 111_000.0]),
            [11.5, 3.0, 57.0]
        );
    }
}
