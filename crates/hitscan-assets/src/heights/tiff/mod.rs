//! TIFF and GeoTIFF height maps: the first image's first channel, unsigned, signed or float, up to 64
//! bits; uncompressed, LZW, deflate, Zstandard or PackBits; in strips or tiles; classic or BigTIFF.
//!
//! Only the streams are decoded by crates (`weezl`, `flate2`, `ruzstd`). The `tiff` crate would turn codes over
//! where white is zero, multiplies sizes unchecked, and its LZW reader fails on tiles with one column
//! in the image. Holes are NaN and the stored value of the tag GDAL_NODATA; other values
//! are scaled as the tag GDAL_METADATA states. A chunk without
//! bytes, as GDAL's sparse files have it, is all holes, or all zero where no such value is stated.
//!
//! Read `layout.rs` next, then `chunk.rs`; `geo.rs` finds the spacing and the place on the earth.

mod directory;
mod geo_keys;
mod geo;
mod layout;
mod streams;
mod chunk;
mod gdal_metadata;

use std::path::Path;

use self::directory::Directory;
use self::geo::GeoTags;
use self::layout::{Layout, SampleFormat};
use super::allowance::Allowance;
use super::image::HeightImage;
use super::samples::Samples;
use crate::Error;
use crate::read_at::ReadAt;
use crate::tiff_numbers::tag::GDAL_NODATA;

/// Reads the first image of a file; each part of the file is read on demand.
pub(super) fn read(
    path: &Path,
    file: &dyn ReadAt,
    allowance: Allowance,
) -> Result<HeightImage, Error> {
    let directory = Directory::first(path, file)?;
    let layout = Layout::read(path, file.length(), &directory, allowance)?;
    let place = GeoTags::read(&directory)?;
    let stored_scale = gdal_metadata::stored_scale(&directory)?;
    let stated = directory.text(GDAL_NODATA)?.unwrap_or_default();
    let no_data = stated.parse().ok();
    let samples = read_samples(path, file, &layout, &stated)?;
    let size = [layout.columns, layout.rows];
    Ok(HeightImage::new(path, size, samples, no_data)?
        .with_spacing(geo::spacing_m(&place))
        .with_georeference(geo::georeference(&place, size))
        .with_stored_scale(stored_scale)
        .with_encoding(layout.describe()))
}

/// The first channel of a row. Compiled for each function, and where the step is known, to vectors.
fn copy_first_channel<T, const N: usize>(
    row: &[u8],
    channels: usize,
    out: &mut [T],
    value: impl Fn([u8; N]) -> T,
) {
    let stored = row.as_chunks::<N>().0;
    if channels == 1 {
        for (out, bytes) in out.iter_mut().zip(stored) {
            *out = value(*bytes);
        }
    } else {
        for (out, bytes) in out.iter_mut().zip(stored.iter().step_by(channels)) {
            *out = value(*bytes);
        }
    }
}

/// Decodes all chunks; `absent` is the value where a sparse file stores nothing.
fn read_samples(
    path: &Path,
    file: &dyn ReadAt,
    layout: &Layout,
    absent: &str,
) -> Result<Samples, Error> {
    macro_rules! whole_bytes {
        ($type:ty) => {{
            let absent = absent.parse().unwrap_or_default();
            chunk::read_all(path, file, layout, absent, |row, out| {
                if layout.holds_big_endian() {
                    copy_first_channel(row, layout.channels, out, <$type>::from_be_bytes);
                } else {
                    copy_first_channel(row, layout.channels, out, <$type>::from_le_bytes);
                }
            })?
        }};
    }
    let narrow = |bits| {
        let absent = absent.parse().unwrap_or_default();
        let codes = chunk::read_all(path, file, layout, absent, |row, out| {
            chunk::unpack_row(row, bits, layout.channels, out);
        })?;
        Ok(Samples::U8 { codes, bits })
    };
    Ok(match (layout.format, layout.bits) {
        (SampleFormat::Unsigned, bits @ (1 | 2 | 4)) => return narrow(bits),
        (SampleFormat::Unsigned, 8) => Samples::U8 {
            codes: whole_bytes!(u8),
            bits: 8,
        },
        (SampleFormat::Unsigned, 16) => Samples::U16(whole_bytes!(u16)),
        (SampleFormat::Unsigned, 32) => Samples::U32(whole_bytes!(u32)),
        (SampleFormat::Signed, 16) => Samples::I16(whole_bytes!(i16)),
        (SampleFormat::Signed, 32) => Samples::I32(whole_bytes!(i32)),
        (SampleFormat::Float, 32) => Samples::F32(whole_bytes!(f32)),
        (SampleFormat::Float, 64) => Samples::F64(whole_bytes!(f64)),
        (format, bits) => {
            let what = format!("an image of {bits}-bit {} samples", format.name());
            return Err(Error::unsupported(path, "tag BitsPerSample", what));
        }
    })
}
