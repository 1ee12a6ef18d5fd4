//! TIFF and GeoTIFF height maps, decoded by the `tiff` crate strip by strip or tile by tile.
//!
//! Unsigned, signed and float samples up to 64-bit float; uncompressed, LZW, deflate or PackBits;
//! classic or BigTIFF; the first image and its first channel. Holes are NaN and the value of the tag
//! GDAL_NODATA. Sizes are checked in `tiff_layout.rs`, spacing is read in `geotiff.rs`.
//!
//! Stored codes count, also where white is zero. A sparse file (chunks without bytes) is refused.

use std::io::Cursor;
use std::path::Path;

use ::tiff::TiffError;
use ::tiff::decoder::{Decoder, DecodingResult, Limits};
use ::tiff::tags::Tag;

use super::bits::unpack;
use super::geotiff;
use super::image::{HeightImage, Samples};
use super::tiff_layout::{Compression, Layout, SampleFormat};
use crate::Error;

pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<HeightImage, Error> {
    let layout = Layout::read(path, bytes)?;
    let mut samples = zeros(path, &layout)?;
    let refused =
        |place: &str, source: TiffError| Error::undecodable(path, place, "sound TIFF data", source);
    // Sizes are checked, so the decoder's own limits would only refuse large images.
    let mut decoder = Decoder::new(Cursor::new(bytes))
        .map_err(|source| refused("first directory", source))?
        .with_limits(Limits::unlimited());
    refuse_absent_chunks(path, bytes, &layout, &mut decoder)?;
    for chunk in 0..layout.chunks {
        let place = || layout.chunk_name(chunk);
        let decoded = decoder
            .read_chunk(chunk)
            .map_err(|source| refused(&place(), source))?;
        place_chunk(&mut samples, &layout, chunk, &decoded).map_err(|fault| match fault {
            Fault::Unsupported(what) => Error::unsupported(path, place(), what),
            Fault::WrongLength(found) => {
                Error::malformed(path, place(), "a whole strip or tile", found)
            }
        })?;
    }
    let no_data = decoder
        .get_tag_ascii_string(Tag::GdalNodata)
        .ok()
        .and_then(|text| text.trim_matches(['\0', ' ']).parse().ok());
    Ok(
        HeightImage::new(path, [layout.columns, layout.rows], samples, no_data)?
            .with_spacing(geotiff::spacing_m(&mut decoder))
            .with_encoding(layout.describe()),
    )
}

/// Refuses chunks that lie outside of the file, or have no bytes.
fn refuse_absent_chunks(
    path: &Path,
    bytes: &[u8],
    layout: &Layout,
    decoder: &mut Decoder<Cursor<&[u8]>>,
) -> Result<(), Error> {
    let (offsets, lengths) = if layout.is_tiled {
        (Tag::TileOffsets, Tag::TileByteCounts)
    } else {
        (Tag::StripOffsets, Tag::StripByteCounts)
    };
    let mut all = |tag| {
        decoder
            .get_tag_u64_vec(tag)
            .map_err(|source| Error::undecodable(path, "first directory", "chunk offsets", source))
    };
    let (offsets, lengths) = (all(offsets)?, all(lengths)?);
    for (chunk, (offset, length)) in (0..layout.chunks).zip(offsets.into_iter().zip(lengths)) {
        let place = || layout.chunk_name(chunk);
        if length == 0 {
            return Err(Error::unsupported(
                path,
                place(),
                "a sparse TIFF: this has no bytes, and that",
            ));
        }
        if offset
            .checked_add(length)
            .is_none_or(|end| end > bytes.len() as u64)
        {
            return Err(Error::malformed(
                path,
                place(),
                format!("a place within {} bytes", bytes.len()),
                format!("{length} bytes from byte {offset}"),
            ));
        }
        let needed = layout.stored_bytes(chunk);
        if layout.compression == Compression::None && length < needed {
            let found = format!("{length} bytes");
            return Err(Error::malformed(
                path,
                place(),
                format!("{needed} bytes"),
                found,
            ));
        }
    }
    Ok(())
}

impl Layout {
    /// How errors name a chunk.
    fn chunk_name(&self, chunk: u32) -> String {
        let kind = if self.is_tiled { "tile" } else { "strip" };
        format!("{kind} {chunk}")
    }

    fn describe(&self) -> String {
        let [width, height] = self.chunk;
        let chunks = if self.is_tiled {
            format!("tiles of {width} x {height}")
        } else {
            format!("{} strips", self.chunks)
        };
        let predictor = if self.has_predictor {
            " with predictor"
        } else {
            ""
        };
        format!("TIFF, {}{predictor}, {chunks}", self.compression.name())
    }

    /// The first column and row of a chunk and how many of each it has of the image.
    fn region(&self, chunk: u32) -> [usize; 4] {
        let [width, height] = self.chunk;
        let across = self.columns.div_ceil(width);
        let (left, top) = (
            chunk as usize % across * width,
            chunk as usize / across * height,
        );
        let columns = width.min(self.columns.saturating_sub(left));
        [
            left,
            top,
            columns,
            height.min(self.rows.saturating_sub(top)),
        ]
    }

    /// The bytes of a chunk that is not compressed. Tiles are padded to their full size; the last
    /// row of padding is not asked for, since some writers leave it out.
    fn stored_bytes(&self, chunk: u32) -> u64 {
        let [_, _, _, rows] = self.region(chunk);
        rows as u64 * (self.chunk[0] as u64 * self.channels as u64 * self.bits).div_ceil(8)
    }
}

/// Why a decoded chunk cannot be used.
enum Fault {
    Unsupported(&'static str),
    WrongLength(String),
}

/// Samples of the layout's type and number, all zero.
fn zeros(path: &Path, layout: &Layout) -> Result<Samples, Error> {
    if layout.is_white_zero && layout.format != SampleFormat::Unsigned {
        let what = "white as zero for samples that are not unsigned";
        return Err(Error::unsupported(
            path,
            "tag PhotometricInterpretation",
            what,
        ));
    }
    let count = layout.columns * layout.rows;
    let narrow = |bits| Samples::U8 {
        codes: vec![0; count],
        bits,
    };
    Ok(match (layout.format, layout.bits) {
        (SampleFormat::Unsigned, 1) => narrow(1),
        (SampleFormat::Unsigned, 2) => narrow(2),
        (SampleFormat::Unsigned, 4) => narrow(4),
        (SampleFormat::Unsigned, 8) => narrow(8),
        (SampleFormat::Unsigned, 16) => Samples::U16(vec![0; count]),
        (SampleFormat::Unsigned, 32) => Samples::U32(vec![0; count]),
        (SampleFormat::Signed, 8 | 16) => Samples::I16(vec![0; count]),
        (SampleFormat::Signed, 32) => Samples::I32(vec![0; count]),
        (SampleFormat::Float, 16 | 32) => Samples::F32(vec![0.0; count]),
        (SampleFormat::Float, 64) => Samples::F64(vec![0.0; count]),
        (format, bits) => {
            let what = format!("an image of {bits}-bit {} samples", format.name());
            return Err(Error::unsupported(path, "tag BitsPerSample", what));
        }
    })
}

/// Copies what a chunk decoded to into the image.
fn place_chunk(
    samples: &mut Samples,
    layout: &Layout,
    chunk: u32,
    decoded: &DecodingResult,
) -> Result<(), Fault> {
    // Where white is zero the decoder turns all bits over; this turns them back.
    let (turn_8, turn_16, turn_32) = match layout.is_white_zero {
        true => (u8::MAX, u16::MAX, u32::MAX),
        false => (0, 0, 0),
    };
    match (samples, decoded) {
        (Samples::U8 { codes, bits: 8 }, DecodingResult::U8(from)) => {
            copy(layout, chunk, from, codes, |v| v ^ turn_8)
        }
        (Samples::U8 { codes, bits }, DecodingResult::U8(packed)) => {
            let [_, _, columns, rows] = layout.region(chunk);
            let per_row = columns * layout.channels;
            let from = unpacked(packed, *bits, per_row, rows);
            let turn = turn_8 >> (8 - *bits);
            copy(layout, chunk, &from, codes, |v| v ^ turn)
        }
        (Samples::U16(to), DecodingResult::U16(from)) => {
            copy(layout, chunk, from, to, |v| v ^ turn_16)
        }
        (Samples::U32(to), DecodingResult::U32(from)) => {
            copy(layout, chunk, from, to, |v| v ^ turn_32)
        }
        (Samples::I16(to), DecodingResult::I8(from)) => copy(layout, chunk, from, to, i16::from),
        (Samples::I16(to), DecodingResult::I16(from)) => copy(layout, chunk, from, to, |v| v),
        (Samples::I32(to), DecodingResult::I32(from)) => copy(layout, chunk, from, to, |v| v),
        (Samples::F32(to), DecodingResult::F16(from)) => {
            copy(layout, chunk, from, to, |v| v.to_f32())
        }
        (Samples::F32(to), DecodingResult::F32(from)) => copy(layout, chunk, from, to, |v| v),
        (Samples::F64(to), DecodingResult::F64(from)) => copy(layout, chunk, from, to, |v| v),
        _ => Err(Fault::Unsupported("a change of the sample type")),
    }
}

/// One code a byte; each row of `packed` starts at a byte.
fn unpacked(packed: &[u8], bits: u32, per_row: usize, rows: usize) -> Vec<u8> {
    let row_bytes = (per_row * bits as usize).div_ceil(8).max(1);
    let mut codes = Vec::with_capacity(per_row * rows);
    for row in packed.chunks(row_bytes).take(rows) {
        unpack(row, bits, per_row, &mut codes);
    }
    codes
}

/// Copies the first channel of a chunk to its place in the image.
fn copy<T: Copy, U>(
    layout: &Layout,
    chunk: u32,
    from: &[T],
    to: &mut [U],
    value: impl Fn(T) -> U,
) -> Result<(), Fault> {
    let [left, top, columns, rows] = layout.region(chunk);
    let pixels = columns * rows;
    let channels = from.len().checked_div(pixels).unwrap_or(0);
    if channels == 0 || channels * pixels != from.len() {
        return Err(Fault::WrongLength(format!("{} samples", from.len())));
    }
    // The decoder leaves out channels that are no colour before it undoes the predictor, which
    // needs them.
    if layout.has_predictor && channels != layout.channels {
        return Err(Fault::Unsupported(
            "a predictor over channels that are no colour",
        ));
    }
    for (row, line) in from.chunks_exact(columns * channels).enumerate() {
        let start = (top + row) * layout.columns + left;
        let target = &mut to[start..start + columns];
        for (out, &sample) in target.iter_mut().zip(line.iter().step_by(channels)) {
            *out = value(sample);
        }
    }
    Ok(())
}
