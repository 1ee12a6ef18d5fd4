//! GeoTIFF's keys: numbers and texts by name, in a directory of their own.
//!
//! What they mean is in `geo.rs`.
//!
//! Source: OGC 19-008r4, "OGC GeoTIFF Standard", version 1.1 (2019), clause 7.1.

use super::directory::Directory;
use crate::Error;
use crate::tiff_numbers::tag::{GEO_ASCII_PARAMS, GEO_DOUBLE_PARAMS, GEO_KEY_DIRECTORY};

/// The keys of a file.
pub(super) struct GeoKeys {
    directory: Vec<u64>,
    doubles: Vec<f64>,
    text: String,
}

impl GeoKeys {
    pub(super) fn read(directory: &Directory<'_>) -> Result<Self, Error> {
        let keys = match directory.numbers(GEO_KEY_DIRECTORY) {
            Err(error @ Error::Io { .. }) => return Err(error),
            keys => keys.unwrap_or_default(),
        };
        let doubles = directory.doubles(GEO_DOUBLE_PARAMS)?;
        let text = directory.text(GEO_ASCII_PARAMS)?.unwrap_or_default();
        Ok(Self::of(keys, doubles, text))
    }

    pub(super) fn of(directory: Vec<u64>, doubles: Vec<f64>, text: impl Into<String>) -> Self {
        Self {
            directory,
            doubles,
            text: text.into(),
        }
    }

    /// Four numbers a key: its name, the tag that holds the value (0: the last number itself), the
    /// number of values, and the value or its index in that tag. The first four are a header.
    fn entry(&self, name: u16) -> Option<&[u64; 4]> {
        let (_, entries) = self.directory.split_first_chunk::<4>()?;
        let mut entries = entries.as_chunks::<4>().0.iter();
        entries.find(|entry| entry[0] == u64::from(name))
    }

    /// A key's code.
    pub(super) fn short(&self, name: u16) -> Option<u16> {
        let entry = self.entry(name)?;
        u16::try_from(entry[3]).ok().filter(|_| entry[1] == 0)
    }

    /// A key's first number.
    pub(super) fn double(&self, name: u16) -> Option<f64> {
        let entry = self.entry(name)?;
        let index = usize::try_from(entry[3]).ok()?;
        let found = self.doubles.get(index).copied();
        found.filter(|_| entry[1] == u64::from(GEO_DOUBLE_PARAMS))
    }

    /// A key's text, without the `|` that ends it; `None` where it is empty.
    pub(super) fn text(&self, name: u16) -> Option<String> {
        let entry = self.entry(name)?;
        if entry[1] != u64::from(GEO_ASCII_PARAMS) {
            return None;
        }
        let start = usize::try_from(entry[3]).ok()?;
        let length = usize::try_from(entry[2]).ok()?;
        let end = start.checked_add(length)?.min(self.text.len());
        let text = self.text.get(start..end)?;
        let text = text.trim_matches(['|', '\0', ' ', '\n']);
        (!text.is_empty()).then(|| text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_where_the_directory_says() {
        let keys = vec![
            1, 1, 0, 4, 1024, 0, 1, 2, 1026, 34737, 4, 0, 2049, 34737, 99, 4, 3077, 34736, 1, 1,
        ];
        let keys = GeoKeys::of(keys, vec![9.0, 0.5], "UTM|WGS 84|");
        assert_eq!((keys.short(1024), keys.short(1026)), (Some(2), None));
        assert_eq!((keys.double(3077), keys.double(1024)), (Some(0.5), None));
        assert_eq!(keys.text(1026).as_deref(), Some("UTM"));
        assert_eq!(keys.text(2049).as_deref(), Some("WGS 84"));
        assert_eq!(keys.text(1024), None);
        assert_eq!(GeoKeys::of(vec![1, 1], vec![], "").short(1), None);
        let cut = GeoKeys::of(vec![1, 1, 0, 1, 1026, 34737, 4, u64::MAX], vec![], "a");
        assert_eq!(cut.text(1026), None);
    }
}
