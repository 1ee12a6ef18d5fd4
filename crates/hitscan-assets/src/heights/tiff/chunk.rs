//! Strips and tiles: decompresses each, undoes its predictor and puts its rows into the image.
//!
//! Sizes have been checked in `layout.rs`; here only the streams can still be unsound. A stream that
//! ends before the last row of the image is an error, one that goes on is cut.

use std::borrow::Cow;
use std::io::{self, Read};
use std::path::Path;

use flate2::read::ZlibDecoder;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use weezl::BitOrder;

use super::layout::{Compression, Layout, Predictor};
use crate::Error;
use crate::heights::bits::unpack;

/// The most bytes that a Zstandard stream may refer back: the window of the highest level.
const ZSTANDARD_WINDOW: u64 = 1 << 27;

/// Decodes all chunks into one image. `absent` fills chunks without bytes; `row_values` takes the
/// first channel of a row's bytes, which may be longer than the values it is to fill.
pub(super) fn read_all<T: Copy>(
    path: &Path,
    bytes: &[u8],
    layout: &Layout,
    absent: T,
    row_values: impl Fn(&[u8], &mut [T]),
) -> Result<Vec<T>, Error> {
    let mut image = vec![absent; layout.columns * layout.rows];
    let row_bytes = layout.row_bytes();
    // One for all chunks: each may reserve a window.
    let mut zstandard = FrameDecoder::new();
    zstandard.set_max_window_size(ZSTANDARD_WINDOW);
    for (chunk, &[start, length]) in layout.chunks.iter().enumerate() {
        if length == 0 {
            continue;
        }
        let [left, top, columns, rows] = layout.region(chunk);
        let stored = &bytes[start..start + length];
        let length = row_bytes * rows;
        let mut data = decompressed(path, layout, chunk, stored, length, &mut zstandard)?;
        if layout.predictor != Predictor::None {
            for row in data.to_mut().chunks_exact_mut(row_bytes) {
                layout.undo_predictor(row);
            }
        }
        for (row, data) in data.chunks_exact(row_bytes).take(rows).enumerate() {
            let at = (top + row) * layout.columns + left;
            row_values(data, &mut image[at..at + columns]);
        }
    }
    Ok(image)
}

/// The first `length` bytes that a chunk decompresses to.
fn decompressed<'a>(
    path: &Path,
    layout: &Layout,
    chunk: usize,
    stored: &'a [u8],
    length: usize,
    zstandard: &mut FrameDecoder,
) -> Result<Cow<'a, [u8]>, Error> {
    let expected = || format!("{length} bytes of sound {} data", layout.compression.name());
    let location = || layout.chunk_name(chunk);
    let is_packed = layout.compression != Compression::None;
    if is_packed && length as u64 > layout.compression.most_bytes(stored.len() as u64) {
        let found = format!("{} bytes, which cannot hold as many", stored.len());
        return Err(Error::malformed(path, location(), expected(), found));
    }
    let data = match layout.compression {
        Compression::None => Cow::Borrowed(&stored[..length.min(stored.len())]),
        Compression::Lzw => {
            let data = unpack_lzw(stored, length)
                .map_err(|source| Error::undecodable(path, location(), expected(), source))?;
            Cow::Owned(data)
        }
        Compression::Deflate => {
            let mut data = Vec::new();
            ZlibDecoder::new(stored)
                .take(length as u64)
                .read_to_end(&mut data)
                .map_err(|source| Error::undecodable(path, location(), expected(), source))?;
            Cow::Owned(data)
        }
        Compression::Zstandard => {
            let data = unpack_zstandard(stored, length, zstandard)
                .map_err(|source| Error::undecodable(path, location(), expected(), source))?;
            Cow::Owned(data)
        }
        Compression::PackBits => Cow::Owned(unpack_bits(stored, length)),
    };
    if data.len() < length {
        let found = format!("only {}", data.len());
        return Err(Error::malformed(path, location(), expected(), found));
    }
    Ok(data)
}

/// The first `length` bytes that the stream yields, or all where it ends before. Memory grows with
/// what was read, whatever `length` is.
fn unpack_lzw(mut stored: &[u8], length: usize) -> Result<Vec<u8>, weezl::LzwError> {
    const FIRST_STEP: usize = 1 << 16;
    let mut decoder = weezl::decode::Decoder::with_tiff_size_switch(BitOrder::Msb, 8);
    let mut out = Vec::new();
    let mut filled = 0;
    while filled < length {
        if filled == out.len() {
            out.resize(length.min(2 * filled + FIRST_STEP), 0);
        }
        let result = decoder.decode_bytes(stored, &mut out[filled..]);
        stored = &stored[result.consumed_in..];
        filled += result.consumed_out;
        match result.status? {
            weezl::LzwStatus::Ok => {}
            weezl::LzwStatus::NoProgress | weezl::LzwStatus::Done => break,
        }
    }
    out.truncate(filled);
    Ok(out)
}

/// The first `length` bytes of a frame.
fn unpack_zstandard(
    stored: &[u8],
    length: usize,
    decoder: &mut FrameDecoder,
) -> io::Result<Vec<u8>> {
    let mut data = Vec::new();
    StreamingDecoder::new_with_decoder(stored, decoder)
        .map_err(io::Error::other)?
        .take(length as u64)
        .read_to_end(&mut data)?;
    Ok(data)
}

/// PackBits: a count below 128 and so many bytes and one more, or a count above and one byte that
/// repeats 257 less the count times.
fn unpack_bits(mut stored: &[u8], length: usize) -> Vec<u8> {
    let mut out = Vec::new();
    while let (true, Some((&count, rest))) = (out.len() < length, stored.split_first()) {
        let count = usize::from(count);
        stored = match count {
            0..128 => {
                let (literal, rest) = rest.split_at(rest.len().min(count + 1));
                out.extend(literal);
                rest
            }
            128 => rest,
            _ => {
                let (byte, rest) = rest.split_at(rest.len().min(1));
                out.extend(
                    byte.iter()
                        .cycle()
                        .take(if byte.is_empty() { 0 } else { 257 - count }),
                );
                rest
            }
        };
    }
    out.truncate(length);
    out
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
