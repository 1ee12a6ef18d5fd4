//! TIFF and GeoTIFF height maps: the first image's first channel, unsigned, signed or float, up to 64
//! bits; uncompressed, LZW, deflate, Zstandard or PackBits; in strips or tiles; classic or BigTIFF.
//!
//! Only the streams are decoded by crates (`weezl`, `flate2`, `ruzstd`). The `tiff` crate would turn codes over
//! where white is zero, multiplies sizes unchecked, and its LZW reader fails on tiles of which one
//! column lies in the image. Holes are NaN and the stored value of the tag GDAL_NODATA; other values
//! are scaled as the tag GDAL_METADATA states. A chunk without
//! bytes, as GDAL's sparse files have it, is all holes, or all zero where no such value is stated.
//!
//! Read `layout.rs` next, then `chunk.rs`; `geo.rs` finds the spacing and the place on the earth.

mod directory;
mod geo_keys;
mod geo;
mod layout;
mod chunk;
mod gdal_metadata;

use std::path::Path;

use self::directory::Directory;
use self::layout::{Layout, SampleFormat};
use super::image::HeightImage;
use super::samples::Samples;
use crate::Error;

const GDAL_NODATA: u16 = 42113;

pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<HeightImage, Error> {
    let directory = Directory::first(path, bytes)?;
    let layout = Layout::read(path, bytes, &directory)?;
    let stated = directory.text(GDAL_NODATA);
    let no_data = stated.and_then(|text| text.parse().ok());
    let samples = read_samples(path, bytes, &layout, stated.unwrap_or_default())?;
    let size = [layout.columns, layout.rows];
    Ok(HeightImage::new(path, size, samples, no_data)?
        .with_spacing(geo::spacing_m(&directory))
        .with_georeference(geo::georeference(&directory, size))
        .with_stored_scale(gdal_metadata::stored_scale(&directory))
        .with_encoding(layout.describe()))
}

/// Decodes all chunks; `absent` is the value where a sparse file stores nothing.
fn read_samples(
    path: &Path,
    bytes: &[u8],
    layout: &Layout,
    absent: &str,
) -> Result<Samples, Error> {
    macro_rules! whole_bytes {
        ($type:ty) => {{
            let value = if layout.holds_big_endian() {
                <$type>::from_be_bytes
            } else {
                <$type>::from_le_bytes
            };
            let absent = absent.parse().unwrap_or_default();
            chunk::read_all(path, bytes, layout, absent, |row, out| {
                let stored = row.as_chunks().0;
                // A step that is known is compiled to vectors.
                if layout.channels == 1 {
                    for (out, &bytes) in out.iter_mut().zip(stored) {
                        *out = value(bytes);
                    }
                } else {
                    for (out, &bytes) in out.iter_mut().zip(stored.iter().step_by(layout.channels))
                    {
                        *out = value(bytes);
                    }
                }
            })?
        }};
    }
    let narrow = |bits| {
        let absent = absent.parse().unwrap_or_default();
        let codes = chunk::read_all(path, bytes, layout, absent, |row, out| {
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
