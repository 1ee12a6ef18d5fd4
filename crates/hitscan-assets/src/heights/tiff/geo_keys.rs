//! GeoTIFF's keys: numbers and texts by name, in a directory of their own.
//!
//! What they mean is in `geo.rs`.
//!
//! Source: OGC 19-008r4, "OGC GeoTIFF Standard", version 1.1 (2019), clause 7.1.

use super::directory::Directory;

const GEO_KEY_DIRECTORY: u16 = 34735;
const GEO_DOUBLE_PARAMS: u16 = 34736;
const GEO_ASCII_PARAMS: u16 = 34737;

/// The keys of a file.
pub(super) struct GeoKeys<'a> {
    directory: Vec<u64>,
    doubles: Vec<f64>,
    text: &'a str,
}

impl<'a> GeoKeys<'a> {
    pub(super) fn read(directory: &Directory<'a>) -> Self {
        Self::of(
            directory.numbers(GEO_KEY_DIRECTORY).unwrap_or_default(),
            directory.doubles(GEO_DOUBLE_PARAMS),
            directory.text(GEO_ASCII_PARAMS).unwrap_or_default(),
        )
    }

    pub(super) fn of(directory: Vec<u64>, doubles: Vec<f64>, text: &'a str) -> Self {
        Self {
            directory,
            doubles,
            text,
        }
    }

    /// Four numbers a key: its name, the tag that holds the value (0: the last number itself), the
    /// number of values, and the value or its index in that tag. The first four are a header.
    fn entry(&self, name: u64) -> Option<&[u64; 4]> {
        let (_, entries) = self.directory.split_first_chunk::<4>()?;
        let mut entries = entries.as_chunks::<4>().0.iter();
        entries.find(|entry| entry[0] == name)
    }

    /// A key's code.
    pub(super) fn short(&self, name: u64) -> Option<u64> {
        let entry = self.entry(name)?;
        (entry[1] == 0).then_some(entry[3])
    }

    /// A key's first number.
    pub(super) fn double(&self, name: u64) -> Option<f64> {
        let entry = self.entry(name)?;
        let index = usize::try_from(entry[3]).ok()?;
        let found = self.doubles.get(index).copied();
        found.filter(|_| entry[1] == u64::from(GEO_DOUBLE_PARAMS))
    }

    /// A key's text, without the `|` that ends it; `None` where it is empty.
    pub(super) fn text(&self, name: u64) -> Option<String> {
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
