//! Tiles of the Shuttle Radar Topography Mission: big-endian i16, square, -32768 is a hole.
//!
//! Tiles have 1201 x 1201 (3 arc seconds) or 3601 x 3601 samples (1 arc second); any other exact
//! square is read too, since others follow the same layout. Rows run from north to south. The
//! spacing is in degrees, so the scene must state it in metres.

use std::path::Path;

use super::image::{HeightImage, Samples, sample_count};
use super::raw::square_side;
use crate::Error;

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
            .with_encoding(encoding),
    )
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
    fn what_is_no_square_is_refused() {
        for length in [0, 1, 2, 7, 9, 10, 2_884_801, 2_884_800] {
            assert!(
                read("a.hgt".as_ref(), &vec![0; length]).is_err(),
                "{length}"
            );
        }
    }
}
