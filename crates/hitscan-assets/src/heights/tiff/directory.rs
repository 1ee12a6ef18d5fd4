//! The first directory of a TIFF or BigTIFF: tags and their values, read where they lie in the file.
//!
//! What the tags mean is in `layout.rs` and `geo.rs`. No count is believed before the bytes it
//! speaks of are found.
//!
//! Source: Adobe, "TIFF Revision 6.0" (1992), section 2; BigTIFF as libtiff describes it.

use std::path::Path;

use crate::Error;
use crate::heights::first_bytes_say;

/// The first directory of a TIFF or BigTIFF, read where it lies.
pub(super) struct Directory<'a> {
    path: &'a Path,
    bytes: &'a [u8],
    pub(super) is_big_endian: bool,
    is_big_tiff: bool,
    first_entry: usize,
    entries: usize,
}

/// One tag: the type of its values, how many, and where the four or eight bytes are that hold
/// them or their offset.
#[derive(Clone, Copy)]
struct Entry {
    kind: u64,
    count: u64,
    value_at: usize,
}

const BYTE: u64 = 1;
const ASCII: u64 = 2;
const SHORT: u64 = 3;
const LONG: u64 = 4;
const DOUBLE: u64 = 12;
const LONG8: u64 = 16;

impl<'a> Directory<'a> {
    pub(super) fn first(path: &'a Path, bytes: &'a [u8]) -> Result<Self, Error> {
        let (is_big_endian, is_big_tiff) = match bytes.get(..4) {
            Some(b"II*\0") => (false, false),
            Some(b"MM\0*") => (true, false),
            Some(b"II+\0") => (false, true),
            Some(b"MM\0+") => (true, true),
            _ => {
                let expected = "a TIFF image, as the file's ending says";
                return Err(Error::malformed(
                    path,
                    "byte 0",
                    expected,
                    first_bytes_say(bytes),
                ));
            }
        };
        let mut directory = Self {
            path,
            bytes,
            is_big_endian,
            is_big_tiff,
            first_entry: 0,
            entries: 0,
        };
        let (offset_at, word, count_bytes) = if is_big_tiff { (8, 8, 8) } else { (4, 4, 2) };
        let start = directory.index(offset_at, word)?;
        directory.entries = directory.index(start, count_bytes)?;
        directory.first_entry = start + count_bytes;
        let needed = directory.entries.checked_mul(directory.entry_bytes());
        let end = needed.and_then(|bytes| bytes.checked_add(directory.first_entry));
        if end.is_none_or(|end| end > bytes.len()) {
            let expected = format!("{} tags", directory.entries);
            return Err(directory.cut(directory.first_entry, &expected));
        }
        Ok(directory)
    }

    fn entry_bytes(&self) -> usize {
        if self.is_big_tiff { 20 } else { 12 }
    }

    fn entry(&self, tag: u16) -> Option<Entry> {
        (0..self.entries).find_map(|k| {
            let at = self.first_entry + k * self.entry_bytes();
            if self.uint(at, 2)? != u64::from(tag) {
                return None;
            }
            let word = if self.is_big_tiff { 8 } else { 4 };
            Some(Entry {
                kind: self.uint(at + 2, 2)?,
                count: self.uint(at + 4, word)?,
                value_at: at + 4 + word,
            })
        })
    }

    /// Whether the tag is there.
    pub(super) fn has(&self, tag: u16) -> bool {
        self.entry(tag).is_some()
    }

    /// The first of a tag's whole numbers, if the tag is there.
    pub(super) fn number(&self, tag: u16) -> Result<Option<u64>, Error> {
        let Some(entry) = self.entry(tag) else {
            return Ok(None);
        };
        let (width, field) = self.whole_numbers(tag, entry)?;
        match self.uint_in(field, 0, width) {
            Some(value) => Ok(Some(value)),
            None => {
                let location = format!("tag {tag}");
                Err(Error::malformed(self.path, location, "a value", "none"))
            }
        }
    }

    /// The first of a tag's whole numbers.
    pub(super) fn needed(&self, tag: u16, name: &str) -> Result<u64, Error> {
        self.number(tag)?.ok_or_else(|| {
            let what = format!("the tag {name} ({tag})");
            Error::missing(self.path, "first directory", what)
        })
    }

    /// All of a tag's whole numbers; none where the tag is not there.
    pub(super) fn numbers(&self, tag: u16) -> Result<Vec<u64>, Error> {
        let Some(entry) = self.entry(tag) else {
            return Ok(Vec::new());
        };
        let (width, field) = self.whole_numbers(tag, entry)?;
        let all = field.chunks_exact(width);
        Ok(all
            .filter_map(|value| self.uint_in(value, 0, width))
            .collect())
    }

    /// All of a tag's f64; none where the tag is not there or holds something else.
    pub(super) fn doubles(&self, tag: u16) -> Vec<f64> {
        let entry = self.entry(tag).filter(|entry| entry.kind == DOUBLE);
        let field = entry
            .and_then(|entry| self.field(entry, 8))
            .unwrap_or_default();
        let all = field.chunks_exact(8);
        all.filter_map(|value| self.uint_in(value, 0, 8).map(f64::from_bits))
            .collect()
    }

    /// A tag's text without what fills it up, if the tag is there.
    pub(super) fn text(&self, tag: u16) -> Option<&'a str> {
        let entry = self.entry(tag).filter(|entry| entry.kind == ASCII)?;
        let text = std::str::from_utf8(self.field(entry, 1)?).ok()?;
        Some(text.trim_matches(['\0', ' ']))
    }

    /// The width of a tag's whole numbers and their bytes.
    fn whole_numbers(&self, tag: u16, entry: Entry) -> Result<(usize, &'a [u8]), Error> {
        let width = match entry.kind {
            BYTE => 1,
            SHORT => 2,
            LONG => 4,
            LONG8 => 8,
            kind => {
                let found = format!("values of type {kind}");
                return Err(Error::malformed(
                    self.path,
                    format!("tag {tag}"),
                    "whole numbers",
                    found,
                ));
            }
        };
        let field = self.field(entry, width).ok_or_else(|| {
            let expected = format!("{} values of tag {tag} within the file", entry.count);
            self.cut(entry.value_at, &expected)
        })?;
        Ok((width, field))
    }

    /// The bytes of an entry's values: in the entry itself if they fit, else where it points.
    fn field(&self, entry: Entry, width: usize) -> Option<&'a [u8]> {
        let length = usize::try_from(entry.count).ok()?.checked_mul(width)?;
        let word = if self.is_big_tiff { 8 } else { 4 };
        let start = if length <= word {
            entry.value_at
        } else {
            usize::try_from(self.uint(entry.value_at, word)?).ok()?
        };
        self.bytes.get(start..start.checked_add(length)?)
    }

    /// The number of `width` bytes at `at`, as an index into the file.
    fn index(&self, at: usize, width: usize) -> Result<usize, Error> {
        let value = self
            .uint(at, width)
            .ok_or_else(|| self.cut(at, "an offset or a count"))?;
        usize::try_from(value)
            .ok()
            .filter(|&index| index <= self.bytes.len())
            .ok_or_else(|| {
                let expected = format!("an offset or a count within {} bytes", self.bytes.len());
                Error::malformed(self.path, format!("byte {at}"), expected, value.to_string())
            })
    }

    fn uint(&self, at: usize, width: usize) -> Option<u64> {
        self.uint_in(self.bytes, at, width)
    }

    fn uint_in(&self, bytes: &[u8], at: usize, width: usize) -> Option<u64> {
        let field = bytes.get(at..at.checked_add(width)?)?;
        let shift = |value: u64, &byte: &u8| value << 8 | u64::from(byte);
        Some(if self.is_big_endian {
            field.iter().fold(0, shift)
        } else {
            field.iter().rev().fold(0, shift)
        })
    }

    fn cut(&self, at: usize, expected: &str) -> Error {
        let found = format!("the end of the file after {} bytes", self.bytes.len());
        Error::malformed(self.path, format!("byte {at}"), expected, found)
    }
}
