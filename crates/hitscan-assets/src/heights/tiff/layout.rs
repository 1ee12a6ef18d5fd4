//! The layout of a TIFF's first image: sizes, sample type, compression, strips or tiles.
//!
//! All is checked here against what is supported and against the file's length, before memory is
//! allocated. Decoding is in `chunk.rs`.
//!
//! Source: Adobe, "TIFF Revision 6.0" (1992).

use std::path::Path;

use super::directory::Directory;
use crate::Error;
use crate::heights::allowance::Allowance;
use crate::heights::image::sample_count;
use crate::tiff_numbers::tag;

/// How the first image is stored.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layout {
    pub(super) columns: usize,
    pub(super) rows: usize,
    pub(super) bits: u32,
    pub(super) format: SampleFormat,
    /// Samples of one pixel that lie side by side.
    pub(super) channels: usize,
    pub(super) compression: Compression,
    pub(super) predictor: Predictor,
    pub(super) is_big_endian: bool,
    pub(super) is_tiled: bool,
    /// Columns and rows of a whole strip or tile.
    pub(super) chunk: [usize; 2],
    /// The strips or tiles of the first channel.
    pub(super) chunks: Vec<Part>,
}

/// A part of the file: its first byte, and how many there are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Part {
    pub(super) offset: u64,
    pub(super) length: u64,
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
    Zstandard,
    PackBits,
}

impl Compression {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::None => "uncompressed",
            Self::Lzw => "LZW",
            Self::Deflate => "deflate",
            Self::Zstandard => "Zstandard",
            Self::PackBits => "PackBits",
        }
    }

    /// The most bytes that so many stored bytes can yield. LZW: a code of 12 bits for at most 4096
    /// bytes. Deflate: zlib's "Maximum Compression Factor". Zstandard: a block of 128 KiB for 4, its
    /// header and the byte that it repeats (RFC 8878, 3.1.1.2). PackBits: 128 for 2.
    pub(super) fn most_bytes(self, stored: u64) -> u64 {
        let for_one = match self {
            Self::None => 1,
            Self::Lzw => 4096 * 2 / 3 + 1,
            Self::Deflate => 1032,
            Self::Zstandard => 1 << 15,
            Self::PackBits => 64,
        };
        stored.saturating_mul(for_one)
    }
}

/// What was done to the samples of a row before they were compressed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Predictor {
    None,
    /// Each sample is the difference to the one before.
    Horizontal,
    /// The bytes of floats in planes, then differences (TIFF Technical Note 3, 2005).
    Float,
}

/// The longest row of a strip or tile that is decoded: rows are decoded whole.
const MOST_BYTES_A_ROW: u64 = 1 << 28;

impl Layout {
    /// The layout of the first image of a file of so many bytes, whose samples may be as many as
    /// `allowance` says.
    pub(super) fn read(
        path: &Path,
        file_bytes: u64,
        directory: &Directory<'_>,
        allowance: Allowance,
    ) -> Result<Self, Error> {
        let number = |tag, default| Ok(directory.number(tag)?.unwrap_or(default));
        let columns = directory.needed(tag::IMAGE_WIDTH, "ImageWidth")?;
        let rows = directory.needed(tag::IMAGE_LENGTH, "ImageLength")?;
        sample_count(path, columns, rows)?;
        allowance.check(path, [columns, rows], file_bytes)?;

        let photometric = number(tag::PHOTOMETRIC, 1)?;
        if photometric > 2 {
            let what = format!("the colour model {photometric} (grey and RGB are known), and this");
            return Err(Error::unsupported(
                path,
                "tag PhotometricInterpretation",
                what,
            ));
        }
        let samples = number(tag::SAMPLES_PER_PIXEL, 1)?;
        let is_planar = number(tag::PLANAR_CONFIGURATION, 1)? == 2;
        let is_tiled = directory.has(tag::TILE_OFFSETS);
        let chunk = if is_tiled {
            [
                directory.needed(tag::TILE_WIDTH, "TileWidth")?,
                directory.needed(tag::TILE_LENGTH, "TileLength")?,
            ]
        } else {
            [columns, number(tag::ROWS_PER_STRIP, rows)?.min(rows)]
        };
        let mut layout = Self {
            columns: to_usize(path, columns)?,
            rows: to_usize(path, rows)?,
            bits: u32::try_from(number(tag::BITS_PER_SAMPLE, 1)?).unwrap_or(u32::MAX),
            format: sample_format(path, number(tag::SAMPLE_FORMAT, 1)?)?,
            channels: if is_planar {
                1
            } else {
                to_usize(path, samples)?
            },
            compression: compression(path, number(tag::COMPRESSION, 1)?)?,
            predictor: Predictor::None,
            is_big_endian: directory.is_big_endian,
            is_tiled,
            chunk: [to_usize(path, chunk[0])?, to_usize(path, chunk[1])?],
            chunks: Vec::new(),
        };
        layout.predictor = layout.predictor(path, number(tag::PREDICTOR, 1)?)?;
        let [offsets, lengths] = if is_tiled {
            [tag::TILE_OFFSETS, tag::TILE_BYTE_COUNTS]
        } else {
            [tag::STRIP_OFFSETS, tag::STRIP_BYTE_COUNTS]
        };
        let places = [directory.numbers(offsets)?, directory.numbers(lengths)?];
        let planes = if is_planar { samples } else { 1 };
        let chunks = layout.chunk_count(path, samples, planes, file_bytes)?;
        layout.chunks = layout.places(path, places, chunks, planes, file_bytes)?;
        Ok(layout)
    }

    fn predictor(&self, path: &Path, tag: u64) -> Result<Predictor, Error> {
        let is_packed = matches!(
            self.compression,
            Compression::Lzw | Compression::Deflate | Compression::Zstandard
        );
        let is_float = self.format == SampleFormat::Float;
        match tag {
            1 => Ok(Predictor::None),
            2 if is_packed && self.bits >= 8 => Ok(Predictor::Horizontal),
            3 if is_packed && is_float => Ok(Predictor::Float),
            // Readers disagree on whether a predictor means anything with the other compressions.
            _ => {
                let what = format!(
                    "predictor {tag} for {} {}-bit {} samples",
                    self.compression.name(),
                    self.bits,
                    self.format.name()
                );
                Err(Error::unsupported(path, "tag Predictor", what))
            }
        }
    }

    /// Checks sizes against the file's length and returns how many chunks the first channel has.
    fn chunk_count(
        &self,
        path: &Path,
        samples: u64,
        planes: u64,
        file_bytes: u64,
    ) -> Result<usize, Error> {
        let refuse = |found: String| {
            let expected = format!("sizes that a file of {file_bytes} bytes can hold");
            Error::malformed(path, "first directory", expected, found)
        };
        let [width, height] = self.chunk.map(|side| side as u64);
        let [columns, rows] = [self.columns as u64, self.rows as u64];
        let kind = if self.is_tiled { "tiles" } else { "strips" };
        let row_bits = width.saturating_mul(self.channels as u64);
        let row_bytes = row_bits.saturating_mul(self.bits.into()).div_ceil(8);
        // Twice the image in each direction leaves room for tiles that are larger than it.
        let is_sane = (1..=2 * columns.max(2048)).contains(&width)
            && (1..=2 * rows.max(2048)).contains(&height)
            && (1..=64).contains(&self.bits)
            && (1..=1024).contains(&samples)
            && row_bytes <= MOST_BYTES_A_ROW;
        if !is_sane {
            return Err(refuse(format!(
                "{kind} of {width} x {height} pixels of {samples} samples of {} bits",
                self.bits
            )));
        }
        let chunks = columns.div_ceil(width) * rows.div_ceil(height);
        // A chunk takes at least an offset and a length of two bytes each.
        if chunks * planes > file_bytes / 4 {
            return Err(refuse(format!("{} {kind}", chunks * planes)));
        }
        let [image_bytes, chunk_bytes] =
            [[columns, rows], [width, height.min(rows)]].map(|[columns, rows]| {
                rows * (columns * self.channels as u64 * u64::from(self.bits)).div_ceil(8)
            });
        let possible = self.compression.most_bytes(file_bytes);
        // A tile's padding need not be stored where only a corner of it is in the image.
        if image_bytes > possible || chunk_bytes / 4096 > possible {
            return Err(refuse(format!(
                "{columns} columns and {rows} rows in {kind} of {width} x {height}, {}",
                self.compression.name()
            )));
        }
        usize::try_from(chunks).map_err(|_| refuse(format!("{chunks} {kind}")))
    }

    /// Where each chunk of the first channel is.
    fn places(
        &self,
        path: &Path,
        [offsets, lengths]: [Vec<u64>; 2],
        chunks: usize,
        planes: u64,
        file_bytes: u64,
    ) -> Result<Vec<Part>, Error> {
        let needed = chunks as u64 * planes;
        if offsets.len() as u64 != needed || lengths.len() as u64 != needed {
            return Err(Error::malformed(
                path,
                "first directory",
                format!("{needed} offsets and lengths of strips or tiles"),
                format!("{} offsets and {} lengths", offsets.len(), lengths.len()),
            ));
        }
        let all = offsets.into_iter().zip(lengths).take(chunks).enumerate();
        all.map(|(chunk, (offset, length))| {
            let end = offset.checked_add(length);
            if end.is_some_and(|end| end <= file_bytes) {
                return Ok(Part { offset, length });
            }
            let expected = format!("an offset within {file_bytes} bytes");
            let found = format!("{length} bytes from byte {offset}");
            Err(Error::malformed(
                path,
                self.chunk_name(chunk),
                expected,
                found,
            ))
        })
        .collect()
    }

    /// How errors name a chunk.
    pub(super) fn chunk_name(&self, chunk: usize) -> String {
        let kind = if self.is_tiled { "tile" } else { "strip" };
        format!("{kind} {chunk}")
    }

    /// The first column and row of a chunk and how many of each it has of the image.
    pub(super) fn region(&self, chunk: usize) -> [usize; 4] {
        let [width, height] = self.chunk;
        let across = self.columns.div_ceil(width);
        let (left, top) = (chunk % across * width, chunk / across * height);
        let columns = width.min(self.columns.saturating_sub(left));
        [
            left,
            top,
            columns,
            height.min(self.rows.saturating_sub(top)),
        ]
    }

    /// The bytes of a chunk's row once it is decompressed.
    pub(super) fn row_bytes(&self) -> usize {
        let bits = self.chunk[0] as u64 * self.channels as u64 * u64::from(self.bits);
        usize::try_from(bits.div_ceil(8)).unwrap_or(usize::MAX)
    }

    /// How the image is stored, in words.
    pub(super) fn describe(&self) -> String {
        let [width, height] = self.chunk;
        let chunks = if self.is_tiled {
            format!("tiles of {width} x {height}")
        } else {
            format!("{} strips", self.chunks.len())
        };
        let predictor = match self.predictor {
            Predictor::None => "",
            Predictor::Horizontal => " with horizontal predictor",
            Predictor::Float => " with float predictor",
        };
        format!("TIFF, {}{predictor}, {chunks}", self.compression.name())
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
        50000 => Ok(Compression::Zstandard),
        _ => {
            let name = match tag {
                2..=4 => "fax",
                6 | 7 => "JPEG",
                34887 => "LERC",
                34925 => "LZMA",
                50001 => "WebP",
                _ => "unknown",
            };
            let what = format!(
                "the compression {tag} ({name}; none, LZW, deflate, Zstandard and PackBits are known), \
                 and this"
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
