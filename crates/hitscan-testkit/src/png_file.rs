//! Writes PNG files of every colour type and depth, interlaced or not, for the readers' tests.
//!
//! It shares no code with the decoder under test. Rows are not filtered, which is not what is
//! tested. Source: ISO/IEC 15948, "Portable Network Graphics (PNG)", second edition (2003).

use flate2::{Compression, Crc, write::ZlibEncoder};
use std::io::Write;

/// What kind of PNG to write.
#[derive(Debug, Clone, Default)]
pub struct PngFile {
    /// 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGBA.
    pub colour_type: u8,
    /// Bits a channel: 1, 2, 4, 8 or 16.
    pub bits: usize,
    /// Whether the rows come in the seven passes of Adam7.
    pub is_interlaced: bool,
    /// The palette's red values; green and blue are made to differ.
    pub reds: Vec<u8>,
}

impl PngFile {
    /// The channels of a pixel.
    ///
    /// # Panics
    /// When the colour type is none of PNG's.
    #[must_use]
    pub fn channels(&self) -> usize {
        match self.colour_type {
            0 | 3 => 1,
            4 => 2,
            2 => 3,
            6 => 4,
            other => panic!("no colour type {other}"),
        }
    }

    /// The file's bytes; `sample(column, row, channel)` gives the codes.
    ///
    /// # Panics
    /// When the size does not fit into the format.
    #[must_use]
    pub fn encode(
        &self,
        columns: usize,
        rows: usize,
        sample: impl Fn(usize, usize, usize) -> u16,
    ) -> Vec<u8> {
        // Adam7's passes: first column and row, steps.
        const ADAM7: [[usize; 4]; 7] = [
            [0, 0, 8, 8],
            [4, 0, 8, 8],
            [0, 4, 4, 8],
            [2, 0, 4, 4],
            [0, 2, 2, 4],
            [1, 0, 2, 2],
            [0, 1, 1, 2],
        ];
        let passes = if self.is_interlaced {
            &ADAM7[..]
        } else {
            &[[0, 0, 1, 1]]
        };
        let mut raw = Vec::new();
        for &[x0, y0, dx, dy] in passes {
            if x0 >= columns {
                continue;
            }
            for row in (y0..rows).step_by(dy) {
                raw.push(0);
                let codes = (x0..columns)
                    .step_by(dx)
                    .flat_map(|column| (0..self.channels()).map(move |c| (column, c)))
                    .map(|(column, channel)| sample(column, row, channel));
                append_codes(&mut raw, self.bits, codes);
            }
        }
        self.file(columns, rows, &raw)
    }

    /// A file with this header around `raw`, the bytes that are to be compressed as its rows.
    ///
    /// # Panics
    /// When the size does not fit into the format.
    #[must_use]
    pub fn file(&self, columns: usize, rows: usize, raw: &[u8]) -> Vec<u8> {
        let mut header = Vec::new();
        for side in [columns, rows] {
            header.extend(u32::try_from(side).expect("sizes are small").to_be_bytes());
        }
        let bits = u8::try_from(self.bits).expect("depths are small");
        header.extend([bits, self.colour_type, 0, 0, u8::from(self.is_interlaced)]);

        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        append_chunk(&mut file, *b"IHDR", &header);
        if self.colour_type == 3 {
            let palette: Vec<u8> = self.reds.iter().flat_map(|&r| [r, !r, r / 2]).collect();
            append_chunk(&mut file, *b"PLTE", &palette);
        }
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(raw).expect("a vector takes all bytes");
        let data = encoder.finish().expect("a vector takes all bytes");
        append_chunk(&mut file, *b"IDAT", &data);
        append_chunk(&mut file, *b"IEND", &[]);
        file
    }
}

/// Appends codes of so many bits, the highest bits first; the last byte is padded.
pub(crate) fn append_codes(out: &mut Vec<u8>, bits: usize, codes: impl Iterator<Item = u16>) {
    let (mut pending, mut count) = (0_u32, 0);
    for code in codes {
        pending = pending << bits | u32::from(code);
        count += bits;
        while count >= 8 {
            count -= 8;
            out.push((pending >> count).to_le_bytes()[0]);
            pending &= (1 << count) - 1;
        }
    }
    if count > 0 {
        out.push((pending << (8 - count)).to_le_bytes()[0]);
    }
}

fn append_chunk(file: &mut Vec<u8>, name: [u8; 4], data: &[u8]) {
    let length = u32::try_from(data.len()).expect("chunks are small");
    file.extend(length.to_be_bytes());
    let start = file.len();
    file.extend(name);
    file.extend(data);
    let mut crc = Crc::new();
    crc.update(&file[start..]);
    file.extend(crc.sum().to_be_bytes());
}
