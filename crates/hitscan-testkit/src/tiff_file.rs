//! Writes TIFF files of many layouts for the readers' tests: both byte orders, BigTIFF, strips and
//! tiles, all predictors, several channels side by side or in planes.
//!
//! It shares no code with the decoder under test. Source: Adobe, "TIFF Revision 6.0" (1992) and
//! "TIFF Technical Note 3" (2005, the predictor for floats).

use std::io::Write;

use flate2::{Compression, write::ZlibEncoder};
use weezl::{BitOrder, encode::Encoder};

/// A tag's values.
#[derive(Debug, Clone)]
pub enum Values {
    /// Text; the closing zero is added.
    Ascii(String),
    /// 16-bit numbers.
    Short(Vec<u16>),
    /// 32-bit numbers.
    Long(Vec<u32>),
    /// f64.
    Double(Vec<f64>),
}

/// What kind of TIFF to write. Sizes are columns, then rows.
#[derive(Debug, Clone)]
pub struct TiffFile {
    /// Whether numbers have their highest byte first.
    pub is_big_endian: bool,
    /// Whether offsets have 64 bits.
    pub is_big_tiff: bool,
    /// The size of a tile; `None` for strips.
    pub tile: Option<[usize; 2]>,
    /// Rows of a strip.
    pub rows_per_strip: usize,
    /// The tag Compression: 1, 5 (LZW), 8 (deflate), 32773 (PackBits) or 50000 (Zstandard).
    pub compression: u16,
    /// The tag Predictor: 1, 2 (horizontal) or 3 (float).
    pub predictor: u16,
    /// Bits of a sample: 1, 2, 4, 8, 16, 32 or 64.
    pub bits: usize,
    /// The tag SampleFormat: 1 unsigned, 2 signed, 3 float.
    pub format: u16,
    /// Samples of a pixel.
    pub channels: usize,
    /// Whether each channel is in a plane of its own.
    pub is_planar: bool,
    /// The tag PhotometricInterpretation.
    pub photometric: u16,
    /// More tags.
    pub tags: Vec<(u16, Values)>,
}

impl Default for TiffFile {
    fn default() -> Self {
        Self {
            is_big_endian: false,
            is_big_tiff: false,
            tile: None,
            rows_per_strip: 3,
            compression: 1,
            predictor: 1,
            bits: 16,
            format: 1,
            channels: 1,
            is_planar: false,
            photometric: 1,
            tags: Vec::new(),
        }
    }
}

impl TiffFile {
    /// The file's bytes; `sample(column, row, channel)` gives the samples' bits.
    ///
    /// # Panics
    /// When the file would be too large for its offsets.
    #[must_use]
    pub fn encode(
        &self,
        columns: usize,
        rows: usize,
        sample: impl Fn(usize, usize, usize) -> u64,
    ) -> Vec<u8> {
        let [width, height] = self.tile.unwrap_or([columns, self.rows_per_strip]);
        let planes = if self.is_planar { self.channels } else { 1 };
        let inner = self.channels / planes;
        let mut chunks = Vec::new();
        for plane in 0..planes {
            for top in (0..rows).step_by(height) {
                for left in (0..columns).step_by(width) {
                    // A tile is padded with its border; the last strip is short.
                    let bottom = if self.tile.is_some() {
                        top + height
                    } else {
                        rows.min(top + height)
                    };
                    let mut raw = Vec::new();
                    for row in top..bottom {
                        let line: Vec<u64> = (left..left + width)
                            .flat_map(|column| (0..inner).map(move |c| (column, c + plane)))
                            .map(|(column, c)| {
                                sample(column.min(columns - 1), row.min(rows - 1), c)
                            })
                            .collect();
                        self.append_row(&mut raw, &line, inner);
                    }
                    chunks.push(self.compress(&raw));
                }
            }
        }
        self.assemble(columns, rows, &chunks)
    }

    fn append_row(&self, raw: &mut Vec<u8>, line: &[u64], inner: usize) {
        if self.bits < 8 {
            let codes = line
                .iter()
                .map(|&code| u16::try_from(code).expect("few bits"));
            crate::png_file::append_codes(raw, self.bits, codes);
            return;
        }
        let bytes = self.bits / 8;
        match self.predictor {
            2 => {
                for (k, &value) in line.iter().enumerate() {
                    let before = k.checked_sub(inner).map_or(0, |k| line[k]);
                    self.append(raw, value.wrapping_sub(before), bytes);
                }
            }
            3 => {
                // Planes of bytes, the highest first, then differences between neighbours.
                let planes: Vec<u8> = (0..bytes)
                    .flat_map(|b| line.iter().map(move |v| v.to_le_bytes()[bytes - 1 - b]))
                    .collect();
                for (k, &value) in planes.iter().enumerate() {
                    let before = k.checked_sub(inner).map_or(0, |k| planes[k]);
                    raw.push(value.wrapping_sub(before));
                }
            }
            _ => line
                .iter()
                .for_each(|&value| self.append(raw, value, bytes)),
        }
    }

    fn append(&self, out: &mut Vec<u8>, value: u64, bytes: usize) {
        if self.is_big_endian {
            out.extend(&value.to_be_bytes()[8 - bytes..]);
        } else {
            out.extend(&value.to_le_bytes()[..bytes]);
        }
    }

    fn compress(&self, raw: &[u8]) -> Vec<u8> {
        match self.compression {
            5 => Encoder::with_tiff_size_switch(BitOrder::Msb, 8)
                .encode(raw)
                .expect("all bytes are codes of 8 bits"),
            8 => {
                let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
                encoder.write_all(raw).expect("a vector takes all bytes");
                encoder.finish().expect("a vector takes all bytes")
            }
            32773 => pack_bits(raw),
            50000 => zstd::encode_all(raw, 0).expect("a vector takes all bytes"),
            _ => raw.to_vec(),
        }
    }

    fn assemble(&self, columns: usize, rows: usize, chunks: &[Vec<u8>]) -> Vec<u8> {
        let mut file = if self.is_big_endian {
            b"MM".to_vec()
        } else {
            b"II".to_vec()
        };
        let word = if self.is_big_tiff { 8 } else { 4 };
        self.append(&mut file, if self.is_big_tiff { 43 } else { 42 }, 2);
        if self.is_big_tiff {
            self.append(&mut file, 8, 2);
            self.append(&mut file, 0, 2);
        }
        let pointer_at = file.len();
        self.append(&mut file, 0, word);

        let long = |value: usize| u32::try_from(value).expect("test files are small");
        let short = |value: usize| u16::try_from(value).expect("test files are small");
        let mut offsets = Vec::new();
        for chunk in chunks {
            offsets.push(long(file.len()));
            file.extend(chunk);
        }
        let lengths = chunks.iter().map(|chunk| long(chunk.len())).collect();
        let mut tags = vec![
            (256, Values::Long(vec![long(columns)])),
            (257, Values::Long(vec![long(rows)])),
            (258, Values::Short(vec![short(self.bits); self.channels])),
            (259, Values::Short(vec![self.compression])),
            (262, Values::Short(vec![self.photometric])),
            (277, Values::Short(vec![short(self.channels)])),
            (284, Values::Short(vec![if self.is_planar { 2 } else { 1 }])),
            (317, Values::Short(vec![self.predictor])),
            (339, Values::Short(vec![self.format; self.channels])),
        ];
        match self.tile {
            Some([width, height]) => tags.extend([
                (322, Values::Short(vec![short(width)])),
                (323, Values::Short(vec![short(height)])),
                (324, Values::Long(offsets)),
                (325, Values::Long(lengths)),
            ]),
            None => tags.extend([
                (273, Values::Long(offsets)),
                (278, Values::Long(vec![long(self.rows_per_strip)])),
                (279, Values::Long(lengths)),
            ]),
        }
        tags.extend(self.tags.iter().cloned());
        tags.sort_by_key(|&(tag, _)| tag);
        self.append_directory(&mut file, &tags, pointer_at, word);
        file
    }

    fn append_directory(
        &self,
        file: &mut Vec<u8>,
        tags: &[(u16, Values)],
        pointer_at: usize,
        word: usize,
    ) {
        let mut entries = Vec::new();
        for (tag, values) in tags {
            let mut data = Vec::new();
            let (kind, count) = match values {
                Values::Ascii(text) => {
                    data.extend(text.as_bytes());
                    data.push(0);
                    (2, text.len() + 1)
                }
                Values::Short(all) => {
                    all.iter()
                        .for_each(|&v| self.append(&mut data, v.into(), 2));
                    (3, all.len())
                }
                Values::Long(all) => {
                    all.iter()
                        .for_each(|&v| self.append(&mut data, v.into(), 4));
                    (4, all.len())
                }
                Values::Double(all) => {
                    all.iter()
                        .for_each(|v| self.append(&mut data, v.to_bits(), 8));
                    (12, all.len())
                }
            };
            self.append(&mut entries, (*tag).into(), 2);
            self.append(&mut entries, kind, 2);
            self.append(&mut entries, count as u64, word);
            if data.len() <= word {
                data.resize(word, 0);
                entries.extend(data);
            } else {
                self.append(&mut entries, file.len() as u64, word);
                file.extend(data);
            }
        }
        let start = file.len() as u64;
        self.append(
            file,
            tags.len() as u64,
            if self.is_big_tiff { 8 } else { 2 },
        );
        file.extend(entries);
        self.append(file, 0, word);
        let mut pointer = Vec::new();
        self.append(&mut pointer, start, word);
        file[pointer_at..pointer_at + word].copy_from_slice(&pointer);
    }
}

/// A GeoTIFF of 3 x 2 flat samples with these tags and keys; `text` is that of `GeoAsciiParams`.
///
/// # Panics
/// When there are more keys than the file can count.
#[must_use]
pub fn geo_tiff(tags: &[(u16, &[f64])], keys: &[[u16; 4]], text: &str) -> Vec<u8> {
    let doubles = tags
        .iter()
        .map(|(tag, values)| (*tag, Values::Double(values.to_vec())));
    let mut tags: Vec<_> = doubles.collect();
    let count = u16::try_from(keys.len()).expect("few keys");
    let directory = std::iter::once([1, 1, 0, count]).chain(keys.iter().copied());
    tags.push((34735, Values::Short(directory.flatten().collect())));
    tags.push((34737, Values::Ascii(text.to_owned())));
    let file = TiffFile {
        tags,
        ..TiffFile::default()
    };
    file.encode(3, 2, |_, _, _| 7)
}

/// Runs of equal bytes as a count and the byte, others as they are.
fn pack_bits(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = raw;
    while let Some(&first) = rest.first() {
        let run = rest
            .iter()
            .take(128)
            .take_while(|&&byte| byte == first)
            .count();
        if run >= 2 {
            out.push((257 - run).to_le_bytes()[0]);
            out.push(first);
            rest = &rest[run..];
        } else {
            out.extend([0, first]);
            rest = &rest[1..];
        }
    }
    out
}
