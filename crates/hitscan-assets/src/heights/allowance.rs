//! The memory that a map may ask for: no more than its file is likely to hold, and no more than there is.

use std::path::Path;

use crate::Error;

/// How many samples a map may have beside what its file's length speaks for.
///
/// Compression has no bound that would tell level ground from a header that lies: Zstandard stores 2^31
/// equal samples in 64 KiB, and a sparse TIFF none at all. So a map that is both large and far larger than
/// its file is read only where its size is stated by whoever names it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Allowance(u64);

impl Allowance {
    /// Samples that every file may have: 1 GiB of heights.
    const ALWAYS: u64 = 1 << 28;

    /// The most samples for each byte of a file beyond these.
    const FOR_A_BYTE: u64 = 256;

    /// That of a map, or of tiles that are one, whose columns and rows are stated or not.
    pub(super) fn of_size(size: Option<[usize; 2]>) -> Self {
        let stated = size.map_or(0, |[columns, rows]| columns.saturating_mul(rows));
        Self(Self::ALWAYS.max(stated as u64))
    }

    /// Refuses a map of so many columns and rows in files of so many bytes.
    pub(super) fn check(
        self,
        path: &Path,
        [columns, rows]: [u64; 2],
        file_bytes: u64,
    ) -> Result<(), Error> {
        let samples = columns.saturating_mul(rows);
        if self.has(samples, file_bytes) {
            return Ok(());
        }
        let expected = format!(
            "at least one byte for {} of {columns} x {rows} samples, which take {} of memory; if the size \
             is right, state it as `size = [{columns}, {rows}]` of a scene's [[terrain]]",
            Self::FOR_A_BYTE,
            bytes_in_words(samples.saturating_mul(4)),
        );
        let found = format!("{file_bytes} bytes");
        Err(Error::malformed(path, "header", expected, found))
    }

    /// Refuses tiles that have so many samples together, in so many bytes of files.
    pub(super) fn check_tiles(self, name: &Path, samples: u64, bytes: u64) -> Result<(), Error> {
        if self.has(samples, bytes) {
            return Ok(());
        }
        let expected = format!(
            "at least one byte for {} samples; if the tiles are right, state columns and rows of them all \
             as `size` of a scene's [[terrain]]",
            Self::FOR_A_BYTE,
        );
        let found = format!("{samples} samples in {bytes} bytes");
        Err(Error::malformed(name, "the tiles", expected, found))
    }

    fn has(self, samples: u64, file_bytes: u64) -> bool {
        samples <= self.0.max(file_bytes.saturating_mul(Self::FOR_A_BYTE))
    }
}

/// So many times the same value; of 0, in memory that is not written before something else is.
///
/// # Errors
/// Where the system does not have the memory, and says so.
pub(super) fn filled<T: Clone>(path: &Path, value: T, count: usize) -> Result<Vec<T>, Error> {
    // `vec!` takes zeros from the system as they are, but ends the program where there are none.
    drop(reserved::<T>(path, count)?);
    Ok(vec![value; count])
}

/// An empty vector for so many values.
///
/// # Errors
/// As [`filled`].
pub(super) fn reserved<T>(path: &Path, count: usize) -> Result<Vec<T>, Error> {
    let mut values = Vec::new();
    values.try_reserve_exact(count).map_err(|source| {
        let bytes = count.saturating_mul(size_of::<T>()) as u64;
        let expected = format!("{} of free memory for them", bytes_in_words(bytes));
        Error::undecodable(path, format!("{count} samples"), expected, source)
    })?;
    Ok(values)
}

/// A number of bytes, rounded up.
fn bytes_in_words(bytes: u64) -> String {
    match bytes >> 30 {
        0 => format!("{} MiB", bytes.div_ceil(1 << 20)),
        _ => format!("{} GiB", bytes.div_ceil(1 << 30)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_maps_in_tiny_files_are_refused_unless_their_size_is_stated() {
        let check = |size, [columns, rows]: [usize; 2], bytes| {
            let [columns, rows] = [columns as u64, rows as u64];
            Allowance::of_size(size).check("a.tif".as_ref(), [columns, rows], bytes)
        };
        let side = 1 << 14;
        assert!(check(None, [side, side], 100).is_ok());
        let large = [side, side + 1];
        let message = check(None, large, 65_536).unwrap_err().to_string();
        for part in ["65536 bytes", "size = [16384, 16385]", "2 GiB"] {
            assert!(message.contains(part), "{message}");
        }
        assert!(check(Some(large), large, 65_536).is_ok());
        assert!(check(Some([2, 2]), large, 65_536).is_err());
        assert!(check(None, large, 1 << 21).is_ok());
    }

    #[test]
    fn what_no_system_has_is_an_error() {
        let error = filled("a.tif".as_ref(), 0_u16, usize::MAX / 2).unwrap_err();
        assert!(error.to_string().contains("GiB of free memory"), "{error}");
    }
}
