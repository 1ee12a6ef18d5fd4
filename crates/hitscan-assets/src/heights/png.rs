//! PNG height maps, decoded by the `png` crate: grey, grey with alpha, colour (its red) and palette
//! (the red of its colours), of every depth, interlaced or not.
//!
//! Codes keep the file's own depth: a 1-bit image has the codes 0 and 1. A palette's red has 8 bits.
//! Neither alpha nor the transparent colour makes a hole, and gamma is not applied.

use std::io::Cursor;
use std::path::Path;

use ::png::{BitDepth, ColorType, Decoder, DecodingError, Info, Limits, Reader};

use super::allowance::Allowance;
use super::bits::unpack;
use super::first_bytes_say;
use super::image::{HeightImage, sample_count};
use super::samples::Samples;
use super::scaled::place_of;
use crate::Error;

/// Deflate yields at most 1032 bytes for one (zlib, "Maximum Compression Factor").
const MOST_BYTES_FOR_ONE: usize = 1032;

/// The memory that a decoder may allocate beside the image itself: single chunks, tables.
const CHUNK_LIMIT: Limits = Limits { bytes: 64 << 20 };

pub(super) fn read(path: &Path, bytes: &[u8], allowance: Allowance) -> Result<HeightImage, Error> {
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), CHUNK_LIMIT);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let mut reader = decoder
        .read_info()
        .map_err(|source| refused(path, "header".to_owned(), bytes, source))?;

    let info = reader.info();
    let layout = Layout::of(path, info)?;
    let encoding = layout.describe(info);
    let is_interlaced = info.interlaced;
    layout.refuse_lies(path, bytes.len())?;
    let size = [layout.columns as u64, layout.rows as u64];
    allowance.check(path, size, bytes.len() as u64)?;

    let mut codes = Codes::new(layout.bits_of_code);
    if is_interlaced {
        let mut frame = vec![0; layout.row_bytes * layout.rows];
        reader
            .next_frame(&mut frame)
            .map_err(|source| refused(path, "interlaced rows".to_owned(), bytes, source))?;
        for (row, data) in frame.chunks_exact(layout.row_bytes).enumerate() {
            layout.append(path, row, data, &mut codes)?;
        }
    } else {
        append_rows(path, bytes, &mut reader, &layout, &mut codes)?;
    }
    Ok(
        HeightImage::new(path, [layout.columns, layout.rows], codes.into(), None)?
            .with_encoding(encoding),
    )
}

/// Decodes row after row, so that memory grows with what is really there.
fn append_rows(
    path: &Path,
    bytes: &[u8],
    reader: &mut Reader<Cursor<&[u8]>>,
    layout: &Layout,
    codes: &mut Codes,
) -> Result<(), Error> {
    for row in 0..layout.rows {
        let data = reader
            .next_row()
            .map_err(|source| refused(path, format!("row {row}"), bytes, source))?
            .ok_or_else(|| {
                let found = "the end of the image";
                Error::malformed(path, format!("row {row}"), "a row of the image", found)
            })?;
        layout.append(path, row, data.data(), codes)?;
    }
    Ok(())
}

/// How the image's rows are laid out in bytes.
struct Layout {
    columns: usize,
    rows: usize,
    /// Bits of one channel as stored: a palette's index, for one.
    bits: u32,
    /// Bits of one code.
    bits_of_code: u32,
    channels: usize,
    row_bytes: usize,
    /// The palette's red values.
    reds: Option<Vec<u8>>,
}

impl Layout {
    fn of(path: &Path, info: &Info) -> Result<Self, Error> {
        sample_count(path, info.width.into(), info.height.into())?;
        let columns = info.width as usize;
        let bits = u32::from(info.bit_depth as u8);
        let channels = info.color_type.samples();
        let reds = match (info.color_type, info.palette.as_deref()) {
            (ColorType::Indexed, Some(palette)) => Some(
                palette
                    .as_chunks::<3>()
                    .0
                    .iter()
                    .map(|&[red, ..]| red)
                    .collect(),
            ),
            (ColorType::Indexed, None) => {
                return Err(Error::missing(path, "header", "the palette"));
            }
            _ => None,
        };
        Ok(Self {
            columns,
            rows: info.height as usize,
            bits,
            bits_of_code: if reds.is_some() { 8 } else { bits },
            channels,
            row_bytes: (columns * channels * bits as usize).div_ceil(8),
            reds,
        })
    }

    fn describe(&self, info: &Info) -> String {
        let colour = match info.color_type {
            ColorType::Grayscale => "grey",
            ColorType::Rgb => "colour, its red",
            ColorType::Indexed => "palette, its red",
            ColorType::GrayscaleAlpha => "grey with alpha",
            ColorType::Rgba => "colour with alpha, its red",
        };
        let order = if info.interlaced { ", interlaced" } else { "" };
        format!("PNG, {} bits, {colour}{order}", info.bit_depth as u8)
    }

    /// Refuses a header that promises more rows than the file's bytes can hold.
    fn refuse_lies(&self, path: &Path, file_bytes: usize) -> Result<(), Error> {
        let promised = self.rows.saturating_mul(self.row_bytes + 1);
        let possible = file_bytes.saturating_mul(MOST_BYTES_FOR_ONE);
        if promised <= possible {
            return Ok(());
        }
        Err(Error::malformed(
            path,
            "header",
            format!("no more image data than {file_bytes} bytes can hold"),
            format!("{} columns and {} rows", self.columns, self.rows),
        ))
    }

    fn append(&self, path: &Path, row: usize, data: &[u8], codes: &mut Codes) -> Result<(), Error> {
        let data = data.get(..self.row_bytes).ok_or_else(|| {
            let expected = format!("{} bytes", self.row_bytes);
            let found = format!("{} bytes", data.len());
            Error::malformed(path, format!("row {row}"), expected, found)
        })?;
        match (&self.reds, codes) {
            (Some(reds), Codes::Narrow { codes, .. }) => {
                let start = codes.len();
                unpack(data, self.bits, self.columns, codes);
                for (column, code) in codes[start..].iter_mut().enumerate() {
                    *code = *reds.get(usize::from(*code)).ok_or_else(|| {
                        let expected = format!("an index into {} colours", reds.len());
                        Error::malformed(path, place_of(column, row), expected, code.to_string())
                    })?;
                }
            }
            (_, Codes::Narrow { codes, .. }) if self.channels == 1 => {
                unpack(data, self.bits, self.columns, codes);
            }
            (_, Codes::Narrow { codes, .. }) => codes.extend(data.iter().step_by(self.channels)),
            (_, Codes::Wide(codes)) => {
                let wide = data.as_chunks::<2>().0.iter().step_by(self.channels);
                codes.extend(wide.map(|&code| u16::from_be_bytes(code)));
            }
        }
        Ok(())
    }
}

/// The codes read so far.
enum Codes {
    Narrow { codes: Vec<u8>, bits: u32 },
    Wide(Vec<u16>),
}

impl Codes {
    fn new(bits: u32) -> Self {
        if bits == u32::from(BitDepth::Sixteen as u8) {
            Self::Wide(Vec::new())
        } else {
            Self::Narrow {
                codes: Vec::new(),
                bits,
            }
        }
    }
}

impl From<Codes> for Samples {
    fn from(codes: Codes) -> Self {
        match codes {
            Codes::Narrow { codes, bits } => Self::U8 { codes, bits },
            Codes::Wide(codes) => Self::U16(codes),
        }
    }
}

fn refused(path: &Path, location: String, bytes: &[u8], source: DecodingError) -> Error {
    if bytes.starts_with(b"\x89PNG") {
        Error::undecodable(path, location, "sound PNG data", source)
    } else {
        Error::malformed(
            path,
            "byte 0",
            "a PNG image, as the file's ending says",
            first_bytes_say(bytes),
        )
    }
}
