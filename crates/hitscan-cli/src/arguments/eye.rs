//! The point that a viewshed is seen from: in the world's metres, or in the coordinates of its map.

/// Where the eye is, as it was typed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Eye {
    pub(crate) system: EyeSystem,
    /// x and z, or easting and northing, or longitude and latitude.
    pub(crate) place: [Coordinate; 2],
    /// y, or the height; without one the eye is on the terrain.
    pub(crate) height: Option<Coordinate>,
}

/// A number, as f64 for the map and as f32 for the world: each the nearest to what was typed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Coordinate {
    pub(crate) wide: f64,
    pub(crate) narrow: f32,
}

/// What an eye's numbers count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EyeSystem {
    /// Numbers without names: those of the map where there is one, else x, y and z.
    Unnamed,
    /// `x=..,z=..`: the world's metres.
    World,
    /// `easting=..,northing=..`.
    Projected,
    /// `lon=..,lat=..`.
    Geographic,
}

/// The names of a system's coordinates: those of place, and that of height.
const NAMES: [(EyeSystem, [&str; 2], &str); 3] = [
    (EyeSystem::World, ["x", "z"], "y"),
    (EyeSystem::Projected, ["easting", "northing"], "height"),
    (EyeSystem::Geographic, ["lon", "lat"], "height"),
];

/// Parses `X,Z`, `X,Y,Z`, `LON,LAT`, `EASTING,NORTHING`, or numbers with their names.
pub(super) fn parse_eye(text: &str) -> Result<Eye, String> {
    let wrong = || {
        format!(
            "{text:?} is no eye: write X,Y,Z or X,Z, such as 0,12.5,-3 or 0,-3; on a map LON,LAT or \
             EASTING,NORTHING; or numbers with their names, such as x=0,z=-3 or lon=11.5,lat=57.5,height=90"
        )
    };
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let eye = if text.contains('=') {
        named(&parts)
    } else {
        unnamed(&parts)
    };
    eye.ok_or_else(wrong)
}

fn number(text: &str) -> Option<Coordinate> {
    let text = text.trim();
    let (wide, narrow) = (text.parse().ok()?, text.parse().ok()?);
    let is_finite = f64::is_finite(wide) && f32::is_finite(narrow);
    is_finite.then_some(Coordinate { wide, narrow })
}

fn unnamed(parts: &[&str]) -> Option<Eye> {
    let numbers: Vec<Coordinate> = parts
        .iter()
        .map(|part| number(part))
        .collect::<Option<_>>()?;
    let (place, height) = match numbers[..] {
        [x, y, z] => ([x, z], Some(y)),
        [x, z] => ([x, z], None),
        _ => return None,
    };
    Some(Eye {
        system: EyeSystem::Unnamed,
        place,
        height,
    })
}

fn named(parts: &[&str]) -> Option<Eye> {
    let parts: Vec<(&str, Coordinate)> = parts
        .iter()
        .map(|part| {
            let (name, value) = part.split_once('=')?;
            Some((name.trim(), number(value)?))
        })
        .collect::<Option<_>>()?;
    let of = |name: &str| {
        let mut named = parts.iter().filter(|part| part.0 == name);
        named
            .next()
            .map(|part| part.1)
            .filter(|_| named.next().is_none())
    };
    NAMES.iter().find_map(|(system, [first, second], up)| {
        let (place, height) = ([of(first)?, of(second)?], of(up));
        let count = 2 + usize::from(height.is_some());
        (parts.len() == count).then_some(Eye {
            system: *system,
            place,
            height,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eyes_have_names_or_none() {
        let exact = |number: f32| Coordinate {
            wide: number.into(),
            narrow: number,
        };
        let eye = |system, place: [f32; 2], height: Option<f32>| {
            Ok(Eye {
                system,
                place: place.map(exact),
                height: height.map(exact),
            })
        };
        use EyeSystem::{Geographic, Projected, Unnamed, World};
        for (text, expected) in [
            ("1, -2.5,3", eye(Unnamed, [1.0, 3.0], Some(-2.5))),
            ("1,3", eye(Unnamed, [1.0, 3.0], None)),
            ("x=1,z=3", eye(World, [1.0, 3.0], None)),
            ("x=1,y=2,z=3", eye(World, [1.0, 3.0], Some(2.0))),
            ("lat=57.5, lon=11.5", eye(Geographic, [11.5, 57.5], None)),
            (
                "easting=5,northing=6,height=7",
                eye(Projected, [5.0, 6.0], Some(7.0)),
            ),
        ] {
            assert_eq!(parse_eye(text), expected, "{text}");
        }
        for text in [
            "1",
            "1,2,nan",
            "1,2,3,4",
            "x=1",
            "x=1,z=2,z=3",
            "x=1,lat=2",
            "lon=1,lat=2,y=3",
            "x=1,3",
            "x=1,z=inf",
            "1e39,0",
        ] {
            assert!(parse_eye(text).is_err(), "{text}");
        }
    }
}
