//! Tiles of the Shuttle Radar Topography Mission: big-endian i16, square, -32768 is a hole.
//!
//! Tiles have 1201 x 1201 (3 arc seconds) or 3601 x 3601 samples (1 arc second); any other exact
//! square is read too, since others follow the same layout. Rows run from north to south. The
//! spacing is in degrees, so the scene must state it in metres, or ask for the georeference: the
//! file's name is that of its south-western sample, as in N57E011, and the samples of all four
//! borders are on whole degrees, on WGS 84.
//!
//! Source: USGS, "SRTM Topography" (the document SRTM_Topo), section 3.1.

use std::path::Path;

use super::image::{HeightImage, sample_count};
use super::raw::square_side;
use super::samples::Samples;
use crate::Error;
use crate::georeference::{Crs, Georeference, NoGeoreference, PixelKind, VerticalReference};

const VOID: f64 = -32768.0;

pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<HeightImage, Error> {
    let side = square_side(bytes.len(), 2).ok_or_else(|| {
        Error::malformed(
            path,
            format!("byte {}", bytes.len()),
            "a square of 2-byte samples: 2884802 bytes (1201 x 1201) or 25934402 (3601 x 3601)",
            format!("the end of the file after {} bytes", bytes.len()),
        )
    })?;
    sample_count(path, side as u64, side as u64)?;
    let values = bytes
        .as_chunks::<2>()
        .0
        .iter()
        .map(|&value| i16::from_be_bytes(value))
        .collect();
    let encoding = match side {
        1201 => "SRTM tile, 3 arc seconds",
        3601 => "SRTM tile, 1 arc second",
        _ => "square of big-endian 16-bit heights",
    };
    Ok(
        HeightImage::new(path, [side, side], Samples::I16(values), Some(VOID))?
            .with_georeference(georeference(path, side))
            .with_encoding(encoding),
    )
}

/// The place of a tile of `side` x `side` samples that its name gives.
fn georeference(path: &Path, side: usize) -> Result<Georeference, NoGeoreference> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let [longitude, latitude] = south_west(&name).ok_or_else(|| {
        NoGeoreference::Missing(format!(
            "its name `{name}` is not that of a tile's south-western corner, such as N57E011 or \
             S01W072"
        ))
    })?;
    let cell = 1.0 / (side - 1) as f64;
    Ok(Georeference {
        crs: Crs::wgs84(),
        first: [longitude, latitude + 1.0],
        cell: [cell, cell],
        size: [side, side],
        pixel: PixelKind::Point,
        vertical: VerticalReference::default(),
    })
}

/// Longitude and latitude that the name of a tile begins with: N57E011, S01W072.
fn south_west(name: &str) -> Option<[f64; 2]> {
    let degrees = |text: Option<&str>, most: f64| {
        let text = text.filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
        text.parse().ok().filter(|&degrees: &f64| degrees <= most)
    };
    let latitude = degrees(name.get(1..3), 90.0)?;
    let longitude = degrees(name.get(4..7), 180.0)?;
    let sign = |at: usize, positive: u8, negative: u8| {
        let letter = name.as_bytes().get(at).map(u8::to_ascii_uppercase)?;
        match letter {
            _ if letter == positive => Some(1.0),
            _ if letter == negative => Some(-1.0),
            _ => None,
        }
    };
    Some([
        sign(3, b'E', b'W')? * longitude,
        sign(0, b'N', b'S')? * latitude,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_big_endian_and_the_lowest_is_a_hole() {
        let bytes = [0x80, 0x00, 0x80, 0x01, 0x01, 0x00, 0xff, 0xff];
        let image = read("N00E000.hgt".as_ref(), &bytes).unwrap();
        let values = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(i, j)| image.value(i, j));
        assert_eq!(values, [None, Some(-32767.0), Some(256.0), Some(-1.0)]);
    }

    #[test]
    fn the_name_is_that_of_the_south_western_sample() {
        for (name, expected) in [
            ("N57E011", Some([11.0, 57.0])),
            ("s01w072.SRTMGL1", Some([-72.0, -1.0])),
            ("N00E000", Some([0.0, 0.0])),
            ("N91E000", None),
            ("N57E181", None),
            ("57N011E", None),
            ("N5", None),
            ("N+7E011", None),
            ("Növ", None),
        ] {
            assert_eq!(south_west(name), expected, "{name}");
        }
        let image = read("x/N57E011.hgt".as_ref(), &[0; 18]).unwrap();
        let place = image.georeference().unwrap();
        assert_eq!((place.first, place.cell), ([11.0, 58.0], [0.5, 0.5]));
        assert_eq!(place.south_east(), [12.0, 57.0]);
        let image = read("tile.hgt".as_ref(), &[0; 18]).unwrap();
        let message = image.georeference().unwrap_err().to_string();
        assert!(message.contains("`tile`"), "{message}");
    }

    #[test]
    fn what_is_no_square_is_refused() {
        for length in [0, 1, 2, 7, 9, 10, 2_884_801, 2_884_800] {
            assert!(
                read("a.hgt".as_ref(), &vec![0; length]).is_err(),
                "{length}"
            );
        }
    }
}
