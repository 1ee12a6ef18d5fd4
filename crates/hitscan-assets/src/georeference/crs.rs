//! Coordinate reference systems, as far as a file names them: a unit, a code of EPSG, a name.
//!
//! Nothing is known of a system but what the file states; no coordinates are converted from one to
//! another.

use std::fmt;

use hitscan::baked::{Reader, Writer};

/// What the coordinates of a map count.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum MapUnit {
    /// Degrees of longitude and latitude: a geographic system.
    Degree,
    /// A projected system's metre.
    Metre,
    /// The international foot, 0.3048 m.
    Foot,
    /// The US survey foot, 1200 / 3937 m.
    UsSurveyFoot,
    /// Another length.
    Metres(f64),
    /// A projected system whose unit the file does not state.
    Unknown,
}

impl MapUnit {
    /// The length in metres; `None` for degrees and where the file does not state it.
    #[must_use]
    pub fn metres(self) -> Option<f64> {
        match self {
            Self::Metre => Some(1.0),
            Self::Foot => Some(0.3048),
            Self::UsSurveyFoot => Some(1200.0 / 3937.0),
            Self::Metres(metres) => Some(metres),
            Self::Degree | Self::Unknown => None,
        }
    }
}

impl fmt::Display for MapUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Degree => f.write_str("degrees"),
            Self::Metre => f.write_str("metres"),
            Self::Foot => f.write_str("international feet of 0.3048 m"),
            Self::UsSurveyFoot => f.write_str("US survey feet of 1200/3937 m"),
            Self::Metres(metres) => write!(f, "units of {metres} m"),
            Self::Unknown => f.write_str("a unit that the file does not state"),
        }
    }
}

/// A coordinate reference system.
#[derive(Debug, Clone, PartialEq)]
pub struct Crs {
    /// The unit of its two horizontal axes.
    pub unit: MapUnit,
    /// Its code in the EPSG registry, where the file has it.
    pub epsg: Option<u32>,
    /// Its name, where the file has it.
    pub name: Option<String>,
}

impl Crs {
    pub(crate) fn bake(&self, writer: &mut Writer<'_>) {
        let (unit, metres) = match self.unit {
            MapUnit::Degree => (0, 0.0),
            MapUnit::Metre => (1, 0.0),
            MapUnit::Foot => (2, 0.0),
            MapUnit::UsSurveyFoot => (3, 0.0),
            MapUnit::Metres(metres) => (4, metres),
            MapUnit::Unknown => (5, 0.0),
        };
        writer.u32(unit);
        writer.f64(metres);
        writer.u64_or_none(self.epsg.map(u64::from));
        writer.text_or_none(self.name.as_deref());
    }

    /// The system that was baked next.
    pub(crate) fn from_baked(reader: &mut Reader<'_>) -> Result<Self, hitscan::Error> {
        let what = "unit of a map";
        let (unit, metres) = (reader.u32(what)?, reader.f64(what)?);
        let unit = match unit {
            0 => MapUnit::Degree,
            1 => MapUnit::Metre,
            2 => MapUnit::Foot,
            3 => MapUnit::UsSurveyFoot,
            4 if metres > 0.0 && metres.is_finite() => MapUnit::Metres(metres),
            5 => MapUnit::Unknown,
            _ => return Err(reader.refused(what, "one that is known")),
        };
        let epsg = reader.u64_or_none("EPSG code")?;
        let epsg = epsg.map(|code| u32::try_from(code).unwrap_or(u32::MAX));
        let name = reader.text_or_none("name of a map's system")?;
        let name = name.map(str::to_owned);
        Ok(Self { unit, epsg, name })
    }

    /// WGS 84 in degrees, EPSG:4326.
    #[must_use]
    pub fn wgs84() -> Self {
        Self {
            unit: MapUnit::Degree,
            epsg: Some(4326),
            name: Some("WGS 84".to_owned()),
        }
    }

    /// A system with a known unit only.
    #[must_use]
    pub fn unnamed(unit: MapUnit) -> Self {
        Self {
            unit,
            epsg: None,
            name: None,
        }
    }

    /// Whether its coordinates are longitude and latitude.
    #[must_use]
    pub fn is_geographic(&self) -> bool {
        self.unit == MapUnit::Degree
    }

    /// Whether nothing that the two files state of their systems is different: the unit, and the
    /// code, or else the name, where both have one.
    #[must_use]
    pub fn agrees_with(&self, other: &Self) -> bool {
        let same_unit = self.is_geographic() == other.is_geographic()
            && match (self.unit.metres(), other.unit.metres()) {
                (Some(one), Some(another)) => one == another,
                _ => true,
            };
        let same_name = match (self.epsg, other.epsg) {
            (Some(one), Some(another)) => one == another,
            _ => match (&self.name, &other.name) {
                (Some(one), Some(another)) => one == another,
                _ => true,
            },
        };
        same_unit && same_name
    }
}

impl fmt::Display for Crs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_geographic() {
            "geographic"
        } else {
            "projected"
        };
        match (self.epsg, &self.name) {
            (Some(code), Some(name)) => write!(f, "EPSG:{code}, {name}"),
            (Some(code), None) => write!(f, "EPSG:{code}"),
            (None, Some(name)) => f.write_str(name),
            (None, None) => write!(f, "a {kind} system that the file does not name"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_agree_unless_something_stated_differs() {
        let crs = |unit, epsg, name: Option<&str>| Crs {
            unit,
            epsg,
            name: name.map(str::to_owned),
        };
        let utm = crs(MapUnit::Metre, Some(32632), Some("WGS 84 / UTM zone 32N"));
        for (other, agrees) in [
            (utm.clone(), true),
            (crs(MapUnit::Metre, Some(32632), Some("UTM 32N")), true),
            (crs(MapUnit::Metre, Some(32633), None), false),
            (crs(MapUnit::Metre, None, None), true),
            (crs(MapUnit::Unknown, None, None), true),
            (crs(MapUnit::Metre, None, Some("Gauss-Krueger")), false),
            (crs(MapUnit::Foot, None, None), false),
            (crs(MapUnit::Degree, None, None), false),
        ] {
            assert_eq!(utm.agrees_with(&other), agrees, "{other:?}");
            assert_eq!(other.agrees_with(&utm), agrees, "{other:?}");
        }
        assert_eq!(utm.to_string(), "EPSG:32632, WGS 84 / UTM zone 32N");
        assert_eq!(
            Crs::unnamed(MapUnit::Degree).to_string(),
            "a geographic system that the file does not name"
        );
    }
}
