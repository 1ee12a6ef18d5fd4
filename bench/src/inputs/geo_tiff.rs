//! The terrain as a GeoTIFF, for programs that read files: 32-bit floats in strips of one row, in metres of
//! UTM zone 32.

use super::Terrain;
use std::io::{self, BufWriter, Write};

const SHORT: u16 = 3;
const LONG: u16 = 4;
const DOUBLE: u16 = 12;

/// The coordinates of sample (0, 0).
pub const NORTH_WEST: [f64; 2] = [500_000.0, 6_200_000.0];

/// Where the arrays of the directory begin.
const ARRAYS: u32 = 8;

impl Terrain {
    /// Writes the file.
    pub fn write_geo_tiff(&self, file: impl Write) -> io::Result<()> {
        let size = u32::try_from(self.size).map_err(io::Error::other)?;
        let doubles = |values: &[f64]| -> Vec<u8> {
            values
                .iter()
                .flat_map(|value| value.to_le_bytes())
                .collect()
        };
        let longs = |values: &mut dyn Iterator<Item = u32>| -> Vec<u8> {
            values.flat_map(u32::to_le_bytes).collect()
        };
        let keys = [
            [1, 1, 0, 3],
            // Projected, positions of points, EPSG 32632.
            [1024, 0, 1, 1],
            [1025, 0, 1, 2],
            [3072, 0, 1, 32632_u16],
        ];
        let keys: Vec<u8> = keys
            .as_flattened()
            .iter()
            .flat_map(|key| key.to_le_bytes())
            .collect();
        let scale = doubles(&[1.0, 1.0, 0.0]);
        let tie = doubles(&[0.0, 0.0, 0.0, NORTH_WEST[0], NORTH_WEST[1], 0.0]);
        let row_bytes = 4 * size;
        let arrays = 8 * size + (keys.len() + scale.len() + tie.len()) as u32;
        let directory = ARRAYS + arrays;
        let tags = 13_u16;
        let first_row = directory + 2 + 12 * u32::from(tags) + 4;
        let offsets = longs(&mut (0..size).map(|row| first_row + row * row_bytes));
        let lengths = longs(&mut (0..size).map(|_| row_bytes));

        let mut out = BufWriter::new(file);
        out.write_all(b"II*\0")?;
        out.write_all(&directory.to_le_bytes())?;
        let mut at = ARRAYS;
        let mut place = |bytes: &[u8]| {
            at += bytes.len() as u32;
            at - bytes.len() as u32
        };
        let [offsets_at, lengths_at] = [place(&offsets), place(&lengths)];
        let [scale_at, tie_at, keys_at] = [place(&scale), place(&tie), place(&keys)];
        for array in [&offsets, &lengths, &scale, &tie, &keys] {
            out.write_all(array)?;
        }
        out.write_all(&tags.to_le_bytes())?;
        for (tag, kind, count, value) in [
            (256_u16, LONG, 1, size),
            (257, LONG, 1, size),
            (258, SHORT, 1, 32),
            (259, SHORT, 1, 1),
            (262, SHORT, 1, 1),
            (273, LONG, size, offsets_at),
            (277, SHORT, 1, 1),
            (278, LONG, 1, 1),
            (279, LONG, size, lengths_at),
            // Floats.
            (339, SHORT, 1, 3),
            (33550, DOUBLE, 3, scale_at),
            (33922, DOUBLE, 6, tie_at),
            (34735, SHORT, (keys.len() / 2) as u32, keys_at),
        ] {
            out.write_all(&tag.to_le_bytes())?;
            out.write_all(&kind.to_le_bytes())?;
            out.write_all(&u32::to_le_bytes(count))?;
            out.write_all(&u32::to_le_bytes(value))?;
        }
        out.write_all(&[0; 4])?;
        for height in &self.heights {
            out.write_all(&height.to_le_bytes())?;
        }
        out.flush()
    }
}
