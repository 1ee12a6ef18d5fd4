//! Arrays in numpy's files, format 1.0: little-endian, row-major.
//!
//! The format is that of numpy's `numpy.lib.format`: the magic, two bytes of version, two of the header's
//! length, a Python literal padded to 64 bytes, the values.

use crate::Result;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;

const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
/// Where values begin is a multiple of this.
const ALIGNMENT: usize = 64;

/// A type of values, of four bytes.
pub trait Value: Copy {
    /// numpy's name of it.
    const TYPE: &'static str;

    fn to_bytes(self) -> [u8; 4];

    fn from_bytes(bytes: [u8; 4]) -> Self;
}

impl Value for f32 {
    const TYPE: &'static str = "<f4";

    fn to_bytes(self) -> [u8; 4] {
        self.to_le_bytes()
    }

    fn from_bytes(bytes: [u8; 4]) -> Self {
        Self::from_le_bytes(bytes)
    }
}

impl Value for u32 {
    const TYPE: &'static str = "<u4";

    fn to_bytes(self) -> [u8; 4] {
        self.to_le_bytes()
    }

    fn from_bytes(bytes: [u8; 4]) -> Self {
        Self::from_le_bytes(bytes)
    }
}

/// What the file's header says of its values.
fn description<V: Value>(shape: [usize; 2]) -> String {
    let [rows, columns] = shape;
    let kind = V::TYPE;
    format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({rows}, {columns}), }}")
}

/// Writes rows of `columns` values.
pub fn write<V: Value>(
    file: &Path,
    columns: usize,
    values: impl ExactSizeIterator<Item = V>,
) -> Result<()> {
    let mut header = description::<V>([values.len() / columns, columns]);
    let bare = MAGIC.len() + 2 + header.len() + 1;
    header.push_str(&" ".repeat(bare.next_multiple_of(ALIGNMENT) - bare));
    header.push('\n');
    let mut out = BufWriter::new(File::create(file)?);
    out.write_all(MAGIC)?;
    out.write_all(&u16::try_from(header.len())?.to_le_bytes())?;
    out.write_all(header.as_bytes())?;
    for value in values {
        out.write_all(&value.to_bytes())?;
    }
    Ok(out.flush()?)
}

/// The values of a file with rows of `columns`.
pub fn read<V: Value>(file: &Path, columns: usize) -> Result<Vec<V>> {
    let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let other = || format!("{} is no such array of this bench", file.display());
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(other)?;
    let (length, rest) = rest.split_first_chunk::<2>().ok_or_else(other)?;
    let length = usize::from(u16::from_le_bytes(*length));
    let (header, values) = rest.split_at_checked(length).ok_or_else(other)?;
    let (values, odd) = values.as_chunks::<4>();
    let expected = description::<V>([values.len() / columns, columns]);
    if !odd.is_empty() || header.trim_ascii_end() != expected.as_bytes() {
        return Err(other().into());
    }
    Ok(values.iter().map(|bytes| V::from_bytes(*bytes)).collect())
}
