//! Strips and tiles: decompresses each, undoes its predictor and puts its rows into the image.
//!
//! Sizes have been checked in `layout.rs`; here only the streams can still be unsound. A stream that
//! ends before the last row of the image is an error, one that goes on is cut. A few rows at a time are
//! decoded, so that beside the image little is in memory.

use std::io::{self, Read};
use std::path::Path;

use super::layout::{Compression, Layout, Part, Predictor};
use super::streams::Streams;
use crate::Error;
use crate::heights::allowance::filled;
use crate::heights::bits::unpack;
use crate::read_at::ReadAt;

/// The bytes that are decoded at once, unless a row has more.
const PIECE: usize = 1 << 18;

/// Decodes all chunks into one image. `absent` fills chunks without bytes; `row_values` takes the
/// first channel of a row's bytes, which may be longer than the values it is to fill.
pub(super) fn read_all<T: Copy>(
    path: &Path,
    file: &dyn ReadAt,
    layout: &Layout,
    absent: T,
    row_values: impl Fn(&[u8], &mut [T]),
) -> Result<Vec<T>, Error> {
    let mut image = filled(path, absent, layout.columns * layout.rows)?;
    let mut streams = Streams::new(file, layout.compression);
    let row_bytes = layout.row_bytes();
    let rows_a_piece = (PIECE / row_bytes).max(1);
    let mut piece = Vec::new();
    for (chunk, &part) in layout.chunks.iter().enumerate() {
        if part.length == 0 {
            continue;
        }
        let [left, top, columns, rows] = layout.region(chunk);
        let decoded = Decoded {
            path,
            layout,
            chunk,
            length: row_bytes * rows,
        };
        decoded.check_possible(part)?;
        let mut stream = streams.of(part).map_err(|error| decoded.refused(error))?;
        for first in (0..rows).step_by(rows_a_piece) {
            piece.resize(row_bytes * rows_a_piece.min(rows - first), 0);
            let filled = fill(&mut stream, &mut piece).map_err(|error| decoded.refused(error))?;
            if filled < piece.len() {
                let found = format!("only {}", row_bytes * first + filled);
                return Err(decoded.malformed(found));
            }
            for (row, data) in (top + first..).zip(piece.chunks_exact_mut(row_bytes)) {
                layout.undo_predictor(data);
                let start = row * layout.columns + left;
                row_values(data, &mut image[start..start + columns]);
            }
        }
    }
    Ok(image)
}

/// What a chunk is to decompress to, for errors.
struct Decoded<'a> {
    path: &'a Path,
    layout: &'a Layout,
    chunk: usize,
    /// The bytes up to the last row of the image.
    length: usize,
}

impl Decoded<'_> {
    /// Refuses a chunk whose stored bytes cannot be as many as are needed.
    fn check_possible(&self, part: Part) -> Result<(), Error> {
        let compression = self.layout.compression;
        let is_possible = self.length as u64 <= compression.most_bytes(part.length);
        if is_possible || compression == Compression::None {
            return Ok(());
        }
        let found = format!("{} bytes, which cannot hold as many", part.length);
        Err(self.malformed(found))
    }

    fn expected(&self) -> String {
        let name = self.layout.compression.name();
        format!("{} bytes of sound {name} data", self.length)
    }

    fn malformed(&self, found: String) -> Error {
        let location = self.layout.chunk_name(self.chunk);
        Error::malformed(self.path, location, self.expected(), found)
    }

    fn refused(&self, error: io::Error) -> Error {
        if self.layout.compression == Compression::None {
            return Error::io(self.path, error);
        }
        let location = self.layout.chunk_name(self.chunk);
        Error::undecodable(self.path, location, self.expected(), error)
    }
}

/// Fills `out`, or as much of it as the stream has; says how much.
fn fill(stream: &mut dyn Read, out: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < out.len() {
        match stream.read(&mut out[filled..])? {
            0 => break,
            count => filled += count,
        }
    }
    Ok(filled)
}

/// The first channel of a row of codes of less than a byte.
pub(super) fn unpack_row(row: &[u8], bits: u32, channels: usize, out: &mut [u8]) {
    let mut codes = Vec::with_capacity(out.len() * channels);
    unpack(row, bits, out.len() * channels, &mut codes);
    for (out, &code) in out.iter_mut().zip(codes.iter().step_by(channels)) {
        *out = code;
    }
}

impl Layout {
    /// Whether a row's samples are highest byte first once the predictor is undone.
    pub(super) fn holds_big_endian(&self) -> bool {
        self.is_big_endian || self.predictor == Predictor::Float
    }

    fn undo_predictor(&self, row: &mut [u8]) {
        // Floats are added as if they were integers.
        macro_rules! sums {
            ($type:ty) => {
                if self.is_big_endian {
                    add_up(row, self.channels, |a, b| {
                        let sum = <$type>::from_be_bytes(a).wrapping_add(<$type>::from_be_bytes(b));
                        sum.to_be_bytes()
                    })
                } else {
                    add_up(row, self.channels, |a, b| {
                        let sum = <$type>::from_le_bytes(a).wrapping_add(<$type>::from_le_bytes(b));
                        sum.to_le_bytes()
                    })
                }
            };
        }
        match (self.predictor, self.bits) {
            (Predictor::Horizontal, 8) => sums!(u8),
            (Predictor::Horizontal, 16) => sums!(u16),
            (Predictor::Horizontal, 32) => sums!(u32),
            (Predictor::Horizontal, 64) => sums!(u64),
            (Predictor::Float, bits) => {
                add_up(row, self.channels, |[a], [b]| [a.wrapping_add(b)]);
                join_planes(row, bits as usize / 8);
            }
            // Nothing was done, or the type is refused anyway.
            _ => {}
        }
    }
}

/// Adds to each sample the one before it in the same channel.
fn add_up<const N: usize>(
    row: &mut [u8],
    channels: usize,
    sum: impl Fn([u8; N], [u8; N]) -> [u8; N],
) {
    let samples = row.as_chunks_mut::<N>().0;
    for k in channels..samples.len() {
        samples[k] = sum(samples[k], samples[k - channels]);
    }
}

/// Puts the bytes of each sample together, where the row has all highest bytes first, then all of
/// the next, and so on.
fn join_planes(row: &mut [u8], bytes_each: usize) {
    let planes = row.to_vec();
    let samples = planes.len() / bytes_each.max(1);
    for (k, sample) in row.chunks_exact_mut(bytes_each.max(1)).enumerate() {
        for (plane, byte) in sample.iter_mut().enumerate() {
            *byte = planes[plane * samples + k];
        }
    }
}
