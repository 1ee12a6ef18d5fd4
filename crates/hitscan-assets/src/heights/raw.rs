//! Little-endian 16-bit codes without a header, as terrain editors export them: `.r16` and `.raw`.
//!
//! The size comes from the scene; without one the map is square.

use std::path::Path;

use super::image::{HeightImage, sample_count};
use super::samples::Samples;
use crate::Error;

pub(super) fn read(
    path: &Path,
    bytes: &[u8],
    size: Option<[usize; 2]>,
) -> Result<HeightImage, Error> {
    let size = match size {
        Some(size) => size,
        None => [square_side(bytes.len(), 2).ok_or_else(|| {
            Error::malformed(
                path,
                format!("byte {}", bytes.len()),
                "2 bytes for each sample of a square map (or `size = [columns, rows]` in the scene)",
                format!("the end of the file after {} bytes", bytes.len()),
            )
        })?; 2],
    };
    let count = sample_count(path, size[0] as u64, size[1] as u64)?;
    if count.checked_mul(2) != Some(bytes.len()) {
        return Err(Error::malformed(
            path,
            format!("byte {}", bytes.len()),
            format!(
                "{} x {} samples of 2 bytes, {} in all",
                size[0],
                size[1],
                2 * count as u64
            ),
            format!("the end of the file after {} bytes", bytes.len()),
        ));
    }
    let codes = bytes
        .as_chunks::<2>()
        .0
        .iter()
        .map(|&code| u16::from_le_bytes(code))
        .collect();
    Ok(HeightImage::new(path, size, Samples::U16(codes), None)?
        .with_encoding("raw 16-bit codes, little-endian"))
}

/// The side of the square that so many bytes fill exactly.
pub(super) fn square_side(bytes: usize, bytes_each: usize) -> Option<usize> {
    if !bytes.is_multiple_of(bytes_each) {
        return None;
    }
    let count = bytes / bytes_each;
    let side = count.isqrt();
    (side * side == count && side >= 2).then_some(side)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], size: Option<[usize; 2]>) -> Result<HeightImage, Error> {
        read("a.r16".as_ref(), bytes, size)
    }

    #[test]
    fn codes_are_little_endian() {
        let image = check(&[1, 0, 0, 1, 255, 255, 2, 0], None).unwrap();
        assert_eq!(image.samples(), &Samples::U16(vec![1, 256, 65535, 2]));
    }

    #[test]
    fn a_size_need_not_be_square_but_must_fit() {
        let image = check(&[0; 12], Some([3, 2])).unwrap();
        assert_eq!([image.columns(), image.rows()], [3, 2]);
        for (length, size) in [
            (12, None),
            (13, Some([3, 2])),
            (10, Some([3, 2])),
            (0, None),
            (2, None),
            (4, Some([2, 1])),
            (0, Some([usize::MAX, usize::MAX])),
            (8, Some([1 << 31, 1 << 31])),
        ] {
            assert!(check(&vec![0; length], size).is_err(), "{length} {size:?}");
        }
    }
}
