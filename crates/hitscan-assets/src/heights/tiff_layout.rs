//! What a TIFF's first directory says about the image's size, checked against the file's length.
//!
//! The decoder of the `tiff` crate multiplies and allocates by these numbers, so they are read here
//! first, without allocating, and refused where the bytes that are there cannot bear them. Decoding
//! does not belong here; it stands in `tiff.rs`.
//!
//! Source: Adobe, "TIFF Revision 6.0" (1992); BigTIFF as libtiff describes it.

use std::path::Path;

use super::first_bytes_say;
use super::image::sample_count;
use crate::Error;

/// How the first image is stored.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layout {
    pub(super) columns: usize,
    pub(super) rows: usize,
    pub(super) bits: u64,
    pub(super) format: SampleFormat,
    /// Samples of one pixel that lie side by side.
    pub(super) channels: usize,
    pub(super) compression: Compression,
    pub(super) has_predictor: bool,
    /// Codes count down from white: the decoder turns them over, which is undone.
    pub(super) is_white_zero: bool,
    pub(super) is_tiled: bool,
    /// Columns and rows of a whole strip or tile.
    pub(super) chunk: [usize; 2],
    /// How many strips or tiles hold the first channel.
    pub(super) chunks: u32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum SampleFormat {
    Unsigned,
    Signed,
    Float,
}

impl SampleFormat {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Unsigned => "unsigned",
            Self::Signed => "signed",
            Self::Float => "float",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Compression {
    None,
    Lzw,
    Deflate,
    PackBits,
}

impl Compression {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::None => "uncompressed",
            Self::Lzw => "LZW",
            Self::Deflate => "deflate",
            Self::PackBits => "PackBits",
        }
    }

    /// The most bytes that one stored byte can yield. LZW: a code of 12 bits for at most 4096
    /// bytes. Deflate: zlib's "Maximum Compression Factor". PackBits: 128 for 2.
    fn most_bytes_for_one(self) -> u64 {
        match self {
            Self::None => 1,
            Self::Lzw => 4096 * 2 / 3 + 1,
            Self::Deflate => 1032,
            Self::PackBits => 64,
        }
    }
}

const IMAGE_WIDTH: u16 = 256;
const IMAGE_LENGTH: u16 = 257;
const BITS_PER_SAMPLE: u16 = 258;
const COMPRESSION: u16 = 259;
const PHOTOMETRIC: u16 = 262;
const STRIP_OFFSETS: u16 = 273;
const SAMPLES_PER_PIXEL: u16 = 277;
const ROWS_PER_STRIP: u16 = 278;
const PLANAR_CONFIGURATION: u16 = 284;
const PREDICTOR: u16 = 317;
const TILE_WIDTH: u16 = 322;
const TILE_LENGTH: u16 = 323;
const TILE_OFFSETS: u16 = 324;
const SAMPLE_FORMAT: u16 = 339;

impl Layout {
    pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<Self, Error> {
        let directory = Directory::first(path, bytes)?;
        let number = |tag, default| Ok(directory.number(tag)?.unwrap_or(default));
        let columns = directory.needed(IMAGE_WIDTH, "ImageWidth")?;
        let rows = directory.needed(IMAGE_LENGTH, "ImageLength")?;
        sample_count(path, columns, rows)?;

        let compression = compression(path, number(COMPRESSION, 1)?)?;
        let format = sample_format(path, number(SAMPLE_FORMAT, 1)?)?;
        let photometric = directory.needed(PHOTOMETRIC, "PhotometricInterpretation")?;
        if photometric > 2 {
            let what = format!("the colour model {photometric} (grey and RGB are known), and this");
            return Err(Error::unsupported(
                path,
                "tag PhotometricInterpretation",
                what,
            ));
        }
        let samples = number(SAMPLES_PER_PIXEL, 1)?;
        let is_planar = number(PLANAR_CONFIGURATION, 1)? == 2;
        let is_tiled = directory.entry(TILE_OFFSETS).is_some();
        let chunk = if is_tiled {
            [
                directory.needed(TILE_WIDTH, "TileWidth")?,
                directory.needed(TILE_LENGTH, "TileLength")?,
            ]
        } else {
            [columns, number(ROWS_PER_STRIP, rows)?.min(rows)]
        };
        let mut layout = Self {
            columns: to_usize(path, columns)?,
            rows: to_usize(path, rows)?,
            bits: number(BITS_PER_SAMPLE, 1)?,
            format,
            channels: if is_planar {
                1
            } else {
                to_usize(path, samples)?
            },
            compression,
            has_predictor: number(PREDICTOR, 1)? != 1,
            is_white_zero: photometric == 0,
            is_tiled,
            chunk: [to_usize(path, chunk[0])?, to_usize(path, chunk[1])?],
            chunks: 0,
        };
        let stored = directory.entry(if is_tiled {
            TILE_OFFSETS
        } else {
            STRIP_OFFSETS
        });
        let stored = stored.map_or(0, |entry| entry.count);
        layout.chunks = layout.chunk_count(path, samples, is_planar, stored, bytes.len() as u64)?;
        Ok(layout)
    }

    /// Checks sizes against the file's length and tells how many chunks the first channel has.
    fn chunk_count(
        &self,
        path: &Path,
        samples: u64,
        is_planar: bool,
        stored: u64,
        file_bytes: u64,
    ) -> Result<u32, Error> {
        let refuse = |found: String| {
            let expected = format!("sizes that a file of {file_bytes} bytes can hold");
            Error::malformed(path, "first directory", expected, found)
        };
        let [width, height] = self.chunk.map(|side| side as u64);
        let [columns, rows] = [self.columns as u64, self.rows as u64];
        let kind = if self.is_tiled { "tiles" } else { "strips" };
        // Twice the image in each direction leaves room for tiles that are larger than it.
        let is_sane = (1..=2 * columns.max(2048)).contains(&width)
            && (1..=2 * rows.max(2048)).contains(&height)
            && (1..=64).contains(&self.bits)
            && (1..=1024).contains(&samples);
        if !is_sane {
            return Err(refuse(format!(
                "{kind} of {width} x {height} pixels of {samples} samples of {} bits",
                self.bits
            )));
        }
        let chunks = columns.div_ceil(width) * rows.div_ceil(height);
        let planes = if is_planar { samples } else { 1 };
        // An offset and a length of two bytes each is the least that stands for a chunk.
        if chunks * planes != stored || chunks * planes > file_bytes / 4 {
            return Err(refuse(format!(
                "{stored} {kind} where {} are needed",
                chunks * planes
            )));
        }
        let image_bytes = rows * (columns * self.channels as u64 * self.bits).div_ceil(8);
        let chunk_bytes = height * (width * self.channels as u64 * self.bits).div_ceil(8);
        let possible = file_bytes.saturating_mul(self.compression.most_bytes_for_one());
        if image_bytes > possible || chunk_bytes / 4 > possible {
            return Err(refuse(format!(
                "{columns} columns and {rows} rows in {kind} of {width} x {height}, {}",
                self.compression.name()
            )));
        }
        u32::try_from(chunks).map_err(|_| refuse(format!("{chunks} {kind}")))
    }
}

fn to_usize(path: &Path, value: u64) -> Result<usize, Error> {
    usize::try_from(value).map_err(|_| {
        Error::malformed(
            path,
            "first directory",
            "a size in memory",
            value.to_string(),
        )
    })
}

fn compression(path: &Path, tag: u64) -> Result<Compression, Error> {
    match tag {
        1 => Ok(Compression::None),
        5 => Ok(Compression::Lzw),
        8 | 32946 => Ok(Compression::Deflate),
        32773 => Ok(Compression::PackBits),
        _ => {
            let name = match tag {
                2..=4 => "fax",
                6 | 7 => "JPEG",
                34887 => "LERC",
                34925 => "LZMA",
                50000 => "Zstandard",
                50001 => "WebP",
                _ => "unknown",
            };
            let what = format!(
                "the compression {tag} ({name}; none, LZW, deflate and PackBits are known), and this"
            );
            Err(Error::unsupported(path, "tag Compression", what))
        }
    }
}

fn sample_format(path: &Path, tag: u64) -> Result<SampleFormat, Error> {
    match tag {
        1 => Ok(SampleFormat::Unsigned),
        2 => Ok(SampleFormat::Signed),
        3 => Ok(SampleFormat::Float),
        _ => Err(Error::unsupported(
            path,
            "tag SampleFormat",
            format!("the sample format {tag} (unsigned, signed and float are known), and this"),
        )),
    }
}

/// The first directory of a TIFF or BigTIFF, read where it lies.
struct Directory<'a> {
    path: &'a Path,
    bytes: &'a [u8],
    is_big_endian: bool,
    is_big_tiff: bool,
    first_entry: usize,
    entries: usize,
}

/// One tag: the type of its values, how many, and where the four or eight bytes stand that hold
/// them or their offset.
#[derive(Clone, Copy)]
struct Entry {
    kind: u64,
    count: u64,
    value_at: usize,
}

impl<'a> Directory<'a> {
    fn first(path: &'a Path, bytes: &'a [u8]) -> Result<Self, Error> {
        let (is_big_endian, is_big_tiff) = match bytes.get(..4) {
            Some(b"II*\0") => (false, false),
            Some(b"MM\0*") => (true, false),
            Some(b"II+\0") => (false, true),
            Some(b"MM\0+") => (true, true),
            _ => {
                let expected = "a TIFF image, as the file's ending says";
                return Err(Error::malformed(
                    path,
                    "byte 0",
                    expected,
                    first_bytes_say(bytes),
                ));
            }
        };
        let mut directory = Self {
            path,
            bytes,
            is_big_endian,
            is_big_tiff,
            first_entry: 0,
            entries: 0,
        };
        let (offset_at, word, count_bytes) = if is_big_tiff { (8, 8, 8) } else { (4, 4, 2) };
        let start = directory.index(offset_at, word)?;
        directory.entries = directory.index(start, count_bytes)?;
        directory.first_entry = start + count_bytes;
        let needed = directory.entries.checked_mul(directory.entry_bytes());
        let end = needed.and_then(|bytes| bytes.checked_add(directory.first_entry));
        if end.is_none_or(|end| end > bytes.len()) {
            let expected = format!("{} tags", directory.entries);
            return Err(directory.cut(directory.first_entry, &expected));
        }
        Ok(directory)
    }

    fn entry_bytes(&self) -> usize {
        if self.is_big_tiff { 20 } else { 12 }
    }

    fn entry(&self, tag: u16) -> Option<Entry> {
        (0..self.entries).find_map(|k| {
            let at = self.first_entry + k * self.entry_bytes();
            if self.uint(at, 2)? != u64::from(tag) {
                return None;
            }
            let word = if self.is_big_tiff { 8 } else { 4 };
            Some(Entry {
                kind: self.uint(at + 2, 2)?,
                count: self.uint(at + 4, word)?,
                value_at: at + 4 + word,
            })
        })
    }

    /// The first of a tag's values, if the tag is there and holds whole numbers.
    fn number(&self, tag: u16) -> Result<Option<u64>, Error> {
        let Some(entry) = self.entry(tag) else {
            return Ok(None);
        };
        let place = || format!("tag {tag}");
        let width = match entry.kind {
            1 => 1,
            3 => 2,
            4 => 4,
            16 => 8,
            kind => {
                let found = format!("values of type {kind}");
                return Err(Error::malformed(self.path, place(), "whole numbers", found));
            }
        };
        if entry.count == 0 {
            return Err(Error::malformed(self.path, place(), "a value", "none"));
        }
        let word = if self.is_big_tiff { 8 } else { 4 };
        let fits = entry.count.saturating_mul(width as u64) <= word as u64;
        let at = if fits {
            entry.value_at
        } else {
            self.index(entry.value_at, word)?
        };
        self.uint(at, width)
            .map(Some)
            .ok_or_else(|| self.cut(at, &format!("the value of tag {tag}")))
    }

    fn needed(&self, tag: u16, name: &str) -> Result<u64, Error> {
        self.number(tag)?.ok_or_else(|| {
            Error::missing(
                self.path,
                "first directory",
                format!("the tag {name} ({tag})"),
            )
        })
    }

    /// The number of `width` bytes at `at`, as an index into the file.
    fn index(&self, at: usize, width: usize) -> Result<usize, Error> {
        let value = self
            .uint(at, width)
            .ok_or_else(|| self.cut(at, "an offset or a count"))?;
        usize::try_from(value)
            .ok()
            .filter(|&index| index <= self.bytes.len())
            .ok_or_else(|| {
                let expected = format!("an offset or a count within {} bytes", self.bytes.len());
                Error::malformed(self.path, format!("byte {at}"), expected, value.to_string())
            })
    }

    fn uint(&self, at: usize, width: usize) -> Option<u64> {
        let field = self.bytes.get(at..at.checked_add(width)?)?;
        let shift = |value: u64, &byte: &u8| value << 8 | u64::from(byte);
        Some(if self.is_big_endian {
            field.iter().fold(0, shift)
        } else {
            field.iter().rev().fold(0, shift)
        })
    }

    fn cut(&self, at: usize, expected: &str) -> Error {
        let found = format!("the end of the file after {} bytes", self.bytes.len());
        Error::malformed(self.path, format!("byte {at}"), expected, found)
    }
}
